"""Rounded and discrete Gaussian against their exact probabilities, and twins that must be told apart."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special

from dpframe.errors import SpecError
from dpframe.kernel.noise import SecureSource, SeededSource, discrete_gaussian, rounded_gaussian
from dpframe.kernel.noise.rejection import point_strips, rounded_strips, sample
from tests.kernel.noise.goodness import (
    ALARM,
    gaussian_mass,
    integer_fit,
    low_bits_fit,
    quantile_fit,
    rounded_mass,
)

N = 1_000_000
SMALL = [0.3, 1.0, 3.7, 10.0]
LARGE = [2.0**20, 1.3 * 2.0**40, 2.0**60]
GRID = special.ndtri(np.arange(1, 1024) / 1024)


def normal_cdf(sigma: float):
    return lambda edges: special.ndtr(edges / sigma)


def floored(source, sigma, size):
    """Twin: floor(sigma N) through the exact sampler on a lattice 2^10 times finer."""
    return rounded_gaussian(source, sigma * 2**10, size) >> 10


def float_noise(sigma, size):
    """Twin: NumPy's float normal, scaled and rounded; at 2^60 its low bits are gaps."""
    drawn = np.rint(sigma * np.random.default_rng(2).standard_normal(size))
    return np.array([int(z) for z in drawn.tolist()], dtype=object)


@pytest.mark.parametrize("sigma", SMALL)
def test_rounded_gaussian_has_its_exact_probabilities(sigma):
    draws = rounded_gaussian(SeededSource(1), sigma, N)
    assert integer_fit(draws, rounded_mass(sigma), 60) > ALARM


@pytest.mark.parametrize("sigma", SMALL)
def test_discrete_gaussian_has_its_exact_probabilities(sigma):
    draws = discrete_gaussian(SeededSource(1), sigma, N)
    assert integer_fit(draws, gaussian_mass(sigma), 60) > ALARM


def test_the_secure_source_runs_the_same_sampler():
    assert integer_fit(rounded_gaussian(SecureSource(), 3.7, N), rounded_mass(3.7), 60) > ALARM
    assert integer_fit(discrete_gaussian(SecureSource(), 3.7, N), gaussian_mass(3.7), 60) > ALARM


@pytest.mark.parametrize("sigma", SMALL)
@pytest.mark.parametrize("factor", [1 / 1.01, 1.01])
def test_a_scale_one_percent_off_is_caught(sigma, factor):
    rounded = rounded_gaussian(SeededSource(1), sigma * factor, N)
    discrete = discrete_gaussian(SeededSource(1), sigma * factor, N)
    assert integer_fit(rounded, rounded_mass(sigma), 60) < ALARM
    assert integer_fit(discrete, gaussian_mass(sigma), 60) < ALARM


@pytest.mark.parametrize("sigma", SMALL)
def test_floor_in_place_of_round_is_caught(sigma):
    assert integer_fit(floored(SeededSource(1), sigma, N), rounded_mass(sigma), 60) < ALARM


@pytest.mark.parametrize("sigma", [0.3, 1.0])
def test_rounded_and_discrete_are_told_apart(sigma):
    assert integer_fit(rounded_gaussian(SeededSource(1), sigma, N), gaussian_mass(sigma), 60) < ALARM
    assert integer_fit(discrete_gaussian(SeededSource(1), sigma, N), rounded_mass(sigma), 60) < ALARM


@pytest.mark.parametrize("sigma", [0.3, 1.0, 10.0])
def test_forced_exact_decisions_draw_the_same_distribution(sigma):
    """Slack 2 sends every proposal through the exact path."""
    rounded = sample(SeededSource(1), rounded_strips(sigma, wide=False, slack=2.0), 8000)
    discrete = sample(SeededSource(1), point_strips(2, sigma, wide=False, slack=2.0), 8000)
    assert integer_fit(rounded, rounded_mass(sigma), 60) > ALARM
    assert integer_fit(discrete, gaussian_mass(sigma), 60) > ALARM
    assert integer_fit(rounded, rounded_mass(1.2 * sigma), 60) < ALARM
    assert integer_fit(discrete, gaussian_mass(1.2 * sigma), 60) < ALARM


