"""Which identifiers are a program's own, so that renaming them leaves the program the same.

A variable is own where a scope of the program binds it; an attribute where a class body, a
method's ``self.x = ...``, ``Class.x = ...`` or ``function.x = ...`` sets it; a keyword argument
where the function called is the program's own and takes it. Three kinds of names keep their
spelling, for they mean something outside the program: the entry point, ``__dunders__``, and the
members of a class with a foreign base or a metaclass. Names inside strings are not followed.
"""

from __future__ import annotations

import ast
from typing import NamedTuple, Optional, Union

from pytest_codecollapse.behaviour.scopes import (
    ATTRIBUTES,
    MODULE,
    Binding,
    Function,
    Scope,
    Scopes,
    bound_names,
)

#: Node type -> its field that holds an attribute's name, or a list of them.
ATTRIBUTE_FIELDS = {"Attribute": "attr", "MatchClass": "kwd_attrs"}


class Keyword(NamedTuple):
    """A keyword of a call: the parameters that it may name, and whether its spelling counts.

    Calls that may name the same parameters have one list in common.
    """

    parameters: list[Binding]
    is_spelt: bool


class Identifiers:
    """The identifiers that a program defines itself.

    Parameters
    ----------
    tree
        The parsed program.
    entry_point
        The function that is called from outside: it keeps its name.
    """

    def __init__(self, tree: ast.AST, entry_point: str) -> None:
        self._entry_point = entry_point
        self._scopes = Scopes(tree)
        self._attributes: set[str] = set()
        self._kept_attributes: set[str] = set()
        self._closed_classes: set[Binding] = set()
        self._class_of_body: dict[Scope, Optional[Binding]] = {}
        self._assigned: set[Binding] = set()
        # What an attribute can be stored on -> where its name belongs.
        self._owners: dict[Optional[Binding], set[str]] = {}
        self._keywords: dict[Optional[Binding], dict[str, list[Binding]]] = {}
        self._parameters: dict[str, list[Binding]] = {}
        for node, scope in self._scopes.of.items():
            self._define(node, scope)
        for node, scope in self._scopes.of.items():
            self._store_attribute(node, scope)

    def variable(self, node: ast.AST, name: str) -> Optional[Binding]:
        """Return what ``name`` of ``node`` refers to, ``None`` where its spelling counts."""
        binding = self._scopes.of[node].find(name)
        return binding if binding is not None and self._is_own(binding) else None

    def attribute(self, name: str) -> Optional[Binding]:
        """Return the attribute ``name``, ``None`` where its spelling counts."""
        binding = Binding(ATTRIBUTES, name)
        return binding if self._is_own(binding) else None

    def keyword(self, call: ast.Call, name: str) -> Keyword:
        """Return what ``name`` in ``call(name=...)`` may name."""
        callee = self._callee(call.func)
        taken = self._keywords.get(callee, {}).get(name)
        if taken is not None:
            return Keyword(taken, is_spelt=False)
        parameters = [] if self._is_foreign(call.func) else self._parameters.get(name, [])
        return Keyword(parameters, is_spelt=True)

    def _is_foreign(self, callee: ast.expr) -> bool:
        """Whether this is surely no function of the program: built-in, imported, or a method."""
        if isinstance(callee, ast.Name):
            return self._callee(callee) not in self._assigned
        return isinstance(callee, ast.Attribute) and (
            callee.attr not in self._attributes and self._callee(callee) not in self._keywords
        )

    def _is_own(self, binding: Binding) -> bool:
        namespace, name = binding
        if namespace == ATTRIBUTES:
            kept = name not in self._attributes or name in self._kept_attributes
            return not kept and not _is_dunder(name)
        if namespace == MODULE:
            return name != self._entry_point and not _is_dunder(name)
        return True

    def _callee(self, node: ast.expr) -> Optional[Binding]:
        if isinstance(node, ast.Name):
            return self._scopes.of[node].find(node.id)
        return Binding(ATTRIBUTES, node.attr) if isinstance(node, ast.Attribute) else None

    def _define(self, node: ast.AST, scope: Scope) -> None:
        if not isinstance(node, ast.alias):
            self._assigned.update(filter(None, map(scope.find, bound_names(node))))
        if isinstance(node, ast.ClassDef):
            self._define_class(node, scope)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self._define_function(node, scope)
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
            for target in node.targets:
                self._add_parameters(self._callee(target), node.value)
        elif isinstance(node, ast.AnnAssign) and scope.kind == "class":
            for name in bound_names(node.target):
                self._add_keyword(self._class_of_body[scope], name, Binding(ATTRIBUTES, name))

    def _define_class(self, node: ast.ClassDef, scope: Scope) -> None:
        binding = scope.find(node.name)
        body = self._scopes.inside[node]
        self._class_of_body[body] = binding
        closed = not node.keywords and all(self._is_own_base(base) for base in node.bases)
        members = self._attributes if closed else self._kept_attributes
        members.update(body.names)
        self._owners[binding] = members
        if closed and binding is not None:
            self._closed_classes.add(binding)

    def _is_own_base(self, base: ast.expr) -> bool:
        if not isinstance(base, ast.Name):
            return False
        binding = self._scopes.of[base].find(base.id)
        return base.id == "object" if binding is None else binding in self._closed_classes

    def _define_function(
        self, node: Union[ast.FunctionDef, ast.AsyncFunctionDef], scope: Scope
    ) -> None:
        binding = scope.find(node.name)
        self._owners[binding] = self._attributes
        self._add_parameters(binding, node)
        if scope.kind != "class":
            return
        class_binding = self._class_of_body[scope]
        if node.name in ("__init__", "__new__"):
            self._add_parameters(class_binding, node)
        positional = [*node.args.posonlyargs, *node.args.args]
        if positional and not any(map(_is_static, node.decorator_list)):
            receiver = self._scopes.inside[node].binding(positional[0].arg)
            self._owners[receiver] = self._owners[class_binding]

    def _add_parameters(self, callee: Optional[Binding], function: Function) -> None:
        for parameter in [*function.args.args, *function.args.kwonlyargs]:
            binding = self._scopes.inside[function].binding(parameter.arg)
            self._add_keyword(callee, parameter.arg, binding)

    def _add_keyword(self, callee: Optional[Binding], name: str, parameter: Binding) -> None:
        self._parameters.setdefault(name, []).append(parameter)
        if callee is not None:
            self._keywords.setdefault(callee, {}).setdefault(name, []).append(parameter)

    def _store_attribute(self, node: ast.AST, scope: Scope) -> None:
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and not isinstance(node.ctx, ast.Load)
        ):
            owner = scope.find(node.value.id)
            if owner is not None and owner in self._owners:
                self._owners[owner].add(node.attr)


def _is_static(decorator: ast.expr) -> bool:
    return isinstance(decorator, ast.Name) and decorator.id == "staticmethod"


def _is_dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")
