"""A first mixture as a program over kernel operations: counts of cells in a subspace, and EM on them.

The recipe, with the reasons for its constants, is in ``RECIPE.md`` beside this file.
"""

from __future__ import annotations

from typing import Any

import dpframe.plugin as dp
from dpframe.plugin import Handle, PlanError, composite
from dpframe_plugins.classic.sizing import enough_pairs

from . import counting, dense, planes, turning
from .inputs import components, pairs, require_table, rescaled
from .plane_nodes import SHOWN
from .recipe import SHARES, THRESHOLD_DELTA
from .sampling import sample_rows, sampled
from .scheduling import MANY_COMPONENTS, WIDER_PLACES, counts_show, is_scarce, schedule, wider_rank
from .subspace import subspace_dimension

PAIR_EDGES = 61


def two(x: Handle) -> Handle:
    """Two components, by the whole learner."""
    return _whole(x, 2)


def _whole(x: Handle, k: int) -> Handle:
    return dp.apply("whole", dp.recipe("practical_mixture", k=k, bound=50.0), x)  # type: ignore[no-any-return]


def _eight(x: Handle) -> Handle:
    """So many components in so many columns that cells are those of nested grids, and passes are gathered."""
    if x.d <= dense.MOST_COLUMNS:
        raise PlanError("all cells of so few columns are counted", fix="take more columns")
    return _whole(x, 8)


def _four(x: Handle) -> Handle:
    """Cells of nested grids in four columns, where a published cell is enough to start from."""
    if x.d != 4:
        raise PlanError("other starts are chosen for other columns", fix="take four columns")
    return _whole(x, 2)


def _both(x: Handle) -> Handle:
    """Cells in two subspaces of four columns, as where the budget is ample."""
    if x.d != 4:
        raise PlanError("cells are counted in two subspaces for other columns", fix="take four columns")
    located = dp.apply("located", dp.recipe("practical.locate", bound=50.0, share=0.3), x)
    ball, count = located["ball"], located["count"]
    space, more = (dp.post("practical.subspace", count, d=4, rank=4, name=name) for name in ("space", "more"))
    seen = [_scale(x, ball, None, space, rank=4, share=0.1, seed=0)]
    shown = counting.nested(x, ball, space, seen, rank=4, share=0.3, delta=0.05, seed=0)
    shown += counting.nested(x, ball, more, seen, rank=4, share=0.3, delta=0.05, seed=0, name="more_")
    return dp.post("practical.either_mixture", *shown, k=2, most=WIDER_PLACES, seed=0, name="first")


