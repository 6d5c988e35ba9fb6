"""Filters as the machine runs them that the kernel has for it, on both architectures."""

from __future__ import annotations

import errno
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Optional

import bpf_machine
import pytest

from pytest_codecollapse.sandbox.child import policy, seccomp
from pytest_codecollapse.sandbox.child.policy import PROGRAM, SERVER, Condition, Rule
from pytest_codecollapse.sandbox.child.syscalls import NUMBERS, number

#: Architecture -> its number in the record that a filter sees.
ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
RULES = {"server": SERVER, "program": PROGRAM}
OWN_PID = 4321
KILL, ALLOW = 0x80000000, 0x7FFF0000

by_architecture = pytest.mark.parametrize("architecture", ARCHITECTURES)
by_rules = pytest.mark.parametrize("rules", RULES.values(), ids=RULES)


def code_of(rules: Mapping[str, Rule], architecture: str) -> bytes:
    """Make a filter for the process ``OWN_PID``."""
    code, places = seccomp.assemble(rules, architecture)
    patched = bytearray(code)
    for place in places:
        patched[place : place + 4] = OWN_PID.to_bytes(4, "little")
    return bytes(patched)


def holds(condition: Condition, arguments: list[int]) -> bool:
    """Say in plain Python what a condition means."""
    word = arguments[condition.argument] >> (32 if condition.high else 0) & condition.mask
    values = [OWN_PID if value == policy.OWN_PID else value for value in condition.values]
    return (word in values) == condition.allowed


def expected(rule: Optional[Rule], arguments: list[int]) -> int:
    """Say in plain Python what a rule means."""
    if rule is None or (rule.unless and all(holds(each, arguments) for each in rule.unless)):
        return ALLOW
    return 0x00050000 | rule.error


def interesting_arguments(rule: Optional[Rule]) -> Iterator[list[int]]:
    """Make arguments on both sides of every condition of a rule."""
    yield [0] * 6
    yield [2**64 - 1] * 6
    for fixed in rule.unless if rule else ():
        for condition in rule.unless if rule else ():
            for value in (*condition.values, OWN_PID, -OWN_PID, 1, 2):
                for other in (value, value ^ 1, value | 1 << 32, value ^ 1 << 17, value ^ 0o700):
                    arguments = [0] * 6
                    arguments[fixed.argument] = fixed.values[0]
                    arguments[condition.argument] = other & 2**64 - 1
                    yield arguments


@by_architecture
@by_rules
def test_every_call_is_answered_as_the_rules_say(architecture: str, rules: dict[str, Rule]) -> None:
    """Filters of both architectures answer every number and argument like the rules in Python."""
    code = code_of(rules, architecture)
    by_number = {number(name, architecture): rule for name, rule in rules.items()}
    for call in range(policy.FIRST_UNKNOWN):
        rule = by_number.get(call)
        for arguments in interesting_arguments(rule):
            answer = bpf_machine.run(code, ARCHITECTURES[architecture], call, arguments)
            assert answer.action == expected(rule, arguments), (call, rule, arguments)


@by_architecture
@by_rules
def test_calls_newer_than_the_rules_are_unknown(architecture: str, rules: dict[str, Rule]) -> None:
    """A kernel may have calls that nobody has thought about; they are as on an older kernel."""
    code = code_of(rules, architecture)
    for call in (policy.FIRST_UNKNOWN, 512, 547, 0x3FFFFFFF):
        action = bpf_machine.run(code, ARCHITECTURES[architecture], call).action
        assert action == 0x00050000 | errno.ENOSYS


@by_architecture
@by_rules
def test_other_architectures_are_ended(architecture: str, rules: dict[str, Rule]) -> None:
    """The same number is another call there: 32-bit x86, x32, ARM, and the other of the two."""
    code = code_of(rules, architecture)
    for other in {0x40000003, 0x40000028, *ARCHITECTURES.values()} - {ARCHITECTURES[architecture]}:
        assert bpf_machine.run(code, other, 1).action == KILL
    for call in (0x40000000, 0x40000000 + 57, 0xFFFFFFFF):
        assert bpf_machine.run(code, ARCHITECTURES[architecture], call).action == KILL


@by_architecture
def test_common_calls_take_few_instructions(architecture: str) -> None:
    """Both filters together decide about any call in at most 35 instructions, most in 20."""
    codes = [code_of(rules, architecture) for rules in RULES.values()]
    steps = [
        sum(bpf_machine.run(code, ARCHITECTURES[architecture], call).steps for code in codes)
        for call in range(policy.FIRST_UNKNOWN)
    ]
    assert max(steps) <= 35
    assert sorted(steps)[len(steps) // 2] <= 20


@by_architecture
def test_a_program_s_own_filter_is_short(architecture: str) -> None:
    """Every child pays for its length; the one of the server is paid for once."""
    code, _ = seccomp.assemble(PROGRAM, architecture)
    assert len(code) // 8 <= 40


def test_every_rule_has_a_number() -> None:
    """What the rules name is in the table of numbers, and the table names nothing else."""
    assert set(NUMBERS) == set(SERVER) | set(PROGRAM)
    for name, numbers in NUMBERS.items():
        assert any(each is not None for each in numbers), name
        assert all(each is None or 0 <= each < policy.FIRST_UNKNOWN for each in numbers), name


@pytest.mark.parametrize(
    ("architecture", "headers"),
    [
        ("x86_64", ("x86_64-linux-gnu/asm/unistd_64.h", "asm/unistd_64.h")),
        ("aarch64", ("asm-generic/unistd.h",)),
    ],
)
def test_numbers_are_those_of_the_kernel_s_headers(
    architecture: str, headers: tuple[str, ...]
) -> None:
    """The two tables agree, as far as the headers that are installed here know the calls."""
    paths = [Path("/usr/include", header) for header in headers]
    found = next((path.read_text() for path in paths if path.exists()), None)
    if found is None:
        pytest.skip(f"the kernel's headers for {architecture} are not installed")
    theirs = dict(re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", found))
    shared = [name for name in NUMBERS if name in theirs]
    assert len(shared) > 100
    for name in shared:
        assert number(name, architecture) == int(theirs[name]), name
    for name in NUMBERS.keys() - theirs.keys():
        newest = number(name, architecture)
        assert newest is None or newest > 450, name
