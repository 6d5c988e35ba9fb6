"""One input on which a behaviour differs from the reference's, with what both did on it."""

from __future__ import annotations

from typing import Optional

from pytest_codecollapse.model import Executions, Witness


def witness_of(executions: Executions, candidate: int) -> Optional[Witness]:
    """Show the first input on which a candidate differs from the reference.

    Returns
    -------
    Witness or None
        None where it does not differ, or where the sandbox was not asked what it returns.
    """
    did, reference, shown = executions.candidates[candidate], executions.reference, executions.shown
    at = did.first_difference(reference)
    if at is None or shown is None:
        return None
    output = _said(did.tokens[at], shown.outputs.get(candidate))
    if output is None:
        return None
    return Witness(
        input=_input_number(at, executions.left_out),
        arguments=shown.arguments[at],
        output=output,
        expected=_said(reference.tokens[at], shown.expected[at]) or "",
    )


def _said(token: str, text: Optional[str]) -> Optional[str]:
    """Say what a token tells of, by the text of the result where it is one."""
    kind, _, name = token.partition(":")
    if kind in ("TIMEOUT", "CRASH"):
        return kind
    return {"exc": f"raises {name}", "load": f"does not load: {name}"}.get(kind, text)


def _input_number(at: int, left_out: tuple[int, ...]) -> int:
    """Return the number of the input that a token is about; those left out have none."""
    for number in sorted(left_out):
        if number <= at:
            at += 1
    return at