@composite("practical.seed", examples=(two, _eight, _four, _both))
def practical_seed(
    x: Handle,
    ball: Handle,
    count: Handle,
    units: Handle | None = None,
    near: Handle | None = None,
    *,
    k: int | None = None,
    k_max: int | None = None,
    share: float,
    seed: int = 0,
) -> Handle:
    """A first mixture: nested histograms in the subspace of the largest variance, and EM on their cells.

    Of at most three columns all cells of fixed grids over the ball are counted, and of a subspace of at most three
    where rows are scarce but stand out of the noise of counts; of more directions all cells of many planes then. Else
    those of nested stable histograms, and of planes beside them where components are many.

    Parameters
    ----------
    x, ball, count, units : Handle
        Private rows, the located ball, the noisy number of rows, the columns' powers of two.
    near : Handle
        A ball with the same centre, to which rows are clipped for the Gram matrix; the located one by default.
    k : int
        Number of components.
    k_max : int
        In its place the most that there may be.
    share : float
        Share of ρ where the Gram matrix is released (d > max(k − 1, 1)); without it, that much less.
    seed : int
        Public seed of the pairs, the grids and the restarts.

    Returns
    -------
    Handle
        A released mixture of ``k`` components in the units of the ball, to begin passes from.
    """
    require_table(x)
    k = components(k, k_max)
    share /= SHARES.seeding
    scaled = rescaled(x, units)
    rank, scarce = subspace_dimension(x.d, k), is_scarce(x, k, SHARES.refining * share)
    each = (SHARES.seeding - SHARES.gram * (rank < x.d)) / planes.planes_for(rank) * share
    counted = scarce and rank <= dense.MOST_COLUMNS and counts_show(x, k, counting.of_counts(rank) * share)
    planar = scarce and rank > dense.MOST_COLUMNS and counts_show(x, k, each, SHOWN)
    aside = SHARES.planes / planes.planes_for(rank) * share
    many = not scarce and rank > dense.MOST_COLUMNS and k >= MANY_COMPONENTS
    beside = many and counts_show(x, k, aside, SHOWN)
    turns = rank < x.d and not planar and turning.shows(x, share)
    wide = wider_rank(x, k, SHARES.refining * share)
    if x.d <= dense.MOST_COLUMNS:
        space = dp.post("practical.subspace", count, d=x.d, rank=x.d, name="subspace")
        return counting.counted(scaled, ball, count, space, rank=x.d, k=k, share=share, seed=seed)
    some, size = scaled, count
    if rank < x.d and schedule(x, k, SHARES.refining * share).sample:
        some, size = sampled(x, count, units)
    of_gram = (SHARES.gram - SHARES.signs * turns) * share if rank < x.d else 0.0
    leading, more = _leading(some, ball, size, near, rank=rank, wide=wide, of_gram=of_gram)
    space = leading
    if turns:
        if not turning.shows(x, share, sample_rows(x)):
            some, size = scaled, count
        space = counting.turned(some, ball, size, leading, share=share, mutes=not counted)
    if counted:
        return counting.counted(scaled, ball, count, space, rank=rank, k=k, share=share, seed=seed)
    if planar:
        return counting.planar(scaled, ball, count, space, rank=rank, k=k, each=each, seed=seed, name="first")
    scale = _scale(x, ball, units, leading, rank=rank, share=SHARES.pairs * share, seed=seed)
    few = scarce and rank == x.d
    of_cells = SHARES.cells + (SHARES.gram if few else 0.0)  # no Gram is released then
    of_cells -= SHARES.planes if beside else 0.0
    part, delta = (0.5, 0.5 * THRESHOLD_DELTA) if more is not None else (1.0, THRESHOLD_DELTA)
    each, seen = part * of_cells * share, [scale, space] if turns else [scale]
    shown = counting.nested(scaled, ball, space, seen, rank=rank, share=each, delta=delta, seed=seed, scarce=few)
    if more is not None:
        told: dict[str, Any] = {"rank": wide, "share": each, "delta": delta, "seed": seed, "name": "more_"}
        shown += counting.nested(scaled, ball, more, [scale], **told)
        return dp.post("practical.either_mixture", *shown, k=k, most=WIDER_PLACES, seed=seed, name="first")
    if beside:
        shown.append(
            counting.planar(scaled, ball, count, leading, rank=rank, k=k, each=aside, seed=seed, name="beside")
        )
    return dp.post("practical.first_mixture", *shown, k=k, seed=seed, name="first")


def _scale(
    x: Handle, ball: Handle, units: Handle | None, space: Handle, *, rank: int, share: float, seed: int
) -> Handle:
    """Noisy distances of pairs of rows in a subspace."""
    differences = rescaled(pairs(x, seed, enough_pairs(x, share)), units)
    between = dp.post("practical.projection", ball, space, rank=rank, differences=True, name="pair_map")
    origin = dp.ball(centre=[0.0] * rank, radius=2.0**0.5)
    near = dp.affine(differences, between)
    histogram = dp.distance_histogram(near, origin, edges=PAIR_EDGES, ratio=2.0**0.5)
    return dp.release("pair_distances", dp.gaussian(share=share), histogram)


def _leading(
    x: Handle, ball: Handle, count: Handle, near: Handle | None, *, rank: int, wide: int, of_gram: float
) -> tuple[Handle, Handle | None]:
    """The subspace of the largest variance, from a Gram matrix of this share of ρ; all directions without one.

    And the wider one, where one is asked for.
    """
    if not of_gram:
        return dp.post("practical.subspace", count, d=x.d, rank=rank, name="subspace"), None
    near = ball if near is None else near
    gram = dp.release("gram", dp.gaussian(share=of_gram), dp.gram(dp.clip(x, near)), frame=True)
    seen = [count, gram, *([near, ball] if near.ref != ball.ref else [])]
    more = dp.post("practical.subspace", *seen, d=x.d, rank=wide, name="more_subspace") if wide else None
    return dp.post("practical.subspace", *seen, d=x.d, rank=rank, name="subspace"), more
