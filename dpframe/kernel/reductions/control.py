"""Control flow: ``branch``, ``for_each``, ``recurse``, ``worklist``, each with a static bound and a reserved loss.

The bodies are graphs of their own, held by the node. What a body costs is priced at plan time; what runs
inside is charged against that reserve by the run-time guard.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs

from dpframe.errors import PlanError
from dpframe.kernel.operations import Control
from dpframe.kernel.registry import register
from dpframe.kernel.shares import in_range
from dpframe.proof.spaces import finite_number, positive_whole
from dpframe.proof.spaces.checks import scalar

VIEWS = ("gdp", "zcdp", "pure")
MAX_DEPTH = 64
"""Deepest division that certificates can carry."""


def _share(instance: object, attribute: attrs.Attribute[Any], value: Any) -> None:
    if not finite_number(value) or not value > 0:
        raise PlanError(
            f"share must be a positive finite number, not {value!r}: a released value never sets how much a loop costs",
            fix="give share as a number",
        )
    in_range(attribute.name, value)


@register("branch")
@attrs.frozen
class Branch(Control):
    """Run one of two bodies by a released test; both release values of one domain.

    Inputs: the test (:class:`~dpframe.proof.spaces.Flag`), then what the bodies capture. A private value that
    exists only if the test passed may be captured, and is usable in the body ``then`` only.

    Formal guarantees: the test is released, so the loss is the worst of the two bodies', resolved at the
    node (see ``docs/theory/composition.md``); it composes with the test's own loss.

    Examples
    --------
    >>> import dpframe as dp
    >>> def release(share):
    ...     return lambda x: dp.release("counts", dp.laplace(share=share), dp.bin_counts(x, edges=[0.0]))
    >>> @dp.program
    ... def careful(x):
    ...     enough = dp.truncated_laplace_test(share=1.0, threshold=500.0, delta_fraction=0.5)
    ...     return dp.branch("result", dp.release("enough", enough, dp.count(x)), release(3.0), release(1.0), x)
    >>> budget = dp.approx_dp(epsilon=1.0, delta=1e-6)
    >>> dp.plan(careful, x=dp.rows(n=1000, d=1), adjacency=dp.REPLACE_ONE, budget=budget).verdict.holds
    True
    """


@register("for_each")
@attrs.frozen
class ForEach(Control):
    """Run the body once an item of a released list, sharing one fixed total.

    Parameters
    ----------
    share : float
        Weight of ρ of the whole loop. The shares inside the body are relative to one another.
    view : {"gdp", "zcdp", "pure"}
        The algebra in which the total is fixed and divided by the released length.

    Formal guarantees: with L items each runs at (ρ/L, δ/L) (``pure``: ε/L). In the declared view
    the costs of the items add to the total whatever L is (adaptive composition with a filter in zCDP, GDP
    or pure ε), so the node is charged its total once, as one event.

    Examples
    --------
    >>> import dpframe as dp
    >>> from dpframe.front.verbs.examples import stub
    >>> from dpframe.proof.spaces import Ball, ListOf
    >>> def body(ball, x):
    ...     return dp.release("mean", dp.gaussian(share=1.0), dp.mean(dp.clip(x, ball)))
    >>> @dp.program
    ... def means(x):
    ...     return dp.for_each("means", stub(ListOf(Ball(2), 3)), body, x, share=1.0, max_length=3)
    >>> plan = dp.plan(means, x=dp.rows(n=1000, d=2), adjacency=dp.REPLACE_ONE, budget=dp.zcdp(rho=0.5))
    >>> round(plan.loss.rho, 6)  # whether one ball is released, or two, or three
    0.5
    """

    share: float = attrs.field(kw_only=True, converter=scalar, validator=_share)
    view: str = attrs.field(default="gdp", kw_only=True, validator=attrs.validators.in_(VIEWS))
    max_length: int = attrs.field(kw_only=True, validator=positive_whole)


MOST_CATEGORIES = 1000


@register("by_category")
@attrs.frozen
class ByCategory(Control):
    """Run the body on a table of its own for each declared category: the rows whose last column is its place.

    Inputs: the program's table, then captured values. The body gets the table without that column. Under replace-one
    the rows of other categories are empty, so that the number of rows is public; else they are left out. A body that
    finds no answer fails for its category alone.

    Parameters
    ----------
    categories : int
        Number of declared categories, at most 1000: places 0, 1, ... in the last column.

    Formal guarantees: which rows are a category's is decided by each row's own cell. A replaced row changes at most two
    categories' tables, each in one row: the loss is the body's composed with itself. An added or removed row changes
    one (``docs/theory/composition.md``, 8).

    Examples
    --------
    >>> import dpframe as dp
    >>> def body(x):
    ...     return dp.release("count", dp.laplace(share=1.0), dp.count(x))
    >>> @dp.program
    ... def each(x):
    ...     return dp.by_category("each", x, body, categories=50)
    >>> plan = dp.plan(each, x=dp.rows(n=1000, d=3), adjacency=dp.REPLACE_ONE, budget=dp.pure_dp(epsilon=1.0))
    >>> round(plan.node_loss("each/body/count").epsilon, 3)  # a replaced row is in at most two of the fifty
    0.5
    """

    categories: int = attrs.field(
        kw_only=True, converter=scalar, validator=[positive_whole, attrs.validators.le(MOST_CATEGORIES)]
    )


@attrs.frozen(eq=False)
class Category:
    """What was released of one category: its outputs by name, or why there are none.

    Attributes
    ----------
    status : {"released", "failed"}
    outputs : mapping
    quality : Quality
        What released values say of the outputs.
    reason, advice : str
        Of a failure, from released values only.
    rows : float, optional
        The noisy number of its rows, where the body released one.
    judged : mapping
        The verdicts of the body's nodes, by path in it.
    """

    status: str
    outputs: Mapping[str, Any]
    quality: Any
    reason: str = ""
    advice: str = ""
    rows: float | None = None
    judged: Mapping[tuple[str, ...], Any] = attrs.field(factory=dict, repr=False)


@attrs.frozen
class Divide(Control):
    """Base of ``recurse`` and ``worklist``: split rows again and again by released rules.

    Inputs: the rows, a released state, then captured values. The body releases ``split``
    (a flag post value), the two children's states ``left`` and ``right``, and holds one two-part
    partition named ``children``. A part that is not split is handed to the body ``leaf``.

    Parameters
    ----------
    max_depth : int
        Longest path of splits, at most 64; the privacy bound rests on it alone.
    max_leaves : int
        No split once leaves and waiting parts reach this number; a released quantity.

    Formal guarantees: one edit follows one path. ``V_e(0)`` is a leaf's loss under e; replace-one shares a
    prefix and may then diverge: V₁₁(D) = c₁₁ + max(V₁₁(D−1), V₁₀(D−1) + V₀₁(D−1)).
    """

    max_depth: int = attrs.field(kw_only=True, validator=[positive_whole, attrs.validators.le(MAX_DEPTH)])
    max_leaves: int = attrs.field(kw_only=True, validator=positive_whole)


@register("recurse")
@attrs.frozen
class Recurse(Divide):
    """Depth-first :class:`Divide`: KSSU19's RPGMP.

    Examples
    --------
    >>> import dpframe as dp
    >>> from dpframe.front.verbs.examples import stub
    >>> from dpframe.proof.spaces import Ball, Flag
    >>> def body(x, state):
    ...     dp.filter_ball(x, state, name="children")
    ...     return {"split": stub(Flag()), "left": stub(Ball(2)), "right": stub(Ball(2))}
    >>> def leaf(x, state):
    ...     return dp.release("mean", dp.gaussian(share=1.0), dp.mean(dp.clip(x, state)))
    >>> @dp.program
    ... def parts(x):
    ...     return dp.recurse("parts", x, stub(Ball(2)), body, leaf, max_depth=3, max_leaves=8)
    >>> plan = dp.plan(parts, x=dp.rows(n=1000, d=2), adjacency=dp.REPLACE_ONE, budget=dp.zcdp(rho=0.5))
    >>> round(plan.loss.rho, 6)  # of a tree of any shape
    0.5
    """


@register("worklist")
@attrs.frozen
class Worklist(Divide):
    """Breadth-first :class:`Divide`: BKS22's queue of parts.

    Examples
    --------
    >>> import dpframe as dp
    >>> from dpframe.front.verbs.examples import stub
    >>> from dpframe.proof.spaces import Ball, Flag
    >>> def body(x, state):
    ...     dp.filter_ball(x, state, name="children")
    ...     return {"split": stub(Flag()), "left": stub(Ball(2)), "right": stub(Ball(2))}
    >>> def leaf(x, state):
    ...     return dp.release("mean", dp.gaussian(share=1.0), dp.mean(dp.clip(x, state)))
    >>> @dp.program
    ... def parts(x):
    ...     return dp.worklist("parts", x, stub(Ball(2)), body, leaf, max_depth=3, max_leaves=8)
    >>> plan = dp.plan(parts, x=dp.rows(n=1000, d=2), adjacency=dp.REPLACE_ONE, budget=dp.zcdp(rho=0.5))
    >>> round(plan.loss.rho, 6)  # of a tree of any shape
    0.5
    """
