"""Logistic regressions of tables with directions that noise hides: Newton's steps settle."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss

from dpframe.errors import RunError
from dpframe.estimators import PrivateGaussianNB, PrivateLogisticRegression
from dpframe.front.specs import load_spec
from dpframe_plugins.tabular import newton
from dpframe_plugins.tabular.logistic import whitening

SEEDS = (1, 2, 3, 4, 5, 6)  # simulated noise is fixed: no false alarm


def many(loaded: Any, columns: int, n: int = 20_000) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Rows of a small table, many times, blurred."""
    rng = np.random.default_rng(0)
    X = loaded.data[:, :columns]
    chosen = rng.integers(0, len(X), n)
    return X[chosen] + 0.1 * X.std(axis=0) * rng.normal(size=(n, columns)), loaded.target[chosen]


@pytest.mark.slow
@pytest.mark.parametrize(("loaded", "columns", "right"), [(load_iris(), 4, 0.9), (load_breast_cancer(), 10, 0.85)])
def test_noise_that_hides_a_direction_does_no_harm(loaded: Any, columns: int, right: float) -> None:
    """Without privacy .96 and .93 are right. Some runs ended below .8 while hidden directions were made wide."""
    X, y = many(loaded, columns)
    bound = 10 * float(np.linalg.norm(np.column_stack([X, y]), axis=1).max())
    given = {"epsilon": 1.0, "delta": 1e-6, "adjacency": "replace_one", "bound": bound, "classes": range(y.max() + 1)}
    assert min(PrivateLogisticRegression(**given, simulate=seed).fit(X, y).score(X, y) for seed in SEEDS) > right


def test_a_direction_that_shows_too_little_variance_is_taken_for_one_of_as_much_as_the_noise() -> None:
    noise = 0.01 * np.ones((2, 2))
    for shown in (1.0, 0.02, 0.0199, 0.0, -0.01):
        inverse = np.linalg.inv(whitening(np.diag([4.0, shown]), noise))
        assert np.allclose(inverse.T @ inverse, np.diag([4.0, max(shown, 0.02)]))


def test_columns_are_judged_by_their_own_noise() -> None:
    """A narrow column beside a wide one is measured, if its noise is narrow too."""
    inverse = np.linalg.inv(whitening(np.diag([1e8, 1.0]), np.outer([1e3, 0.1], [1e3, 0.1])))
    assert np.allclose(inverse.T @ inverse, np.diag([1e8, 1.0]))


@pytest.mark.parametrize("table", ["missing", "other codes"])
def test_a_table_without_rows_of_any_class_fails(table: str) -> None:
    """What is left is the frame's own centre and width, once a class: no coefficients are made of that."""
    rows = np.random.default_rng(0).normal(size=(3000, 3))
    rows[:, 2] = 7.0
    if table == "missing":
        rows[:] = np.nan
    known = {"d": 3, "n": 3000, "bound": 100.0, "classes": 2, "epsilon": 1.0, "delta": 1e-6}
    result = load_spec("private_logistic", known).plan().run(x=rows, simulate=1)
    assert result.status == "failed"
    assert "does not stand out" in result.reason
    assert "a code from 0 to 1 in the last column" in result.advice


def test_columns_of_tiny_numbers_are_learned_as_others_are() -> None:
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 2, 4000)
    rows = np.column_stack([1e-6 * (rng.normal(size=(4000, 2)) + 2.0 * codes[:, None]), codes])
    known = {"d": 3, "n": 4000, "bound": 100.0, "classes": 2, "epsilon": 8.0, "delta": 1e-6}
    assert load_spec("private_logistic", known).plan().run(x=rows, simulate=1).status == "released"


@pytest.mark.parametrize("kind", [PrivateLogisticRegression, PrivateGaussianNB])
@pytest.mark.parametrize("seed", range(3))
def test_labels_of_noise_are_not_left_unjudged(kind: Any, seed: int) -> None:
    """Heavy-tailed features: of 150 rows at ε=1 nothing is learned, of 6,000 nearly all that can be."""
    rng = np.random.default_rng(seed)
    x = rng.standard_t(3, size=(6000, 6))
    y = (x @ [2.0, 1.0, 0.0, 0.0, -1.0, 0.5] + rng.logistic(size=6000) > 0).astype(int)
    how = {"epsilon": 1.0, "delta": 1e-6, "adjacency": "replace_one", "bound": 1e3, "classes": [0, 1], "simulate": seed}
    learned = kind(**how).fit(x, y)
    assert (learned.quality_["verdict"], learned.score(x, y) > 0.75) == ("unchecked", True)
    try:
        assert kind(**how).fit(x[:150], y[:150]).quality_["verdict"] == "poor"
    except RunError:  # or it says so
        return


