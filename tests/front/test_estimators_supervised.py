"""Regressions, classes and clusters, the papers' learners, and a class made of a composite."""

from __future__ import annotations

import traceback
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.exceptions import DataConversionWarning
from sklearn.linear_model import LogisticRegression

import dpframe as dp
from dpframe import estimators
from dpframe.errors import DataError, DpframeError, SpecError
from dpframe.estimators import (
    BKS22Gaussian,
    PrivateEstimator,
    PrivateGaussianNB,
    PrivateKMeans,
    PrivateLearner,
    PrivateLinearRegression,
    PrivateLogisticRegression,
)
from dpframe.front.estimators.labels import labels_of, reader_of
from dpframe.front.estimators.tables import numbers_of, target_of
from dpframe.front.specs import shipped
from dpframe.kernel import registry
from dpframe.runtime.sources import Joined, Piece, Values

N = 20_000
BUDGET: dict[str, Any] = {"epsilon": 1.0, "delta": 1e-6, "adjacency": "replace_one", "bound": 1e4, "simulate": 0}


@pytest.fixture(scope="module")
def rows() -> Any:
    return np.random.default_rng(0).normal(size=(N, 3)) * [1.0, 10.0, 0.1] + [0.0, 100.0, 0.0]


@pytest.fixture(scope="module")
def labels(rows: Any) -> Any:
    chance = 1.0 / (1.0 + np.exp(-(1.5 * rows[:, 0] - 0.1 * (rows[:, 1] - 100.0) + 0.5)))
    return np.where(np.random.default_rng(1).random(N) < chance, "yes", "no")


def test_a_line_is_right_to_its_standard_errors(rows: Any) -> None:
    """Six standard errors of all kinds together; the seed is fixed."""
    target = rows @ [1.0, 2.0, 3.0] + np.random.default_rng(2).normal(size=N)
    found = PrivateLinearRegression(**BUDGET).fit(rows, target)
    error = np.hypot(*found.standard_errors_["coef_"].values())
    assert (np.abs(found.coef_ - [1.0, 2.0, 3.0]) < 6 * error).all()
    assert (error < [0.3, 0.03, 3.0]).all()
    assert found.score(rows, target) > 0.99
    frame = pd.DataFrame(rows, columns=list("abc")).assign(t=target)
    by_name = PrivateLinearRegression(**BUDGET).fit(frame, "t")
    assert (by_name.coef_ == found.coef_).all()
    assert by_name.feature_names_in_.tolist() == ["a", "b", "c"]
    assert (by_name.predict(frame) == found.predict(rows)).all()


FRAMES: dict[str, Any] = {
    "pandas": lambda y: pd.DataFrame({"y": y}),
    "numbered": pd.DataFrame,
    "levels": lambda y: pd.DataFrame(y, columns=pd.MultiIndex.from_tuples([("a", "y")])),
    "polars": lambda y: pl.DataFrame({"y": y}),
    "arrow": lambda y: pa.table({"y": y}),
}


@pytest.mark.parametrize("kind", FRAMES)
def test_a_target_may_be_a_frame_of_one_column(kind: str) -> None:
    """As scikit-learn takes it, and warns of it; two columns are refused before anything is read."""
    y = np.arange(5)
    with pytest.warns(DataConversionWarning):
        found = target_of(np.zeros((5, 1)), FRAMES[kind](y))
    assert found.values.tolist() == y.tolist()
    with pytest.raises(DataError, match="y has 2 columns"):
        target_of(np.zeros((5, 1)), pd.DataFrame({"a": y, "b": y}))


@pytest.mark.parametrize("classes", [None, ["no", "yes"]])
@pytest.mark.parametrize("cls", [PrivateGaussianNB, PrivateLogisticRegression])
def test_classes_are_told_apart_within_the_budget(cls: Any, classes: Any, rows: Any, labels: Any) -> None:
    found = cls(**BUDGET, classes=classes).fit(rows, labels)
    assert found.classes_.tolist() == ["no", "yes"]
    assert found.score(rows, labels) > 0.76
    assert found.predict_proba(rows[:5]).sum(axis=1) == pytest.approx(np.ones(5))
    assert found.privacy_["epsilon"] <= 1.0
    assert found.privacy_["delta"] <= 1e-6
    assert found.privacy_["fits"] == (2 if classes is None else 1)


