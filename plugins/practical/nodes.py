"""The post-processing nodes of the practical mixture: released values in, released values out."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

import attrs
import numpy as np

from dpframe.plugin import (
    PARAM,
    Above,
    AffineMap,
    AffineValue,
    Ball,
    BallValue,
    Counts,
    Domain,
    ExpectedBall,
    Failed,
    Grids,
    Post,
    Record,
    Slot,
    SparseCounts,
    Symmetric,
    Vector,
    Whitening,
    WhiteningValue,
    positive_whole,
    register,
    same,
    wants,
    whole,
)
from dpframe_plugins.classic.search import expected_ball, moved_ball
from dpframe_plugins.shared.records import wants_record

from . import cells, clipping, deconvolution, dense, locate, passes, radii, records, scales, subspace
from .trees import Tree

SEEN = 6.5
"""Rows of a component over what a published cell must exceed: from here on the start is expected to find it."""
COUNTED = 14.0
"""The same over the noise of a count, where all cells of fixed grids are counted."""
REACH = 16.0
"""Rows farther than this many ball radii saturate: they are outliers, held on their ray."""


METHOD = TypeVar("METHOD", bound=Callable[..., Any])


def answering(method: METHOD) -> METHOD:
    """A post node's method that fails where its released inputs determine nothing in float64, and never raises."""

    @functools.wraps(method)
    def attempt(*args: Any) -> Any:
        try:
            with np.errstate(all="ignore"):
                return method(*args)
        except (np.linalg.LinAlgError, OverflowError, ZeroDivisionError):
            return Failed(
                "the released values determine no mixture in floating point",
                "use more rows, a larger epsilon, or a bound nearer to the data",
            )

    return attempt  # type: ignore[return-value]


def slots(*names: str) -> tuple[Slot, ...]:
    """Released or public inputs."""
    return tuple(Slot(name, PARAM) for name in names)


@register("practical.clip_ball")
@attrs.frozen
class ClipBall(Post):
    """The ball around the same centre that holds 98 % of the rows, from a noisy histogram of distances."""

    slots: ClassVar[tuple[Slot, ...]] = slots("ball", "distances")
    ratio: float = attrs.field(kw_only=True)

    def output(self, *inputs: Domain) -> Domain:
        """A ball."""
        wants(inputs[1], Counts, self.name)
        return wants(inputs[0], Ball, self.name)

    @answering
    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """Read the radius off the histogram."""
        ball, counts = values
        edges = locate.radial_edges(ball.radius, bins=len(counts) - 1, ratio=self.ratio)
        radius = locate.next_radius(edges, np.asarray(counts), noise[1], ball.radius)
        return BallValue(ball.centre, min(max(radius, np.finfo(float).tiny), 2.0**1000))

    def predicted_ball(self, result: Domain, rows: int, noise: Above) -> ExpectedBall | None:
        """About 98 % of them."""
        d = wants(result, Ball, self.name).d
        return expected_ball(noise.balls[0], d, rows, noise, self.ratio)


@register("practical.move_ball")
@attrs.frozen
class MoveBall(Post):
    """The next search ball: the noisy mean of the rows clipped to a ball, four times its radius around it.

    A ball of the same radius where it is not to be widened.
    """

    slots: ClassVar[tuple[Slot, ...]] = slots("ball", "sum", "count")
    widens: bool = attrs.field(default=True, kw_only=True)

    def output(self, *inputs: Domain) -> Domain:
        """A ball."""
        ball = wants(inputs[0], Ball, self.name)
        same(ball.d, wants(inputs[1], Vector, self.name).d, self.name)
        return ball

    @answering
    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """Move and widen."""
        ball, total, count = values
        frame = records.Ball(ball.centre, ball.radius)
        centre = locate.next_center(frame, np.asarray(total) * ball.radius, float(count[0]), noise[2])
        return BallValue(centre, min((4.0 if self.widens else 1.0) * ball.radius, 2.0**1000))

    def predicted_ball(self, result: Domain, rows: int, noise: Above) -> ExpectedBall | None:
        """About the noisy mean."""
        return moved_ball(noise.balls[0], wants(result, Ball, self.name).d, rows, noise)


