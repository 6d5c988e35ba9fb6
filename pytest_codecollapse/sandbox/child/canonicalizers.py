"""How values of types that the user names are read: by a function of the user's own.

Theory of operation
-------------------
A canonicaliser is source that defines ``canonicalize(value)``. It is run once in a problem server,
before ``input_gen`` and any program, and bound by the full name of the type that it is for. What
its function returns is encoded in the place of the value, and what that holds is read in the same
way. It runs where the call ran, in the child, under the same timer; what it raises is what the
call raised. It sees the builtins as they were before the program was loaded.

The types themselves may only come into being with the program, so they are told by name: that of
the module and the qualified name. A program can give a class of its own any name. What it gains
is that its own values are read by the function, which it could as well have called.
"""

import builtins
import types
from builtins import BaseException, NameError, callable, dict, vars
from typing import Any, Callable, Dict

from . import forms
from .program import execute

_ENTRY_POINT = "canonicalize"


class CanonicalizerError(Exception):
    """A canonicaliser that does not load: the type that it is for, and why."""

    def __init__(self, type_name: str, cause: BaseException) -> None:
        super().__init__(type_name)
        self.type_name = type_name
        self.cause = cause


def install(sources: Dict[str, str]) -> None:
    """Load the canonicalisers of a problem, by type name, and have values read by them.

    Raises
    ------
    CanonicalizerError
        Where one does not load, or defines no function.
    """
    for type_name, source in sources.items():
        try:
            forms.FURTHER[type_name] = _load(source)
        except BaseException as error:
            raise CanonicalizerError(type_name, error) from error


def _load(source: str) -> Callable[[Any], Any]:
    module = types.ModuleType("canonicalizer")  # not in sys.modules, for a program to find
    vars(module)["__builtins__"] = dict(vars(builtins))
    execute(source, module)
    function = vars(module).get(_ENTRY_POINT)
    if not callable(function):
        raise NameError(f"it does not define {_ENTRY_POINT}(value)")
    found: Callable[[Any], Any] = function
    return found