def test_logits_are_right_to_their_standard_errors(rows: Any, labels: Any) -> None:
    found = PrivateLogisticRegression(**BUDGET, classes=["no", "yes"]).fit(rows, labels)
    error = np.hypot(*found.standard_errors_["coef_"].values())
    assert (np.abs(found.coef_ - [[1.5, -0.1, 0.0]]) < 6 * error).all()
    assert (error < [[0.1, 0.01, 1.0]]).all()


def test_far_rows_are_weighted_by_their_features_alone() -> None:
    """Against the fit without privacy: clipped gradients, as it was, put every slope a tenth too high."""
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(N, 5))
    wanted = np.array([1.0, -1.0, 0.5, 0.0, 0.5])
    target = (rng.random(N) < 1.0 / (1.0 + np.exp(-rows @ wanted))).astype(int)
    found = PrivateLogisticRegression(**BUDGET, classes=[0, 1]).fit(rows, target)
    errors = found.standard_errors_["coef_"]
    plain = LogisticRegression(C=1e6).fit(rows, target).coef_
    assert (np.abs(found.coef_ - plain) < 4 * errors["noise"] + 0.01).all()
    assert (errors["noise"] < 0.02).all()


@pytest.mark.parametrize(
    ("classes", "unseen"),
    [(["no", "yes"], None), (["maybe", "no", "yes"], "'maybe'"), (["a", "b"], "'a', 'b'")],
)
def test_a_class_without_rows_is_told(classes: Any, unseen: str | None, rows: Any, labels: Any) -> None:
    """By its released number of rows; no one is refused for it, since that would tell of the rows.

    A class of no rows is taken for seen where noise goes beyond three deviations; the seed is fixed.
    """
    found = PrivateGaussianNB(classes=classes, **BUDGET).fit(rows, labels)
    assert found.quality_["verdict"] == ("unchecked" if unseen is None else "poor")
    assert unseen is None or f"class {unseen} does not stand out" in found.quality_["why"]


def test_a_constant_column_tells_no_class_from_another(rows: Any, labels: Any) -> None:
    """Of its variance only noise is released, and what that is in each class says nothing: labels stay as they were.

    With each class's own noise for its variance one row in fifty changed its label.
    """
    wider = np.column_stack([rows, np.full(len(rows), 3.0)])
    how = {**BUDGET, "epsilon": 10.0, "classes": ["no", "yes"]}
    for seed in range(3):
        plain, more = (PrivateGaussianNB(**{**how, "simulate": seed}).fit(x, labels) for x in (rows, wider))
        assert (plain.predict(rows) != more.predict(wider)).mean() < 0.005


def test_a_rare_label_is_never_named(rows: Any, labels: Any) -> None:
    """One row's own label passes the threshold with probability δ/20 at most."""
    rare = labels.astype("U9")
    rare[7] = "only me"
    found = PrivateGaussianNB(**BUDGET).fit(rows, rare)
    assert found.classes_.tolist() == ["no", "yes"]


def label_rows(labels: Any) -> Any:
    """Labels as a search for them reads them."""
    return next(iter(Joined((Piece(Values(labels), None, reader_of(labels.dtype)),)).open(None)._batches(99)))


@pytest.mark.parametrize(
    "labels",
    [
        np.array([3, -7, 10**9]),
        np.array(["a", "zażółć", "x" * 25]),
        np.array([True, False]),
        np.array([1.0, 2.0, -3.0]),
    ],
)
def test_labels_survive_their_rows(labels: Any) -> None:
    cells = label_rows(labels).astype(np.int64)
    assert labels_of(cells, labels.dtype).tolist() == sorted(labels.tolist())


def test_what_is_no_label_has_an_empty_row() -> None:
    assert np.isnan(label_rows(np.array([0.5, np.nan]))).all()
    assert np.isnan(label_rows(np.array(["", "x" * 26]))).all()


