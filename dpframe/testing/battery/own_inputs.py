"""What goes into an operation of one's own beside its first private value: more private values, released ones."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from dpframe.errors import DpframeError
from dpframe.kernel.foreign import array_of, quiet
from dpframe.kernel.operations import Exact
from dpframe.kernel.own.base import shape_of, value_domain
from dpframe.kernel.owned import Own
from dpframe.proof.spaces import Array, Ball, Counts, Domain, Flag, Rows, Symmetric, Vector
from dpframe.testing.battery import metrics
from dpframe.testing.battery.case import Case, released_domains
from dpframe.testing.battery.values import draw, drawable

MOST_INPUTS = 3
"""Values that a function with ``*values`` is given at most."""


def inputs_of(function: Callable[..., Any]) -> tuple[int, ...]:
    """How many values a function takes, rows among them.

    Examples
    --------
    >>> inputs_of(lambda rows, centre, *, k: 0), inputs_of(lambda *values: 0)
    ((2,), (1, 2, 3))
    """
    try:
        known = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return (1,)
    needed = [p for p in known if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if any(p.kind is p.VAR_POSITIONAL for p in known):
        return tuple(range(max(1, len(needed)), max(1, len(needed)) + MOST_INPUTS))
    return tuple(n for n in range(1, len(needed) + 1) if all(p.default is not p.empty for p in needed[n:]))


def released(d: int, count: int, records: tuple[str, ...] = ()) -> Iterator[tuple[Domain, ...]]:
    """Domains of ``count`` released inputs beside rows of d columns."""
    if count == 1:
        yield from ((domain,) for domain in released_domains(d, records) if drawable(domain))
        return
    few = (Vector(d), Ball(d), Counts(1), Array((2, d)), Symmetric(d), Flag())
    yield from itertools.islice(itertools.product(few, repeat=count), 100 if count else 1)


def params_of(case: Case) -> tuple[Any, ...]:
    """One value of each released input of a case."""
    return tuple(draw(domain, np.random.default_rng(0)) for domain in case.domains[case.private :])


def of_table(case: Case, rows: Any, params: tuple[Any, ...] | None = None) -> Exact:
    """An own statistic of a table, with these released values."""
    operation: Any = case.operation
    fold = operation.start(case.domains[0], *(params_of(case) if params is None else params))
    fold.parts.append(np.asarray(rows, dtype=np.float64) + 0.0)
    found: Exact = operation.value(fold)
    return found


def query_cases(known: Own, operation: Any, first: list[Domain]) -> Iterator[Case]:
    """A query on private values, as many as its sensitivity is told of, and released ones.

    The first input is one of ``first``; the other private ones are alike, or single numbers.
    """
    for count in inputs_of(known.function):
        for private in range(count, 0, -1):
            for domain, other in itertools.product(first, (None, Counts(1)) if private > 1 else (None,)):
                if other == domain:
                    continue
                head = (domain, *([other or domain] * (private - 1)))
                for more in released(getattr(domain, "m", 1), count - private):
                    case = Case(operation, (*head, *more), leading=private)
                    if _answers(known, case):
                        yield case
                        break


def _answers(known: Own, case: Case) -> bool:
    """Whether it takes such inputs, claims something of them, and gives numbers."""
    head = case.domains[: case.private]
    try:
        case.operation.output(*case.domains)
        if not metrics.rule(case.operation, case.domains, [metrics.of_value(d) for d in head]):
            return False
        values = (*(np.ones(shape_of(d)) for d in head), *params_of(case))
    except (DpframeError, ValueError, TypeError, ArithmeticError, np.linalg.LinAlgError):
        return False
    made = quiet(known.function, *values, **case.operation.keywords)  # type: ignore[attr-defined]
    return array_of(made, shape_of(value_domain(case.operation))) is not None


def table_cases(known: Own, operation: Any, widths: list[int]) -> Iterator[Case]:
    """A statistic of tables of each width, with as many released inputs as its function takes."""
    for d, count in itertools.product(widths, inputs_of(known.function)):
        yield from (Case(operation, (Rows(d), *more), leading=1) for more in released(d, count - 1))
