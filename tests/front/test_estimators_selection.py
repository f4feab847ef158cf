"""Fits by a column, pipelines and searches: what they release and what they refuse."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import is_classifier
from sklearn.preprocessing import FunctionTransformer, StandardScaler

import dpframe as dp
from dpframe import estimators as E
from dpframe.errors import BudgetError, DpframeError, RunError, SpecError
from dpframe.estimators import (
    PrivateGaussian,
    PrivateGaussianNB,
    PrivateHistogram,
    PrivateLinearRegression,
    PrivateMean,
    PrivateMixedMixture,
    PrivateSearch,
    PrivateStandardScaler,
    make_private_pipeline,
)
from dpframe.front.estimators.account import NOTE
from dpframe.front.estimators.manners import NotFittedError
from dpframe.proof.checker import verify

BUDGET: dict[str, Any] = {"epsilon": 1.0, "delta": 1e-6, "adjacency": "replace_one", "bound": 100.0, "simulate": 0}


@pytest.fixture(scope="module")
def frame() -> Any:
    rng = np.random.default_rng(0)
    group = rng.integers(0, 3, 12_000)
    return pd.DataFrame({"a": rng.normal(size=12_000) + 5.0 * group, "g": np.array(["u", "v", "w"])[group]})


@pytest.mark.parametrize("adjacency", ["replace_one", "add_remove"])
def test_a_fit_by_a_column_is_one_loss(frame: Any, adjacency: str, tmp_path: Path) -> None:
    path = tmp_path / "g.ledger"
    session = dp.Session(frame, dp.approx_dp(2.0, 1e-6), ledger=path)
    how = {**BUDGET, "adjacency": adjacency, "by": "g", "categories": ["u", "v", "nobody"], "ledger": path}
    found = PrivateHistogram([-4.0, 2.5, 20.0], **how).fit(frame)
    assert list(found.groups_) == ["u", "v", "nobody"]
    assert found.groups_["u"].counts_[0] == pytest.approx([3950, 25], abs=200)
    assert abs(found.groups_["nobody"].counts_).max() < 100
    assert 0.9 < found.privacy_["epsilon"] <= 1.0
    assert found.privacy_["fits"] == 1
    assert len(session.entries) == 1
    assert session.spent["epsilon"] < 1.01
    each = found.plan_.node_loss("groups/body/counts").mu
    assert each == pytest.approx(found.plan_.loss.mu / (1 if adjacency == "add_remove" else np.sqrt(2.0)))
    assert found.groups_["v"].privacy_ == found.privacy_
    found.groups_["u"].fit(frame[["a"]])  # a fit of its own is entered, as any other
    assert len(session.entries) == 2


def test_each_row_asks_its_own_category(frame: Any) -> None:
    how = {**BUDGET, "by": "g", "categories": ["u", "v"]}
    found = PrivateStandardScaler(**how).fit(frame)
    two = frame[frame.g != "w"]
    assert found.transform(two).std() == pytest.approx(1.0, abs=0.1)
    assert (np.isnan(found.transform(frame)).any(axis=1) == (frame.g == "w")).all()  # a pipeline's rows are private
    centres = E.PrivateKMeans(2, **how).fit(frame)
    with pytest.raises(ValueError, match="no category that was fitted"):
        centres.predict(frame)


@pytest.mark.parametrize("categories", [None, "uv", [], ["u", "u"]])
def test_categories_are_declared(frame: Any, categories: Any) -> None:
    model = PrivateMean(**BUDGET, by="g", categories=categories)
    with pytest.raises(SpecError, match="categories"):
        model.fit(frame)
    with pytest.raises(ValueError, match="no column of the table"):
        PrivateMean(**BUDGET, by="h", categories=["u"]).fit(frame)
    assert not hasattr(model, "privacy_")


@pytest.mark.parametrize("adjacency", ["replace_one", "add_remove"])
def test_one_certificate_covers_all_groups(frame: Any, adjacency: str) -> None:
    real = {**BUDGET, "adjacency": adjacency, "simulate": None, "by": "g", "categories": ["u", "v"]}
    found = PrivateHistogram(4, **real).fit(frame)
    assert verify(found.certificate_).verified
    assert found.certificate_["total"]["epsilon"] == found.privacy_["epsilon"]
    assert all(sub.certificate_ == found.certificate_ for sub in found.groups_.values())
    nodes = found.certificate_["graph"]["nodes"]
    assert [(node["operation"], node["parameters"]) for node in nodes] == [("by_category", {"categories": 2})]


BY_KIND: dict[str, tuple[Any, bool]] = {
    "covariance": (lambda how: E.PrivateCovariance(**how), False),
    "Gaussian": (lambda how: E.PrivateGaussian(**how), False),
    "mixture": (lambda how: E.PrivateGaussianMixture(1, **how), False),
    "mixed": (lambda how: E.PrivateMixedMixture(1, categorical={"c": ["r", "s"]}, **how), False),
    "quantiles": (lambda how: E.PrivateQuantiles(**how), False),
    "density": (lambda how: E.PrivateUnivariateDensity(**how), False),
    "PCA": (lambda how: E.PrivatePCA(2, **how), False),
    "k-means": (lambda how: E.PrivateKMeans(1, **how), False),
    "linear": (lambda how: E.PrivateLinearRegression(**how), True),
    "logistic": (lambda how: E.PrivateLogisticRegression(classes=[0, 1], **how), True),
    "naive Bayes": (lambda how: E.PrivateGaussianNB(classes=[0, 1], **how), True),
    "a tree": (lambda how: E.KSSU19PGME(1, sigma_min=0.1, sigma_max=10.0, **{**how, "bound": None}), False),
}
"""Every kind of program: moments, specs, histograms, trees, features beside a target."""
INDEXED = ("mixed", "a tree")
"""Those that ask for replace-one, by a column or not."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "adjacency"),
    [(kind, a) for kind in BY_KIND for a in ("replace_one", "add_remove") if a == "replace_one" or kind not in INDEXED],
)
def test_every_kind_is_fitted_by_a_column(kind: str, adjacency: str) -> None:
    rng = np.random.default_rng(7)
    g = rng.choice(["u", "v"], 9_000)
    X = rng.normal(size=(9_000, 2)) + np.where(g == "u", 0.0, 30.0)[:, None]
    y = (X[:, 0] + rng.normal(size=9_000) > np.where(g == "u", 0.0, 30.0)).astype(int)
    frame = pd.DataFrame(X, columns=["a", "b"]).assign(g=g, c=rng.choice(["r", "s"], 9_000, p=[0.8, 0.2]))
    make, target = BY_KIND[kind]
    how = {**BUDGET, "epsilon": 8.0, "adjacency": adjacency, "by": "g", "categories": ["u", "v"]}
    model = make(how | ({} if kind == "mixed" else {"columns": ["a", "b"]}))
    found = model.fit(frame, y) if target else model.fit(frame)
    assert list(found.groups_) == ["u", "v"]
    assert found.privacy_["epsilon"] <= 8.0
    assert verify(found.plan_.document(simulated=False)).verified
    known = {"mean_", "means_", "theta_", "location_", "cluster_centers_"}
    if kind == "mixture":  # half of the rows are its own
        errors = found.groups_["u"].standard_errors_["means_"]["sampling"]
        assert errors == pytest.approx(np.full((1, 2), np.sqrt(1.0 / (g == "u").sum())), rel=0.15)
    for name in known & set(vars(found.groups_["u"])):
        for category, middle in (("u", 0.0), ("v", 30.0)):
            assert np.mean(getattr(found.groups_[category], name)) == pytest.approx(middle, abs=1.5)


