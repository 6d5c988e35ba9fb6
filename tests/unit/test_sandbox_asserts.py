from __future__ import annotations

from typing import Any

import pytest

from pytest_codecollapse.sandbox.child.asserts import NAMES, PASSED, RAISED, compile_tests


def outcomes(source: str) -> list[str]:
    """Run tests; say of each assert that came whether it passed, failed or raised."""
    found: list[str] = []
    sources: list[str] = []
    code = compile_tests(source, "<tests>", sources)
    namespace: dict[str, Any] = {
        **NAMES,
        PASSED: lambda number, value: found.append(f"{sources[number]}: {bool(value)}"),
        RAISED: lambda number: found.append(f"{sources[number]}: raised"),
    }
    exec(code, namespace)
    if "check" in namespace:
        namespace["check"](lambda x: x + 1)
    return found


def test_each_assert_is_told_of_and_none_ends_the_rest() -> None:
    """A failed assert and one that raises are followed by the next."""
    assert outcomes("assert 1 == 2\nassert 1 / 0\nassert 3") == [
        "assert 1 == 2: False",
        "assert 1 / 0: raised",
    ]


def test_an_assert_in_a_loop_comes_each_time() -> None:
    """In functions, loops, conditions and with blocks, at any depth."""
    source = (
        "def check(candidate):\n"
        "    for i in range(2):\n"
        "        if i:\n"
        "            assert candidate(i) == 2, 'message'\n"
        "        else:\n"
        "            assert candidate(i) == 2\n"
        "    while True:\n"
        "        try:\n"
        "            assert candidate(3) == 4\n"
        "            break\n"
        "        finally:\n"
        "            assert candidate(5) == 0\n"
    )
    assert outcomes(source) == [
        "assert candidate(i) == 2: False",
        "assert candidate(i) == 2: True",
        "assert candidate(3) == 4: True",
        "assert candidate(5) == 0: False",
    ]


def test_names_that_a_condition_binds_are_seen_behind_it() -> None:
    """The condition runs in place, not in a function of its own."""
    assert outcomes("assert (n := 3) == 3\nassert [n for n in [n]] == [3]") == [
        "assert (n := 3) == 3: True",
        "assert [n for n in [n]] == [3]: True",
    ]


def test_an_assert_that_its_author_catches_stays_one() -> None:
    """Under handlers it raises as written; in the handlers it is counted."""
    source = (
        "try:\n"
        "    assert 1 == 2\n"
        "except AssertionError:\n"
        "    caught = True\n"
        "    assert caught\n"
        "else:\n"
        "    assert 0\n"
    )
    assert outcomes(source) == ["assert caught: True"]


def test_an_assert_without_a_condition_is_not_counted() -> None:
    """HumanEval has them for their messages; one that is never true is a failure."""
    assert outcomes("assert True, 'This prints if this assert fails 1'\nassert False") == [
        "assert False: False"
    ]


def test_a_source_is_quoted_on_one_line() -> None:
    """Line breaks and runs of blanks become one blank."""
    assert outcomes("assert [\n    1,\n    2,\n] == (  1  )") == [
        "assert [ 1, 2, ] == ( 1 ): False"
    ]


def test_a_source_is_quoted_without_its_message() -> None:
    """What was expected has the room; a message without a condition is kept."""
    assert outcomes("assert (2 == 2), 'This prints if it fails'\nassert False, 'never'") == [
        "assert 2 == 2: True",
        "assert False, 'never': False",
    ]


def test_a_source_that_is_no_python_is_refused() -> None:
    """The error is a SyntaxError, as from compile."""
    with pytest.raises(SyntaxError):
        compile_tests("assert (", "<tests>", [])
