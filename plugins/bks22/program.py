"""``precondition``, ``bks22_mean`` and ``bks22_gaussian``: any Gaussian estimator in the frame of a few public rows."""

from __future__ import annotations

import inspect
import math
from collections.abc import Sequence
from typing import Any

import dpframe.plugin as dp
from dpframe.plugin import Handle, Kind, PlanError, Rows, composite, find_composite
from dpframe_plugins.aal21.known import digest, read_covariance
from dpframe_plugins.classic.checks import table
from dpframe_plugins.classic.sizing import offset_clip

from .public import Frame, promised

BETA = 0.05
OF_THE_MEAN = ("clip_and_noise_mean",)
"""Estimators of a mean whose bound holds the mean; that of others holds the rows, which are projected into it."""
OUTSIDE = 1e-9
"""Part of the rows that may lie beyond what is told to these."""


def public_table(x: Handle, public: Handle) -> None:
    """Check both tables.

    Raises
    ------
    PlanError
        Where the second is private, or they differ in their columns.
    """
    table(x)
    if public.edge.kind is not Kind.PUBLIC or not isinstance(public.domain, Rows):
        raise PlanError("needs a public table", fix="declare it with dp.public_rows, or --public FILE")
    if public.domain.d != x.d:
        raise PlanError(f"the public table has {public.domain.d} columns, the private one {x.d}", fix="select the same")


def check_refine(refine: bool) -> None:
    """Refuse EM passes after one Gaussian, which specs of mixtures have.

    Raises
    ------
    PlanError
    """
    if refine:
        raise PlanError(
            "refine=true is for mixtures: its passes weigh rows by component, and one Gaussian has one",
            fix="set refine=false; more rows or a larger budget make the Gaussian better",
        )


@composite("precondition")
def precondition(
    x: Handle,
    public: Handle,
    *,
    estimator: str = "coinpress_gaussian",
    gamma: float = 0.0,
    beta: float = BETA,
    share: float = 1.0,
    **parameters: Any,
) -> Handle:
    """Any estimator of a Gaussian, its mean or its covariance, run in the frame of public rows (Algorithm 2).

    In the frame of d + 1 public rows the private ones have variances from 1 to K and a mean within R of 0, wherever
    they lie: so the estimator is told ``bound=R``, and ``condition=K`` or ``scale=√K`` where it must have one, and no
    promise is asked of the user.

    Parameters
    ----------
    x : Handle
        Private rows, (n, d); a whole table or a part of it.
    public : Handle
        Public rows, at least d + 1 distinct ones; all are used.
    estimator : str
        Registered composite of one private table that takes ``share`` and gives a Gaussian, a vector or a symmetric
        matrix: ``coinpress_gaussian``, ``coinpress_mean``, ``coinpress_covariance`` (all of them in parts too, zCDP or
        (ε, δ)), ``clip_and_noise_mean`` (any budget), ``cover_gaussian`` (any budget, one column), ``al22_gaussian``
        ((ε, δ), a whole table).
    gamma : float
        Total variation between public and private distributions, in [0, 1): R grows with it.
    beta : float
        Probability that the frame promises too much.
    share : float
        Share of ρ.
    **parameters
        Of the estimator.

    Returns
    -------
    Handle
        What the estimator releases, in the units of the table.

    Formal guarantees
    -----------------
    The estimator's own, on rows seen through a public map: a row map keeps the edits. They hold for every public
    table; only errors depend on it. Public rows that also occur in the private table are the user's responsibility:
    what is public is not protected.

    References
    ----------
    Bie, Kamath, Singhal (2022), Algorithms 1 and 2, Lemmas 3.4 and 3.13, with U1 (docs/theory/corrections.md).
    """
    public_table(x, public)
    frame = promised(x.d, beta, gamma)
    map_ = dp.post("bks22.frame", public, low=frame.lowest, name="frame")
    seen = dp.affine(x, map_)
    told = _told(estimator, frame) | parameters
    learned = dp.release("learned", dp.recipe(estimator, share=share, **told), seen)
    return dp.post("bks22.back", learned, map_, name="gaussian")


