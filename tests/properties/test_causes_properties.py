from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pytest_codecollapse.behaviour import are_correct, partition, reasons_of
from pytest_codecollapse.model import CAUSES, Checked, Execution, Executions, FailedAssert

TOKENS = (
    *("a" * 16, "b" * 16, "TIMEOUT", "CRASH", "exc:TypeError", "exc:KeyError", "exc:ImportError"),
    *("load:SyntaxError", "load:NameError", "load:ModuleNotFoundError", "load:ValueError"),
)
SOURCES = (
    *("", "no", "def f(x): return x", "def f(: no", "def g(x): return x", "def f(x, y): return x"),
    *("class A:\n    def f(self): pass", "f = lambda *a: 1", "import f", "x = '\0'", "return 1"),
)
KINDS = ("value", "exception", "timeout", "crash", "load")

texts = st.sampled_from(SOURCES) | st.text(max_size=20)
failures = st.none() | st.sampled_from(KINDS).map(
    lambda kind: FailedAssert(assertion="assert f(1)", got="0", kind=kind)  # type: ignore[arg-type]
)
checks = failures.map(lambda failure: Checked(passed=1, asserts=2, failure=failure))


@st.composite
def executed(draw: st.DrawFn) -> tuple[Executions, list[str]]:
    """Draw what the programs of a problem did, by either oracle, and their sources."""
    inputs, n = draw(st.integers(1, 3)), draw(st.integers(1, 6))
    rows = st.lists(st.sampled_from(TOKENS), min_size=inputs, max_size=inputs)
    executions = rows.map(lambda row: Execution(tokens=tuple(row)))
    by_tests = draw(st.booleans())
    found = Executions(
        reference=Execution(tokens=()) if by_tests else draw(executions),
        candidates=tuple(draw(st.lists(executions, min_size=n, max_size=n))),
        checked=tuple(draw(st.lists(checks, min_size=n, max_size=n))) if by_tests else None,
        argument_counts=tuple(sorted(draw(st.sets(st.integers(0, 3))))),
    )
    return found, draw(st.lists(texts, min_size=n, max_size=n))


@given(executed())
def test_every_incorrect_candidate_has_one_cause(drawn: tuple[Executions, list[str]]) -> None:
    """And no correct one has any; the causes are known ones, in their order."""
    executions, sources = drawn
    found = reasons_of(executions, sources, "f")
    verdicts = are_correct(executions)
    caused = sorted(index for members in found.causes.values() for index in members)
    assert caused == [index for index, correct in enumerate(verdicts) if not correct]
    assert list(found.causes) == [cause for cause in CAUSES if cause in found.causes]
    misnamed = {index for members in found.misnamed.values() for index in members}
    assert misnamed <= set(found.causes.get("name", ()))


@given(executed())
def test_the_members_of_a_class_agree_in_being_correct(
    drawn: tuple[Executions, list[str]],
) -> None:
    """By either oracle; the curves end at the numbers of classes and of correct candidates."""
    executions, sources = drawn
    found, verdicts = partition(executions, sources, "f"), are_correct(executions)
    for each in found.classes:
        assert {verdicts[member] for member in each.members} == {each.correct}
    assert len({each.fingerprint for each in found.classes}) == len(found.classes)
    assert found.stability_curve[-1] == len(found.classes)
    assert list(found.stability_curve) == sorted(found.stability_curve)
    assert found.correct_curve[-1] == sum(verdicts)
    assert list(found.correct_curve) == sorted(found.correct_curve, reverse=True)
