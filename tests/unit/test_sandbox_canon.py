"""Canonical bytes: what is one form, what are two, and what is never asked."""

from __future__ import annotations

import abc
import array
import builtins
import collections
import datetime
import decimal
import dis
import enum
import fractions
import itertools
import math
import types
from typing import Any, Callable, NamedTuple, NoReturn

import pytest

from pytest_codecollapse.sandbox.child import canon, forms, program, texts
from pytest_codecollapse.sandbox.child.canon import canonical, type_name
from pytest_codecollapse.sandbox.child.snapshot import Input, with_snapshots


def refuse(*arguments: Any, **named: Any) -> NoReturn:
    """Stand in for a method that must not be called."""
    raise AssertionError("a method of the program's own was called")


SPECIAL_METHODS = [
    "__bool__",
    "__call__",
    "__class_getitem__",
    "__contains__",
    "__copy__",
    "__deepcopy__",
    "__dir__",
    "__eq__",
    "__float__",
    "__format__",
    "__getattr__",
    "__getattribute__",
    "__getitem__",
    "__getstate__",
    "__hash__",
    "__index__",
    "__int__",
    "__iter__",
    "__len__",
    "__length_hint__",
    "__lt__",
    "__next__",
    "__reduce__",
    "__reduce_ex__",
    "__repr__",
    "__reversed__",
    "__str__",
    "items",
    "keys",
    "values",
]


class Point(NamedTuple):
    """A tuple with names."""

    x: int
    y: int


SAME = [
    (math.nan, -math.nan),
    (math.nan, float("nan")),
    (0.0, -0.0),
    (0.1 + 0.2, 0.3),
    ([1.0, -0.0], [1.0, 0.0]),
    (collections.Counter("aab"), {"a": 2, "b": 1}),
    (collections.defaultdict(int, a=1), {"a": 1}),
    (collections.OrderedDict(a=1, b=2), collections.OrderedDict(b=2, a=1)),
    ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    ({1, 2, 3}, {3, 2, 1}),
    (Point(1, 2), (1, 2)),
    (enum.IntEnum("Colour", "RED").RED, 1),  # type: ignore[attr-defined]
    (map(str, [1, 2]), (str(x) for x in [1, 2])),
    (zip([1], [2]), iter([(1, 2)])),
    (reversed([1, 2]), iter([2, 1])),
    (itertools.chain([1], [2]), iter((1, 2))),
    (range(0), range(5, 5)),
    (range(1, 10, 5), range(1, 8, 5)),
    (range(3, 4), range(3, 40, 100)),
    ({"a": 1}.keys(), {"a": 2}.keys()),
    ({2: 1, 3: 4}.values(), {5: 4, 6: 1}.values()),
    (object(), object()),
    (lambda: 1, lambda: 2),
    (10**5000, int("1" + "0" * 4000) * 10**1000),
]

DIFFERENT: list[tuple[Any, ...]] = [
    (1, 1.0, True, "1", b"1", 1 + 0j, decimal.Decimal(1), fractions.Fraction(1)),
    (0, False, None, "", [], (), {}, set(), frozenset(), Ellipsis, NotImplemented),
    (math.inf, -math.inf, math.nan, 1e308),
    (1.0, 1.00000000001, 1.0000000001),
    ([1, 2], [2, 1], (1, 2), {1, 2}, frozenset({1, 2}), collections.deque([1, 2]), iter([1, 2])),
    ([[1], 2], [1, [2]], [[1, 2]], [1, 2, []]),
    (["ab", "c"], ["a", "bc"], ["abc"]),
    ({1: 2}, {2: 1}, [(1, 2)], {1: 2}.items()),
    (b"a", bytearray(b"a"), memoryview(b"a"), array.array("b", [97])),
    ("é", "e\u0301", "\ud800", "\udfff"),
    (int, float, type),
    (range(3), range(4), range(0, 6, 2), [0, 1, 2]),
    (slice(1), slice(0, 1), slice(None)),
    (datetime.date(2020, 1, 2), datetime.datetime(2020, 1, 2), datetime.date(2020, 2, 1)),
    (datetime.time(1), datetime.time(1, fold=1), datetime.time(1, tzinfo=datetime.timezone.utc)),
    (datetime.timedelta(1), datetime.timedelta(0, 1)),
    (decimal.Decimal("1.0"), decimal.Decimal("1.00"), decimal.Decimal("NaN")),
    (fractions.Fraction(1, 3), fractions.Fraction(2, 3)),
    (10**5000, 10**5000 + 1, -(10**5000)),
    ("x" * 1000, "x" * 999 + "y", ["x" * 1000]),
]