def modes(kind: str, seed: int, n: int = 20_000) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Features that no Gaussian describes: two modes ten deviations apart, three, or lognormal ones."""
    rng = np.random.default_rng(seed)
    x = np.exp(rng.normal(size=(n, 2))) if kind == "lognormal" else rng.normal(size=(n, 2))
    x[:, 0] += {"two": rng.choice([0.0, 10.0], n), "three": rng.choice([-8.0, 0.0, 8.0], n), "lognormal": 0.0}[kind]
    logits = x[:, 0] + {"two": -1.5, "three": 8.0, "lognormal": -1.0}[kind] - 0.5 * x[:, 1]
    return x, (logits + rng.logistic(size=n) > 0).astype(int)


def fitted(kind: str, seed: int, epsilon: float) -> tuple[PrivateLogisticRegression, float]:
    """A fit, and its log loss over that of one without privacy."""
    x, y = modes(kind, seed)
    given = {"delta": 1e-6, "adjacency": "replace_one", "bound": 100.0, "classes": [0, 1], "simulate": seed}
    ours = PrivateLogisticRegression(epsilon=epsilon, **given).fit(x, y)
    best = LogisticRegression(C=1e6).fit(x, y)
    return ours, float(log_loss(y, ours.predict_proba(x)) / log_loss(y, best.predict_proba(x)))


@pytest.mark.parametrize("kind", ["two", "three", "lognormal"])
@pytest.mark.parametrize("seed", [31, 32])
def test_rows_that_are_no_gaussians_are_learned_the_better_the_larger_the_budget(kind: str, seed: int) -> None:
    """Two modes ended at 2 to 3 times the best loss, whatever ε."""
    (some, loose), (much, tight) = (fitted(kind, seed, epsilon) for epsilon in (1.0, 1e6))
    assert (some.quality_["verdict"], much.quality_["verdict"]) == ("unchecked", "unchecked")
    assert loose < 1.06
    assert tight < 1.002


def test_steps_by_the_gaussians_alone_do_not_settle(monkeypatch: pytest.MonkeyPatch) -> None:
    """The broken twin: gradients correct no curvature."""
    monkeypatch.setattr(newton, "mended", lambda hessian, *_: hessian)
    assert max(fitted("two", seed, 1e6)[1] for seed in (31, 32)) > 1.002


def test_steps_that_are_too_short_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    inverse = newton.with_ridge
    monkeypatch.setattr(newton, "with_ridge", lambda *given: inverse(*given) / 30.0)
    lost, ratio = fitted("three", 31, 1e6)
    assert ratio > 1.05
    assert lost.quality_["verdict"] == "poor"
    assert "the last gradient is" in lost.quality_["why"]


def test_errors_of_columns_that_determine_one_another_hold_what_noise_hides() -> None:
    """One column is another plus 5 % of its own: at ε=1 its coefficient, 20, is not seen."""
    for seed in SEEDS[:3]:
        rng = np.random.default_rng(seed)
        x = rng.normal(size=(20_000, 3))
        x[:, 2] = x[:, 0] + 0.05 * x[:, 2]
        y = (x @ [-19.0, 1.0, 20.0] + rng.logistic(size=20_000) > 0).astype(int)
        given = {"epsilon": 1.0, "delta": 1e-6, "adjacency": "replace_one", "bound": 100.0, "classes": [0, 1]}
        ours = PrivateLogisticRegression(**given, simulate=seed).fit(x, y)
        noise = ours.standard_errors_["coef_"]["noise"][0]
        assert (np.abs(ours.coef_[0] - [-19.0, 1.0, 20.0]) < 4.0 * noise).all()
        assert noise[0] > 5.0 * noise[1]
        assert "noise hides" in ours.quality_["why"]


@pytest.mark.parametrize("name", ["private_logistic", "private_linear"])
def test_predictions_of_standard_errors_are_their_own(name: str) -> None:
    """They had the words of nodes above: "distance of the number of rows"."""
    known = {"d": 4, "n": 20_000, "bound": 1e3, "epsilon": 1.0, "delta": 1e-6}
    told = load_spec(name, known | ({"classes": 2} if name == "private_logistic" else {})).plan().predict()
    for part in ("noise", "sampling"):
        assert told[part].what.startswith("distance of ")
        assert f"coefficients by {part} alone" in told[part].what
    assert np.hypot(told["noise"].error, told["sampling"].error) == pytest.approx(told["coefficients"].error)
