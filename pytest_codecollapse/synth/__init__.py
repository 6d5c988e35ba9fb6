"""Planted corpora whose classes are known."""

from __future__ import annotations

from pytest_codecollapse.synth.corpus import REFERENCE_LABEL, SamplesLine, make_corpus, render

__all__ = ["REFERENCE_LABEL", "SamplesLine", "make_corpus", "render"]
