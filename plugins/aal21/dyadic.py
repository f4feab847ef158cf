"""A list decoder without a scale: bins of every fourth power at once, in one histogram of single rows.

The paper finds scales from pairs of rows, and two rows of a component of share p meet in p² of the pairs: n ∝ 1/p².
Here every row is counted in one bin of width 4^i for each i of a fixed range, one stable histogram of J levels with √J
times the noise of one, and n ∝ √J/p (``docs/theory/aal21-practical.md``, Lemma 5).
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp
from dpframe.plugin import (
    Array,
    Domain,
    Gaussian,
    Handle,
    ListOf,
    Post,
    Slot,
    SparseCounts,
    SpecError,
    Target,
    composite,
    positive_whole,
    register,
    same,
    wants,
)
from dpframe_plugins.classic.sizing import budget_rho

from .decoder_nodes import _Decoded
from .decoders import EXAMPLE, LIMIT, check_rows
from .lists import EDGE, Accuracy, Pair, bounded, is_gaussian
from .nodes import slots
from .sizing import budget_of

REACH, STEP, BELOW = 64, 2, 3
"""Widths from 2^−64 to 2^62 in steps of 2²; a bin is compared with what it holds 3 levels below, 64 times as narrow."""
KEPT, SPLIT, LOST = 0.25, 0.40, 0.10
"""Shares of p·n: by which a bin must outweigh any that it holds; by which a component's does; of noise allowed."""


def widths(low: int, levels: int) -> list[float]:
    """Widths of the bins, narrow ones first.

    Examples
    --------
    >>> widths(-2, 3)
    [0.25, 1.0, 4.0]
    """
    return [2.0 ** (low + STEP * i) for i in range(levels)]


