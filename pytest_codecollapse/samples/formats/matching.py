"""Which problem a text is of, where nothing names it: by what it defines, and the prompt in it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Optional

from pytest_codecollapse.samples.benchmarks import Benchmark, Known

_DEFINITION = re.compile(r"^(?:async[ \t]+)?def[ \t]+(\w+)", re.MULTILINE)


def defined(source: str) -> list[str]:
    """Return the names of the functions at the top of source, in order; it need not parse."""
    return _DEFINITION.findall(source)


def names_of_most(programs: Sequence[str]) -> list[str]:
    """Return the names of the functions that more than half of some programs define."""
    votes = Counter(name for program in programs for name in set(defined(program)))
    return sorted(name for name, count in votes.items() if 2 * count > len(programs))


def problem_of_prompt(benchmark: Benchmark, prompt: str) -> Optional[Known]:
    """Return the problem with a prompt, or else the one whose entry point the prompt ends in."""
    known = benchmark.with_prompt(prompt)
    names = defined(prompt)
    if known is not None or not names:
        return known
    return closest(benchmark, benchmark.with_entry_points(names[-1:]), [prompt])


class Prompts:
    """The lines that one problem's prompt alone has, to find the problem that programs are of.

    Listed tests count as lines of it: harnesses prompt with MBPP's prose and tests.
    """

    def __init__(self, benchmark: Benchmark) -> None:
        problems = benchmark.problems.values()
        lines = {each: _prompted(benchmark.read(each).fields) for each in problems}
        counts = Counter(line for each in lines.values() for line in each)
        self._own = {
            known: {line for line in each if counts[line] == 1} for known, each in lines.items()
        }

    def owner(self, programs: Sequence[str]) -> Optional[Known]:
        """Return the one problem of which most programs have half of the lines or more."""
        votes = Counter(line for program in programs for line in _lines(program))
        shared = {line for line, count in votes.items() if 2 * count > len(programs)}
        found = {
            known: len(own & shared)
            for known, own in self._own.items()
            if own and 2 * len(own & shared) >= len(own)
        }
        most = max(found.values(), default=0)
        best = [known for known, count in found.items() if count == most]
        return best[0] if len(best) == 1 else None


def _prompted(fields: Mapping[str, Any]) -> set[str]:
    tests = fields.get("tests")
    shown = tests if isinstance(tests, list) else []
    return _lines("\n".join([fields.get("prompt", ""), *shown]))


def closest(
    benchmark: Benchmark, problems: Sequence[Known], texts: Sequence[str]
) -> Optional[Known]:
    """Return the one of some problems that has the largest share of its prompt's lines in texts.

    One alone is taken without a look at its prompt. Several can be meant: names are not unique,
    and a program may define a helper that another problem is about. None where shares are equal.
    """
    if len(problems) < 2:
        return problems[0] if problems else None
    lines = {line for text in texts for line in _lines(text)}
    shares = [_share(benchmark.read(each).fields.get("prompt", ""), lines) for each in problems]
    best = [each for each, share in zip(problems, shares) if share == max(shares)]
    return best[0] if len(best) == 1 else None


def _lines(text: str) -> set[str]:
    return {line.strip() for line in text.splitlines()} - {""}


def _share(prompt: str, lines: set[str]) -> Fraction:
    own = _lines(prompt)
    return Fraction(len(own & lines), len(own)) if own else Fraction(0)
