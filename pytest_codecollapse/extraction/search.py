"""The search for the program in a text; `extract` says in which order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Callable, NamedTuple, Optional

from pytest_codecollapse.extraction.cut import before_end_token, longest_program
from pytest_codecollapse.extraction.fences import fenced_blocks
from pytest_codecollapse.extraction.helpers import together, with_helpers
from pytest_codecollapse.extraction.indent import Prompt, dedented, reindented
from pytest_codecollapse.extraction.lines import split_lines
from pytest_codecollapse.extraction.names import (
    bound_at_top,
    can_be_called,
    defined_at_top,
    does_something,
    final_binding,
    is_stub,
    label_lines,
    makes,
    missing_names,
)
from pytest_codecollapse.extraction.parse import Parser
from pytest_codecollapse.extraction.prose import begins_with_words, code_runs
from pytest_codecollapse.extraction.thoughts import without_thoughts

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
        self._known: dict[tuple[str, bool], bool] = {}

    def is_program(self, source: str, *, stub: bool = True) -> bool:
        """Whether a source parses and defines the entry point.

        Without ``stub`` it has to do so itself: not by a function that does nothing, by an import
        or by a call of what others define.
        """
        known = self._known.get((source, stub))
        if known is None:
            known = self._known[source, stub] = self._is_program(source, stub=stub)
        return known

    def _is_program(self, source: str, *, stub: bool) -> bool:
        tree = self.parser.read(source).tree
        binding = None if tree is None else final_binding(tree, self._entry_point)
        if tree is None or binding is None or not can_be_called(binding):
            return False
        return stub or (not is_stub(binding) and makes(tree, self._entry_point))

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

    def without_labels(self, found: Found) -> Found:
        """Leave out the lines of a program that are names which nothing binds, such as [DONE]."""
        tree = self.parser.read(found.source).tree
        lines = split_lines(found.source)
        bare = [line.rstrip() for line in lines]
        labels = label_lines(tree, bare) if tree is not None else set()
        if not labels:
            return found
        source = "".join(line for at, line in enumerate(lines, 1) if at not in labels)
        return Found(source, found.repairs).after("prose") if self.is_program(source) else found

    def find(self, text: str) -> Optional[Found]:
        """Find the program in a text that is none by itself."""
        return self._behind_echo(text, self._answered)

    def _behind_echo(self, text: str, find: Callable[[str], Optional[Found]]) -> Optional[Found]:
        """Take what stands behind the prompt in a text that begins with it for its completion."""
        if not self.begins_with_prompt(text):
            return find(text)
        found = find(text[len(self._prompt.text) :])
        return found and Found(found.source, found.repairs - {"prompt"})

    def begins_with_prompt(self, text: str) -> bool:
        """Whether a text says the prompt again."""
        return bool(self._prompt.text) and text.startswith(self._prompt.text)

    def _answered(self, text: str) -> Optional[Found]:
        """Find the program in what the model answered, never in what it thought."""
        answer = without_thoughts(text)
        if answer == text:
            return self._find(text)
        if len(text) <= MAX_SEARCHED_CHARACTERS:
            whole = self._completing(text, stub=False)  # whose strings hold the tags
            if whole is not None:
                return whole
        if self.is_other_program(answer):
            return Found(answer, frozenset({"thought"}))
        found = self._behind_echo(answer, self._find)
        return found and found.after("thought")

    def _find(self, text: str) -> Optional[Found]:
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
        found = self._within(text)
        if found is None and before is not None:
            ended = self._another_in_fence(before)
            return ended and ended.after("tail")
        return found or self._another_in_fence(text)

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
        if len(fenced.blocks) > 1 and self.is_program(fenced.whole, stub=False):
            return self._chosen([fenced.whole], "fence")
        found = self._completing(fenced.before, stub=False)
        return found.after("tail") if found else self._chosen(fenced.blocks, "fence")

    def _another_in_fence(self, text: str) -> Optional[Found]:
        """Take the last block that is a program and defines something else, for want of any."""
        fenced = fenced_blocks(text)
        found = None
        for block in reversed(fenced.blocks if fenced is not None else ()):
            tree = self.parser.read(block).tree
            if tree is None and self._prompt.is_begun_in(block):
                return None  # the function was meant, and is broken
            if tree is not None and defined_at_top(tree) and does_something(tree.body):
                found = found or Found(block, frozenset({"fence"}))
        return found

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
        runs = code_runs(text)
        if self._prompt.is_begun_in(text) and not any(map(self._prompt.is_begun_in, runs)):
            return None  # the function itself is broken: what else there is explains it
        return self._chosen(runs, "prose")

    def _chosen(self, blocks: Sequence[str], repair: str) -> Optional[Found]:
        """Choose among the parts of a text; see the order in `extract`."""
        attempts = list(filter(self._prompt.is_begun_in, blocks)) or blocks
        found = self._defining(blocks) or self._completing_of(attempts) or self._joined(blocks)
        found = found or next(filter(None, map(self._moved_or_cut, reversed(attempts))), None)
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
        source = with_helpers(blocks, at, self._entry_point, self._prompt.preamble, self.parser)
        return source if self.is_program(source, stub=False) else blocks[at]

    def _completing_of(self, blocks: Sequence[str]) -> Optional[Found]:
        completed = (self._completing(block, stub=False) for block in reversed(blocks))
        return next(filter(None, completed), None)

    def _joined(self, blocks: Sequence[str]) -> Optional[Found]:
        if len(blocks) < 2:
            return None
        source = together(blocks)
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