def test_forced_exact_decisions_at_large_scale():
    sigma = 1.3 * 2.0**40
    draws = sample(SeededSource(1), rounded_strips(sigma, wide=False, slack=2.0), 10_000)
    edges = special.ndtri(np.arange(1, 64) / 64) * sigma
    assert quantile_fit(draws, normal_cdf(sigma), edges) > ALARM
    assert quantile_fit(draws, normal_cdf(1.1 * sigma), edges) < ALARM
    assert low_bits_fit(draws) > ALARM


@pytest.mark.parametrize("sample_noise", [rounded_gaussian, discrete_gaussian])
@pytest.mark.parametrize("sigma", LARGE)
def test_large_scales_in_1024_quantiles(sample_noise, sigma):
    n = N if sigma < 2**56 else 200_000
    draws = sample_noise(SeededSource(1), sigma, n)
    assert quantile_fit(draws, normal_cdf(sigma), GRID * sigma) > ALARM
    off = 1.02 if n == N else 1.04
    assert quantile_fit(draws, normal_cdf(off * sigma), GRID * sigma) < ALARM


@pytest.mark.parametrize("sample_noise", [rounded_gaussian, discrete_gaussian])
@pytest.mark.parametrize("sigma", LARGE)
def test_low_bits_are_uniform(sample_noise, sigma):
    n = 200_000
    draws = sample_noise(SeededSource(1), sigma, n)
    assert low_bits_fit(draws, 1) > ALARM
    assert low_bits_fit(draws, 8) > ALARM
    assert low_bits_fit(draws[np.abs(draws) < sigma], 8) > ALARM
    assert low_bits_fit(draws[draws < 0], 8) > ALARM
    middle = int(np.log2(sigma)) - 12  # bits just below the width of a strip
    assert low_bits_fit(draws >> middle, 8) > ALARM


def test_gaps_of_float_noise_are_caught():
    """The same tests reject float noise at 2^60 (Mironov 2012), and see nothing wrong with its quantiles."""
    draws = float_noise(2.0**60, 100_000)
    assert quantile_fit(draws, normal_cdf(2.0**60), GRID * 2.0**60) > ALARM
    assert low_bits_fit(draws, 1) < ALARM
    assert low_bits_fit(draws, 8) < ALARM


@pytest.mark.slow
def test_a_hundred_million_draws():
    """The real tail in place: draws beyond 5.25 sigma are Poisson with mean 15.2; |z| < 5.2."""
    sigma, source, beyond, counts = 16.0, SeededSource(21), 0, np.zeros(401)
    for _ in range(100):
        draws = rounded_gaussian(source, sigma, N)
        beyond += int((np.abs(draws) >= 85).sum())
        counts += np.bincount(np.clip(draws, -200, 200) + 200, minlength=401)
    mean = 100 * N * 2 * special.ndtr(-84.5 / sigma)
    assert special.pdtr(beyond, mean) > 5e-7
    assert special.pdtrc(beyond - 1, mean) > 5e-7
    draws = np.repeat(np.arange(-200, 201), counts.astype(np.int64))
    assert integer_fit(draws, rounded_mass(sigma), 90) > ALARM
    assert integer_fit(draws, rounded_mass(1.002 * sigma), 90) < ALARM


@pytest.mark.parametrize("sample_noise", [rounded_gaussian, discrete_gaussian])
@pytest.mark.parametrize(
    ("sigma", "dtype"),
    [
        (0.0, np.int64),
        (1.0, np.int64),
        (np.nextafter(2.0**56, 0), np.int64),
        (2.0**56, object),
        (2.0**60, object),
    ],
)
def test_the_type_depends_on_the_scale(sample_noise, sigma, dtype):
    draws = sample_noise(SeededSource(1), sigma, 2000)
    assert draws.dtype == dtype
    if dtype is object:
        assert all(type(z) is int for z in draws)
    assert np.abs(draws).max() < 6 * sigma or sigma == 0


