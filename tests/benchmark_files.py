"""Small benchmarks and samples of them, in the forms that people have."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Optional

import pytest

from pytest_codecollapse.errors import SamplesError
from pytest_codecollapse.model import Problem
from pytest_codecollapse.samples import SamplesFile, open_samples

PROMPT = 'def {name}(x: int) -> int:\n    """ {doc}\n    >>> {name}(1)\n    """\n'
DOCS = {"double": "Return twice x.", "halve": "Return half of x.", "negate": "Return minus x."}
BODIES = {
    "double": "    return 2 * x\n",
    "halve": "    return x // 2\n",
    "negate": "    return -x\n",
}


def prompt(name: str) -> str:
    """Return the prompt of a problem."""
    return PROMPT.format(name=name, doc=DOCS[name])


def humaneval(*names: str, family: str = "HumanEval/", **more: Any) -> list[dict[str, Any]]:
    """Return problems in the form of HumanEval, numbered from 0; the three by default."""
    return [
        {
            "task_id": f"{family}{number}",
            "prompt": prompt(name),
            "entry_point": name,
            "canonical_solution": BODIES[name],
            "test": "def check(candidate):\n    assert candidate(0) == 0\n",
            **more,
        }
        for number, name in enumerate(names or DOCS)
    ]


def mbpp(task_id: Any = 12, **more: Any) -> dict[str, Any]:
    """Return a problem in the own form of MBPP."""
    return {
        "task_id": task_id,
        "text": "Write a function to double.",
        "code": "def double(x):\r\n  return 2 * x",
        "test_list": ["assert double(1) == 2", "assert double(2) == 4"],
        "test_setup_code": "",
        "challenge_test_list": ["assert double(9) == 18"],
        **more,
    }


def jsonl(rows: Sequence[Any]) -> bytes:
    """Return rows as JSON Lines."""
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


class Folder:
    """A folder with problems and samples, opened as their names in it."""

    def __init__(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(path)
        self.path = path
        self.write("problems.jsonl", humaneval())

    def write(self, name: str, content: Any, *, zipped: bool = False) -> Path:
        """Write rows, or bytes as they are."""
        path = self.path / name
        raw = content if isinstance(content, bytes) else jsonl(content)
        path.write_bytes(gzip.compress(raw) if zipped else raw)
        return path

    def open(self, content: Any, problems: Optional[str] = "problems.jsonl") -> SamplesFile:
        """Open samples with texts as their format has them."""
        self.write("samples", content)
        return open_samples(Path("samples"), problems=problems, extract="none")

    def problems(self, content: Any, problems: Optional[str] = "problems.jsonl") -> list[Problem]:
        """Return the problems of samples."""
        with self.open(content, problems) as samples:
            return list(samples.problems())

    def refusal(self, content: Any, problems: Optional[str] = "problems.jsonl") -> str:
        """Return the message with which samples are refused."""
        with pytest.raises(SamplesError) as caught:
            self.open(content, problems)
        return str(caught.value)
