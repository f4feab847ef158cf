"""Theorems and declarations that one paper or one learner alone needs."""

from dpframe.proof.families import (
    averaging,
    bins,
    block_candidates,
    masks,
    populous,
    registered,
    scores,
    selection,
    weighted,
)

__all__ = [
    "averaging",
    "bins",
    "block_candidates",
    "masks",
    "populous",
    "registered",
    "scores",
    "selection",
    "weighted",
]
