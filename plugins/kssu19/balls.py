"""One ball: a small one that holds t rows (1-cluster), and one with t rows in it, t outside and none between."""

from __future__ import annotations

import math
from typing import Any

import attrs

import dpframe.plugin as dp
from dpframe.plugin import Handle, SpecError, composite

from .gaussian import EDGES, RATIO, components, rows_and_ball

MOST_LEVELS = 24


@attrs.frozen
class Shares:
    """Shares of ρ: a first ball where none is given, PCA, cells, the radius, the centre, means, the last histogram."""

    locating: float = 0.10
    pca: float = 0.15
    cells: float = 0.30
    radius: float = 0.12
    centre: float = 0.08
    means: float = 0.15
    distances: float = 0.10


SHARES = Shares()
THRESHOLD_DELTA = 0.3
"""Part of δ kept for the threshold of the cells."""
ROUNDS = 2
"""Means that follow one another: after a random projection the lifted centre is far from the cluster's."""


@attrs.frozen
class Search:
    """What both searches are told.

    Attributes
    ----------
    t : int, in rows
        Rows that a ball is to hold.
    slack : float
        Γ as a part of t: the threshold is t − Γ.
    levels : int
        Octaves of radii, and grids, below the radius of the ball that holds the rows.
    centres : int
        Released centres that are tried.
    step : float
        Ratio of one radius to the next.
    """

    t: int
    slack: float
    levels: int
    centres: int
    step: float
    seed: int

    @property
    def radii(self) -> int:
        """Number of radii."""
        return 1 + math.ceil(self.levels * math.log(2.0) / math.log(self.step))

    @property
    def threshold(self) -> float:
        """Threshold t − Γ."""
        return (1.0 - self.slack) * self.t


def told(x: Handle, t: Any, slack: Any, levels: Any, centres: Any, step: Any, seed: int) -> Search:
    """Check what a search is told.

    Raises
    ------
    SpecError
    """
    for name, value in (("t", t), ("levels", levels), ("centres", centres)):
        components(name, value)
    if levels > MOST_LEVELS:
        raise SpecError(f"levels must be at most {MOST_LEVELS}, not {levels}", fix="use levels=10")
    if centres > 64:
        raise SpecError(f"centres must be at most 64, not {centres}", fix="use centres=8")
    if isinstance(slack, bool) or not 0 <= slack < 1:
        raise SpecError(f"slack must be a part of t from 0 to below 1, not {slack!r}", fix="use slack=0.2")
    if isinstance(step, bool) or not 1.01 <= step <= 16:
        raise SpecError(f"step must be a ratio of radii from 1.01 to 16, not {step!r}", fix="use step=1.25")
    rows = next((i.n for i in x.tracer.inputs if i.name == x.ref.node), None)
    if rows is not None and t > rows:
        raise SpecError(f"t={t} rows of {rows} are asked for", fix="use a smaller t")
    return Search(t, float(slack), levels, centres, float(step), seed)


def around(x: Handle, ball: Handle | None, R: float | None, share: float) -> Handle:
    """The ball that is given, or one that holds the table."""
    if ball is None:
        ball = dp.apply("located", dp.recipe("locate", bound=R, share=SHARES.locating * share), x)
    rows_and_ball(x, ball)
    return ball


def released_centres(x: Handle, ball: Handle, told: Search, share: float, c: float | None = None) -> Handle:
    """Balls of every radius about centres that cells above a noisy threshold show."""
    grids = dp.post("kssu19.ball_grids", ball, levels=told.levels, seed=told.seed, name="grids")
    mechanism = dp.stable_histogram(share=SHARES.cells * share, delta_fraction=THRESHOLD_DELTA)
    found = dp.release("cells", mechanism, dp.cells(x, grids, levels=told.levels))
    return dp.post("kssu19.centres", found, grids, t=told.t, size=told.centres, c=c, name="centres")


