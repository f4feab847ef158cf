"""Posts of PEGME: grids, the balls that released cells show, balls in the whole space, and the mixture of the parts."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import attrs
import numpy as np

from dpframe.plugin import (
    PARAM,
    Above,
    AffineMap,
    Ball,
    BallValue,
    Counts,
    Domain,
    Expected,
    Failed,
    Gaussian,
    Grids,
    ListOf,
    Mixture,
    MixtureValue,
    PlanError,
    Post,
    Record,
    Slot,
    SparseCounts,
    positive,
    positive_definite,
    positive_whole,
    register,
    same,
    wants,
    whole,
)
from dpframe_plugins.classic.moments import predicted_mean
from dpframe_plugins.practical import cells, records
from dpframe_plugins.practical.locate import COVERAGE
from dpframe_plugins.practical.nodes import answering, cells_seen, slots
from dpframe_plugins.shared.truncation import chi_quantile

from .finding import balls, clusters
from .gaussian import RATIO

FINEST, COARSEST = 2.0, 8.0
"""Sides of the cells, from FINEST·sigma_min to COARSEST·sigma_max."""
MOST_LEVELS = 24
SEEN, PLAIN, COARSE = 6.0, 24.0, 12.0
"""Rows of a component over what a published cell must exceed, and over the noise of histograms that narrow its ball, of
fine bins or coarse ones: from here on it is expected to be found."""
LEAST = 0.5
"""A ball needs this part of the rows of the lightest component: cells below the threshold are not seen."""
LEAST_WEIGHT = 1e-6
NO_BALL = ("a list of balls is shorter than the number of components", "use more rows or a smaller k")


def levels(sigma_min: float, sigma_max: float) -> int:
    """Number of grids, each half as fine as the one before.

    Examples
    --------
    >>> levels(1.0, 1.0), levels(0.03, 30.0)
    (3, 13)
    """
    return 1 + math.ceil(math.log2(COARSEST / FINEST) + math.log2(sigma_max) - math.log2(sigma_min) - 1e-9)


def below_columns(what: str, columns: int, asked: int) -> list[str]:
    """What a plan says where there are fewer columns than a theorem of the paper asks for.

    Examples
    --------
    >>> below_columns("d", 64, 1165)
    ["d=64 is below the 1165 of KSSU19's theorem, which says nothing of this run; privacy does not depend on it"]
    """
    if columns >= asked:
        return []
    rest = "which says nothing of this run; privacy does not depend on it"
    return [f"{what}={columns} is below the {asked} of KSSU19's theorem, {rest}"]


@register("kssu19.grids")
@attrs.frozen
class GridsNode(Post):
    """Nested grids in a projection, for clusters of a known range of widths, with a public random corner.

    Parameters
    ----------
    levels : int
    finest : float
        Side of the smallest cells.
    seed : int
        Public.
    """

    slots: ClassVar[tuple[Slot, ...]] = slots("map")
    levels: int = attrs.field(kw_only=True, validator=positive_whole)
    finest: float = attrs.field(kw_only=True, validator=positive)
    seed: int = attrs.field(default=0, kw_only=True, validator=whole)

    def output(self, *inputs: Domain) -> Domain:
        """A record."""
        wants(inputs[0], AffineMap, self.name)
        return Record("grids")

    @answering
    def apply(self, *values: Any) -> Any:
        """Halving sides."""
        sizes = self.finest * 2.0 ** np.arange(self.levels - 1.0, -1.0, -1.0)
        return Grids(cells.grid_offset(sizes, values[0].matrix.shape[1], self.seed), sizes)


@register("kssu19.balls")
@attrs.frozen
class Balls(Post):
    """Balls around k clusters of released cells, small ones first (Algorithm 1's loop; C9: always k rounds).

    Parameters
    ----------
    k : int
    w_min : float
        Least weight of a component.
    columns, asked : int
        Dimensions ℓ of the projection and those that the theorem asks for, to warn of fewer.
    """

    slots: ClassVar[tuple[Slot, ...]] = slots("cells", "grids")
    k: int = attrs.field(kw_only=True, validator=positive_whole)
    w_min: float = attrs.field(kw_only=True, validator=positive)
    columns: int = attrs.field(default=0, kw_only=True, validator=whole)
    asked: int = attrs.field(default=0, kw_only=True, validator=whole)

    def warnings(self) -> list[str]:
        """Below the theorem's dimensions."""
        return below_columns("ℓ", self.columns, self.asked)

    def output(self, *inputs: Domain) -> Domain:
        """A list of balls."""
        return ListOf(Ball(wants(inputs[0], SparseCounts, self.name).p), self.k)

    def expects_answer(self, rows: int, noise: Above) -> bool:
        """Whether each of k components of equal weight has enough rows for its cells to be published."""
        return cells_seen(rows / self.k, noise, SEEN)

    @answering
    def apply(self, *values: Any) -> Any:
        """Search the cells."""
        published, grids = values
        points = released_points(published, grids)
        found = None
        if points is not None:
            found = clusters(points, self.k, LEAST * self.w_min * float(points.weights.sum()))
        if found is None:
            return Failed(
                f"fewer than {self.k} components were found",
                "use more rows, a larger epsilon, a smaller k, or a smaller w_min",
            )
        return balls(found)


def released_points(published: Any, grids: Any) -> cells.Points | None:
    """Weighted points of published cells; None where there is none."""
    nested = [
        records.Cells(float(size), np.asarray(c.ids), c.counts) for c, size in zip(published, grids.sizes, strict=False)
    ]
    return cells.points(nested, grids.offset)


@register("kssu19.lifted")
@attrs.frozen
class Lifted(Post):
    """The ball around one of the found centres in the whole space, twice as wide as the one that holds the table.

    Parameters
    ----------
    index : int
        Of the found ball.
    """

    slots: ClassVar[tuple[Slot, ...]] = slots("balls", "map", "ball")
    index: int = attrs.field(kw_only=True, validator=whole)

    def output(self, *inputs: Domain) -> Domain:
        """A ball."""
        found, through, ball = inputs
        inner = wants(wants(found, ListOf, self.name).item, Ball, self.name)
        mapped = wants(through, AffineMap, self.name)
        same(mapped.d, wants(ball, Ball, self.name).d, self.name)
        same(mapped.p, inner.d, self.name)
        return ball

    @answering
    def apply(self, *values: Any) -> Any:
        """Lift."""
        found, through, ball = values
        if self.index >= len(found):
            return Failed(*NO_BALL)
        centre = through.shift + through.matrix @ found[self.index].centre
        return BallValue(centre, min(2.0 * ball.radius, 2.0**500))


@register("kssu19.mixture")
@attrs.frozen
class Assemble(Post):
    """A mixture of Gaussians weighted by their noisy counts (C5: ñ_j/Σñ), or equally.

    Parameters
    ----------
    equal : bool
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("learned", PARAM, variadic=True),)
    equal: bool = attrs.field(default=False, kw_only=True)

    def output(self, *inputs: Domain) -> Domain:
        """A mixture of as many components as there are pairs of a Gaussian and a count."""
        if not inputs or len(inputs) % 2:
            raise PlanError(f"{self.name} takes a Gaussian and a count of each part", fix="give both of every part")
        d = wants(inputs[0], Gaussian, self.name).d
        for gaussian, count in zip(inputs[::2], inputs[1::2], strict=True):
            same(wants(gaussian, Gaussian, self.name).d, d, self.name)
            same(wants(count, Counts, self.name).m, 1, self.name)
        return Mixture(len(inputs) // 2, d)

    def expects_answer(self, rows: int, noise: Above) -> bool:
        """Whether each of so many equal parts shows in the histograms that narrow its ball."""
        return parts_seen(rows / (len(noise.stds) // 2), noise, COARSE if noise.of("weighted_grams") else PLAIN)

    def predicted_error(self, result: Domain, rows: int, noise: Above) -> Expected | None:
        """Predicted error where all parts are alike and PSGE or ``coinpress_gaussian`` learns each."""
        return predicted(wants(result, Mixture, self.name), rows, noise)

    def apply(self, *values: Any) -> Any:
        """Side by side."""
        counts = np.array([max(float(c[0]), 0.0) for c in values[1::2]])
        return mixture(values[::2], np.ones(len(counts)) if self.equal else counts)


def parts_seen(each: float, noise: Above, times: float) -> bool:
    """Whether so many rows are several times the noise of every histogram of distances."""
    return all(each >= times * std for std in noise.of("distance_histogram"))


def predicted(mixture: Mixture, rows: int, noise: Above) -> Expected | None:
    """The distance of a mean of equal parts, whose rows are whitened, or clipped where 98 % of them lie."""
    sums, grams, each = noise.of("sum")[-1:], noise.of("weighted_grams"), rows / mixture.k
    if not (sums or grams) or not rows:
        return None
    if grams:
        passes = len(grams) // mixture.k
        parts = [predicted_mean(mixture.d, each, grams[i * passes : (i + 1) * passes]) for i in range(mixture.k)]
        error = math.hypot(*parts) / math.sqrt(mixture.k)
    else:
        wide = chi_quantile(mixture.d, COVERAGE) * RATIO**0.5
        error = math.sqrt(mixture.d) * math.hypot(1.0 / math.sqrt(each), sums[0] * wide / each)
    what = "distance of a component's mean, in its standard deviations (root mean square)"
    return Expected(error, what, f"{mixture.k} Gaussians of equal weight and covariance I, far apart")


def mixture(gaussians: Any, counts: Any) -> Any:
    """Gaussians side by side, weighted by counts that are made to add up to 1."""
    if not counts.sum() > 0 or not np.isfinite(counts).all():
        return Failed("no part holds rows that stand out of the noise", "use more rows or a larger budget")
    weights = np.maximum(counts / counts.sum(), LEAST_WEIGHT)
    covariances = np.array([g.covariance for g in gaussians])
    if not all(positive_definite(c) for c in covariances):
        return Failed("a part's covariance is singular in float64", "bring the columns to comparable units")
    return MixtureValue(weights / weights.sum(), np.array([g.mean for g in gaussians]), covariances)
