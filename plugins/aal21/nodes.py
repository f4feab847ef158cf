"""Posts of the practical mode: released values in, grids, edges and candidate mixtures out."""

from __future__ import annotations

import itertools
import math
from typing import Any, ClassVar

import attrs
import numpy as np

from dpframe.plugin import EXPONENTS as DYADIC
from dpframe.plugin import (
    PARAM,
    Array,
    Counts,
    Domain,
    Failed,
    PlanError,
    Post,
    Record,
    Slot,
    SparseCounts,
    positive,
    positive_whole,
    register,
    same,
    wants,
    whole,
)

from . import candidates, grids
from .fitting import Cells, Floats
from .lists import EDGE

CANDIDATES = "aal21.candidates"
FINITE = 2.0**900


def slots(*names: str) -> tuple[Slot, ...]:
    """Released or public inputs."""
    return tuple(Slot(name, PARAM) for name in names)


def no_scale() -> Failed:
    """⊥ where pairs of rows show no distance."""
    return Failed(
        "no distance between rows stands out of the noise: most pairs of rows may be equal",
        "use more rows or a larger epsilon; count categories of a discrete column with histogram",
    )


def no_rows() -> Failed:
    """⊥ where no bin could be published."""
    return Failed("no bin holds enough rows to be published", "use more rows or a larger epsilon")


def too_far() -> Failed:
    """⊥ where the bins that were published are the outermost: float64 has no finer place there."""
    return Failed(
        "most rows of a column lie farther from 0 than 2^52 of its bins",
        "subtract a public number near them, or leave such rows out; mark missing cells as empty, not by a number",
    )


def near_bins(level: Any) -> tuple[dict[int, float], float]:
    """Published bins of a column with their counts, but for the outermost, and what these hold."""
    found = dict(zip(level.ids[:, 0].tolist(), level.counts.tolist(), strict=True))
    near = {i: count for i, count in found.items() if abs(i) < EDGE}
    return near, sum(found.values()) - sum(near.values())


def known_sds(value: Any) -> tuple[float, ...]:
    """Standard deviations as declared parameters: none, or one a column."""
    return tuple(float(v) for v in value)


@register("aal21.grids")
@attrs.frozen
class GridsOf(Post):
    """Grids of every column from dyadic counts of pairs, nested from twice the widest scale to below the least.

    Parameters
    ----------
    seed : int
        Public seed of the corners.
    """

    slots: ClassVar[tuple[Slot, ...]] = slots("sizes")
    seed: int = attrs.field(default=0, kw_only=True, validator=whole)

    def output(self, *inputs: Domain) -> Domain:
        """(column, offset, size) of each level."""
        shape = wants(inputs[0], Array, self.name).shape
        if len(shape) != 2 or shape[1] != DYADIC:
            raise PlanError(f"{self.name} takes dyadic counts, not {inputs[0]}", fix="give it dyadic_counts of pairs")
        return Array((shape[0] * grids.LEVELS, 3))

    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """Read the scales off; ⊥ where a column has none."""
        counts = np.asarray(values[0], dtype=np.float64)
        rng = np.random.default_rng(self.seed)
        found = []
        for j, row in enumerate(counts):
            scales = grids.scales(row, noise[0], counts.size)
            if scales is None:
                return no_scale()
            found.append(grids.column_grids(j, scales, rng))
        listed = np.concatenate(found)
        return np.concatenate([listed, np.zeros((len(counts) * grids.LEVELS - len(listed), 3))])


@register("aal21.known_grids")
@attrs.frozen
class KnownGrids(Post):
    """Grids of every column at a known scale: three, nested, from 16 standard deviations to a half.

    Parameters
    ----------
    sds : sequence of float
        One a column, public.
    seed : int
        Public seed of the corners.
    """

    sds: tuple[float, ...] = attrs.field(converter=known_sds, kw_only=True)
    seed: int = attrs.field(default=0, kw_only=True, validator=whole)

    def output(self, *inputs: Domain) -> Domain:
        """(column, offset, size) of each level."""
        if not self.sds or not all(2.0**-400 < s < 2.0**400 for s in self.sds):
            raise PlanError("standard deviations must be between 1e-120 and 1e120", fix="change the units of the table")
        return Array((len(self.sds) * grids.LEVELS, 3))

    def apply(self, *values: Any) -> Any:
        """Write them down."""
        rng = np.random.default_rng(self.seed)
        found = [grids.column_grids(j, grids.Scales(8.0 * s, 2.0 * s), rng) for j, s in enumerate(self.sds)]
        listed = np.concatenate(found)
        return np.concatenate([listed, np.zeros((len(self.sds) * grids.LEVELS - len(listed), 3))])


