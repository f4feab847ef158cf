"""How often `k_max` finds the number of components: planted mixtures, and blobs of scikit-learn.

    python bench/choose_k.py [--seeds 10] [--bic 3]    writes bench/results/choose_k.json

Each cell is the number of seeds of which the chosen number is the true one, and the numbers chosen; beside it what
BIC chooses without privacy (scikit-learn's GaussianMixture, two initialisations).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from dpframe.front.specs import load_spec

MOST = 8


def planted(seed: int, k: int, d: int, n: int, apart: float) -> Any:
    """k unit Gaussians of weights from 1 to 2, centres at least `apart` apart."""
    rng = np.random.default_rng([seed, k, d])
    centres = np.zeros((0, d))
    while len(centres) < k:
        new = rng.normal(size=d) * apart * max(1.0, k / d)
        if all(np.linalg.norm(new - c) >= apart for c in centres):
            centres = np.vstack([centres, new])
    weights = rng.uniform(1, 2, size=k)
    which = rng.choice(k, size=n, p=weights / weights.sum())
    return centres[which] + rng.normal(size=(n, d))


def stretched(seed: int, k: int, d: int, n: int) -> Any:
    """k Gaussians with random full covariances of condition number up to 10."""
    rng = np.random.default_rng([seed, k, d, 1])
    rows = planted(seed, k, d, n, 12.0)
    q = np.linalg.qr(rng.normal(size=(d, d)))[0]
    return rows @ (q * np.geomspace(1.0, 10.0**0.5, d)) @ q.T


def blobs(seed: int, k: int, d: int, n: int) -> Any:
    """scikit-learn's make_blobs as it comes."""
    from sklearn.datasets import make_blobs

    return make_blobs(n_samples=n, n_features=d, centers=k, random_state=seed)[0]


def cases() -> Iterator[tuple[str, Any, int]]:
    """Name, table of a seed, true number."""
    for k in (1, 3, 5):
        yield f"unit Gaussians 8 apart, k={k}, d=4, n=1e5", lambda s, k=k: planted(s, k, 4, 100_000, 8.0), k
    yield "unit Gaussians 4 apart, k=3, d=4, n=1e5", lambda s: planted(s, 3, 4, 100_000, 4.0), 3
    for k in (1, 3, 5):
        yield f"unit Gaussians 8 apart, k={k}, d=4, n=2e4", lambda s, k=k: planted(s, k, 4, 20_000, 8.0), k
    yield "full covariances, k=3, d=3, n=2e4", lambda s: stretched(s, 3, 3, 20_000), 3
    yield "make_blobs, 3 centres, d=2, n=2e4", lambda s: blobs(s, 3, 2, 20_000), 3
    yield "full covariances, k=4, d=5, n=1e5", lambda s: stretched(s, 4, 5, 100_000), 4
    yield "make_blobs, 3 centres, d=2, n=1e5", lambda s: blobs(s, 3, 2, 100_000), 3


def chosen(rows: Any, seed: int) -> int:
    """How many components the run has, 0 where it failed."""
    keys = {"k_max": MOST, "bound": 1000.0, "d": rows.shape[1], "n": len(rows), "epsilon": 1.0, "delta": 1e-6}
    result = load_spec("practical_gmm", keys).plan().run(x=rows, simulate=seed)
    return len(result["mixture"].weights) if result.status == "released" else 0


def by_bic(rows: Any, seed: int) -> int:
    """What BIC chooses without privacy."""
    from sklearn.mixture import GaussianMixture

    sample = rows[:20_000]
    fits = [GaussianMixture(k, n_init=2, random_state=seed).fit(sample) for k in range(1, MOST + 1)]
    return int(np.argmin([fit.bic(sample) for fit in fits])) + 1


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--bic", type=int, default=3)
    arguments = parser.parse_args()
    out = {}
    for name, table, k in sorted(cases(), key=lambda case: not case[0].endswith("2e4")):
        found = [chosen(table(seed), seed) for seed in range(arguments.seeds)]
        beside = [by_bic(table(seed), seed) for seed in range(arguments.bic)]
        out[name] = {"right": found.count(k), "of": len(found), "chosen": found, "bic": beside}
        print(f"{name}: {found.count(k)} of {len(found)}, {found}; BIC {beside}", flush=True)
    Path(__file__).parent.joinpath("results", "choose_k.json").write_text(json.dumps(out, indent=1) + "\n")


if __name__ == "__main__":
    main()
