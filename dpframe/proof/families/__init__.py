"""Theorems and declarations that one paper or one learner alone needs."""

from dpframe.proof.families import masks, populous, selection

__all__ = ["masks", "populous", "selection"]
