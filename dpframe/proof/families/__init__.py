"""Theorems and declarations that one paper or one learner alone needs."""

from dpframe.proof.families import block_candidates, masks, populous, selection

__all__ = ["block_candidates", "masks", "populous", "selection"]
