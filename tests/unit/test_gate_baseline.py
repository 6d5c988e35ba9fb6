from __future__ import annotations

from hashlib import sha256
from typing import Any, Literal, Optional

import msgspec
import pytest
from gate_records import identity_with, report, sized

from pytest_codecollapse.errors import Where
from pytest_codecollapse.gate import (
    describe_staleness,
    identity_of,
    is_stale,
    staleness,
    staleness_details,
)
from pytest_codecollapse.model import Problem, Settings, Staleness

Extract = Optional[Literal["auto", "none"]]


def problem(**changed: Any) -> Problem:
    """Build a problem with JSON inputs; keywords replace its fields."""
    fields: dict[str, Any] = {
        "problem_id": "window_sums",
        "entry_point": "f",
        "candidates": ("def f(x): return x",),
        "reference": "def f(x): return x",
        "where": Where("after.jsonl", 1),
        "inputs": ([1], [{"b": 1, "a": 2}]),
    }
    return Problem(**{**fields, **changed})


def test_identity_hashes_texts_behind_their_lengths() -> None:
    """A part is the SHA-256 of its framed text, and the whole that of the framed parts."""
    found = identity_of(problem())
    assert found.parts["entry_point"] == sha256(b"1:f").hexdigest()
    assert found.parts["prompt"] == sha256(b"0:").hexdigest()
    inputs = b'6:inputs21:[[1],[{"b":1,"a":2}]]'
    assert found.parts["inputs"] == sha256(inputs).hexdigest()
    framed = "".join(f"{len(name)}:{name}64:{part}" for name, part in found.parts.items())
    assert found.whole == sha256(framed.encode()).hexdigest()
    assert found.whole == "5244bd13f5e1c28a1c3b94ceaac871d55566371c9e7b3224119ae2937c036a60"


@pytest.mark.parametrize(
    ("part", "changed"),
    [
        ("entry_point", {"entry_point": "g"}),
        ("reference", {"reference": "def f(x): return +x"}),
        ("inputs", {"inputs": ([2], [{"b": 1, "a": 2}])}),
        ("inputs", {"inputs": ([1.0], [{"b": 1, "a": 2}])}),
        ("inputs", {"inputs": ([True], [{"b": 1, "a": 2}])}),
        ("inputs", {"inputs": ([1], [{"a": 2, "b": 1}])}),
        ("inputs", {"inputs": ([1, {"b": 1, "a": 2}],)}),
        ("inputs", {"inputs": None, "input_gen": '[[1],[{"b":1,"a":2}]]'}),
        ("prompt", {"prompt": "Return x."}),
        ("setup", {"setup": "import math"}),
        ("equality", {"equality": "python"}),
    ],
)
def test_each_part_changes_the_identity(part: str, changed: dict[str, Any]) -> None:
    """Another value of a part changes the hash of that part alone, and the whole."""
    before, after = identity_of(problem()), identity_of(problem(**changed))
    assert [name for name in before.parts if before.parts[name] != after.parts[name]] == [part]
    assert before.whole != after.whole


@pytest.mark.parametrize(
    "changed",
    [
        {"problem_id": "other"},
        {"candidates": ("pass",)},
        {"labels": ("a",)},
        {"cluster": "strings"},
        {"where": Where("elsewhere.jsonl", 9)},
    ],
)
def test_what_is_sampled_is_no_part_of_the_identity(changed: dict[str, Any]) -> None:
    """Candidates, labels, the cluster and the place in a file leave the identity alone."""
    assert identity_of(problem(**changed)) == identity_of(problem())


def test_parts_do_not_run_together() -> None:
    """Text moved from the prompt to the setup makes another identity."""
    moved = identity_of(problem(prompt="a", setup="bc"))
    assert moved.whole != identity_of(problem(prompt="ab", setup="c")).whole


def test_lone_surrogates_are_hashed() -> None:
    """Text that UTF-8 does not encode still has an identity, different from its pair's."""
    lone = identity_of(problem(prompt="\ud83d", inputs=(["\ud83d\ude00"],)))
    paired = identity_of(problem(prompt="?", inputs=(["\N{GRINNING FACE}"],)))
    assert lone.parts["prompt"] != paired.parts["prompt"]
    assert lone.parts["inputs"] != paired.parts["inputs"]


def test_equal_reports_are_not_stale() -> None:
    """Two reports of the same problems and settings can be compared whole."""
    found = staleness(report(sized("a", [2, 1])), report(sized("a", [3])))
    assert found == Staleness(paired=1)
    assert not is_stale(found)


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        (Settings(inputs=20), "inputs 50 -> 20"),
        (Settings(timeout_s=1.5), "timeout_s 0.5 -> 1.5"),
        (Settings(memory_mb=256), "memory_mb 512 -> 256"),
        (Settings(input_seed=7), "input_seed 0 -> 7"),
        (Settings(site_packages=True), "site_packages false -> true"),
        (
            Settings(canonicalizers={"solution.B": "b", "solution.A": "a"}),
            "canonicalizers none -> solution.A (4162fddd) and solution.B (6f05a386)",
        ),
    ],
)
def test_settings_that_change_results_are_stale(settings: Settings, line: str) -> None:
    """A setting under which programs behave differently is named with both its values."""
    found = staleness(report(sized("a", [2])), report(sized("a", [2]), settings=settings))
    assert found.settings == (line,)
    assert found.paired == 1
    assert is_stale(found)
    assert describe_staleness(found) == line


