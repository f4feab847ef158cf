"""``unit=`` and ``unit_rows=`` of estimators: what is protected, what fits, and what is refused and spends nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import dpframe as dp
from dpframe import estimators as E
from dpframe.errors import DpframeError, PlanError, SpecError
from dpframe.front.estimators import units
from dpframe.proof.checker import verify
from dpframe.proof.spaces import GaussianValue
from dpframe.runtime.sources import ByUnit, Joined, Piece, Values
from dpframe.testing.audit.in_situ import in_situ

EACH, UNITS = 3, 2000
BUDGET: dict[str, Any] = {"epsilon": 1.0, "delta": 1e-6, "adjacency": "replace_one", "simulate": 0}
UNIT: dict[str, Any] = {**BUDGET, "unit": "user", "unit_rows": EACH}


@pytest.fixture(scope="module")
def frame() -> Any:
    """Users of one to five rows, mixed: two numbers, a target and a class."""
    rng = np.random.default_rng(0)
    ids = np.repeat(np.arange(UNITS), rng.integers(1, 6, UNITS))
    rng.shuffle(ids)
    a, b = rng.normal(size=(2, len(ids))) + np.array([[3.0], [-2.0]])
    y = a - 2.0 * b + rng.normal(size=len(ids))
    return pd.DataFrame({"a": a, "user": [f"u{i}" for i in ids], "b": b, "y": y, "c": np.where(a > 3, "hi", "lo")})


def only(frame: Any) -> Any:
    return frame[["a", "user", "b"]]


FITS: dict[str, Any] = {
    "mean": lambda f: E.PrivateMean(**UNIT, bound=100.0).fit(only(f)),
    "mean of comings and goings": lambda f: E.PrivateMean(**{**UNIT, "adjacency": "add_remove"}, bound=9.0).fit(
        only(f)
    ),
    "histogram": lambda f: E.PrivateHistogram([-5.0, 0.0, 5.0], **UNIT).fit(only(f)),
    "quantiles": lambda f: E.PrivateQuantiles([0.5], **UNIT, bound=100.0).fit(only(f)),
    "components": lambda f: E.PrivatePCA(1, **UNIT, bound=100.0).fit(only(f)),
    "mixture": lambda f: E.PrivateGaussianMixture(1, **UNIT, bound=100.0, columns=["a", "b"]).fit(f),
    "with categories": lambda f: E.PrivateMixedMixture(
        1, **UNIT, bound=100.0, categorical={"c": ["hi", "lo"]}, columns=["a", "b"]
    ).fit(f),
    "parts by a rule": lambda f: E.PrivateKMeans(2, **UNIT, bound=20.0).fit(only(f)),
    "classes that are found": lambda f: E.PrivateGaussianNB(**UNIT, bound=20.0, columns=["a", "b"]).fit(f, "c"),
    "regression": lambda f: E.PrivateLinearRegression(**UNIT, bound=1e3, columns=["a", "b"]).fit(f, "y"),
}


@pytest.mark.parametrize("name", FITS)
def test_a_fit_protects_units(name: str, frame: Any) -> None:
    found = FITS[name](frame)
    assert (found.privacy_["unit"], found.privacy_["unit_rows"]) == ("user", EACH)
    assert found.plan_.adjacency.edits[0].removed == EACH
    assert verify(found.plan_.document(simulated=False)).verified
    assert "user" not in getattr(found, "feature_names_in_", [])


# What is refused before the first row, with the one reason.
REFUSED: dict[str, tuple[Any, str]] = {
    "no number of rows": (
        lambda f: E.PrivateMean(**BUDGET, bound=9.0, unit="user").fit(only(f)),
        "'unit_rows' is missing",
    ),
    "no column": (lambda f: E.PrivateMean(**BUDGET, bound=9.0, unit_rows=2).fit(only(f)), "'unit' is missing"),
    "no slot": (lambda f: E.PrivateMean(**{**UNIT, "unit_rows": 0}, bound=9.0).fit(only(f)), "'unit_rows' must be"),
    "a flag": (lambda f: E.PrivateMean(**{**UNIT, "unit": True}, bound=9.0).fit(only(f)), "'unit' must be"),
    "an unknown column": (
        lambda f: E.PrivateMean(**{**UNIT, "unit": "usr"}, bound=9.0).fit(only(f)),
        "no column 'usr'",
    ),
    "a column of data": (
        lambda f: E.PrivateMean(**UNIT, bound=9.0, columns=["a", "user"]).fit(f),
        "is no column of data",
    ),
    "a feature": (
        lambda f: E.PrivateLinearRegression(**{**UNIT, "unit": "a"}, bound=9.0, columns=["a", "b"]).fit(f, "y"),
        "is no column of data",
    ),
    "the target": (
        lambda f: E.PrivateLinearRegression(**{**UNIT, "unit": "y"}, bound=9.0, columns=["a", "b"]).fit(f, "y"),
        "is no column of data",
    ),
    "categories of a column": (
        lambda f: E.PrivateMean(**UNIT, bound=9.0, by="c", categories=["hi"]).fit(f),
        "may be of several categories",
    ),
    "many rows in parts by a rule, after a search": (
        lambda f: E.PrivateGaussianNB(**{**UNIT, "unit_rows": 40}, bound=9.0, columns=["a", "b"]).fit(f, "c"),
        "in too many ways",
    ),
    "many rows in parts by a rule": (
        lambda f: E.PrivateKMeans(5, **{**UNIT, "unit_rows": 9}, bound=9.0).fit(only(f)),
        "in too many ways",
    ),
    "divisions": (
        lambda f: E.KSSU19PGME(2, **UNIT, sigma_min=0.1, sigma_max=9.0).fit(only(f)),
        "single-row edits only",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_spends_nothing(name: str, frame: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    fit, words = REFUSED[name]
    spent: list[Any] = []
    monkeypatch.setattr("dpframe.front.estimators.account.Account.enter", lambda self, entry: spent.append(entry))
    with pytest.raises(DpframeError, match=words):
        fit(frame)
    assert spent == []


def test_the_same_from_every_form_of_a_table(frame: Any, tmp_path: Path) -> None:
    """A target by name or by itself, a file, an array whose columns have no names."""
    only(frame).assign(y=frame.y).to_csv(tmp_path / "t.csv", index=False)
    how = {**UNIT, "bound": 1e3}
    wanted = E.PrivateLinearRegression(**how).fit(only(frame).assign(y=frame.y), "y").coef_
    ids = frame.user.str[1:].astype(float)
    given = [
        (how, only(frame), frame.y),
        (how, only(frame), frame.y.to_numpy()),
        (how, tmp_path / "t.csv", "y"),
    ]
    for words, X, y in given:
        np.testing.assert_array_equal(E.PrivateLinearRegression(**words).fit(X, y).coef_, wanted)
    array = np.column_stack([frame.a, 10_000 + ids, frame.b])
    found = E.PrivateMean(**{**UNIT, "unit": 1}, bound=100.0).fit(array)
    named = only(frame).assign(user=10_000 + ids)
    np.testing.assert_array_equal(found.mean_, E.PrivateMean(**UNIT, bound=100.0).fit(named).mean_)
    scaler = E.PrivateStandardScaler(**{**UNIT, "unit": 1}, bound=100.0)
    np.testing.assert_array_equal(scaler.fit_transform(array), scaler.transform(array[:, [0, 2]]))


def test_no_unit_shows_more_than_is_certified() -> None:
    """A joined table, whose ids stand beside it: all rows of one unit, features and targets, are others."""
    rng = np.random.default_rng(1)
    ids = np.tile(np.array([f"u{i}" for i in range(200)], dtype=object), 4)
    rows = rng.normal(size=(800, 2))
    planned = E.PrivateLinearRegression(**UNIT, bound=50.0)._plan_for(3, 200 * EACH)

    def table(unit: str | None, far: float) -> Any:
        features, target = rows.copy(), rows @ [1.0, 2.0]
        features[ids == unit], target[ids == unit] = far, -far
        return ByUnit(Values(ids), Joined((Piece(features), Piece(Values(target)))))

    for first, second in (((None, 0.0), ("u7", 1e9)), (("u7", 1e9), ("u7", -1e9)), (("u0", 1e9), ("u0", np.nan))):
        assert in_situ(planned, {"x": table(*first)}, {"x": table(*second)}) == []


def test_another_units_row_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The broken twin of the test above: slots by the place in the table."""
    monkeypatch.setattr(
        "dpframe.runtime.sources.units.slots", lambda place, each: np.minimum(np.arange(len(place)) % each, place)
    )
    with pytest.raises(AssertionError):
        test_no_unit_shows_more_than_is_certified()


