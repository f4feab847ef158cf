"""What a regression says of itself: whether noise hides the target, or moves predictions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpframe.errors import RunError
from dpframe.estimators import PrivateLinearRegression
from dpframe_plugins.tabular.regression import Regress

COUNT = np.array([100.0])


@pytest.mark.parametrize(
    ("target", "second", "verdict", "words"),
    [
        (1.0, 0.01, "unchecked", "noise moves a prediction by 0.014 of the target's deviation"),
        (1.0, 0.2, "unchecked", "by 0.27 of the target's deviation (root mean square); what clipping"),
        (1.0, 0.8, "poor", "by 0.69 of the target's deviation (root mean square), poor above 0.5"),
        (1.0, 4.0, "unchecked", "since it hides them: 2; what clipping"),
        (0.2, 0.01, "poor", "the target's variance does not stand out"),
    ],
)
def test_noise_that_moves_predictions_is_poor(target: float, second: float, verdict: str, words: str) -> None:
    """Two features of variance 1 and a target without slopes; noise .1, then ``second`` on variances and products."""
    first = (np.zeros(3), np.diag([1.0, 1.0, target]), np.full((3, 3), 0.1))
    level = np.diag([second] * 3)
    level[:, 2] = level[2] = second
    values = (*first, COUNT, np.zeros(3), np.diag([1.0, 1.0, 0.5]), level)
    found: Any = Regress(what="coefficients").quality(values, (0.0,) * 7, None)
    assert (found.verdict, words in found.why) == (verdict, True), found.why
    assert Regress(what="noise").quality(values, (0.0,) * 7, None) is None


@pytest.mark.parametrize("seed", range(3))
def test_a_line_of_noise_is_not_left_unjudged(seed: int) -> None:
    """Heavy-tailed features, 300 rows at ε=1: worse than no line at all; of 3,000 rows a line."""
    rng = np.random.default_rng(seed)
    x = rng.standard_t(4, size=(3000, 4)) * [1.0, 10.0, 0.1, 3.0]
    y = x @ [1.0, 0.1, 5.0, 0.0] + rng.normal(size=3000)
    how = {"epsilon": 1.0, "delta": 1e-6, "adjacency": "replace_one", "bound": 2e3, "simulate": seed}
    learned = PrivateLinearRegression(**how).fit(x, y)
    assert learned.quality_["verdict"] == "unchecked"
    assert learned.score(x, y) > 0.6
    try:
        learned = PrivateLinearRegression(**how).fit(x[:300], y[:300])
    except RunError:
        return
    assert learned.quality_["verdict"] == "poor"
