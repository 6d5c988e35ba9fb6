"""Problem -> Executions: programs run apart from each other and from the host."""
