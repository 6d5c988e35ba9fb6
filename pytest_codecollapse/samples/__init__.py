"""File -> Problem: one module per format; every fault names path:line and problem id."""
