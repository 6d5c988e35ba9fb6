"""Programs that may import what is installed: a package made here, and numpy where it is."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sandbox_problems import make_problem

from pytest_codecollapse.errors import UsageError
from pytest_codecollapse.model import Execution, Settings
from pytest_codecollapse.sandbox import Interpreter, LocalEngine
from pytest_codecollapse.sandbox.interpreter import find_interpreter

RUNGS = ("process", "confined", "namespaces")

PACKAGE = {
    "tiny/__init__.py": """
import os
PID = os.getpid()
THREADS = {name: value for name, value in os.environ.items() if name.endswith("_NUM_THREADS")}
""",
    "tiny/part.py": "from . import PID\ndef twice(x): return 2 * x\n",
    "tiny/data.txt": "installed",
    "heapq.py": "raise SystemExit('it stands in the place of the standard library')\n",
    "broken.py": "raise ValueError\n",
}

LIBRARIES = ("MKL", "NUMEXPR", "OMP", "OPENBLAS")


@pytest.fixture(scope="module")
def site_packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a folder with installed modules."""
    folder = tmp_path_factory.mktemp("site-packages")
    for name, text in PACKAGE.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    return folder.resolve()


def engine_at(rung: str, interpreter: Interpreter) -> LocalEngine:
    """Open an engine at a rung, or skip where it is not to be had."""
    engine = LocalEngine(1, rung, interpreter)
    try:
        _ = engine.environment
    except UsageError as error:
        engine.close()
        pytest.skip(str(error))
    return engine


@pytest.fixture(scope="module", params=RUNGS)
def tiny(request: pytest.FixtureRequest, site_packages: Path) -> Iterator[LocalEngine]:
    """Give an engine whose programs may import the package made here, at each rung."""
    with engine_at(request.param, Interpreter(sys.executable, (str(site_packages),))) as engine:
        yield engine


def numpy_at(rung: str) -> LocalEngine:
    """Open an engine whose programs may import numpy, or skip."""
    if importlib.util.find_spec("numpy") is None:
        pytest.skip("numpy is not installed beside this interpreter")
    return engine_at(rung, find_interpreter(None, True, rung))


@pytest.fixture(scope="module", params=RUNGS)
def numpy(request: pytest.FixtureRequest) -> Iterator[LocalEngine]:
    """Give an engine whose programs may import numpy, at each rung."""
    with numpy_at(request.param) as engine:
        yield engine


@pytest.fixture(scope="module")
def arrays() -> Iterator[LocalEngine]:
    """Give an engine whose programs may import numpy, at the best rung."""
    with numpy_at("auto") as engine:
        yield engine


def run(engine: LocalEngine, reference: str, *bodies: str, **fields: str) -> list[Execution]:
    """Run the reference and functions with these bodies on one input, the number 3."""
    sources = [body if "def f" in body else f"def f(x): {body}" for body in (reference, *bodies)]
    problem = make_problem(*sources[1:], reference=sources[0], inputs=([3],), **fields)
    done = engine.submit(problem, Settings(site_packages=True), lambda count: None).result()
    return [done.reference, *done.candidates]


def the_same(engine: LocalEngine, *bodies: str, **fields: str) -> bool:
    """Whether functions with these bodies return the same, and nothing goes wrong."""
    tokens = {each.tokens for each in run(engine, *bodies, **fields)}
    return len(tokens) == 1 and all(is_value(token) for (token,) in tokens)


def is_value(token: str) -> bool:
    """Whether a token is of a call that returned."""
    return re.fullmatch("[0-9a-f]{16}", token) is not None


def test_an_installed_package_can_be_imported(tiny: LocalEngine) -> None:
    """Its modules, and the files in it, can be read; the standard library comes first."""
    assert the_same(
        tiny,
        "return 6, 'installed', [1]",
        """
import os, tiny.part
import heapq
def f(x):
    heap = []
    heapq.heappush(heap, 1)
    data = os.path.join(os.path.dirname(tiny.__file__), 'data.txt')
    return tiny.part.twice(x), open(data).read(), heap
""",
    )


