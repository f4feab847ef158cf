"""``kssu19_pgme``: a mixture of Gaussians of very different widths and weights, parted again and again."""

from __future__ import annotations

from typing import Any

import attrs

import dpframe.plugin as dp
from dpframe.plugin import Handle, PlanError, SpecError, composite
from dpframe_plugins.bks22.mixtures import DEEPEST, check_parts, refined, tested_rows

from .gaussian import EDGES, RATIO
from .nodes import FINEST, levels
from .program import FLAT, check, choose, dimensions, estimated, least_columns, promised

MOST_TESTED = 8
TEST = 0.7
"""A ball passes where its noisy score is above this part of t."""
SELECTED_DELTA = 0.3
"""Part of δ kept for the thresholds of the cells of all levels."""


@attrs.frozen
class Shares:
    """Shares of ρ: the first ball, all levels, the leaves; and of one level: its ball, PCA, cells and test."""

    locating: float = 0.05
    levels: float = 0.45
    leaf: float = 0.50
    distances: float = 0.06
    pca: float = 0.24
    cells: float = 0.50
    test: float = 0.20
    start: float = 0.50


SHARES = Shares()


@composite("kssu19_pgme")
def kssu19_pgme(
    x: Handle,
    *,
    k: int,
    sigma_min: float,
    sigma_max: float,
    R: float | None = None,
    w_min: float | None = None,
    c: float = 1.5,
    weights: str = "noisy",
    leaf: str = "psge",
    rank: int | None = None,
    refine: bool = True,
    covariance_type: str = "auto",
    share: float = 1.0,
    seed: int = 0,
) -> Handle:
    """A mixture of k Gaussians of very different widths and weights (RPGMP and PGME).

    Rows are divided again and again. Each part: a noisy histogram of distances narrows its ball, PCA about the ball's
    centre to k dimensions, cells of the projected rows above a noisy threshold; balls of released centres with a wide
    gap around them are tested by PTerrificBall's score, the widest gap first. The first that passes parts the whole
    rows by their projection, at the middle of the gap, so that no row is left out. A part that is not divided is a
    leaf: PSGE and its count. No part is divided once leaves and waiting parts are k. With ``refine`` the leaves start
    private EM passes with full covariances over all rows.

    Parameters
    ----------
    x : Handle
        Private rows.
    k : int
        Number of components.
    sigma_min, sigma_max : float
        Range of the components' standard deviations, in the units of the table.
    R : float, optional
        Radius around 0 that holds all means; none is needed.
    w_min : float, optional
        Least weight; 1/(2k) if not given. The test is of t = n·w_min/2 rows on either side, at every level, and is
        passed from a noisy score of 0.7·t on.
    c : float
        Ratio of the annulus that must be all but empty, above 1. The theorem's is 5; no guarantee rests on it.
    weights : {"noisy", "equal"}
        Weights ñ_j/Σñ by noisy counts, or 1/k.
    leaf : {"psge", "coinpress"}
        Estimator of a leaf: a spherical Gaussian, or one with a full covariance by ``coinpress_gaussian``.
    rank : int, optional
        Dimensions ℓ of the projection; k if not given.
    refine : bool
        Whether private EM passes follow.
    covariance_type : {"auto", "full", "spherical"}
        Of these passes: spherical ones where full covariances would be noise, unless one is asked for.
    share : float
        Share of ρ.
    seed : int
        Public seed of the grids.

    Returns
    -------
    Handle
        A released mixture, in the units of the table; ``failed`` where fewer than k parts were found.

    Formal guarantees
    -----------------
    ``recurse`` reserves a shared prefix and then two diverging paths of k − 1 levels (C5), each level with all of its
    releases (C11): histogram, Gram matrix about the ball's centre (C4), stable histogram, above-threshold on scores
    of sensitivity 1, and each leaf with its count. Parts are cut by released balls and maps (``rule_partition``).
    Replace-one only: t is a part of the public n.

    References
    ----------
    Kamath, Sheffet, Singhal, Ullman (2019), Algorithms 2 to 4, with C4, C5, C7, C11 (docs/theory/corrections.md).
    """
    least = check(x, k, w_min, sigma_min, sigma_max, R)
    check_parts(k, DEEPEST)
    choose(weights, leaf)
    kept = dimensions(rank, k)
    if isinstance(c, bool) or not 1 < c < 2.0**20:
        raise SpecError(f"c must be a ratio above 1, not {c!r}", fix="use c=1.5")
    rows = next((i.n for i in x.tracer.inputs if i.name == x.ref.node), None)
    if rows is None:
        raise PlanError("tests balls for a part of the public number of rows", fix="use adjacency replace_one")
    t = tested_rows(rows, k, w_min)
    own = share * (SHARES.start if refine else 1.0)
    steps = dp.recipe("locate", bound=promised(x.d, R, sigma_max), share=SHARES.locating * own)
    ball = dp.apply("located", steps, x)
    path = max(2 * k - 3, 1)  # levels on a shared prefix and two diverging paths
    each = SHARES.levels * own / path
    number = levels(sigma_min, sigma_max)

    def level(part: Handle, around: Handle) -> dict[str, Handle]:
        far = dp.distance_histogram(part, around, edges=EDGES, ratio=RATIO)
        distances = dp.release("distances", dp.gaussian(share=SHARES.distances * each), far)
        near = dp.post("practical.clip_ball", around, distances, ratio=RATIO, name="near")
        map_ = dp.apply("pca", dp.recipe("kssu19.pca", rank=kept, share=SHARES.pca * each), part, near)
        seen = dp.affine(part, map_)
        grids = dp.post("kssu19.grids", map_, levels=number, finest=FINEST * sigma_min, seed=seed, name="grids")
        mechanism = dp.stable_histogram(share=SHARES.cells * each, delta_fraction=SELECTED_DELTA / path)
        found = dp.release("cells", mechanism, dp.cells(seen, grids, levels=number))
        gaps = dp.post("kssu19.gaps", found, grids, w_min=least, c=float(c), size=MOST_TESTED, name="gaps")
        asked = {"columns": x.d, "asked": least_columns(x, k, FLAT)}
        made = {"d": min(kept, x.d), "c": float(c), "size": MOST_TESTED}
        tested = dp.post("kssu19.tested", gaps, **made, **asked, name="tested")
        scores = dp.terrific_score(seen, tested, size=MOST_TESTED, t=t, c=float(c))
        test = dp.above_threshold(share=SHARES.test * each, threshold=TEST * t)
        index = dp.release("passed", test, scores)
        split = dp.post("kssu19.split", gaps, index, map_, name="split_ball")
        dp.filter_ball(part, split, map_, name="children")
        return {
            "split": dp.post("kssu19.passed", gaps, index, name="split"),
            "left": dp.post("kssu19.child", gaps, index, map_, near, inner=True, name="left"),
            "right": dp.post("kssu19.child", gaps, index, map_, near, inner=False, name="right"),
        }

    def end(part: Handle, around: Handle) -> Handle:
        told: dict[str, Any] = {"leaf": leaf, "sigma_min": sigma_min, "sigma_max": sigma_max}
        return dp.post(
            "kssu19.leaf", *estimated("gaussian", part, around, **told, share=SHARES.leaf * own), name="leaf"
        )

    leaves = dp.recurse("parts", x, ball, level, end, max_depth=max(k - 1, 1), max_leaves=k)
    mixture = dp.post("kssu19.leaves", leaves, k=k, d=x.d, equal=weights == "equal", name="mixture")
    if not refine:
        return mixture
    return refined(x, mixture, k=k, share=share * (1.0 - SHARES.start), seed=seed, covariance_type=covariance_type)
