"""Private to released: one mechanism to a file, with its formula, reference and example."""
