"""``agreement`` and ``select_block``: do block results agree, and one that agrees with most (Arbas23 Alg 1)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import attrs
import numpy as np

from dpframe.kernel.exact import lattice
from dpframe.kernel.families.agreeing import agreement_of, agreement_step
from dpframe.kernel.operations import Exact, IntArray, Query, Steps, wants
from dpframe.kernel.registry import register
from dpframe.proof.families.selection import neighbourhood
from dpframe.proof.spaces import Blocks, Domain, lattice_bits, positive, positive_whole

Floats = np.ndarray[Any, np.dtype[np.float64]]
SEMIMETRICS = ("l2",)


def vectors(results: list[Any], d: int) -> tuple[Floats, np.ndarray[Any, np.dtype[np.bool_]]]:
    """Block results as rows (t, d), and which of them are not ⊥: a tuple of one finite array of d numbers."""
    out, valid = np.zeros((len(results), d)), np.zeros(len(results), dtype=np.bool_)
    for i, result in enumerate(results):
        if isinstance(result, (tuple, list)) and len(result) == 1:
            value = np.asarray(result[0], dtype=np.float64)
            if value.shape == (d,) and np.isfinite(value).all():
                out[i], valid[i] = value, True
    return out, valid


def neighbours(results: list[Any], d: int, radius: float) -> IntArray:
    """For each block the number of blocks within ``radius`` of it in ℓ₂, itself included; ⊥ is near nothing.

    Distances are rounded up: whoever is counted is truly within the radius.
    """
    points, valid = vectors(results, d)
    counts = np.zeros(len(points), dtype=np.int64)
    bar = 1.0 - (d + 16) * 2.0**-50
    for i in np.flatnonzero(valid):
        with np.errstate(all="ignore"):
            squares = lattice.squared_norms((points - points[i]) / radius)
        counts[i] = np.count_nonzero((squares <= bar) & valid)
    return counts


@attrs.frozen
class _OfBlocks(Query):
    """Parameters that the agreement of blocks and the selection of one share.

    Parameters
    ----------
    semimetric : {"l2"}
    r : float
        What is selected is within r of its twin's; a block's neighbourhood has radius r/2z.
    d : int
        Dimension of the blocks' vectors.
    """

    semimetric: str = attrs.field(default="l2", kw_only=True, validator=attrs.validators.in_(SEMIMETRICS))
    r: float = attrs.field(kw_only=True, validator=positive)
    d: int = attrs.field(kw_only=True, validator=positive_whole)

    def _near(self, blocks: Exact) -> IntArray:
        return neighbours(blocks.integers, self.d, neighbourhood(self.semimetric, self.r))


@register("agreement")
@attrs.frozen
class Agreement(_OfBlocks):
    """Q = mean over blocks i of q_i, the share of blocks within r/2z of block i.

    Formal guarantees
    -----------------
    Sensitivity: 2/t for one changed block (``agreement``).

    References
    ----------
    Arbas23 Alg 1.

    Examples
    --------
    >>> blocks = Exact([(np.array([0.0]),), (np.array([0.1]),), (np.array([9.0]),), None])
    >>> share = Agreement(r=1.0, d=1).evaluate(blocks)
    >>> int(share.integers[0]) * share.step  # two blocks see two of four near, one sees itself
    Fraction(5, 16)
    """

    def step(self, steps: Steps, *inputs: Domain) -> Fraction | None:
        """1/t²."""
        return agreement_step(wants(inputs[0], Blocks, self.name).t)

    def evaluate(self, *values: Any) -> Exact:
        """Pairs of near blocks, in steps of 1/t²."""
        return agreement_of(self._near(values[0]))


@register("select_block")
@attrs.frozen
class SelectBlock(_OfBlocks):
    """The result of the first block with q_i > θ, on a lattice of step r·2^−bits. It exists if the test passed.

    Parameters
    ----------
    theta : float
        At least ⌈t/2⌉/t.
    test_threshold : float
        What the test asks of Q at least, above θ.
    bits : int
        Lattice of the released vector, relative to r, 1..26.

    Formal guarantees
    -----------------
    Given the passed test, two neighbours' selections are within r; in ℓ₂ also after rounding to the lattice, within
    r(1 + √d·2^−bits) (``close_selection``). The planner checks that the test looked at the agreement of
    these blocks with this r, and asks for at least ``test_threshold``.

    References
    ----------
    Arbas23 Alg 1; docs/theory/corrections.md#t4.

    Examples
    --------
    >>> blocks = Exact([(np.array([9.0]),), (np.array([0.25]),), (np.array([0.5]),), (np.array([0.0]),)])
    >>> SelectBlock(r=2.0, d=1, theta=0.5, test_threshold=0.6).evaluate(blocks).floats.tolist()
    [0.25]
    """

    theta: float = attrs.field(kw_only=True, validator=positive)
    test_threshold: float = attrs.field(kw_only=True, validator=positive)
    bits: int = attrs.field(default=24, kw_only=True, validator=lattice_bits)

    def step(self, steps: Steps, *inputs: Domain) -> Fraction | None:
        """r·2^−bits."""
        return self._step()

    def _step(self) -> Fraction:
        return Fraction(self.r) / Fraction(2) ** self.bits

    def evaluate(self, *values: Any) -> Exact:
        """The selected vector in exact lattice steps; zeros where no block qualifies, which a passed test excludes."""
        blocks: Exact = values[0]
        step = self._step()
        qualified = [int(c) > Fraction(self.theta) * len(blocks.integers) for c in self._near(blocks)]
        if True not in qualified:
            return Exact(np.zeros(self.d, dtype=object), step)
        chosen = np.asarray(blocks.integers[qualified.index(True)][0], dtype=np.float64)
        return Exact(np.array([round(Fraction(float(x)) / step) for x in chosen], dtype=object), step)
