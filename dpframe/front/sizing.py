"""How many rows, or which ε: the least at which the predicted error of an output is small enough. Reads no data."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import attrs

from dpframe.errors import DpframeError, SpecError, nearest
from dpframe.front.specs import Spec
from dpframe.front.specs.budgets import APPROXIMATE
from dpframe.kernel.expected import Expected
from dpframe.planning.predicting import predict
from dpframe.proof.roots import boundary, geometric

LARGEST_ROWS = 10**11
EPSILONS = (1e-4, 1e3)
FINE = 1e-3


@attrs.frozen
class Size:
    """An answer: of ``solve`` the least ``value`` at which ``expected.error`` is small enough."""

    solve: str
    value: float
    expected: Expected
    instance: str

    def to_json(self) -> dict[str, Any]:
        """The answer as ``dpframe size --json`` prints it."""
        found = {"solve": self.solve, "value": self.value, "predicted": self.expected.error}
        return {**found, "what": self.expected.what, "instance": self.instance}


def size(spec: Spec, output: str, error: float, *, solve: str = "n") -> Size:
    """The least number of rows, or the least ε, at which the predicted error of an output is at most `error`.

    Parameters
    ----------
    spec : Spec
        With all keys set but the one that is asked for.
    output : str
        Name of an output whose node has an error model.
    error : float
        In the terms of that model; positive, and no more than the model holds for.
    solve : {"n", "epsilon"}

    Returns
    -------
    Size
        The value is within 0.1 % of the least.

    Raises
    ------
    DpframeError
        For a plan that does not hold, an output without a model, or an error that no number reaches.
    """
    if not 0 < error < math.inf:
        raise SpecError(f"an error must be above 0 and finite, not {error!r}", fix="give one, for example 0.05")
    if spec.outputs and output not in spec.outputs:  # a composite by its name has them once it is planned
        raise SpecError(f"spec {spec.name!r} has no output {output!r}", fix=nearest(output, spec.outputs))
    if output not in spec.errors:
        known = ", ".join(spec.errors) or "none"
        raise SpecError(
            f"spec {spec.name!r} names no reference instance for which the error of {output!r} is predicted",
            fix=f"outputs with one: {known}; else say under [errors] of the spec what rows it is for, or try "
            "dpframe run --simulate",
        )
    if solve == "n":
        return _rows(spec, output, error)
    if solve != "epsilon":
        raise SpecError(f"what is solved for is n or epsilon, not {solve!r}", fix="--solve n")
    return _epsilon(spec, output, error)


def _rows(spec: Spec, output: str, error: float) -> Size:
    ask = _Asked(lambda n: _expected(spec.set({"n": int(n)}), output, int(n)), error)
    many = 2.0
    while not ask.holds(many):
        many *= 4
        if many > LARGEST_ROWS:
            best = ask.at(LARGEST_ROWS)
            raise SpecError(
                f"no number of rows is predicted to reach it: at {LARGEST_ROWS:g} the error is still {best.error:.3g}",
                fix="allow more error",
            )
    least = boundary(lambda m: ask.holds(math.ceil(m)), many, many / 4, relative=FINE, middle=geometric)[0]
    return Size("n", math.ceil(least), ask.at(math.ceil(least)), spec.errors[output])


def _epsilon(spec: Spec, output: str, error: float) -> Size:
    rows = spec.n
    if rows is None:
        raise SpecError("solving for epsilon needs the number of rows", fix="--set n=...")
    if other := sorted(set(spec.budget) - set(APPROXIMATE)):
        raise SpecError(
            f"solving for epsilon needs a budget of epsilon, and this is one of {other[0]}",
            fix=f"give --set epsilon=1 --set delta=1e-6 in place of {other[0]}: at that delta it is solved for",
        )
    ask, (small, large) = _Asked(lambda e: _expected(spec.set({"epsilon": e}), output, rows), error), EPSILONS
    if not ask.holds(large):
        raise SpecError(
            f"no epsilon is predicted to reach it with {rows} rows: at {large:g} the error is still "
            f"{ask.at(large).error:.3g}",
            fix="allow more error, or set more rows",
        )
    least = small if ask.holds(small) else boundary(ask.holds, large, small, relative=FINE, middle=geometric)[0]
    return Size("epsilon", least, ask.at(least), spec.errors[output])


def _expected(spec: Spec, output: str, rows: int) -> Expected:
    found = predict(spec.plan(), rows)
    if output not in found:
        known = ", ".join(found) or "none of its outputs"
        raise Unanswerable(
            f"no node of spec {spec.name!r} has an error model for output {output!r}, with these keys",
            fix=f"outputs with one: {known}; else try it out with dpframe run --simulate",
        )
    return found[output]


class Unanswerable(SpecError):
    """An error of the question itself, which no number of rows and no ε mends."""


@attrs.frozen
class _Asked:
    """Answers whether a number of rows, or an ε, is enough; one for which there is no plan is not."""

    at: Callable[[float], Expected]
    error: float

    def holds(self, value: float) -> bool:
        try:
            found = self.at(value)
        except Unanswerable:
            raise
        except DpframeError:
            return False
        if self.error > found.most:
            raise Unanswerable(
                f"the error must be at most {found.most:g}, not {self.error:g}: beyond, its model does not hold",
                fix="give a smaller one",
            )
        return found.error <= self.error
