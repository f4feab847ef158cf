"""A plugin's function that raises on one row or block: whatever its class, nothing of it comes out of the kernel.

An error that passes ends the run, and that it ended tells of the row. `except Exception` lets three classes pass.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpframe.kernel.families import density_scores, registered_mask, registered_models
from dpframe.kernel.families.registering import Family, Mask, Semimetric
from dpframe.kernel.foreign import quiet, rowwise
from dpframe.runtime import blocks

KINDS = (ValueError, SystemExit, GeneratorExit, BaseException)


def raising(kind: type[BaseException]) -> Callable[..., Any]:
    def function(*values: Any, **named: Any) -> Any:
        raise kind

    return function


def of_rows(kind: type[BaseException]) -> bool:
    """A function of rows that raises where a 7 is: that row alone has no image."""

    def function(values: Any) -> Any:
        if (values == 7.0).any():
            raise kind
        return 2 * values

    image = rowwise(function, np.array([[1.0], [7.0], [3.0]]), 1)
    return bool(np.array_equal(image, [[2.0], [math.nan], [6.0]], equal_nan=True))


def of_density(kind: type[BaseException]) -> bool:
    known = Family("f", raising(kind), raising(kind), raising(kind), raising(kind), raising(kind))
    return bool((density_scores.log_densities(known, np.ones((3, 1)), np.ones((1, 1))) == -1e9).all())


def of_distance(kind: type[BaseException]) -> bool:
    many, one = (Semimetric("s", raising(kind), raising(kind), many=many) for many in (True, False))
    a, rows = np.zeros(2), np.ones((3, 2))
    return all(np.isinf(registered_models.distances(space, a, rows)).all() for space in (many, one))


def of_question(kind: type[BaseException]) -> bool:
    space = Semimetric("s", raising(kind), raising(kind), usable=raising(kind))
    return not registered_models.usable(space, np.ones((2, 1, 2)), np.ones(2, dtype=bool), 1.0).any()


def of_mask(kind: type[BaseException]) -> bool:
    with pytest.MonkeyPatch.context() as patch:
        known = Mask("m", "s", raising(kind), raising(kind))
        patch.setattr(registered_mask, "find_mask", lambda name: known)
        return registered_mask.masked("m", np.ones(3), 1.0, None).tolist() == [0.0, 0.0, 0.0]


def of_accepting(kind: type[BaseException]) -> bool:
    class Operation:
        accepts = staticmethod(raising(kind))

    return not blocks._accepted(Operation, (np.ones(1),))


PLACES: dict[str, Callable[[type[BaseException]], bool]] = {
    "a function of one's own": lambda kind: quiet(raising(kind)) is None,
    "a function of rows": of_rows,
    "a density": of_density,
    "a distance": of_distance,
    "what says whether a value is usable": of_question,
    "a mask": of_mask,
    "what accepts a block's result": of_accepting,
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("place", PLACES)
def test_no_error_of_a_plugin_comes_out(place: str, kind: type[BaseException]) -> None:
    assert PLACES[place](kind)


@pytest.mark.parametrize("place", PLACES)
def test_who_interrupts_a_run_is_heard(place: str) -> None:
    """The twin: that one comes out, from every place, and tells of no row."""
    with pytest.raises(KeyboardInterrupt):
        PLACES[place](KeyboardInterrupt)


def test_the_last_bits_of_a_density_are_no_ones() -> None:
    """A sum that a library orders by the size of the batch differs in its last bits: a row alone has the same."""

    def density(rows: Any, theta: Any) -> Any:
        return rows[:, 0] / 3 + len(rows) * 2.0**-45

    known = Family("f", density, density, density, density, density)
    rows, theta = np.arange(1.0, 40.0)[:, None], np.ones((1, 1))
    together = density_scores.log_densities(known, rows, theta)
    alone = [density_scores.log_densities(known, row[None], theta)[0, 0] for row in rows]
    assert together[0].tolist() == alone
    assert density(rows, theta)[0] != density(rows[:1], theta)[0]  # the twin: as it comes
