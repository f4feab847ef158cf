"""The scalar Gaussian profile, without SciPy, beside high precision and the array it stands for."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpframe.proof.losses.gaussian import gaussian_delta, gaussian_profile, scaled_tail

EDGES = (-4.0, -1.0, 0.0, 1e-300, 0.5, 3.0, 9.999999999999998, 10.0, 10.000000000000002, 26.5, 40.0, 1e3)


def exact_tail(t: float) -> mpmath.mpf:
    with mpmath.workdps(60):
        return mpmath.exp(mpmath.mpf(t) ** 2) * mpmath.erfc(mpmath.mpf(t))


@pytest.mark.parametrize("t", EDGES)
def test_scaled_tails_at_the_edges(t: float) -> None:
    assert abs(scaled_tail(t) / exact_tail(t) - 1) < 3e-15


@given(st.floats(-4, 60))
def test_scaled_tails(t: float) -> None:
    assert abs(scaled_tail(t) / exact_tail(t) - 1) < 3e-15


@given(st.floats(-6, 1.5), st.floats(-3, 30))
def test_one_point_is_above_the_truth_and_near_the_array(log_mu: float, multiple: float) -> None:
    mu = 10.0**log_mu
    eps = multiple * mu
    given_delta = gaussian_delta(mu, eps)
    with mpmath.workdps(60):
        ratio, half = mpmath.mpf(eps) / mpmath.mpf(mu), mpmath.mpf(mu) / 2
        truth = mpmath.ncdf(half - ratio) - mpmath.exp(mpmath.mpf(eps)) * mpmath.ncdf(-ratio - half)
        assert given_delta >= truth
    lower, upper = (float(bound[0]) for bound in gaussian_profile(mu, np.array([eps])))
    assert lower <= given_delta <= upper + (upper - lower) + 1e-320
