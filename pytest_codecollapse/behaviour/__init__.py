"""Executions -> Partition: who does the same, and who is written the same."""
