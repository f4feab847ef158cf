"""Whether what a plugin says of its operation can be called as it will be: seen when it is declared, not in a plan."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from dpframe.errors import SpecError
from dpframe.front.composites import check_examples
from dpframe.kernel.owned import Own

MOST_DISTANCES = 16
"""Private inputs of a query whose distances a claim may be told of."""


def check_called(known: Own, told: Mapping[str, object]) -> None:
    """Refuse functions that can't be called with the operation's parameters, and examples of others than these."""
    for what, value in told.items():
        try:
            if callable(value):
                inspect.signature(value).bind(**dict.fromkeys(known.parameters))
        except TypeError:
            takes = ", ".join(known.parameters) or "none"
            raise SpecError(
                f"{known.name!r}: {what}= is called with the operation's parameters ({takes}), and does not take these",
                fix=f"say {what}=2, say, or a function of them; what depends on the rows' width is told by a parameter "
                f"d, def f(rows, *, d), {what}=lambda d: d, and dp.own({known.name!r}, x, d=x.d)",
            ) from None
        except ValueError:  # a function of C that does not say
            continue
    _check_claim(known)
    check_examples(known.name, known.examples, known.parameters)


def _check_claim(known: Own) -> None:
    """Refuse a claim that can't be called as plans call it: with distances, then with all parameters by name."""
    mechanism, edits = known.kind == "mechanism", known.kind == "statistic" or known.takes == "edits"
    what, about = "sensitivity", ["removed", "added"] if edits else ["distance"]
    if mechanism:
        what, about = "loss", ["scale", *about]
    more = range(1 if edits or mechanism else MOST_DISTANCES)  # a query's is told of each private input
    try:
        if known.claim is None or any(_takes(known.claim, len(about) + n, known.parameters) for n in more):
            return
    except ValueError:  # a function of C that does not say
        return
    called = ", ".join([*about, *(f"{name}={name}" for name in known.parameters)])
    raise SpecError(
        f"{known.name!r}: {what}= is called as {what}({called}), the operation's parameters by name, and does not "
        "take that",
        fix=f"say {what}=lambda {', '.join([*about, *known.parameters])}: ..., or a function that takes as much",
    )


def _takes(function: Callable[..., Any], count: int, parameters: Iterable[str]) -> bool:
    try:
        inspect.signature(function).bind(*[None] * count, **dict.fromkeys(parameters))
    except TypeError:
        return False
    return True
