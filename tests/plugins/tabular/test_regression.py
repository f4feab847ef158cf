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
        (1.0, 0.2, "unchecked", "by 0.28 of the target's deviation (root mean square); what clipping"),
        (1.0, 0.8, "poor", "by 1.1 of the target's deviation (root mean square), poor above 0.5"),
        (1.0, 4.0, "poor", "by 2.8 of the target's deviation (root mean square), poor above 0.5"),
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


def rare(seed: int, share: float = 0.02, n: int = 20_000) -> tuple[Any, Any]:
    """Features that are nearly always 0, and a target of which they tell three quarters."""
    rng = np.random.default_rng(seed)
    x = (rng.uniform(size=(n, 4)) < share).astype(float)
    return x, x @ np.array([5.0, -5.0, 10.0, 2.5]) + rng.normal(size=n)


@pytest.mark.parametrize("seed", [51, 52, 53])
def test_slopes_of_rare_features_are_shrunk_little_and_their_errors_say_how_much(seed: int) -> None:
    """Simulated noise is fixed: no false alarm. Errors were 10 to 130 times those that were stated, all `unchecked`."""
    x, y = rare(seed)
    given = {"delta": 1e-6, "adjacency": "replace_one", "bound": 1000.0, "simulate": seed}
    ours = PrivateLinearRegression(epsilon=1.0, **given).fit(x, y)
    off = np.abs(ours.coef_ - [5.0, -5.0, 10.0, 2.5])
    assert (off < 5.0 * np.hypot(*ours.standard_errors_["coef_"].values())).all()
    assert ours.quality_["verdict"] == "poor"
    more = PrivateLinearRegression(epsilon=4.0, **given).fit(x, y)
    assert (more.quality_["verdict"], more.score(x, y) > 0.7) == ("unchecked", True)


def test_slopes_of_many_columns_are_shrunk_less(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty columns: a tenth of what is explained was lost to shrinking; the twin shrinks as before."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(10_000, 20))
    y = x @ np.linspace(-1.0, 1.0, 20) + rng.normal(size=10_000)
    given = {"epsilon": 1.0, "delta": 1e-6, "adjacency": "replace_one", "bound": 1000.0}
    now = PrivateLinearRegression(**given, simulate=1).fit(x, y).score(x, y)
    monkeypatch.setattr("dpframe_plugins.tabular.regression.SHRUNK", 1.0)
    before = PrivateLinearRegression(**given, simulate=1).fit(x, y).score(x, y)
    assert now > before + 0.05


def test_where_shrinking_may_cost_much_it_is_told() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(4_000, 20))
    y = x @ np.linspace(-1.0, 1.0, 20) + rng.normal(size=4_000)
    given = {"epsilon": 1.0, "delta": 1e-6, "adjacency": "replace_one", "bound": 1000.0, "simulate": 1}
    quality = PrivateLinearRegression(**given).fit(x, y).quality_
    assert (quality["verdict"], "shrinking them may cost" in quality["why"]) == ("poor", True)
