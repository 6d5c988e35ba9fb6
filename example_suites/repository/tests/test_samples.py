"""Ordinary tests, which run beside the samples and their gates."""

from __future__ import annotations

import json
from pathlib import Path

SAMPLES = Path(__file__).parent.parent / "samples"


def test_both_checkpoints_answered_the_same_prompts() -> None:
    """A problem that one of them lacks would make the baseline stale."""
    before, after = (
        [json.loads(line)["problem_id"] for line in path.read_text(encoding="utf-8").splitlines()]
        for path in (SAMPLES / "before.jsonl", SAMPLES / "after.jsonl")
    )
    assert before == after
