"""The ``codecollapse`` script: thin commands over the library."""

from pytest_codecollapse.cli.main import main

__all__ = ["main"]
