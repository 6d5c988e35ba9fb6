"""How the arrays and scalars of numpy are read, where a problem server has loaded it.

Theory of operation
-------------------
numpy's types are added to the tables of ``forms`` once, before any program is loaded; like there,
what reads them is bound at that time, and no method of a program's own runs. Elements become
Python's own numbers, so floats have 12 significant digits in an array as elsewhere.

An array is its element type, shape and elements, and equals no list. A scalar is its element type
and value, except for those that extend a built-in type (``float64``, ``complex128``, ``str_``,
``bytes_``), which are that. By value, a number is a number, and the element type says nothing.
What extends an array, such as a matrix, is read as the array that it is.
"""

from types import ModuleType
from typing import Any, Callable, Dict, Iterator, Optional, Tuple

from . import forms

_Children = Callable[[Any], Iterator[Any]]
_ARRAY, _SCALAR = b"A", b"n"


def read_numpy(numpy: Optional[ModuleType]) -> None:
    """Add the types of numpy, where it is loaded."""
    if numpy is None:
        return
    try:
        forms.SCALARS.update(_built_in(numpy))
        forms.SCALARS_BY_VALUE.update(_numbers(numpy))
        for by_value, table in enumerate((forms.CONTAINERS, forms.CONTAINERS_BY_VALUE)):
            array, scalar = _readers(numpy, bool(by_value))
            table[id(numpy.ndarray)] = (_ARRAY, forms.IN_ORDER, array)
            for kind in (numpy.generic, numpy.timedelta64):  # the latter calls itself an integer
                table[id(kind)] = (_SCALAR, forms.IN_ORDER, scalar)
    except (AttributeError, KeyError):  # another module of that name
        return


def _built_in(numpy: ModuleType) -> Dict[int, Callable[[Any], bytes]]:
    return {
        id(numpy.float64): forms.SCALARS[id(float)],
        id(numpy.complex128): forms.SCALARS[id(complex)],
    }


def _numbers(numpy: ModuleType) -> Dict[int, Callable[[Any], bytes]]:
    """Read a number of any type as the Python number that it equals."""
    encoders, plain = dict(forms.SCALARS_BY_VALUE), _make_plain(numpy)

    def encode(value: Any) -> bytes:
        number = plain(value)
        return encoders[id(type(number))](number)

    kinds = (numpy.bool_, numpy.integer, numpy.floating, numpy.complexfloating)
    return {id(kind): encode for kind in kinds}


def _readers(numpy: ModuleType, by_value: bool) -> Tuple[_Children, _Children]:
    """Make what lists the children of an array, and those of a scalar."""
    array, scalar = vars(numpy.ndarray), vars(numpy.generic)
    shape_of, elements_of = array["shape"].__get__, array["tolist"]
    array_type, scalar_type = array["dtype"].__get__, scalar["dtype"].__get__
    name_of, plain = vars(numpy.dtype)["str"].__get__, _make_plain(numpy)

    def of_array(value: Any) -> Iterator[Any]:
        kind = () if by_value else (name_of(array_type(value)),)
        return iter([*kind, shape_of(value), elements_of(value)])

    def of_scalar(value: Any) -> Iterator[Any]:
        kind = () if by_value else (name_of(scalar_type(value)),)
        return iter([*kind, plain(value)])

    return of_array, of_scalar


def _make_plain(numpy: ModuleType) -> Callable[[Any], Any]:
    """Make the function that turns a scalar into an object of Python's own."""
    methods = vars(numpy.generic)
    item, convert, raw = methods["item"], methods["astype"], methods["tobytes"]
    float64, complex128 = numpy.float64, numpy.complex128
    long_float, long_complex = numpy.longdouble, numpy.clongdouble

    def plain(value: Any) -> Any:
        found = item(value)
        if type(found) is long_float:  # Python has no such number
            return float.__float__(convert(found, float64))
        if type(found) is long_complex:
            return complex.__add__(convert(found, complex128), 0j)
        return raw(value) if type(found) is type(value) else found

    return plain
