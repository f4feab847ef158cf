"""Quantiles of every column: noisy counts of bins, first coarse, then closer, and last cut at the quantiles alone."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any, ClassVar

import attrs
import numpy as np
from numpy.typing import NDArray

import dpframe.plugin as dp
from dpframe.plugin import (
    PARAM,
    Above,
    Array,
    Ball,
    Domain,
    Expected,
    Handle,
    Post,
    Quality,
    Slot,
    composite,
    positive,
    register,
    wants,
)
from dpframe.plugin import powers_of_two as powers
from dpframe_plugins.classic.checks import bounded, few_rows

from .cumulative import ATOMS, SPLIT, Distribution, inverse
from .frame import Frame, find_frame
from .tails import SURE
from .tied import Reading, column

COARSE, OUTER, FIRST = 64, 8, 0.2
"""Number of first edges of a column, and their part of the share where they are one of two histograms."""
STAGES = (0.1, 0.1, 0.15, 0.65)
"""Parts of the share: coarse bins, bins around the quantiles twice, and last the few bins between the quantiles."""
Floats = NDArray[np.float64]


def _levels(value: Any) -> tuple[float, ...]:
    found = tuple(float(v) for v in np.atleast_1d(np.asarray(value, dtype=np.float64)))
    if not found or not all(0.0 < v < 1.0 for v in found):
        raise dp.SpecError(f"quantiles must lie strictly between 0 and 1, not {value!r}", fix="give quantiles=0.25,0.5")
    return found


@composite("tabular.quantiles", examples={"quantiles": (0.25, 0.5)})
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
    Four Gaussian releases of ``marginal_counts``: one-hot vectors of d columns, √(2d) in ℓ₂ under replace-one and √d
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
    x = bounded(x, bound=bound)
    frame = find_frame(x, bound=bound, share=share, tight=tight, power=1, seed=seed, tails=True)
    known = [*coarse_counts(x, frame, STAGES[0], tails=True)]
    for stage, part in enumerate(STAGES[1:], 2):
        last = stage == len(STAGES)
        edges = dp.post("tabular.finer", *known, quantiles=asked, last=last, name=f"edges_{stage}")
        counts = dp.marginal_counts(x, edges)
        known += [edges, dp.release(f"counts_{stage}", dp.gaussian(share=part * frame.share), counts)]
    return {what: dp.post("tabular.quantile", *known, quantiles=asked, what=what, name=what) for what in READINGS}


def coarse_counts(x: Handle, frame: Frame, part: float, *, tails: bool = False) -> tuple[Handle, Handle]:
    """Bins across the frame's ball, and beyond it for ``tails``, and released counts of them."""
    how: dict[str, Any] = {"bound": frame.bound, "tails": tails}
    first = dp.post("tabular.edges", frame.ball, frame.units, name="coarse_edges", **how)
    return first, dp.release("coarse", dp.gaussian(share=part * frame.share), dp.marginal_counts(x, first))


def fine_counts(
    x: Handle, asked: list[float], *, bound: float, tight: bool, seed: int, share: float
) -> tuple[Handle, Handle]:
    """Edges that lie close around these quantiles of each column, and released counts of the bins between."""
    x = bounded(x, bound=bound)
    frame = find_frame(x, bound=bound, share=share, tight=tight, power=1, seed=seed)
    first, coarse = coarse_counts(x, frame, FIRST)
    edges = dp.post("tabular.finer", first, coarse, quantiles=asked, name="fine_edges")
    mechanism = dp.gaussian(share=(1.0 - FIRST) * frame.share)
    return edges, dp.release("fine", mechanism, dp.marginal_counts(x, edges))


@register("tabular.edges")
@attrs.frozen
class Edges(Post):
    """Equal bins of every column across a ball, in the units of the table.

    Parameters
    ----------
    bound : float, optional
        Magnitude beyond which no column is promised to go: bins end there.
    tails : bool
        Some lie beyond the ball, wider and wider. A ball is as wide as is best for a mean: of a skewed column a tenth
        of the rows may lie beyond it.
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("ball", PARAM), Slot("units", PARAM))
    bound: float | None = attrs.field(default=None, kw_only=True, validator=attrs.validators.optional(positive))
    tails: bool = attrs.field(default=False, kw_only=True, validator=attrs.validators.instance_of(bool))

    def output(self, *inputs: Domain) -> Domain:
        """Edges (d, 64)."""
        return Array((wants(inputs[0], Ball, self.name).d, COARSE))

    def apply(self, *values: Any) -> Any:
        """Cut the ball's diameter, and for tails what lies beyond it, at powers of √2 unless nothing may lie there."""
        ball, factors = values[0], 1.0 / powers(values[1])
        ends = np.asarray(ball.centre)[:, None] + ball.radius * np.array([-1.0, 1.0])
        ends *= factors[:, None]
        whole = np.full((len(ends), 1), not self.tails)
        if self.bound is not None:
            whole |= (np.abs(ends) >= self.bound).all(axis=1, keepdims=True)
            inside = np.clip(ends, -self.bound, self.bound)
            ends = np.where(inside[:, :1] < inside[:, 1:], inside, ends)
        middle, half = ends.mean(axis=1, keepdims=True), 0.5 * np.diff(ends, axis=1)
        beyond = math.sqrt(2.0) ** np.arange(1.0, OUTER + 1.0)
        cut = np.concatenate([-beyond[::-1], np.linspace(-1.0, 1.0, COARSE - 2 * OUTER), beyond])
        return middle + half * np.where(whole, np.linspace(-1.0, 1.0, COARSE), cut)


class _Asked(Post):
    """What reads quantiles off edges and counts of bins, one histogram after the other."""

    slots: ClassVar[tuple[Slot, ...]] = (Slot("histograms", PARAM, variadic=True),)


