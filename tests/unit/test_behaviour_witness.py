"""The input that tells a behaviour from the reference's, and what is said of it."""

from __future__ import annotations

from typing import Optional

import pytest

from pytest_codecollapse.behaviour import partition
from pytest_codecollapse.model import Execution, Executions, Shown, Witness

A, B = "a" * 16, "b" * 16
REFERENCE = Execution(tokens=(A, A, "exc:ValueError"))


def witness(
    *tokens: str, shown: bool = True, output: Optional[str] = "2", left_out: tuple[int, ...] = ()
) -> Optional[Witness]:
    """Return the witness of a candidate with these tokens."""
    texts = Shown(
        arguments=("[0]", "[1]", "[2]"),
        expected=("0", "1", ""),
        outputs={} if output is None else {0: output},
    )
    executions = Executions(
        reference=REFERENCE,
        candidates=(Execution(tokens=tokens),),
        shown=texts if shown else None,
        left_out=left_out,
    )
    return partition(executions, ["def f(x): return x"], "f").classes[0].witness


@pytest.mark.parametrize(
    ("tokens", "number", "output", "expected"),
    [
        ((B, B, B), 0, "2", "0"),
        ((A, B, B), 1, "2", "1"),
        ((A, A, B), 2, "2", "raises ValueError"),
        ((A, "exc:KeyError", B), 1, "raises KeyError", "1"),
        ((A, A, "exc:KeyError"), 2, "raises KeyError", "raises ValueError"),
        ((A, "TIMEOUT", B), 1, "TIMEOUT", "1"),
        ((A, "CRASH", B), 1, "CRASH", "1"),
        (("load:SyntaxError",) * 3, 0, "does not load: SyntaxError", "0"),
    ],
)
def test_the_first_input_that_differs_is_shown(
    tokens: tuple[str, ...], number: int, output: str, expected: str
) -> None:
    """Its arguments, and what both sides did: a text for a result, else what its token tells."""
    assert witness(*tokens) == Witness(
        input=number, arguments=f"[{number}]", output=output, expected=expected
    )


def test_a_correct_class_has_none() -> None:
    """There is no input on which it differs."""
    assert witness(*REFERENCE.tokens) is None


def test_without_a_text_of_the_result_there_is_none() -> None:
    """Neither where nothing was asked, nor where this candidate was not; a token needs no text."""
    assert witness(B, B, B, shown=False) is None
    assert witness(B, B, B, output=None) is None
    assert witness("TIMEOUT", B, B, output=None) is not None


@pytest.mark.parametrize(
    ("left_out", "number"), [((0,), 2), ((1,), 2), ((2,), 1), ((0, 1), 3), ((0, 2, 3), 4)]
)
def test_inputs_that_were_left_out_are_counted(left_out: tuple[int, ...], number: int) -> None:
    """The number is the input's own, though no token is about those left out."""
    found = witness(A, B, B, left_out=left_out)
    assert found is not None
    assert found.input == number
