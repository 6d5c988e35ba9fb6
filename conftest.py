"""Fixtures and hypothesis profiles for this repository's own tests."""

from __future__ import annotations

import os

from hypothesis import settings

pytest_plugins = ["pytester"]

settings.register_profile("default", deadline=None, print_blob=True)
settings.register_profile("ci", parent=settings.get_profile("default"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")