# ------------------------------------------------------------------------------ pipelines, searches


def test_a_pipeline_refuses_what_learns_without_privacy() -> None:
    pipe = make_private_pipeline(FunctionTransformer(np.tanh), PrivateStandardScaler(**BUDGET), PrivateMean(**BUDGET))
    pipe.fit(np.random.default_rng(1).normal(size=(4_000, 2)))
    assert pipe[-1].mean_ == pytest.approx([0.0, 0.0], abs=0.3)
    for bad in (StandardScaler(), StandardScaler().fit(np.zeros((3, 1)))):
        with pytest.raises(SpecError, match=r"StandardScaler.*without privacy.*PrivateStandardScaler"):
            make_private_pipeline(bad, PrivateMean(**BUDGET))
    with pytest.raises(SpecError, match="needs steps"):
        make_private_pipeline()


def test_a_search_chooses_inside_the_budget(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 8_000)
    X = np.column_stack([y * 3.0 + rng.normal(size=8_000), rng.normal(size=8_000)])
    how = {"epsilon": 2.0, "delta": 1e-6, "adjacency": "add_remove"}
    model = PrivateGaussianNB(**{**BUDGET, "adjacency": "add_remove"}, classes=[0, 1])
    path = tmp_path / "s.ledger"
    session = dp.Session(X, dp.approx_dp(3.0, 1e-5), ledger=path)
    search = PrivateSearch(model, {"columns": [[1], [0]]}, **how, simulate=1, ledger=path).fit(X, y)
    assert search.best_params_ == {"columns": [0]}
    assert (search.predict(X[:100, :1]) == y[:100]).mean() > 0.85
    assert search.privacy_["epsilon"] <= 2.0
    assert search.privacy_["delta"] <= 1e-6
    assert search.privacy_["fits"] == 3
    assert len(session.entries) == 3


