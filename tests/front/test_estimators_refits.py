"""Fits one after the other: a refused one changes nothing, and no attribute of another fit stands beside a new one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpframe as dp
from dpframe.errors import BudgetError, DataError, SpecError
from dpframe.estimators import (
    PrivateGaussian,
    PrivateGaussianNB,
    PrivateKMeans,
    PrivateMean,
    PrivatePCA,
    PrivateStandardScaler,
    PrivateUnivariateDensity,
)
from dpframe.front.estimators.manners import NotFittedError
from dpframe.front.ledger import Booking

HOW: dict[str, Any] = {"epsilon": 5.0, "delta": 1e-6, "adjacency": "replace_one", "bound": 100.0, "simulate": 0}
BY: dict[str, Any] = {"by": 2, "categories": [0.0, 1.0]}
WITHOUT: dict[str, Any] = {"by": None, "categories": None, "columns": [0, 1]}


@pytest.fixture(scope="module")
def rows() -> Any:
    made = np.random.default_rng(0).normal(size=(2000, 3))
    made[:, 2] = made[:, 0] > 0
    return made


def fitted(model: Any) -> dict[str, Any]:
    """What a fit left."""
    return {k: v for k, v in vars(model).items() if k == "_columns" or (k.endswith("_") and not k.startswith("_"))}


@pytest.mark.parametrize("classes", [None, ["left", "right"]])
def test_a_refused_fit_leaves_the_classes_of_the_model(rows: Any, classes: list[str] | None) -> None:
    """Labels that no model knows, or none at all, would be what is predicted."""
    y = rows[:, 2].astype(int)
    model = PrivateGaussianNB(**HOW, classes=[0, 1]).fit(rows[:, :2], y)
    before, said = fitted(model), model.predict(rows[:9, :2])
    with pytest.raises(DataError, match="n_samples = 1"):
        model.set_params(classes=classes).fit(rows[:1, :2], y[:1])
    assert fitted(model) == before
    assert model.predict(rows[:9, :2]).tolist() == said.tolist()


def test_a_refused_fit_leaves_the_plan_of_the_last(rows: Any, tmp_path: Path) -> None:
    """Its certificate and its plan are of one fit."""
    path = tmp_path / "small.ledger"
    session = dp.Session(rows, dp.approx_dp(5.5, 1e-5), ledger=path)
    model = PrivateMean(**HOW, ledger=path).fit(rows)
    before = fitted(model)
    with pytest.raises(BudgetError):
        model.set_params(epsilon=5.4).fit(rows)
    assert fitted(model) == before
    assert model.plan_.budget.epsilon == 5.0
    assert (len(session.entries), model.privacy_["fits"]) == (1, 1)


@pytest.mark.parametrize("limit", [3.0, 4.5])
def test_a_search_does_not_spend_where_the_model_will_not_fit(rows: Any, tmp_path: Path, limit: float) -> None:
    """Of 4.5 there is enough for the model by itself, not after its search."""
    path = tmp_path / "small.ledger"
    session = dp.Session(rows, dp.approx_dp(limit, 1e-6), ledger=path)
    model = PrivateGaussianNB(**HOW, ledger=path)
    with pytest.raises(BudgetError):
        model.fit(rows[:, :2], rows[:, 2].astype(int))
    assert session.entries == ()
    assert fitted(model) == {}
    assert "_later" not in vars(model)


def test_a_fit_refused_after_its_search_had_spent_is_no_model(
    rows: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where another process books in between: it is unfitted, and says what was spent."""
    path = tmp_path / "small.ledger"
    dp.Session(rows, dp.approx_dp(3.0, 1e-5), ledger=path)
    model = PrivateGaussianNB(**HOW, ledger=path)
    monkeypatch.setattr(Booking, "check", lambda *later: None)
    with pytest.raises(BudgetError):
        model.fit(rows[:, :2], rows[:, 2].astype(int))
    assert set(fitted(model)) == {"plan_", "certificate_", "simulated_"}
    assert model.privacy_["fits"] == 1
    assert model.plan_.budget.epsilon < 1.0
    with pytest.raises(NotFittedError, match="not fitted"):
        model.predict(rows[:, :2])


def test_no_attribute_of_another_fit_is_left(rows: Any) -> None:
    model = PrivateMean(**HOW, **BY).fit(rows)
    assert set(model.groups_) == {0.0, 1.0}
    model.set_params(**WITHOUT).fit(rows)
    assert not hasattr(model, "groups_")
    assert not hasattr(model, "failed_")
    assert hasattr(model, "mean_")
    model.set_params(**BY, columns=None).fit(rows)
    assert not hasattr(model, "mean_")
    assert hasattr(model, "groups_")


def test_a_fit_around_its_parents_keeps_what_it_set(rows: Any) -> None:
    class Told(PrivateMean):
        def fit(self, X: Any, y: Any = None) -> Any:
            self.told_ = "before"
            return super().fit(X)

    model = Told(**HOW).fit(rows)
    assert model.told_ == "before"
    assert "_fitting" not in vars(model)


OWN: list[tuple[Any, Callable[[Any], Any]]] = [
    (PrivatePCA(1, **HOW, **BY), lambda model: model.inverse_transform([[1.0]])),
    (PrivateKMeans(2, **HOW, **BY), lambda model: model.score([[1.0, 2.0]])),
    (PrivateStandardScaler(**HOW, **BY), lambda model: model.inverse_transform([[1.0, 2.0]])),
    (PrivateGaussian(**HOW, **BY), lambda model: model.sample(3)),
]


@pytest.mark.parametrize(("model", "ask"), OWN, ids=[type(model).__name__ for model, _ in OWN])
def test_what_each_category_has_of_its_own_is_asked_of_it(rows: Any, model: Any, ask: Callable[[Any], Any]) -> None:
    model.fit(rows)
    with pytest.raises(NotFittedError, match=r"fitted by 2.*groups_\[category\]"):
        ask(model)
    assert ask(model.groups_[0.0]) is not None


@pytest.mark.parametrize("model", [PrivatePCA(1, **HOW, **BY), PrivateKMeans(2, **HOW, **BY)], ids=["pca", "kmeans"])
def test_columns_of_a_transform_by_category_have_names(rows: Any, model: Any) -> None:
    made = model.fit(rows).transform(rows)
    assert len(model.get_feature_names_out()) == made.shape[1]


@pytest.mark.parametrize(("n", "seed", "wrong"), [(0, 0, "n_samples"), (1, -1, "seed"), (1, "a", "seed")])
def test_what_can_not_be_drawn_is_refused(n: Any, seed: Any, wrong: str) -> None:
    density, gaussian = PrivateUnivariateDensity(**HOW), PrivateGaussian(**HOW)
    density.n_features_in_ = gaussian.n_features_in_ = 1
    density.edges_, density.masses_ = np.array([[0.0, 1.0]]), np.ones((1, 1))
    gaussian.mean_, gaussian.covariance_ = np.zeros(1), np.eye(1)
    for model in (density, gaussian):
        assert model.sample(2, seed=0).shape == (2, 1)
        with pytest.raises(ValueError, match=wrong) as caught:
            model.sample(n, seed=seed)
        assert isinstance(caught.value, SpecError)