@register("practical.subspace")
@attrs.frozen
class SubspaceNode(Post):
    """Leading directions of the noisy Gram matrix, or all of the space where no Gram was released.

    A Gram matrix of rows clipped to the ball ``near`` is one of the units of ``ball`` then.
    """

    slots: ClassVar[tuple[Slot, ...]] = (
        Slot("count", PARAM),
        *(Slot(name, PARAM, optional=True) for name in ("gram", "near", "ball")),
    )
    d: int = attrs.field(kw_only=True, validator=positive_whole)
    rank: int = attrs.field(kw_only=True, validator=positive_whole)

    def output(self, *inputs: Domain) -> Domain:
        """A record."""
        if len(inputs) > 1:
            same(wants(inputs[1], Symmetric, self.name).d, self.d, self.name)
        return Record("practical.subspace")

    @answering
    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """Diagonalise."""
        if len(values) == 1:
            return subspace.identity_subspace(self.d)
        wider = 1.0 if len(values) == 2 else (values[2].radius / values[3].radius) ** 2
        return subspace.subspace(np.asarray(values[1]) * wider, noise[1] * wider, float(values[0][0]), self.rank)


@register("practical.projection")
@attrs.frozen
class Projection(Post):
    """``x ↦ Bᵀ(x − p)/r``, or with ``differences`` ``x ↦ Bᵀx/r`` for pairs, whose mean is 0."""

    slots: ClassVar[tuple[Slot, ...]] = slots("ball", "subspace")
    rank: int = attrs.field(kw_only=True, validator=positive_whole)
    differences: bool = attrs.field(default=False, kw_only=True)

    def output(self, *inputs: Domain) -> Domain:
        """An affine map."""
        wants_record(inputs[1], "practical.subspace", self.name)
        return AffineMap(wants(inputs[0], Ball, self.name).d, self.rank)

    @answering
    def apply(self, *values: Any) -> Any:
        """The map."""
        ball, space = values
        shift = np.zeros_like(ball.centre) if self.differences else ball.centre
        return AffineValue(shift, over(space.basis, ball.radius), map_scale(ball))


def over(matrix: Any, radius: float) -> Any:
    """The matrix over a radius; an :class:`OverflowError` where that leaves float64."""
    scaled = np.asarray(matrix) / radius
    if not np.isfinite(scaled).all():
        raise OverflowError
    return scaled


def map_scale(ball: BallValue) -> float:
    """Where rows saturate, within the range affine maps take."""
    return min(max(REACH * ball.radius, 2.0**-890), 2.0**890)


@register("practical.grids")
@attrs.frozen
class GridsNode(Post):
    """Nested grids from the noisy histogram of pair distances, with a public random corner."""

    slots: ClassVar[tuple[Slot, ...]] = (*slots("pairs"), Slot("subspace", PARAM, optional=True))
    rank: int = attrs.field(kw_only=True, validator=positive_whole)
    seed: int = attrs.field(kw_only=True, validator=whole)
    scarce: bool = attrs.field(default=False, kw_only=True, validator=attrs.validators.instance_of(bool))

    @classmethod
    def examples(cls) -> list[tuple[Post, tuple[Domain, ...]]]:
        """For the battery, whose small tables have too few columns for pairs."""
        pairs = Counts(len(scales.pair_edges()) + 1)
        return [(cls(rank=2, seed=1), (pairs,)), (cls(rank=1, seed=1, scarce=True), (pairs,))]

    def output(self, *inputs: Domain) -> Domain:
        """A record."""
        same(wants(inputs[0], Counts, self.name).m, len(scales.pair_edges()) + 1, self.name)
        if len(inputs) > 1:
            wants_record(inputs[1], "practical.subspace", self.name)
        return Record("grids")

    @answering
    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """Sizes from the quantiles; of a turned subspace, whose coordinates have the table's deviation, fixed ones."""
        if len(values) > 1 and values[1].back is not None:
            found: tuple[float, float] | None = subspace.NARROW / subspace.SPAN, subspace.WIDE / subspace.SPAN
        else:
            found = scales.quantile_range(scales.pair_edges(), np.asarray(values[0]), noise[0])
        sizes = scales.cell_sizes(found, scarce=self.scarce)
        return Grids(cells.grid_offset(sizes, self.rank, self.seed), sizes)