def test_it_is_loaded_before_the_program(tiny: LocalEngine) -> None:
    """It was imported in another process, the server, by each of the ways to import it."""
    for line in ("import tiny", "from tiny import part", "import math, tiny.part"):
        found = f"{line}\nimport os, sys\ndef f(x): return sys.modules['tiny'].PID != os.getpid()"
        assert the_same(tiny, "return True", found), line


def test_its_threads_are_at_one_and_the_program_sees_no_variable(tiny: LocalEngine) -> None:
    """Libraries are told how many threads to start when they are loaded, not later."""
    told = {f"{name}_NUM_THREADS": "1" for name in LIBRARIES}
    seen = "import os, tiny\ndef f(x): return tiny.THREADS, dict(os.environ)"
    assert the_same(tiny, f"return {told}, {{}}", seen)


def test_what_breaks_on_import_breaks_the_program_that_imports_it(tiny: LocalEngine) -> None:
    """The server goes on, and the others run."""
    _, broken, missing, well = run(
        tiny,
        "return 1",
        "import broken\ndef f(x): return 1",
        "import no_such_module\ndef f(x): return 1",
        "return 1",
    )
    assert broken.tokens == ("load:ValueError",)
    assert missing.tokens == ("load:ModuleNotFoundError",)
    assert is_value(well.tokens[0])


def test_input_gen_may_import_it(tiny: LocalEngine) -> None:
    """The inputs are made under the same conditions as the programs run."""
    problem = make_problem(
        "def f(x): return x",
        input_gen="import tiny.part\ndef generate(rng, m): return [(tiny.part.twice(2),)] * m",
        reference="def f(x): return 4",
    )
    done = tiny.submit(problem, Settings(inputs=2), lambda count: None).result()
    assert done.candidates[0].tokens == done.reference.tokens


def test_without_site_packages_nothing_is_installed(site_packages: Path) -> None:
    """A folder that nobody named is not to be imported from."""
    with LocalEngine(1, "process", Interpreter(sys.executable)) as engine:
        _, found = run(engine, "return 1", "import tiny\ndef f(x): return 1")
    assert found.tokens == ("load:ModuleNotFoundError",)


ARRAYS = "import numpy as np\ndef f(x): return "


@pytest.mark.parametrize(
    ("one", "other", "strict", "by_value"),
    [
        ("np.array([x, 1])", "np.array([x, 1])", True, True),
        ("np.array([x, 1])", "np.array([x, 2])", False, False),
        ("np.array([x, 1])", "[x, 1]", False, False),
        ("np.array([[x, 1]])", "np.array([x, 1])", False, False),
        ("np.zeros((0, 2))", "np.zeros((0, 3))", False, False),
        ("np.array([x, 1])", "np.array([x, 1.0])", False, True),
        ("np.array([0.1 + 0.2])", "np.array([0.3])", True, True),
        ("np.array([0.0, np.nan])", "np.array([-0.0, -np.nan])", True, True),
        ("np.arange(6).reshape(2, 3)", "np.arange(6).reshape(3, 2).T", False, False),
        ("np.arange(6).reshape(2, 3)", "np.arange(6).reshape(3, 2, order='F').T", True, True),
        ("np.arange(10)[::2]", "np.array([0, 2, 4, 6, 8])", True, True),
        ("np.array(['a', 'b'])", "np.array(['a', 'c'])", False, False),
        ("np.array([{x: 1}], dtype=object)", "np.array([{x: 2}], dtype=object)", False, False),
        ("np.array([x], dtype=np.longdouble)", "np.array([4], dtype=np.longdouble)", False, False),
        ("np.int64(x)", "np.int64(x)", True, True),
        ("np.int64(x)", "np.int64(4)", False, False),
        ("np.int64(x)", "x", False, True),
        ("np.int64(x)", "np.int32(x)", False, True),
        ("np.bool_(x == 3)", "True", False, True),
        ("np.float64(x)", "3.0", True, True),
        ("np.float64(x)", "3", False, True),
        ("np.float32(x)", "3.0", False, True),
        ("np.float32(0.1)", "0.1", False, False),
        ("np.longdouble(x)", "3.0", False, True),
        ("np.complex128(x)", "3 + 0j", True, True),
        ("np.complex64(x)", "3", False, True),
        ("np.clongdouble(x)", "3", False, True),
        ("np.str_('a')", "'a'", True, True),
        ("np.timedelta64(x, 'Y')", "np.timedelta64(4, 'Y')", False, False),
        ("np.timedelta64(x, 'Y')", "3", False, False),
        ("np.datetime64('2020-01-01')", "np.datetime64('2020-01-02')", False, False),
        ("np.void(b'ab')", "np.void(b'ac')", False, False),
        ("[np.int64(x)]", "[x]", False, True),
        ("{np.int64(x): np.array([x])}", "{x: np.array([x])}", False, True),
    ],
)
def test_arrays_and_scalars_are_what_they_hold(
    arrays: LocalEngine, one: str, other: str, strict: bool, by_value: bool
) -> None:
    """Type, shape and elements count; by value, the type of the elements does not."""
    for equality, same in (("strict", strict), ("python", by_value)):
        reference, found = run(arrays, ARRAYS + one, ARRAYS + other, equality=equality)
        assert not reference.nondeterministic
        assert is_value(reference.tokens[0])
        assert is_value(found.tokens[0])
        assert (reference.tokens == found.tokens) == same, equality


