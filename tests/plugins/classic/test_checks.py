"""A promised bound is kept by force: rows beyond it count as their projections onto its sphere."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpframe.front.specs import load_spec
from dpframe.planning.results import document

BOUND = 20.0
RNG = np.random.default_rng(7)
FAR = np.concatenate([RNG.normal(-5.0, 1.0, (2500, 3)), RNG.normal(5.0, 1.0, (2500, 3))])
FAR[::40] *= 10.0 ** RNG.uniform(1.0, 280.0, (125, 1))
NEAR = FAR.copy()
LARGEST = np.abs(FAR).max(axis=1, keepdims=True)
LENGTHS = np.linalg.norm(FAR / LARGEST, axis=1, keepdims=True) * LARGEST
NEAR *= BOUND / np.maximum(LENGTHS, BOUND)


@pytest.mark.parametrize(
    ("spec", "keys"),
    [
        ("practical_gmm", {"k": 2}),
        ("practical_gmm", {"k": 2, "tail": True, "adjacency": "add_remove"}),
        ("coinpress_gaussian", {}),
        ("private_kmeans", {"k": 2}),
        ("private_moments", {}),
        ("private_moments", {"tight": True}),
        ("private_quantiles", {}),
        ("private_density", {}),
        ("private_linear", {}),
    ],
)
def test_rows_beyond_the_bound_count_as_their_projections(spec: str, keys: dict[str, Any]) -> None:
    public = {} if "adjacency" in keys else {"n": len(FAR)}
    plan = load_spec(spec, {"d": 3, "bound": BOUND, "epsilon": 4.0, "delta": 1e-6, **public, **keys}).plan()
    far, near = (document(plan.run(x=table, simulate=3))["outputs"] for table in (FAR, NEAR))
    assert far == near