def test_clusters_are_found() -> None:
    rng = np.random.default_rng(3)
    centres = np.array([[0.0, 0.0], [10.0, 0.0], [0.0, 10.0]])
    table = centres[rng.integers(0, 3, N)] + rng.normal(size=(N, 2))
    found = PrivateKMeans(3, **BUDGET).fit(table)
    near = np.linalg.norm(found.cluster_centers_[:, None] - centres, axis=2)
    assert near.min(axis=0).max() < 0.2
    assert found.cluster_sizes_ == pytest.approx(N / 3, rel=0.05)
    assert not hasattr(found, "labels_")
    distances = found.set_output(transform="pandas").transform(table[:4])  # as in a pipeline that gives frames
    assert list(distances.columns) == ["privatekmeans0", "privatekmeans1", "privatekmeans2"]


@pytest.mark.parametrize(
    ("cls", "more", "y", "match"),
    [
        (PrivateLinearRegression, {}, None, "requires y"),
        (PrivateLinearRegression, {}, np.array(["a"] * 30), "hold numbers"),
        (PrivateLinearRegression, {}, np.zeros(29), "inconsistent"),
        (PrivateGaussianNB, {"classes": []}, np.zeros(30), "classes must be a list"),
        (PrivateGaussianNB, {"classes": "ab"}, np.zeros(30), "classes must be a list"),
        (PrivateGaussianNB, {"classes": [1, 1]}, np.zeros(30), "distinct"),
        (PrivateGaussianNB, {"classes": [None, 1]}, np.zeros(30), "distinct"),
        (PrivateLogisticRegression, {"classes": [1]}, np.zeros(30), "at least 2 classes"),
        (PrivateGaussianNB, {"epsilon": None, "delta": None, "rho": 0.1}, np.zeros(30), "declare classes"),
    ],
)
def test_bad_targets_are_refused_before_anything_is_spent(cls: Any, more: Any, y: Any, match: str) -> None:
    model = cls(**{**BUDGET, **more})
    with pytest.raises(ValueError, match=match) as caught:
        model.fit(np.zeros((30, 2)), y)
    assert isinstance(caught.value, DpframeError)
    assert not hasattr(model, "privacy_")


@pytest.mark.parametrize(("classes", "odd"), [([0, 1], "a"), ([0, 1], None), (["0", "1"], 7.5)])
def test_one_label_of_another_type_moves_one_row_alone(classes: Any, odd: Any, rows: Any) -> None:
    """The type of a list is that of all its cells: no refusal and no other row may hang on it."""
    labels = [classes[i % 2] for i in range(len(rows))]
    whole, other = (
        PrivateGaussianNB(classes=classes, **{**BUDGET, "simulate": 1}).fit(rows, y).class_count_
        for y in (labels, [odd, *labels[1:]])
    )
    assert np.abs(whole - other).max() < 1.5
    assert np.abs(whole - len(rows) / 2).max() < 100.0


@pytest.mark.parametrize("odd", [2**70, -(2**63), 10**400])
def test_no_number_of_a_list_is_too_large_to_be_one(odd: int) -> None:
    """As in lists of rows: with one the array has another type, and whether there is one may not decide a refusal."""
    found = numbers_of([odd, 2, 3.0])
    assert (found.dtype.kind, found[1:].tolist()) == ("f", [2.0, 3.0])
    rows, how = np.random.default_rng(0).normal(size=(2_000, 1)), {**BUDGET, "tight": True, "bound": 9.0}
    whole, other = (PrivateLinearRegression(**how).fit(rows, [first, *[1] * 1_999]).coef_[0] for first in (1, odd))
    assert abs(whole - other) < 0.5


