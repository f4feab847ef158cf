"""What a CoinPress Gaussian says of itself: predicted errors that come true, and verdicts on others' tables."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn import datasets

from dpframe.front.estimators import PrivateGaussian
from dpframe_plugins.classic import moments
from dpframe_plugins.classic.nodes import GaussianOf

RNG = np.random.default_rng(7)


def fitted(x: Any, seed: int = 0) -> PrivateGaussian:
    return PrivateGaussian(epsilon=1.0, delta=1e-6, adjacency="replace_one", bound=1e4, simulate=seed).fit(x)


@pytest.mark.parametrize(
    ("table", "verdict"),
    [
        (datasets.load_iris().data, "poor"),
        (datasets.load_wine().data, "poor"),
        (datasets.make_blobs(1000, n_features=10, centers=3, random_state=0)[0], "poor"),
        (datasets.make_blobs(20_000, n_features=10, centers=3, random_state=0)[0], "unchecked"),
        (RNG.standard_normal((8_000, 10)) @ RNG.standard_normal((10, 10)), "good"),
        (RNG.standard_normal((1_500, 2)), "good"),
        (RNG.uniform(size=(8_000, 2)), "unchecked"),
        (RNG.standard_t(5, size=(20_000, 1)), "unchecked"),
        (np.exp(2.0 * RNG.standard_normal((20_000, 2))), "poor"),
    ],
)
def test_others_tables(table: Any, verdict: str) -> None:
    quality = fitted(table).quality_
    assert quality["verdict"] == verdict, quality


@pytest.mark.parametrize("d", [1, 5])
def test_predicted_noise_is_what_is_drawn(d: int) -> None:
    """400 draws of the noise of one pass: a root mean square within a fifth, 5 standard deviations of it or more."""
    rng = np.random.default_rng(d)
    covariances, means = [], []
    for _ in range(400):
        raw = rng.standard_normal((d, d)) * 0.02
        noise = np.triu(raw, 1) / np.sqrt(2)
        covariances.append(noise + noise.T + np.diag(np.diagonal(raw)))
        means.append(rng.standard_normal(d) * 0.03)
    seen = moments.Seen(np.zeros(d), np.eye(d), np.zeros(d), np.eye(d), mean_noise=0.03, noise=0.02)
    estimate = moments.Estimate(np.zeros(d), np.eye(d), 16.0, rows=1e4, seen=(seen,))
    found = moments.errors_of(estimate, np.eye(d))
    assert np.sqrt(np.mean([m @ m for m in means])) == pytest.approx(found.mean, rel=0.2)
    norm = np.mean([np.abs(np.linalg.eigvalsh(c)).max() for c in covariances])
    assert 0.5 * found.covariance < norm <= found.covariance
    # the same noise in a Gaussian four times as wide counts a quarter
    assert moments.errors_of(estimate, 4.0 * np.eye(d)).covariance == pytest.approx(found.covariance / 4)


def test_the_words_carry_the_numbers() -> None:
    seen = moments.Seen(np.zeros(2), np.eye(2), np.zeros(2), np.eye(2), mean_noise=0.03, noise=3.0)
    estimate = moments.Estimate(np.zeros(2), np.eye(2), 16.0, rows=1e4, seen=(seen,))
    node = GaussianOf(d=2, narrowest=1e-3)
    found = node.quality((estimate,), (0.0,), node.apply(estimate))
    assert found.verdict == "poor"
    assert "(noise 6)" in found.why
