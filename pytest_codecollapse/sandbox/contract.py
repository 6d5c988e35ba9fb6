"""The contract of a problem as a program: it raises where a call does not keep to it."""

from __future__ import annotations

import ast
import textwrap
from typing import Optional


def contract_program(reference: str, entry_point: str, contract: str) -> Optional[str]:
    """Return a program whose entry point does nothing but check its arguments.

    Parameters
    ----------
    reference
        The contract is about its entry point's parameters, and may use whatever else it defines.
    entry_point
        The function.
    contract
        Statements, however far indented.

    Returns
    -------
    str or None
        None where the reference does not define the function in a way that can be read.
    """
    try:
        tree = ast.parse(reference)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    functions = (each for each in tree.body if isinstance(each, ast.FunctionDef))
    parameters = [ast.unparse(each.args) for each in functions if each.name == entry_point]
    if not parameters:
        return None
    body = textwrap.indent(textwrap.dedent(contract.strip("\n")), "    ")
    return f"{reference}\n\n\ndef {entry_point}({parameters[-1]}):\n{body}\n    return None\n"