@pytest.mark.parametrize(("one", "other"), SAME, ids=range(len(SAME)))
def test_one_form(one: Any, other: Any) -> None:
    """Values that are the same behaviour have the same bytes."""
    assert canonical(one) == canonical(other)


@pytest.mark.parametrize("values", DIFFERENT, ids=range(len(DIFFERENT)))
def test_different_forms(values: tuple[Any, ...]) -> None:
    """Values of another type, order or content have other bytes, also inside a list."""
    assert len({canonical(value) for value in values}) == len(values)
    assert len({canonical([value]) for value in values}) == len(values)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, True),
        (1, 1.0),
        (1, 1 + 0j),
        (0, -0.0),
        (10**20, 1e20),
        ([1, (2.0,)], [1.0, (2,)]),
        ({1: "a"}, {1.0: "a"}),
        ({1, 2}, frozenset({1.0, 2.0})),
        (b"a", bytearray(b"a")),
    ],
)
def test_by_value_agrees_with_python_equality(one: Any, other: Any) -> None:
    """Where ``==`` says yes, the bytes by value are equal and the strict ones are not."""
    assert one == other
    assert canonical(one, by_value=True) == canonical(other, by_value=True)
    assert canonical(one) != canonical(other) or one == 0


@pytest.mark.parametrize(("one", "other"), [(1, 2), (1, 1.5), ("1", 1), ([1], (1,)), (1j, 1)])
def test_by_value_keeps_apart_what_python_does(one: Any, other: Any) -> None:
    """Where ``==`` says no, so do the bytes."""
    assert canonical(one, by_value=True) != canonical(other, by_value=True)


def test_the_bytes_are_pinned() -> None:
    """A change of the form shows here, and asks for another CANONICAL_FORM."""
    value: list[Any] = [
        None,
        True,
        1,
        1.5,
        "é",
        b"\x00",
        (1,),
        {"k": {2}},
        frozenset(),
        range(3),
        2j,
    ]
    assert canonical(value[:-1]) == (
        b"l10[NTi1;f3:1.5s2:\xc3\xa9b1:\x00t1[i1;d1[s1:kS1[i2;Z0[r3[i0;i1;i3;"
    )
    assert canonical([value, value]).hex() == (
        "236cb895824de35e6f8777a78ff4e5589da554f17c447e5afe115f5d12b10dd174"
    )
    assert canonical([1, "a"]) == b"l2[i1;s1:a"
    assert canonical({"b": 1, "a": (2.5, None)}) == b"d2[s1:at2[f3:2.5Ns1:bi1;"
    assert canon.CANONICAL_FORM == 2


def test_an_encoding_is_bounded() -> None:
    """However large or deep a value, its encoding is short."""
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    large: list[Any] = ["x" * 10**6, list(range(10**5)), deep, {i: str(i) for i in range(1000)}]
    for value in large:
        assert len(canonical(value)) <= forms.INLINE_BYTES
    while deep:  # or its end would recurse
        deep = deep.pop()


def test_sharing_costs_no_more_than_the_value() -> None:
    """A value with 2**200 paths through it is encoded like its unshared twin would be."""
    shared: Any = "leaf"
    for _ in range(200):
        shared = [shared, shared]
    assert canonical(shared) != canonical([shared])
    small = ["a"]
    assert canonical([small, small]) == canonical([["a"], ["a"]])


def test_cycles_end() -> None:
    """A value that holds itself is encoded by how far up the reference goes."""
    loop: list[Any] = [1]
    loop.append(loop)
    twin: list[Any] = [1]
    twin.append(twin)
    mutual_a: list[Any] = []
    mutual_b: list[Any] = [mutual_a]
    mutual_a.append(mutual_b)
    table: dict[str, Any] = {}
    table["self"] = table
    assert canonical(loop) == canonical(twin) == b"l2[i1;^1;"
    assert canonical(mutual_a) == b"l1[l1[^2;"
    assert canonical(table) == b"d1[s4:self^1;"
    assert len({canonical(value) for value in (loop, mutual_a, table, [loop])}) == 4


