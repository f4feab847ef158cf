"""Scores for selections, and what may be done with private scores."""

from __future__ import annotations

from collections.abc import Sequence

from dpframe.front.program import Handle
from dpframe.front.tracing import HandleLike
from dpframe.front.verbs.nodes import given, node, verb


@verb
def rank_scores(
    x: Handle,
    *,
    candidates: Sequence[float],
    numerator: int,
    denominator: int,
    column: int | str = 0,
    name: str | None = None,
) -> Handle:
    """Scores of public candidates for a quantile: minus the rows on the wrong side of each.

    Parameters
    ----------
    x : Handle
        Private rows in the units of the table.
    candidates : sequence of float
        Public and increasing, in the units of the table.
    numerator : int
        p of the p/b quantile.
    denominator : int
        b of it; 0 < p < b.
    column : int or str
        Counted from 0, or by its name where the table was declared with names.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        Private scores, for a selection.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``rank_scores`` (docs/theory/notation.md#lipschitz): Rank scores of the p/b quantile move by at most
    b·min(r, a) + max(p, b − p)·|r − a| in ℓ∞.

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
    return node(
        "rank_scores", name, x, candidates=candidates, numerator=numerator, denominator=denominator, column=column
    )


@verb
def interval_scores(
    x: Handle, edges: HandleLike, hypotheses: Handle, *, size: int, n: int, intervals: int, name: str | None = None
) -> Handle:
    """Scores of released hypotheses for one column, by the worst union of runs of cells.

    Parameters
    ----------
    x : Handle
        Private rows in the units of the table.
    edges : Handle
        Released edges (1, edges).
    hypotheses : Handle
        A released record of hypotheses.
    size : int
        Most hypotheses, declared.
    n : int
        Public number of rows that the scores are scaled to; no guarantee rests on it.
    intervals : int
        Runs in a union; 2k for mixtures of k components.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        Private scores, for a selection.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``interval_scores`` (docs/theory/selection.md#sensitivity): −⌈max_A c(A) − N(A)⌉, c(A) data-independent,
    N(A) the number of rows in A: moves by at most max(r, a) in ℓ∞.

    Examples
    --------
    >>> import dpframe as dp
    >>> from dpframe.proof.spaces import Array, Record
    >>> from dpframe.front.verbs.examples import stub
    >>> @dp.program
    ... def example(x):
    ...     edges, listed = stub(Array((1, 8))), stub(Record("hypotheses"))
    ...     scores = dp.interval_scores(x, edges, listed, size=7, n=1000, intervals=4)
    ...     return dp.release("result", dp.exponential_mechanism(share=1.0), scores)
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=1),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node("interval_scores", name, x, edges, hypotheses, size=size, n=n, intervals=intervals)


