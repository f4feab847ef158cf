"""Mechanisms: what ``dp.release`` turns a private value into a released one with."""

from __future__ import annotations

from dpframe.front.verbs.nodes import mechanism, verb
from dpframe.kernel.operations import Mechanism


@verb
def gaussian(*, share: float | None = None, noise_multiplier: float | None = None) -> Mechanism:
    """The rounded Gaussian mechanism: noise in ℓ₂, for sums, means, Gram matrices and counts.

    Parameters
    ----------
    share : float, optional
        Weight of ρ relative to the other shares; the planner solves the noise. Give this or ``noise_multiplier``.
    noise_multiplier : float, optional
        σ over the ℓ₂ sensitivity, fixed.

    Returns
    -------
    Mechanism
        A mechanism, for ``dp.release``.

    Raises
    ------
    PlanError
        Unless exactly one of share and noise_multiplier is given, and a positive number.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``gaussian_mechanism`` (Dong, Roth, Su 2022; docs/theory/notation.md#finite-arithmetic): Rounded Gaussian
    noise of scale σ on lattice values is post-processing of N(0, σ²): (Δ/σ)-GDP exactly.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     inside = dp.clip(x, dp.ball(centre=[0.0, 0.0], radius=10.0))
    ...     return dp.release("result", dp.gaussian(share=1.0), dp.mean(inside))
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return mechanism("gaussian", share=share, noise_multiplier=noise_multiplier)


@verb
def discrete_gaussian(*, share: float | None = None, noise_multiplier: float | None = None) -> Mechanism:
    """The discrete Gaussian mechanism, for vectors and counts; ``gaussian`` is the better default.

    Parameters
    ----------
    share : float, optional
        Weight of ρ relative to the other shares; the planner solves the noise. Give this or ``noise_multiplier``.
    noise_multiplier : float, optional
        σ over the ℓ₂ sensitivity, fixed.

    Returns
    -------
    Mechanism
        A mechanism, for ``dp.release``.

    Raises
    ------
    PlanError
        Unless exactly one of share and noise_multiplier is given, and a positive number.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``discrete_gaussian_mechanism`` (Canonne, Kamath, Steinke 2020): Discrete Gaussian noise of scale σ on
    lattice values is Δ²/2σ² zCDP (and not charged as GDP).

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     return dp.release("result", dp.discrete_gaussian(share=1.0), dp.count(x))
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return mechanism("discrete_gaussian", share=share, noise_multiplier=noise_multiplier)


@verb
def laplace(*, share: float | None = None, noise_multiplier: float | None = None) -> Mechanism:
    """The discrete Laplace mechanism: noise in ℓ₁, for vectors and counts under a pure budget.

    Parameters
    ----------
    share : float, optional
        Weight of ρ relative to the other shares; the planner solves the noise. Give this or ``noise_multiplier``.
    noise_multiplier : float, optional
        Scale b over the ℓ₁ sensitivity, fixed.

    Returns
    -------
    Mechanism
        A mechanism, for ``dp.release``.

    Raises
    ------
    PlanError
        Unless exactly one of share and noise_multiplier is given, and a positive number.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``laplace_mechanism`` (Ghosh, Roughgarden, Sundararajan 2012): Discrete Laplace noise of scale b on lattice
    values that move by at most Δ in ℓ₁ is Δ/b-DP.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     return dp.release("result", dp.laplace(share=1.0), dp.count(x))
    >>> plan = dp.plan(example, x=dp.rows(d=2), adjacency=dp.ADD_REMOVE, budget=dp.pure_dp(epsilon=1.0))
    >>> plan.verdict.holds
    True
    """
    return mechanism("laplace", share=share, noise_multiplier=noise_multiplier)


@verb
def stable_histogram(
    *, share: float | None = None, noise_multiplier: float | None = None, delta_fraction: float, noise: str = "gaussian"
) -> Mechanism:
    """Occupied bins whose noisy count exceeds an exact threshold; the other bins are never named.

    Parameters
    ----------
    share : float, optional
        Weight of ρ relative to the other shares; the planner solves the noise. Give this or ``noise_multiplier``.
    noise_multiplier : float, optional
        Scale of the noise over the sensitivity, fixed.
    delta_fraction : float
        Fraction of the budget's δ for bins that are occupied on one side only.
    noise : {"gaussian", "laplace"}
        Law of the noise on each count.

    Returns
    -------
    Mechanism
        A mechanism, for ``dp.release``.

    Raises
    ------
    PlanError
        Unless exactly one of share and noise_multiplier is given, and a positive number.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``stable_histogram`` (Korolova, Kenthapadi, Mishra, Ntoulas 2009; Bun, Nissim, Stemmer 2016;
    docs/theory/corrections.md#t1): Noise on occupied bins, published above the exact-tail threshold: the noise's loss,
    plus δ.

    Examples
    --------
    >>> import dpframe as dp
    >>> from dpframe.proof.spaces import Record
    >>> from dpframe.front.verbs.examples import stub
    >>> @dp.program
    ... def example(x):
    ...     cells = dp.cells(x, stub(Record("grids")), levels=1)
    ...     return dp.release("result", dp.stable_histogram(share=1.0, delta_fraction=0.5), cells)
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return mechanism(
        "stable_histogram", share=share, noise_multiplier=noise_multiplier, delta_fraction=delta_fraction, noise=noise
    )


@verb
def above_threshold(
    *, share: float | None = None, noise_multiplier: float | None = None, threshold: float
) -> Mechanism:
    """Index of the first score above a public threshold, or None.

    Parameters
    ----------
    share : float, optional
        Weight of ρ relative to the other shares; the planner solves the noise. Give this or ``noise_multiplier``.
    noise_multiplier : float, optional
        Scale of the noise over the sensitivity, fixed.
    threshold : float
        In the units of the scores; public.

    Returns
    -------
    Mechanism
        A mechanism, for ``dp.release``.

    Raises
    ------
    PlanError
        Unless exactly one of share and noise_multiplier is given, and a positive number.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``above_threshold`` (Dwork, Naor, Reingold, Rothblum, Vadhan 2009): Threshold noise Lap(2Δ/ε), query noise
    Lap(4Δ/ε), stop at the first ⊤: ε-DP for any number of queries.

    Examples
    --------
    >>> import dpframe as dp
    >>> from dpframe.proof.spaces import Ball, ListOf
    >>> from dpframe.front.verbs.examples import stub
    >>> @dp.program
    ... def example(x):
    ...     counts = dp.ball_counts(x, stub(ListOf(Ball(2), 4)), size=4)
    ...     return dp.release("result", dp.above_threshold(share=1.0, threshold=100.0), counts)
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return mechanism("above_threshold", share=share, noise_multiplier=noise_multiplier, threshold=threshold)


