"""Private PCA keeps the clusters' means whatever the rows and the noise are, in the spirit of KSSU19's Lemma 3.1.

Let X be the rows of a ball about its centre, A the same with every row replaced by its cluster's mean (so of rank k at
most), E symmetric noise on XᵀX, and Π the projection to the k leading directions of XᵀX + E. Then for every cluster of
m rows with mean μ

    ‖μ − Πμ‖ <= √((‖X − A‖² + 2‖E‖)/m)        (spectral norms).

*Proof.* Q = I − Π. ‖XQ‖² = ‖Q XᵀX Q‖ <= ‖Q(XᵀX + E)Q‖ + ‖E‖ <= max(λ_{k+1}(XᵀX + E), 0) + ‖E‖, for no direction that Q
keeps has more. By Weyl λ_{k+1}(XᵀX + E) <= λ_{k+1}(XᵀX) + ‖E‖, and λ_{k+1}(XᵀX) = s_{k+1}(X)² <= ‖X − A‖², A being of
rank k. With u the cluster's indicator over √m, uᵀX = √m·μᵀ, so √m·‖Qμ‖ <= ‖XQ‖. ∎

It holds for any labelling, so for worst-case rows as well; outliers cost what they add to ‖X − A‖.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import dpframe.plugin as dp
from dpframe.plugin import BallValue
from dpframe_plugins.kssu19.gaussian import Projection

D, K, N, RADIUS = 10, 3, 900, 100.0
CENTRE = 1e3 * np.eye(D)[0]
KINDS = ("round", "very different widths", "a cluster of five rows", "outliers", "all on one line", "all in one point")


def table(kind: str, seed: int) -> tuple[Any, Any]:
    """Rows about the ball's centre, within its radius, and their labels."""
    rng = np.random.default_rng([19, seed, KINDS.index(kind)])
    means = 40.0 * rng.standard_normal((K, D)) / math.sqrt(D)
    labels = rng.integers(0, K, N)
    widths = np.array([0.1, 1.0, 6.0]) if kind == "very different widths" else np.ones(K)
    if kind == "a cluster of five rows":
        labels = np.where(np.arange(N) < 5, 2, labels % 2)
    rows = means[labels] + widths[labels, None] * rng.standard_normal((N, D))
    if kind == "outliers":
        rows[-9:] = RADIUS * np.eye(D)[-9:]
    elif kind == "all on one line":
        rows = np.outer(rows[:, 0], np.ones(D)) / math.sqrt(D)
    elif kind == "all in one point":
        rows = np.ones((N, D))
    return rows * np.minimum(1.0, 0.999 * RADIUS / np.linalg.norm(rows, axis=1, keepdims=True)), labels


def noises(rows: Any, size: float, rng: np.random.Generator) -> list[Any]:
    """Symmetric matrices of that spectral norm: none, random ones, and one that hides the leading direction."""
    drawn = rng.standard_normal((D, D))
    drawn = drawn + drawn.T
    leading = np.linalg.svd(rows, full_matrices=False)[2][0]
    return [np.zeros((D, D)), size * drawn / np.linalg.norm(drawn, 2), -size * np.outer(leading, leading)]


def excess(basis: Any, rows: Any, labels: Any, noise: float) -> float:
    """Of the cluster for which it is largest: what the lemma bounds over its bound."""
    centred = rows.copy()
    for label in np.unique(labels):
        centred[labels == label] -= rows[labels == label].mean(axis=0)
    spread = np.linalg.norm(centred, 2) ** 2 + 2.0 * noise + 1e-9
    worst = 0.0
    for label in np.unique(labels):
        mean = rows[labels == label].mean(axis=0)
        lost = float(np.linalg.norm(mean - basis @ (basis.T @ mean)))
        worst = max(worst, lost / math.sqrt(spread / np.count_nonzero(labels == label)))
    return worst


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [1.0, 1e3, 1e5])
def test_means_stay_whatever_the_rows_and_the_noise(kind: str, size: float) -> None:
    for seed in range(3):
        rows, labels = table(kind, seed)
        for noise in noises(rows, size, np.random.default_rng(seed)):
            gram = rows.T @ rows + noise
            map_ = Projection(rank=K).apply(BallValue(CENTRE, RADIUS), gram)
            assert excess(map_.matrix, rows, labels, float(np.linalg.norm(noise, 2))) <= 1.0 + 1e-6


@pytest.mark.parametrize("kind", KINDS[:4])
def test_other_directions_lose_the_means(kind: str) -> None:
    """The broken twin: the trailing directions, and the leading ones of the rows about 0 instead of the centre."""
    rows, labels = table(kind, 0)
    trailing = np.linalg.eigh(rows.T @ rows)[1][:, :K]
    assert excess(trailing, rows, labels, 0.0) > 1.0
    scattered = np.linalg.qr(np.random.default_rng(0).standard_normal((D, K)))[0]
    assert excess(scattered, rows, labels, 0.0) > 1.0


def test_c4_about_0_a_direction_is_spent_on_where_the_ball_lies() -> None:
    """Four clusters whose centred means span three dimensions, far from 0: about 0 one of the three is lost."""
    labels = np.arange(N) % (K + 1)
    means = 20.0 * np.eye(D)[1 : K + 2] - 5.0 * np.eye(D)[1 : K + 2].sum(axis=0)
    rows = means[labels] + 0.1 * np.random.default_rng(1).standard_normal((N, D))
    for centre, right in ((CENTRE, True), (np.zeros(D), False)):
        about = rows + CENTRE - centre
        basis = Projection(rank=K).apply(BallValue(centre, RADIUS), about.T @ about).matrix
        lost = np.linalg.norm(means - means @ basis @ basis.T, axis=1).max()
        assert (lost < 1.0) == right


@pytest.mark.parametrize("kind", ["round", "outliers"])
def test_a_release_keeps_the_means(kind: str) -> None:
    """Noise of deviation s on the diagonal is above s(√(2d) + 6) in spectral norm in 3e-8 of releases."""

    def program(x: Any) -> Any:
        ball = dp.ball(centre=CENTRE.tolist(), radius=RADIUS)
        return dp.release("map", dp.recipe("kssu19.pca", rank=K, share=1.0), x, ball)

    budget = dp.approx_dp(epsilon=1.0, delta=1e-6)
    plan = dp.plan(dp.program(program), x=dp.rows(n=N, d=D), adjacency=dp.REPLACE_ONE, budget=budget)
    (calibration,) = plan.calibrations.values()
    noise = calibration["sigma"] * RADIUS**2 * (math.sqrt(2.0 * D) + 6.0)
    rows, labels = table(kind, 7)
    for seed in range(3):
        map_ = plan.run(x=rows + CENTRE, simulate=seed)["map"]
        assert excess(map_.matrix, rows, labels, noise) <= 1.0