@register("practical.first_mixture")
@attrs.frozen
class FirstMixture(Post):
    """Mixtures of the released cells, lifted to the whole frame; ⊥ when no cell was published.

    The best of them and the start that was found beside it, where there is one.
    """

    slots: ClassVar[tuple[Slot, ...]] = (*slots("cells", "grids", "subspace"), Slot("beside", PARAM, optional=True))
    k: int = attrs.field(kw_only=True, validator=positive_whole)
    seed: int = attrs.field(kw_only=True, validator=whole)

    def output(self, *inputs: Domain) -> Domain:
        """A record, in frame units."""
        wants(inputs[0], SparseCounts, self.name)
        wants_record(inputs[1], "grids", self.name)
        wants_record(inputs[2], "practical.subspace", self.name)
        if len(inputs) > 3:
            wants_record(inputs[3], "practical.starts", self.name)
        return Record("practical.starts")

    @answering
    def apply(self, *values: Any) -> Any:
        """Fit."""
        published, grids, space, *beside = values
        first = first_of(published, grids, space, self.k, self.seed)
        return first if isinstance(first, Failed) or not beside else first.beside(beside[0])

    def expects_answer(self, rows: int, noise: Above) -> bool:
        """Whether each of k components of equal weight has enough rows for its cells to be published."""
        return cells_seen(rows / self.k, noise, SEEN)


def cells_seen(rows: float, noise: Above, times: float) -> bool:
    """Whether so many rows are several times what a published cell must exceed."""
    least = [
        found["scale"] * math.log(0.5 / found["delta"]) for kind, found in noise if kind in ("cells", "block_cells")
    ]
    return all(rows >= times * bar for bar in least)


def first_of(published: Any, grids: Any, space: subspace.Subspace, k: int, seed: int) -> Any:
    """The starts that published cells show."""
    found = zip(published, grids.sizes, strict=False)
    levels = [records.Cells(float(size), np.asarray(c.ids), c.counts) for c, size in found]
    return _first(levels, grids.offset, space, k, seed)


def _first(
    levels: list[records.Cells], offset: Any, space: subspace.Subspace, k: int, seed: int, tree: Tree | None = None
) -> Any:
    """The starts that the levels show, or what to say where they show none."""
    first = deconvolution.first_mixtures(levels, offset, k, space, seed, tree)
    if first is None:
        return Failed(
            "no cell of the table held enough rows to be published",
            "use more rows, a larger epsilon, or a larger delta",
        )
    return first


@register("practical.counted_mixture")
@attrs.frozen
class CountedMixture(Post):
    """Mixtures of the cells that stand out of the noisy counts of fixed grids; ⊥ when none does."""

    slots: ClassVar[tuple[Slot, ...]] = (*slots("subspace", "count"), Slot("counts", PARAM, variadic=True))
    k: int = attrs.field(kw_only=True, validator=positive_whole)
    seed: int = attrs.field(kw_only=True, validator=whole)

    def output(self, *inputs: Domain) -> Domain:
        """A record, in frame units."""
        wants_record(inputs[0], "practical.subspace", self.name)
        wants(inputs[1], Counts, self.name)
        for counts in inputs[2:]:
            wants(counts, Counts, self.name)
        return Record("practical.starts")

    @answering
    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """Publish and fit."""
        space, rows, *counts = values
        grids, columns = [np.asarray(c) for c in counts], space.basis.shape[1]
        levels, offset = dense.levels(grids, noise[2:], columns)
        tree = dense.nested(grids, noise[2:], columns, (float(rows[0]), noise[1] ** 2))
        return _first(levels, offset, space, self.k, self.seed, tree)

    def expects_answer(self, rows: int, noise: Above) -> bool:
        """Whether each of k components of equal weight stands out of the noise of its cells."""
        return all(rows / self.k >= COUNTED * std for std in noise.stds[2:])