def test_a_reference_upwards_is_not_remembered_elsewhere() -> None:
    """What refers to an ancestor means something else in another place."""
    inner: list[Any] = []
    outer: list[Any] = [inner, 1]
    inner.append(outer)
    assert canonical([outer, inner]) != canonical([outer, outer[0][0]])
    assert canonical(inner) == b"l1[l2[^2;i1;"


def test_an_iterator_is_drained_in_order_and_its_error_is_how_it_ends() -> None:
    """What an iterator yields before it raises counts, and so does what it raises."""

    def items(*values: int, end: type[BaseException] = StopIteration) -> Any:
        yield from values
        if end is not StopIteration:
            raise end

    forms_seen = {
        canonical(items(1, 2)),
        canonical(items(2, 1)),
        canonical(items(1, 2, end=ValueError)),
        canonical(items(1, 2, end=KeyboardInterrupt)),
        canonical(items()),
    }
    assert len(forms_seen) == 5
    assert canonical(items(1, end=SystemExit)) == canonical(items(1, end=SystemExit))


def test_the_lists_of_an_iterator_do_not_share_a_memo() -> None:
    """Items that live at the same address one after the other are not taken for one another."""
    assert canonical([n] for n in range(1000)) == canonical(iter([[n] for n in range(1000)]))


def test_no_method_of_a_program_is_called() -> None:
    """Neither an object's nor its class's nor its metaclass's methods run."""
    of_types = ("__eq__", "__hash__", "__instancecheck__", "__subclasscheck__")
    hostile_meta = type("Meta", (abc.ABCMeta,), dict.fromkeys(of_types, refuse))
    kinds: list[tuple[Any, tuple[Any, ...]]] = [
        (object, ()),
        (int, (7,)),
        (float, (2.5,)),
        (complex, (1j,)),
        (str, ("text",)),
        (bytes, (b"raw",)),
        (bytearray, (b"raw",)),
        (list, ([1, 2],)),
        (tuple, ([1, 2],)),
        (set, ([1, 2],)),
        (frozenset, ([1, 2],)),
        (dict, ({"a": 1},)),
        (collections.OrderedDict, ({"a": 1},)),
        (collections.Counter, ("aab",)),
        (collections.deque, ([1, 2],)),
        (map, (str, [1, 2])),
        (array.array, ("b", [1, 2])),
        (fractions.Fraction, (1, 2)),
        (decimal.Decimal, ("1.5",)),
        (datetime.date, (2020, 1, 2)),
        (datetime.datetime, (2020, 1, 2)),
    ]
    names = {"__class__": property(refuse), "__module__": __name__}
    for base, value in kinds:
        plain = type("Own", (base,), {})(*value)
        hostile = hostile_meta("Own", (base,), names)(*value)
        for name in SPECIAL_METHODS:
            type.__setattr__(type(hostile), name, refuse)
        for by_value in (False, True):
            found, expected = canonical(hostile, by_value), canonical(plain, by_value)
            assert found == expected, base


def test_the_context_of_decimal_changes_no_form() -> None:
    """A program that turns the context's capitals off writes an exponent otherwise, and prints."""
    values = [decimal.Decimal(text) for text in ("1E+5", "-2.5E-30", "NaN", "sNaN", "Infinity")]
    expected = [canonical(value) for value in values]
    with decimal.localcontext() as context:
        context.capitals = 0
        assert str(values[0]) == "1e+5"
        assert [canonical(value) for value in values] == expected


def test_an_object_of_the_programs_own_is_its_type() -> None:
    """Instances are told apart by the name of their class, not by state or address."""
    one, other = type("One", (), {}), type("Other", (), {})
    assert canonical(one()) == canonical(one())
    assert canonical(one()) != canonical(other())
    assert canonical(one) != canonical(one())


