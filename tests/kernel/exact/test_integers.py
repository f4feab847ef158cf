"""Arithmetic of exact integers against Python's own, at the edges of int64; and the same floats from both types."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpframe.kernel.exact.integers import add, at_most, times, to_floats, whole, wide

EDGES = (0, 1, -1, 2**53 + 1, 2**62, -(2**62), 2**63 - 1, 1 - 2**63, -(2**63))
SMALL = st.one_of(st.sampled_from(EDGES), st.integers(-(2**63), 2**63 - 1))
ANY = st.one_of(SMALL, st.sampled_from([2**63, 2**64 - 1, -(2**80), 2**2000]), st.integers(-(2**90), 2**90))
STEPS = st.sampled_from(
    [Fraction(1), Fraction(1, 2**52), Fraction(1, 9), Fraction(3, 2**40), Fraction(1, 2**1074), Fraction(2**1000)]
)


def array(values: list[int]) -> Any:
    fits = all(-(2**63) <= v < 2**63 for v in values)
    return np.array(values, dtype=np.int64 if fits else object)


def python(values: Any) -> list[int]:
    """The entries, which must be Python integers or int64."""
    assert values.dtype in (np.dtype(np.int64), np.dtype(object))
    assert all(type(v) is int for v in values.ravel().tolist())
    return values.ravel().tolist()


@given(st.lists(st.tuples(ANY, ANY), max_size=4))
def test_a_sum_is_exact(pairs: list[tuple[int, int]]) -> None:
    a, b = array([x for x, _ in pairs]), array([y for _, y in pairs])
    assert python(add(a, b)) == [x + y for x, y in pairs]
    assert python(add(wide(a), b)) == python(add(a, b))


@given(st.lists(ANY, max_size=4), ANY)
def test_products_and_caps_are_exact(values: list[int], other: int) -> None:
    assert python(times(array(values), other)) == [v * other for v in values]
    assert python(at_most(array(values), other)) == [min(v, other) for v in values]


@given(st.lists(SMALL, max_size=4), STEPS)
def test_both_types_are_rounded_alike_and_once(values: list[int], step: Fraction) -> None:
    found = to_floats(array(values), step)
    assert np.isfinite(found).all()
    assert found.tobytes() == to_floats(wide(array(values)), step).tobytes()
    largest = Fraction(np.finfo(np.float64).max)
    assert found.tolist() == [float(max(-largest, min(largest, v * step))) for v in values]


@pytest.mark.parametrize("dtype", [np.int8, np.uint32, np.uint64, np.bool_, object])
def test_integers_of_every_type_are_taken(dtype: Any) -> None:
    assert python(add(np.array([1, 0], dtype=dtype), np.array([2**63 - 1, 5]))) == [2**63, 5]


def test_numpy_scalars_in_an_object_array_do_not_wrap() -> None:
    held = np.array([np.int64(2**63 - 1)], dtype=object)
    assert python(add(held, held)) == [2**64 - 2]


def test_a_list_is_not_read_as_floats() -> None:
    assert python(whole([2**63, -1])) == [2**63, -1]
    assert whole([2**62]).dtype == np.int64
