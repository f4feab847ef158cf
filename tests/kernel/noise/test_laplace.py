"""Discrete Laplace against its exact probabilities, and twins that must be told apart."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpframe.errors import SpecError
from dpframe.kernel.noise import SecureSource, SeededSource, discrete_laplace
from tests.kernel.noise.goodness import ALARM, integer_fit, laplace_mass, low_bits_fit, quantile_fit

N = 2_000_000
SMALL = [0.3, 1.0, 3.7, 10.0, 31.9, 45.0]
LARGE = [2.0**20, 1.3 * 2.0**40, 2.0**60]
EXPONENTIAL = -np.log1p(-np.arange(1, 512) / 512)
GRID = np.concatenate([-EXPONENTIAL[::-1], [0.0], EXPONENTIAL])


def laplace_cdf(scale):
    return lambda x: np.where(
        x < 0, 0.5 * np.exp(np.minimum(x, 0) / scale), 1 - 0.5 * np.exp(-np.maximum(x, 0) / scale)
    )


def rounded_laplace(scale):
    """Twin: a continuous Laplace, rounded."""
    return np.rint(np.random.default_rng(3).laplace(scale=scale, size=N)).astype(np.int64)


def doubled_zero(scale):
    """Twin: a geometric magnitude with a random sign, which counts 0 twice."""
    rng = np.random.default_rng(3)
    return (rng.geometric(-np.expm1(-1 / scale), N) - 1) * rng.choice([-1, 1], N)


@pytest.mark.parametrize("scale", SMALL)
def test_exact_probabilities(scale):
    assert integer_fit(discrete_laplace(SeededSource(1), scale, N), laplace_mass(scale), 400) > ALARM


def test_the_secure_source_runs_the_same_sampler():
    assert integer_fit(discrete_laplace(SecureSource(), 3.7, N), laplace_mass(3.7), 100) > ALARM


@pytest.mark.parametrize("scale", SMALL[:4])
@pytest.mark.parametrize("factor", [1 / 1.01, 1.01])
def test_a_scale_one_percent_off_is_caught(scale, factor):
    assert integer_fit(discrete_laplace(SeededSource(1), factor * scale, N), laplace_mass(scale), 400) < ALARM


@pytest.mark.parametrize("scale", [0.3, 1.0, 3.7])
@pytest.mark.parametrize("twin", [rounded_laplace, doubled_zero])
def test_twins_are_caught(scale, twin):
    assert integer_fit(twin(scale), laplace_mass(scale), 400) < ALARM


@pytest.mark.parametrize("scale", LARGE)
def test_large_scales_in_1024_quantiles(scale):
    n = N if scale < 2**52 else 200_000
    draws = discrete_laplace(SeededSource(1), scale, n)
    edges = np.round(GRID * scale) - 0.5 if scale < 2**50 else GRID * scale
    off = 1.03 if n == N else 1.04
    assert quantile_fit(draws, laplace_cdf(scale), edges) > ALARM
    assert quantile_fit(draws, laplace_cdf(off * scale), edges) < ALARM


@pytest.mark.parametrize("scale", LARGE)
def test_low_bits_are_uniform(scale):
    draws = discrete_laplace(SeededSource(1), scale, 200_000)
    assert low_bits_fit(draws, 1) > ALARM
    assert low_bits_fit(draws, 8) > ALARM
    assert low_bits_fit(draws[draws < 0], 8) > ALARM


def test_gaps_of_float_noise_are_caught():
    drawn = np.rint(np.random.default_rng(3).laplace(scale=2.0**60, size=100_000))
    draws = np.array([int(z) for z in drawn.tolist()], dtype=object)
    assert low_bits_fit(draws, 1) < ALARM
    assert low_bits_fit(draws, 8) < ALARM


@pytest.mark.parametrize(
    ("scale", "dtype"),
    [
        (0.0, np.int64),
        (1.0, np.int64),
        (np.nextafter(2.0**52, 0), np.int64),
        (2.0**52, object),
        (2.0**60, object),
    ],
)
def test_the_type_depends_on_the_scale(scale, dtype):
    draws = discrete_laplace(SeededSource(1), scale, (2, 50))
    assert draws.dtype == dtype
    assert draws.shape == (2, 50)


@pytest.mark.parametrize("scale", [0.0, 5e-324, 1e-300, 1e-3])
def test_tiny_scales_give_zero(scale):
    """P(|Z| >= 1) is below 1e-400 at 0.001."""
    assert (discrete_laplace(SeededSource(1), scale, 10_000) == 0).all()


@pytest.mark.parametrize("scale", [-1.0, np.nan, np.inf, 2.0**61, 2**53 + 1])
def test_bad_scales_are_refused(scale):
    with pytest.raises(SpecError, match="scale"):
        discrete_laplace(SeededSource(1), scale, 3)


@given(st.floats(min_value=0, max_value=2.0**60), st.integers(min_value=0, max_value=2**70))
def test_every_scale_is_reproducible_and_bounded(scale, seed):
    first = discrete_laplace(SeededSource(seed), scale, 20)
    assert (first == discrete_laplace(SeededSource(seed), scale, 20)).all()
    assert np.abs(first).max() <= 75 * scale + 1  # P < 1e-31 a draw
