"""Posts of the list decoders: released histograms in, lists of Gaussians out, with static bounds on their length."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import attrs
import numpy as np

from dpframe.plugin import EXPONENTS as DYADIC
from dpframe.plugin import LOWEST_EXPONENT as LOWEST
from dpframe.plugin import (
    Array,
    Domain,
    Failed,
    Gaussian,
    GaussianValue,
    ListOf,
    PlanError,
    Post,
    Slot,
    SparseCounts,
    SpecError,
    Vector,
    positive_whole,
    register,
    same,
    wants,
)

from .bin_nodes import SCALES, nothing_heavy, scale_list
from .grids import threshold
from .lists import EDGE, Accuracy, Pair, around, bounded, heavy_bins, is_gaussian, products
from .nodes import known_sds, slots

LONGEST = 10**7
"""Gaussians that any list may be told to hold."""


def too_long(length: int, limit: int) -> Failed:
    """⊥ for a list that is not written out."""
    return Failed(f"the released list has {length} components, more than limit = {limit}", "raise alpha or limit")


@attrs.frozen
class _Decoded(Post):
    """What the posts that make a list share.

    Parameters
    ----------
    alpha, gamma : float
        See :class:`~dpframe_plugins.aal21.lists.Accuracy`.
    rows : int
        Public number of rows the histograms were taken of.
    limit : int
        Most components that are written out.
    """

    alpha: float = attrs.field(kw_only=True)
    gamma: float = attrs.field(kw_only=True)
    rows: int = attrs.field(kw_only=True, validator=positive_whole)
    limit: int = attrs.field(default=100_000, kw_only=True, validator=positive_whole)

    @property
    def wanted(self) -> Accuracy:
        """The accuracy, checked."""
        wanted, most = Accuracy(self.alpha, self.gamma), min(self.limit, LONGEST)
        if self.shortest() > most:
            raise SpecError(
                f"alpha = {self.alpha!r} asks for a list of more than {most} Gaussians from a single bin",
                fix="raise alpha" + ", or limit" * (self.limit < LONGEST),
            )
        return wanted

    def shortest(self) -> float:
        """At least so many are listed wherever one bin is heavy: the net of means of a step of α."""
        return 1.0 / self.alpha

    def listed(self, columns: list[list[Pair]]) -> Any:
        """Every choice of a pair a column, or ⊥."""
        length = math.prod(len(c) for c in columns)
        if length == 0:
            return nothing_heavy()
        if length > self.limit:
            return too_long(length, self.limit)
        return list(products(columns))


@register("aal21.scale_list")
@attrs.frozen
class ScaleList(_Decoded):
    """Standard deviations from dyadic counts of pairs: (column, 2^(i+1)) for each heavy bin (2^i, 2^(i+1)].

    A bin is kept above max((1 − γ)²·pairs/8, what noise alone passes); more than 12/(1 − γ)² of a column are none.
    Two rows of one component meet in a share (1 − γ)² of the pairs: all pairs are counted, or a light component would
    be listed at no n.

    References
    ----------
    AAL21, Algorithm 3 and Lemma 4.7; at n = 1e5 the share (1 − γ)² is under one row, and the noise rules.
    """

    slots: ClassVar[tuple[Slot, ...]] = slots("sizes")

    @staticmethod
    def examples() -> list[Any]:
        """For the contract battery."""
        return [(ScaleList(alpha=1.0, gamma=0.5, rows=100), (Array((d, DYADIC)),)) for d in (1, 2)]

    def output(self, *inputs: Domain) -> Domain:
        """A list of pairs."""
        shape = wants(inputs[0], Array, self.name).shape
        if len(shape) != 2 or shape[1] != DYADIC:
            raise PlanError(f"{self.name} takes dyadic counts, not {inputs[0]}", fix="give it dyadic_counts of pairs")
        return ListOf(Vector(2), shape[0] * self.wanted.most_scales())

    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """Column by column; ⊥ where one has none."""
        counts = np.asarray(values[0], dtype=np.float64)
        bar = max(self.wanted.heavy_scale(self.rows // 2), threshold(noise[0], counts.size))
        found = []
        for j, row in enumerate(counts):
            heavy = heavy_bins(range(DYADIC), row.tolist(), bar, self.wanted.most_scales())
            usable = [i for i in heavy if -900 < i + LOWEST < 900]
            if not usable:
                return Failed("no distance between rows stands out of the noise", "use more rows or a larger epsilon")
            found += [np.array([float(j), math.ldexp(1.0, i + LOWEST + 1)]) for i in usable]
        return found


@register("aal21.known_list")
@attrs.frozen
class KnownList(_Decoded):
    """Gaussians of known covariance diag(sd²): a net of step 2α/d around every heavy bin, the product over columns.

    References
    ----------
    AAL21, Algorithm 2, Corollaries 4.5 and E.2.
    """

    slots: ClassVar[tuple[Slot, ...]] = slots("bins")
    sds: tuple[float, ...] = attrs.field(converter=known_sds, kw_only=True)

    def output(self, *inputs: Domain) -> Domain:
        """A list of Gaussians."""
        d = wants(inputs[0], SparseCounts, self.name).levels
        same(len(self.sds), d, self.name)
        one = self.wanted.most_bins() * len(self.wanted.known_net(d))
        return ListOf(Gaussian(d), bounded(*[one] * d, limit=self.limit))

    def apply(self, *values: Any) -> Any:
        """Heavy bins, nets, products."""
        d, wanted = len(self.sds), self.wanted
        columns = []
        for level, sd in zip(values[0], self.sds, strict=True):
            heavy = heavy_bins(level.ids[:, 0].tolist(), level.counts, wanted.heavy(self.rows), wanted.most_bins())
            pairs = [p for i in heavy for p in around(i * sd, sd, wanted.known_net(d), [1.0])]
            columns.append([p for p in pairs if is_gaussian(p)])
        return self.listed(columns)


@register("aal21.gaussian_list")
@attrs.frozen
class GaussianList(_Decoded):
    """Gaussians in one dimension: around each heavy bin of each listed scale, means and deviations of that scale only.

    T6: pairing a mean with the scale whose run found it makes the list ∝ (1 − γ)^−3; the text's product of all means
    with all deviations is ∝ (1 − γ)^−5 and holds nothing nearer, for Claim 4.12 finds the mean in the run of the right
    scale.

    References
    ----------
    AAL21, Algorithm 4; docs/theory/corrections.md#t6.
    """

    slots: ClassVar[tuple[Slot, ...]] = slots("scales", "found")

    @staticmethod
    def examples() -> list[Any]:
        """For the contract battery."""
        wanted = GaussianList(alpha=0.5, gamma=0.5, rows=100)
        return [(wanted, (SCALES, ListOf(SparseCounts(1, 1), 3)))]

    def output(self, *inputs: Domain) -> Domain:
        """A list of Gaussians."""
        most, runs = scale_list(inputs[0], self.name), wants(inputs[1], ListOf, self.name)
        same(runs.max_length, most, self.name)
        same(wants(runs.item, SparseCounts, self.name).levels, 1, self.name)
        wanted = self.wanted
        return ListOf(
            Gaussian(1),
            bounded(most, wanted.most_bins(), len(wanted.mean_net()), len(wanted.sd_net()), limit=self.limit),
        )

    def apply(self, *values: Any) -> Any:
        """Run by run; a run with too many heavy bins gives none."""
        pairs: list[Pair] = []
        for (_, scale), (level,) in zip(values[0], values[1], strict=False):
            pairs += pairs_of(level, float(scale), self.wanted, self.rows, 1)
        return self.listed([pairs])


def pairs_of(level: Any, scale: float, wanted: Accuracy, rows: int, d: int) -> list[Pair]:
    """Means and deviations that one histogram of one column lists."""
    heavy = heavy_bins(level.ids[:, 0].tolist(), level.counts, wanted.heavy(rows), wanted.most_bins())
    nets = wanted.mean_net(d), wanted.sd_net(d)
    return [p for i in heavy for p in around(i * scale, scale, *nets) if is_gaussian(p)]


@register("aal21.product_list")
@attrs.frozen
class ProductList(_Decoded):
    """Axis-aligned Gaussians: a pair of mean and deviation for each column, in every combination.

    References
    ----------
    AAL21, Algorithm 5, with T1 and T6.
    """

    slots: ClassVar[tuple[Slot, ...]] = slots("scales", "found")
    d: int = attrs.field(kw_only=True, validator=positive_whole)

    @staticmethod
    def examples() -> list[Any]:
        """For the contract battery."""
        return [(ProductList(alpha=1.0, gamma=0.5, rows=100, d=d), (SCALES, SparseCounts(1, 3))) for d in (1, 2)]

    def output(self, *inputs: Domain) -> Domain:
        """A list of Gaussians."""
        bins = wants(inputs[1], SparseCounts, self.name)
        same(scale_list(inputs[0], self.name), bins.levels, self.name)
        same(bins.p, 1, self.name)
        wanted = self.wanted
        one = wanted.most_scales() * wanted.most_bins() * len(wanted.mean_net(self.d)) * len(wanted.sd_net(self.d))
        return ListOf(Gaussian(self.d), bounded(*[one] * self.d, limit=self.limit))

    def apply(self, *values: Any) -> Any:
        """Column by column, then all combinations."""
        columns: list[list[Pair]] = [[] for _ in range(self.d)]
        for (column, scale), level in zip(values[0], values[1], strict=False):
            columns[min(max(int(column), 0), self.d - 1)] += pairs_of(
                level, float(scale), self.wanted, self.rows, self.d
            )
        return self.listed(columns)


@register("aal21.joint_list")
@attrs.frozen
class JointList(_Decoded):
    """Axis-aligned Gaussians around heavy product bins: what no column shows alone is not combined.

    A component puts (1 − γ)·3^(−d) of the rows into the bin of its mean at its own scales; bins above three eighths of
    that are kept, at most 4·3^d/(1 − γ) of them.
    """

    slots: ClassVar[tuple[Slot, ...]] = slots("boxes", "found")
    d: int = attrs.field(kw_only=True, validator=positive_whole)

    def output(self, *inputs: Domain) -> Domain:
        """A list of Gaussians."""
        levels = wants(inputs[1], SparseCounts, self.name).levels
        same(wants(inputs[0], Array, self.name).shape[0], levels, self.name)
        wanted = self.wanted
        nets = len(wanted.mean_net(self.d)) * len(wanted.sd_net(self.d))
        return ListOf(Gaussian(self.d), bounded(levels, wanted.most_bins(self.d), *[nets] * self.d, limit=self.limit))

    def apply(self, *values: Any) -> Any:
        """Bin by bin: the nets of its own scales."""
        wanted, nets = self.wanted, (self.wanted.mean_net(self.d), self.wanted.sd_net(self.d))
        found: list[GaussianValue] = []
        for box, level in zip(np.asarray(values[0]), values[1], strict=True):
            counts = level.counts
            inside = np.abs(level.ids).max(axis=1, initial=0) < EDGE
            kept = [i for i in range(len(counts)) if inside[i] and counts[i] > wanted.heavy(self.rows, self.d)]
            if len(kept) > wanted.most_bins(self.d):
                continue
            length = len(found) + len(kept) * (len(nets[0]) * len(nets[1])) ** self.d
            if length > self.limit:
                return too_long(length, self.limit)
            for i in kept:
                sizes = box[self.d :]
                columns = [
                    [p for p in around(float(c) * s, s, *nets) if is_gaussian(p)]
                    for c, s in zip(level.ids[i], sizes.tolist(), strict=True)
                ]
                found += products(columns)
        return found or nothing_heavy()
