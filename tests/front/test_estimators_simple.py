"""Estimators of moments and counts: what they release, their manners, their account."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator, clone
from sklearn.exceptions import NotFittedError

import dpframe as dp
from dpframe.errors import BudgetError, DpframeError, RunError, SpecError
from dpframe.estimators import (
    PrivateCovariance,
    PrivateEstimator,
    PrivateHistogram,
    PrivateMean,
    PrivatePCA,
    PrivateQuantiles,
    PrivateStandardScaler,
    PrivateUnivariateDensity,
)
from dpframe.proof.checker import verify

BUDGET: dict[str, Any] = {"epsilon": 1.0, "delta": 1e-6, "adjacency": "replace_one", "bound": 1e4}
SCALES = np.array([10.0, 3.0, 1.0])
SIMPLE = [
    PrivateCovariance, PrivateHistogram, PrivateMean, PrivatePCA, PrivateQuantiles, PrivateStandardScaler,
    PrivateUnivariateDensity,
]  # fmt: skip


@pytest.fixture(scope="module")
def rows() -> Any:
    return np.random.default_rng(5).normal(size=(20_000, 3)) * SCALES + 5.0


def test_mean_and_covariance(rows: Any) -> None:
    mean = PrivateMean(**BUDGET, simulate=1).fit(rows)
    error = mean.standard_errors_["mean_"]
    assert (np.abs(mean.mean_ - rows.mean(axis=0)) < 6 * error["noise"] + 0.02 * SCALES).all()
    assert error["sampling"] == pytest.approx(SCALES / np.sqrt(20_000), rel=0.1)
    found = PrivateCovariance(**BUDGET, simulate=1).fit(rows)
    assert found.covariance_ == pytest.approx(np.diag(SCALES**2), abs=8.0)


@pytest.mark.filterwarnings("error")
def test_errors_of_covariances_of_huge_numbers_stay_in_floating_point(rows: Any) -> None:
    """Their squares do not."""
    found = PrivateCovariance(**{**BUDGET, "bound": 1e84}, simulate=1).fit(1e80 * rows)
    sampling = found.standard_errors_["covariance_"]["sampling"]
    assert np.diagonal(sampling) == pytest.approx(1e160 * SCALES**2 * np.sqrt(2 / 20_000), rel=0.2)


def test_a_scaler_and_components(rows: Any) -> None:
    scaler = PrivateStandardScaler(**BUDGET, simulate=1).fit(rows)
    assert scaler.transform(rows).std(axis=0) == pytest.approx([1.0] * 3, abs=0.1)
    assert scaler.inverse_transform(scaler.transform(rows[:4])) == pytest.approx(rows[:4])
    pca = PrivatePCA(2, **BUDGET, simulate=1).fit(rows)
    assert np.abs(pca.components_) == pytest.approx(np.eye(3)[:2], abs=0.05)
    assert pca.transform(rows[:4]).shape == (4, 2)
    assert pca.get_feature_names_out().tolist() == ["privatepca0", "privatepca1"]


@pytest.mark.parametrize("delta", [None, 1e-6])
def test_a_histogram_by_declared_bins(rows: Any, delta: float | None) -> None:
    how = {"epsilon": 1.0, "delta": delta, "adjacency": "add_remove", "simulate": 1}
    found = PrivateHistogram([-10.0, 0.0, 5.0, 30.0], **how).fit(rows)
    expected = np.array([np.histogram(column, [-10.0, 0.0, 5.0, 30.0])[0] for column in rows.T])
    assert np.abs(found.counts_ - expected).max() < 20 * found.standard_errors_["counts_"]["noise"].max()
    assert (found.counts_.sum(axis=1) + found.below_ + found.above_) == pytest.approx([20_000] * 3, abs=200)
    assert ("delta" not in found.privacy_) or found.privacy_["delta"] == (delta or 0.0)


def test_a_density_and_quantiles(rows: Any) -> None:
    found = PrivateUnivariateDensity(**BUDGET, simulate=1).fit(rows[:, :1])
    truth = -np.log(10.0 * np.sqrt(2 * np.pi)) - 0.5
    inside = rows[np.isfinite(found.score_samples(rows[:, :1]))][:, :1]
    assert found.score(inside) == pytest.approx(truth, abs=0.05)
    assert found.sample(50, seed=1).shape == (50, 1)
    quartiles = PrivateQuantiles(**BUDGET, simulate=1).fit(rows).quantiles_
    assert quartiles == pytest.approx(np.quantile(rows, [0.25, 0.5, 0.75], axis=0).T, abs=1.0)


def test_a_real_fit_verifies(rows: Any) -> None:
    model = PrivateMean(epsilon=None, delta=None, rho=0.5, adjacency="add_remove", bound=1e4).fit(rows)
    assert verify(model.certificate_).verified
    assert 0.4 < model.privacy_["rho"] <= 0.5
    assert model.privacy_["fits"] == 1


WRONG: list[tuple[type, tuple[Any, ...], dict[str, Any]]] = [
    (PrivateMean, (), {"epsilon": None}),
    (PrivateMean, (), {"rho": 0.5}),
    (PrivateMean, (), {"bound": None}),
    (PrivateMean, (), {"tight": "yes"}),
    (PrivateMean, (), {"seed": -1}),
    (PrivatePCA, (0,), {}),
    (PrivatePCA, (4,), {}),
    (PrivateHistogram, ([1.0, 0.0],), {}),
    (PrivateHistogram, ([],), {}),
    (PrivateHistogram, ("many",), {}),
    (PrivateHistogram, (4,), {"bound": None}),
    (PrivateQuantiles, ([1.5],), {}),
    (PrivateQuantiles, ("q",), {}),
]


@pytest.mark.parametrize(("cls", "args", "wrong"), WRONG)
def test_bad_input_is_refused_before_anything_is_spent(cls: Any, args: Any, wrong: Any, rows: Any) -> None:
    model = cls(*args, **{**BUDGET, **wrong})
    with pytest.raises(DpframeError, match="Fix: ") as caught:
        model.fit(rows)
    assert isinstance(caught.value, ValueError)
    assert not hasattr(model, "privacy_")


BAD = [np.zeros((5, 0)), np.zeros(5), np.zeros((5, 2), dtype=complex), np.zeros((1, 2)), "no.csv"]


@pytest.mark.parametrize("X", BAD)
@pytest.mark.parametrize("cls", [PrivateMean, PrivateHistogram])
def test_bad_tables_are_refused(cls: Any, X: Any) -> None:
    model = cls(**BUDGET)
    with pytest.raises(ValueError, match="Fix: "):
        model.fit(X)
    assert not hasattr(model, "privacy_")


@pytest.mark.parametrize("cls", SIMPLE)
def test_manners(cls: Any) -> None:
    model = cls(**BUDGET)
    assert isinstance(model, BaseEstimator)
    assert clone(model).get_params() == model.get_params()
    with pytest.raises(NotFittedError):
        _ = model.privacy_
    with pytest.raises(SpecError, match="did you mean 'epsilon'"):
        model.set_params(epsilonn=1)


# ------------------------------------------------------------------------------------- the account


def test_clones_and_copies_share_one_account(rows: Any) -> None:
    rows = rows[:100]
    first = PrivateHistogram(4, **BUDGET, simulate=1).fit(rows)
    alone = first.privacy_["epsilon"]
    assert "note" not in first.privacy_
    second, third = clone(first), copy.deepcopy(first)
    second.fit(rows)
    for one in (first, second, third):
        assert one.privacy_["fits"] == 2
        assert 2 * alone <= one.privacy_["epsilon"] < 2.0001 * alone
        assert "covers the fits, not the selection or the scores" in one.privacy_["note"]
    apart = pickle.loads(pickle.dumps(second))
    assert "other processes" in apart.privacy_["note"]
    third.set_params(adjacency="add_remove").fit(rows)
    assert first.privacy_["adjacency"] == "mixed"
    assert first.privacy_["epsilon"] == np.inf


def test_a_ledger_counts_fits_and_refuses_what_does_not_fit(rows: Any, tmp_path: Path) -> None:
    path = tmp_path / "rows.ledger"
    session = dp.Session(rows, dp.approx_dp(2.0, 1e-6), ledger=path)
    PrivateHistogram(4, **BUDGET, simulate=1, ledger=path).fit(rows)
    PrivateHistogram(4, **{**BUDGET, "epsilon": 0.1}, simulate=1, ledger=session).fit(rows)
    assert len(session.entries) == 2
    assert 1.0 < session.spent["epsilon"] < 2.0
    greedy = clone(PrivateHistogram(4, **{**BUDGET, "epsilon": 2.0}, ledger=session))
    with pytest.raises(BudgetError, match="does not fit the ledger"):
        greedy.fit(rows)
    assert not hasattr(greedy, "privacy_")
    with pytest.raises(DpframeError):
        PrivateMean(**BUDGET, ledger=tmp_path / "none.ledger").fit(rows)


def test_a_fit_that_failed_shows_nothing_of_an_earlier_one(rows: Any) -> None:
    """What a seed made would stand beside a certificate of secure noise."""
    model = PrivateMean(**BUDGET, simulate=1).fit(rows)
    with pytest.raises(RunError, match="after spending"):
        model.set_params(simulate=None).fit(np.full((20, 3), np.nan))
    assert (model.simulated_, model.certificate_["status"], model.privacy_["fits"]) == (False, "failed", 2)
    left = {name for name in vars(model) if name.endswith("_") and not name.startswith("_")}
    assert left == {"certificate_", "plan_", "simulated_"}
    with pytest.raises(NotFittedError):
        model._rows(rows)


def test_a_class_needs_a_program(rows: Any) -> None:
    class Odd(PrivateEstimator):
        def fit(self, X: Any) -> Any:
            return self._fit(X)

    with pytest.raises(SpecError, match="names no program"):
        Odd(**BUDGET).fit(rows)


def test_a_page_says_what_was_spent(rows: Any) -> None:
    mean = PrivateMean(**BUDGET, simulate=1, columns=["<b>", "y", "z"])
    before = mean._repr_html_()
    assert "nothing is spent" in before
    assert "<b>" not in before
    mean.set_params(columns=None).fit(rows)
    clone(mean).fit(rows)
    page = mean._repr_mimebundle_()["text/html"]
    assert all(word in page for word in ("replace_one", "fits=2", "verdict", "never publish"))
    assert str(mean.mean_[0]) not in page
    assert mean._repr_mimebundle_()["text/plain"] == repr(mean)