def _exponent(instance: object, attribute: attrs.Attribute[Any], value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not -400 <= value <= 400:
        raise SpecError(f"{attribute.name} must be a whole number within 400, not {value!r}", fix="use low=-64")


@register("aal21.dyadic_grids")
@attrs.frozen
class DyadicGrids(Post):
    """Grids of every level for each of d columns, with an edge at 0, so that bins are nested.

    Parameters
    ----------
    d, levels : int
    low : int
        The narrowest bins are 2^low wide.
    """

    d: int = attrs.field(kw_only=True, validator=positive_whole)
    levels: int = attrs.field(kw_only=True, validator=positive_whole)
    low: int = attrs.field(kw_only=True, validator=_exponent)

    @staticmethod
    def examples() -> list[Any]:
        """For the contract battery."""
        return [(DyadicGrids(d=2, levels=5, low=-4), ())]

    def output(self, *inputs: Domain) -> Domain:
        """Column, offset, width."""
        return Array((self.d * self.levels, 3))

    def apply(self, *values: Any) -> Any:
        """Column by column."""
        return np.array([[float(j), 0.0, w] for j in range(self.d) for w in widths(self.low, self.levels)])


def split_bins(ids: list[Any], counts: list[Any], bar: float) -> list[tuple[int, int]]:
    """(level, bin) of the bins that outweigh each bin that they hold ``BELOW`` levels below by more than ``bar``.

    Parameters
    ----------
    ids, counts : list of arrays
        Released bins of each level, narrow ones first.

    Examples
    --------
    >>> split_bins([np.array([0])] * 4, [np.array([c]) for c in (10.0, 40.0, 90.0, 100.0)], 50.0)
    [(3, 0)]
    """
    found = []
    for level in range(BELOW, len(ids)):
        inside: dict[int, float] = {}
        for i, count in zip(ids[level - BELOW].tolist(), counts[level - BELOW].tolist(), strict=True):
            parent = i >> (STEP * BELOW)
            inside[parent] = max(inside.get(parent, 0.0), count)
        for i, count in zip(ids[level].tolist(), counts[level].tolist(), strict=True):
            if count - inside.get(i, 0.0) > bar and abs(i) < EDGE:
                found.append((level, i))
    return found


def dyadic_net(alpha: float) -> list[Pair]:
    """Means and deviations in widths of a bin that begins at 0: within ασ of any of σ in (1/16, 1/4], in either.

    Examples
    --------
    >>> len(dyadic_net(1.0)), len(dyadic_net(0.1))
    (12, 678)
    """
    pairs: list[Pair] = []
    deviation = 1 / 16
    while deviation < 0.25:
        deviation = min(deviation * (1 + alpha), 0.25)
        count = math.ceil((1 + alpha) / (2 * alpha * deviation))
        pairs += [((j + 0.5) / count, deviation) for j in range(count)]
    return pairs


def most_splits(gamma: float) -> int:
    """How many bins may be kept, by Lemma 5, where rows are enough: BELOW·(log₂(1/τ) + 2)/τ of share τ = (1 − γ)/20."""
    part = (1 - gamma) / 20
    return math.floor(BELOW * (math.log2(1 / part) + 2) / part)


@register("aal21.dyadic_list")
@attrs.frozen
class DyadicList(_Decoded):
    """Gaussians at the bins that hold a component at its own scale: nets of means and deviations of each.

    Parameters
    ----------
    d : int
    low : int
        As the grids.
    """

    slots: ClassVar[tuple[Slot, ...]] = slots("found")
    d: int = attrs.field(kw_only=True, validator=positive_whole)
    low: int = attrs.field(kw_only=True, validator=_exponent)

    @staticmethod
    def examples() -> list[Any]:
        """For the contract battery."""
        return [(DyadicList(alpha=1.0, gamma=0.5, rows=100, d=d, low=-4), (SparseCounts(1, 5 * d),)) for d in (1, 2)]

    def shortest(self) -> float:
        """Of `dyadic_net`: as many deviations as there are factors 1 + α in 4, each with 2/α means."""
        return 2.0 * math.log(4.0) * (self.d / self.alpha) * (self.d / self.alpha)

    def output(self, *inputs: Domain) -> Domain:
        """A list of Gaussians."""
        bins = wants(inputs[0], SparseCounts, self.name)
        same(bins.p, 1, self.name)
        same(bins.levels % self.d, 0, self.name)
        one = float(most_splits(self.wanted.gamma)) * len(dyadic_net(self.wanted.alpha / self.d))
        return ListOf(Gaussian(self.d), bounded(*[one] * self.d, limit=self.limit))

    def apply(self, *values: Any) -> Any:
        """Column by column, then all combinations."""
        found, wanted = values[0], self.wanted
        levels = len(found) // self.d
        sizes, net = widths(self.low, levels), dyadic_net(wanted.alpha / self.d)
        columns: list[list[Pair]] = []
        for j in range(self.d):
            mine = found[j * levels : (j + 1) * levels]
            ids, counts = [level.ids[:, 0] for level in mine], [level.counts for level in mine]
            kept = split_bins(ids, counts, KEPT * (1 - wanted.gamma) * self.rows)
            kept = kept if len(kept) <= most_splits(wanted.gamma) else []
            made = [((i + mean) * sizes[level], sd * sizes[level]) for level, i in kept for mean, sd in net]
            columns.append([pair for pair in made if is_gaussian(pair)])
        return self.listed(columns)


@composite("aal21.dyadic_decoder", examples=EXAMPLE)
def dyadic_decoder(
    x: Handle,
    *,
    alpha: float,
    gamma: float,
    rows: int,
    share: float = 1.0,
    delta_fraction: float = 0.5,
    seed: int = 0,
    limit: int = LIMIT,
    low: int = -REACH,
    levels: int = REACH,
) -> Handle:
    """Axis-aligned Gaussians of any mean and deviation in a range of 2^±64, without pairs: n grows as 1/(1 − γ).

    Parameters
    ----------
    x : Handle
        Private rows, (n, d): a whole table or a part, with an index or without.
    alpha, gamma, rows, share, delta_fraction, seed, limit
        See :mod:`~dpframe_plugins.aal21.decoders`.
    low, levels : int
        Bins are 2^low·4^i wide, i < ``levels``: deviations from 2^(low + 4) on are found. Memory is that of all bins
        that hold a row: rows times the levels that tell them apart.

    Returns
    -------
    Handle
        A released list of at most ``limit`` axis-aligned Gaussians, in the units of the table; ``failed`` where there
        would be more, or no bin is heavy enough.

    Formal guarantees
    -----------------
    One stable histogram of d·levels levels at once: ``share`` of ρ, ``delta_fraction`` of δ. Any adjacency.

    References
    ----------
    AAL21, Algorithm 4, with other scales; docs/theory/aal21-practical.md, Lemma 5.
    """
    check_rows(x)
    grids = dp.post("aal21.dyadic_grids", d=x.d, levels=levels, low=low, name="grids")
    mechanism = dp.stable_histogram(share=share, delta_fraction=delta_fraction)
    found = dp.release("found", mechanism, dp.column_cells(x, grids, levels=x.d * levels))
    told: dict[str, Any] = {"alpha": alpha, "gamma": gamma, "rows": rows, "limit": limit, "d": x.d, "low": low}
    return dp.post("aal21.dyadic_list", found, name="list", **told)


def dyadic_rows(
    k: int, d: int, alpha: float, beta: float, *, target: Target | None, share: float = 1.0, levels: int = REACH
) -> int:
    """n₁ of Lemma 5 with α/18, β/2k and γ = 1 − α/18k: rows at which every component of weight α/18k is listed.

    Examples
    --------
    >>> 1e6 < dyadic_rows(2, 1, 0.1, 0.1, target=None) < 5e6
    True
    """
    budget = target.budget if target is not None else dp.approx_dp(epsilon=1.0, delta=1e-6)
    delta = budget_of(target)[1]
    part, wanted = alpha / (18 * k), Accuracy(alpha / 18, 1 - alpha / (18 * k))
    noise = math.sqrt(2 * d * levels) / math.sqrt(2 * share * budget_rho(budget))
    far = math.sqrt(2 * math.log(4 * k * d * most_splits(wanted.gamma) * levels / beta))
    needed = noise * (far + math.sqrt(2 * math.log(2 * d * levels / delta))) + 1  # a bin is published
    rows = needed / LOST / part
    gap = SPLIT - KEPT
    root = (far + math.sqrt(far * far + 4 * gap * 2 * far * noise)) / (2 * gap)  # gap·y² = far·y + 2·far·noise
    return math.ceil(max(rows, root * root / part))
