"""Total variations against closed forms, and the warnings of Def 7.2.1."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.special import ndtr

from dpframe.errors import DomainError
from dpframe_plugins.arbas23.learnable import learnable, overlap
from dpframe_plugins.arbas23.variation import dist_gmm, gaussian_tv, mixture_tv


def single(mean: Any, covariance: Any) -> Any:
    return np.ones(1), np.array([mean], dtype=float), np.array([covariance], dtype=float)


def shifted(d: int, step: float) -> float:
    """TV of N(0, A) and N(step·u, A), u a unit vector of A's metric, in numbers."""
    root = np.tril(np.arange(1.0, d * d + 1).reshape(d, d)) / d
    covariance = root @ root.T
    return gaussian_tv(np.zeros(d), covariance, root[:, 0] * step, covariance).value


@pytest.mark.parametrize("d", [1, 2])
@pytest.mark.parametrize("step", [0.01, 0.5, 3.0])
def test_shifts_have_the_closed_form(d: int, step: float) -> None:
    assert shifted(d, step) == pytest.approx(2 * ndtr(step / 2) - 1, rel=2e-3)


def test_draws_stay_within_their_stated_error() -> None:
    """d = 3: Hoeffding's half-width, passed with probability 1e-6."""
    truth = 2 * ndtr(0.5) - 1
    found = gaussian_tv(np.zeros(3), np.eye(3), np.array([1.0, 0, 0]), np.eye(3), seed=3)
    assert abs(found.value - truth) <= found.error
    assert abs(found.value - 1.1 * truth) > found.error


def test_scales_have_the_closed_form() -> None:
    """N(0, 1) and N(0, s²) cross at x² = ln(s²)·s²/(s² − 1)."""
    for s in (0.1, 0.9, 4.0):
        x = np.sqrt(2 * np.log(s) * s * s / (s * s - 1))
        exact = 2 * abs(ndtr(x) - ndtr(x / s))
        assert gaussian_tv([0.0], [[1.0]], [0.0], [[s * s]]).value == pytest.approx(exact, rel=2e-3)


def test_mixtures() -> None:
    one = (np.array([0.3, 0.7]), np.array([[0.0], [50.0]]), np.ones((2, 1, 1)))
    two = (np.array([0.6, 0.4]), np.array([[50.0], [0.0]]), np.ones((2, 1, 1)))
    assert mixture_tv(one, two).value == pytest.approx(0.1, rel=1e-6)  # the components apart: only weights differ
    assert dist_gmm(one, two).value == pytest.approx(0.1, rel=1e-6)
    assert mixture_tv(one, one).value == pytest.approx(0, abs=1e-12)
    moved = (one[0], one[1] + np.array([[0.5], [0.0]]), one[2])
    assert mixture_tv(one, moved).value == pytest.approx(0.3 * (2 * ndtr(0.25) - 1), rel=1e-3)
    assert dist_gmm(one, moved).value == pytest.approx(2 * ndtr(0.25) - 1, rel=1e-3)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (single([0.0], [[1.0]]), single([0.0, 0.0], np.eye(2))),
        (single([0.0], [[0.0]]), single([0.0], [[1.0]])),
        ((np.ones(2), np.zeros((1, 1)), np.ones((1, 1, 1))), single([0.0], [[1.0]])),
    ],
)
def test_what_is_no_mixture_is_refused(first: Any, second: Any) -> None:
    with pytest.raises(DomainError):
        mixture_tv(first, second)
    with pytest.raises(DomainError):
        dist_gmm(first, second)


def test_mixtures_of_different_sizes_are_not_matched() -> None:
    two = (np.full(2, 0.5), np.zeros((2, 1)), np.ones((2, 1, 1)))
    with pytest.raises(DomainError, match="matched"):
        dist_gmm(two, single([0.0], [[1.0]]))
    assert mixture_tv(two, single([0.0], [[1.0]])).value == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(
    ("weights", "means", "said"),
    [
        ([0.5, 0.5], [[0.0, 0.0], [8.0, 0.0]], []),
        ([0.5, 0.5], [[0.0, 0.0], [1.0, 0.0]], []),
        ([0.5, 0.5], [[0.0, 0.0], [0.02, 0.0]], ["overlap"]),
        ([0.99, 0.01], [[0.0, 0.0], [0.02, 0.0]], ["weight", "overlap"]),
    ],
)
def test_warnings_of_unlearnable_mixtures(weights: Any, means: Any, said: list[str]) -> None:
    found = learnable(weights, means, [np.eye(2)] * 2, 0.05)
    assert len(found) == len(said)
    assert all(word in line and "learnable" in line for word, line in zip(said, found, strict=True))


def test_hellinger_never_hides_a_pair() -> None:
    """1 − BC <= TV <= √(1 − BC²) for random pairs in the plane."""
    rng = np.random.default_rng(0)
    for _ in range(10):
        roots = rng.standard_normal((2, 2, 2)) + 2 * np.eye(2)
        a, b = (root @ root.T for root in roots)
        step = rng.standard_normal(2) * rng.choice([0.1, 1.0, 3.0])
        bc, tv = overlap(np.zeros(2), a, step, b), gaussian_tv(np.zeros(2), a, step, b).value
        assert 1 - bc - 1e-3 <= tv <= np.sqrt(1 - bc * bc) + 1e-3


@pytest.mark.parametrize("alpha", [0.0, 1.0, float("nan")])
def test_alpha_is_checked(alpha: float) -> None:
    with pytest.raises(DomainError, match="alpha"):
        learnable([1.0], [[0.0]], [[[1.0]]], alpha)
