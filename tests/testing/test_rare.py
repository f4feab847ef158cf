"""Thousands of different numbers at once, and values that are treated in a way of their own."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpframe import plugin
from dpframe.kernel import registry
from dpframe.proof.spaces import Counts
from dpframe.testing.battery import compared, rare, scanned
from dpframe.testing.battery.attack_own_queries import attack_query
from dpframe.testing.battery.attack_row_maps import first_difference, uses_of
from dpframe.testing.battery.case import Case
from dpframe.testing.battery.lab import Lab


def whole(rows: Any, column: int = 0) -> Any:
    return np.clip(np.abs(rows[:, column]), 0, 2**52).astype(np.int64)


def leap_day(x: int) -> bool:
    return 0 < x < 3_000_000 and (d := dt.date.fromordinal(x)).month == 2 and d.day == 29


def luhn(x: int) -> bool:
    s = str(x)
    return len(s) == 16 - 4 and sum(int(c) if i % 2 else sum(divmod(2 * int(c), 10)) for i, c in enumerate(s)) % 10 == 0


def a_square(x: int) -> bool:
    return x > 9000 and math.isqrt(x) ** 2 == x


def of_form(x: int) -> bool:
    s = str(x)
    return len(s) == 5 and s[0] == "4" and s[-1] == "7"


KINDS: dict[str, Callable[[int], bool]] = {"day": leap_day, "card": luhn, "square": a_square, "form": of_form}


@pytest.mark.parametrize("kind", KINDS)
def test_one_row_of_a_kind_that_changes_its_batch_is_found(kind: str) -> None:
    def changed(rows: Any) -> Any:
        return rows * (2.0 if any(map(KINDS[kind], whole(rows).tolist())) else 1.0)

    def alone(rows: Any) -> Any:
        return rows * np.where([KINDS[kind](x) for x in whole(rows).tolist()], 2.0, 1.0).reshape(-1, 1)

    assert _told(changed, 2)
    assert not _told(alone, 2)


@pytest.mark.parametrize(
    "relation",
    [
        lambda r: r[:, -1] == 1000 * r[:, 0],
        lambda r: (r[:, -1] == r[:, 0] ** 2) & (np.abs(r[:, 0]) > 1),
        lambda r: r.sum(axis=1) == 180.0,
        lambda r: (r[:, 0] == 45.75) & (r[:, 1] == 4.5),
    ],
)
def test_one_row_whose_columns_are_bound_is_found(relation: Callable[[Any], Any]) -> None:
    def changed(rows: Any) -> Any:
        return rows + float(relation(rows).any())

    assert _told(changed, 2, own=(45.75, 4.5))
    assert not _told(lambda rows: rows + relation(rows)[:, None], 2, own=(45.75, 4.5))


def test_a_batch_that_is_refused_is_tried_in_pieces() -> None:
    def changed(rows: Any) -> Any:
        if (rows > 1e14).any():
            raise ValueError
        return rows + float(any(map(a_square, whole(rows).tolist())))

    assert _told(changed, 1)


def test_a_number_of_a_set_that_a_call_makes_is_looked_for() -> None:
    def changed(rows: Any) -> Any:
        return rows + float(any(x in {k * 113 + 0.25 for k in range(9, 40)} for x in rows[:, 0].tolist()))

    assert first_difference(changed, uses_of(changed, (1,))[0], 0.7) is not None


def test_what_is_made_in_a_call_is_told() -> None:
    def known(value: int) -> bool:
        return value in {k * k + 7 for k in range(20, 60)}

    told = compared.made(known, (1, 5))
    assert any(known(int(x)) for x in told)
    assert compared.made(lambda value: [value, 2 * value], (3, 5)) == []


def test_odd_values_are_told_and_none_where_there_is_no_rule() -> None:
    values = scanned.wholes([97.0, 13.0])
    assert len(values) < 3000
    few = scanned.odd(lambda x: [3.0 if x % 97 == 13 else 5.0], values, 60.0)
    assert few
    assert all(x % 97 == 13 for x in few)
    assert scanned.odd(lambda x: [float(x)], values, 60.0) == []
    assert scanned.odd(lambda x: [5.0], values, 60.0) == []


@pytest.mark.parametrize("d", [1, 2, 5])
def test_batches_are_finite_and_have_their_width(d: int) -> None:
    for batch in rare.batches(d, [2.5, 7.0], ["31415926"], np.ones((rare.PLAIN, d))):
        assert batch.shape[1] == d
        assert np.isfinite(batch).all()


def _told(function: Callable[[Any], Any], d: int, own: tuple[float, ...] = ()) -> bool:
    def image(rows: Any) -> Any:
        try:
            made = np.asarray(function(rows), dtype=np.float64)
        except ValueError:
            return None
        return made, np.isfinite(made).all(axis=1)

    plain = np.random.default_rng(3).standard_normal((rare.PLAIN, d))
    return bool([*rare.among_many(image, rare.batches(d, own, (), plain), lambda: False)])


def test_a_slow_query_is_tried_at_other_values_too() -> None:
    """Numbers of rare kinds take half of its time: by a clock that its calls move, so that no machine is too slow."""
    calls = list[float]()

    def slow(value: Any) -> Any:
        """Itself."""
        calls.append(float(value[0]))
        return value

    made = plugin.own_query("tests.slow", gives=1, sensitivity=lambda distance: {"l1": distance["l1"]}, source="itself")
    made(slow)
    here = Lab(np.random.default_rng(0), 8, 1.0, 60.0, clock=lambda: float(len(calls)))
    attack_query(here, Case(registry.build("tests.slow", {}), (Counts(1),)))
    rare_ones = {float(x) for x in scanned.wholes([])[scanned.SMALL :]}
    assert not here.failures
    assert 10 <= sum(x in rare_ones for x in calls[:40]) <= 34
    assert any(x not in rare_ones and x + 1 not in rare_ones for x in calls[34:])
    assert len(calls) <= 70
