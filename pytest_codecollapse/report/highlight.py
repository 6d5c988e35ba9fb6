"""Python source -> coloured HTML in which nothing of the source is markup."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from pytest_codecollapse.report.text import printable

if TYPE_CHECKING:
    from markupsafe import Markup
    from pygments.token import _TokenType

#: The first kind of token that one is of -> its CSS class; few, to keep pages small.
_CLASSES = {
    "Token.Comment": "c",
    "Token.Literal.String": "s",
    "Token.Literal.Number": "m",
    "Token.Keyword": "k",
    "Token.Operator.Word": "k",
    "Token.Name.Function": "f",
    "Token.Name.Class": "f",
    "Token.Name.Builtin": "b",
    "Token.Name.Exception": "b",
}


def highlight(source: str) -> Markup:
    """Return Python source as HTML, to be set in a ``pre``; what cannot be printed is escaped."""
    from markupsafe import Markup, escape

    parts: list[Markup] = []
    for css_class, text in _merged(_tokens(shown_source(source))):
        if css_class:
            parts.append(Markup('<span class="{}">{}</span>').format(css_class, text))
        else:
            parts.append(escape(text))
    return Markup("").join(parts)


def shown_source(source: str) -> str:
    """Escape what is invisible or would change the order of what is read, but for line ends."""
    return "\n".join(printable(line) for line in source.expandtabs().splitlines())


def _tokens(source: str) -> Iterator[tuple[str, str]]:
    from pygments.lexers.python import PythonLexer

    for kind, text in PythonLexer(stripnl=False, ensurenl=False).get_tokens(source):
        yield ("" if text.isspace() else _class_of(kind)), text


def _class_of(kind: _TokenType) -> str:
    return next((_CLASSES[name] for each in kind.split() if (name := str(each)) in _CLASSES), "")


def _merged(tokens: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    for css_class, run in groupby(tokens, key=lambda token: token[0]):
        yield css_class, "".join(text for _, text in run)
