"""Theorems and declarations that one paper or one learner alone needs."""

from dpframe.proof.families import averaging, block_candidates, masks, populous, registered, selection, weighted

__all__ = ["averaging", "block_candidates", "masks", "populous", "registered", "selection", "weighted"]
