"""``aal21.univariate``, ``aal21.axis_aligned``, ``aal21.known_covariance``: what the three specs run."""

from __future__ import annotations

import math
from collections.abc import Sequence

import dpframe.plugin as dp
from dpframe.plugin import Handle, PlanError, SpecError, composite

from .known import read_covariance, whiten
from .program import most_candidates, public_rows
from .reduction import MAX_HYPOTHESES
from .sizing import PAPER_ALPHA, check_accuracy

MODES = ("practical", "paper")
PLACE_SHARE, PLACE_DELTA = 0.1, 0.2
HOPED = 0.1
"""α of the practical mode where none is given."""


def _learn(
    x: Handle,
    *,
    k: int,
    alpha: float | None,
    beta: float,
    mode: str,
    max_hypotheses: int,
    sds: tuple[float, ...],
    share: float,
    seed: int,
    n: int,
    scales: str = "pairs",
) -> Handle:
    if mode not in MODES:
        raise SpecError(f"mode must be practical or paper, not {mode!r}", fix="--set mode=practical")
    if alpha is None:
        alpha = PAPER_ALPHA if mode == "paper" else HOPED
    check_accuracy(k, alpha, beta)
    if mode != "paper" and scales != "pairs":
        raise SpecError(
            f"mode={mode} finds its cells from pairs; scales={scales!r} is of mode=paper", fix="--set mode=paper"
        )
    common = {"k": k, "alpha": alpha, "sds": sds, "share": share, "seed": seed, "n": n}
    if mode == "paper":
        recipe = dp.recipe("aal21.paper", beta=beta, max_hypotheses=max_hypotheses, scales=scales, **common)
        return dp.apply("paper", recipe, x)  # type: ignore[no-any-return]
    if most_candidates(k) > max_hypotheses:
        raise PlanError(
            f"mode=practical fits {most_candidates(k)} mixtures, max_hypotheses is {max_hypotheses}",
            fix="raise max_hypotheses or use a smaller k",
        )
    return dp.apply("practical", dp.recipe("aal21.practical", **common), x)  # type: ignore[no-any-return]


@composite("aal21.univariate")
def univariate(
    x: Handle,
    *,
    k: int,
    alpha: float | None = None,
    beta: float = 0.1,
    mode: str = "practical",
    max_hypotheses: int = MAX_HYPOTHESES,
    share: float = 1.0,
    seed: int = 0,
    scales: str = "pairs",
) -> Handle:
    """A mixture of ``k`` Gaussians in one column, with no bound on its parameters.

    Parameters
    ----------
    x : Handle
        The private table, (n, 1).
    k : int
        Number of components.
    alpha, beta : float
        Total variation that is asked for, and the probability of missing it. ``practical`` warns by alpha only. Without
        alpha, 0.1 in ``practical`` and 0.7 in ``paper``, where smaller ones are mostly out of reach and 1 says nothing.
    mode : {"practical", "paper"}
        Mixtures fitted to released cells as candidates, or Algorithm 1 as proved.
    max_hypotheses : int
        Most hypotheses that are selected among.
    share : float
        Share of ρ.
    seed : int
        Public seed.
    scales : {"pairs", "dyadic"}
        In ``paper``: from pairs of rows as in the text, or from bins of all widths, which asks for far fewer rows and
        lists more.

    Returns
    -------
    Handle
        A released mixture of ``k`` components, some of weight 0 perhaps, in the units of the table; ``failed`` where no
        scale or bin stands out, or more components are listed than the plan allows.

    Raises
    ------
    PlanError, SpecError
        For another adjacency, a part of a table, more hypotheses than ``max_hypotheses``, and parameters out of range.

    Formal guarantees
    -----------------
    Replace-one with public n. See ``aal21.practical`` and ``aal21.mixture_from_list_decoder``.

    References
    ----------
    AAL21, Theorem 4.14.
    """
    n = public_rows(x)
    if x.d != 1:
        raise PlanError(f"takes one column, not {x.d}", fix="name it by columns=, or use aal21_axis_aligned")
    common = {"k": k, "alpha": alpha, "beta": beta, "mode": mode, "max_hypotheses": max_hypotheses}
    common["scales"] = scales
    return _learn(x, sds=(), share=share, seed=seed, n=n, **common)  # type: ignore[arg-type]


