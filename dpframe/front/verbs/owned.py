"""Operations of a plugin's own, by name, and what a mechanism of one's own needs to see rows."""

from __future__ import annotations

from typing import overload

from dpframe.errors import DpframeError, PlanError
from dpframe.front.program import Handle, apply
from dpframe.front.tracing import HandleLike
from dpframe.front.verbs.nodes import local, node, verb
from dpframe.kernel import registry
from dpframe.kernel.operations import Mechanism


@overload
def own(operation: str, *, name: str | None = None, **parameters: object) -> Mechanism: ...
@overload
def own(
    operation: str, first: HandleLike, *inputs: HandleLike, name: str | None = None, **parameters: object
) -> Handle: ...
def own(
    operation: str, *inputs: HandleLike, name: str | None = None, **parameters: object
) -> Handle | list[Handle] | Mechanism:
    """An operation of a plugin's own, by its registered name.

    Parameters
    ----------
    operation : str
        Registered name; ``dpframe ops`` lists them with their level.
    *inputs : Handle
        Private values first, then released ones; none for a mechanism.
    name : str, optional
        Of the node; numbered if not given.
    **parameters
        Of the operation.

    Returns
    -------
    Handle or Mechanism
        The result; without inputs a mechanism, for ``dp.release``. A partition gives its parts, which ``dp.parts`` says
        in its type, too.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For an unknown name or parameter.

    Formal guarantees
    -----------------
    By its level: *enforced*, the kernel's bound given the hypothesis listed; *asserted*, the plugin's word, for which a
    plan asks ``allow_asserted=True`` (docs/theory/own.md).
    """
    try:
        made = registry.build(operation, parameters)
    except DpframeError as error:
        if str(operation) in error.message:
            raise
        raise type(error)(f"{operation!r}: {error.message}", fix=error.fix) from None
    if isinstance(made, Mechanism):
        if inputs:
            raise PlanError(f"{operation!r} is a mechanism", fix=f"dp.release(name, dp.own({operation!r}, ...), value)")
        return made
    result: Handle | list[Handle] = apply(name or local(operation), made, *inputs)
    return result


@verb
def all_rows(x: Handle, *, name: str | None = None) -> Handle:
    """All non-empty rows as one private value, for a mechanism of one's own whose loss is a function of the edits.

    Parameters
    ----------
    x : Handle
        Rows in the units of the table.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        A private value that no mechanism of the kernel takes.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``all_rows`` (docs/theory/own.md#rows): The multiset of non-empty rows as one private value: neighbours
    differ by the same edits, without an index.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     dp.all_rows(x)
    ...     return dp.release("count", dp.laplace(share=1.0), dp.count(x))
    >>> plan = dp.plan(example, x=dp.rows(d=2), adjacency=dp.ADD_REMOVE, budget=dp.pure_dp(1.0))
    >>> plan.verdict.holds
    True
    """
    return node("all_rows", name, x)
