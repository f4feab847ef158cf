"""Operations and recipes by name: what plugins register, and what a program chooses by a text."""

from __future__ import annotations

from typing import Any

from dpframe.errors import PlanError
from dpframe.front.program import Composite, Handle, apply, in_columns
from dpframe.front.tracing import HandleLike
from dpframe.front.verbs.nodes import local, verb
from dpframe.kernel import registry
from dpframe.proof.spaces.checks import scalar

REGISTER = 'write it as a function, @dp.post_function("package.word"), or with NumPy\'s functions alone'
OF_ROWS = 'write it as a function of rows, @dp.row_function("package.word", columns=...)'


def no_function(operation: object, where: str) -> str:
    """The refusal of a function where a registered name is needed."""
    shown = getattr(operation, "__name__", type(operation).__name__)
    return f"dp.{where} can't hold the function {shown!r}: a graph is names and numbers, so that it can be verified"


def no_name(given: object) -> PlanError:
    """The refusal of what is no name of an operation."""
    return PlanError(f"the name of an operation comes first, not a {type(given).__name__}", fix=REGISTER)


def by_name(
    verb_name: str, operation: object, inputs: tuple[object, ...], name: str | None, given: dict[str, Any]
) -> Any:
    """What an operation with this name gives: a handle, the handles of its parts."""
    if callable(operation) and not isinstance(operation, Handle):
        raise PlanError(no_function(operation, verb_name), fix=OF_ROWS if verb_name == "transform" else REGISTER)
    if not isinstance(operation, str):
        raise no_name(operation)
    made = registry.build(operation, in_columns(given, inputs))
    return apply(name or local(operation), made, *inputs)


def transform(operation: str, *inputs: HandleLike, name: str | None = None, **parameters: object) -> Handle:
    """Apply any registered operation by name. A kernel operation has a verb of its own, which is checked as typed.

    Parameters
    ----------
    operation : str
        Registered name.
    *inputs : Handle
        Public values may stand where a released one is asked for.
    name : str, optional
        Of the node; numbered if not given.
    **parameters
        Of the operation.

    Returns
    -------
    Handle
        The result. A partition gives its parts, which ``dp.parts`` says in its type, too.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For an unknown name or parameter, with the nearest.

    Formal guarantees
    -----------------
    Those of the operation: its theorem is named by ``dpframe ops``.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     return dp.release("count", dp.laplace(share=1.0), dp.transform("count", x))
    >>> plan = dp.plan(example, x=dp.rows(d=2), adjacency=dp.ADD_REMOVE, budget=dp.pure_dp(1.0))
    >>> plan.verdict.holds
    True
    """
    made: Handle = by_name("transform", operation, inputs, name, parameters)
    return made


def parts(operation: str, *inputs: HandleLike, name: str | None = None, **parameters: object) -> list[Handle]:
    """The parts that a registered partition or sample makes, by its name.

    Parameters
    ----------
    operation : str
        Registered name, of the kernel's or of a plugin's own.
    *inputs : Handle
        Rows first, then released values.
    name : str, optional
        Of the node; numbered if not given.
    **parameters
        Of the operation.

    Returns
    -------
    list of Handle
        Rows of each part, in order.

    Raises
    ------
    PlanError
        Where the operation has no parts, a shape doesn't fit, or a private value goes where none may.
    SpecError
        For an unknown name or parameter, with the nearest.

    Formal guarantees
    -----------------
    Those of the operation: its theorem is named by ``dpframe ops``.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     left, right = dp.parts("split", x, count=2)
    ...     return dp.release("count", dp.laplace(share=1.0), dp.count(left))
    >>> plan = dp.plan(example, x=dp.rows(d=2, n=100), adjacency=dp.REPLACE_ONE, budget=dp.pure_dp(1.0))
    >>> plan.verdict.holds
    True
    """
    made = by_name("parts", operation, inputs, name, parameters)
    if isinstance(made, Handle):
        raise PlanError(f"operation {operation!r} has no parts", fix=f"dp.transform({operation!r}, ...)")
    return list(made)


def recipe(name: str, **parameters: object) -> Composite[Any]:
    """A registered composite with its parameters, to be released.

    Parameters
    ----------
    name : str
        Registered name; ``dpframe ops`` lists them.
    **parameters
        Of the composite.

    Returns
    -------
    Composite
        For ``dp.release``.

    Raises
    ------
    SpecError
        For an unknown name, with the nearest.

    Formal guarantees
    -----------------
    Those of the graph it expands into: the planner prices each node.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     return dp.release("ages", dp.recipe("histogram", edges=[18.0, 65.0]), x)
    >>> plan = dp.plan(example, x=dp.rows(d=1), adjacency=dp.ADD_REMOVE, budget=dp.zcdp(rho=0.5))
    >>> plan.verdict.holds
    True
    """
    registry.find_composite(name)
    return Composite(name, {key: scalar(value) for key, value in parameters.items()})


@verb
def locate(*, share: float, bound: float | None = None) -> Composite[Handle]:
    """A private ball that holds nearly all rows, found from a generous bound or from none.

    Parameters
    ----------
    share : float
        Share of ρ of all its mechanisms.
    bound : float, optional
        ℓ₂ radius around 0 that the rows are promised to lie in.

    Returns
    -------
    Composite
        For ``dp.release``, which gives a released ball.

    Raises
    ------
    SpecError
        Where the plugins that ship with the package are not installed.

    Formal guarantees
    -----------------
    Noisy histograms and means, each with its kernel theorem; see the registered recipe ``locate``.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     return dp.release("ball", dp.locate(share=1.0, bound=1e6), x)
    >>> plan = dp.plan(example, x=dp.rows(d=2, n=1000), adjacency=dp.REPLACE_ONE, budget=dp.zcdp(rho=0.5))
    >>> plan.verdict.holds
    True
    """
    return recipe("locate", share=share, bound=bound)


@verb
def moments(*, share: float) -> Composite[dict[str, Handle]]:
    """Count, sum about 0, second moments, mean and covariance of rows in a ball, from one joint release.

    Parameters
    ----------
    share : float
        Share of ρ of its one mechanism.

    Returns
    -------
    Composite
        For ``dp.release``, which takes rows and a ball and gives the five by name.

    Raises
    ------
    SpecError
        Where the plugins that ship with the package are not installed.

    Formal guarantees
    -----------------
    One Gram matrix of weighted rows (theorem ``weighted_grams``) with Gaussian noise.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     return dp.release("moments", dp.moments(share=1.0), x, dp.ball(centre=[0.0], radius=10.0))["mean"]
    >>> plan = dp.plan(example, x=dp.rows(d=1), adjacency=dp.ADD_REMOVE, budget=dp.zcdp(rho=0.5))
    >>> plan.verdict.holds
    True
    """
    return recipe("moments", share=share)
