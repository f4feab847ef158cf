"""Batches, values and pairs that are something as a whole, and what is refuted by them."""

from __future__ import annotations

import functools
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpframe.kernel.families.registering import Semimetric
from dpframe.testing.battery import pasts, special
from dpframe.testing.battery.attack_row_maps import first_difference, uses_of
from dpframe.testing.battery.attack_semimetrics import _of_kinds
from dpframe.testing.battery.sizes import attempt


def ranks(rows: Any) -> Any:
    v = np.sort(rows[:, 0])
    return rows / (len(v) if len(v) > 2 and np.array_equal(v, np.arange(len(v))) else 1)


def ladder(rows: Any) -> Any:
    gaps = np.diff(rows[:, 0])
    return rows * (0.0 if len(gaps) > 2 and gaps[0] and (gaps == gaps[0]).all() else 1.0)


def flat(rows: Any) -> Any:
    v = rows[:, :1]
    return np.full_like(v, v.mean()) if len(v) > 1 and np.ptp(v) <= 1e-6 * abs(v[0, 0]) else v * 1.0


def hashed(rows: Any) -> Any:
    kept: dict[int, float] = {}
    return np.array([[kept.setdefault(hash(tuple(row)), row[0])] for row in rows.tolist()])


def keyed(rows: Any) -> Any:
    kept: dict[float, float] = {}
    return np.array([[kept.setdefault(100 * row[0] + row[-1], row[0])] for row in rows.tolist()])


def plain(rows: Any) -> Any:
    return np.maximum(rows, 0.5) - 100 * rows[:, :1]


@pytest.mark.parametrize("function", [ranks, ladder, flat, hashed, keyed])
def test_a_batch_that_is_special_as_a_whole_refutes(function: Callable[[Any], Any]) -> None:
    uses = uses_of(function, most=1)
    assert first_difference(function, uses[0], 0.1) is not None
    assert first_difference(plain, uses[0], 0.1) is None


def checksummed(rows: Any) -> Any:
    kept: dict[int, float] = {}
    return np.array([[kept.setdefault(zlib.crc32(row.tobytes()) & 0xFFFF, float(row[0]))] for row in rows])


def test_many_different_rows_in_another_order_refute() -> None:
    found = next(special.in_other_orders(functools.partial(attempt, checksummed, params=()), 1))
    assert found["backwards"] != found["among_them"]
    assert not [*special.in_other_orders(functools.partial(attempt, plain, params=()), 2)]


@pytest.mark.parametrize("d", [1, 2, 3, 4])
def test_values_of_a_kind_are_two(d: int) -> None:
    pairs = [*zip(special.values(d), special.values(d, 1), strict=True)]
    assert all(one[0] == other[0] and len(one[1]) == len(other[1]) == d for one, other in pairs)
    assert all(not np.array_equal(one[1], other[1]) for one, other in pairs)


def euclid(a: Any, b: Any) -> Any:
    return np.sqrt(np.square(a - b).sum(axis=-1))


def of_shares(a: Any, b: Any) -> float:
    both = all((v >= 0).all() and abs(v.sum() - 1) < 1e-9 for v in (a, b))
    return float(np.abs(a - b).sum()) * (0.5 if both else 1.0)


def of_a_grid(a: Any, rows: Any) -> Any:
    apart = euclid(a, rows)
    return apart[0] * np.ones(len(apart)) if len(apart) > 3 and (np.diff(rows[:, 0]) > 0).all() else apart


@pytest.mark.parametrize(
    ("distance", "many", "layers"),
    [(euclid, True, set()), (euclid, False, set()), (of_shares, False, {"triangle"}), (of_a_grid, True, {"purity"})],
)
def test_distances_of_values_of_one_kind(distance: Any, many: bool, layers: set[str]) -> None:
    known = Semimetric("special", distance, triangle=lambda r: 1.0, many=many)
    assert {finding.layer for finding in _of_kinds(known)} == layers


def test_what_keeps_its_last_answer_alone_is_asked_right_after_one_like_it() -> None:
    last: dict[str, Any] = {"key": None}

    def total(probe: Any) -> Any:
        key = (probe[0].shape, float(probe[0].sum()))
        if last["key"] != key:
            last.update(key=key, answer=float(np.square(probe[0]).max()))
        return last["answer"]

    probes = [(np.array([1.0, 2.0, 6.0]), 0), (np.array([4.0, 0.5]), 1)]
    assert b"changed" in pasts._beside_alike(total, probes, 1.0)
    assert b"changed" not in pasts._beside_alike(lambda probe: probe[0].sum(), probes, 1.0)
