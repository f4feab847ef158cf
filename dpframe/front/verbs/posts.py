"""Public constants, and what computes on released values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike

from dpframe.errors import PlanError
from dpframe.front.program import Handle, expand
from dpframe.front.tracing import HandleLike
from dpframe.front.verbs.generic import REGISTER, by_name, no_function, no_name
from dpframe.front.verbs.nodes import local, node, verb

T = TypeVar("T")
RELEASE = "release it first with dp.release"


@verb
def ball(*, centre: Sequence[float], radius: float, name: str | None = None) -> Handle:
    """A public ball.

    Parameters
    ----------
    centre : sequence of float
        In the units of the table.
    radius : float
        Positive.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        A public ball (d,).

    Raises
    ------
    PlanError, SpecError
        For a centre that is no list of finite numbers, or a radius that is not positive.

    Formal guarantees
    -----------------
    Post-processing (theorem ``post_processing``): it costs nothing.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     inside = dp.clip(x, dp.ball(centre=[0.0, 0.0], radius=10.0))
    ...     return dp.release("result", dp.gaussian(share=1.0), dp.mean(inside))
    >>> plan = dp.plan(example, x=dp.rows(d=2), adjacency=dp.ADD_REMOVE, budget=dp.zcdp(rho=0.5))
    >>> plan.verdict.holds
    True
    """
    return node("ball", name, centre=centre, radius=radius)


@verb
def bounding_ball(*, d: int, bound: float, name: str | None = None) -> Handle:
    """The ball around 0 that a table is promised to lie in; ``bound`` may be a million times too large.

    Parameters
    ----------
    d : int
        Columns of the table.
    bound : float
        ℓ₂ radius, positive.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        A public ball (d,).

    Raises
    ------
    PlanError, SpecError
        For a d that is no whole number from 1, or a bound that is not positive.

    Formal guarantees
    -----------------
    Post-processing (theorem ``post_processing``): it costs nothing. Nothing rests on the promise: clips enforce it.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     far = dp.distance_histogram(x, dp.bounding_ball(d=x.d, bound=1e6))
    ...     return dp.release("distances", dp.laplace(share=1.0), far)
    >>> plan = dp.plan(example, x=dp.rows(d=2), adjacency=dp.ADD_REMOVE, budget=dp.pure_dp(1.0))
    >>> plan.verdict.holds
    True
    """
    return node("bounding_ball", name, d=d, bound=bound)


@verb
def constant(values: ArrayLike, *, name: str | None = None) -> Handle:
    """A public array.

    Parameters
    ----------
    values : array of float
        Its shape is the array's.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        A public vector, or an array where it has several axes.

    Raises
    ------
    PlanError
        For what is no array of numbers.

    Formal guarantees
    -----------------
    Post-processing (theorem ``post_processing``): it costs nothing.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     counts = dp.marginal_counts(x, dp.constant([[0.0, 1.0], [0.0, 5.0]]))
    ...     return dp.release("counts", dp.gaussian(share=1.0), counts)
    >>> plan = dp.plan(example, x=dp.rows(d=2), adjacency=dp.ADD_REMOVE, budget=dp.zcdp(rho=0.5))
    >>> plan.verdict.holds
    True
    """
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise PlanError(
            "a constant is an array of numbers", fix="give numbers, or lists of them of one length"
        ) from None
    return node("constant", name, values=array.ravel().tolist(), shape=list(array.shape))


@overload
def post(operation: str, *inputs: HandleLike, name: str | None = None, **parameters: object) -> Handle: ...
@overload
def post(operation: Callable[..., T], *inputs: object, name: str | None = None, **parameters: object) -> T: ...
def post(
    operation: str | Callable[..., T], *inputs: object, name: str | None = None, **parameters: object
) -> Handle | T:
    """Apply a registered post operation by name, or a function of released handles.

    A function is called once, with the handles: what it does with NumPy and arithmetic becomes post nodes, so that
    the graph holds names and numbers only. What NumPy has no function for is a ``@dp.post_function``.

    Parameters
    ----------
    operation : str or callable
    *inputs : Handle
        Released or public; a function takes other things too, as they are.
    name : str, optional
        Of the node, or of the group of nodes.
    **parameters
        Of the operation or the function.

    Returns
    -------
    Handle
        Of the result; what the function returns.

    Raises
    ------
    PlanError
        Where a private value goes in, or the function needs a value that is not there yet.

    Formal guarantees
    -----------------
    Post-processing (theorem ``post_processing``): it costs nothing.

    Examples
    --------
    >>> import numpy as np
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     count = dp.release("count", dp.laplace(share=1.0), dp.count(x))
    ...     return {"log": dp.post(lambda n: np.log(np.maximum(n, 1.0)), count, name="log")}
    >>> plan = dp.plan(example, x=dp.rows(d=2), adjacency=dp.ADD_REMOVE, budget=dp.pure_dp(1.0))
    >>> plan.verdict.holds
    True
    """
    if isinstance(operation, str):
        made: Handle = by_name("post", operation, inputs, name, parameters)
        return made
    if isinstance(operation, Handle) or not callable(operation):
        raise no_name(operation)
    shown = str(getattr(operation, "__name__", type(operation).__name__))
    for item in inputs:
        if isinstance(item, Handle) and item.edge.private:
            raise PlanError(f"dp.post({shown}, ...) got the private value {str(item.ref)!r}", fix=RELEASE)
    stem = local(shown if shown.isidentifier() else "post")
    try:
        result: T = expand(name or stem, operation, inputs, parameters, f"function {shown!r}")
    except PlanError as error:
        if "no value while the program is traced" in error.message:
            raise PlanError(f"{no_function(operation, 'post')}: {error.message}", fix=REGISTER) from None
        raise
    if not isinstance(result, Handle) and not (isinstance(result, (tuple, list, dict)) and result):
        raise PlanError(f"{shown} returned a {type(result).__name__}, not a released value", fix=REGISTER)
    return result
