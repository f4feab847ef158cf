"""The verbs and nouns of ``import dpframe as dp``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dpframe import registry
from dpframe.declarations import public_rows, rows
from dpframe.errors import (
    BudgetError,
    CertificateError,
    DataError,
    DomainError,
    DpframeError,
    PlanError,
    RunError,
    SpecError,
)
from dpframe.losses import GDP as gdp
from dpframe.losses import ZCDP as zcdp
from dpframe.losses import ApproxDP as approx_dp
from dpframe.losses import PureDP as pure_dp
from dpframe.planning.plan import Plan
from dpframe.program import (
    Composite,
    Handle,
    apply,
    control,
    expand,
    plan,
    program,
    release,
    tracer,
)
from dpframe.registry import build, composite, learner, register
from dpframe.spaces import ADJACENCIES, Edits
from dpframe.spaces.checks import scalar

REPLACE_ONE = ADJACENCIES["replace_one"]
ADD_REMOVE = ADJACENCIES["add_remove"]

__all__ = [
    "ADD_REMOVE",
    "REPLACE_ONE",
    "BudgetError",
    "CertificateError",
    "DataError",
    "DomainError",
    "DpframeError",
    "Edits",
    "Handle",
    "Plan",
    "PlanError",
    "RunError",
    "SpecError",
    "above_threshold",
    "apply",
    "approx_dp",
    "ball",
    "branch",
    "build",
    "clip",
    "clip_box",
    "composite",
    "constant",
    "count",
    "exponential_mechanism",
    "for_each",
    "gaussian",
    "gdp",
    "gram",
    "laplace",
    "learner",
    "locate",
    "mean",
    "moments",
    "named",
    "plan",
    "post",
    "program",
    "public_rows",
    "pure_dp",
    "recipe",
    "recurse",
    "register",
    "release",
    "rows",
    "square_sum",
    "stable_histogram",
    "sum",
    "transform",
    "truncated_laplace_test",
    "worklist",
    "zcdp",
]


def _add(stem: str, name: str, parameters: dict[str, Any], *inputs: Handle) -> Any:
    """A node with a fresh name from its operation."""
    return apply(_local(stem), build(name, parameters), *inputs)


def _local(stem: str) -> str:
    t = tracer()
    fresh = t.fresh(stem)
    return fresh[len(".".join(t.scope)) + 1 :] if t.scope else fresh


def transform(operation: Any, *inputs: Handle, name: str | None = None, **parameters: Any) -> Any:
    """Apply a registered transform, partition, gather, statistic or query by name."""
    if callable(operation) and not isinstance(operation, Handle):
        raise PlanError(_no_function(operation, "transform"), fix=_REGISTER)
    if not isinstance(operation, str):
        raise PlanError(f"the name of an operation comes first, not a {type(operation).__name__}", fix=_REGISTER)
    return apply(name or _local(operation), build(operation, parameters), *inputs)


def post(operation: Any, *inputs: Any, name: str | None = None, **parameters: Any) -> Any:
    """Apply a registered post operation by name, or a function of released handles.

    A function is called once, with the handles: what it does with NumPy and arithmetic becomes post nodes, so that
    the graph holds names and numbers only. What NumPy has no function for is a class with ``@register(name)``.

    Parameters
    ----------
    operation : str or callable
    *inputs : Handle
        Released or public.
    name : str, optional
        Of the node, or of the group of nodes.
    **parameters
        Of the operation or the function.

    Raises
    ------
    PlanError
        Where a private value goes in, or the function needs a value that is not there yet.
    """
    if not callable(operation) or isinstance(operation, Handle):
        return transform(operation, *inputs, name=name, **parameters)
    shown = str(getattr(operation, "__name__", type(operation).__name__))
    for item in inputs:
        if isinstance(item, Handle) and item.edge.private:
            raise PlanError(f"dp.post({shown}, ...) got the private value {str(item.ref)!r}", fix=_RELEASE)
    stem = _local(shown if shown.isidentifier() else "post")
    try:
        made = expand(name or stem, operation, inputs, parameters, f"function {shown!r}")
    except PlanError as error:
        if "no value while the program is traced" in error.message:
            raise PlanError(f"{_no_function(operation, 'post')}: {error.message}", fix=_REGISTER) from None
        raise
    if not isinstance(made, Handle) and not (isinstance(made, (tuple, list, dict)) and made):
        raise PlanError(f"{shown} returned a {type(made).__name__}, not a released value", fix=_REGISTER)
    return made


def _no_function(operation: Any, verb: str) -> str:
    shown = getattr(operation, "__name__", type(operation).__name__)
    return f"dp.{verb} can't hold the function {shown!r}: a graph is names and numbers, so that it can be verified"


_RELEASE = "release it first with dp.release"
_REGISTER = "write it as a class with @register(name), used as dp.post(name, handle), or with NumPy's functions alone"
named = build


def recipe(name: str, **parameters: Any) -> Composite:
    """A registered composite with its parameters, to be released."""
    registry.find_composite(name)
    return Composite(name, {key: scalar(value) for key, value in parameters.items()})


# ------------------------------------------------------------------------------------- mechanisms


def gaussian(**parameters: Any) -> Any:
    """The rounded Gaussian mechanism: ``gaussian(share=...)`` or ``gaussian(noise_multiplier=...)``."""
    return build("gaussian", parameters)


def laplace(**parameters: Any) -> Any:
    """The discrete Laplace mechanism."""
    return build("laplace", parameters)


def stable_histogram(**parameters: Any) -> Any:
    """Noisy counts of occupied bins above an exact threshold."""
    return build("stable_histogram", parameters)


def above_threshold(**parameters: Any) -> Any:
    """The first score above a threshold."""
    return build("above_threshold", parameters)


def exponential_mechanism(**parameters: Any) -> Any:
    """One index, with probability growing in its score."""
    return build("exponential_mechanism", parameters)


def truncated_laplace_test(**parameters: Any) -> Any:
    """A test that fails surely below its threshold."""
    return build("truncated_laplace_test", parameters)


def locate(*, share: float, **parameters: Any) -> Composite:
    """A private ball that holds nearly all rows, found from a generous bound or from none."""
    return recipe("locate", share=share, **parameters)


def moments(*, share: float) -> Composite:
    """Count, sum about 0, second moments, mean and covariance of rows in a ball, from one joint release."""
    return recipe("moments", share=share)


# -------------------------------------------------------------------------- transforms, statistics


def clip(x: Handle, ball: Handle, *, bits: int = 20) -> Handle:
    """Rows into the unit ball of the frame ``ball``."""
    return _add("clip", "clip_ball", {"bits": bits}, x, ball)  # type: ignore[no-any-return]


def clip_box(x: Handle, ball: Handle, *, bits: int = 20) -> Handle:
    """Rows into the cube around ``ball``."""
    return _add("clip_box", "clip_box", {"bits": bits}, x, ball)  # type: ignore[no-any-return]


def count(x: Handle) -> Handle:
    """Number of non-empty rows."""
    return _add("count", "count", {}, x)  # type: ignore[no-any-return]


def sum(x: Handle, *, bits: int = 20) -> Handle:  # noqa: A001
    """Sum of clipped rows; released, it is about the ball's centre and in the units of the rows."""
    return _add("sum", "sum", {"bits": bits}, x)  # type: ignore[no-any-return]


