"""``coinpress_covariance`` and ``coinpress_gaussian``: covariances by iterated whitening and clipping."""

from __future__ import annotations

import dpframe.plugin as dp
from dpframe.plugin import Handle, PlanError, Vector, composite

from . import shape
from .checks import WIDEST, positive_number, table_within
from .search import EDGES, shrunk
from .sizing import Search, pass_shares, public_numbers, resolved, search

COARSE, FINE = 2.0, 2.0**0.25
ALL_OCTAVES = 1000
COUNT = 0.02
"""Share of the count, where the centre is known and the passes carry none."""
DISTANCES = 0.04
"""Part of the passes' share for the distances of rows in the last frame, by which the result is judged."""


@composite("coinpress_gaussian")
def coinpress_gaussian(
    x: Handle, *, bound: float | None = None, condition: float | None = None, share: float = 1.0, judged: bool = True
) -> Handle:
    """Mean and covariance of a Gaussian, both unknown: wherever it lies, however it is turned and stretched.

    First a ball that holds nearly all rows is found: rounds of a noisy histogram of distances to the current centre
    (its 98 % radius) and of the noisy mean of the rows clipped there. Then each pass, with an estimate
    ``(m, L)`` from the one before,

        z = clip_c(L^-1 (x - m)),    y = (a, z),    M = sum y y^T + noise,
        m <- m + L mean_z,           L <- L chol(bounded(covariance_z)),

    reads count, mean and covariance of the whitened rows off one released matrix. What clipping does to a Gaussian's
    moments is undone, so ``c`` is the radius of least predicted error (often a 90 % quantile), not a tail bound.
    Directions whose variance is below the noise are bounded by it and seen in the next pass, at that
    scale. The result is the average, weighted by noise, of all passes that were whitened about right.

    There is nothing to tune: rounds, passes and shares come from n, d and the budget (`sizing`).

    The clip is undone as for a Gaussian. Other rows get the Gaussian that looks like them inside the clip ball:
    variances of uniform rows come out about 12 % too large where noise keeps the ball small, those of rows with heavy
    tails finite. With more rows or budget the ball holds nearly all rows and the difference fades. A noisy histogram of
    distances in the last frame tells whether rows are surely not Gaussian; then the result is not called good.

    Parameters
    ----------
    x : Handle
        Private rows, (n, d), d >= 1; a whole table or a part of it. Missing rows are allowed.
    bound : float, optional
        ℓ₂ radius around 0 that the rows are promised to lie in; others are projected there. A million times too large
        costs nothing. None: 2^500.
    condition : float, optional
        Largest ratio of variances that the passes are made for; None: 1e9. A wider one takes more passes, a narrower
        one leaves more budget to each. No guarantee rests on it.
    share : float
        Share of ρ.
    judged : bool
        Whether a part of the share is spent on the histogram of distances.

    Returns
    -------
    Handle
        A released Gaussian: mean (d,) and covariance (d, d), in the units of the table. A variance that the noise
        hides comes out as an upper bound; the plan warns where that is likely. The run fails where the noisy
        number of rows does not stand out of its noise.

    Formal guarantees
    -----------------
    Kernel statistics only, each with Gaussian noise in exact arithmetic: histograms (√2 under replace-one, 1 under
    add/remove; that of distances in the last frame, ``weighted_radii`` of one component, too), sums with counts of rows
    in the unit ball of a released frame (2, √2), and Gram matrices of rows ``y / |(a, c)|`` in isometric coordinates
    (√2, 1: contributions ``yy^T`` have non-negative inner products).
    The centre comes before every sum, and the number of rows is private throughout. They compose adaptively to
    ``share`` of ρ. Whitening by a released matrix keeps the edits; everything else reads released values.

    References
    ----------
    Biswas, Dong, Kamath, Ullman (2020), "CoinPress", Algorithms 1 and 2, with the order of matrices mended (see
    `moments`).
    """
    x = table_within(x, bound)
    public = public_numbers(x, share)
    plan = search(public)
    ball = dp.bounding_ball(d=x.d, bound=WIDEST if bound is None else bound)
    ball = _around(x, ball, plan, share, edges=ALL_OCTAVES if bound is None else EDGES)
    left = (1.0 - plan.total) * share
    if condition is not None:
        positive_number("condition", condition)
    planned = pass_shares(public) if condition is None else pass_shares(public, 1.0 / max(condition, 1.0))
    start = dp.post("classic.start", ball, name="start")
    shares = tuple(s * left for s in planned)
    return refine(x, start, shares, narrowest=resolved(public, planned), judged=judged)