@register("practical.whitening")
@attrs.frozen
class WhiteningNode(Post):
    """Whitening maps of a mixture in frame units, for rows in the units of the table.

    Parameters
    ----------
    planned_noise : str
        Name of the mechanism that will release what is seen through these maps.
    wide : bool
        For a histogram of radii: no anchor, and a clip far out.
    scarce : bool
        Whether rows are scarce, and clipped by the rule for that.
    """

    slots: ClassVar[tuple[Slot, ...]] = slots("mixture", "ball", "count")
    k: int = attrs.field(kw_only=True, validator=positive_whole)
    planned_noise: str = attrs.field(kw_only=True)
    wide: bool = attrs.field(default=False, kw_only=True)
    scarce: bool = attrs.field(default=False, kw_only=True)

    def told(self) -> tuple[str, ...]:
        """The release that is to come."""
        return (self.planned_noise,)

    def output(self, *inputs: Domain) -> Domain:
        """A whitening."""
        wants_record(inputs[0], "practical.mixture", self.name)
        wants(inputs[2], Counts, self.name)
        return Whitening(self.k, wants(inputs[1], Ball, self.name).d)

    @answering
    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """Shift, inverse root and log weight of every component; the clip suits the noise of the pass to come."""
        model, ball, count = values
        d = len(ball.centre)
        multiplier = noise[-1] / math.sqrt(2.0 * model.copies)
        rule = clipping.SCARCE if self.scarce else clipping.PLENTY
        clip = passes.clip_radius(d, float(count[0]), self.k, multiplier, rule)
        if self.wide:
            clip = radii.REACH * math.sqrt(d)
        elif model.laws:
            clip = radii.wider(clip, model.laws, d, clipping.entry_noise(d, clip, float(count[0]) / self.k, multiplier))
        maps = []
        for mean, lower in zip(model.means, model.cholesky, strict=True):
            inverse = over(np.linalg.inv(lower).T, ball.radius)
            maps.append(AffineValue(ball.centre + ball.radius * mean, inverse, map_scale(ball)))
        diagonal = np.diagonal(model.cholesky, axis1=1, axis2=2)
        with np.errstate(divide="ignore"):
            logs = np.log(model.weights) - np.log(diagonal).sum(axis=1)
        return WhiteningValue(tuple(maps), np.maximum(logs, -1e6), clip, 0.0 if self.wide else rule.anchor * clip)


@register("practical.update")
@attrs.frozen
class Update(Post):
    """The next mixture from the noisy augmented Gram matrices of one pass."""

    slots: ClassVar[tuple[Slot, ...]] = slots("mixture", "grams", "whitening")
    seed: int = attrs.field(kw_only=True, validator=whole)

    def output(self, *inputs: Domain) -> Domain:
        """A record, in frame units."""
        wants_record(inputs[0], "practical.mixture", self.name)
        wants(inputs[1], Symmetric, self.name)
        return Record("practical.mixture")

    @answering
    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """Undo the units of the statistic, then update."""
        model, grams, whitening = values
        unit = whitening.anchor**2 + whitening.clip**2
        moments = passes.split_augmented(np.asarray(grams) * unit, whitening.clip, noise[1] * unit)
        return passes.update(model, moments, self.seed)
