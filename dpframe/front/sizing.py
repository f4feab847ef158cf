"""How many rows, or which ε: the least at which the predicted error of an output is small enough. Reads no data."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import attrs

from dpframe.errors import DpframeError, SpecError
from dpframe.front.specs import Spec, nearest
from dpframe.kernel.expected import Expected
from dpframe.planning.predicting import predict
from dpframe.proof.roots import boundary, geometric

LARGEST_ROWS = 10**11
EPSILONS = (1e-4, 1e3)
COARSEST = 0.15
"""An answer that is as far off as this is none, and the models do not hold beyond."""
FINE = 1e-3


@attrs.frozen
class Size:
    """An answer: of ``solve`` the least ``value`` at which ``expected.error`` is small enough."""

    solve: str
    value: float
    expected: Expected
    instance: str

    def to_json(self) -> dict[str, Any]:
        """As ``dpframe size --json`` gives it."""
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
        In the terms of that model; positive.
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
    if not 0 < error <= COARSEST:
        raise SpecError(f"an error must be above 0 and at most {COARSEST:g}, not {error!r}", fix="give a smaller one")
    if output not in spec.outputs:
        raise SpecError(f"spec {spec.name!r} has no output {output!r}", fix=nearest(output, spec.outputs))
    if output not in spec.errors:
        known = ", ".join(spec.errors) or "none"
        raise SpecError(
            f"spec {spec.name!r} names no reference instance for which the error of {output!r} is predicted",
            fix=f"outputs with one: {known}; else try it out with dpframe run --simulate",
        )
    if solve == "n":
        return _rows(spec, output, error)
    if solve != "epsilon":
        raise SpecError(f"what is solved for is n or epsilon, not {solve!r}", fix="--solve n")
    return _epsilon(spec, output, error)


def _rows(spec: Spec, output: str, error: float) -> Size:
    def at(n: float) -> Expected:
        return _expected(spec.set({"n": int(n)}), output, int(n))

    holds = _holds(_unless_refused(at), error)
    many = 2.0
    while not holds(many):
        many *= 4
        if many > LARGEST_ROWS:
            best = at(LARGEST_ROWS).error
            raise SpecError(
                f"no number of rows is predicted to reach it: at {LARGEST_ROWS:g} the error is still {best:.3g}",
                fix="allow more error",
            )
    least = boundary(lambda m: holds(math.ceil(m)), many, many / 4, relative=FINE, middle=geometric)[0]
    return Size("n", math.ceil(least), at(math.ceil(least)), spec.errors[output])


def _epsilon(spec: Spec, output: str, error: float) -> Size:
    rows = spec.n
    if rows is None:
        raise SpecError("solving for epsilon needs the number of rows", fix="--set n=...")

    def at(epsilon: float) -> Expected:
        return _expected(spec.set({"epsilon": epsilon}), output, rows)

    holds, (small, large) = _holds(_unless_refused(at), error), EPSILONS
    if not holds(large):
        best = at(large).error
        raise SpecError(
            f"no epsilon is predicted to reach it with {rows} rows: at {large:g} the error is still {best:.3g}",
            fix="allow more error, or set more rows",
        )
    least = small if holds(small) else boundary(holds, large, small, relative=FINE, middle=geometric)[0]
    return Size("epsilon", least, at(least), spec.errors[output])


def _expected(spec: Spec, output: str, rows: int) -> Expected:
    found = predict(spec.plan(), rows)
    if output not in found:
        known = ", ".join(found) or "none of its outputs"
        raise SpecError(
            f"no node of spec {spec.name!r} has an error model for output {output!r}",
            fix=f"outputs with one: {known}; leave the others out of [errors]",
        )
    return found[output]


def _unless_refused(at: Callable[[float], Expected]) -> Callable[[float], Expected | None]:
    """None where there is no plan: too few rows, too small a budget. What no number mends is raised."""

    def ask(value: float) -> Expected | None:
        try:
            return at(value)
        except SpecError:
            raise
        except DpframeError:
            return None

    return ask


def _holds(ask: Callable[[float], Expected | None], error: float) -> Callable[[float], bool]:
    def holds(value: float) -> bool:
        found = ask(value)
        return found is not None and found.error <= error

    return holds