@composite("coinpress_covariance")
def coinpress_covariance(
    x: Handle, center: Handle | None = None, *, bound: float | None = None, share: float = 1.0
) -> Handle:
    """Covariance of a Gaussian, or its second moment about a known centre.

    As ``coinpress_gaussian``. With a centre no mean is looked for, and the passes release plain Gram matrices of
    the rows about it.

    Parameters
    ----------
    x : Handle
        Private rows, (n, d); a whole table or a part of it.
    center : Handle, optional
        A public or released vector of d numbers, such as ``dp.constant([0.0] * d)``: the mean, if it is known.
    bound : float, optional
        ℓ₂ radius around 0 that the rows are promised to lie in; None: 2^500.
    share : float
        Share of ρ.

    Returns
    -------
    Handle
        A released symmetric matrix (d, d), positive definite.

    Formal guarantees
    -----------------
    As ``coinpress_gaussian``; with a centre histograms of distances, that in the last frame among them, one count and
    the Gram matrices, ``share`` of ρ in all.

    References
    ----------
    Biswas, Dong, Kamath, Ullman (2020), Algorithm 2.
    """
    if center is None:
        return dp.post("classic.covariance", coinpress_gaussian(x, bound=bound, share=share), name="covariance")
    x = table_within(x, bound)
    if not isinstance(center.domain, Vector) or center.domain.d != x.d:
        raise PlanError(f"the centre is {center.domain}, the rows have {x.d} columns", fix="give one number a column")
    public = public_numbers(x, share)
    near = search(public).histogram
    ball = dp.post("classic.promised", center, bound=WIDEST if bound is None else bound, name="promised")
    edges = ALL_OCTAVES if bound is None else EDGES
    ball = shrunk(x, ball, "distances", share=near * share, ratio=COARSE, edges=edges)
    ball = shrunk(x, ball, "near", share=near * share, ratio=FINE)
    count = dp.release("count", dp.gaussian(share=COUNT * share), dp.count(x))
    left = (1.0 - COUNT - 2.0 * near) * share
    shares = tuple(s * left for s in pass_shares(public))
    start = dp.post("classic.start", ball, name="start")
    found = refine(x, start, shares, count, narrowest=resolved(public, pass_shares(public)))
    return dp.post("classic.covariance", found, name="covariance")


def _around(x: Handle, ball: Handle, plan: Search, share: float, *, edges: int) -> Handle:
    """A ball that holds nearly all rows, by rounds of its radius and its centre."""
    for t in range(plan.rounds):
        ball = shrunk(
            x, ball, f"distances_{t}", share=plan.histogram * share, ratio=COARSE, edges=edges if t == 0 else EDGES
        )
        total = dp.mean(dp.clip(x, ball))
        moved = dp.release(f"center_{t}", dp.gaussian(share=plan.mean * share), total, frame=True)
        ball = dp.post("classic.move_ball", ball, moved, name=f"search_{t}")
    return shrunk(x, ball, f"distances_{plan.rounds}", share=plan.histogram * share, ratio=FINE)


def refine(
    x: Handle,
    estimate: Handle,
    shares: tuple[float, ...],
    count: Handle | None = None,
    *,
    narrowest: float = 1e-9,
    judged: bool = True,
) -> Handle:
    """The Gaussian after covariance passes from a first estimate.

    Parameters
    ----------
    x : Handle
        Private rows.
    estimate : Handle
        A released `moments.Estimate`.
    shares : tuple of float
        Of ρ, one a pass.
    count : Handle, optional
        A released count. The passes then carry none, and the centre stays where it is.
    narrowest : float
        Ratio of variances that the passes can resolve, for the plan's warning.
    judged : bool
        Whether `DISTANCES` of the shares go to a histogram of distances in the frame of the last pass, read with it.
    """
    distances = DISTANCES * sum(shares) * judged
    more, before = [] if count is None else [count], estimate
    for t, share in enumerate(s * (1.0 - DISTANCES * judged) for s in shares):
        maps = dp.post("classic.whitening", estimate, d=x.d, share=share, anchored=count is None, name=f"whitening_{t}")
        seen = dp.weighted_grams(dp.whiten(x, maps))
        grams = dp.release(f"pass_{t}", dp.gaussian(share=share), seen)
        before = estimate
        estimate = dp.post("classic.update", before, grams, maps, *more, share=share, name=f"estimate_{t}")
    released = [estimate, _distances(x, before, distances)] if judged else [estimate]
    return dp.post("classic.gaussian", *released, d=x.d, narrowest=narrowest, name="gaussian")


def _distances(x: Handle, estimate: Handle, share: float) -> Handle:
    """Released numbers of rows by their distance in the frame of an estimate."""
    frame = dp.post("classic.whitening", estimate, d=x.d, share=share, anchored=False, wide=True, name="frame")
    far = dp.weighted_radii(dp.whiten(x, frame), edges=shape.EDGES, ratio=shape.RATIO)
    return dp.release("shape", dp.gaussian(share=share), far)
