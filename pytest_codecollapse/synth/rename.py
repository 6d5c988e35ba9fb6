"""Consistent renaming: other names for what a function binds, the same ones throughout."""

from __future__ import annotations

import ast
import copy
import random

from pytest_codecollapse.synth.draws import pick

#: What else a model might call the names that the references, and rewrites of them, bind.
_SYNONYMS = {
    "numbers": ("nums", "xs", "arr", "items", "data", "lst"),
    "number": ("num", "n", "x", "item"),
    "result": ("res", "out", "squares", "answer", "acc"),
    "size": ("k", "width", "window", "w"),
    "sums": ("res", "out", "totals", "result"),
    "start": ("i", "left", "begin", "pos"),
    "total": ("s", "acc", "current", "window_sum"),
    "values": ("nums", "xs", "arr", "items", "data"),
    "low": ("lo", "lower", "a", "start"),
    "high": ("hi", "upper", "b", "end"),
    "count": ("c", "total", "matches", "cnt"),
    "value": ("v", "x", "n", "item"),
    "part": ("numerator", "a", "num", "x"),
    "whole": ("denominator", "b", "den", "y"),
    "cap": ("limit", "maximum", "upper", "c"),
    "ratio": ("r", "quotient", "result", "q"),
}


def rename(function: ast.FunctionDef, rng: random.Random) -> ast.FunctionDef:
    """Give parameters and local names other names, or leave them theirs; two never become one.

    The function's own name, attributes and built-ins stay. Parameters are renamed as well, so the
    function is one that is called by position.
    """
    names = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
    parameters = [parameter.arg for parameter in function.args.args]
    bound = [node.id for node in names if isinstance(node.ctx, ast.Store)]
    taken = {*parameters, *(node.id for node in names)}
    new_names: dict[str, str] = {}
    for name in dict.fromkeys([*parameters, *bound]):
        free = [synonym for synonym in _SYNONYMS.get(name, ()) if synonym not in taken]
        new_names[name] = pick(rng, [name, *free])
        taken.add(new_names[name])
    renamed = copy.deepcopy(function)
    _Renamer(new_names).visit(renamed)
    return renamed


class _Renamer(ast.NodeTransformer):
    """Renames in place: it is given a copy."""

    def __init__(self, new_names: dict[str, str]) -> None:
        self.new_names = new_names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self.new_names.get(node.id, node.id)
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.arg = self.new_names.get(node.arg, node.arg)
        return node