def test_ids_beside_a_table_are_for_units_only() -> None:
    plan = E.PrivateMean(**BUDGET, bound=9.0)._plan_for(1, 4)
    table = ByUnit(Values(np.zeros(4)), np.zeros((4, 1)))
    with pytest.raises(DpframeError, match="is of units of rows"):
        plan.run(x=table, simulate=1)


def test_a_ledger_of_units_takes_their_fits_alone(frame: Any, tmp_path: Path) -> None:
    relation = dp.unit_level("replace_one", unit="user", rows=EACH)
    session = dp.Session(only(frame), dp.approx_dp(3.0, 1e-5), adjacency=relation, ledger=tmp_path / "l")
    E.PrivateMean(**UNIT, bound=100.0, ledger=tmp_path / "l").fit(only(frame))
    assert len(session.entries) == 1
    with pytest.raises(PlanError, match="counts under replace_one of one unit"):
        E.PrivateMean(**BUDGET, bound=100.0, ledger=tmp_path / "l").fit(frame[["a", "b"]])


def test_fits_for_different_units_have_no_common_total(frame: Any) -> None:
    model = E.PrivateHistogram([-5.0, 0.0, 5.0], **UNIT).fit(only(frame))
    model.fit(only(frame))
    assert (model.privacy_["adjacency"], model.privacy_["unit"]) == ("replace_one", "user")
    for other in ({"unit_rows": EACH + 1}, {"unit": None, "unit_rows": None}):
        told = E.PrivateHistogram([-5.0, 0.0, 5.0], **UNIT).fit(only(frame)).set_params(columns=["a", "b"], **other)
        total = told.fit(only(frame)).privacy_
        assert (total["adjacency"], total["epsilon"], "unit" in total) == ("mixed", np.inf, False)


