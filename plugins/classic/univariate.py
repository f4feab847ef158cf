"""``scale_finder``, ``range_finder``, ``univariate_mean_variance``: one column, no bound needed."""

from __future__ import annotations

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp
from dpframe.plugin import (
    PARAM,
    Ball,
    BallValue,
    Counts,
    Domain,
    Failed,
    Grids,
    Handle,
    PlanError,
    Post,
    Record,
    Slot,
    SparseCounts,
    Vector,
    composite,
    register,
    wants,
    whole,
)

from .checks import table
from .gaussian import refine
from .search import bin_of_quantile
from .sizing import enough_pairs, public_numbers, visible

WIDE, OCTAVES = 2.0**500, 1000
SMALLEST = 120
"""First bin, from below, that counts as a scale: above 2^-380."""
MIDDLE = 0.6
CELL = 4.0
"""Side of a cell of `range_finder`, in scales."""


@composite("scale_finder")
def scale_finder(x: Handle, *, share: float, seed: int = 0) -> Handle:
    """A scale of the table: between 0.8 and 1.7 standard deviations for one Gaussian column, whatever its mean.

    The distance of a pair of rows, over √2, has the distribution of a row's distance from its mean, and no
    location in it. It is counted in dyadic bins up to 2^500 (all of them, so that no δ is spent), and the
    upper end of the bin that holds the 60 % quantile is the scale.

    Parameters
    ----------
    x : Handle
        The whole private table, (n, d): pairs are cut before any filter.
    share : float
        Share of ρ.
    seed : int
        Public seed of the pairs under replace-one; under add/remove they are drawn secretly.

    Returns
    -------
    Handle
        A released vector of one number. The run fails where no bin stands out of the noise, or most pairs are equal.

    Formal guarantees
    -----------------
    One kernel histogram of index pairs (secret pairs under add/remove): ℓ₂ sensitivity √2 either way; ``share`` of ρ.

    References
    ----------
    Karwa, Vadhan (2018), Algorithm 2 (there a stable histogram, under approximate DP).
    """
    table(x)
    most = enough_pairs(x, share)
    pairs = dp.pairs(x, seed=seed, max_pairs=most) if replaces(x) else dp.secret_pairs(x, max_pairs=most)
    origin = dp.bounding_ball(d=x.d, bound=WIDE)
    far = dp.distance_histogram(pairs, origin, edges=OCTAVES, ratio=2.0)
    seen = dp.release("distances", dp.gaussian(share=share), far)
    return dp.post("classic.scale", seen, name="scale")


@composite("range_finder")
def range_finder(x: Handle, scale: Handle, *, share: float, delta_fraction: float = 0.5, seed: int = 0) -> Handle:
    """A ball that holds the middle of one column of known scale, wherever on the line it is.

    The line is cut into cells of 4 scales with a public random corner; occupied cells are published above a threshold
    that an empty cell never passes, and the centre of the fullest one is taken.

    Parameters
    ----------
    x : Handle
        Private rows, (n, 1); a whole table or a part of it.
    scale : Handle
        A released or public vector of one number, such as ``scale_finder`` gives.
    share : float
        Share of ρ.
    delta_fraction : float
        Part of the budget's δ for the threshold. A budget without δ is refused: there no finite bound can be found.
    seed : int
        Public seed of the corner.

    Returns
    -------
    Handle
        A released ball, its radius the side of a cell. The run fails where no cell could be published.

    Formal guarantees
    -----------------
    The kernel's stable histogram of one grid: ``share`` of ρ and ``delta_fraction`` of δ. Locations beyond 2^40 cells
    from 0 fall in the last one.

    References
    ----------
    Karwa, Vadhan (2018), Algorithm 1; Bun, Nissim, Stemmer (2016).
    """
    table(x)
    if x.d != 1:
        raise PlanError(f"range_finder takes one column, not {x.d}", fix="use locate, or columns=")
    grid = dp.post("classic.grid", scale, seed=seed, name="grid")
    cells = dp.cells(x, grid, levels=1)
    found = dp.release("cells", dp.stable_histogram(share=share, delta_fraction=delta_fraction), cells)
    return dp.post("classic.range", found, grid, name="range")


RANGE, PASSES = 0.1, (0.2, 0.3, 0.5)
"""Share of the range, and shares of the passes of what is left."""


