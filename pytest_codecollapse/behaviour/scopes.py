"""What each name in a program refers to, found from its syntax tree as the compiler does.

The standard library's ``symtable`` answers this too, but recursively, for names and not for
nodes, and not at all for programs that the compiler refuses.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple, Optional, Union

#: Node type -> its field that holds a variable's name, or a list of them.
VARIABLE_FIELDS = {
    "AsyncFunctionDef": "name",
    "ClassDef": "name",
    "ExceptHandler": "name",
    "FunctionDef": "name",
    "Global": "names",
    "MatchAs": "name",
    "MatchMapping": "rest",
    "MatchStar": "name",
    "Name": "id",
    "Nonlocal": "names",
    "ParamSpec": "name",
    "TypeVar": "name",
    "TypeVarTuple": "name",
    "arg": "arg",
}

#: The one namespace of all attributes: the text does not tell which object one belongs to.
ATTRIBUTES = -1
MODULE = 0

Function = Union[ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda]
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_Comprehension = Union[ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp]
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_Standing = tuple[ast.AST, "Scope"]


class Binding(NamedTuple):
    """A name in the namespace that binds it: a scope's number, or ``ATTRIBUTES``."""

    namespace: int
    name: str


class Scope:
    """The names that a module, class, function or comprehension binds."""

    def __init__(
        self,
        kind: Literal["module", "class", "function", "comprehension"],
        number: int,
        parent: Optional[Scope],
    ) -> None:
        self.kind = kind
        self.names: set[str] = set()
        self.global_names: set[str] = set()
        self.nonlocal_names: set[str] = set()
        self._namespace = ATTRIBUTES if kind == "class" else number
        self._parent = parent

    def binding(self, name: str) -> Binding:
        """Return ``name`` as this scope binds it."""
        return Binding(self._namespace, name)

    def find(self, name: str) -> Optional[Binding]:
        """Return what ``name`` refers to here, ``None`` where the program does not bind it."""
        scope: Optional[Scope] = self
        while scope is not None:
            if scope is self or scope.kind != "class":
                if name in scope.global_names:
                    return Binding(MODULE, name)
                if name in scope.names and name not in scope.nonlocal_names:
                    return scope.binding(name)
            scope = scope._parent
        return None

    def assigning(self) -> Scope:
        """Return the scope in which ``:=`` binds: a comprehension hands it on."""
        scope = self
        while scope.kind == "comprehension" and scope._parent is not None:
            scope = scope._parent
        return scope


class Scopes:
    """The scopes of a program.

    Parameters
    ----------
    tree
        The parsed program.

    Attributes
    ----------
    of
        Node -> the scope in which its own names are looked up and bound, in source order.
    inside
        Function or class -> the scope of its body.
    """

    def __init__(self, tree: ast.AST) -> None:
        self.of: dict[ast.AST, Scope] = {}
        self.inside: dict[ast.AST, Scope] = {}
        self._count = 0
        self._module = self._new("module", None)
        stack: list[_Standing] = [(tree, self._module)]
        while stack:
            node, scope = stack.pop()
            self._bind(node, scope)
            stack.extend(reversed([*self._children(node, scope)]))

    def _new(
        self,
        kind: Literal["module", "class", "function", "comprehension"],
        parent: Optional[Scope],
    ) -> Scope:
        self._count += 1
        return Scope(kind, self._count - 1, parent)

    def _bind(self, node: ast.AST, scope: Scope) -> None:
        self.of[node] = scope
        names = bound_names(node)
        scope.names.update(names)
        if isinstance(node, ast.Global):
            scope.global_names.update(names)
            self._module.names.update(names)
        elif isinstance(node, ast.Nonlocal):
            scope.nonlocal_names.update(names)

    def _children(self, node: ast.AST, scope: Scope) -> Iterator[_Standing]:
        if isinstance(node, _FUNCTIONS):
            return self._of_function(node, scope)
        if isinstance(node, ast.ClassDef):
            return self._of_class(node, scope)
        if isinstance(node, _COMPREHENSIONS):
            return self._of_comprehension(node, scope)
        if isinstance(node, ast.NamedExpr):
            return iter([(node.target, scope.assigning()), (node.value, scope)])
        if type(node).__name__ == "TypeAlias":
            return self._of_type_alias(node, scope)
        # Operators and contexts are shared between nodes, and have no fields.
        return _all(scope, (child for child in ast.iter_child_nodes(node) if child._fields))

    def _of_function(self, node: Function, scope: Scope) -> Iterator[_Standing]:
        generic = self._of_type_parameters(node, scope)
        inside = self.inside[node] = self._new("function", generic)
        defaults = [*node.args.defaults, *node.args.kw_defaults]
        yield from _all(scope, getattr(node, "decorator_list", []))
        yield from _all(scope, (default for default in defaults if default is not None))
        yield from _all(generic, getattr(node, "type_params", []))
        for parameter in all_parameters(node.args):
            self._bind(parameter, inside)
            if parameter.annotation is not None:
                yield parameter.annotation, generic
        if not isinstance(node, ast.Lambda) and node.returns is not None:
            yield node.returns, generic
        yield from _all(inside, [node.body] if isinstance(node, ast.Lambda) else node.body)

    def _of_class(self, node: ast.ClassDef, scope: Scope) -> Iterator[_Standing]:
        generic = self._of_type_parameters(node, scope)
        inside = self.inside[node] = self._new("class", generic)
        yield from _all(scope, node.decorator_list)
        yield from _all(generic, [*getattr(node, "type_params", []), *node.bases, *node.keywords])
        yield from _all(inside, node.body)

    def _of_comprehension(self, node: _Comprehension, scope: Scope) -> Iterator[_Standing]:
        inside = self._new("comprehension", scope)
        outermost = node.generators[0]
        for each in node.generators:
            yield each.iter, scope if each is outermost else inside
            yield each.target, inside
            yield from _all(inside, each.ifs)
        yield from _all(
            inside, [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        )

    def _of_type_alias(self, node: ast.AST, scope: Scope) -> Iterator[_Standing]:
        generic = self._of_type_parameters(node, scope)
        for child in ast.iter_child_nodes(node):
            yield child, scope if child is getattr(node, "name", None) else generic

    def _of_type_parameters(self, node: ast.AST, scope: Scope) -> Scope:
        return self._new("function", scope) if getattr(node, "type_params", None) else scope


def bound_names(node: ast.AST) -> list[str]:
    """Return the names that ``node`` itself binds, or declares global or nonlocal."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        return []
    if isinstance(node, ast.alias):
        return [imported_name(node)]
    found = getattr(node, VARIABLE_FIELDS.get(type(node).__name__, ""), None)
    if found is None:
        return []
    return [found] if isinstance(found, str) else list(found)


def imported_name(alias: ast.alias) -> str:
    """Return the variable that an import binds: ``os`` for ``import os.path``."""
    return alias.asname or alias.name.partition(".")[0]


def all_parameters(arguments: ast.arguments) -> list[ast.arg]:
    """Return the parameters of a function, of whatever kind."""
    starred = [each for each in (arguments.vararg, arguments.kwarg) if each is not None]
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *starred]


def _all(scope: Scope, nodes: Iterable[ast.AST]) -> Iterator[_Standing]:
    return ((node, scope) for node in nodes)