@register("aal21.edges")
@attrs.frozen
class EdgesOf(Post):
    """Edges of every column that follow the published bins: fine where rows are, wide elsewhere.

    Parameters
    ----------
    d : int
    most : int
        Edges a column.
    finer : int
        Pieces of a bin are this many times as many.
    """

    slots: ClassVar[tuple[Slot, ...]] = slots("bins", "grids")
    d: int = attrs.field(kw_only=True, validator=positive_whole)
    most: int = attrs.field(kw_only=True, validator=positive_whole)
    finer: int = attrs.field(default=1, kw_only=True, validator=positive_whole)

    def output(self, *inputs: Domain) -> Domain:
        """A padded list a column."""
        bins, listed = wants(inputs[0], SparseCounts, self.name), wants(inputs[1], Array, self.name)
        same(bins.levels, listed.shape[0], self.name)
        return Array((self.d, self.most))

    def apply(self, *values: Any) -> Any:
        """Cut the bins up; ⊥ where a column has none."""
        released, listed = values[0], np.asarray(values[1], dtype=np.float64)
        out = np.zeros((self.d, self.most))
        for j in range(self.d):
            mine = [
                (*near_bins(level), offset, size)
                for level, (column, offset, size) in zip(released, listed, strict=True)
                if column == j and size > 0.0
            ]
            if mine and mine[0][1] > sum(mine[0][0].values()):
                return too_far()
            levels = [grids.Level(offset, size, near) for near, _, offset, size in mine]
            if not all(1.0 <= wide.size / fine.size < 2.0**52 for wide, fine in itertools.pairwise(levels)):
                return no_rows()
            edges = grids.column_edges(levels, self.most, finer=self.finer)
            if edges is None or not (np.abs(edges) < FINITE).all():
                return no_rows()
            out[j] = grids.padded(edges, self.most)
        return out


@register("aal21.joint_edges")
@attrs.frozen
class JointEdges(Post):
    """Fewer edges a column, for product cells: they cut the noisy marginal counts into parts of about equal mass.

    Parameters
    ----------
    cells : int
        Cells a column.
    """

    slots: ClassVar[tuple[Slot, ...]] = slots("marginals", "edges")
    cells: int = attrs.field(kw_only=True, validator=positive_whole)

    def output(self, *inputs: Domain) -> Domain:
        """A padded list a column."""
        marginals, edges = wants(inputs[0], Array, self.name).shape, wants(inputs[1], Array, self.name).shape
        if marginals != (edges[0], edges[1] + 1) or self.cells < 2:
            raise PlanError(
                f"{self.name} takes counts between the edges, and at least 2 cells", fix="give it marginal_counts"
            )
        return Array((edges[0], self.cells - 1))

    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """Column by column."""
        out = []
        for counts, edges in zip(np.asarray(values[0]), np.asarray(values[1]), strict=True):
            distinct, bins = grids.real_bins(edges)
            chosen = grids.quantile_edges(distinct, counts[bins], noise[0], self.cells)
            out.append(grids.padded(chosen, self.cells - 1))
        return np.array(out)


