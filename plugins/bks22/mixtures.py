"""``bks22_gmm_easy``: a mixture whose groups are seen in the public rows, each learned privately in its own frame."""

from __future__ import annotations

import math
from typing import Any

import attrs

import dpframe.plugin as dp
from dpframe.plugin import Handle, PlanError, SpecError, composite

from .program import BETA, public_table
from .public import promised

MOST_OPEN = 1e4
"""Ratio of variances that the passes of a part are made for: what a group's public rows leave open, as a rule."""


@attrs.frozen
class Shares:
    """Shares of ρ: of a part's count, of its Gaussian alone, and of that where private passes follow over all rows."""

    count: float = 0.03
    start: float = 0.3


SHARES = Shares()
DEEPEST = 65
"""Components that are cut off one by one: k - 1 levels are planned, at most 64."""
LIGHTEST = 1e-9
"""Least w_min: of the smallest floats a bar for clusters is 0, above which all cells are one each."""
MOST_PARTS = 1000
"""Components whose parts are planned one by one: 5001 were not planned within a minute."""


def check_mixture(x: Handle, k: object, w_min: Any) -> None:
    """Refuse a k that is no number of components, a weight above 1/k, and a part of a table.

    Raises
    ------
    SpecError, PlanError
    """
    if isinstance(k, bool) or not isinstance(k, int) or k < 1:
        raise SpecError(f"k must be a whole number of at least 1, not {k!r}", fix="--set k=2")
    least_weight(k, w_min)
    if x.edge.lineage:
        raise PlanError("needs the whole private table", fix="pass the program's own argument")


def least_weight(k: int, w_min: Any) -> float:
    """The least weight of a component, 1/(2k) where none is given.

    Raises
    ------
    SpecError
        For one above 1/k, and one so small that float64 holds no product with it.
    """
    if w_min is None:
        return 1.0 / (2 * k)
    if isinstance(w_min, bool) or not isinstance(w_min, (int, float)) or not LIGHTEST <= w_min <= 1 / k:
        raise SpecError(
            f"w_min must be at least {LIGHTEST:g} and at most 1/k, not {w_min!r}", fix=f"use {1 / (2 * k):g}"
        )
    return float(w_min)


def tested_rows(n: int, k: int, w_min: Any) -> int:
    """Rows that a test asks for on either side of a cut, t = ⌊n·w_min/2⌋ and 1 at least.

    Raises
    ------
    SpecError
        For a w_min that is given and of which this is none.
    """
    least = least_weight(k, w_min)
    if w_min is not None and n * least < 2:
        raise SpecError(
            f"w_min = {w_min!r} of {n} rows are fewer than the 2 that a cut is tested for",
            fix=f"give at least 2/{n}, or leave it out",
        )
    return max(1, math.floor(n * least / 2))


def check_parts(k: int, most: int) -> None:
    """Refuse more components than parts are planned for: one by one, or so many levels deep.

    Raises
    ------
    SpecError
    """
    if k > most:
        raise SpecError(f"k must be at most {most}, not {k}", fix="use a smaller k, or practical_gmm")


@composite("bks22_gmm_easy")
def bks22_gmm_easy(
    x: Handle,
    public: Handle,
    *,
    k: int,
    gamma: float = 0.0,
    beta: float = BETA,
    w_min: float | None = None,
    refine: bool = True,
    covariance_type: str = "auto",
    share: float = 1.0,
    seed: int = 0,
) -> Handle:
    """A mixture of k Gaussians from private rows and so many public ones that their groups show.

    The public rows are clustered; private rows go to the ball of the first group that holds them; every part is learned
    by ``coinpress_gaussian`` in the frame of its own public rows, with a noisy count. With ``refine`` the result starts
    private EM passes over all rows.

    Parameters
    ----------
    x, public : Handle
        Private and public rows of d columns.
    k : int
        Number of components.
    gamma, beta : float
        As in ``precondition``.
    w_min : float, optional
        Least weight, which is only checked: every group that the public rows show is learned, whatever it weighs.
        About ln(k/β)/w_min public rows show every one.
    refine : bool
        Whether private EM passes over the whole table follow.
    covariance_type : {"auto", "full", "spherical"}
        Of these passes: spherical ones where full covariances would be noise, unless one is asked for.
    share : float
        Share of ρ.
    seed : int
        Public seed of the clustering.

    Returns
    -------
    Handle
        A released mixture, in the units of the table; ``failed`` where a part holds too few rows.

    Formal guarantees
    -----------------
    ``rule_partition`` by public balls, so a replaced row may leave one part and enter another; in each part
    kernel statistics with Gaussian noise. They hold for every public table.

    References
    ----------
    Bie, Kamath, Singhal (2022), Algorithms 8 to 10 and Theorem 4.29. Groups are found by spectral clustering or single
    linkage, where Algorithms 8 and 9 look for gaps of ratio 11 (docs/known-limits.md).
    """
    public_table(x, public)
    check_mixture(x, k, w_min)
    check_parts(k, MOST_PARTS)
    groups = dp.post("bks22.groups", public, k=k, seed=seed, name="groups")
    balls = dp.post("bks22.group_balls", groups, k=k, d=x.d, name="balls")
    parts = dp.partition_balls(x, balls, balls=k, name="parts")
    own = share * (SHARES.start if refine else 1.0)
    bound = promised(x.d, beta, gamma).radius
    learned = []
    for i in range(k):
        map_ = dp.post("bks22.group_frame", groups, index=i, d=x.d, name=f"frame_{i}")
        steps = dp.recipe(
            "coinpress_gaussian", bound=bound, condition=MOST_OPEN, share=own * (1.0 - SHARES.count), judged=False
        )
        inside = dp.release(f"part_{i}", steps, dp.affine(parts[i], map_))
        learned.append(dp.post("bks22.back", inside, map_, name=f"gaussian_{i}"))
        learned.append(dp.release(f"rows_{i}", dp.gaussian(share=own * SHARES.count), dp.count(parts[i])))
    mixture = dp.post("kssu19.mixture", *learned, name="mixture")
    if not refine:
        return mixture
    return refined(x, mixture, k=k, share=share * (1.0 - SHARES.start), seed=seed, covariance_type=covariance_type)


def refined(x: Handle, mixture: Handle, *, k: int, share: float, seed: int, covariance_type: str = "auto") -> Handle:
    """Private EM passes over all rows from a released mixture."""
    ball = dp.post("arbas23.frame", mixture, name="frame")
    count = dp.release("count", dp.gaussian(share=SHARES.count * share), dp.count(x))
    framed = dp.post("arbas23.coarse", mixture, ball, name="framed")
    how = {"may_drown": True, "covariance_type": covariance_type}
    steps = dp.recipe("practical.refine", k=k, share=(1.0 - SHARES.count) * share, seed=seed, **how)
    return dp.apply("refined", steps, x, ball, count, framed)  # type: ignore[no-any-return]
