"""Problem -> Executions: programs run apart from each other and from the host."""

from pytest_codecollapse.sandbox.child.canon import CANONICAL_FORM
from pytest_codecollapse.sandbox.engine import (
    Engine,
    LocalEngine,
    available_cores,
    require_supported_platform,
)

__all__ = [
    "CANONICAL_FORM",
    "Engine",
    "LocalEngine",
    "available_cores",
    "require_supported_platform",
]