@verb
def scheffe_scores(
    x: Handle, hypotheses: Handle, masses: HandleLike, *, size: int, n: int, name: str | None = None
) -> Handle:
    """Scores of released hypotheses by their worst Scheffé set, one a pair.

    Parameters
    ----------
    x : Handle
        Private rows in the units of the table.
    hypotheses : Handle
        A released record of hypotheses.
    masses : Handle
        Released (size, size): what each hypothesis gives its Scheffé sets.
    size : int
        Most hypotheses, declared.
    n : int
        Public number of rows that the scores are scaled to; no guarantee rests on it.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        Private scores, for a selection.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``scheffe_scores`` (Mahalanabis, Stefankovic 2008; docs/theory/selection.md#sensitivity): −max_i |c_ji −
    N(W_ij)|, whole constants c and sets W of released values: moves by at most max(r, a) in ℓ∞.

    Examples
    --------
    >>> import dpframe as dp
    >>> from dpframe.proof.spaces import Array, Record
    >>> from dpframe.front.verbs.examples import stub
    >>> @dp.program
    ... def example(x):
    ...     listed, masses = stub(Record("hypotheses")), stub(Array((5, 5)))
    ...     scores = dp.scheffe_scores(x, listed, masses, size=5, n=1000)
    ...     return dp.release("result", dp.exponential_mechanism(share=1.0), scores)
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node("scheffe_scores", name, x, hypotheses, masses, size=size, n=n)


@verb
def density_scores(
    x: Handle, hypotheses: Handle, masses: HandleLike, *, family: str, size: int, n: int, name: str | None = None
) -> Handle:
    """As ``scheffe_scores``, for mixtures from a registered family of distributions.

    Parameters
    ----------
    x : Handle
        Private rows in the units of the table.
    hypotheses : Handle
        A released record of mixtures of the family.
    masses : Handle
        Released (size, size): what each hypothesis gives its Scheffé sets.
    family : str
        Registered name of the family.
    size : int
        Most hypotheses, declared.
    n : int
        Public number of rows that the scores are scaled to; no guarantee rests on it.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        Private scores, for a selection.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``density_scores`` (Mahalanabis, Stefankovic 2008; docs/theory/selection.md#registered-densities): As
    ``scheffe_scores``, with densities of a registered family: moves by at most max(r, a) in ℓ∞.

    Examples
    --------
    >>> import dpframe as dp
    >>> from dpframe.proof.spaces import Array, Record
    >>> from dpframe.front.verbs.examples import stub
    >>> @dp.program
    ... def example(x):
    ...     listed, masses = stub(Record("family_mixtures")), stub(Array((5, 5)))
    ...     scores = dp.density_scores(x, listed, masses, family="families.laplace", size=5, n=1000)
    ...     return dp.release("result", dp.exponential_mechanism(share=1.0), scores)
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node("density_scores", name, x, hypotheses, masses, family=family, size=size, n=n)


@verb
def contest_scores(
    x: Handle, hypotheses: Handle, thresholds: HandleLike, *, size: int, n: int, name: str | None = None
) -> Handle:
    """Scores of released mixtures: how surely each is not beaten by any other, in rows.

    Parameters
    ----------
    x : Handle
        Private rows in the units of the table.
    hypotheses : Handle
        A released list of mixtures.
    thresholds : Handle
        Released (size, size); negative where two are too close to tell.
    size : int
        Most hypotheses, declared.
    n : int
        Public number of rows that the scores are scaled to; no guarantee rests on it.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        Private scores, for a selection.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``contest_scores`` (Bun, Kamath, Steinke, Wu 2019; AAL21 §2.4): S(j) = min_i Γ(j, i), each Γ a constant or a
    clipped row count: moves by at most max(r, a), n public.

    Examples
    --------
    >>> import dpframe as dp
    >>> from dpframe.proof.spaces import Array, ListOf, Mixture
    >>> from dpframe.front.verbs.examples import stub
    >>> @dp.program
    ... def example(x):
    ...     listed, bars = stub(ListOf(Mixture(2, 2), 5)), stub(Array((5, 5)))
    ...     scores = dp.contest_scores(x, listed, bars, size=5, n=1000)
    ...     return dp.release("result", dp.exponential_mechanism(share=1.0), scores)
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node("contest_scores", name, x, hypotheses, thresholds, size=size, n=n)


@verb
def terrific_score(
    x: Handle, balls: Handle, ratio: Handle | None = None, *, size: int, t: int, c: float = 5.0, name: str | None = None
) -> Handle:
    """Score of each released ball: rows inside, rows far outside, few rows in the annulus between.

    Parameters
    ----------
    x : Handle
        Private rows in the units of the table.
    balls : Handle
        A released list of balls.
    ratio : Handle, optional
        One released number that takes the place of ``c`` where it is above 1.
    size : int
        Most balls, declared.
    t : int
        Cap of the counts.
    c : float
        Outer radius over inner radius; privacy does not depend on it.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        Private scores, for a selection.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``terrific_score`` (KSSU19 Lemma 5.7; docs/theory/corrections.md#c7): min{in, outside, t − annulus}, counts
    capped at t, is the minimum of three terms that move by max(r, a).

    Examples
    --------
    >>> import dpframe as dp
    >>> from dpframe.proof.spaces import Ball, ListOf
    >>> from dpframe.front.verbs.examples import stub
    >>> @dp.program
    ... def example(x):
    ...     scores = dp.terrific_score(x, stub(ListOf(Ball(2), 4)), size=4, t=100)
    ...     return dp.release("result", dp.above_threshold(share=1.0, threshold=50.0), scores)
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node("terrific_score", name, *given(x, balls, ratio), size=size, t=t, c=c)