@pytest.mark.parametrize("sample_noise", [rounded_gaussian, discrete_gaussian])
@pytest.mark.parametrize("sigma", [0.0, 5e-324, 1e-300, 1e-5, 0.01])
def test_tiny_scales_give_zero(sample_noise, sigma):
    """P(|Z| >= 1) is below 1e-500 at 0.01."""
    assert (sample_noise(SeededSource(1), sigma, 10_000) == 0).all()


@pytest.mark.parametrize("sample_noise", [rounded_gaussian, discrete_gaussian])
@pytest.mark.parametrize("size", [0, 3, (), (0, 2), (2, 3), np.int64(4), 70_000])
def test_sizes(sample_noise, size):
    expected = size if isinstance(size, tuple) else (size,)
    assert sample_noise(SeededSource(1), 4.0, size).shape == expected
    assert sample_noise(SeededSource(1), 0.0, size).shape == expected
    assert sample_noise(SeededSource(1), 2.0**58, size).shape == expected


@pytest.mark.parametrize("sample_noise", [rounded_gaussian, discrete_gaussian])
@pytest.mark.parametrize(
    "sigma",
    [-1.0, np.nan, np.inf, 2.0**61, 2**60 + 1, 2**53 + 1, Fraction(1, 3), "1", None, 10**400, np.ones(2)],
)
def test_bad_scales_are_refused(sample_noise, sigma):
    with pytest.raises(SpecError, match="sigma"):
        sample_noise(SeededSource(1), sigma, 3)


@pytest.mark.parametrize("size", [-1, (2, -1), 1.5, "3", None])
def test_bad_sizes_are_refused(size):
    with pytest.raises(SpecError, match="shape"):
        rounded_gaussian(SeededSource(1), 1.0, size)


@pytest.mark.parametrize("sigma", [2, Fraction(1, 4), np.float32(0.1), np.int64(3)])
def test_scales_that_are_floats_exactly_are_taken(sigma):
    same = rounded_gaussian(SeededSource(1), float(sigma), 50)
    assert (rounded_gaussian(SeededSource(1), sigma, 50) == same).all()


@given(st.floats(min_value=0, max_value=2.0**60), st.integers(min_value=0, max_value=2**70))
def test_every_scale_is_reproducible_and_bounded(sigma, seed):
    for sample_noise in (rounded_gaussian, discrete_gaussian):
        first = sample_noise(SeededSource(seed), sigma, 20)
        assert (first == sample_noise(SeededSource(seed), sigma, 20)).all()
        assert np.abs(first).max() <= 12 * sigma + 1  # P < 1e-31 a draw


def test_streams_of_children_do_not_depend_on_order():
    def run(order):
        root = SeededSource(5)
        return {label: rounded_gaussian(root.child(label), 2.0**40, 4).tolist() for label in order}

    assert run(["a", "b", "c"]) == run(["c", "a", "b"])


def test_neighbouring_draws_are_independent():
    """Quadrants and parities of consecutive draws."""
    draws = rounded_gaussian(SeededSource(1), 2.0**30, N)
    for feature in (draws > 0, draws & 1, np.abs(draws) > 0.6745 * 2.0**30):
        pairs = np.bincount(2 * feature[::2].astype(int) + feature[1::2].astype(int), minlength=4)
        p = feature.mean()
        expected = np.array([(1 - p) ** 2, p * (1 - p), p * (1 - p), p * p])
        statistic = ((pairs - N / 2 * expected) ** 2 / (N / 2 * expected)).sum()
        assert special.chdtrc(2, statistic) > ALARM
