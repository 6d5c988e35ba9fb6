"""Reports -> Verdicts: the rule grammar, staleness, paired deltas, judging."""
