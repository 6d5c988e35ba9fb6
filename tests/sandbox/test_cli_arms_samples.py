"""``codecollapse compare --arms`` on samples files, end to end."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_runs import run_main

OPTIONS = ("--inputs", "6", "--k", "1,2", "--resamples", "100")


def test_samples_and_saved_reports_are_arms_alike(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """More rewrites of the reference fix; the control as a report gives the same bytes."""
    monkeypatch.chdir(tmp_path)
    for name, share in (("retry", "0.2"), ("feedback", "0.8"), ("again", "0.2")):
        corpus = ("-o", f"{name}.jsonl", "--candidates", "5", "--collapse", share)
        assert run_main(capsys, "synth", *corpus).status == 0
    arms = ("--arms", "retry.jsonl", "feedback.jsonl", "again.jsonl")
    ran = run_main(capsys, "compare", *arms, *OPTIONS, "--json", "a.json")
    assert ran.status == 1
    assert ran.out.splitlines()[2:4] == [
        "feedback      0.2  0.8    0.6      [0.6, 0.6]        fixes         4",
        "again         0.2  0.2      0          [0, 0]  no evidence         4",
    ]
    assert "\nPASS feedback: pass@1 must rise: 0.2 -> 0.8, delta 0.6 [0.6, 0.6]" in ran.out
    assert "\nFAIL again: pass@1 must rise: 0.2 -> 0.2, delta 0 [0, 0] does not" in ran.out
    measured = run_main(capsys, "measure", "retry.jsonl", "--inputs", "6", "--json", "retry.json")
    assert measured.status == 0
    arms = ("--arms", "retry.json", "feedback.jsonl", "again.jsonl")
    again = run_main(capsys, "compare", *arms, *OPTIONS, "--json", "b.json")
    assert again.out == ran.out
    assert Path("a.json").read_bytes() == Path("b.json").read_bytes()