@composite("kssu19.one_cluster")
def one_cluster(
    x: Handle,
    ball: Handle | None = None,
    *,
    t: int,
    projection: str = "pca",
    rank: int = 4,
    R: float | None = None,
    slack: float = 0.1,
    levels: int = 10,
    centres: int = 8,
    step: float = 1.25,
    share: float = 1.0,
    seed: int = 0,
) -> Handle:
    """A small ball that holds about t rows (PLOC, and PGLOC in many columns).

    Rows are projected to a few columns, by private PCA or a public random map. There cells above a noisy threshold
    give centres. L_X(r), the largest number of rows in a ball of radius r about one of them, is searched from small r
    up for the first above t − Γ; a noisy selection by the same counts takes the centre. What lies in that ball of the
    projection is averaged with noise in all columns, and a noisy histogram of distances to the mean gives the radius.

    Parameters
    ----------
    x : Handle
        Private rows; a table or a part of it.
    ball : Handle, optional
        A released or public ball that holds nearly all of them; located privately where none is given.
    t : int, in rows
        Rows that the ball is to hold.
    projection : {"pca", "random", "none"}
        Private PCA, a public random subspace, or none, for few columns.
    rank : int
        Columns of the projection; with as many as the table there is none.
    R : float, optional
        Radius around 0 that holds the rows, where no ball is given; none is needed.
    slack : float
        Γ as a part of t: the radius is the first at which t − Γ rows are in a ball.
    levels : int
        The ball is searched down to 2^−levels of its radius.
    centres : int
        Released centres that are tried.
    step : float
        Ratio of one radius to the next.
    share : float
        Share of ρ.
    seed : int
        Public seed of grids and random map.

    Returns
    -------
    Handle
        A released ball in the units of the table; ``failed`` where none holds enough rows.

    Formal guarantees
    -----------------
    Centres are released, so L_X(r) is a maximum of counts and moves by 1 (T9, ``ball_counts``), not by 2 as over
    centres that are rows; above-threshold takes the radius, the exponential mechanism the centre. Cells are a stable
    histogram; what lies in the found ball is a part by a released rule (``rule_partition``). No guarantee rests on t.

    References
    ----------
    Nissim, Stemmer, Vadhan (2016); Nissim, Stemmer (2018); Kamath, Sheffet, Singhal, Ullman (2019), Algorithm 5, with
    T9 (docs/theory/corrections.md).
    """
    search = told(x, t, slack, levels, centres, step, seed)
    components("rank", rank)
    if projection not in ("pca", "random", "none"):
        raise SpecError(f"projection must be one of pca, random, none, not {projection!r}", fix="use pca")
    held = around(x, ball, R, share)
    map_ = None
    if projection == "pca" and rank < x.d:
        map_ = dp.apply("pca", dp.recipe("kssu19.pca", rank=rank, share=SHARES.pca * share), x, held)
    elif projection == "random" and rank < x.d:
        map_ = dp.post("kssu19.random_projection", held, rank=rank, seed=seed, name="map")
    seen, inside = (x, held) if map_ is None else (dp.affine(x, map_), dp.post("kssu19.seen_ball", held, map_))
    listed = released_centres(seen, inside, search, share)
    size, radii = search.centres, search.radii
    scan = dp.post("kssu19.scan", listed, inside, size=size, radii=radii, step=search.step, name="scan")
    largest = dp.group_maximum(dp.ball_counts(seen, scan, size=size * radii), groups=radii)
    test = dp.above_threshold(share=SHARES.radius * share, threshold=search.threshold)
    tried = dp.post("kssu19.at_radius", scan, dp.release("radius", test, largest), size=size, name="tried")
    counts = dp.ball_counts(seen, tried, size=size)
    best = dp.release("centre", dp.exponential_mechanism(share=SHARES.centre * share), counts)
    found = dp.post("kssu19.chosen", tried, best, name="found")
    part = dp.filter_ball(x, found, map_, name="inside")[0]
    if map_ is None:
        near = dp.post("kssu19.chosen", tried, best, grow=2.0, name="lifted")
    else:
        near = dp.post("kssu19.lifted_ball", found, map_, held, name="lifted")
    for i in range(ROUNDS):
        far = dp.distance_histogram(part, near, edges=EDGES, ratio=RATIO)
        each = share / ROUNDS
        distances = dp.release(f"distances_{i}", dp.gaussian(share=0.3 * SHARES.means * each), far)
        clip = dp.post("practical.clip_ball", near, distances, ratio=RATIO, name=f"near_{i}")
        total = dp.mean(dp.clip(part, clip))
        mean = dp.release(f"average_{i}", dp.gaussian(share=0.7 * SHARES.means * each), total, frame=True)
        near = dp.post("kssu19.recentred", mean, clip, name=f"around_{i}")
    far = dp.distance_histogram(x, near, edges=EDGES, ratio=RATIO)
    distances = dp.release("distances", dp.gaussian(share=SHARES.distances * share), far)
    return dp.post("kssu19.holding", near, distances, t=search.t, ratio=RATIO, name="ball")