def test_a_search_protects_the_units_of_its_estimator(frame: Any) -> None:
    search = E.PrivateSearch(
        E.PrivateLinearRegression(**UNIT, bound=1e3, columns=["a", "b"]),
        {"tight": [False, True]},
        **{**BUDGET, "epsilon": 4.0},
        score_range=(-5.0, 0.0),
    )
    search.fit(frame, "y")
    assert search.privacy_["unit"] == "user"
    assert search.privacy_["fits"] == 3
    assert search.best_estimator_.coef_ == pytest.approx([1.0, -2.0], abs=0.5)


def test_one_step_of_a_pipeline_may_protect_units() -> None:
    scaler, mean = E.PrivateStandardScaler(**UNIT, bound=9.0), E.PrivateMean(**UNIT, bound=9.0)
    assert len(E.make_private_pipeline(mean).steps) == 1
    with pytest.raises(SpecError, match="have lost their unit"):
        E.make_private_pipeline(scaler, mean)


def test_a_search_that_finds_no_class_says_so(frame: Any) -> None:
    warned = pytest.warns(UserWarning, match="no label is expected")
    with warned, pytest.raises(DpframeError, match="no class stands out"):
        E.PrivateGaussianNB(**{**UNIT, "epsilon": 0.01}, bound=20.0, columns=["a", "b"]).fit(frame, "c")


def test_a_spec_of_several_outputs_has_an_estimator(monkeypatch: pytest.MonkeyPatch) -> None:
    one = GaussianValue(np.zeros(1), np.eye(1))
    monkeypatch.setattr(E.ARBAS23Gaussian, "_fit", lambda *a, **k: {"gaussian": one, "mixture": None})
    assert E.ARBAS23Gaussian(**BUDGET).fit(np.zeros((4, 1))).means_.tolist() == [[0.0]]


def test_units_are_parameters_of_every_estimator() -> None:
    for name in E.__all__:
        made = getattr(E, name)
        if isinstance(made, type) and hasattr(made, "_choices") and made is not E.PrivateEstimator:
            assert set(units.KEYS) <= set(made._get_param_names()), name