@pytest.mark.parametrize(
    "make",
    [
        lambda: (n for n in [1, 2]),
        lambda: iter([1, 2]),
        lambda: iter((1, 2)),
        lambda: iter(range(1, 3)),
        lambda: iter({1: 0, 2: 0}),
        lambda: iter({0: 1, 9: 2}.values()),
        lambda: iter(b"\x01\x02"),
        lambda: iter(bytearray(b"\x01\x02")),
        lambda: iter(array.array("b", [1, 2])),
        lambda: iter(collections.deque([1, 2])),
        lambda: iter(collections.OrderedDict({1: 0, 2: 0})),
        lambda: iter(memoryview(b"\x01\x02")),
        lambda: iter(iter([1, 2, 99]).__next__, 99),
        lambda: map(int, "12"),
        lambda: filter(None, [0, 1, 2]),
        lambda: reversed([2, 1]),
        lambda: reversed({2: 0, 1: 0}),
        lambda: itertools.chain([1], [2]),
        lambda: itertools.islice(itertools.count(1), 2),
        lambda: itertools.takewhile(lambda n: n < 3, itertools.count(1)),
        lambda: itertools.accumulate([1, 1]),
        lambda: itertools.starmap(int, [("1",), ("2",)]),
        lambda: itertools.compress([1, 2], [1, 1]),
        lambda: itertools.tee([1, 2])[0],
    ],
)
def test_every_built_in_iterator_is_drained(make: Any) -> None:
    """All kinds of iterators over 1, 2 are one kind."""
    assert canonical(make()) == canonical(iter([1, 2]))


def test_every_kind_of_itertools_is_known() -> None:
    """A new iterator of a new Python is drained as well."""
    kinds = [kind for kind in vars(itertools).values() if hasattr(kind, "__next__")]
    assert {id(kind) for kind in kinds} <= set(forms.ITERATORS)
    assert id(types.GeneratorType) in forms.ITERATORS


def test_a_token_covers_the_result_and_the_arguments() -> None:
    """Two calls are the same only where both are, whichever way the arguments are read."""
    outcome_of = program.make_outcome(by_value=False)

    def called(function: Callable[[list[Any]], Any], first: Any) -> bytes:
        (given,) = with_snapshots([([first],)], by_value=False)
        quick, slow = outcome_of(function, given), outcome_of(function, Input(([first],), b"", b""))
        assert quick == slow
        return quick

    seen = {
        called(lambda xs: None, 1),
        called(lambda xs: None, 2),
        called(lambda xs: xs.pop(), 1),
        called(lambda xs: xs.append(3), 1),
        called(lambda xs: xs.__setitem__(0, 1.0), 1),
        called(lambda xs: xs.__setitem__(0, True), 1),
        called(lambda xs: xs[:], 1),
    }
    assert len(seen) == 7
    assert all(len(each) == 16 for each in seen)


def test_what_marshal_takes_for_something_else_has_no_snapshot() -> None:
    """It writes anything with a buffer as bytes, and refuses objects of other types."""
    given = with_snapshots(
        [(b"a",), (bytearray(b"a"),), ({1},), (object(),), (1, "a", None)], False
    )
    assert [bool(each.snapshot) for each in given] == [False, False, False, False, True]


def test_type_names_are_printable_and_short() -> None:
    """Whatever an exception's type is called, its token is one bounded word."""
    odd = type("A b\n\u00e9" + "x" * 200, (Exception,), {})
    assert type_name(ValueError()) == b"ValueError"
    assert type_name(odd()) == b"A_b_\\xe9" + b"x" * 72
    assert type_name(type("", (Exception,), {})()) == b"_"


@pytest.mark.parametrize("module", [canon, forms, program, texts])
def test_every_builtin_is_bound_by_the_module(module: types.ModuleType) -> None:
    """A program that replaces a builtin does not reach the code that reads its results."""

    def names(code: types.CodeType) -> set[str]:
        inner = [each for each in code.co_consts if isinstance(each, types.CodeType)]
        loads = {each.argval for each in dis.get_instructions(code) if each.opname == "LOAD_GLOBAL"}
        return loads.union(*map(names, inner))

    used: set[str] = set()
    for value in vars(module).values():
        functions = vars(value).values() if isinstance(value, type) else [value]
        for function in functions:
            if isinstance(function, types.FunctionType) and function.__module__ == module.__name__:
                used |= names(function.__code__)
    assert {name for name in used if hasattr(builtins, name) and name not in vars(module)} == set()
    assert len(used) > 10
