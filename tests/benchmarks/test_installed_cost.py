from __future__ import annotations

import os
from pathlib import Path

import pytest
from installed_cost import Cost, Turn, run_pytest, table


def test_the_figures_are_medians_of_pairs() -> None:
    """The difference and the ratio are taken within a turn, so that a slow turn does not count."""
    turns = [
        Turn(with_plugin=Cost(0.110, 0.105), without=Cost(0.100, 0.100)),
        Turn(with_plugin=Cost(0.930, 0.204), without=Cost(0.900, 0.200)),
        Turn(with_plugin=Cost(0.104, 0.103), without=Cost(0.102, 0.102)),
    ]
    assert table(turns).splitlines() == [
        "       without      with      more   ratio",
        "wall  102.0 ms  110.0 ms   10.0 ms   1.033",
        "CPU   102.0 ms  105.0 ms    4.0 ms   1.020",
    ]


def test_another_end_of_pytest_is_no_figure(tmp_path: Path) -> None:
    """A pytest that refuses its options is not measured."""
    with pytest.raises(RuntimeError, match="pytest ended with 4: ERROR: usage"):
        run_pytest(str(tmp_path), dict(os.environ), "--no-such-option")