def _told(estimator: str, frame: Frame) -> dict[str, float]:
    """What the lemmas promise, of what a composite takes: its bound, and what it has no default for.

    Raises
    ------
    PlanError
        Where a composite takes no share, or more than one table.
    """
    known = inspect.signature(find_composite(estimator)).parameters
    tables = [name for name, p in known.items() if p.kind is not p.KEYWORD_ONLY and p.default is p.empty]
    if "share" not in known or len(tables) != 1:
        raise PlanError(
            f"{estimator} is no estimator of one private table with a share", fix="use coinpress_gaussian, for example"
        )
    promises = {"bound": frame.radius, "condition": frame.condition, "scale": math.sqrt(frame.condition)}
    return {
        name: value
        for name, value in promises.items()
        if name in known and (name == "bound" or known[name].default is known[name].empty)
    }


@composite("bks22_gaussian")
def bks22_gaussian(
    x: Handle, public: Handle, *, gamma: float = 0.0, beta: float = BETA, refine: bool = False, share: float = 1.0
) -> Handle:
    """Mean and covariance of a Gaussian from private rows and at least d + 1 public ones.

    ``precondition`` around ``coinpress_gaussian``, whose passes are made for the ratio of variances that d + 1 public
    rows leave open as a rule, about 100 d².

    Parameters
    ----------
    x, public : Handle
        Private and public rows of d columns.
    gamma, beta, share : float
        As in ``precondition``.
    refine : bool
        False: passes that refine mixtures have nothing to do on one Gaussian.

    Returns
    -------
    Handle
        A released Gaussian, in the units of the table.

    Formal guarantees
    -----------------
    As ``coinpress_gaussian``, for every public table.

    References
    ----------
    Bie, Kamath, Singhal (2022), Theorem 3.7.
    """
    check_refine(refine)
    wide = 1.0 / (1.0 - gamma) ** 4 if 0 <= gamma < 1 else 1.0
    return precondition(x, public, gamma=gamma, beta=beta, share=share, condition=100.0 * x.d**2 * wide)


@composite("bks22_mean")
def bks22_mean(
    x: Handle,
    public: Handle,
    *,
    covariance: Sequence[Sequence[float]] | None = None,
    estimator: str = "coinpress_mean",
    beta: float = BETA,
    gamma: float = 0.0,
    refine: bool = False,
    share: float = 1.0,
) -> Handle:
    """Mean of a Gaussian of known covariance from private rows and one public row.

    Parameters
    ----------
    x, public : Handle
        Private and public rows of d columns; one public row is enough, more narrow the search.
    covariance : (d, d), optional
        Public; I if not given.
    estimator : str
        Registered composite that takes ``bound``, ``scale`` and ``share`` and gives a mean: ``coinpress_mean``, or
        ``clip_and_noise_mean`` (Lemma 3.2(1)), which also runs under pure ε.
    beta, gamma, share : float
        As in ``precondition``.
    refine : bool
        As in ``bks22_gaussian``.

    Returns
    -------
    Handle
        A released Gaussian with the learned mean and the given covariance.

    Formal guarantees
    -----------------
    Those of the estimator, for every public row: rows beyond the ball around it are projected into it.

    References
    ----------
    Bie, Kamath, Singhal (2022), Claim 3.1 and Theorem 3.3; for γ > 0 Lemma 3.11, the covariance being that of both.
    """
    public_table(x, public)
    check_refine(refine)
    if covariance is None:
        known = dp.post("bks22.identity", d=x.d, name="covariance")
    else:
        entries = read_covariance(covariance, x.d)
        known = dp.post("aal21.covariance", values=entries, sha256=digest(entries), name="covariance")
    map_ = dp.post("bks22.place", public, known, name="place")
    seen = dp.affine(x, map_)
    bound = radius(x.d, beta, gamma)
    if estimator not in OF_THE_MEAN:
        bound = offset_clip(x.d, bound, OUTSIDE)
    steps = dp.recipe(estimator, bound=bound, scale=1.0, share=share)
    mean = dp.release("learned", steps, seen)
    mean = dp.post("bks22.back", mean, map_, name="mean_of_rows")
    return dp.post("bks22.known", mean, known, name="gaussian")


def radius(d: int, beta: float, gamma: float) -> float:
    """Distance of the mean from one public row of unit covariance, exceeded with probability β (Claim 3.1).

    Examples
    --------
    >>> round(radius(50, 0.05, 0.0), 1)
    9.0
    """
    promised(d, beta, gamma)  # refuses what is no probability
    log = math.log(1.0 / beta)
    far = math.sqrt(10.0 * gamma / (1.0 - gamma))
    return math.sqrt(d + 2.0 * math.sqrt(d * log) + 2.0 * log) + far
