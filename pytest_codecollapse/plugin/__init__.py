"""The pytest plugin: inert until it is given samples or meets a marker.

pytest imports this at every start, so the stages are imported only where the plugin is used: see
``active``, which is registered when samples are named, and ``markers``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_codecollapse.plugin import hooks
from pytest_codecollapse.plugin.options import add_options, read_config

if TYPE_CHECKING:
    from pytest_codecollapse.plugin.facade import Codecollapse

MARKER = (
    "diversity_floor(rule, ..., samples=PATH, problem=ID): fail the test where the samples, or "
    "one problem of them, do not keep the rules, such as 'E[D_5] >= 2'"
)


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    """Declare the hooks of this plugin."""
    pluginmanager.add_hookspecs(hooks)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options and the ini keys."""
    add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker; take part in the session where samples are named."""
    config.addinivalue_line("markers", MARKER)
    given = read_config(config)
    if given.samples:
        from pytest_codecollapse.plugin.active import activate

        activate(config, given)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Read the markers of what is left after every selection."""
    marked = [item for item in items if item.get_closest_marker("diversity_floor") is not None]
    if marked:
        from pytest_codecollapse.plugin.markers import bind_floors

        bind_floors(config, marked)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: object) -> None:
    """End a distributed session as the worker says that collected a wrong marker."""
    from pytest_codecollapse.plugin.distributed import raise_usage_error_of

    raise_usage_error_of(node)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> None:
    """Check the floors of a marked test before its body runs."""
    if item.get_closest_marker("diversity_floor") is not None:
        from pytest_codecollapse.plugin.markers import check_floors

        check_floors(item)


@pytest.fixture(scope="session")
def codecollapse(pytestconfig: pytest.Config) -> Codecollapse:
    """Measure samples once a session: ``codecollapse.measure(path)``, ``.problem(id)``."""
    from pytest_codecollapse.plugin.facade import Codecollapse
    from pytest_codecollapse.plugin.faults import PlainFaults

    if not pytestconfig.pluginmanager.hasplugin("codecollapse-faults"):  # made again by a rerun
        pytestconfig.pluginmanager.register(PlainFaults(), "codecollapse-faults")
    return Codecollapse(pytestconfig)
