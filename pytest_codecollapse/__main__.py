"""``python -m pytest_codecollapse`` is the ``codecollapse`` script."""

import sys

from pytest_codecollapse.cli import main

if __name__ == "__main__":
    sys.exit(main())