def test_a_search_enters_its_fits_into_the_ledger_of_what_it_searches(tmp_path: Path) -> None:
    path, X = tmp_path / "s.ledger", np.zeros((500, 1))
    session = dp.Session(X, dp.approx_dp(3.0, 1e-5), ledger=path)
    model = PrivateGaussianNB(**BUDGET, classes=[0, 1], ledger=path)
    how = {"epsilon": 2.0, "delta": 1e-6, "adjacency": "replace_one"}
    search = PrivateSearch(model, {"seed": [0]}, **how, simulate=1).fit(X, np.zeros(500))
    assert search.best_estimator_.ledger == path
    assert len(session.entries) == search.privacy_["fits"] == 2


@pytest.mark.parametrize("classes", [[0, 1], None])
def test_a_search_asks_its_ledger_for_all_that_it_will_spend(tmp_path: Path, classes: Any) -> None:
    """It paid for those candidates that fitted, and had nothing to choose by."""
    path, X = tmp_path / "s.ledger", np.zeros((500, 1))
    session = dp.Session(X, dp.approx_dp(1.0, 1e-5), ledger=path)
    model = PrivateGaussianNB(**BUDGET, classes=classes)
    how: dict[str, Any] = {"delta": 1e-6, "adjacency": "replace_one", "simulate": 1, "ledger": session}
    runs = 4 if classes else 7  # the search for classes is a run
    refused = rf"plan of {runs} runs does not fit .*charged epsilon=[\d.]+.*, what remains is epsilon=0.99"
    search = PrivateSearch(model, {"seed": [0, 1, 2]}, epsilon=6.0, **how)
    with pytest.raises(BudgetError, match=refused):
        search.fit(X, np.zeros(500))
    assert not session.entries
    assert not hasattr(search, "privacy_")
    PrivateMean(**{**BUDGET, "epsilon": 0.5}, ledger=session).fit(X)
    with pytest.raises(BudgetError, match=f"what remains is epsilon={session.remaining['epsilon']:.6g},"):
        search.fit(X, np.zeros(500))
    assert len(session.entries) == 1
    search.set_params(epsilon=0.5, estimator__classes=[0, 1]).fit(X, np.zeros(500))
    assert len(session.entries) == 1 + search.privacy_["fits"] == 5


@pytest.mark.parametrize(
    ("model", "grid", "match"),
    [
        (PrivateGaussianNB(**BUDGET, classes=[0, 1]), {"bound": [9.0, 1e-300]}, "bound must be"),
        (PrivateGaussianNB(**BUDGET, classes=[0, 1]), {"classes": [[0, 1], list(range(200))]}, "1 to 100 labels"),
        pytest.param(
            *(
                E.KSSU19PGME(1, sigma_min=1.0, sigma_max=2.0, **{**BUDGET, "bound": None}),
                {"k": [1, 70]},
                "k must be at most",
            ),
            marks=pytest.mark.slow,
        ),
    ],
)
def test_a_candidate_that_has_no_plan_is_refused_before_one_is_paid(model: Any, grid: Any, match: str) -> None:
    X = np.linspace(-1.0, 1.0, 900)[:, None]
    how: dict[str, Any] = {"epsilon": 1.0, "delta": 1e-6, "adjacency": "replace_one", "simulate": 0}
    search = PrivateSearch(model, grid, **how, score_range=(-9.0, 0.0))
    with pytest.raises(DpframeError, match=match):
        search.fit(X, (X[:, 0] > 0).astype(int))
    assert not hasattr(search, "privacy_")


@pytest.mark.parametrize(
    ("grid", "more", "match"),
    [
        ({"epsilon": [1.0]}, {}, "the search's own"),
        ({"by": [0], "categories": [[0, 1]]}, {}, "the search's own"),
        ({}, {"epsilon": None}, "needs epsilon"),
        ([], {}, "candidates"),
        ({"seed": [0]}, {"share": 1.5}, "share"),
        ({"seed": [0]}, {"simulate": "a"}, "simulate"),
        ({"seed": [0, -1]}, {}, "seed"),
        ({"seed": range(10**6)}, {}, "candidates"),
        ({"seed": 0}, {}, "no list of values"),
        ({"bound": "100"}, {}, "no list of values"),
        ({"seed": np.zeros((1, 1))}, {}, "no list of values"),
        ({0: [1]}, {}, "no list of values"),
        (["seed"], {}, "a dict of lists"),
        (None, {}, "a dict of lists"),
    ],
)
def test_bad_searches_are_refused(grid: Any, more: Any, match: str) -> None:
    how = {"epsilon": 1.0, "delta": 1e-6, "adjacency": "add_remove", **more}
    search = PrivateSearch(PrivateGaussianNB(**BUDGET, classes=[0, 1]), grid, **how)
    with pytest.raises(SpecError, match=match):
        search.fit(np.zeros((9, 2)), np.zeros(9))
    assert not hasattr(search, "privacy_")


