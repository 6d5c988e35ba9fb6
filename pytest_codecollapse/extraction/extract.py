"""What a model wrote, as a program: told by parsing which part of it is one.

The first of these that parses and, but for 8, defines the entry point is taken. In what is cut or
chosen from, a function that does nothing does not count, for that is what a prompt is by itself.

1.  The text; the prompt and the text; before that, where it would do nothing, the text without its
    indentation.
2.  The answer behind a model's thoughts, by all of these ways: a draft in them is none.
3.  What stands before a token that ends texts, by all of these ways; then the text by the others.
4.  Fenced blocks: what stands before the first, as 1; of the blocks, as follows.
5.  The prompt and the text with the indentation of the prompt's body: its first line, or all lines;
    the text as a continuation of the prompt's docstring.
6.  As 1 and 5, cut before the line that does not parse, in the way that leaves out least.
7.  The runs of lines between lines of prose, as blocks are.
8.  The last fenced block that is a program and defines something else, where none is broken that
    begins the function.

Of several blocks: the last that defines the entry point, with those that bind names which it
lacks; the last that completes the prompt; all together, by themselves or behind the prompt; the
last one that 5 or 6 make a program of. The last, since a revised answer stands below what it
revises; but where any of them begins the function, be it broken, only such are completed or mended,
since the others explain it. What imports the entry point, or calls it, does not define it.

Of what is found, lines such as ``[DONE]`` are left out, names at the top that nothing binds.

A text that begins with the prompt is taken as its completion, and is not given the prompt again.
"""

from __future__ import annotations

from typing import NamedTuple

from pytest_codecollapse.extraction.repairs import in_order
from pytest_codecollapse.extraction.search import Found, Search


class Extracted(NamedTuple):
    """A program, and the names of what was done to get it, in order; none where it stood there."""

    source: str
    repairs: tuple[str, ...] = ()


def extract(text: str, *, prompt: str, entry_point: str, completion: bool = False) -> Extracted:
    r"""Find the program in what a model wrote.

    Nothing is run, no text raises, and what takes too long to parse is not parsed. Where the
    repairs are not empty, the source parses and defines the entry point at its top, with two
    exceptions. A text that cannot be made to parse gets the prompt before it, which is what formats
    have it mean, and ``("prompt",)`` says so. A program that defines something else is left as it
    is, or taken out of the fenced block and from behind the thoughts that it stands in.

    Parameters
    ----------
    text
        A completion of the prompt, a whole program, or a chat reply with code in it.
    prompt
        What was sampled from; "" where nobody knows.
    entry_point
        The function that the program is to define.
    completion
        Whether the format has the text stand behind the prompt in any case. Then a whole program,
        too, gets the prompt's imports and helpers that it uses and lacks.

    Examples
    --------
    >>> extract("return a + b\n", prompt="def add(a, b):\n", entry_point="add")
    Extracted(source='def add(a, b):\n    return a + b\n', repairs=('reindent', 'prompt'))
    """
    search = Search(prompt, entry_point)
    if search.is_program(text):
        return _finished(Found(text, frozenset()), search, completion)
    is_echo = search.begins_with_prompt(text)
    if not is_echo and search.is_other_program(text):
        return Extracted(text)
    found = search.find(text)
    if found is not None:
        return _finished(found if found.repairs else found.after("prose"), search, completion)
    if prompt and not is_echo and search.parser.read(text).tree is None:
        return Extracted(prompt + text, ("prompt",))
    return Extracted(text)


def _finished(found: Found, search: Search, completion: bool) -> Extracted:
    found = search.without_labels(found)
    joined = search.with_preamble(found.source) if completion else None
    if joined is not None:
        found = Found(joined, found.repairs | {"preamble"})
    return Extracted(found.source, in_order(found.repairs))