def test_a_changed_array_is_behaviour(arrays: LocalEngine) -> None:
    """Sorting an argument in place and returning None differs from leaving it alone."""
    problem = make_problem(
        "import numpy as np\ndef f(a): np.ndarray.sort(a)",
        "def f(a): pass",
        input_gen="import numpy as np\n"
        "def generate(rng, m): return [(np.array([rng.random() for _ in range(9)]),)] * m",
        reference="def f(a): a.sort()",
    )
    done = arrays.submit(problem, Settings(inputs=2), lambda count: None).result()
    assert done.candidates[0].tokens == done.reference.tokens
    assert done.candidates[1].tokens != done.reference.tokens


def test_arrays_and_scalars_are_shown_as_text(arrays: LocalEngine) -> None:
    """By their type's name and what they hold, as arguments and as results."""
    problem = make_problem(
        "import numpy as np\ndef f(a): return a * 2, np.float64(0.5)",
        input_gen="import numpy as np\ndef generate(rng, m): return [(np.array([1, 2]),)] * m",
        reference="import numpy as np\ndef f(a): return np.int32(a[0])",
    )
    shown = arrays.submit(problem, Settings(inputs=1), lambda count: None).result().shown
    assert shown is not None
    assert shown.arguments == ("ndarray('<i8', (2,), [1, 2])",)
    assert shown.expected == ("int32('<i4', 1)",)
    assert shown.outputs == {0: "(ndarray('<i8', (2,), [2, 4]), float64('<f8', 0.5))"}


def test_a_subclass_that_lies_is_an_array(arrays: LocalEngine) -> None:
    """None of its methods is called."""
    liar = """
import numpy as np
class Liar(np.ndarray):
    def refuse(self, *arguments): raise SystemExit
    tolist = __array__ = __buffer__ = __iter__ = __len__ = __repr__ = __reduce__ = refuse
    shape = dtype = property(refuse)
def f(x):
    return np.array([x, 1]).view(Liar)
"""
    assert the_same(arrays, f"{ARRAYS}np.array([x, 1])", liar)


@pytest.mark.skipif(sys.platform != "linux", reason="threads are counted in /proc")
def test_numpy_starts_no_thread(numpy: LocalEngine) -> None:
    """Multiplying matrices is done by the program's one thread, within the limit of memory."""
    threads = """
import numpy as np, os, resource
def f(x):
    a = np.ones((200, 200))
    product = a @ a
    with open('/proc/self/stat') as file:
        return int(product.sum()), int(file.read().rpartition(')')[2].split()[17])
"""
    if numpy.environment.isolation != "process":
        pytest.skip("programs cannot read /proc at this rung")
    assert the_same(numpy, "return 8000000, 1", threads)


def test_numpy_works_within_the_limit_of_memory(numpy: LocalEngine) -> None:
    """The budget is beyond what the library itself takes; more is MemoryError."""
    _, fits, exceeds = run(
        numpy,
        "return 1",
        f"{ARRAYS}np.empty(400 << 17).nbytes",
        f"{ARRAYS}np.empty(600 << 17).nbytes",
    )
    assert is_value(fits.tokens[0])
    assert exceeds.tokens == ("exc:MemoryError",)