def _columns(values: tuple[Any, ...], noise: tuple[float, ...]) -> list[Distribution]:
    """What all histograms say of each column."""
    arrays = [np.asarray(v, dtype=np.float64) for v in values]
    found = []
    for j in range(len(arrays[0])):
        seen = column([a[j] for a in arrays], noise, SPLIT)
        found.append(column([a[j] for a in arrays], noise, ATOMS) if seen.lumpy else seen)
    return found


def _readings(values: tuple[Any, ...], noise: tuple[float, ...]) -> list[Reading]:
    """The same, each by the model that its counts are likeliest by."""
    return list(_read(tuple(np.asarray(v, dtype=np.float64).tobytes() for v in values), len(values[0]), noise))


@functools.lru_cache(maxsize=4)
def _read(values: tuple[bytes, ...], d: int, noise: tuple[float, ...]) -> tuple[Reading, ...]:
    """Kept: values, noise, sampling and verdict are all read off what was released once."""
    arrays = [np.frombuffer(value).reshape(d, -1) for value in values]
    return tuple(Reading.best([a[j] for a in arrays], noise) for j in range(d))


@register("tabular.finer")
@attrs.frozen
class Finer(_Asked):
    """Edges that lie close around the given quantiles of each column.

    Parameters
    ----------
    quantiles : sequence of float
    last : bool
        Edges at the quantiles alone, as they are known by now: the fewest bins have the least noise.
    """

    quantiles: tuple[float, ...] = attrs.field(converter=_levels, kw_only=True)
    last: bool = attrs.field(default=False, kw_only=True, validator=attrs.validators.instance_of(bool))

    def output(self, *inputs: Domain) -> Domain:
        """Edges (d, 8 a quantile, at least 16 and at most 96), or one a quantile: each bin more is more noise."""
        return Array((wants(inputs[0], Array, self.name).shape[0], self._size()))

    def _size(self) -> int:
        return len(self.quantiles) if self.last else min(max(8 * len(self.quantiles), 16), 96)

    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """Spread them over where each quantile may lie: three deviations of the noise to either side."""
        return np.array([self._column(seen) for seen in _columns(values, noise)])

    def _column(self, seen: Distribution) -> Floats:
        asked = np.array(self.quantiles)
        if not seen.total > 3.0 * seen.doubt:
            return np.linspace(seen.edges[0], seen.edges[-1], self._size())
        return inverse(seen.edges, seen.below(), np.sort(asked)) if self.last else seen.around(asked, self._size())


FEWER = "Where most rows share one value, less extreme quantiles, more rows or a larger budget make it better"


def _lies_beyond(seen: Distribution, asked: Floats) -> bool:
    """Whether more rows surely lie below the first edge, or above the last one, than do of some quantile."""
    total = max(seen.total, 1.0)
    sure = (seen.rows - SURE * np.linalg.norm(seen.gain, axis=1)) / total
    return bool(sure[0] > asked.min() or sure[-1] > 1.0 - asked.max())


READINGS = ("values", "noise", "sampling")
POOR = 0.1
"""Part of the rows by which noise may move a quantile before the result is poor."""
LOOSE = 1.3
"""What interpolating between the last edges adds to the noise of the counts, measured."""
CLEAR = 8.0
"""Rows over the noise of their number: from here on every column is expected to show."""
INSTANCE = "Gaussian columns, in a bound ten times too large"


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
        read, asked = _readings(values, noise), np.array(self.quantiles)
        if not all(one.seen.total > 3.0 * one.seen.doubt for one in read):
            return few_rows()
        return np.array([getattr(one, self.what)(asked) for one in read])

    def quality(self, values: tuple[Any, ...], noise: tuple[float, ...], result: Any) -> Quality | None:
        """Poor where noise moves a quantile by a tenth of the rows, or one lies beyond all edges."""
        if self.what != "values":
            return None
        asked, columns = np.array(self.quantiles), _readings(values, noise)
        hidden = [j for j, one in enumerate(columns) if _lies_beyond(one.seen, asked)]
        if hidden:
            named = ", ".join(map(str, hidden[:10])) + ", ..." * int(len(hidden) > 10)
            why = f"a quantile of columns {named} (counted from 0) lies beyond the ball that rows were looked for in"
            return Quality("poor", f"{why}: the ball's end is released. {FEWER}")
        off = max(float(one.seen.errors(asked, one.places(asked), noise=True).max()) for one in columns)
        why = f"noise moves a quantile by up to {off:.2g} of the rows; poor above {POOR:g}"
        if off > POOR:
            return Quality("poor", why + ": more rows, fewer columns or a larger budget make it better")
        return Quality("unchecked", why + "; whether rows share one value is not looked at")

    def predicted_error(self, result: Domain, rows: int, noise: Above) -> Expected | None:
        """Of Gaussian columns: errors of the distribution function over its slope, by the last counts alone."""
        from scipy.special import ndtri

        if self.what != "values" or not rows:
            return None
        asked, std = np.sort(self.quantiles), noise.stds[-1]
        before = np.arange(1.0, len(asked) + 1.0)
        noisy = LOOSE * std * np.sqrt((1 - asked) ** 2 * before + asked**2 * (len(asked) + 1.0 - before)) / rows
        slope = np.exp(-0.5 * ndtri(asked) ** 2) / math.sqrt(2.0 * math.pi)
        square = float(np.mean((noisy**2 + asked * (1 - asked) / rows) / slope**2))
        what = "distance of a quantile, in standard deviations of its column (root mean square)"
        seen = rows > CLEAR * std * math.sqrt(len(asked) + 1.0)
        return Expected(math.sqrt(square) if seen else math.inf, what, INSTANCE)
