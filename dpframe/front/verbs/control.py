"""Branches, loops and divisions: nodes whose bodies are functions of handles."""

from __future__ import annotations

from collections.abc import Callable

from dpframe.errors import SpecError
from dpframe.front.bodies import control
from dpframe.front.program import Handle
from dpframe.front.verbs.nodes import verb
from dpframe.kernel.operations import Control
from dpframe.kernel.registry import build

Body = Callable[..., object]
"""A function of handles that returns handles."""


def _control(name: str, **parameters: object) -> Control:
    made = build(name, parameters)
    if not isinstance(made, Control):
        raise SpecError(f"{name!r} is a {made.kind}, not a control operation", fix="use its own verb")
    return made


@verb
def branch(name: str, test: Handle, then: Body, otherwise: Body, *captured: Handle) -> Handle:
    """Run ``then(*captured)`` if the released test passed, else ``otherwise(*captured)``.

    Parameters
    ----------
    name : str
        Of the node.
    test : Handle
        The released outcome of a test.
    then, otherwise : callable
        Bodies; both release one value of one domain.
    *captured : Handle
        What the bodies are told. What exists only if the test passed is usable in ``then`` alone.

    Returns
    -------
    Handle
        The released value of the body that ran.

    Raises
    ------
    PlanError
        Where the bodies don't fit each other or what is captured.

    Formal guarantees
    -----------------
    Theorem ``branch`` (docs/theory/composition.md#4-branches-and-values-that-rest-on-a-test): the worse of the two
    bodies, after the test's own loss.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     enough = dp.truncated_laplace_test(share=1.0, threshold=500.0, delta_fraction=0.5)
    ...     test = dp.release("enough", enough, dp.count(x))
    ...     fine = lambda x: dp.release("fine", dp.laplace(share=3.0), dp.bin_counts(x, edges=[0.0]))
    ...     coarse = lambda x: dp.release("coarse", dp.laplace(share=1.0), dp.bin_counts(x, edges=[0.0]))
    ...     return dp.branch("result", test, fine, coarse, x)
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=1), adjacency=dp.REPLACE_ONE,
    ...                budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return control(name, _control("branch"), [test, *captured], [then, otherwise])


@verb
def for_each(
    name: str, items: Handle, body: Body, *captured: Handle, share: float, max_length: int, view: str = "gdp"
) -> Handle:
    """Run ``body(item, *captured)`` for each item of a released list within one fixed total.

    Parameters
    ----------
    name : str
        Of the node.
    items : Handle
        A released list.
    body : callable
        Releases one value an item.
    *captured : Handle
        What the body is told besides its item.
    share : float
        Share of ρ of the whole loop; shares inside the body are relative to one another.
    max_length : int
        Most items, declared.
    view : {"gdp", "zcdp", "pure"}
        The algebra in which the total is fixed and divided by the released length.

    Returns
    -------
    Handle
        A released list, one value an item.

    Raises
    ------
    PlanError
        Where the list may be longer, or the body holds a mechanism that has no cost in the view.

    Formal guarantees
    -----------------
    Theorem ``for_each`` (docs/theory/composition.md#5-a-loop-with-a-fixed-total): charged its total once, whatever the
    released length is.

    Examples
    --------
    >>> import dpframe as dp
    >>> from dpframe.proof.spaces import Ball, ListOf
    >>> from dpframe.front.verbs.examples import stub
    >>> @dp.program
    ... def example(x):
    ...     def body(ball, x):
    ...         return dp.release("mean", dp.gaussian(share=1.0), dp.mean(dp.clip(x, ball)))
    ...     return dp.for_each("means", stub(ListOf(Ball(2), 3)), body, x, share=1.0, max_length=3)
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2), adjacency=dp.REPLACE_ONE, budget=dp.zcdp(rho=0.5))
    >>> plan.verdict.holds
    True
    """
    operation = _control("for_each", share=share, max_length=max_length, view=view)
    return control(name, operation, [items, *captured], [body])


@verb
def by_category(name: str, x: Handle, body: Body, *captured: Handle, categories: int) -> Handle:
    """Run ``body(rows, *captured)`` on a table of its own for each declared category, the place in the last column.

    Parameters
    ----------
    name : str
        Of the node.
    x : Handle
        The program's table: its last column holds the place 0, 1, ... of a row's category in a public list.
    body : callable
        Releases what it likes of one category's table, which has all columns but the last. Under replace-one that has
        as many rows as the whole one, those of other categories empty.
    *captured : Handle
        Released values that the body is told.
    categories : int
        Number of declared categories; rows of others count for nothing.

    Returns
    -------
    Handle
        A released list, for each category ``status``, ``outputs`` by name, ``quality``, ``reason`` and ``advice``.

    Raises
    ------
    PlanError
        Where the rows are not the program's table, or neighbours differ in more than one row.

    Formal guarantees
    -----------------
    Theorem ``categories`` (docs/theory/composition.md#8-a-table-for-each-category): under replace-one the body composed
    with itself, whatever the number of categories; else the body once.

    Examples
    --------
    >>> import dpframe as dp
    >>> def body(x):
    ...     return dp.release("count", dp.laplace(share=1.0), dp.count(x))
    >>> @dp.program
    ... def example(x):
    ...     return dp.by_category("each", x, body, categories=50)
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=3), adjacency=dp.REPLACE_ONE, budget=dp.pure_dp(epsilon=1.0))
    >>> round(plan.node_loss("each/body/count").epsilon, 3)
    0.5
    """
    return control(name, _control("by_category", categories=categories), [x, *captured], [body])


@verb
def recurse(
    name: str, x: Handle, state: Handle, body: Body, leaf: Body, *captured: Handle, max_depth: int, max_leaves: int
) -> Handle:
    """Split rows again and again by released rules, depth first.

    Parameters
    ----------
    name : str
        Of the node.
    x : Handle
        Private rows.
    state : Handle
        A released value that says what is known of these rows.
    body : callable
        ``body(x, state, *captured)`` returns a dict of ``split`` (a released flag) and of ``left`` and ``right``, the
        children's states; it holds one partition into two parts, named ``children``.
    leaf : callable
        ``leaf(x, state, *captured)`` releases the value of a part that is not split.
    *captured : Handle
        What both are told.
    max_depth : int
        Longest path of splits, at most 64: the loss rests on it alone.
    max_leaves : int
        No split once leaves and waiting parts reach this number.

    Returns
    -------
    Handle
        A released list, one value a leaf.

    Raises
    ------
    PlanError
        Where the bodies don't fit, or don't hold what they must.

    Formal guarantees
    -----------------
    Theorem ``division`` (docs/theory/composition.md#6-divisions): a shared prefix and then two diverging paths.

    Examples
    --------
    >>> import dpframe as dp
    >>> from dpframe.proof.spaces import Ball, Flag
    >>> from dpframe.front.verbs.examples import stub
    >>> def body(x, state):
    ...     dp.filter_ball(x, state, name="children")
    ...     return {"split": stub(Flag()), "left": stub(Ball(2)), "right": stub(Ball(2))}
    >>> def leaf(x, state):
    ...     return dp.release("mean", dp.gaussian(share=1.0), dp.mean(dp.clip(x, state)))
    >>> @dp.program
    ... def example(x):
    ...     return dp.recurse("parts", x, stub(Ball(2)), body, leaf, max_depth=2, max_leaves=3)
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2), adjacency=dp.REPLACE_ONE, budget=dp.zcdp(rho=0.5))
    >>> plan.verdict.holds
    True
    """
    operation = _control("recurse", max_depth=max_depth, max_leaves=max_leaves)
    return control(name, operation, [x, state, *captured], [body, leaf])


@verb
def worklist(
    name: str, x: Handle, state: Handle, body: Body, leaf: Body, *captured: Handle, max_depth: int, max_leaves: int
) -> Handle:
    """Split rows again and again by released rules, breadth first.

    Parameters
    ----------
    name : str
        Of the node.
    x : Handle
        Private rows.
    state : Handle
        A released value that says what is known of these rows.
    body : callable
        ``body(x, state, *captured)`` returns a dict of ``split`` (a released flag) and of ``left`` and ``right``, the
        children's states; it holds one partition into two parts, named ``children``.
    leaf : callable
        ``leaf(x, state, *captured)`` releases the value of a part that is not split.
    *captured : Handle
        What both are told.
    max_depth : int
        Longest path of splits, at most 64: the loss rests on it alone.
    max_leaves : int
        No split once leaves and waiting parts reach this number.

    Returns
    -------
    Handle
        A released list, one value a leaf.

    Raises
    ------
    PlanError
        Where the bodies don't fit, or don't hold what they must.

    Formal guarantees
    -----------------
    Theorem ``division`` (docs/theory/composition.md#6-divisions): a shared prefix and then two diverging paths.

    Examples
    --------
    >>> import dpframe as dp
    >>> from dpframe.proof.spaces import Ball, Flag
    >>> from dpframe.front.verbs.examples import stub
    >>> def body(x, state):
    ...     dp.filter_ball(x, state, name="children")
    ...     return {"split": stub(Flag()), "left": stub(Ball(2)), "right": stub(Ball(2))}
    >>> def leaf(x, state):
    ...     return dp.release("mean", dp.gaussian(share=1.0), dp.mean(dp.clip(x, state)))
    >>> @dp.program
    ... def example(x):
    ...     return dp.worklist("parts", x, stub(Ball(2)), body, leaf, max_depth=2, max_leaves=3)
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2), adjacency=dp.REPLACE_ONE, budget=dp.zcdp(rho=0.5))
    >>> plan.verdict.holds
    True
    """
    operation = _control("worklist", max_depth=max_depth, max_leaves=max_leaves)
    return control(name, operation, [x, state, *captured], [body, leaf])