@pytest.mark.parametrize("kind", ["name", "series", "classes", "by", "unit"])
def test_an_error_of_a_lazy_column_quotes_no_cell(kind: str) -> None:
    dask = pytest.importorskip("dask.dataframe")
    frame = dask.from_pandas(pd.DataFrame({"a": [0.0, 1.0], "y": ["1", "a secret"]}), npartitions=2)
    frame["y"] = frame["y"].astype(float)
    fits: dict[str, Any] = {
        "name": lambda: PrivateLinearRegression(**BUDGET).fit(frame, "y"),
        "series": lambda: PrivateLinearRegression(**BUDGET).fit(frame[["a"]], frame["y"]),
        "classes": lambda: PrivateGaussianNB(classes=[0, 1], **BUDGET).fit(frame, "y"),
        "by": lambda: PrivateKMeans(1, by="y", categories=[0, 1], **BUDGET).fit(frame),
        "unit": lambda: PrivateLinearRegression(unit="y", unit_rows=1, **BUDGET).fit(frame.assign(b=1.0), "a"),
    }
    with pytest.raises(DataError) as caught:
        fits[kind]()
    assert "secret" not in "".join(traceback.format_exception(caught.value))


def test_a_target_may_be_a_series_of_dask() -> None:
    dask = pytest.importorskip("dask.dataframe")
    frame = dask.from_pandas(pd.DataFrame({"y": np.arange(5)}), npartitions=2)
    assert target_of(np.zeros((5, 1)), frame["y"]).values.tolist() == [0, 1, 2, 3, 4]


def test_an_error_of_what_makes_itself_an_array_is_not_handed_on() -> None:
    class Lazy:
        def __array__(self, *_: Any, **__: Any) -> Any:
            raise ValueError("a secret")

    with pytest.raises(DataError, match="Lazy, could not be made an array") as caught:
        PrivateKMeans(1, **BUDGET).fit(Lazy())
    assert "secret" not in "".join(traceback.format_exception(caught.value))


def test_a_refusal_does_not_tell_how_long_the_longest_text_is() -> None:
    said = set()
    for text in ("a", "a longer one"):
        with pytest.raises(DpframeError) as caught:
            PrivateLinearRegression(**BUDGET).fit(np.zeros((30, 2)), np.array([text] * 30))
        said.add(str(caught.value))
    assert len(said) == 1


# ------------------------------------------------------------------------------- specs, composites


def test_every_learner_of_the_papers_has_a_class() -> None:
    papers = [n for n in shipped() if n.startswith(("aal21", "arbas23", "kssu19", "bks22"))]
    classes = [c for c in vars(estimators).values() if isinstance(c, type) and issubclass(c, PrivateLearner)]
    assert set(papers) <= {c.SPEC for c in classes}


def test_a_learner_takes_public_rows() -> None:
    rng = np.random.default_rng(4)
    table = rng.normal(size=(5_000, 2)) + 1e6
    how = {k: v for k, v in BUDGET.items() if k != "bound"}
    found = BKS22Gaussian(**how).fit(table, public=table[:4] + 0.1)
    assert found.means_[0] == pytest.approx([1e6, 1e6], abs=0.3)
    assert clone(found).get_params() == found.get_params()
    with pytest.raises(SpecError, match="needs public rows"):
        BKS22Gaussian(**how).fit(table)


def test_a_composite_gets_its_class_in_one_line() -> None:
    found = PrivateEstimator.from_composite("tabular.quantiles")
    model = found(quantiles=[0.5], **BUDGET).fit(np.random.default_rng(5).normal(size=(5_000, 1)))
    assert model.values_[0, 0] == pytest.approx(0.0, abs=0.2)
    assert model.privacy_["epsilon"] <= 1.0
    with pytest.raises(TypeError, match="quantiles"):
        found(**BUDGET)
    with pytest.raises(SpecError, match="did you mean"):
        PrivateEstimator.from_composite("tabular.quantile_s")


