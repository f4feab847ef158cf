"""Theorems and declarations that one paper or one learner alone needs."""