@register("aal21.fit")
@attrs.frozen
class Fit(Post):
    """Candidate mixtures fitted to the noisy counts of released cells.

    Parameters
    ----------
    k : int
        Most components.
    sds : sequence of float
        Known standard deviations, one a column; none where they are to be found.
    seed : int
        Public seed of the restarts.
    rows : int
        Public number of rows, for the warning.
    alpha : float
        Total variation that is hoped for, for the warning.
    """

    slots: ClassVar[tuple[Slot, ...]] = (
        *slots("counts", "edges"),
        Slot("marginals", PARAM, optional=True),
        Slot("fine", PARAM, optional=True),
    )
    k: int = attrs.field(kw_only=True, validator=positive_whole)
    sds: tuple[float, ...] = attrs.field(default=(), converter=known_sds, kw_only=True)
    seed: int = attrs.field(default=0, kw_only=True, validator=whole)
    rows: int = attrs.field(default=2**53, kw_only=True, validator=positive_whole)
    alpha: float = attrs.field(default=1.0, kw_only=True, validator=positive)

    def warnings(self) -> list[str]:
        """Where the sampling error alone is likely to pass the total variation that is hoped for."""
        expected = math.sqrt((3 * self.k - 1) / self.rows)
        if expected <= self.alpha:
            return []
        return [f"{self.rows} rows are few for alpha = {self.alpha:g}: expect an error of about {expected:.2g} or more"]

    def output(self, *inputs: Domain) -> Domain:
        """A record."""
        shape = wants(inputs[1], Array, self.name).shape
        same(wants(inputs[0], Counts, self.name).m, (shape[1] + 1) ** shape[0], self.name)
        if self.sds:
            same(len(self.sds), shape[0], self.name)
        if len(inputs) == 4:
            marginals, fine = (wants(domain, Array, self.name).shape for domain in inputs[2:])
            if len(fine) != 2 or fine[0] != shape[0] or marginals != (fine[0], fine[1] + 1):
                raise PlanError(f"{self.name} takes counts between the fine edges", fix="give it marginal_counts")
        elif len(inputs) == 3:
            raise PlanError(f"{self.name} takes marginals with their edges", fix="give both or none")
        return Record(CANDIDATES)

    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """Fit in units of about one, and undo these units."""
        with np.errstate(all="ignore"):
            made = framed(np.asarray(values[0]), np.asarray(values[1]), noise[0], self.sds)
            if made is None:
                return no_rows()
            cells, centre, unit = made
            if len(values) == 4:
                cells = with_marginals(cells, centre, unit, values[2], values[3], noise[2])
            models = [m for m in candidates.candidates(cells, self.k, self.seed) if candidates.is_usable(m)]
            if not models:
                return no_rows()
            found = candidates.packed(models, self.k)
            means, variances = centre + unit * found.means, unit**2 * found.variances
        if not (np.isfinite(means).all() and np.isfinite(variances).all() and variances.min() > 0.0):
            return Failed("the fitted mixtures have no form in float64", "bring the columns to comparable units")
        return candidates.Candidates(found.weights, means, variances)


def with_marginals(cells: Cells, centre: Floats, unit: Floats, counts: Any, edges: Any, noise: float) -> Cells:
    """Cells with the finer counts of each column, in the same units."""
    found = []
    for j, (row, fine) in enumerate(zip(np.asarray(counts), np.asarray(edges), strict=True)):
        distinct, bins = grids.real_bins(fine)
        scaled = (distinct - centre[j]) / unit[j]
        rising = np.concatenate([[True], np.diff(scaled) > 0.0])
        found.append((scaled[rising], np.add.reduceat(row[bins], np.flatnonzero(np.append(rising, True)))))
    return attrs.evolve(cells, marginals=tuple(found), marginal_noise=noise)


def framed(counts: Floats, edges: Floats, noise: float, sds: tuple[float, ...]) -> tuple[Cells, Floats, Floats] | None:
    """Cells in units of about one without the bins that padding made, the centre (d,) and the units (d,)."""
    d, m = edges.shape
    columns, shape = [], np.asarray(counts, dtype=np.float64).reshape((m + 1,) * d)
    for j, row in enumerate(edges):
        distinct, bins = grids.real_bins(row)
        shape = np.take(shape, bins, axis=j)
        columns.append(distinct)
    centre = np.array([np.median(c) for c in columns])
    unit = np.array([np.quantile(c, 0.75) - np.quantile(c, 0.25) if len(c) > 1 else 1.0 for c in columns])
    if not (unit > 0.0).all():
        return None
    scaled = tuple((c - x) / u for c, x, u in zip(columns, centre, unit, strict=True))
    known = np.array(sds) / unit if sds else None
    return Cells(scaled, shape, noise, known), centre, unit
