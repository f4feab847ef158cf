"""Plain functions as operations: of released values (``post_function``) and of rows (``row_function``)."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, overload

import attrs
import numpy as np

from dpframe.errors import DpframeError, PlanError, SpecError
from dpframe.front.program import apply
from dpframe.front.tracing import Handle
from dpframe.front.verbs.nodes import local
from dpframe.kernel import registry
from dpframe.kernel.operations import PARAM, Slot
from dpframe.kernel.origins import as_function
from dpframe.kernel.post_processing import Failed, Post
from dpframe.kernel.posts.arrays import shape_of
from dpframe.proof.spaces import (
    Array,
    Ball,
    BallValue,
    Domain,
    Gaussian,
    GaussianValue,
    Index,
    Mixture,
    MixtureValue,
    Outcome,
    Vector,
)
from dpframe.proof.spaces.checks import is_whole, scalar

Gives = Domain | Callable[..., Domain] | None


@attrs.frozen
class NamedFunction:
    """A registered function: of handles it adds a node, of values it is the function itself.

    Attributes
    ----------
    name : str
        What it is registered as.
    function : callable
    """

    name: str
    function: Callable[..., Any] = attrs.field(repr=False)
    node: Callable[..., Any] = attrs.field(repr=False)

    @overload
    def __call__(self, first: Handle, *inputs: Any, **parameters: Any) -> Handle: ...
    @overload
    def __call__(self, *inputs: Any, **parameters: Any) -> Any: ...
    def __call__(self, *inputs: Any, **parameters: Any) -> Any:
        """A node of the program that is being traced, or what the function gives for these values."""
        if any(isinstance(item, Handle) for item in inputs):
            return self.node(*inputs, **parameters)
        for item in inputs:
            held = item.values() if isinstance(item, Mapping) else item if isinstance(item, (list, tuple)) else ()
            if any(isinstance(value, Handle) for value in held):
                one = f"value[{next(iter(item))!r}]" if isinstance(item, Mapping) else "value[0]"
                raise PlanError(
                    f"{self.name!r} takes handles, and is given a {type(item).__name__} of them",
                    fix=f"give one, as {one}, or each as an input of its own",
                )
        return self.function(*inputs, **parameters)


@attrs.frozen
class FunctionPost(Post):
    """Base of post operations that are made of a function, which has no state and may be tried out."""


Decorator = Callable[[Callable[..., Any]], NamedFunction]


@overload
def post_function(name: Callable[..., Any]) -> NamedFunction: ...
@overload
def post_function(name: str | None = None, *, gives: Gives = None) -> Decorator: ...
def post_function(name: str | Callable[..., Any] | None = None, *, gives: Gives = None) -> NamedFunction | Decorator:
    """Decorator: a function of released values, run when these are there; registered under its name.

    It computes with values, not with handles, so it may do what Python can: loops, tests, SciPy. Its keyword-only
    arguments are parameters of the operation: numbers, texts and lists of them.

    Parameters
    ----------
    name : str, optional
        Registered name; that of the function if not given.
    gives : Domain, or function of the inputs' domains and the parameters, optional
        What comes out. If not given, an array of the shape that it gives for an example of its inputs. A function that
        answers True or False, for ``dp.branch`` or the ``split`` of a division, says ``gives=dp.Flag()``.

    Returns
    -------
    NamedFunction
        Called with handles it adds a node.

    Raises
    ------
    SpecError
        For a name that is taken.

    Formal guarantees
    -----------------
    Post-processing (theorem ``post_processing``): it costs nothing. Its inputs must be released or public. A result of
    another shape than planned ends the run as ``failed``.

    Examples
    --------
    >>> import numpy as np
    >>> import dpframe as dp
    >>> @dp.post_function("doctest.shares")
    ... def shares(counts, *, floor=0.0):
    ...     kept = [max(float(c), floor) for c in counts]
    ...     return np.array(kept) / max(sum(kept), 1.0)
    >>> @dp.program
    ... def ages(x):
    ...     counts = dp.release("counts", dp.laplace(share=1.0), dp.bin_counts(x, edges=[18.0, 65.0]))
    ...     return {"shares": shares(counts, floor=1.0)}
    >>> plan = dp.plan(ages, x=dp.rows(d=1), adjacency=dp.ADD_REMOVE, budget=dp.pure_dp(50.0))
    >>> plan.run(x=np.full((10, 1), 30.0), simulate=0)["shares"].round(1).tolist()
    [0.1, 0.8, 0.1]
    """
    if callable(name):
        return _post(name, None, gives)
    return lambda function: _post(function, name, gives)


def _post(given: Callable[..., Any], called: str | None, gives: Gives) -> NamedFunction:
    function = as_function(given, called or "post function")
    name = called or str(function.__name__)
    slots, named = _read_signature(name, function)
    least = sum(not (slot.optional or slot.variadic) for slot in slots)

    def output(self: Any, *inputs: Domain) -> Domain:
        if len(inputs) < least:  # no refusal of these domains: a search for inputs goes on with more of them
            raise TypeError(f"post function {name!r} takes {least} inputs, not {len(inputs)}")
        if isinstance(gives, Domain):
            return gives
        return _shape(name, function, inputs, self) if gives is None else _given(name, gives, inputs, self)

    def run(self: Any, *values: Any) -> Any:
        found = function(*values, **self.parameters())
        if gives is None and not isinstance(found, Failed):
            return np.atleast_1d(np.asarray(found, dtype=np.float64))
        return Outcome(bool(found), float(found)) if isinstance(found, (bool, np.bool_)) else found

    fields: dict[str, Any] = {
        p.name: attrs.field(kw_only=True, default=attrs.NOTHING if p.default is p.empty else _tuple(p.default))
        for p in named.values()
    }

    def again(self: Any) -> Any:  # its module holds the function under this name, so that no class can be found there
        return registry.build, (name, self.parameters())

    body = {
        "__reduce__": again,
        "output": output,
        "apply": run,
        "slots": slots,
        "__doc__": inspect.getdoc(function) or f"{name}.",
    }
    made: Any = attrs.make_class(
        function.__name__ if function.__name__.isidentifier() else "PostFunction",
        fields,
        bases=(FunctionPost,),
        frozen=True,
        class_body=body,
    )
    made.__module__, made.__qualname__ = function.__module__, function.__qualname__
    registry.register(name)(made)

    def node(*inputs: Any, **parameters: Any) -> Any:
        label = parameters.pop("name", None)
        return apply(label or local(name), registry.build(name, parameters), *inputs)

    return NamedFunction(name, function, node)


def _read_signature(name: str, function: Callable[..., Any]) -> tuple[tuple[Slot, ...], dict[str, inspect.Parameter]]:
    """Inputs of a post function, which its positional parameters are, and its keyword-only parameters by name."""
    known = inspect.signature(function).parameters.values()
    positional = [p for p in known if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD, p.VAR_POSITIONAL)]
    named = {p.name: p for p in known if p.kind is p.KEYWORD_ONLY}
    if any(p.kind is p.VAR_KEYWORD for p in known) or not positional:
        raise SpecError(
            f"post function {name!r} needs inputs, and parameters that it names",
            fix="def f(value, *, k=1); a value that is made of nothing released is dp.constant([...])",
        )
    taken = sorted(parameter for parameter in named if parameter.startswith("_") or hasattr(FunctionPost, parameter))
    if taken:
        raise SpecError(
            f"post function {name!r} calls a parameter {taken[0]!r}, as every operation has one",
            fix=f"rename it: {taken[0].strip('_')}_of_it, say",
        )
    slots = (Slot(p.name, PARAM, p.kind is p.VAR_POSITIONAL, p.default is not p.empty) for p in positional)
    return tuple(slots), named


def _given(name: str, gives: Callable[..., Any], inputs: tuple[Domain, ...], self: Any) -> Domain:
    """The domain that ``gives`` names for these inputs; an error in it, or a result that is no domain, refuses them."""
    try:
        found = gives(*inputs, **self.parameters())
    except PlanError:
        raise
    except Exception as error:  # noqa: BLE001  whatever a user's function raises; it is told of domains only
        why, fix = (error.message, error.fix) if isinstance(error, DpframeError) else (error, None)
        raise PlanError(
            f"gives= of post function {name!r} raised {type(error).__name__} for {_domains(inputs)}: {why}",
            fix=fix or "use what it is made for, or mend gives=",
        ) from None
    if not isinstance(found, Domain):
        raise PlanError(
            f"gives= of post function {name!r} must give a domain for {_domains(inputs)}, got {found!r}",
            fix="gives=lambda counts: dp.Vector(counts.m)",
        )
    return found


def _domains(inputs: tuple[Domain, ...]) -> str:
    return ", ".join(map(str, inputs))


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _shape(name: str, function: Callable[..., Any], inputs: tuple[Domain, ...], self: Any) -> Domain:
    """An array of the shape that a function gives for an example of its inputs."""
    try:
        with np.errstate(all="ignore"):
            found = function(*map(_example, inputs), **self.parameters())
            shape = np.atleast_1d(np.asarray(found, dtype=np.float64)).shape
    except PlanError:
        raise
    except Exception as error:  # noqa: BLE001  whatever a user's function raises; no data is there
        raise PlanError(
            f"post function {name!r} raised {type(error).__name__} on an example of its inputs: {error}",
            fix="say what comes out, gives=dp.Vector(2), or mend it",
        ) from None
    return Vector(shape[0]) if len(shape) == 1 else Array(shape)


def _example(domain: Domain) -> Any:
    shape = shape_of(domain)
    if shape is not None:
        return np.eye(shape[0]) if len(shape) == 2 and shape[0] == shape[1] else np.ones(shape)
    if isinstance(domain, Ball):
        return BallValue(np.zeros(domain.d), 1.0)
    if isinstance(domain, Gaussian):
        return GaussianValue(np.zeros(domain.d), np.eye(domain.d))
    if isinstance(domain, Mixture):
        k, d = domain.k, domain.d
        return MixtureValue(np.full(k, 1.0 / k), np.zeros((k, d)), np.broadcast_to(np.eye(d), (k, d, d)).copy())
    if isinstance(domain, Index):
        return 0
    raise PlanError(f"there is no example of {domain} to find a shape with", fix="say what comes out: gives=...")


def _takes_no_parameters(name: str, function: Callable[..., Any]) -> None:
    """Refuse keyword-only parameters without a default: nothing would give them a value."""
    try:
        kept = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # of compiled functions nothing is known
        return
    needed = [p.name for p in kept if p.kind is p.KEYWORD_ONLY and p.default is p.empty]
    if needed:
        raise SpecError(
            f"row function {name!r} asks for parameters ({', '.join(needed)}), and a row function is given none",
            fix="register it by own_transform of dpframe.plugin, which takes them, or give them defaults",
        )


def row_function(name: str | None = None, *, columns: int | Callable[[int], int]) -> Decorator:
    """Decorator: a vectorised function of rows, ``(values, *released) -> (m, columns)``, registered as a row function.

    Each row's image must depend on that row and the released values alone; ``dpframe check NAME`` attacks that.

    Parameters
    ----------
    name : str, optional
        Registered name; that of the function if not given.
    columns : int, or function of the number of columns in
        Columns of the image.

    Returns
    -------
    NamedFunction
        Called with handles it adds a node, as ``dp.row_map(x, function=name, p=columns)`` does.

    Raises
    ------
    SpecError
        For a name that is taken, or a function with parameters of its own that have no default.

    Formal guarantees
    -----------------
    Theorem ``asserted_row_map`` (docs/theory/notation.md#row-maps): that rows are treated one by one is a hypothesis of
    the certificate. What it gives is unbounded in the plan's eyes: clip it before a sum.

    Examples
    --------
    >>> import numpy as np
    >>> import dpframe as dp
    >>> @dp.row_function("doctest.logs", columns=lambda d: d)
    ... def logs(values):
    ...     return np.log1p(np.abs(values))
    >>> @dp.program
    ... def mean_log(x):
    ...     return dp.release("mean", dp.gaussian(share=1.0), dp.mean(dp.clip(logs(x), 20.0)))
    >>> plan = dp.plan(mean_log, x=dp.rows(d=2, n=100), adjacency=dp.REPLACE_ONE, budget=dp.zcdp(rho=0.5))
    >>> [node.operation.name for node in plan.graph.nodes][0]
    'row_map'
    """
    fixed = scalar(columns)
    if not callable(fixed) and not is_whole(fixed, 1):
        raise SpecError(
            f"a row function is told columns={fixed!r}, not a whole number above 0", fix="say columns=2, for example"
        )

    def keep(function: Callable[..., Any]) -> NamedFunction:
        known = name or str(as_function(function, "row function").__name__)
        _takes_no_parameters(known, function)
        registry.row_function(known)(function)

        def node(x: Any, *released: Any, name: str | None = None) -> Any:
            p = columns(x.d) if callable(columns) else fixed
            made = registry.build("row_map", {"function": known, "p": p})
            return apply(name or local(known), made, x, *released)

        return NamedFunction(known, function, node)

    return keep
