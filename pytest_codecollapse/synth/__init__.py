"""Planted corpora whose classes are known."""
