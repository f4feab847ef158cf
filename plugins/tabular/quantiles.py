"""Quantiles of every column: noisy counts of bins, first coarse and then fine around the quantiles."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar

import attrs
import numpy as np
from numpy.typing import NDArray

import dpframe.plugin as dp
from dpframe.plugin import PARAM, Array, Ball, Domain, Handle, Post, Slot, composite, register, wants
from dpframe.plugin import powers_of_two as powers
from dpframe_plugins.classic.checks import few_rows

from .frame import find_frame

COARSE, FIRST = 64, 0.2
"""Number of first edges of a column, and their part of the share."""
Floats = NDArray[np.float64]


def _levels(value: Any) -> tuple[float, ...]:
    found = tuple(float(v) for v in np.atleast_1d(np.asarray(value, dtype=np.float64)))
    if not found or not all(0.0 < v < 1.0 for v in found):
        raise dp.SpecError(f"quantiles must lie strictly between 0 and 1, not {value!r}", fix="give quantiles=0.25,0.5")
    return found


@composite("tabular.quantiles")
def quantiles(
    x: Handle, *, quantiles: Sequence[float], bound: float, tight: bool = False, seed: int = 0, share: float = 1.0
) -> dict[str, Handle]:
    """Quantiles of every column, any number of them for one price, from a generous bound.

    Parameters
    ----------
    x : Handle
        The private table.
    quantiles : sequence of float
        Strictly between 0 and 1.
    bound : float
        ℓ₂ radius around 0 that rows are promised to lie in; generous is fine.
    tight : bool
        The bound is about as small as it can be: no budget is spent on finding where rows lie.
    seed : int
        Public seed of the pairs of rows that tell the columns' units.
    share : float
        Share of ρ.

    Returns
    -------
    dict of Handle
        ``values`` (d, quantiles), increasing; ``noise`` and ``sampling``, the standard errors of each.

    Formal guarantees
    -----------------
    Two Gaussian releases of ``marginal_counts``: one-hot vectors of d columns, √(2d) in ℓ₂ under replace-one and √d
    under add/remove.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     return dp.release("q", dp.recipe("tabular.quantiles", quantiles=[0.5], bound=1e6), x)["values"]
    >>> dp.plan(example, x=dp.rows(d=2), adjacency=dp.ADD_REMOVE, budget=dp.zcdp(0.5)).verdict.holds
    True
    """
    asked = list(_levels(quantiles))
    edges, counts = fine_counts(x, asked, bound=bound, tight=tight, seed=seed, share=share)
    return {
        what: dp.post("tabular.quantile", edges, counts, quantiles=asked, what=what, name=what) for what in READINGS
    }


def fine_counts(
    x: Handle, asked: list[float], *, bound: float, tight: bool, seed: int, share: float
) -> tuple[Handle, Handle]:
    """Edges that lie close around these quantiles of each column, and released counts of the bins between."""
    frame = find_frame(x, bound=bound, share=share, tight=tight, power=1, seed=seed)
    first = dp.post("tabular.edges", frame.ball, frame.units, name="coarse_edges")
    coarse = dp.release("coarse", dp.gaussian(share=FIRST * frame.share), dp.marginal_counts(x, first))
    edges = dp.post("tabular.finer", first, coarse, quantiles=asked, name="fine_edges")
    mechanism = dp.gaussian(share=(1.0 - FIRST) * frame.share)
    return edges, dp.release("fine", mechanism, dp.marginal_counts(x, edges))


def cumulated(counts: Floats) -> Floats:
    """Shares of the rows below each edge of a column, increasing, from noisy counts of the bins between.

    The cumulated counts are made monotone by pooling neighbours that violate it (isotonic regression).

    Examples
    --------
    >>> cumulated(np.array([10.0, -2.0, 12.0, 20.0])).round(3).tolist()
    [0.225, 0.225, 0.5]
    """
    total = float(counts.sum())
    blocks: list[list[float]] = []
    for value in np.cumsum(counts)[:-1] / total:
        blocks.append([float(value), 1.0])
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            (a, m), (b, n) = blocks[-2:]
            blocks[-2:] = [[(a * m + b * n) / (m + n), m + n]]
    values = np.concatenate([np.full(int(n), a) for a, n in blocks])
    return np.asarray(np.clip(values, 0.0, 1.0))


def inverse(edges: Floats, below: Floats, asked: Any) -> Floats:
    """Where a piecewise linear distribution function takes these values; the outermost edges outside."""
    rising = below + np.arange(len(below)) * 1e-15
    return np.asarray(np.interp(asked, rising, edges))


@register("tabular.edges")
@attrs.frozen
class Edges(Post):
    """Equal bins of every column across a ball, in the units of the table."""

    slots: ClassVar[tuple[Slot, ...]] = (Slot("ball", PARAM), Slot("units", PARAM))

    def output(self, *inputs: Domain) -> Domain:
        """Edges (d, 64)."""
        return Array((wants(inputs[0], Ball, self.name).d, COARSE))

    def apply(self, *values: Any) -> Any:
        """Cut the ball's diameter."""
        ball, factors = values[0], 1.0 / powers(values[1])
        steps = np.linspace(-1.0, 1.0, COARSE)
        return (np.asarray(ball.centre)[:, None] + ball.radius * steps) * factors[:, None]


