"""``block_counts`` and ``block_sum``: blocks that have a candidate in released balls (KSSU19 §6, C12)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import attrs
import numpy as np

from dpframe.kernel.exact import lattice
from dpframe.kernel.operations import Batch, Exact, Query, Steps, lattice_step
from dpframe.kernel.registry import register
from dpframe.kernel.transforms.partition import inside
from dpframe.proof.spaces import (
    MOST_LISTED,
    Domain,
    lattice_bits,
    positive_whole,
    up_to,
)


def points(results: list[Any], k: int, d: int) -> tuple[Any, Any]:
    """Candidates of all blocks (t, k, d) and which blocks are not ⊥."""
    out, valid = np.zeros((len(results), k, d)), np.zeros(len(results), dtype=np.bool_)
    for i, result in enumerate(results):
        if isinstance(result, (tuple, list)) and len(result) == 1:
            value = np.asarray(result[0], dtype=np.float64)
            if value.shape == (k, d) and np.isfinite(value).all():
                out[i], valid[i] = value, True
    return out, valid


@attrs.frozen
class _OfCandidates(Query):
    """What both share.

    Parameters
    ----------
    k, d : int
        Candidates a block, and their dimension.
    """

    k: int = attrs.field(kw_only=True, validator=positive_whole)
    d: int = attrs.field(kw_only=True, validator=positive_whole)

    def _inside(self, all_points: Any, valid: Any, ball: Any) -> Any:
        """Which candidates (t, k) of live blocks lie in the ball."""
        t = len(all_points)
        flat = np.ascontiguousarray(all_points.reshape(t * self.k, self.d))
        batch = Batch(0, flat, np.repeat(valid, self.k))
        return (inside(batch, ball) & batch.valid).reshape(t, self.k)


@register("block_counts")
@attrs.frozen
class BlockCounts(_OfCandidates):
    """Number of *blocks* that have a candidate in each released ball; balls beyond the list count 0.

    Parameters
    ----------
    size : int
        Static bound on the number of balls.

    Formal guarantees
    -----------------
    Sensitivity: 1 a changed block and ball in ℓ∞ (``block_candidates``). One row changes all k candidates of its
    block, so counting candidates would have sensitivity k.
    """

    size: int = attrs.field(kw_only=True, validator=up_to(MOST_LISTED))

    def step(self, steps: Steps, *inputs: Domain) -> Fraction | None:
        """Whole numbers."""
        return Fraction(1)

    def evaluate(self, *values: Any) -> Exact:
        """Count ball by ball."""
        blocks, balls = values
        all_points, valid = points(blocks.integers, self.k, self.d)
        counts = np.zeros(self.size, dtype=np.int64)
        for i, ball in enumerate(balls[: self.size]):
            counts[i] = np.count_nonzero(self._inside(all_points, valid, ball).any(axis=1))
        return Exact(counts)


@register("block_sum")
@attrs.frozen
class BlockSum(_OfCandidates):
    """Σ (y, 1) over blocks that have a candidate in a released ball: y is the first such one, in the ball's frame.

    At most one candidate a block counts. Released, it becomes a mean in the units of the table by ``mean_of_ball``.

    Parameters
    ----------
    bits : int
        Lattice of the unit ball.

    Formal guarantees
    -----------------
    Sensitivity: 2 in ℓ₂ a changed block (``block_weights``); ‖y‖ <= 1 holds in integers.
    """

    bits: int = attrs.field(default=20, kw_only=True, validator=lattice_bits)

    def step(self, steps: Steps, *inputs: Domain) -> Fraction | None:
        """That of the unit ball."""
        return lattice_step(self.bits)

    def evaluate(self, *values: Any) -> Exact:
        """Clip the chosen candidates and add them up: whole numbers below 2^53, exact in any order."""
        blocks, ball = values
        all_points, valid = points(blocks.integers, self.k, self.d)
        held = self._inside(all_points, valid, ball)
        has = held.any(axis=1)
        chosen = all_points[np.arange(len(held)), np.argmax(held, axis=1)]
        clipped = lattice.to_ball(chosen, has, ball.centre, ball.radius, self.bits)
        total = np.append(clipped.sum(axis=0), float(np.count_nonzero(has)) * 2.0**self.bits)
        return Exact(total.astype(np.int64), lattice_step(self.bits))
