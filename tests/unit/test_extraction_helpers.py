from __future__ import annotations

from pytest_codecollapse.extraction.helpers import with_helpers
from pytest_codecollapse.extraction.parse import Parser, Reading

CHAIN = [f"a{number} = a{number + 1}\n" for number in range(50)]


class Counting(Parser):
    """A parser that counts how often it is asked."""

    asked = 0

    def read(self, source: str) -> Reading:
        """Count, and read."""
        self.asked += 1
        return super().read(source)


def test_each_block_is_looked_at_once() -> None:
    """Where each block needs the next, the work is not the product of blocks and needs."""
    parser = Counting()
    blocks = [*CHAIN, "def f(x):\n    return a0\n"]
    assert with_helpers(blocks, 50, "f", "", parser) == "".join(blocks)
    assert parser.asked <= 3 * len(blocks)


def test_blocks_before_count_more_than_those_behind() -> None:
    """A name is taken from behind only where nothing before binds it, nor the prompt."""
    use, before, behind = "def f(x):\n    return a + b + c\n", "a = 1\n", "a = b = c = 2\n"
    assert with_helpers([before, use, behind], 1, "f", "", Parser()) == before + use + behind
    assert with_helpers([before, use, behind], 1, "f", "b = c = 3\n", Parser()) == before + use
    assert with_helpers([use, f"{behind}from m import f\n"], 0, "f", "", Parser()) == use