@composite("aal21.axis_aligned")
def axis_aligned(
    x: Handle,
    *,
    k: int,
    alpha: float | None = None,
    beta: float = 0.1,
    mode: str = "practical",
    max_hypotheses: int = MAX_HYPOTHESES,
    share: float = 1.0,
    seed: int = 0,
    scales: str = "pairs",
) -> Handle:
    """A mixture of ``k`` Gaussians with diagonal covariances, with no bound on its parameters.

    Parameters
    ----------
    x : Handle
        The private table, (n, d).
    k, alpha, beta, mode, max_hypotheses, share, seed, scales
        As of ``aal21.univariate``, and so are what is returned and the errors; at most ten columns in ``practical``.

    Returns
    -------
    Handle
        A released mixture of ``k`` components with diagonal covariances, some of weight 0 perhaps; see
        ``aal21.univariate`` for when it is ``failed``.

    Formal guarantees
    -----------------
    Replace-one with public n. See ``aal21.practical`` and ``aal21.mixture_from_list_decoder``.

    References
    ----------
    AAL21, Theorem 5.1.
    """
    common = {"k": k, "alpha": alpha, "beta": beta, "mode": mode, "max_hypotheses": max_hypotheses}
    common["scales"] = scales
    return _learn(x, sds=(), share=share, seed=seed, n=public_rows(x), **common)  # type: ignore[arg-type]


@composite("aal21.known_covariance", examples={"sigma": 1.0})
def known_covariance(
    x: Handle,
    *,
    k: int,
    sigma: float | None = None,
    covariance: Sequence[Sequence[float]] | None = None,
    alpha: float | None = None,
    beta: float = 0.1,
    mode: str = "practical",
    max_hypotheses: int = MAX_HYPOTHESES,
    share: float = 1.0,
    seed: int = 0,
) -> Handle:
    """A mixture of ``k`` Gaussians that share one known covariance, with no bound on their means.

    Parameters
    ----------
    x : Handle
        The private table, (n, d).
    sigma : float, optional
        The covariance is sigma²·I.
    covariance : sequence of sequences of float, optional
        Or this (d, d) matrix, which is public. Give one of the two. It is written to the graph with its digest; where
        it is not diagonal, rows are whitened about a released place.
    k, alpha, beta, mode, max_hypotheses, share, seed
        As of ``aal21.univariate``, and so are what is returned and the errors; at most ten columns in ``practical``.

    Returns
    -------
    Handle
        A released mixture of ``k`` components that all have the known covariance, some of weight 0 perhaps; see
        ``aal21.univariate`` for when it is ``failed``.

    Formal guarantees
    -----------------
    Replace-one with public n. See ``aal21.practical`` and ``aal21.mixture_from_list_decoder``; the place costs a stable
    histogram of its own.

    References
    ----------
    AAL21, Theorem 4.6, Corollary 4.5 and Appendix E.
    """
    n, d = public_rows(x), x.d
    common = {
        "k": k,
        "alpha": alpha,
        "beta": beta,
        "mode": mode,
        "max_hypotheses": max_hypotheses,
        "n": n,
        "seed": seed,
    }
    if (sigma is None) == (covariance is None):
        raise SpecError(
            "give sigma, for the covariance sigma^2*I, or covariance, a matrix: one of the two", fix="--set sigma=1"
        )
    if sigma is not None:
        return _learn(x, sds=(float(sigma),) * d, share=share, **common)  # type: ignore[arg-type]
    values = read_covariance(covariance or [], d)
    diagonal = [values[j * d + j] for j in range(d)]
    if all(values[i * d + j] == 0.0 for i in range(d) for j in range(d) if i != j):
        return _learn(x, sds=tuple(math.sqrt(v) for v in diagonal), share=share, **common)  # type: ignore[arg-type]
    white = whiten(x, values, share=PLACE_SHARE * share, delta_fraction=PLACE_DELTA, seed=seed)
    found = _learn(white.rows, sds=(1.0,) * d, share=(1.0 - PLACE_SHARE) * share, **common)  # type: ignore[arg-type]
    return white.undo(found)
