"""What all populous estimates share: how agreement of blocks is counted."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from dpframe.kernel.operations import Exact


def agreement_of(near: np.ndarray[Any, Any]) -> Exact:
    """Q, the share of pairs of blocks that are near, in steps of 1/t²; of t rows of flags, or t counts of near blocks.

    Examples
    --------
    >>> agreement_of(np.array([2, 2, 0])).step
    Fraction(1, 9)
    """
    return Exact(np.array([int(near.sum())], dtype=np.int64), agreement_step(len(near)))


def agreement_step(blocks: int) -> Fraction:
    """1/t²."""
    return Fraction(1, max(blocks, 1) ** 2)