class _Asked(Post):
    """What reads quantiles off edges and counts of bins."""

    slots: ClassVar[tuple[Slot, ...]] = (Slot("edges", PARAM), Slot("counts", PARAM))


@register("tabular.finer")
@attrs.frozen
class Finer(_Asked):
    """Edges that lie close around the given quantiles of each column.

    Parameters
    ----------
    quantiles : sequence of float
    """

    quantiles: tuple[float, ...] = attrs.field(converter=_levels, kw_only=True)

    def output(self, *inputs: Domain) -> Domain:
        """Edges (d, 8 a quantile, at least 16 and at most 96): each bin more is more noise."""
        return Array((wants(inputs[0], Array, self.name).shape[0], self._size()))

    def _size(self) -> int:
        return min(max(8 * len(self.quantiles), 16), 96)

    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """Spread them over where each quantile may lie: three deviations of the noise to either side, and two bins."""
        edges, counts = (np.asarray(v, dtype=np.float64) for v in values)
        return np.array([self._column(e, c, noise[1]) for e, c in zip(edges, counts, strict=True)])

    def _column(self, edges: Floats, counts: Floats, std: float) -> Floats:
        total = float(counts.sum())
        if not total > 3.0 * std * math.sqrt(len(counts)):
            return np.linspace(edges[0], edges[-1], self._size())
        if not edges[-1] > edges[0]:
            return np.full(self._size(), edges[0])
        below = cumulated(counts)
        slack = 3.0 * std * math.sqrt(len(counts)) / 2.0 / total
        weights, step = np.full(len(edges) - 1, 1e-3), (edges[-1] - edges[0]) / (len(edges) - 1)
        for q in self.quantiles:
            low, high = inverse(edges, below, [max(q - slack, 0.0), min(q + slack, 1.0)])
            first = min(max(int((low - edges[0]) / step) - 1, 0), len(weights) - 1)
            last = max(min(int((high - edges[0]) / step) + 1, len(weights) - 1), first)
            weights[first : last + 1] += 1.0 / (last + 1 - first)
        place = np.concatenate([[0.0], np.cumsum(weights)])
        return np.asarray(np.interp(np.linspace(0.0, place[-1], self._size()), place, edges))


READINGS = ("values", "noise", "sampling")


@register("tabular.quantile")
@attrs.frozen
class Quantile(_Asked):
    """Quantiles of every column, or their standard errors.

    Parameters
    ----------
    quantiles : sequence of float
    what : {"values", "noise", "sampling"}
    """

    quantiles: tuple[float, ...] = attrs.field(converter=_levels, kw_only=True)
    what: str = attrs.field(kw_only=True, validator=attrs.validators.in_(READINGS))

    def output(self, *inputs: Domain) -> Domain:
        """Numbers (d, quantiles)."""
        return Array((wants(inputs[0], Array, self.name).shape[0], len(self.quantiles)))

    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """Invert each column's distribution function."""
        edges, counts = (np.asarray(v, dtype=np.float64) for v in values)
        if not (counts.sum(axis=1) > 3.0 * noise[1] * math.sqrt(counts.shape[1])).all():
            return few_rows()
        return np.array([self._column(e, c, noise[1]) for e, c in zip(edges, counts, strict=True)])

    def _column(self, edges: Floats, counts: Floats, std: float) -> Floats:
        """Of one column; errors are those of the distribution function over its slope."""
        below, total, asked = cumulated(counts), float(counts.sum()), np.array(self.quantiles)
        found = inverse(edges, below, asked)
        if self.what == "values":
            return found
        bins = np.searchsorted(edges, found) + 1.0
        noise = std * np.sqrt((1 - asked) ** 2 * bins + asked**2 * (len(counts) - bins)) / total
        sampling = np.sqrt(asked * (1 - asked) / total)
        reach = np.hypot(noise, sampling)
        width = inverse(edges, below, np.minimum(asked + reach, 1.0)) - inverse(
            edges, below, np.maximum(asked - reach, 0)
        )
        return np.asarray(width / (2.0 * reach) * (noise if self.what == "noise" else sampling))
