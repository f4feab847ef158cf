"""What the class of an estimator is made with: its constructor, its fit by groups, its answers by row."""

from __future__ import annotations

import contextlib
import functools
import inspect
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from dpframe.errors import RunError, SpecError
from dpframe.front.estimators import groups
from dpframe.front.estimators.manners import polite
from dpframe.front.estimators.tables import check_apart
from dpframe.front.specs.keys import Key
from dpframe.proof.spaces.checks import scalar
from dpframe.runtime.gate import Admitted

MOST_SHOWN = 20
REQUIRED = inspect.Parameter.empty
OF_A_RUN = ("plan_", "certificate_", "simulated_")
"""Attributes that say what ran, whether it was released or failed."""


def listed(names: Sequence[str]) -> str:
    """The columns of a fit, in an error."""
    shown = ", ".join(names[:MOST_SHOWN]) + (", ..." if len(names) > MOST_SHOWN else "")
    return f"{len(names)} columns: {shown}"


def whole(name: str, value: Any, least: int = 1, most: int | None = None) -> int:
    """A parameter that must be a whole number."""
    return int(Key(name, "whole", min=least, max=most).check(scalar(value)))


def drawing(n_samples: Any, seed: Any) -> tuple[int, np.random.Generator]:
    """How many rows are to be drawn of a released model, and what draws them."""
    with polite():
        count = whole("n_samples", n_samples)
        return count, np.random.default_rng(None if seed is None else whole("seed", seed, 0))


def check_unread(model: Any) -> None:
    """Refuse categories that nothing would read; warn of a bound, which all estimators take: it does no harm."""
    if model.BOUNDLESS and model.bound is not None:
        words = f"{type(model).__name__} reads no bound, not even {model.bound!r}: leave bound out"
        warnings.warn(words, UserWarning, stacklevel=3)
    if model.by is None and model.categories is not None:
        raise SpecError("categories are those of a column by=..., and none is given", fix="give by=COLUMN as well")


def warn_of(doubts: Sequence[str]) -> None:
    """Tell what a plan does not expect to find, before anything is read or spent."""
    for doubt in doubts:
        warnings.warn(doubt, UserWarning, stacklevel=4)


def forget(model: Any) -> None:
    """Leave out what an earlier fit released: a fit that failed has released nothing, and is not that one's proof."""
    for name in [name for name in _of_a_fit(model) if name not in OF_A_RUN]:
        delattr(model, name)


def _of_a_fit(model: Any) -> list[str]:
    """The attributes that fits leave."""
    return [n for n in vars(model) if (n.endswith("_") and not n.startswith("_")) or n == "_columns"]


class Rehearsed(Exception):
    """In place of the reservation, where a fit is only rehearsed."""


def rehearsed(model: Any, fit: Callable[..., Any], *given: Any) -> list[Admitted]:
    """The runs that a fit of a model would pay for, once all that it can be refused for before is tried.

    Nothing is spent, and no row is read beyond what a fit reads before its reservation.
    """
    asked: list[Admitted] = []
    vars(model)["_asked"] = asked
    try:
        fit(*given)
    except Rehearsed:
        return asked
    finally:
        del vars(model)["_asked"]
    raise SpecError(f"{type(model).__name__} runs no plan of its own", fix="fit it by itself, without a search")


@contextlib.contextmanager
def fitting(model: Any) -> Iterator[None]:
    """Around a fit: it starts without what an earlier one left, and gives that back where nothing was spent.

    So a fit that was refused has changed nothing, and no attribute of another fit stands beside what this one released.
    Where it ended after it had spent, in whatever way, ``plan_`` is there, and nothing to ask about.
    """
    if "_fitting" in vars(model):  # of a subclass, around its parent's
        yield
        return
    earlier = {name: vars(model).pop(name) for name in _of_a_fit(model)}
    vars(model)["_fitting"] = True
    try:
        yield
    except BaseException as error:
        if "plan_" in vars(model):
            if not isinstance(error, RunError):  # which leaves what it tells of
                forget(model)
        else:
            forget(model)
            vars(model).update(earlier)
        raise
    finally:
        del vars(model)["_fitting"]


def constructor(names: Mapping[str, Any], positional: int) -> Callable[..., None]:
    """An ``__init__`` that keeps its arguments, as scikit-learn asks: the first ones also by position."""
    kinds = inspect.Parameter
    listed_ = [kinds("self", kinds.POSITIONAL_OR_KEYWORD)]
    for place, (name, default) in enumerate(names.items()):
        kind = kinds.POSITIONAL_OR_KEYWORD if place < positional else kinds.KEYWORD_ONLY
        listed_.append(kinds(name, kind, default=default))
    signature = inspect.Signature(listed_)

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        try:
            bound = signature.bind(self, *args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{type(self).__name__}: {error}; it takes {', '.join(names)}") from None
        bound.apply_defaults()
        for name in names:
            setattr(self, name, bound.arguments[name])

    __init__.__signature__ = signature  # type: ignore[attr-defined]
    return __init__


def by_groups(fit: Callable[..., Any]) -> Callable[..., Any]:
    """A fit that fits every declared category of ``by`` where there is one; where it is refused, nothing has changed.

    A ``y`` that may be in another order than X is refused by fits that do not read it, too: in a pipeline the next step
    is handed what this one made of X, an array, and would not know.
    """

    @functools.wraps(fit)
    def wrapped(self: Any, X: Any, *args: Any, **more: Any) -> Any:
        bound = inspect.signature(fit).bind(self, X, *args, **more)
        with polite():
            check_apart(X, bound.arguments.get("y"))
        with fitting(self):
            if self.by is None:
                return fit(self, X, *args, **more)
            given = {k: v for k, v in bound.arguments.items() if k not in ("self", "X", "y")}
            learns_y = "y" in inspect.signature(fit).parameters and self._learns_y
            with polite():
                groups.fit_groups(self, X, bound.arguments.get("y") if learns_y else None, given)
            return self

    return wrapped


def by_row(name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    """A method that asks each row's own category."""

    @functools.wraps(method)
    def wrapped(self: Any, X: Any) -> Any:
        if self.by is None:
            return method(self, X)
        with polite():
            return groups.routed(self, name, X)

    return wrapped
