"""Exact arithmetic: bounds of exp against correctly rounded decimals, and decisions digit by digit."""

from __future__ import annotations

import decimal
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpframe.kernel.noise import SeededSource
from dpframe.kernel.noise.exact import Bits, Uniform, below_exp, exp_bounds, growth_bounds, known
from tests.kernel.noise.goodness import ALARM, Scripted, fit


def decimal_exp(t: Fraction, digits: int) -> Fraction:
    """2^digits e^-t to a relative 1e-390 (decimal's exp is correctly rounded, t is rounded to 400 places)."""
    with decimal.localcontext(decimal.Context(prec=400)) as context:
        argument = context.divide(decimal.Decimal(-t.numerator), decimal.Decimal(t.denominator))
        return Fraction(context.exp(argument)) * 2**digits


@given(
    st.fractions(min_value=0, max_value=300, max_denominator=10**30),
    st.integers(min_value=1, max_value=600),
)
def test_exp_bounds_hold_and_are_tight(t, digits):
    low, high = exp_bounds(t, digits)
    true = decimal_exp(t, digits)
    error = true / 10**380
    assert low <= true + error
    assert true - error <= high
    assert high - low <= 2


@given(st.fractions(min_value=0, max_value=20, max_denominator=10**6), st.integers(min_value=4, max_value=40))
def test_every_rounding_is_outward(t, point):
    """With no guard digits a step that rounds the wrong way shows."""
    true = 2**point * 2**400 / decimal_exp(t, 400)
    for halvings in range(8, 12):
        low, high = growth_bounds(t, halvings, point)
        assert low <= true * (1 + Fraction(1, 10**380))
        assert high >= true * (1 - Fraction(1, 10**380))


@pytest.mark.parametrize("x", [1, 2, 3, 255, 256])
@pytest.mark.parametrize("point", [11, 12, 30])
def test_the_rest_of_the_series_is_counted(x, point):
    low, high = growth_bounds(Fraction(x, 1 << point), 0, point)
    true = 2**point * 2**400 / decimal_exp(Fraction(x, 1 << point), 400)
    assert low < true < high <= low + 20


@pytest.mark.parametrize("t", [Fraction(0), Fraction(1, 10**40), Fraction(10**40), Fraction(64), Fraction(65)])
def test_exp_bounds_at_the_ends(t):
    low, high = exp_bounds(t, 64)
    assert low <= decimal_exp(min(t, Fraction(1000)), 64) <= high or t == Fraction(1, 10**40)
    assert high - low <= 2
    if t == 0:
        assert (low, high) == (1 << 64, 1 << 64)


def test_numpy_exp_is_better_than_the_proof_needs():
    """The proof assumes a relative error of 2^-45 (docs/theory/noise.md); 2^-48 is checked on 4000 points."""
    rng = np.random.default_rng(1)
    points = np.concatenate([rng.uniform(0, 40, 2000), rng.uniform(0, 700, 1000), 2.0 ** rng.uniform(-60, 0, 1000)])
    for argument, value in zip(points.tolist(), np.exp(-points).tolist(), strict=True):
        digits = 70 + math.ceil(argument * 1.45)
        low, high = exp_bounds(Fraction(argument), digits)
        got = Fraction(value) * 2**digits
        assert low * (1 - Fraction(1, 2**48)) <= got <= high * (1 + Fraction(1, 2**48))


def test_bits_are_the_words_in_order():
    bits = Bits(Scripted(0b101 << 61, 7, 2**64 - 1))
    assert [bits.take(1), bits.take(2), bits.take(61), bits.take(64)] == [1, 1, 0, 7]
    assert bits.take(65) == (2**64 - 1) << 1
    assert bits.take(0) == 0


def test_zeros_counts_to_the_first_one():
    bits = Bits(Scripted(0, 1 << 60, 1 << 63))
    assert bits.zeros() == 67
    assert Bits(Scripted(1 << 63)).zeros() == 0


def test_a_uniform_extends_and_never_changes():
    u = Uniform(Bits(SeededSource(0)), 0b101, 3)
    assert u.to(2) == 0b10
    long = u.to(200)
    assert long >> 197 == 0b101
    assert [u.to(k) for k in (3, 64, 199)] == [long >> 197, long >> 136, long >> 1]


@pytest.mark.parametrize(
    ("digits", "t", "below"),
    [
        ((0,), Fraction(1), True),  # V < 2^-64
        ((2**64 - 1,), Fraction(1, 10), False),
        ((2**64 - 1, 0), Fraction(1, 2**70), True),  # e^-t = 1 - 2^-70, V < 1 - 2^-64 + 2^-128
        ((2**64 - 1, 2**64 - 1), Fraction(1, 2**70), False),
        ((0, 0), Fraction(50), True),  # V < 2^-64 does not settle it, 2^-128 does
        ((0, 2**64 - 1), Fraction(80), False),
        ((2**64 - 1,) * 3, Fraction(0), True),
    ],
)
def test_decisions_take_as_many_digits_as_they_need(digits, t, below):
    assert below_exp(Uniform(Bits(Scripted(*digits))), Fraction(1), known(t)) is below


@pytest.mark.parametrize("c", [Fraction(1), Fraction(2, 3)])
@pytest.mark.parametrize("t", [Fraction(0), Fraction(1, 3), Fraction(2)])
def test_decisions_have_the_right_probability(c, t):
    bits = Bits(SeededSource(4))
    n = 10_000
    hits = sum(below_exp(Uniform(bits), c, known(t)) for _ in range(n))
    p = float(c) * math.exp(-t)
    counts = np.array([hits, n - hits])
    if p == 1:
        assert hits == n
    else:
        assert fit(counts, np.array([p, 1 - p])) > ALARM
        assert fit(counts, np.array([0.7 * p, 1 - 0.7 * p])) < ALARM
