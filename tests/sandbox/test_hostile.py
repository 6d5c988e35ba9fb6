"""Hostile programs: each costs its own verdict only, and leaves nothing behind."""

from __future__ import annotations

import functools
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Callable

import pytest
from _pytest.mark import ParameterSet
from hostile_programs import HOSTILE
from hostile_programs_record import NAMESPACES, REFERENCE, RUNGS, Hostile
from hostile_programs_runs import Arena
from sandbox_leftovers import orphans_come_here
from sandbox_problems import make_problem

from pytest_codecollapse.errors import UsageError
from pytest_codecollapse.model import Settings
from pytest_codecollapse.sandbox import LocalEngine

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")


@pytest.fixture(scope="module")
def arena_at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Arena]]:
    """Give a function that returns the arena at a rung, where a program has run before."""
    with ExitStack() as stack:
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        stack.enter_context(orphans_come_here())

        @functools.cache
        def make(rung: str) -> Arena:
            temporary, outside = (
                tmp_path_factory.mktemp(name) for name in ("temporary", "outside")
            )
            (outside / "victim").write_text("untouched")
            patch.setattr(tempfile, "tempdir", str(temporary))
            engine = stack.enter_context(LocalEngine(1, rung))
            engine.submit(make_problem(REFERENCE), Settings(), lambda count: None).result()
            return Arena(rung, engine, temporary, outside, HOSTILE)

        yield make


def case(rung: str, hostile: Hostile) -> ParameterSet:
    """Name a case, and mark it."""
    marks = []
    if hostile.slow or rung != NAMESPACES:  # the highest is what most users have
        marks.append(pytest.mark.slow)
    if hostile.fault and rung in hostile.fault_at:
        marks.append(pytest.mark.xfail(reason=hostile.fault, strict=True))
    return pytest.param(rung, hostile, id=f"{rung}-{hostile.name}", marks=marks)


@pytest.mark.parametrize(
    ("rung", "hostile"),
    [case(rung, each) for rung in RUNGS for each in HOSTILE if each.at(rung) is not None],
)
def test_a_hostile_program_costs_its_own_verdict_only(
    arena_at: Callable[[str], Arena], rung: str, hostile: Hostile
) -> None:
    """It has its token, the next program runs as if there had been none, and nothing is left."""
    expected = hostile.at(rung)
    assert expected is not None
    try:
        outcome = arena_at(rung).outcome(hostile)
    except UsageError as error:
        pytest.skip(str(error))
    assert outcome.hostile.tokens == outcome.wanted(expected)
    assert outcome.neighbour.tokens == outcome.reference.tokens
    if hostile.steady:
        assert not outcome.hostile.nondeterministic
        assert not outcome.hostile.order_dependent
    assert outcome.after == outcome.before


def test_every_program_has_a_name_of_its_own() -> None:
    """There are far more than sixty of them, and none is there twice."""
    assert len(HOSTILE) > 200
    assert len({each.name for each in HOSTILE}) == len({each.source for each in HOSTILE})
    assert len({each.source for each in HOSTILE}) == len(HOSTILE)