@pytest.mark.parametrize(
    ("was", "now", "lines"),
    [
        ("none", "auto", ("extract none -> auto",)),
        ("auto", "none", ("extract auto -> none",)),
        ("auto", "auto", ()),
        (None, "none", ()),
        ("none", None, ()),
    ],
)
def test_programs_taken_another_way_out_of_texts_are_stale(
    was: Extract, now: Extract, lines: tuple[str, ...]
) -> None:
    """Other programs come of the same texts; what came as programs goes with either."""
    before, after = (
        report(sized("a", [2]), settings=Settings(extract=extract)) for extract in (was, now)
    )
    assert staleness(before, after).settings == lines


def test_another_k_is_not_stale() -> None:
    """The numbers of draws only read the classes, so they may differ."""
    after = report(sized("a", [2]), settings=Settings(k=(3,)))
    assert not is_stale(staleness(report(sized("a", [2])), after))


@pytest.mark.parametrize(
    ("python", "settings"),
    [("3.11.9", ()), ("3.12.7", ("python 3.11 -> 3.12",)), ("3.1.1", ("python 3.11 -> 3.1",))],
)
def test_another_minor_python_is_stale(python: str, settings: tuple[str, ...]) -> None:
    """A patch release of Python changes nothing, a minor one does."""
    after = report(sized("a", [2]), python=python)
    assert staleness(report(sized("a", [2])), after).settings == settings


def test_another_canonical_form_is_stale() -> None:
    """Tokens of two canonical forms name different things."""
    after = report(sized("a", [2]), canonical_form=2)
    assert staleness(report(sized("a", [2])), after).settings == ("canonical_form 1 -> 2",)


def test_problems_are_told_apart_by_what_happened() -> None:
    """Changed, gone, unmeasured and new problems are each listed, sorted by id."""
    before = report(*(sized(name, [2]) for name in ("f", "e", "d", "c", "b", "a")))
    after = report(
        sized("g", [2]),
        sized("c", [2], identity=identity_with(reference="1", inputs="1")),
        sized("b", [2], identity=identity_with(inputs="1")),
        sized("a", [2]),
        unmeasured=("e", "h"),
    )
    found = staleness(before, after)
    assert found == Staleness(
        paired=1,
        changed={"b": ("inputs",), "c": ("reference", "inputs")},
        gone=("d", "f"),
        unmeasured=("e",),
        new=("g",),
    )
    assert describe_staleness(found) == (
        "1 of 6 problems changed its inputs, 1 changed its reference and inputs, 2 are gone,"
        " 1 is not measured, 1 is new"
    )
    assert staleness_details(found) == (
        "1 of 6 problems changed its inputs: b",
        "1 changed its reference and inputs: c",
        "2 are gone: d, f",
        "1 is not measured: e",
        "1 is new: g",
        "where that was meant: list the problems in allow_removed",
    )


def test_an_identity_of_other_parts_is_another_identity() -> None:
    """A problem whose whole hash differs while its known parts do not is not paired."""
    other = msgspec.structs.replace(identity_with(), whole="another")
    found = staleness(report(sized("a", [2])), report(sized("a", [2], identity=other)))
    assert found.changed == {"a": ("identity",)}
    assert describe_staleness(found) == "1 of 1 problem changed its identity"


def test_the_sentence_of_the_design() -> None:
    """Seven changed and two gone of 164 read as the design has it."""
    changed: dict[str, tuple[str, ...]] = {f"HumanEval/{index}": ("inputs",) for index in range(7)}
    found = Staleness(paired=155, changed=changed, gone=("x", "y"))
    assert describe_staleness(found) == ("7 of 164 problems changed their inputs, 2 are gone")
    assert staleness_details(found)[0] == (
        "7 of 164 problems changed their inputs: HumanEval/0, HumanEval/1, HumanEval/2,"
        " HumanEval/3, HumanEval/4 and 2 more"
    )


def test_new_problems_are_not_counted_among_those_of_the_baseline() -> None:
    """Where problems were only added, the baseline's number of problems is not named."""
    assert describe_staleness(Staleness(paired=3, new=("a", "b"))) == "2 problems are new"


def test_three_parts_are_listed() -> None:
    """Parts are joined as in a sentence, with their names in words."""
    found = Staleness(paired=0, changed={"a": ("entry_point", "prompt", "setup")})
    assert describe_staleness(found) == ("1 of 1 problem changed its entry point, prompt and setup")
