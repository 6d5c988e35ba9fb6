"""The ``codecollapse`` script, also as ``python -m pytest_codecollapse``.

Nothing is imported before an interrupt is looked out for: importing takes long enough to be met by
one.
"""

import sys


def main() -> int:
    """Run the script; return its exit status."""
    try:
        from pytest_codecollapse.cli import main as run

        return run()
    except KeyboardInterrupt:
        print("codecollapse: interrupted", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
