"""The tests: a package, or one of this name elsewhere in the environment would be taken for it."""
