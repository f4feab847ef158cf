"""What a theorem is, where they are kept, and the readers of their declared parameters."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import attrs

from dpframe.errors import PlanError
from dpframe.proof.spaces import L1, L2, Edits, LInf, Metric, finite_number

Metrics = tuple[Metric, ...]
Params = Mapping[str, Any]
Rule = Callable[[Params, tuple[Metrics, ...]], Any]
"""From parameters, and the metrics of each private input, to those of the output or to a loss."""
M = TypeVar("M")
PROVED, ENFORCED, ASSERTED = LEVELS = ("proved", "enforced", "asserted")
"""Of an operation: all of it is proved; the kernel enforces its bound, given what is listed; it is a plugin's word."""


@attrs.frozen
class Theorem:
    """A statement with its source and hypotheses, and the rule that applies it.

    What is ``asserted`` rests on a plugin's word, which a user must allow. It is also ``claimed`` where that word is no
    declared parameter: then the certificate lists it for each tuple of metrics that the operation can meet.

    ``most_epsilon`` is the largest ε of a statement on the whole loss in which it is proved (:func:`proved_in`).

    Only the operations declared with it may cite it (:mod:`dpframe.proof.theorems.declaring`), so that a
    certificate can't replace its theorem by one that gives a smaller loss.
    """

    name: str
    kind: str
    statement: str
    source: str
    rule: Rule
    hypotheses: tuple[str, ...] = ()
    asserted: bool = False
    claimed: bool = False
    most_epsilon: float = math.inf

    @property
    def level(self) -> str:
        """How far the kernel vouches for it: one of ``LEVELS``."""
        return ASSERTED if self.asserted else ENFORCED if self.hypotheses else PROVED

    def assumed(self, params: Params) -> tuple[str, ...]:
        """What the kernel does not enforce of an operation with these declared parameters, a plugin's own words too."""
        name, more = params.get("of"), params.get("assumes", ())
        said = tuple(text.replace("{of}", repr(name)) for text in self.hypotheses)
        return (*said, *(f"{name!r}: {text}" for text in more)) if name is not None else said


THEOREMS: dict[str, Theorem] = {}


def theorem(
    name: str,
    kind: str,
    source: str,
    hypotheses: tuple[str, ...] = (),
    *,
    asserted: bool = False,
    claimed: bool = False,
    most_epsilon: float = math.inf,
) -> Callable[[Rule], Rule]:
    """Register a rule under ``name``; its docstring's first line is the statement."""

    def keep(rule: Rule) -> Rule:
        if not rule.__doc__:
            what = f"theorem {name!r} has no docstring, which states it: python -OO and PYTHONOPTIMIZE=2 take them away"
            raise PlanError(what, fix="run Python without them; of your own theorem, write one")
        statement = rule.__doc__.strip().splitlines()[0]
        believed = asserted or claimed
        THEOREMS[name] = Theorem(name, kind, statement, source, rule, hypotheses, believed, claimed, most_epsilon)
        return rule

    return keep


def up(x: float) -> float:
    """Next float above: the result of one rounded operation is at most this far off."""
    return math.nextafter(x, math.inf)


def find(metrics: Metrics, kind: type[M]) -> M:
    """The metric of the wanted kind, or a :class:`PlanError` that names what is there."""
    for metric in metrics:
        if isinstance(metric, kind):
            return metric
    have = ", ".join(type(m).__name__ for m in metrics) or "none"
    raise PlanError(
        f"needs a private input with a bound in {kind.__name__}, has: {have}",
        fix="use a mechanism for what it has: of L2 gaussian, of L1 laplace, of LInf a selection",
    )


def number(params: Params, key: str, *, low: float = 0.0, high: float = math.inf) -> float:
    """A number that float64 holds, strictly between ``low`` and ``high``, from the declared parameters.

    A whole number that no float64 equals is refused: the loss would be computed for another number.
    """
    value = params.get(key)
    if not finite_number(value) or float(value) != value or not low < value < high:
        raise PlanError(
            f"parameter {key!r} must be a finite number of float64 in ({low}, {high}), not {value!r}",
            fix=f"declare {key} in that range",
        )
    return float(value)


def whole(params: Params, key: str, *, low: int = 1) -> int:
    """A whole number of at least ``low`` from the declared parameters."""
    value = params.get(key)
    if isinstance(value, bool) or not isinstance(value, int) or value < low:
        raise PlanError(
            f"parameter {key!r} must be a whole number >= {low}, not {value!r}", fix=f"declare {key} as {low} or more"
        )
    return value


def proved_in(theorem: str, epsilon: float, delta: float) -> bool:
    """Whether an (ε, δ) of the whole loss that a theorem is part of is proved (``docs/theory/masks.md``, 4)."""
    most = THEOREMS[theorem].most_epsilon
    return most == math.inf or (epsilon <= most and delta <= 1 / 2)


def check_scope(theorem: str, total: Mapping[str, Any]) -> None:
    """Refuse a theorem beside a larger total than it is proved for.

    Raises
    ------
    PlanError
    """
    spent, delta = total.get("epsilon", math.inf), total.get("delta", math.inf)
    if not proved_in(theorem, spent, delta):
        most = THEOREMS[theorem].most_epsilon
        raise PlanError(
            f"rests on theorem {theorem!r}, which is proved beside a total epsilon of at most {most:g} and a delta of "
            f"at most 0.5, not {spent:g} and {delta:g}",
            fix=f"give a budget of epsilon={most:g} or less, and a small delta",
        )


def by_larger(inputs: tuple[Metrics, ...]) -> float:
    """max(r, a): how far a sum moves to which each row gives between 0 and 1, or a maximum over such sums."""
    e = find(inputs[0], Edits)
    return float(max(e.removed, e.added))


def one_number(bound: float) -> Metrics:
    """The metrics of a single number, of which all norms are the same."""
    return (L1(bound), L2(bound), LInf(bound))
