"""Rows through a formula of the kernel's own expressions: numbers, sums and parts, with nothing left to believe."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from dpframe.front.program import Handle
from dpframe.front.verbs.nodes import node, parts, verb
from dpframe.proof.spaces import Domain

Formula: TypeAlias = str | Callable[..., object]


@verb
def express(x: Handle, *parameters: Handle, formula: Formula, name: str | None = None) -> Handle:
    """Rows through a formula: each row's numbers are computed by the kernel from that row alone.

    Parameters
    ----------
    x : Handle
        Private rows in the units of the table.
    *parameters : Handle
        Released or public arrays that the formula uses.
    formula : str or function
        ``lambda row, released: [row[0] * released[0]]``, with Python's arithmetic and comparisons, ``np.where``,
        ``exp``, ``log``, ``sqrt``, ``floor``, ``minimum``, ``maximum``, ``clip`` and ``row.dot(weights)``; or its text.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        Private rows; unbounded in the plan's eyes, so clip them before a sum. Rows without a finite image are empty.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a function that does what no formula can, naming it.

    Formal guarantees
    -----------------
    Theorem ``row_map`` (docs/theory/notation.md#row-maps): A map that treats every row alike keeps the edits: g(X) and
    g(X') differ in the images of the edited rows.

    Examples
    --------
    >>> import numpy as np
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     logs = dp.express(x, formula=lambda row: [np.log(1.0 + abs(row[0])), row[1] / row[0]])
    ...     return dp.release("result", dp.gaussian(share=1.0), dp.bin_counts(logs, edges=[0.0]))
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node("express", name, x, *parameters, formula=formula)


@verb
def express_sum(
    x: Handle,
    *parameters: Handle,
    formula: Formula,
    norm: str,
    bound: float,
    nonnegative: bool = False,
    bits: int = 20,
    gives: str | Domain = "",
    name: str | None = None,
) -> Handle:
    """The sum over rows of what a formula gives, each row's numbers clipped to a norm first.

    Parameters
    ----------
    x : Handle
        Private rows in the units of the table.
    *parameters : Handle
        Released or public arrays that the formula uses.
    formula : str or function
        As in ``dp.express``.
    norm : {"l1", "l2", "linf"}
        The norm that each row's numbers are clipped in.
    bound : float
        To this size, in the units of what the formula gives.
    nonnegative : bool
        Whether negative numbers are set to 0: then the sum moves by less.
    bits : int
        Numbers are rounded toward zero to multiples of bound·2^−bits. 1 to 26.
    gives : JSON text or Domain
        Domain of the sum, such as ``dpframe.spaces.Counts(3)``; a vector if not given.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        A private value for ``dp.release``.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a function that does what no formula can, naming it.

    Formal guarantees
    -----------------
    Theorem ``expressed_contribution`` (docs/theory/own.md#expressions): As own_contribution, without its hypothesis:
    the kernel computes each contribution from its row alone.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     products = dp.express_sum(x, formula=lambda row: [row[0] * row[1], row[0]], norm="l2", bound=5.0)
    ...     return dp.release("result", dp.gaussian(share=1.0), products)
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node(
        "express_sum",
        name,
        x,
        *parameters,
        formula=formula,
        norm=norm,
        bound=bound,
        nonnegative=nonnegative,
        bits=bits,
        gives=gives,
    )


@verb
def express_parts(
    x: Handle, *parameters: Handle, formula: Formula, count: int, name: str | None = None
) -> list[Handle]:
    """Rows into parts by the whole number below what a formula gives.

    Parameters
    ----------
    x : Handle
        Private rows in the units of the table.
    *parameters : Handle
        Released or public arrays that the formula uses.
    formula : str or function
        As in ``dp.express``, of one number.
    count : int
        Parts. Rows with another number than 0 .. count − 1 are in none.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    list of Handle
        A private part a number, of whole rows.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a function that does what no formula can, naming it.

    Formal guarantees
    -----------------
    Theorem ``rule_partition`` (docs/theory/notation.md#parts): Parts by a released or public rule: the worst of (1,1)
    in one part and (1,0), (0,1) in two, composed.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     low, high = dp.express_parts(x, formula=lambda row: row[0] + row[1] > 10.0, count=2)
    ...     return dp.release("result", dp.laplace(share=1.0), dp.count(high))
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return parts("express_parts", name, x, *parameters, formula=formula, count=count)
