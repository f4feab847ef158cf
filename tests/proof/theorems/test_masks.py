"""T3: the closed cost of the masks against random pairs of components, and against numerical integration."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpframe.errors import PlanError
from dpframe.proof.families.masks import (
    ORDERS,
    SLACK,
    allowed_radius,
    covariance_cost,
    excess,
    mean_cost,
    mixture_cost,
    shape_cost,
)
from dpframe.proof.losses import Loss, tightest_epsilon
from dpframe.proof.spaces import L2, Within
from dpframe.proof.theorems import THEOREMS


def symmetric_root(matrix: np.ndarray) -> np.ndarray:
    values, vectors = np.linalg.eigh(matrix)
    return (vectors * np.sqrt(values)) @ vectors.T


def gaussian_divergence(order: float, delta: np.ndarray, first: np.ndarray, second: np.ndarray) -> float:
    """D_order(N(delta, first) ‖ N(0, second)), from determinants."""
    mixed = order * second + (1 - order) * first
    if np.linalg.eigvalsh(mixed)[0] <= 0:
        return math.inf
    logs = [np.linalg.slogdet(m)[1] for m in (mixed, first, second)]
    shape = -(logs[0] - (1 - order) * logs[1] - order * logs[2]) / (2 * (order - 1))
    return float(order / 2 * delta @ np.linalg.solve(mixed, delta) + shape)


def random_shape(rng: np.random.Generator, d: int, gamma: float) -> np.ndarray:
    """I + T at the edge: the larger of ‖T‖ and ‖(I+T)⁻¹ − I‖ is gamma."""
    t = rng.standard_normal(d) * (rng.random(d) < 0.5) if d > 1 else rng.standard_normal(d)
    t = t if np.any(t) else np.eye(d)[0] * rng.choice([-1.0, 1.0])
    low, high = 0.0, 1.0 / np.abs(t).max()
    for _ in range(60):
        middle = (low + high) / 2
        s = middle * t
        inside = s.min() > -1 and max(np.linalg.norm(s), np.linalg.norm(1 / (1 + s) - 1)) <= gamma
        low, high = (middle, high) if inside else (low, middle)
    q = np.linalg.qr(rng.standard_normal((d, d)))[0]
    return np.asarray((q * (1 + low * t)) @ q.T)


@pytest.mark.parametrize("d", [1, 2, 5])
@pytest.mark.parametrize(("gamma", "order"), [(0.001, 30.0), (0.02, 20.0), (0.1, 4.0), (0.3, 2.0)])
def test_no_pair_exceeds_the_cost_and_the_mean_is_tight(d: int, gamma: float, order: float) -> None:
    rng = np.random.default_rng(int(1000 * gamma) + d)
    eta, best_mean, best_covariance = 0.2, 0.0, 0.0
    for _ in range(400):
        shape = random_shape(rng, d, gamma)
        _, vectors = np.linalg.eigh(shape)
        for first, second in ((shape, np.eye(d)), (np.eye(d), shape)):
            for axis in vectors.T:
                step = gamma * axis * math.sqrt(min(1.0, float(axis @ shape @ axis)))
                found = gaussian_divergence(order, step, eta**2 * first, eta**2 * second)
                best_mean = max(best_mean, found)
            inner = symmetric_root(np.linalg.inv(symmetric_root(second)))
            whitened = symmetric_root(inner @ inner @ first @ inner @ inner)
            total = sum(
                gaussian_divergence(order, column, eta**2 * whitened @ whitened, eta**2 * np.eye(d))
                for column in (whitened - np.eye(d)).T
            )
            best_covariance = max(best_covariance, float(total))
    assert best_mean <= mean_cost(gamma, eta, order) * (1 + 1e-9)
    assert best_covariance <= covariance_cost(gamma, eta, order, d) * (1 + 1e-9)
    assert best_covariance >= 0.5 * covariance_cost(gamma, eta, order, d)
    assert best_mean >= 0.9 * mean_cost(gamma, eta, order)


@pytest.mark.parametrize("order", [1.25, 2.0, 20.0])
def test_inner_values_are_below_the_ends(order: float) -> None:
    gamma = 0.9 / (order - 1)
    gamma = min(gamma, 1.5)
    grid = np.linspace(-gamma / (1 + gamma), gamma, 400)
    top = max(shape_cost(float(grid[0]), order), shape_cost(float(grid[-1]), order))
    assert max(shape_cost(float(t), order) for t in grid) <= top * (1 + 1e-9)


@pytest.mark.parametrize("u", [-5.0, -0.6, -0.5, -1e-9, 0.0, 1e-4, 0.49999, 0.50001, 0.98])
def test_excess_is_the_integral(u: float) -> None:
    s = (np.arange(200_000) + 0.5) / 200_000
    assert excess(u) == pytest.approx(float((s / (1 - u * s)).mean()), rel=1e-6)


def test_first_order() -> None:
    gamma, eta, order, d = 1e-5, 0.5, 3.0, 4
    assert mean_cost(gamma, eta, order) == pytest.approx(order * (gamma**2 / (2 * eta**2) + gamma**2 / 4), rel=1e-3)
    wanted = order * (gamma**2 / (8 * eta**2) + d * gamma**2 / 4)
    assert covariance_cost(gamma, eta, order, d) == pytest.approx(wanted, rel=1e-3)


def test_radius_and_noise_are_inverse() -> None:
    etas = (0.05, 0.05, 0.02)
    radius = allowed_radius(etas, 3, 2, 0.5, 1e-6)
    loss = Loss.of(mixture_cost(radius, etas, 3, 2), delta=SLACK)
    assert 0.49 < tightest_epsilon(loss, 1e-6)[0] <= 0.5
    worse = Loss.of(mixture_cost(radius * 1.01, etas, 3, 2), delta=SLACK)
    assert tightest_epsilon(worse, 1e-6)[0] > 0.5


def test_one_component_pays_for_no_weight() -> None:
    one, two = (mixture_cost(1e-3, (1e-3, 1.0, 1.0), k, 2) for k in (1, 2))
    at = ORDERS.index(2.0)
    assert one.values[at] < 1e-4
    assert two.values[at] > 1.0


@pytest.mark.parametrize(
    ("metrics", "params", "message"),
    [
        ((L2(0.1),), {}, "Within"),
        ((Within("l2", 0.1),), {}, "component"),
        ((Within("component", 0.1),), {"eta_mean": 1e-30}, "between"),
        ((Within("component", 0.1),), {"eta_mean": None}, "eta_mean"),
        ((Within("component", 0.1),), {"delta": 1e-40}, "rounding"),
    ],
)
def test_refusals(metrics: tuple[object, ...], params: dict[str, object], message: str) -> None:
    known = {"k": 2, "d": 2, "eta_weight": 1.0, "eta_mean": 1.0, "eta_covariance": 1.0, "delta": SLACK, **params}
    with pytest.raises(PlanError, match=message):
        THEOREMS["mixture_mask"].rule(known, (metrics,))  # type: ignore[arg-type]