def test_a_composite_that_runs_alone_has_the_whole_share(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on the command line: a share without a default was asked for, and no class could be told one."""
    monkeypatch.setattr(registry, "_composites", dict(registry.composites()))

    @dp.composite("stranger.count_alone")
    def _count_alone(x: Any, *, share: float) -> Any:
        """How many rows there are."""
        return dp.release("count", dp.laplace(share=share), dp.count(x))

    how = {"epsilon": 1.0, "delta": None, "adjacency": "add_remove", "simulate": 0}
    model = PrivateEstimator.from_composite("stranger.count_alone")(**how).fit(np.zeros((500, 1)))
    assert model.outputs_["count_alone"][0] == pytest.approx(500.0, abs=40.0)


def test_a_composite_is_pure_where_no_delta_is_given() -> None:
    """What a composite releases is known when it is planned: noise that needs a delta is refused there."""
    histogram = PrivateEstimator.from_composite("histogram")
    how = {**BUDGET, "bound": None, "delta": None, "adjacency": "add_remove", "simulate": 0}
    model = histogram(edges=[0.0, 2.0], noise="laplace", **how).fit(np.ones((500, 1)))
    assert model.privacy_["delta"] == 0.0
    with pytest.raises(DpframeError, match="no finite epsilon"):
        histogram(edges=[0.0, 2.0], noise="gaussian", **how).fit(np.ones((500, 1)))


def test_labels_that_are_found_are_written_as_they_were_and_once_where_they_are_one_class(rows: Any) -> None:
    """1 and 1.0 are one category when classes are declared, so both can't be published as classes."""
    for pair in (["1.0", "2.0"], ["1", "1.0"]):
        y = np.array(pair)[np.arange(len(rows)) % 2]
        found = PrivateGaussianNB(**{**BUDGET, "epsilon": 20.0}).fit(rows, y).classes_.tolist()
        assert found == pair if pair[0] == "1.0" else found in (["1"], ["1.0"])


@pytest.mark.parametrize(("odd", "read"), [(None, np.nan), ("many", np.nan), (10**400, np.nan), ("7", 7.0)])
@pytest.mark.parametrize("at", [0, 5])
def test_a_cell_of_a_list_tells_of_its_row_alone(odd: Any, read: float, at: int) -> None:
    """Among features as in a target: what is no number empties its row."""
    table = np.random.default_rng(0).normal(size=(600, 3))
    how = {**BUDGET, "bound": 100.0}
    for column in (1, 2):
        plain, listed = table.copy(), table.tolist()
        plain[at, column] = read
        listed[at][column] = odd
        wanted = PrivateLinearRegression(**how).fit(plain[:, :2], plain[:, 2])
        found = PrivateLinearRegression(**how).fit([row[:2] for row in listed], [row[2] for row in listed])
        assert found.coef_.tolist() == wanted.coef_.tolist()


@pytest.mark.parametrize(("rows_", "verdict"), [(2_000, "poor"), (N, "unchecked")])
def test_bayes_whose_classes_noise_hides_is_poor(rows_: int, verdict: str) -> None:
    """Every class has rows enough to be counted, and noise misleads all the same (.84 is the best there is)."""
    rng = np.random.default_rng(0)
    labels, rows = rng.integers(0, 2, rows_), rng.normal(size=(rows_, 40))
    rows[:, 0] += 2.0 * labels
    found = PrivateGaussianNB(**BUDGET, classes=[0, 1]).fit(rows, labels)
    assert found.quality_["verdict"] == verdict
    assert ("what tells the classes apart" in found.quality_["why"]) == (verdict == "poor")
    assert (found.score(rows, labels) < 0.78) == (verdict == "poor")


@pytest.mark.parametrize("cls", [PrivateGaussianNB, PrivateLogisticRegression])
@pytest.mark.parametrize(("count", "warned"), [(150, "no label is expected"), (600, "at most one label is expected")])
def test_a_search_that_can_find_no_two_classes_says_so_before_it_spends(cls: Any, count: int, warned: str) -> None:
    """By the public number of rows. Of 600, 570 may be of one class, which is found and is no choice."""
    table, labels = np.arange(2.0 * count).reshape(count, 2), (np.arange(count) % 20 == 0).astype(int)
    told = pytest.warns(UserWarning, match=warned)
    model = cls(**{**BUDGET, "bound": 1e4})
    with told as seen:
        if count == 150:
            with pytest.raises(DpframeError, match="no class stands out"):
                model.fit(table, labels)
            assert "more than 3" in str(seen[0].message)
            return
        assert model.fit(table, labels).classes_.tolist() == [0]
    assert model.quality_["verdict"] == "poor"
    assert "one class alone stands out of the noise, 0" in model.quality_["why"]