def mean(x: Handle, *, bits: int = 20) -> Handle:
    """Sum and count of clipped rows; released, it becomes a mean in the units of the table."""
    return _add("mean", "mean", {"bits": bits}, x)  # type: ignore[no-any-return]


def gram(x: Handle, *, bits: int = 18) -> Handle:
    """Gram matrix of clipped rows; released, it is about the ball's centre and in the units of the rows."""
    return _add("gram", "gram", {"bits": bits}, x)  # type: ignore[no-any-return]


def square_sum(x: Handle, *, bits: int = 18) -> Handle:
    """Sum of squared norms of clipped rows; released, of distances to the ball's centre in the units of the rows."""
    return _add("square_sum", "square_sum", {"bits": bits}, x)  # type: ignore[no-any-return]


# ----------------------------------------------------------------------------------------- constants


def ball(*, centre: Sequence[float], radius: float) -> Handle:
    """A public ball."""
    return _add("ball", "ball", {"centre": centre, "radius": radius})  # type: ignore[no-any-return]


def constant(values: Any) -> Handle:
    """A public array."""
    import numpy as np

    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise PlanError(
            "a constant is an array of numbers", fix="give numbers, or lists of them of one length"
        ) from None
    return _add("constant", "constant", {"values": array.ravel().tolist(), "shape": list(array.shape)})  # type: ignore[no-any-return]


# ---------------------------------------------------------------------------------- control flow


def branch(
    name: str, test: Handle, then: Callable[..., Any], otherwise: Callable[..., Any], *captured: Handle
) -> Handle:
    """Run ``then(*captured)`` if the released test passed, else ``otherwise(*captured)``."""
    return control(name, build("branch", {}), [test, *captured], [then, otherwise])  # type: ignore[arg-type]


def for_each(
    name: str,
    items: Handle,
    body: Callable[..., Any],
    *captured: Handle,
    share: float,
    max_length: int,
    view: str = "gdp",
) -> Handle:
    """Run ``body(item, *captured)`` for each item of a released list within one fixed total."""
    operation = build("for_each", {"share": share, "max_length": max_length, "view": view})
    return control(name, operation, [items, *captured], [body])  # type: ignore[arg-type]


def recurse(
    name: str,
    x: Handle,
    state: Handle,
    body: Callable[..., Any],
    leaf: Callable[..., Any],
    *captured: Handle,
    max_depth: int,
    max_leaves: int,
) -> Handle:
    """Split rows depth first; see :class:`dpframe.reductions.control.Divide` for what the body must hold."""
    operation = build("recurse", {"max_depth": max_depth, "max_leaves": max_leaves})
    return control(name, operation, [x, state, *captured], [body, leaf])  # type: ignore[arg-type]


def worklist(
    name: str,
    x: Handle,
    state: Handle,
    body: Callable[..., Any],
    leaf: Callable[..., Any],
    *captured: Handle,
    max_depth: int,
    max_leaves: int,
) -> Handle:
    """Split rows breadth first; see :class:`dpframe.reductions.control.Divide`."""
    operation = build("worklist", {"max_depth": max_depth, "max_leaves": max_leaves})
    return control(name, operation, [x, state, *captured], [body, leaf])  # type: ignore[arg-type]