@pytest.mark.parametrize("given", [None, 3, "ab", (1,), ("a", "b"), (0, 0), (float("nan"), 1), [0, 1, 2]])
def test_a_range_of_scores_is_two_numbers(given: Any) -> None:
    how = {"epsilon": 1.0, "delta": 1e-6, "adjacency": "add_remove", "score_range": given}
    with pytest.raises(SpecError, match="public range"):
        PrivateSearch(PrivateGaussian(**BUDGET), {"bound": [1.0]}, **how).fit(np.zeros((9, 2)))


def test_a_search_is_what_it_searches() -> None:
    """scikit-learn asks a classifier's tags, its number of features and its score of a search, too."""
    how = {"epsilon": 9.0, "delta": 1e-6, "adjacency": "replace_one", "simulate": 0}
    X = np.repeat([[-1.0], [1.0]], 500, axis=0)
    y = (X[:, 0] > 0).astype(int)
    search = PrivateSearch(PrivateGaussianNB(**BUDGET, classes=[0, 1]), {"seed": [0]}, **how)
    assert is_classifier(search)
    for name in ("score", "n_features_in_"):
        with pytest.raises(NotFittedError):
            getattr(search, name)(X, y)
    search.fit(X, y)
    assert (search.n_features_in_, search.score(X, y)) == (1, 1.0)
    with pytest.raises(AttributeError, match="no attribute 'nope'"):
        search.nope()


def test_a_search_that_was_refused_is_the_last_one_and_one_that_failed_is_none() -> None:
    how = {"epsilon": 9.0, "delta": 1e-6, "adjacency": "replace_one", "simulate": 0, "score_range": (-9.0, 0.0)}
    X = np.repeat([[-1.0], [1.0]], 500, axis=0)
    search = PrivateSearch(PrivateLinearRegression(**BUDGET), {"seed": [0]}, **how).fit(X, X[:, 0])
    said, spent = search.predict(X), search.privacy_["fits"]
    with pytest.raises(SpecError):
        search.set_params(share=3.0).fit(X, X[:, 0])
    assert (search.predict(X) == said).all()
    with pytest.raises(RunError, match="no candidate"):
        search.set_params(share=0.2).fit(np.full((20, 1), np.nan), np.zeros(20))
    assert not hasattr(search, "best_estimator_")
    assert search.privacy_["fits"] == spent + 1


@pytest.mark.slow
def test_a_search_counts_what_it_spent_on_another_estimator() -> None:
    how = {"epsilon": 9.0, "delta": 1e-6, "adjacency": "replace_one", "simulate": 0, "score_range": (-9.0, 0.0)}
    X = np.repeat([[-1.0], [1.0]], 500, axis=0)
    search = PrivateSearch(PrivateLinearRegression(**BUDGET), {"seed": [0]}, **how).fit(X, X[:, 0])
    first = search.privacy_["epsilon"]
    search.set_params(estimator=PrivateLinearRegression(**BUDGET)).fit(X, X[:, 0])
    assert (search.privacy_["fits"], search.privacy_["epsilon"]) == (4, pytest.approx(2 * first))


def test_a_search_refuses_what_no_row_of_numbers_can_be_scored_by() -> None:
    """Each row would be an empty one: the choice would be one by noise alone, at the price of all fits."""
    model = PrivateMixedMixture(1, categorical={1: [0, 1]}, **BUDGET)
    how = {"epsilon": 1.0, "delta": 1e-6, "adjacency": "add_remove", "score_range": (-9.0, 0.0)}
    search = PrivateSearch(model, {"seed": [0, 1]}, **how)
    with pytest.raises(SpecError, match="no score of a row"):
        search.fit(np.zeros((9, 2)))
    assert not hasattr(search, "privacy_")


@pytest.mark.slow
def test_scikit_learn_searches_say_what_is_covered(frame: Any) -> None:
    from sklearn.model_selection import GridSearchCV

    X = frame[["a"]].to_numpy()
    y = (X[:, 0] > 5.0).astype(int)
    found = GridSearchCV(PrivateGaussianNB(**BUDGET, classes=[0, 1]), {"seed": [0, 1]}, cv=2).fit(X, y)
    privacy = found.best_estimator_.privacy_
    assert privacy["fits"] == 5
    assert NOTE in privacy["note"]
    assert privacy["epsilon"] > 4.9
