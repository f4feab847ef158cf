"""What all verbs share: a fresh node name, one node or several, and wrong arguments named with the fix."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from types import FunctionType
from typing import ParamSpec, TypeVar

from dpframe.errors import PlanError, SpecError, nearest
from dpframe.front.program import Handle, apply, in_columns, tracer
from dpframe.front.tracing import HandleLike
from dpframe.kernel.operations import Mechanism
from dpframe.kernel.registry import build

P = ParamSpec("P")
R = TypeVar("R")


def local(stem: str) -> str:
    """An unused name within the group of nodes that is being traced: the stem, numbered."""
    t = tracer()
    fresh = t.fresh(stem)
    return fresh[len(".".join(t.scope)) + 1 :] if t.scope else fresh


def node(operation: str, name: str | None, *inputs: HandleLike, stem: str = "", **parameters: object) -> Handle:
    """The node of an operation with one result."""
    made = apply(name or local(stem or operation), build(operation, in_columns(parameters, inputs)), *inputs)
    if not isinstance(made, Handle):
        raise PlanError(f"operation {operation!r} has parts", fix="use its own verb")
    return made


def parts(operation: str, name: str | None, *inputs: HandleLike, **parameters: object) -> list[Handle]:
    """The parts of a partition, in order."""
    made = apply(name or local(operation), build(operation, parameters), *inputs)
    return [made] if isinstance(made, Handle) else list(made)


def mechanism(name: str, **parameters: object) -> Mechanism:
    """A mechanism that waits for ``dp.release``."""
    made = build(name, parameters)
    if not isinstance(made, Mechanism):
        raise SpecError(f"{name!r} is a {made.kind}, not a mechanism", fix="use its own verb")
    return made


def verb(function: Callable[P, R]) -> Callable[P, R]:
    """Decorator: arguments that don't fit are refused with the verb, the nearest known name and the signature.

    Examples
    --------
    >>> @verb
    ... def clip(x, ball, *, bits=20):
    ...     return bits
    >>> clip(1, 2, bit=3)
    Traceback (most recent call last):
    dpframe.errors.SpecError: dp.clip has no parameter 'bit'. Fix: did you mean 'bits'?
    """
    refused = refuse  # held by the closure: `called` is given other globals below

    def called(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except TypeError:
            refused(function, args, kwargs)
            raise

    # Rebuilt with the globals of the verb's module, in which doctest looks for what belongs to it.
    made = FunctionType(called.__code__, function.__globals__, function.__name__, None, called.__closure__)
    return functools.wraps(function)(made)


def refuse(function: Callable[..., object], args: tuple[object, ...], kwargs: dict[str, object]) -> None:
    """Raise where the arguments don't fit the signature, and say which."""
    signature = inspect.signature(function)
    known = {p.name for p in signature.parameters.values() if p.kind is not p.VAR_POSITIONAL}
    shown = f"dp.{function.__name__}"
    for key in kwargs:
        if key not in known and not any(p.kind is p.VAR_KEYWORD for p in signature.parameters.values()):
            takes = ", ".join(p.name for p in signature.parameters.values())
            raise SpecError(f"{shown} has no parameter {key!r}", fix=nearest(key, known, f"it takes {takes}"))
    try:
        signature.bind(*args, **kwargs)
    except TypeError as error:
        parts: dict[bool, list[str]] = {False: [], True: []}
        for p in signature.parameters.values():
            parts[p.kind is p.KEYWORD_ONLY].append(str(p).partition(":")[0])
        by_name = [f"by name {', '.join(f'{word}=' for word in parts[True])}"] if parts[True] else []
        by_place = [", ".join(parts[False])] if parts[False] else []
        raise SpecError(f"{shown}: {error}", fix=f"it takes {', and '.join(by_place + by_name)}") from None


def given(*handles: HandleLike | None) -> list[HandleLike]:
    """Inputs without the optional ones that were left out."""
    return [handle for handle in handles if handle is not None]
