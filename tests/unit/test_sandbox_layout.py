from __future__ import annotations

from typing import Any, Optional

from pytest_codecollapse.errors import Where
from pytest_codecollapse.model import Checks, Problem, Settings
from pytest_codecollapse.sandbox.contract import contract_program
from pytest_codecollapse.sandbox.layout import lay_out, make_pool, missing_inputs

SETTINGS = Settings(inputs=4)


def problem(
    inputs: Optional[tuple[Any, ...]] = None,
    input_gen: Optional[str] = None,
    reference: Optional[str] = "def f(x): return x",
) -> Problem:
    """Make a problem with tests."""
    return Problem(
        problem_id="p",
        entry_point="f",
        candidates=("",),
        reference=reference,
        where=Where("a.jsonl", 1, "p"),
        inputs=inputs,
        input_gen=input_gen,
        tests=Checks(source=("assert f(1)",)),
    )


def test_recorded_calls_are_the_inputs_where_there_are_no_others() -> None:
    """As many as were asked for; the rest are called for the tests alone."""
    layout = lay_out(problem(), SETTINGS, ["[1]", "[2]", "[3]", "[4]", "[5]"])
    assert layout.written == [[1], [2], [3], [4], [5]]
    assert (layout.generated, layout.pool, layout.extra, layout.total) == (0, 4, 4, 5)
    assert layout.calls == {"[1]": 0, "[2]": 1, "[3]": 2, "[4]": 3, "[5]": 4}
    assert layout.origins == {"tests": 4}


def test_calls_that_are_inputs_are_not_made_twice() -> None:
    """Inputs that the problem gives come first, with their types."""
    layout = lay_out(problem(inputs=(((1, 2),), [3])), SETTINGS, ["[3]", "[4]"])
    assert layout.written == [[{"tuple": [1, 2]}], [3], [4]]
    assert (layout.pool, layout.extra) == (2, 2)
    assert layout.calls == {"[3]": 1, "[4]": 2}
    assert layout.origins == {"given": 2}


def test_generated_inputs_come_before_what_is_written() -> None:
    """Their number is that which was asked for."""
    layout = lay_out(problem(input_gen="..."), SETTINGS, ["[4]"])
    assert (layout.written, layout.generated, layout.total) == ([[4]], 4, 5)
    assert layout.calls == {"[4]": 4}
    assert layout.origins == {"input_gen": 4}


def test_a_pool_stands_between_inputs_and_calls_and_is_chosen_from() -> None:
    """Calls keep their place as it comes and goes."""
    layout = lay_out(problem(inputs=([1], [2])), SETTINGS, ["[2]", "[9]"])
    pooled = layout.with_pool([[3], [4], [5]])
    assert pooled.written == [[1], [2], [3], [4], [5], [9]]
    assert (pooled.pool, pooled.extra, pooled.calls) == (2, 5, {"[2]": 1, "[9]": 5})
    chosen = pooled.without({2, 4})
    assert chosen.written == [[1], [2], [4], [9]]
    assert (chosen.pool, chosen.extra, chosen.calls) == (3, 3, {"[2]": 1, "[9]": 3})
    assert chosen.origins == {"given": 2, "mutation": 1}
    assert pooled.without({2, 3, 4}) == layout


def test_inputs_are_missing_where_a_reference_can_judge_new_ones() -> None:
    """Not where they are generated, or nobody knows the right answer."""
    for made, expected in (
        (problem(inputs=([1],)), 3),
        (problem(), 2),
        (problem(reference=None), 0),
        (problem(input_gen="..."), 0),
    ):
        layout = lay_out(made, SETTINGS, ["[1]", "[2]"])
        assert missing_inputs(made, SETTINGS, layout) == expected


def test_the_pool_is_the_same_each_time() -> None:
    """It depends on the seed and the problem alone, and holds no input that there is."""
    made = problem(inputs=([1, "ab"], [2, "c"]))
    layout = lay_out(made, SETTINGS, [])
    pool = make_pool(made, SETTINGS, layout)
    assert pool == make_pool(made, SETTINGS, layout)
    assert len(pool) <= 8
    assert [1, "ab"] not in pool


def test_a_contract_is_a_program_of_the_references_parameters() -> None:
    """It may use what the reference defines, however far its lines are indented."""
    reference = "LEAST = 3\ndef f(x, *, y=1):\n    return x\n"
    source = contract_program(reference, "f", "\n      assert x > LEAST\n      assert y\n")
    assert source is not None
    namespace: dict[str, Any] = {}
    exec(source, namespace)
    assert namespace["f"](4) is None
    for arguments in ((2,), ()):
        try:
            namespace["f"](*arguments)
        except (AssertionError, TypeError):
            continue
        raise AssertionError(arguments)


def test_a_contract_of_a_reference_that_cannot_be_read_is_none() -> None:
    """It does not parse, or has no such function."""
    assert contract_program("def f(:", "f", "assert x") is None
    assert contract_program("f = len", "f", "assert x") is None
