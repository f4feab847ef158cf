"""Fit the thesis's unnamed constants by simulation: the smallest for which its lemmas hold on a grid.

    python bench/arbas23_constants.py        # a few minutes on one core; writes bench/results/arbas23_constants.json

C1 (Lemmas 5.3.1, 5.3.3, Algorithm 2; the thesis also calls it C): with η = α/(C1(√d + √ln(4/β))) the covariance mask is
within α with probability 1 − β. C2 (Lemma 6.2.1, Theorem 7.1.3): with γ = εα/(C2·√(k ln(2/δ))·√(d(d + ln(12k/β)))·
ln(12k/δ)) the mask of k components is (ε, δ)-indistinguishable; its privacy loss is drawn for the worst pairs known, on
the law of B, which bounds that of BBᵀ from above. The numbers are copied into plugins/arbas23/constants.py by hand.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np

DIMENSIONS = (1, 2, 3, 5, 8, 10, 16)
ALPHAS, BETAS = (0.1, 0.3, 0.9), (0.1, 0.01)
DRAWS = 20_000
EPSILONS, DELTAS = (0.1, 0.23), (1e-2, 1e-3)
SIZES = ((1, 1), (1, 5), (2, 2), (3, 2), (2, 5), (4, 10))
LOSSES = 400_000
OUT = Path(__file__).parent / "results" / "arbas23_constants.json"


def distances(g: Any, eta: float) -> Any:
    """dist_COV of the mask from the identity, for many G."""
    b = np.eye(g.shape[1]) + eta * g
    values = np.linalg.eigvalsh(b @ np.swapaxes(b, 1, 2))
    with np.errstate(all="ignore"):
        return np.maximum(
            np.linalg.norm(values - 1, axis=1), np.linalg.norm(1 / np.maximum(values, 1e-300) - 1, axis=1)
        )


def concentration(d: int, rng: np.random.Generator) -> float:
    """The smallest C1 for this d."""
    g, worst = rng.standard_normal((DRAWS, d, d)), 0.0
    for alpha in ALPHAS:
        for beta in BETAS:
            low, high = 0.0, 1.0
            for _ in range(16):
                eta = (low + high) / 2
                low, high = (eta, high) if (distances(g, eta) > alpha).mean() <= beta else (low, eta)
            worst = max(worst, alpha / low / (math.sqrt(d) + math.sqrt(math.log(4 / beta))))
    return worst


def part(t: float, count: int, shifted: int, shift: float, eta: float, rng: np.random.Generator) -> Any:
    """Privacy loss of ``count`` numbers N(m, η²(1 + t)) against N(0, η²), m = ``shift`` in the first ``shifted``."""
    s, total = math.sqrt(1 + t), np.zeros(LOSSES)
    rest = count - shifted
    if rest:
        total += (s * s - 1) / 2 * rng.chisquare(rest, LOSSES) - rest * math.log(s)
    for _ in range(shifted):
        noise = rng.standard_normal(LOSSES)
        total += (shift / eta + s * noise) ** 2 / 2 - noise**2 / 2 - math.log(s)
    return total


def losses(gamma: float, etas: Any, k: int, d: int, ends: str, seed: int) -> Any:
    """Privacy losses of k components, each moved by γ in weight, mean and covariance."""
    rng = np.random.default_rng(seed)
    t = gamma if ends == "up" else -gamma / (1 + gamma)
    total = np.zeros(LOSSES)
    for _ in range(k):
        if k > 1:
            total += part(0.0, 1, 1, gamma, etas[0], rng)
        total += part(
            t, 1, 1, gamma * math.sqrt(min(1.0, 1 + t)), etas[1], rng
        )  # the mean moves along the changed axis
        total += part(t, d, 1, math.sqrt(1 + t) - 1, etas[2], rng)
    return total


def indistinguishable(gamma: float, etas: Any, k: int, d: int, epsilon: float, delta: float) -> bool:
    found = [np.maximum(-np.expm1(epsilon - losses(gamma, etas, k, d, ends, 5)), 0.0).mean() for ends in ("up", "down")]
    return max(found) <= delta


def privacy(k: int, d: int, c1: float) -> float:
    """The smallest C2 for this size."""
    worst = 0.0
    for epsilon in EPSILONS:
        for delta in DELTAS:
            for alpha, beta in ((0.3, 0.1), (0.9, 0.01)):
                each = beta / (3 * k)
                etas = (
                    alpha / math.sqrt(2 + 2 * math.log(1 / each)),
                    alpha / math.sqrt(3 * (d + math.log(1 / each))),
                    alpha / (c1 * (math.sqrt(d) + math.sqrt(math.log(4 / each)))),
                )
                low, high = 0.0, 0.5
                for _ in range(14):
                    gamma = (low + high) / 2
                    low, high = (gamma, high) if indistinguishable(gamma, etas, k, d, epsilon, delta) else (low, gamma)
                top = epsilon * alpha / math.sqrt(k * math.log(2 / delta))
                top /= math.sqrt(d * (d + math.log(12 * k / beta))) * math.log(12 * k / delta)
                worst = max(worst, top / low)
    return worst


def main() -> None:
    rng = np.random.default_rng(0)
    c1 = {d: concentration(d, rng) for d in DIMENSIONS}
    print("C1", {d: round(c, 3) for d, c in c1.items()}, flush=True)
    c2 = {f"k={k}, d={d}": privacy(k, d, c1[d]) for k, d in SIZES}
    print("C2", {key: round(c, 3) for key, c in c2.items()})
    OUT.write_text(
        json.dumps(
            {
                "C1": {str(d): c for d, c in c1.items()},
                "C2": c2,
                "draws": {"C1": DRAWS, "C2": LOSSES},
                "grid": {"alpha": ALPHAS, "beta": BETAS, "epsilon": EPSILONS, "delta": DELTAS},
                "note": "C1 grows with d: in the Frobenius norm no constant serves Lemma 5.3.3 for all d",
            },
            indent=1,
        )
        + "\n"
    )


if __name__ == "__main__":
    main()
