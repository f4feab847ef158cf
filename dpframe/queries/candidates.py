"""``block_counts`` and ``block_sum``: blocks that have a candidate in released balls (KSSU19 §6, C12)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, ClassVar

import attrs
import numpy as np

from dpframe.errors import PlanError
from dpframe.exact import lattice
from dpframe.operations import PARAM, Batch, Exact, Query, Slot, Steps, lattice_step, same, wants
from dpframe.registry import register
from dpframe.spaces import (
    MOST_LISTED,
    Array,
    Ball,
    Blocks,
    Counts,
    Domain,
    ListOf,
    Vector,
    lattice_bits,
    positive_whole,
    up_to,
)
from dpframe.transforms.partition import inside


def candidates(blocks: Domain, what: str) -> tuple[int, int]:
    """(k, d) of blocks that hold k candidate points each."""
    item = wants(wants(blocks, Blocks, what).item, Array, what)
    if len(item.shape) != 2:
        raise PlanError(f"{what} takes blocks of (k, d) candidates, not {item}", fix="use item='points'")
    return item.shape[0], item.shape[1]


def points(results: list[Any], k: int, d: int) -> tuple[Any, Any]:
    """Candidates of all blocks (t, k, d) and which blocks are not ⊥."""
    out, live = np.zeros((len(results), k, d)), np.zeros(len(results), dtype=np.bool_)
    for i, result in enumerate(results):
        if isinstance(result, (tuple, list)) and len(result) == 1:
            value = np.asarray(result[0], dtype=np.float64)
            if value.shape == (k, d) and np.isfinite(value).all():
                out[i], live[i] = value, True
    return out, live


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

    def _check(self, blocks: Domain, ball: Domain) -> None:
        k, d = candidates(blocks, self.name)
        same(k, self.k, self.name)
        same(d, self.d, self.name)
        same(wants(ball, Ball, self.name).d, d, self.name)

    def _inside(self, all_points: Any, live: Any, ball: Any) -> Any:
        """Which candidates (t, k) of live blocks lie in the ball."""
        t = len(all_points)
        flat = np.ascontiguousarray(all_points.reshape(t * self.k, self.d))
        batch = Batch(0, flat, np.repeat(live, self.k))
        return (inside(batch, ball) & batch.live).reshape(t, self.k)


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

    theorem: ClassVar[str] = "block_candidates"
    slots: ClassVar[tuple[Slot, ...]] = (Slot("blocks"), Slot("balls", PARAM))
    size: int = attrs.field(kw_only=True, validator=up_to(MOST_LISTED))

    def output(self, *inputs: Domain) -> Domain:
        """One count a ball."""
        balls = wants(inputs[1], ListOf, "block_counts")
        self._check(inputs[0], balls.item)
        if balls.max_length > self.size:
            raise PlanError("more balls than counts", fix="raise size=")
        return Counts(self.size)

    def claims(self, *inputs: Domain) -> dict[str, Any]:
        """Number of sets."""
        return {**self.parameters(), "sets": self.size}

    def step(self, steps: Steps, *inputs: Domain) -> Fraction | None:
        """Whole numbers."""
        return Fraction(1)

    def evaluate(self, *values: Any) -> Exact:
        """Count ball by ball."""
        blocks, balls = values
        all_points, live = points(blocks.integers, self.k, self.d)
        counts = np.zeros(self.size, dtype=np.int64)
        for i, ball in enumerate(balls[: self.size]):
            counts[i] = np.count_nonzero(self._inside(all_points, live, ball).any(axis=1))
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

    theorem: ClassVar[str] = "block_weights"
    finish: ClassVar[str | None] = "mean_of_ball"
    slots: ClassVar[tuple[Slot, ...]] = (Slot("blocks"), Slot("ball", PARAM))
    bits: int = attrs.field(default=20, kw_only=True, validator=lattice_bits)

    def output(self, *inputs: Domain) -> Domain:
        """A vector of d + 1 numbers."""
        self._check(inputs[0], inputs[1])
        if wants(inputs[0], Blocks, "block_sum").t << self.bits > 2**52:
            raise PlanError("block_sum has no room for so many blocks on this lattice", fix="use fewer bits")
        return Vector(self.d + 1)

    def step(self, steps: Steps, *inputs: Domain) -> Fraction | None:
        """That of the unit ball."""
        return lattice_step(self.bits)

    def evaluate(self, *values: Any) -> Exact:
        """Clip the chosen candidates and add them up: whole numbers below 2^53, exact in any order."""
        blocks, ball = values
        all_points, live = points(blocks.integers, self.k, self.d)
        held = self._inside(all_points, live, ball)
        has = held.any(axis=1)
        chosen = all_points[np.arange(len(held)), np.argmax(held, axis=1)]
        clipped = lattice.to_ball(chosen, has, ball.centre, ball.radius, self.bits)
        total = np.append(clipped.sum(axis=0), float(np.count_nonzero(has)) * 2.0**self.bits)
        return Exact(total.astype(np.int64), lattice_step(self.bits))
