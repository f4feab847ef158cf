"""What is asked of the candidates of blocks: those in released balls, and occupied cells (KSSU19 §6, C12)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import attrs
import numpy as np

from dpframe.errors import DomainError
from dpframe.kernel.exact import lattice
from dpframe.kernel.operations import Batch, Exact, Query, Steps, lattice_step
from dpframe.kernel.registry import register
from dpframe.kernel.statistics.cells import cell_of
from dpframe.kernel.transforms.partition import inside
from dpframe.proof.spaces import MOST_LISTED, Domain, lattice_bits, positive_whole, up_to, whole


def points(results: list[Any], shape: tuple[int, ...]) -> tuple[Any, Any]:
    """Candidates of all blocks (t, k, columns) and which blocks are not ⊥."""
    out, valid = np.zeros((len(results), *shape)), np.zeros(len(results), dtype=np.bool_)
    for i, result in enumerate(results):
        if isinstance(result, (tuple, list)) and len(result) == 1:
            value = np.asarray(result[0], dtype=np.float64)
            if value.shape == shape and np.isfinite(value).all():
                out[i], valid[i] = value, True
    return out, valid


@attrs.frozen
class _OfCandidates(Query):
    """Parameters of all queries of candidates.

    Parameters
    ----------
    k, d : int
        Candidates a block, and how many of their columns say where they are.
    payload : int
        Columns that follow them.
    """

    k: int = attrs.field(kw_only=True, validator=positive_whole)
    d: int = attrs.field(kw_only=True, validator=positive_whole)
    payload: int = attrs.field(default=0, kw_only=True, validator=whole)

    def _points(self, blocks: Exact) -> tuple[Any, Any]:
        """Candidates (t, k, d + payload), and which blocks have any."""
        return points(blocks.integers, (self.k, self.d + self.payload))

    def _inside(self, all_points: Any, valid: Any, ball: Any) -> Any:
        """Which candidates (t, k) of valid blocks lie in the ball."""
        t = len(all_points)
        flat = np.ascontiguousarray(all_points[:, :, : self.d].reshape(t * self.k, self.d))
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

    Examples
    --------
    >>> from dpframe.proof.spaces import BallValue
    >>> blocks = Exact([(np.array([[0.0], [0.5]]),), (np.array([[0.1], [80.0]]),), None])
    >>> BlockCounts(k=2, d=1, size=1).evaluate(blocks, [BallValue(np.zeros(1), 1.0)]).integers.tolist()  # blocks
    [2]
    """

    size: int = attrs.field(kw_only=True, validator=up_to(MOST_LISTED))

    def step(self, steps: Steps, *inputs: Domain) -> Fraction | None:
        """Whole numbers."""
        return Fraction(1)

    def evaluate(self, *values: Any) -> Exact:
        """Count ball by ball."""
        blocks, balls = values
        all_points, valid = self._points(blocks)
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

    Examples
    --------
    >>> from dpframe.proof.spaces import BallValue
    >>> blocks = Exact([(np.array([[0.5], [0.75]]),), (np.array([[80.0], [0.25]]),), None])
    >>> BlockSum(k=2, d=1).evaluate(blocks, BallValue(np.zeros(1), 1.0)).floats.round(3).tolist()  # one a block
    [0.75, 2.0]
    """

    bits: int = attrs.field(default=20, kw_only=True, validator=lattice_bits)

    def step(self, steps: Steps, *inputs: Domain) -> Fraction | None:
        """Step of the lattice of the unit ball."""
        return lattice_step(self.bits)

    def evaluate(self, *values: Any) -> Exact:
        """Clip the chosen candidates and add them up: whole numbers below 2^53, exact in any order."""
        return self._total(*values)

    def _total(self, blocks: Exact, *balls: Any) -> Exact:
        """Columns in as many groups as there are balls: those of the place, then the payload."""
        all_points, valid = self._points(blocks)
        held = self._inside(all_points, valid, balls[0])
        has = held.any(axis=1)
        chosen = all_points[np.arange(len(held)), np.argmax(held, axis=1)]
        sums, start = [], 0
        for ball in balls:
            columns = np.ascontiguousarray(chosen[:, start : start + len(ball.centre)])
            sums.append(lattice.to_ball(columns, has, ball.centre, ball.radius, self.bits).sum(axis=0))
            start += len(ball.centre)
        total = np.append(np.concatenate(sums), float(np.count_nonzero(has)) * 2.0**self.bits)
        return Exact(total.astype(np.int64), lattice_step(self.bits))


@register("block_moments")
@attrs.frozen
class BlockMoments(BlockSum):
    """Σ (y, z, 1) over blocks that have a candidate in a released ball: its place y and its payload z, both clipped.

    The payload (a weight, the logarithm of a variance) is clipped to a second released or public ball. Each of y and z
    is in the frame of its ball.

    Formal guarantees
    -----------------
    Sensitivity: 2√2 in ℓ₂ a changed block (``block_moments``); ‖y‖ <= 1 and ‖z‖ <= 1 hold in integers.

    Examples
    --------
    >>> from dpframe.proof.spaces import BallValue
    >>> blocks = Exact([(np.array([[0.5, 3.0]]),), (np.array([[0.25, 100.0]]),)])  # each a place and a payload
    >>> place, payload = BallValue(np.zeros(1), 1.0), BallValue(np.zeros(1), 6.0)
    >>> BlockMoments(k=1, d=1, payload=1).evaluate(blocks, place, payload).floats.round(3).tolist()
    [0.75, 1.5, 2.0]
    """

    payload: int = attrs.field(kw_only=True, validator=positive_whole)


@register("block_cells")
@attrs.frozen
class BlockCells(_OfCandidates):
    """Occupied cells of released grids, with the number of *blocks* that have a candidate in each.

    Parameters
    ----------
    levels : int
        Static bound on the number of grids; released grids beyond it are ignored.

    Formal guarantees
    -----------------
    Sensitivity: a changed block leaves at most k cells of a level and enters at most k (``block_cells``). Which cells
    are occupied is private; only ``stable_histogram`` takes them.

    Examples
    --------
    >>> from dpframe.kernel.statistics.cells import Grids
    >>> blocks = Exact([(np.array([[1.0], [2.0]]),), (np.array([[3.0], [11.0]]),)])
    >>> found = BlockCells(k=2, d=1, levels=1).evaluate(blocks, Grids(offset=np.zeros(1), sizes=np.array([10.0])))
    >>> [(ids.tolist(), counts.tolist()) for ids, counts in found.integers]  # a block counts once a cell
    [([[0], [1]], [2, 1])]
    """

    levels: int = attrs.field(kw_only=True, validator=positive_whole)

    def step(self, steps: Steps, *inputs: Domain) -> Fraction | None:
        """Whole numbers."""
        return Fraction(1)

    def evaluate(self, *values: Any) -> Exact:
        """A list of (ids, counts), a level each; a block counts once a cell."""
        blocks, grids = values
        all_points, valid = self._points(blocks)
        places = all_points[valid][:, :, : self.d]
        owner = np.repeat(np.arange(len(places)), self.k)[:, None]
        if np.shape(grids.offset) != (self.d,) or np.ndim(grids.sizes) != 1:
            raise DomainError(
                f"block_cells: released grids of {np.size(grids.offset)} columns for candidates of {self.d}",
                fix="make grids with as many columns as the candidates",
            )
        found = []
        for size in grids.sizes[: self.levels]:
            cells = cell_of(places.reshape(-1, self.d), grids.offset, size)
            once = np.unique(np.hstack([owner, cells]), axis=0)[:, 1:]
            found.append(np.unique(once, axis=0, return_counts=True))
        return Exact(found)
