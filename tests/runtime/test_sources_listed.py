"""Lists of rows, whose cells have types of their own: each tells of its row alone, and none refuses the table."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from dpframe.errors import DataError
from dpframe.runtime.sources import listed, open_source
from tests.runtime.tables import SECRET


class Stubborn:
    """Says what it holds where it is asked for a number."""

    def __float__(self) -> float:
        raise LookupError(SECRET)


NUMBERS: dict[str, tuple[Any, float]] = {
    "whole": (3, 3.0),
    "beyond 64 bits": (2**70, 2.0**70),
    "flag": (True, 1.0),
    "short float": (np.float32(0.5), 0.5),
    "decimal": (Decimal("0.25"), 0.25),
    "text": ("7", 7.0),
}
MISSING: dict[str, Any] = {
    "NaN": float("nan"),
    "None": None,
    "word": f"no {SECRET}",
    "digits of another script": "٣",
    "infinite": float("inf"),
    "beyond all floats": 10**400,
    "long float": np.longdouble(10) ** 400,
    "complex": 1j,
    "bytes": b"\xff",
    "date": np.datetime64("2020-01-01"),
    "object": Stubborn(),
}


def read(rows: Any) -> list[tuple[list[float], bool]]:
    (chunk,) = open_source(rows).chunks(100)
    return [(values, bool(valid)) for values, valid in zip(chunk.values.tolist(), chunk.valid, strict=True)]


@pytest.mark.parametrize("at", [0, 2])
@pytest.mark.parametrize("name", [*NUMBERS, *MISSING])
def test_a_cell_of_a_list_tells_of_its_row_alone(name: str, at: int) -> None:
    others = [[1.5, 2**53 + 1], [0, 1], [True, -2.5]]
    wanted = [[1.5, 2.0**53], [0.0, 1.0], [1.0, -2.5]]
    cell, number = NUMBERS.get(name, (MISSING.get(name), None))
    others[at][1] = cell
    found = read(others)
    assert found[:at] + found[at + 1 :] == [(row, True) for i, row in enumerate(wanted) if i != at]
    assert found[at] == (([0.0, 0.0], False) if number is None else ([wanted[at][0], number], True))
    alone = listed([row[1] for row in others])
    assert alone[np.arange(3) != at].tolist() == [row[1] for i, row in enumerate(wanted) if i != at]
    assert number is None or alone[at] == number
    assert number is not None or not np.isfinite(alone[at])


@pytest.mark.parametrize(
    "rows", [[[1.0, 2.0], [3.0]], [[1.0, None], [SECRET]], [[1.0, [2.0]], [3.0, [SECRET]]], [[1], 2]]
)
def test_rows_of_other_lengths_are_refused(rows: Any) -> None:
    with pytest.raises(DataError, match="not equally long lists") as caught:
        open_source(rows)
    assert SECRET not in str(caught.value)
    assert caught.value.__cause__ is caught.value.__context__ is None