@composite("univariate_mean_variance")
def univariate_mean_variance(x: Handle, *, share: float = 1.0, delta_fraction: float = 0.5, seed: int = 0) -> Handle:
    """Mean and variance of one Gaussian column, with no bound on either.

    `scale_finder`, then `range_finder`, then three passes that whiten, clip and release count, sum and sum of
    squares at once, each made for what the one before found.

    Parameters
    ----------
    x : Handle
        The whole private table, (n, 1).
    share : float
        Share of ρ.
    delta_fraction : float
        Part of the budget's δ for the threshold of the range.
    seed : int
        Public seed of pairs and cells.

    Returns
    -------
    Handle
        A released Gaussian: mean (1,) and covariance (1, 1).

    Formal guarantees
    -----------------
    A composition of kernel mechanisms: ``share`` of ρ and ``delta_fraction`` of δ. Without δ it is refused: use
    ``coinpress_gaussian`` with a bound.

    References
    ----------
    Karwa, Vadhan (2018), Theorem 1.3.
    """
    table(x)
    public = public_numbers(x, share)
    first = min(max(visible(attrs.evolve(public, rows=max(public.rows // 2, 1))), 0.1), 0.3)
    scale = dp.apply("scale", dp.recipe("scale_finder", share=first * share, seed=seed), x)
    finder = dp.recipe("range_finder", share=RANGE * share, delta_fraction=delta_fraction, seed=seed)
    found = dp.apply("range", finder, x, scale)
    left = (1.0 - first - RANGE) * share
    return refine(x, dp.post("classic.start", found, name="start"), tuple(p * left for p in PASSES))


def replaces(x: Handle) -> bool:
    """Whether rows keep their index: pairs are then cut along it."""
    target = x.tracer.target
    return target.adjacency.n_is_public if target else any(i.n is not None for i in x.tracer.inputs)


@register("classic.scale")
@attrs.frozen
class Scale(Post):
    """The upper end of the dyadic bin that holds the 60 % quantile of the distances."""

    slots: ClassVar[tuple[Slot, ...]] = (Slot("distances", PARAM),)

    def output(self, *inputs: Domain) -> Domain:
        """Domain of one number."""
        wants(inputs[0], Counts, self.name)
        return Vector(1)

    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """Read it off; ⊥ where there is nothing to read."""
        counts = np.asarray(values[0], dtype=np.float64)
        place = bin_of_quantile(counts, noise[0], MIDDLE)
        if place is None:
            return Failed("no distance of pairs stands out of the noise", "use more rows or a larger budget")
        if place < SMALLEST:
            return Failed(
                "most pairs of rows are equal: the column has no scale",
                "use histogram with its categories, or leave the column out",
            )
        return np.array([2.0 ** (place - counts.size + 2) * WIDE])


@register("classic.grid")
@attrs.frozen
class Grid(Post):
    """One grid on the line with cells of 4 scales and a public random corner."""

    slots: ClassVar[tuple[Slot, ...]] = (Slot("scale", PARAM),)
    seed: int = attrs.field(kw_only=True, validator=whole)

    def output(self, *inputs: Domain) -> Domain:
        """A record."""
        wants(inputs[0], Vector, self.name)
        return Record("grids")

    def apply(self, *values: Any) -> Any:
        """Corner and side."""
        side = CELL * max(abs(float(values[0][0])), 2.0**-900)
        return Grids(-side * np.random.default_rng(self.seed).random(1), np.array([side]))


@register("classic.range")
@attrs.frozen
class Range(Post):
    """The ball around the centre of the fullest published cell."""

    slots: ClassVar[tuple[Slot, ...]] = (Slot("cells", PARAM), Slot("grid", PARAM))

    def output(self, *inputs: Domain) -> Domain:
        """A ball on the line."""
        wants(inputs[0], SparseCounts, self.name)
        return Ball(1)

    def apply(self, *values: Any) -> Any:
        """Take the fullest."""
        (published,), grid = values
        if not len(published.counts):
            return Failed("no cell of the line held enough rows to be published", "use more rows, or a larger budget")
        index = published.ids[int(np.argmax(published.counts))]
        return BallValue(grid.offset + grid.sizes[0] * (index + 0.5), float(grid.sizes[0]))