@composite("kssu19.terrific_ball")
def terrific_ball(
    x: Handle,
    ball: Handle | None = None,
    *,
    t: int,
    c: float = 3.0,
    enlarge: float = 1.0,
    largest: bool = False,
    R: float | None = None,
    slack: float = 0.3,
    levels: int = 10,
    centres: int = 8,
    step: float = 1.25,
    share: float = 1.0,
    seed: int = 0,
) -> Handle:
    """A ball with t rows in it, t outside c times its radius, and hardly any between (PTerrificBall).

    Q(p, r) is the least of: rows in B(p, r), rows outside B(p, cr), t less those between; each capped at t. L_X(r) is
    its maximum over centres that cells above a noisy threshold show. Radii are searched, from below or with ``largest``
    from above, for the first with L_X(r) above t − Γ; then the centres, for the first with Q above t − Γ.

    Parameters
    ----------
    x : Handle
        Private rows of few columns; a table, a part of it, or a projection of either.
    ball : Handle, optional
        A released or public ball that holds nearly all of them; located privately where none is given.
    t : int, in rows
        Rows inside and rows outside.
    c : float
        Ratio of the annulus, above 1. The theorem's is 5; no guarantee rests on it.
    enlarge : float
        The centre search tests balls so many times as wide, with an outer radius as much smaller: at most √c.
    largest : bool
        The largest such ball instead of the smallest.
    R : float, optional
        Radius around 0 that holds the rows, where no ball is given; none is needed.
    slack : float
        Γ as a part of t.
    levels, centres, step : int, int, float
        As in ``kssu19.one_cluster``; the theorem's step is 2.
    share : float
        Share of ρ.
    seed : int
        Public seed of the grids.

    Returns
    -------
    Handle
        The released ball of radius r; ``failed`` where none is found. Cut at r·√c: hardly any row is near that.

    Formal guarantees
    -----------------
    Centres are released, so Q and L_X are scores that move by 1 (``terrific_score``, ``lipschitz_scores``), where the
    mean of the t largest over centres that are rows moves by 2. Two above-threshold searches and the stable histogram
    are charged (C11: 2ε, and δ).

    References
    ----------
    Kamath, Sheffet, Singhal, Ullman (2019), Algorithm 2 and Lemma 5.7, with C11 (docs/theory/corrections.md).
    """
    search = told(x, t, slack, levels, centres, step, seed)
    if isinstance(c, bool) or not 1 < c < 2.0**20:
        raise SpecError(f"c must be a ratio above 1, not {c!r}", fix="use c=3")
    if isinstance(enlarge, bool) or not 0 < enlarge < 2.0**10 or not enlarge**2 < c:
        raise SpecError(f"enlarge must be above 0 and below √c = {math.sqrt(c):.3g}, not {enlarge!r}", fix="use 1")
    held = around(x, ball, R, share)
    size, radii = search.centres, search.radii
    listed = released_centres(x, held, search, share, float(c))
    order: dict[str, Any] = {"size": size, "radii": radii, "step": search.step, "largest": largest}
    scan = dp.post("kssu19.scan", listed, held, **order, name="scan")
    scores = dp.terrific_score(x, scan, size=size * radii, t=search.t, c=float(c))
    test = dp.above_threshold(share=SHARES.radius * share, threshold=search.threshold)
    radius = dp.release("radius", test, dp.group_maximum(scores, groups=radii))
    what = f"none has {t} rows inside, as many beyond {c:g} times its radius, and hardly any between"
    tried = dp.post("kssu19.at_radius", scan, radius, size=size, enlarge=float(enlarge), what=what, name="tried")
    again = dp.terrific_score(x, tried, size=size, t=search.t, c=float(c) / enlarge**2)
    second = dp.above_threshold(share=SHARES.centre * share, threshold=search.threshold)
    centre = dp.release("centre", second, again)
    known = {"c": float(c), "step": search.step}
    return dp.post("kssu19.terrific", tried, centre, grow=1.0 / enlarge, what=what, **known, name="ball")
