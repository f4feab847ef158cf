"""Exact arithmetic on rows."""

from dpframe.execution import folds, lattice

__all__ = ["folds", "lattice"]
