from __future__ import annotations

import copy
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Callable, Optional, Union

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_codecollapse.errors import SamplesError, Where
from pytest_codecollapse.gate import compare, staleness_details
from pytest_codecollapse.measure import assemble, report_problem, restate
from pytest_codecollapse.model import (
    Checked,
    Checks,
    CompareSettings,
    Environment,
    Execution,
    Executions,
    FailedAssert,
    Problem,
    Report,
    Settings,
    Unmeasured,
)
from pytest_codecollapse.report import Screen, measurement_table, render_report
from pytest_codecollapse.samples import read_saved_report

Step = Union[str, int]
Place = tuple[Step, ...]
Check = Callable[[bytes], None]

KS = (1, 2)
TOKENS = ("0" * 16, "1" * 16, "exc:ValueError", "TIMEOUT")


def make_report() -> Report:
    """Make a report of two problems with every kind of field filled."""
    outcomes = []
    failed = FailedAssert(assertion="assert f(1) == 2", got="3", kind="value")
    for name, has_reference in (("one", True), ("two", False)):
        rows = [TOKENS[:1] * 3, (*TOKENS[:1] * 2, TOKENS[1]), TOKENS[:1] * 3, TOKENS[1:]]
        problem = Problem(
            problem_id=name,
            entry_point="f",
            candidates=("def f(x): return x", "def f(x): return 1", "f = abs", "no"),
            reference="f = abs" if has_reference else None,
            tests=Checks(source=("assert f(1) == 2",)),
            repairs=((), ("prompt",), ("fence", "prompt"), ()),
            where=Where("samples.jsonl", 1, name),
            inputs=([1], [2], [3]),
            labels=("a", "b", "a", "b"),
            cluster=name,
        )
        executions = Executions(
            reference=Execution(tokens=rows[0] if has_reference else ()),
            reference_checked=Checked(passed=1, asserts=2, failure=failed)
            if has_reference
            else None,
            checked=tuple(
                Checked(passed=index % 2, asserts=2, failure=None if index else failed)
                for index in range(4)
            ),
            origins={"tests": 1, "mutation": 2},
            candidates=tuple(
                Execution(tokens=row, nondeterministic=index == 1, order_dependent=index == 2)
                for index, row in enumerate(rows)
            ),
            left_out=(1,),
        )
        outcomes.append(report_problem(problem, executions, Settings(k=KS)))
    environment = Environment(python="3.11.7", platform="Linux-x86_64", isolation="process")
    return assemble(
        [*outcomes, Unmeasured(problem_id="three", message="no")], Settings(k=KS), environment
    )


REPORT = make_report()
TEXT = render_report(REPORT)
BUILTINS = json.loads(TEXT)


def places_in(value: Any, place: Place = ()) -> Iterator[Place]:
    """Yield the place of every value in a JSON value, its own last."""
    steps: Iterable[Step] = ()
    if isinstance(value, (dict, list)):
        steps = value if isinstance(value, dict) else range(len(value))
    for step in steps:
        yield from places_in(value[step], (*place, step))
    yield place


def at(whole: Any, place: Place) -> Any:
    """Return the value at a place."""
    for step in place:
        whole = whole[step]
    return whole


PLACES = [place for place in places_in(BUILTINS) if place]
numbers = st.integers(-2, 13) | st.integers() | st.floats()
leaves = st.none() | st.booleans() | numbers | st.text(max_size=5) | st.just("1/2")
json_values = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=2)
    ),
    max_leaves=6,
)
# a value from elsewhere in the report is of the right form more often than one out of the air
transplants = st.sampled_from(PLACES).map(lambda place: at(BUILTINS, place))
edits = st.lists(
    st.tuples(st.sampled_from(PLACES), transplants | json_values | st.just(...)),
    min_size=1,
    max_size=3,
)
cuts = st.lists(
    st.tuples(st.integers(0, len(TEXT)), st.integers(0, 40), st.binary(max_size=4)),
    min_size=1,
    max_size=3,
)


def edited(whole: Any, place: Place, value: Any) -> Any:
    """Return a JSON value with another value at one place, if that is still there."""
    whole = copy.deepcopy(whole)
    try:
        parent = at(whole, place[:-1])
        if value is ...:
            del parent[place[-1]]
        else:
            parent[place[-1]] = copy.deepcopy(value)
    except (LookupError, TypeError):  # an edit before took the place away
        pass
    return whole


def read_or_refuse(path: Path) -> Optional[Report]:
    """Read a report; None where it is refused as a refusal should be."""
    try:
        return read_saved_report(path, shown_as="a.json")
    except SamplesError as error:
        message, remedy = str(error), error.remedy
    assert message.startswith("a.json: ")
    assert remedy is not None
    return None


@pytest.fixture(scope="module")
def check(tmp_path_factory: pytest.TempPathFactory) -> Check:
    """Give the check that some content is refused, or is a report that serves every purpose."""
    path = tmp_path_factory.mktemp("saved") / "report.json"

    def check_content(content: bytes) -> None:
        path.write_bytes(content)
        found = read_or_refuse(path)
        if found is None:
            return
        report = restate(found, KS)
        measurement_table(report, Screen(80))
        comparison = compare(REPORT, report, CompareSettings(resamples=5))
        staleness_details(comparison.staleness)
        path.write_text(render_report(report), encoding="utf-8")
        assert restate(read_saved_report(path), KS) == report

    return check_content


def test_the_report_itself_is_read(check: Check) -> None:
    """What the mutations start from is valid."""
    check(TEXT.encode())


@given(cuts)
def test_damaged_text_is_refused_or_read(check: Check, cuts: list[tuple[int, int, bytes]]) -> None:
    """Bytes cut out and put in give a SamplesError, or a report that is written and read again."""
    content = TEXT.encode()
    for start, length, inserted in cuts:
        content = content[:start] + inserted + content[start + length :]
    check(content)


@given(edits)
def test_changed_values_are_refused_or_read(check: Check, edits: list[tuple[Place, Any]]) -> None:
    """So do values replaced, taken out, or moved from elsewhere in the report."""
    whole = BUILTINS
    for place, value in edits:
        whole = edited(whole, place, value)
    check(json.dumps(whole).encode())


@given(st.binary())
def test_any_bytes_are_refused(check: Check, content: bytes) -> None:
    """No short file is a report by chance, and none is a traceback."""
    check(b'{"schema":1' + content)
