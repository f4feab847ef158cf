"""``block_weight`` and ``block_average``: how many blocks of vectors agree in ℓ₂, and the average of those that do."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import attrs
import numpy as np

from dpframe.kernel.families.block_models import neighbours, vectors
from dpframe.kernel.operations import Exact, Query, Steps, wants
from dpframe.kernel.registry import register
from dpframe.proof.families.averaging import MOST_BITS
from dpframe.proof.families.populous import check_blocks
from dpframe.proof.families.selection import neighbourhood
from dpframe.proof.spaces import Blocks, Domain, positive, positive_whole, up_to


@attrs.frozen
class _OfVectors(Query):
    """Parameters that the weight of near blocks and their average share.

    Parameters
    ----------
    r : float
        Blocks of positive weight are pairwise within r in ℓ₂.
    d : int
        Dimension of the blocks' vectors.
    majority : int
        A block weighs nothing until more blocks than this are near it; at least t/2.
    ramp : int
        How many more give it full weight.
    """

    r: float = attrs.field(kw_only=True, validator=positive)
    d: int = attrs.field(kw_only=True, validator=positive_whole)
    majority: int = attrs.field(kw_only=True, validator=positive_whole)
    ramp: int = attrs.field(kw_only=True, validator=positive_whole)

    def admit(self, *inputs: Domain) -> None:
        """Majority and ramp that fit the number of blocks."""
        check_blocks(self.parameters(), wants(inputs[0], Blocks, self.name).t)

    def _weights(self, exact: Exact) -> Any:
        """Whole weights: ``ramp`` times those of the theorem."""
        counts = neighbours(exact.integers, self.d, neighbourhood("l2", self.r))
        return np.clip(counts - self.majority, 0, self.ramp)


@register("block_weight")
@attrs.frozen
class BlockWeight(_OfVectors):
    """W = Σ over blocks of clamp((c − majority)/ramp, 0, 1), c being the number of blocks within r/2 of it.

    Formal guarantees
    -----------------
    Sensitivity: 1 + (t − 1)/ramp for one changed block (``block_weight``).

    References
    ----------
    docs/theory/averaged-populous.md.

    Examples
    --------
    >>> near, far = [(np.array([0.01 * i, 0.0]),) for i in range(5)], [(np.array([9.0, 9.0]),)]
    >>> weight = BlockWeight(r=1.0, d=2, majority=3, ramp=2).evaluate(Exact(near + far))
    >>> weight.floats.tolist()  # five blocks of full weight
    [5.0]
    """

    def step(self, steps: Steps, *inputs: Domain) -> Fraction | None:
        """1/ramp."""
        return Fraction(1, self.ramp)

    def evaluate(self, *values: Any) -> Exact:
        """Exact in steps of 1/ramp."""
        return Exact(np.array([int(self._weights(values[0]).sum())], dtype=np.int64), Fraction(1, self.ramp))


@register("block_average")
@attrs.frozen
class BlockAverage(_OfVectors):
    """The average of the blocks' vectors, weighted as ``block_weight`` does, on a lattice of step r·2^−bits.

    It exists if the test passed.

    Parameters
    ----------
    test_threshold : float
        What the test asks of W at least.
    bits : int
        Lattice of the average, relative to r.

    Formal guarantees
    -----------------
    Given the passed test, two neighbours' averages are within TV·r in ℓ₂, rounding included (``block_average``), for
    the exact ``gaussian``. Nothing is asserted.

    References
    ----------
    Tsfadia, Cohen, Kaplan, Mansour, Stemmer (2022), FriendlyCore; docs/theory/averaged-populous.md.

    Examples
    --------
    >>> near, far = [(np.array([0.01 * i]),) for i in range(5)], [(np.array([900.0]),)]
    >>> average = BlockAverage(r=1.0, d=1, majority=3, ramp=2, test_threshold=4.0).evaluate(Exact(near + far))
    >>> average.floats.round(6).tolist()  # the block far away has no weight
    [0.02]
    """

    test_threshold: float = attrs.field(kw_only=True, validator=positive)
    bits: int = attrs.field(default=30, kw_only=True, validator=up_to(MOST_BITS))

    def step(self, steps: Steps, *inputs: Domain) -> Fraction | None:
        """r·2^−bits."""
        return self._step()

    def _step(self) -> Fraction:
        return Fraction(self.r) / Fraction(2) ** self.bits

    def evaluate(self, *values: Any) -> Exact:
        """Each vector in lattice steps, the exact average of these, rounded; zeros where no block has weight."""
        points, step = vectors(list(values[0].integers), self.d)[0], self._step()
        weights = self._weights(values[0])
        chosen, total = np.flatnonzero(weights).tolist(), int(weights.sum())
        sums = [
            sum(int(weights[i]) * round(Fraction(float(points[i, c])) / step) for i in chosen) for c in range(self.d)
        ]
        return Exact(np.array([round(Fraction(s, max(total, 1))) for s in sums], dtype=object), step)
