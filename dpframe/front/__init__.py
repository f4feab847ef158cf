"""Ways in: programs, verbs, specs, estimators, the command line, the report."""
