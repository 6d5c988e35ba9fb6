"""The search for the program in a text; `extract` says in which order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Optional

from pytest_codecollapse.extraction.cut import before_end_token, longest_program
from pytest_codecollapse.extraction.fences import fenced_blocks
from pytest_codecollapse.extraction.indent import Prompt, dedented, reindented
from pytest_codecollapse.extraction.lines import split_lines
from pytest_codecollapse.extraction.names import (
    bound_at_top,
    can_be_called,
    defined_at_top,
    final_binding,
    is_stub,
    missing_names,
)
from pytest_codecollapse.extraction.parse import Parser
from pytest_codecollapse.extraction.prose import begins_with_words, code_runs

#: Longer texts are a program, or complete the prompt, as they are, or no program is searched in
#: them: a model's longest replies have half of that.
MAX_SEARCHED_CHARACTERS = 200_000


class Found(NamedTuple):
    """A program, and the names of what was done to get it."""

    source: str
    repairs: frozenset[str]

    def after(self, repair: str) -> Found:
        """Return the same with one more repair."""
        return Found(self.source, self.repairs | {repair})


class _Completed(NamedTuple):
    """A prompt with a text behind it."""

    prompt: str
    text: str
    repairs: frozenset[str]

    def whole(self) -> Found:
        return Found(self.prompt + self.text, self.repairs)


class Search:
    """The search for one program; each method returns None where it finds none."""

    def __init__(self, prompt: str, entry_point: str) -> None:
        self.parser = Parser()
        self._entry_point = entry_point
        self._prompt = Prompt(prompt, entry_point)

    def is_program(self, source: str, *, stub: bool = True) -> bool:
        """Whether a source parses and defines the entry point; as more than a stub, if asked."""
        tree = self.parser.read(source).tree
        binding = None if tree is None else final_binding(tree, self._entry_point)
        if binding is None or not can_be_called(binding):
            return False
        return stub or not is_stub(binding)

    def is_other_program(self, text: str) -> bool:
        """Whether a text is whole, defines something else and does not complete the prompt."""
        tree = self.parser.read(text).tree
        if tree is None or not defined_at_top(tree):
            return False
        completed = self._prompt.text + text
        return self.is_program(completed) and not self.is_program(completed, stub=False)

    def with_preamble(self, source: str) -> Optional[str]:
        """Put what stands before the prompt's function before a program that lacks its names."""
        preamble = self._prompt.preamble.strip()
        tree, theirs = self.parser.read(source).tree, self.parser.read(preamble).tree
        if tree is None or theirs is None or not missing_names(tree) & bound_at_top(theirs):
            return None
        joined = f"{preamble}\n\n\n{source}"
        return joined if self.is_program(joined) else None

    def find(self, text: str) -> Optional[Found]:
        """Find the program in a text that is none by itself."""
        if len(text) > MAX_SEARCHED_CHARACTERS:
            return self._completing(text)
        found = self._direct(text)
        if found is not None:
            return found
        before = before_end_token(text)
        if before is not None:
            ended = self._direct(before) or self._within(before)
            if ended is not None:
                return ended.after("tail")
        return self._within(text)

    def _direct(self, text: str) -> Optional[Found]:
        """Take a text that is whole, or completes the prompt; at the margin if that does more."""
        if self.is_program(text):
            return Found(text, frozenset())
        found = self._completing(text, stub=False) or self._dedented(text)
        return found or self._completing(text)

    def _within(self, text: str) -> Optional[Found]:
        return self._fenced(text) or self._moved(text) or self._cut(text) or self._prose(text)

    def _completing(self, text: str, *, stub: bool = True) -> Optional[Found]:
        """Put the prompt before a text as it is."""
        for completed in self._as_they_are(text):
            if self.is_program(completed.prompt + completed.text, stub=stub):
                return completed.whole()
        return None

    def _fenced(self, text: str) -> Optional[Found]:
        fenced = fenced_blocks(text)
        if fenced is None:
            return None
        if self.is_program(fenced.before, stub=False):
            return Found(fenced.before, frozenset({"tail"}))
        found = self._completing(fenced.before, stub=False)
        return found.after("tail") if found else self._chosen(fenced.blocks, "fence")

    def _dedented(self, text: str) -> Optional[Found]:
        programs = filter(self.is_program, dedented(text))
        return next((Found(program, frozenset({"dedent"})) for program in programs), None)

    def _moved(self, text: str) -> Optional[Found]:
        """Give all lines another indentation, or let the text go on with the prompt's docstring."""
        for completed in self._with_other_indents(text):
            if self.is_program(completed.prompt + completed.text):
                return completed.whole()
        for completed in self._in_the_docstring(text):
            if self.is_program(completed.prompt + completed.text, stub=False):
                return completed.whole()
        return None

    def _cut(self, text: str) -> Optional[Found]:
        """Leave out the text's end."""
        if begins_with_words(text):
            return None
        return (
            self._cut_alone(text, "tail")
            or self._cut_behind_prompt(text)
            or self._cut_alone(next(iter(dedented(text)), ""), "tail", "dedent")
        )

    def _cut_alone(self, text: str, *repairs: str) -> Optional[Found]:
        program = longest_program(text, self.parser)
        return Found(program, frozenset(repairs)) if self.is_program(program, stub=False) else None

    def _cut_behind_prompt(self, text: str) -> Optional[Found]:
        """Put the prompt before the text in the way that leaves the fewest lines out."""
        if not self._prompt.opens_function:
            return None
        best: Optional[Found] = None
        fewest = len(text) + 1
        ways = (self._as_they_are, self._with_other_indents, self._in_the_docstring)
        for completed in (completed for way in ways for completed in way(text)):
            whole = completed.prompt + completed.text
            program = longest_program(whole, self.parser)
            lost = len(split_lines(whole)) - len(split_lines(program))
            if lost < fewest and self.is_program(program, stub=False):
                best, fewest = Found(program, completed.repairs | {"tail"}), lost
        return best

    def _prose(self, text: str) -> Optional[Found]:
        return self._chosen(code_runs(text), "prose")

    def _chosen(self, blocks: Sequence[str], repair: str) -> Optional[Found]:
        """Choose among the parts of a text; see the order in `extract`."""
        found = self._defining(blocks) or self._completing_of(blocks) or self._joined(blocks)
        found = found or next(filter(None, map(self._moved_or_cut, reversed(blocks))), None)
        if found is None:
            stubs = filter(self.is_program, reversed(blocks))
            found = next((Found(stub, frozenset()) for stub in stubs), None)
        return found and found.after(repair)

    def _defining(self, blocks: Sequence[str]) -> Optional[Found]:
        for at in reversed(range(len(blocks))):
            if self.is_program(blocks[at], stub=False):
                source = self._with_helpers(blocks, at)
                joined = self.with_preamble(source)
                if joined is not None:
                    return Found(joined, frozenset({"preamble"}))
                return Found(source, frozenset())
        return None

    def _with_helpers(self, blocks: Sequence[str], at: int) -> str:
        """Add the other blocks that bind what a block lacks, in the text's order."""
        needed = {at}
        while True:
            source = _together(blocks[each] for each in sorted(needed))
            tree = self.parser.read(source).tree
            missing = missing_names(tree) if tree is not None else set()
            further = {
                each
                for each in range(len(blocks))
                if each not in needed and missing & self._bound_by(blocks[each])
            }
            if not further:
                return source if self.is_program(source, stub=False) else blocks[at]
            needed |= further

    def _bound_by(self, block: str) -> set[str]:
        tree = self.parser.read(block).tree
        return bound_at_top(tree) if tree is not None else set()

    def _completing_of(self, blocks: Sequence[str]) -> Optional[Found]:
        completed = (self._completing(block, stub=False) for block in reversed(blocks))
        return next(filter(None, completed), None)

    def _joined(self, blocks: Sequence[str]) -> Optional[Found]:
        if len(blocks) < 2:
            return None
        source = _together(blocks)
        if self.is_program(source, stub=False):
            return Found(source, frozenset())
        return self._completing(source, stub=False)

    def _moved_or_cut(self, block: str) -> Optional[Found]:
        return self._dedented(block) or self._moved(block) or self._cut(block)

    def _as_they_are(self, text: str) -> Iterator[_Completed]:
        prompt = self._prompt.text
        if prompt:
            yield _Completed(prompt, text, frozenset({"prompt"}))
            if not prompt.endswith(("\n", "\r")):
                yield _Completed(f"{prompt}\n", text, frozenset({"newline", "prompt"}))

    def _with_other_indents(self, text: str) -> Iterator[_Completed]:
        """Put the prompt before a text, one of them with other indentation."""
        if not self._prompt.opens_function or self._completing(text):
            return
        for prompt, body, repairs in self._prompt.forms(text):
            if repairs:
                yield _Completed(prompt, text, repairs | {"prompt"})
            for moved in reindented(text, body, self._prompt.step):
                yield _Completed(prompt, moved.text, repairs | {moved.repair, "prompt"})

    def _in_the_docstring(self, text: str) -> Iterator[_Completed]:
        """Let a text go on with the prompt's docstring and close it."""
        opened = self._prompt.with_docstring_open()
        if opened is not None and opened[1] in text:
            yield _Completed(opened[0], text, frozenset({"docstring", "prompt"}))


def _together(blocks: Iterable[str]) -> str:
    return "".join(block if block.endswith("\n") else f"{block}\n" for block in blocks)
