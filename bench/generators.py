"""Clusters as scikit-learn's generators draw them, and mixtures of random and of diagonal covariances, by seed."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from sklearn import datasets

Floats = NDArray[np.float64]
KINDS = ("blobs", "sheared", "classes", "random", "diagonal")


def drawn(seed: int) -> tuple[str, Floats, int]:
    """Kind, rows in a random order, clusters: two to eight, in three to twenty columns, of 3e3 to 4e4 rows in all."""
    rng = np.random.default_rng([seed, 77])
    kind, d, k = KINDS[seed % 5], int(rng.choice([3, 4, 6, 8, 10, 12, 16, 20])), int(rng.integers(2, 9))
    n = round(math.exp(rng.uniform(math.log(3000), math.log(40000))))
    if kind in ("blobs", "sheared"):
        box, widths = (-10, 10) if seed % 2 else (-6, 6), rng.uniform(0.5, 2, size=k)
        rows, _ = datasets.make_blobs(n, d, centers=k, cluster_std=widths, random_state=seed, center_box=box)
        rows = rows @ rng.normal(size=(d, d)) if kind == "sheared" else rows
    elif kind == "classes":
        informative = min(d, max(3, int(rng.integers(3, d + 1))))
        k = min(k, 2**informative)
        told = {"n_informative": informative, "n_redundant": 0, "n_repeated": 0, "n_classes": 1, "flip_y": 0}
        apart = float(rng.uniform(1, 3))
        rows, _ = datasets.make_classification(n, d, n_clusters_per_class=k, class_sep=apart, random_state=seed, **told)
    else:
        parts = []
        for count in rng.multinomial(n, rng.dirichlet(np.full(k, 4.0))):
            if kind == "diagonal":
                root = np.diag(np.exp(rng.uniform(-1, 1, d)))
            else:
                root = rng.normal(size=(d, d)) / math.sqrt(d) + np.eye(d) * 0.5
            centre = rng.normal(size=d) * rng.uniform(2, 6)
            parts.append(rng.normal(size=(count, d)) @ root.T + centre)
        rows = np.concatenate(parts)
    return kind, rows[rng.permutation(len(rows))], k
