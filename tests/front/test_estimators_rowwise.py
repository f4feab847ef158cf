"""What private steps hand on, and what a search sums: of each row by itself, and never an exception of its own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from dpframe import estimators as E
from dpframe.errors import DataError
from dpframe.front.estimators.selection import _scoring
from dpframe.proof.spaces import MixtureValue
from dpframe_plugins.tabular.mixed import category_counts

N, D = 300, 8
BUDGET: dict[str, Any] = {"epsilon": 1.0, "delta": 1e-6, "adjacency": "add_remove", "bound": 100.0, "simulate": 0}


def fitted(model: Any, **released: Any) -> Any:
    """A model as if a run had released these values."""
    model._keep_names(range(D))
    for name, value in released.items():
        setattr(model, name, value)
    return model


def models() -> dict[str, Any]:
    rng = np.random.default_rng(0)
    root = rng.normal(size=(2, D, D)) + 3 * np.eye(D)
    mixture = {"weights_": np.array([0.25, 0.75]), "means_": rng.normal(size=(2, D))}
    classes = {"classes_": np.array([0, 1]), "class_prior_": np.array([0.5, 0.5])}
    logits = {"coef_": rng.normal(size=(1, D)), "intercept_": np.zeros(1)}
    bayes = {"theta_": rng.normal(size=(2, D)), "var_": rng.random((2, D)) + 0.5}
    return {
        "line": fitted(E.PrivateLinearRegression(**BUDGET), coef_=rng.normal(size=D), intercept_=0.1),
        "logits": fitted(E.PrivateLogisticRegression(**BUDGET), **logits, **classes),
        "bayes": fitted(E.PrivateGaussianNB(**BUDGET), **bayes, **classes),
        "mixture": fitted(E.PrivateGaussianMixture(2, **BUDGET), covariances_=root @ root.swapaxes(1, 2), **mixture),
        "scaler": fitted(E.PrivateStandardScaler(**BUDGET), mean_=rng.normal(size=D), scale_=rng.random(D) + 0.5),
        "pca": fitted(E.PrivatePCA(**BUDGET), mean_=rng.normal(size=D), components_=rng.normal(size=(3, D))),
        "centres": fitted(E.PrivateKMeans(3, **BUDGET), cluster_centers_=rng.normal(size=(3, D))),
    }


SAID = {"line": "predict", "logits": "decision_function", "bayes": "predict_log_proba", "mixture": "score_samples",
        "scaler": "transform", "pca": "transform", "centres": "transform"}  # fmt: skip


@pytest.mark.parametrize("name", SAID)
def test_what_is_said_of_a_row_is_the_same_in_every_batch(name: str) -> None:
    """A private search sums it, and a pipeline fits it: products of BLAS and sums along an axis fail here."""
    say, rows = getattr(models()[name], SAID[name]), np.random.default_rng(1).normal(size=(N, D))
    if name == "bayes":  # what a search looks at: its probabilities are for people
        say = models()[name]._log_joint
    whole = say(rows)
    for size in (1, 2, 3, 7, 64, 299):
        for start in (0, 1, 5):
            part = slice(start, start + size)
            assert (say(rows[part].copy()) == whole[part]).all(), (size, start)


@pytest.mark.parametrize(
    "method", ["predict", "predict_proba", "predict_log_proba", "score_samples", "bic", "transform"]
)
@pytest.mark.parametrize("name", [name for name in SAID if name != "centres"])
def test_rows_at_the_end_of_float64_have_finite_answers_and_no_warning(name: str, method: str) -> None:
    say = getattr(models()[name], method, None)
    if say is not None:
        far = np.where(np.arange(D) % 2, 1.0, -1.0) * np.array([[1.7e308], [-1e300], [1e160]])
        assert np.isfinite(say(far)).all() or name == "scaler"


def test_scores_of_components_come_back_whatever_is_given() -> None:
    pca = models()["pca"]
    assert pca.inverse_transform(np.zeros((2, 3))) == pytest.approx(np.tile(pca.mean_, (2, 1)))
    assert np.isfinite(pca.inverse_transform(np.array([[1.7e308, -1.7e308, 1.7e308]]))).all()
    for bad in (np.zeros((2, D)), np.zeros(3), np.array([["a", "b", "c"]])):
        with pytest.raises(DataError):
            pca.inverse_transform(bad)


def test_what_a_row_gives_to_the_categories_of_components_is_its_own() -> None:
    rng = np.random.default_rng(7)
    roots = rng.normal(size=(3, D, D))
    mixture = MixtureValue(np.full(3, 1 / 3), rng.normal(size=(3, D)), roots @ roots.swapaxes(1, 2) + np.eye(D))
    rows = np.column_stack([rng.normal(size=(N, D)), rng.integers(0, 3, N)])
    whole = category_counts(rows, mixture, k=3, levels=[3])
    for size in (1, 2, 3, 5, 7, 64, 299):
        assert (category_counts(rows[:size].copy(), mixture, k=3, levels=[3]) == whole[:size]).all()
    far = category_counts(np.full((1, D + 1), 1e308), mixture, k=3, levels=[3])
    assert np.isfinite(far).all()


def test_scores_of_a_search_are_of_each_row() -> None:
    found = models()
    for alike in (["line"], ["logits", "bayes"], ["mixture"]):
        score = _scoring([found[name] for name in alike], [True] * len(alike), -10.0, 10.0)
        rows = np.random.default_rng(2).normal(size=(N, D * len(alike) + (alike != ["mixture"])))
        rows[:, -1] = np.rint(rows[:, -1]) if alike != ["mixture"] else rows[:, -1]
        assert (np.concatenate([score(row[None]) for row in rows]) == score(rows)).all()


@pytest.mark.parametrize("name", ["scaler", "pca", "centres"])
def test_a_transform_in_a_pipeline_keeps_a_missing_cell_to_its_row(name: str) -> None:
    """It is handed private rows, so neither a missing cell nor that there is no row may raise."""
    model, rows = models()[name], np.random.default_rng(3).normal(size=(4, D))
    broken = rows.copy()
    broken[2, 1], broken[3, 0] = np.nan, np.inf
    made = model.transform(broken)
    assert np.isnan(made[2:]).all()
    assert (made[:2] == model.transform(rows)[:2]).all()
    assert len(model.transform(rows[:0])) == 0
    assert np.isfinite(model.transform(np.full((1, D), 1e300))).all() or name == "centres"
    if name == "centres":
        with pytest.raises(DataError, match="missing values"):
            model.predict(broken)


def test_a_pipeline_runs_whether_a_cell_is_missing_or_not() -> None:
    rows = np.random.default_rng(4).normal(size=(4_000, 2))
    for table in (rows, np.vstack([rows, [[np.nan, 0.0]]])):
        pipe = E.make_private_pipeline(E.PrivateStandardScaler(**BUDGET), E.PrivateMean(**BUDGET)).fit(table)
        assert pipe[-1].mean_ == pytest.approx([0.0, 0.0], abs=0.3)


def test_a_grouped_transform_has_nothing_to_say_of_other_categories() -> None:
    frame = pd.DataFrame(np.random.default_rng(5).normal(size=(4_000, 2)), columns=list("xy")).assign(
        g=["a", "b"] * 2_000
    )
    model = E.PrivateStandardScaler(**BUDGET, by="g", categories=["a", "b"]).fit(frame)
    frame.loc[0, "g"] = "other"
    made = model.transform(frame)
    assert np.isnan(made[0]).all()
    assert np.isfinite(made[1:]).all()
    assert np.isnan(model.transform(frame[:1])).all()


def test_classes_have_the_type_of_the_column_whether_a_label_is_missing_or_not() -> None:
    rows = np.random.default_rng(6).normal(size=(4_000, 2))
    labels = [int(x > 0) for x in rows[:, 0]]
    for known in (labels, [None, *labels[1:]]):
        found = E.PrivateGaussianNB(**BUDGET).fit(rows, pd.Series(known, dtype="Int64"))
        assert (found.classes_.tolist(), found.classes_.dtype) == ([0, 1], np.int64)
    for known in (labels, ["odd", *labels[1:]], [None, *labels[1:]]):
        classes = E.PrivateGaussianNB(**BUDGET).fit(rows, known).classes_  # of a list: by the released labels alone
        assert (classes.tolist(), classes.dtype) == ([0, 1], np.int64)
        counted = E.PrivateGaussianNB(**BUDGET, classes=[0, 1]).fit(rows, known).class_count_
        assert counted == pytest.approx([2_000, 2_000], abs=200)
    assert np.isfinite(E.PrivateLinearRegression(**BUDGET).fit(rows, labels).coef_).all()
