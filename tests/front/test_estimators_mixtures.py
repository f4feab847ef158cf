"""The mixture's words: criteria, precisions, forms of covariances, labels, tails and standard errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.mixture import GaussianMixture
from sklearn.mixture._gaussian_mixture import _compute_precision_cholesky

from dpframe.errors import SpecError
from dpframe.estimators import PrivateGaussian, PrivateGaussianMixture, PrivateMixedMixture
from dpframe.front.estimators.mixtures import ERRORS

HOW: dict[str, Any] = {"epsilon": 4.0, "delta": 1e-6, "adjacency": "replace_one", "bound": 100.0, "simulate": 1}
FORMS = ["full", "diag", "spherical"]
SHAPES = {"full": (2, 2, 2), "diag": (2, 2), "spherical": (2,)}


@pytest.fixture(scope="module")
def rows() -> Any:
    rng = np.random.default_rng(5)
    return rng.normal(size=(6_000, 2)) * [1.0, 2.0] + 12.0 * rng.integers(0, 2, size=(6_000, 1))


@pytest.fixture(scope="module")
def fitted(rows: Any) -> Any:
    return {form: PrivateGaussianMixture(2, **HOW, covariance_type=form).fit(rows) for form in FORMS}


def theirs(model: PrivateGaussianMixture) -> GaussianMixture:
    """scikit-learn's mixture with our parameters."""
    made = GaussianMixture(2, covariance_type=model.covariance_type)
    made.weights_, made.means_, made.covariances_ = model.weights_, model.means_, model.covariances_
    made.precisions_cholesky_ = _compute_precision_cholesky(made.covariances_, model.covariance_type)
    return made


@pytest.mark.parametrize("form", FORMS)
def test_criteria_and_densities_are_scikit_learns(form: str, fitted: Any, rows: Any) -> None:
    model, other, some = fitted[form], theirs(fitted[form]), rows[:500]
    assert model.covariances_.shape == SHAPES[form]
    assert model.bic(some) == pytest.approx(other.bic(some))
    assert model.aic(some) == pytest.approx(other.aic(some))
    assert model.score_samples(some) == pytest.approx(other.score_samples(some))
    assert model.predict(some).tolist() == other.predict(some).tolist()


@pytest.mark.parametrize("form", FORMS)
def test_precisions_are_inverse_covariances(form: str, fitted: Any) -> None:
    model = fitted[form]
    whole = np.array([np.eye(2)] * 2)
    if form == "full":
        assert model.precisions_ @ model.covariances_ == pytest.approx(whole)
    else:
        assert model.precisions_ * model.covariances_ == pytest.approx(np.ones(SHAPES[form]))


def test_forms_are_read_off_the_same_release(fitted: Any) -> None:
    full, diag, ball = (fitted[form].covariances_ for form in FORMS)
    assert diag == pytest.approx(np.diagonal(full, axis1=1, axis2=2))
    assert ball == pytest.approx(diag.mean(axis=1))
    for wrong in ("tied", ["full"], None):
        with pytest.raises(SpecError, match="covariance_type must be one of"):
            PrivateGaussianMixture(2, **HOW, covariance_type=wrong).fit(np.zeros((9, 2)))


@pytest.mark.parametrize("form", FORMS)
def test_standard_errors_have_the_form_of_what_they_are_of(form: str, fitted: Any) -> None:
    """That they are honest is seen in ``tests/planning/test_uncertainty.py``."""
    model = fitted[form]
    for name in ("weights_", "means_", "covariances_"):
        for kind in ("noise", "sampling"):
            assert model.standard_errors_[name][kind].shape == getattr(model, name).shape
    order = np.argsort(model.means_[:, 0])
    errors = np.hypot(*model.standard_errors_["means_"].values())[order]
    assert (np.abs(model.means_[order] - [[0.0, 0.0], [12.0, 12.0]]) < 6 * errors).all()


def test_the_error_of_a_mean_of_variances_counts_them_as_independent() -> None:
    assert ERRORS["spherical"](np.array([np.diag([3.0, 4.0])])) == pytest.approx([2.5])


def test_a_gaussian_has_standard_errors_and_a_private_number_of_rows_none(rows: Any) -> None:
    some = rows[:, :1]
    found = PrivateGaussian(**HOW).fit(some)
    assert set(found.standard_errors_) == {"mean_", "covariance_"}
    assert abs(found.mean_ - some.mean()) < 6 * found.standard_errors_["mean_"]["noise"] + 0.05
    assert PrivateGaussian(**{**HOW, "adjacency": "add_remove"}).fit(some).standard_errors_ == {}


def test_fit_predict_labels_the_same_rows(rows: Any, fitted: Any) -> None:
    labels = PrivateGaussianMixture(2, **HOW).fit_predict(rows)
    assert (labels == fitted["full"].predict(rows)).all()
    assert not hasattr(fitted["full"], "labels_")


def test_a_tail_comes_last_and_reaches_far(rows: Any, fitted: Any) -> None:
    model = PrivateGaussianMixture(2, **HOW, tail=True).fit(rows)
    assert model.weights_.shape == (10,)
    assert model.weights_[2:].sum() == pytest.approx(0.02)
    assert model.means_[:2] == pytest.approx(fitted["full"].means_)
    far = np.array([[60.0, -60.0]])
    assert model.score_samples(far) > fitted["full"].score_samples(far) + 100.0
    assert model.bic(rows[:99]) > -2.0 * model.score_samples(rows[:99]).sum()
    assert model.standard_errors_ == {}


# ------------------------------------------------------------------------------------------- k_max


@pytest.mark.slow
def test_the_number_of_components_is_chosen_and_what_is_public_of_the_choice_is_told(rows: Any) -> None:
    model = PrivateGaussianMixture(k_max=4, **HOW).fit(rows)
    assert model.n_components_ == 2 == len(model.weights_)
    told = model.choice_
    assert (told["k"], told["candidates"], told["range"], told["confidence"]) == (2, [1, 2, 3, 4], 1.0, 0.99)
    rate = next(made["rate"] for path, made in model.plan_.calibrations.items() if path[-1].endswith("chosen_k"))
    assert told["margin"] == pytest.approx(np.log(7 / 0.01) / rate)
    assert 0.0 < told["margin"] < len(rows)
    assert model.privacy_["epsilon"] <= HOW["epsilon"]
    assert sorted(model.predict(rows[:500])) != [0] * 500


def test_one_component_at_most_is_no_choice(rows: Any) -> None:
    model = PrivateGaussianMixture(k_max=1, **HOW).fit(rows)
    assert (model.choice_["k"], model.choice_["margin"]) == (1, 0.0)
    assert model.set_params(n_components=1, k_max=None).fit(rows).n_components_ == 1
    assert not hasattr(model, "choice_")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({}, "n_components or k_max, and neither is given"),
        ({"n_components": 2, "k_max": 3}, "both are given"),
        ({"k_max": 3, "tail": True}, "a tail is for a given number"),
        ({"k_max": 65}, "at most 64"),
        ({"k_max": 2.5}, "k_max"),
        ({"k_max": True}, "k_max"),
    ],
)
def test_where_the_number_can_not_be_chosen(rows: Any, wrong: dict[str, Any], said: str) -> None:
    model = PrivateGaussianMixture(**HOW, **wrong)
    with pytest.raises(SpecError, match=said):
        model.fit(rows)
    assert not hasattr(model, "privacy_")
    with pytest.raises(TypeError):
        PrivateMixedMixture(k_max=2, categorical={0: [1]}, **HOW)
