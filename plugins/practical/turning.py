"""Directions that the leading variance misses: clusters that are thinner than they lie apart, and longer.

Three clusters side by side, eight thicknesses apart and ten times as wide, vary most along their width, where they
all look alike. In units in which the table's covariance is 1 every direction of a Gaussian table is like any other.
What is not shows in a second covariance, of rows that are clipped to a small ball there, against the first (invariant
coordinates: Tyler, Critchley, Dümbgen, Oja 2009): clusters side by side are nearer to ±1 along the line that joins
them than a Gaussian's rows are, which leaves more of their square in the ball. Such a direction replaces the leading
one that looks most like a Gaussian's, where it lies outside the leading ones and stands out of noise and chance.

What touches rows is `affine`, `clip` and `gram`: rows in the unit ball of a public frame, ℓ₂ sensitivity √2 [1].
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

import attrs
import numpy as np

from dpframe.plugin import (
    AffineMap,
    AffineValue,
    Ball,
    Counts,
    Domain,
    Handle,
    Post,
    Record,
    Slot,
    Symmetric,
    register,
    same,
    wants,
)
from dpframe_plugins.classic.sizing import public_numbers
from dpframe_plugins.shared.records import wants_record

from .nodes import answering, map_scale, over, slots
from .recipe import SHARES
from .records import Floats, as_floats
from .subspace import SPAN, Spread, Subspace

NEAR = 0.5
"""Radius of the ball over that of a Gaussian's rows, √d, both in deviations of the table."""
SHOWS = 1.0
"""Spectral noise up to which the release is made, over 1/d²: clusters side by side add 1.2/d² (three of them) to 2/d²
(two) to a direction's clipped variance of about 1/d."""
CLEAR = 1.5
"""Spectral norms of noise, of chance and of what the whitening is unsure of, together, from which on one stands out."""
INSIDE = 0.5
"""Part of a direction's square within the leading ones from which on nothing is missed."""
ALIKE = 0.05
"""Up to such a part of a clipped variance, or what is noise and chance, a leading direction looks like a Gaussian's,
and can be replaced; R's movies, whose columns are skewed, have none."""


def shows(x: Handle, share: float, rows: int = 0) -> bool:
    """Whether clusters side by side would stand out of the noise: from n (or so many of the rows), d and the budget."""
    public = public_numbers(x, SHARES.signs * share)
    noise = math.sqrt(2.0) / math.sqrt(2.0 * public.rho) / (rows or public.rows) * math.sqrt(2.0 * public.d)
    return noise * public.d**2 <= SHOWS


def turned(space: Subspace, signs: Floats, std: float, rows: float, *, mutes: bool = False) -> Subspace:
    """The subspace with the directions that the leading ones miss; itself where there are none.

    Parameters
    ----------
    space : Subspace
        With its spread.
    signs : array of shape (d, d)
        Noisy Gram matrix of rows in `standard` coordinates, clipped to the unit ball.
    std : float
        Noise of a diagonal entry (off-diagonal entries: divided by sqrt 2).
    rows : float
        Noisy number of valid rows.
    mutes : bool
        Whether leading ones that look like a Gaussian's are left out then: along them cells would be cut in vain. Their
        coordinate is 0.
    """
    spread, rank, rows = space.spread, space.basis.shape[1], max(rows, 1.0)
    if spread is None or spread.clear <= rank:
        return space
    m = spread.clear
    inner = as_floats(signs)[:m, :m] / rows
    values, vectors = np.linalg.eigh(0.5 * (inner + inner.T))
    middle = float(np.median(values))
    chance = 2.0 * max(middle, 0.0) * math.sqrt(m / rows)
    unsure = middle * _unsure(spread, vectors)
    least = CLEAR * np.sqrt(2.0 * m * (std / rows) ** 2 + chance**2 + unsure**2)
    unlike = np.abs(np.diagonal(inner)[:rank] - middle)
    within = (vectors[:rank] ** 2).sum(axis=0)
    missed = [i for i in range(m)[::-1] if values[i] - middle > least[i] and within[i] < INSIDE]
    replaced = np.argsort(unlike, kind="stable")
    like = int((unlike <= max(ALIKE * middle, float(least.min()))).sum())
    found = missed[:like]
    if not found:
        return space
    kept = replaced[len(found) :]
    chosen = np.linalg.qr(np.hstack([vectors[:, found], np.eye(m)[:, kept]]))[0]
    if mutes:
        chosen[:, len(found) :] *= unlike[kept] > least.min()
    basis = spread.white() @ chosen / SPAN
    total = (spread.axes * np.where(spread.variances > 0.0, spread.variances, 2.0 * spread.noise)) @ spread.axes.T
    back = SPAN**2 * total @ basis
    residual = total - back @ back.T / SPAN**2
    lift = 1e-9 * float(np.trace(total)) / len(total) + 1e-3 * spread.noise
    return Subspace(basis, None, spread, back, 0.5 * (residual + residual.T) + lift * np.eye(len(total)))


def _unsure(spread: Spread, vectors: Floats) -> Floats:
    """What part of a variance along each direction the Gram matrix's noise is; among b axes as thin √(2b) of it."""
    m, d = len(vectors), len(spread.axes)
    inverse = (vectors**2).T @ (1.0 / spread.variances[:m])
    alike = (spread.variances[:m] * inverse[:, None] <= 2.0).sum(axis=1)
    return as_floats(spread.noise / math.sqrt(2.0 * d) * inverse * np.maximum(np.sqrt(2.0 * alike), 2.0))


@register("practical.standard")
@attrs.frozen
class Standard(Post):
    """Rows along the axes of the noisy Gram matrix, in deviations of the table over √d/2; 0 along drowned ones."""

    slots: ClassVar[tuple[Slot, ...]] = slots("ball", "subspace")

    def output(self, *inputs: Domain) -> Domain:
        """An affine map."""
        wants_record(inputs[1], "practical.subspace", self.name)
        d = wants(inputs[0], Ball, self.name).d
        return AffineMap(d, d)

    @answering
    def apply(self, *values: Any) -> Any:
        """The map."""
        ball, space = values
        d = len(ball.centre)
        matrix = np.zeros((d, d))
        if space.spread is not None:
            matrix[:, : space.spread.clear] = space.spread.white() / (NEAR * math.sqrt(d))
        return AffineValue(ball.centre, over(matrix, ball.radius), map_scale(ball))


@register("practical.turned")
@attrs.frozen
class Turned(Post):
    """The subspace, with directions of clusters side by side that the leading variance misses: `turning`."""

    slots: ClassVar[tuple[Slot, ...]] = slots("subspace", "count", "signs")
    mutes: bool = attrs.field(default=False, kw_only=True, validator=attrs.validators.instance_of(bool))

    def output(self, *inputs: Domain) -> Domain:
        """A record."""
        wants_record(inputs[0], "practical.subspace", self.name)
        same(wants(inputs[1], Counts, self.name).m, 1, self.name)
        wants(inputs[2], Symmetric, self.name)
        return Record("practical.subspace")

    @answering
    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """Compare the two covariances."""
        space, count, signs = values
        return turned(space, np.asarray(signs), noise[2], float(count[0]), mutes=self.mutes)
