"""``kssu19_pegme``: a mixture of spherical Gaussians of similar weights, found in a private projection."""

from __future__ import annotations

import math
from typing import Any

import attrs

import dpframe.plugin as dp
from dpframe.plugin import Handle, Kind, PlanError, SpecError, composite
from dpframe_plugins.bks22.mixtures import MOST_PARTS, check_parts, least_weight, refined

from .gaussian import HIGHEST, components, deviations
from .nodes import FINEST, MOST_LEVELS, levels

THRESHOLD_DELTA = 0.1
"""Part of δ kept for the threshold of the cells."""

PROJECTED, FLAT, BETA = 512.0, 64.0, 0.05
"""Times ln(nk/β): what Algorithm 1 asks of ℓ, and condition (7) of d."""


@attrs.frozen
class Shares:
    """Shares of ρ: the ball that holds the rows, PCA, cells, the parts; ``start`` of all that where passes follow."""

    locating: float = 0.06
    pca: float = 0.10
    cells: float = 0.20
    parts: float = 0.64
    start: float = 0.40


SHARES = Shares()


def promised(d: int, R: float | None, sigma_max: float) -> float | None:
    """Radius that holds the rows of components whose means are within R of 0; None without a promise that says much."""
    return None if R is None or R > HIGHEST else R + sigma_max * (math.sqrt(d) + 10.0)


def check(x: Handle, k: int, w_min: Any, sigma_min: float, sigma_max: float, R: Any) -> float:
    """Check what the learners of this family are told; the least weight.

    Raises
    ------
    SpecError, PlanError
    """
    components("k", k)
    least = least_weight(k, w_min)
    deviations(sigma_min, sigma_max)
    if levels(sigma_min, sigma_max) > MOST_LEVELS:
        raise SpecError(
            f"sigma_max is {sigma_max / sigma_min:.3g} times sigma_min: more than {2.0 ** (MOST_LEVELS - 3):.3g}",
            fix="narrow the range of standard deviations",
        )
    if R is not None and (isinstance(R, bool) or not isinstance(R, (int, float)) or not 0 < R < math.inf):
        raise SpecError(
            f"R must be a positive finite number, not {R!r}", fix="give a radius that holds all means, or leave it out"
        )
    if x.edge.kind is not Kind.PRIVATE or x.edge.lineage:
        raise PlanError("needs the whole private table", fix="pass the program's own argument")
    return least


def choose(weights: Any, leaf: Any) -> None:
    """Refuse a weighting or an estimator of parts that there is not.

    Raises
    ------
    SpecError
    """
    for name, value, choices in (("weights", weights, ("noisy", "equal")), ("leaf", leaf, ("psge", "coinpress"))):
        if value not in choices:
            raise SpecError(f"{name} must be one of {', '.join(choices)}, not {value!r}", fix=f"use {choices[0]}")


def dimensions(rank: Any, k: int) -> int:
    """ℓ, the columns of a projection: k where none are asked for.

    Raises
    ------
    SpecError
    """
    if rank is None:
        return k
    components("rank", rank)
    return int(rank)


def least_columns(x: Handle, k: int, factor: float) -> int:
    """The columns that a theorem of the paper asks for, factor·ln(nk/β); 0 where n is private.

    Examples
    --------
    >>> math.ceil(FLAT * math.log(1_000_000 * 4 / BETA))
    1165
    """
    rows = next((i.n for i in x.tracer.inputs if i.name == x.ref.node), None)
    return 0 if rows is None else math.ceil(factor * math.log(rows * k / BETA))


def published_cells(
    seen: Handle, map_: Handle, *, sigma_min: float, sigma_max: float, share: float, seed: int
) -> tuple[Handle, Handle]:
    """Nested cells of projected rows that hold enough of them, and the grids."""
    number = levels(sigma_min, sigma_max)
    grids = dp.post("kssu19.grids", map_, levels=number, finest=FINEST * sigma_min, seed=seed, name="grids")
    mechanism = dp.stable_histogram(share=share, delta_fraction=THRESHOLD_DELTA)
    return dp.release("cells", mechanism, dp.cells(seen, grids, levels=number)), grids


