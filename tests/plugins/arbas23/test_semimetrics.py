"""Semimetric spaces: symmetry, restricted triangle (T5), affine invariance, bottleneck matching; and conversions."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dpframe.errors import DomainError
from dpframe_plugins.arbas23.semimetrics import COMPONENTS, GAUSSIANS, MIXTURES, bottleneck
from dpframe_plugins.arbas23.variation import dist_gmm, gaussian_tv, mixture_tv
from tests.kernel.queries.test_selection import distance, drawn
from tests.plugins.arbas23 import conversions
from tests.steps import within

SPACES = {"gaussians": GAUSSIANS, "components": COMPONENTS, "mixtures": MIXTURES}
QUICK = settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])


def value(rng: np.random.Generator, name: str, d: int, spread: float) -> Any:
    weights, means, covariances = drawn(rng, 3, d, spread, 20.0)
    shift = spread * rng.dirichlet(np.ones(3))
    weights = (weights + shift) / (1 + spread)
    if name == "mixtures":
        return weights, means, covariances
    at = int(np.argmin(means[:, 0]))
    parts = weights[at], means[at], covariances[at]
    return parts if name == "components" else parts[1:]


def moved(name: str, v: Any, map_: Any, shift: Any) -> Any:
    *weight, mean, covariance = v
    return (*weight, mean @ map_.T + shift, map_ @ covariance @ map_.T)


@QUICK
@given(st.sampled_from(sorted(SPACES)), st.integers(1, 4), st.floats(0.005, 0.4), st.integers(0, 2**32))
def test_symmetry_triangle_and_invariance(name: str, d: int, spread: float, seed: int) -> None:
    rng, space = np.random.default_rng(seed), SPACES[name]
    a, b, c = (value(rng, name, d, spread) for _ in range(3))
    table = space.matrix([a, b, c], [a, b, c])
    assert table == pytest.approx(table.T, abs=1e-9)
    assert np.diagonal(table) == pytest.approx(0, abs=1e-6)
    r = max(table[0, 1], table[1, 2])
    assert table[0, 2] <= space.triangle(r) * (table[0, 1] + table[1, 2]) * (1 + 1e-9)
    map_, shift = rng.standard_normal((d, d)) + 3 * np.eye(d), 100 * rng.standard_normal(d)
    again = space.distance(moved(name, a, map_, shift), moved(name, b, map_, shift))
    assert again == pytest.approx(table[0, 1], rel=1e-6, abs=1e-7)


def test_T5_no_smaller_constant_serves() -> None:
    """z(r) = 1 + r/2 is approached: covariances r apart along one axis, twice: (1 + r)² − 1 = 2r·(1 + r/2)."""
    for r in (0.1, 0.7, 1.0, 2.0):
        a, b, c = ((np.zeros(1), np.array([[(1 + r) ** i]])) for i in range(3))
        pair = [GAUSSIANS.distance(a, b), GAUSSIANS.distance(b, c)]
        assert pair == pytest.approx([r, r])
        assert GAUSSIANS.distance(a, c) == pytest.approx(GAUSSIANS.triangle(r) * sum(pair))
        assert GAUSSIANS.distance(a, c) > 0.99 * (1 + r / 2) * sum(pair)
        assert GAUSSIANS.neighbourhood(r) == pytest.approx(r / (2 + r))


@QUICK
@given(st.integers(1, 5), st.integers(0, 2**32))
def test_bottleneck_is_that_of_all_permutations(k: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    tables = np.round(rng.random((4, 3, k, k)), 1)  # with ties
    found = bottleneck(tables)
    for at in np.ndindex(4, 3):
        plain = min(max(tables[at][i, p[i]] for i in range(k)) for p in permutations(range(k)))
        assert found[at] == plain


def test_matrix_is_the_plain_distance() -> None:
    rng = np.random.default_rng(0)
    mixtures = [drawn(rng, 3, 2, 0.2, gap) for gap in (0.0, 0.1, 0.5, 1.0, 3.0, 30.0)]
    others = [drawn(rng, 3, 2, 0.2, gap) for gap in (0.0, 0.4, 30.0)]
    for first, second in ((mixtures, mixtures), (mixtures, others)):
        plain = np.array([[distance(a, b) for b in second] for a in first])
        assert MIXTURES.matrix(first, second) == pytest.approx(plain, rel=1e-9, abs=1e-9)


def test_what_is_no_value_is_refused() -> None:
    two, three = drawn(np.random.default_rng(0), 2, 1, 0.1), drawn(np.random.default_rng(0), 3, 1, 0.1)
    with pytest.raises(DomainError, match="one number of components"):
        MIXTURES.matrix([two, three], [two, three])
    with pytest.raises(DomainError, match="positive definite"):
        GAUSSIANS.distance((np.zeros(1), np.zeros((1, 1))), (np.zeros(1), np.ones((1, 1))))


@pytest.mark.slow
def test_a_thousand_mixtures_are_compared_in_few_steps() -> None:
    rng = np.random.default_rng(0)
    mixtures = [drawn(rng, 4, 10, 0.02) for _ in range(1000)]
    assert within(500_000, lambda: MIXTURES.matrix(mixtures, mixtures)).shape == (1000, 1000)


# ------------------------------------------------------------------------------------ conversions


def pairs(d: int, spread: float, count: int) -> Any:
    rng = np.random.default_rng(int(1e6 * spread) + d)
    for _ in range(count):
        a, b = (value(rng, "gaussians", d, spread) for _ in range(2))
        yield a, b


@pytest.mark.parametrize("d", [1, 2])
@pytest.mark.parametrize("spread", [0.001, 0.05, 0.2])
def test_lemma_711_between_parameters_and_total_variation(d: int, spread: float) -> None:
    """Both directions against numbers; a quarter of either bound is refuted."""
    ratios = []
    for a, b in pairs(d, spread, 8):
        gamma, tv = GAUSSIANS.distance(a, b), gaussian_tv(*a, *b)
        if gamma <= 1:
            assert tv.value <= conversions.tv_of_component(gamma) + tv.error
            ratios.append(tv.value / conversions.tv_of_component(gamma))
        if tv.value + tv.error < conversions.MOST_TV:
            assert gamma <= conversions.component_of_tv(tv.value + tv.error)
    assert max(ratios, default=1.0) > 0.25


def test_lemma_711_as_printed_breaks() -> None:
    """Σ⁻¹(μ₁ − μ₂) is no distance of Gaussians: with a tiny Σ it is large at any total variation."""
    covariance, step = np.array([[1e-6]]), np.array([1e-6])
    tv = gaussian_tv(np.zeros(1), covariance, step, covariance).value
    assert tv < conversions.MOST_TV
    assert float(step[0] / covariance[0, 0]) / 200 > tv  # what is printed would make this a contradiction
    assert GAUSSIANS.distance((np.zeros(1), covariance), (step, covariance)) <= conversions.component_of_tv(tv)


def test_lemma_712_between_mixtures() -> None:
    rng = np.random.default_rng(3)
    for spread in (0.001, 0.1, 0.3):
        a, b = (value(rng, "mixtures", 1, spread) for _ in range(2))
        param, gmm, tv = MIXTURES.distance(a, b), dist_gmm(a, b), mixture_tv(a, b)
        if param <= 1:
            assert gmm.value <= conversions.gmm_of_param(param) + gmm.error
        assert tv.value <= conversions.mixture_tv_of_gmm(gmm.value + gmm.error, 3) + tv.error
        if gmm.value + gmm.error < conversions.MOST_TV:
            assert param <= conversions.param_of_gmm(gmm.value + gmm.error)


def test_lemma_712_as_printed_breaks_when_only_weights_differ() -> None:
    means, covariances = np.array([[0.0], [50.0]]), np.ones((2, 1, 1))
    a, b = (np.array([0.5, 0.5]), means, covariances), (np.array([0.501, 0.499]), means, covariances)
    param, gmm = MIXTURES.distance(a, b), dist_gmm(a, b).value
    assert gmm < conversions.MOST_TV
    assert gmm > param / np.sqrt(2) * 1.4
    assert gmm <= conversions.gmm_of_param(param) * (1 + 1e-9)


@pytest.mark.parametrize(
    "call",
    [
        lambda: conversions.tv_of_component(1.1),
        lambda: conversions.tv_of_component(float("nan")),
        lambda: conversions.component_of_tv(1 / 600),
        lambda: conversions.gmm_of_param(-0.1),
        lambda: conversions.mixture_tv_of_gmm(0.5, 0),
    ],
)
def test_out_of_range(call: Any) -> None:
    with pytest.raises(DomainError):
        call()
