"""Problem -> Executions: programs run apart from each other and from the host."""

from pytest_codecollapse.sandbox.canonicalizers import checked_canonicalizers
from pytest_codecollapse.sandbox.child.canon import CANONICAL_FORM
from pytest_codecollapse.sandbox.engine import (
    Engine,
    LocalEngine,
    available_cores,
    require_supported_platform,
)
from pytest_codecollapse.sandbox.launch import Interpreter
from pytest_codecollapse.sandbox.opening import open_engine

__all__ = [
    "CANONICAL_FORM",
    "Engine",
    "Interpreter",
    "LocalEngine",
    "available_cores",
    "checked_canonicalizers",
    "open_engine",
    "require_supported_platform",
]