@composite("kssu19_pegme")
def kssu19_pegme(
    x: Handle,
    *,
    k: int,
    sigma_min: float,
    sigma_max: float,
    R: float | None = None,
    w_min: float | None = None,
    weights: str = "noisy",
    leaf: str = "psge",
    rank: int | None = None,
    halves: bool = False,
    refine: bool = True,
    covariance_type: str = "auto",
    share: float = 1.0,
    seed: int = 0,
) -> Handle:
    """A mixture of k spherical Gaussians (PEGME): private PCA, k balls, one Gaussian in each.

    A ball that holds the rows; PCA of the rows there to k dimensions; cells of the projected rows above a noisy
    threshold; k times the smallest ball about a released cell that holds enough of what is left; rows to the first
    ball that holds their projection (C8); PSGE in each part. With ``refine`` the result starts private EM passes with
    full covariances over all rows.

    Parameters
    ----------
    x : Handle
        Private rows.
    k : int
        Number of components.
    sigma_min, sigma_max : float
        Range of the components' standard deviations, in the units of the table; their ratio costs by its logarithm.
    R : float, optional
        Radius around 0 that holds all means; none is needed.
    w_min : float, optional
        Least weight; 1/(2k) if not given.
    weights : {"noisy", "equal"}
        Weights by noisy counts, or 1/k.
    leaf : {"psge", "coinpress"}
        Estimator of a part: a spherical Gaussian, or one with a full covariance by ``coinpress_gaussian``.
    rank : int, optional
        Dimensions ℓ of the projection; k if not given, which serves. The theorem's 512 ln(nk/β) is above most d.
    halves : bool
        PCA on one half of the row indices and all else on the other, as printed (C1); without it both see all rows,
        which needs fewer.
    refine : bool
        Whether private EM passes follow.
    covariance_type : {"auto", "full", "spherical"}
        Of these passes: spherical ones where full covariances would be noise, unless one is asked for.
    share : float
        Share of ρ.
    seed : int
        Public seed of halves and grids.

    Returns
    -------
    Handle
        A released mixture, in the units of the table; ``failed`` where fewer than k components are found.

    Formal guarantees
    -----------------
    Kernel mechanisms alone, composed by the planner: a located ball, a Gram matrix about its centre, a stable
    histogram of a released projection, and in the parts (``rule_partition`` by released balls, so a replaced row may
    leave one and enter another) histograms, counts and sums. None rests on sigma_min, sigma_max, R, w_min or on
    separation.

    References
    ----------
    Kamath, Sheffet, Singhal, Ullman (2019), Algorithm 1, with C1, C8, C9 (docs/theory/corrections.md).
    """
    least = check(x, k, w_min, sigma_min, sigma_max, R)
    check_parts(k, MOST_PARTS)
    choose(weights, leaf)
    kept = dimensions(rank, k)
    own = share * (SHARES.start if refine else 1.0)
    steps = dp.recipe("locate", bound=promised(x.d, R, sigma_max), share=SHARES.locating * own)
    ball = dp.apply("located", steps, x)
    first, second = dp.split(x, count=2, seed=seed, name="halves") if halves else (x, x)
    map_ = dp.apply("pca", dp.recipe("kssu19.pca", rank=kept, share=SHARES.pca * own), first, ball)
    found, grids = published_cells(
        dp.affine(second, map_), map_, sigma_min=sigma_min, sigma_max=sigma_max, share=SHARES.cells * own, seed=seed
    )
    asked = {"columns": min(kept, x.d), "asked": least_columns(x, k, PROJECTED)}
    balls = dp.post("kssu19.balls", found, grids, k=k, w_min=least, **asked, name="balls")
    parts = dp.partition_balls(second, balls, map_, balls=k, name="parts")
    learned: list[Handle] = []
    for i in range(k):
        around = dp.post("kssu19.lifted", balls, map_, ball, index=i, name=f"ball_{i}")
        learned += estimated(
            f"part_{i}", parts[i], around, leaf=leaf, sigma_min=sigma_min, sigma_max=sigma_max, share=SHARES.parts * own
        )
    mixture = dp.post("kssu19.mixture", *learned, equal=weights == "equal", name="mixture")
    if not refine:
        return mixture
    return refined(x, mixture, k=k, share=share * (1.0 - SHARES.start), seed=seed, covariance_type=covariance_type)


def estimated(
    name: str, part: Handle, ball: Handle, *, leaf: str, sigma_min: float, sigma_max: float, share: float
) -> list[Handle]:
    """Gaussian and count of one part."""
    if leaf == "psge":
        steps = dp.recipe("kssu19.psge", sigma_min=sigma_min, sigma_max=sigma_max, share=share)
        made = dp.apply(name, steps, part, ball)
        return [made["gaussian"], made["count"]]
    count = dp.release(f"{name}.rows", dp.gaussian(share=0.03 * share), dp.count(part))
    condition = (sigma_max / sigma_min) ** 2
    return [
        dp.apply(name, dp.recipe("coinpress_gaussian", condition=condition, share=0.97 * share, judged=False), part),
        count,
    ]
