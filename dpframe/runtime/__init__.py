"""Running a plan: sources, exact folds, backends and the runtime guard."""