@verb
def exponential_mechanism(*, share: float | None = None, noise_multiplier: float | None = None) -> Mechanism:
    """One index, with probability growing exponentially in its score.

    Parameters
    ----------
    share : float, optional
        Weight of ρ relative to the other shares; the planner solves the noise. Give this or ``noise_multiplier``.
    noise_multiplier : float, optional
        Scale of the noise over the sensitivity, fixed.

    Returns
    -------
    Mechanism
        A mechanism, for ``dp.release``.

    Raises
    ------
    PlanError
        Unless exactly one of share and noise_multiplier is given, and a positive number.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``exponential_mechanism`` (McSherry, Talwar 2007; Dong, Durfee, Rogers 2020): P(j) ∝ exp(rate·s_j): each
    log-probability ratio lies in an interval of length 2·rate·Δ (bounded range).

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     scores = dp.rank_scores(x, candidates=[0.0, 1.0, 2.0], numerator=1, denominator=2)
    ...     return dp.release("result", dp.exponential_mechanism(share=1.0), scores)
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return mechanism("exponential_mechanism", share=share, noise_multiplier=noise_multiplier)


@verb
def permute_and_flip(*, share: float | None = None, noise_multiplier: float | None = None) -> Mechanism:
    """One index by permute-and-flip: at least as good as the exponential mechanism at the same pure ε.

    Parameters
    ----------
    share : float, optional
        Weight of ρ relative to the other shares; the planner solves the noise. Give this or ``noise_multiplier``.
    noise_multiplier : float, optional
        Scale of the noise over the sensitivity, fixed.

    Returns
    -------
    Mechanism
        A mechanism, for ``dp.release``.

    Raises
    ------
    PlanError
        Unless exactly one of share and noise_multiplier is given, and a positive number.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``permute_and_flip`` (McKenna, Sheldon 2020): Permute-and-flip with rate·s_j is 2·rate·Δ-DP; it is *not*
    bounded-range.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     scores = dp.rank_scores(x, candidates=[0.0, 1.0, 2.0], numerator=1, denominator=2)
    ...     return dp.release("result", dp.permute_and_flip(share=1.0), scores)
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2), adjacency=dp.REPLACE_ONE, budget=dp.pure_dp(epsilon=1.0))
    >>> plan.verdict.holds
    True
    """
    return mechanism("permute_and_flip", share=share, noise_multiplier=noise_multiplier)


@verb
def truncated_laplace_test(
    *, share: float | None = None, noise_multiplier: float | None = None, threshold: float, delta_fraction: float
) -> Mechanism:
    """A released test that fails surely where the value is below its threshold.

    Parameters
    ----------
    share : float, optional
        Weight of ρ relative to the other shares; the planner solves the noise. Give this or ``noise_multiplier``.
    noise_multiplier : float, optional
        Scale of the noise over the sensitivity, fixed.
    threshold : float
        The test passes only if the value is at least this; public.
    delta_fraction : float
        Fraction of the budget's δ for the cut of the noise.

    Returns
    -------
    Mechanism
        A mechanism, for ``dp.release``.

    Raises
    ------
    PlanError
        Unless exactly one of share and noise_multiplier is given, and a positive number.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``truncated_laplace`` (Geng, Ding, Guo, Kumar 2018): Laplace noise of scale Δ/ε cut at ±A with A >=
    (Δ/ε)ln(1 + (e^ε − 1)/2δ) is (ε, δ)-DP.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     enough = dp.truncated_laplace_test(share=1.0, threshold=500.0, delta_fraction=0.5)
    ...     return dp.release("result", enough, dp.count(x))
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return mechanism(
        "truncated_laplace_test",
        share=share,
        noise_multiplier=noise_multiplier,
        threshold=threshold,
        delta_fraction=delta_fraction,
    )
