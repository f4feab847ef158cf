"""The estimators: no default where a privacy choice hides, scikit-learn's manners, and what they find."""

from __future__ import annotations

import inspect
import subprocess
import sys
import tracemalloc
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.stats import multivariate_normal
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.validation import check_is_fitted

from dpframe.errors import DataError, DpframeError, RunError, SpecError
from dpframe.front.estimators import PrivateGaussian, PrivateGaussianMixture
from dpframe.proof.checker import verify

BUDGET = {"epsilon": 1.0, "delta": 1e-6, "adjacency": "replace_one", "bound": 100.0}
CENTRES = np.array([[0.0, 0.0], [10.0, 10.0]])


@pytest.fixture(scope="module")
def rows() -> np.ndarray[Any, Any]:
    rng = np.random.default_rng(5)
    return rng.standard_normal((20_000, 2)) + CENTRES[rng.integers(0, 2, 20_000)]


@pytest.fixture(scope="module")
def mixture(rows: Any) -> PrivateGaussianMixture:
    return PrivateGaussianMixture(2, **BUDGET, simulate=1).fit(rows)


@pytest.fixture(scope="module")
def gaussian(rows: Any) -> PrivateGaussian:
    return PrivateGaussian(**BUDGET, simulate=1).fit(rows[:, :1])


@pytest.mark.parametrize("cls", [PrivateGaussianMixture, PrivateGaussian])
@pytest.mark.parametrize("name", ["epsilon", "delta", "adjacency", "bound"])
def test_no_privacy_choice_has_a_default(cls: Any, name: str) -> None:
    parameter = inspect.signature(cls).parameters[name]
    assert parameter.default is parameter.empty
    assert parameter.kind is parameter.KEYWORD_ONLY
    with pytest.raises(TypeError, match=f"{cls.__name__}: .*{name}"):
        cls(*([2] if cls is PrivateGaussianMixture else []), **{k: v for k, v in BUDGET.items() if k != name})


def test_a_parameter_that_there_is_not_is_told_with_those_that_there_are() -> None:
    with pytest.raises(TypeError, match=r"PrivateGaussian: .*'n_components'; it takes epsilon, delta"):
        PrivateGaussian(**BUDGET, n_components=2)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"epsilon": 0.0}, "epsilon"),
        ({"epsilon": float("nan")}, "epsilon"),
        ({"epsilon": "1"}, "not '1': a text"),
        ({"delta": 1.0}, "delta"),
        ({"adjacency": "swap"}, "swap"),
        ({"bound": -1.0}, "bound"),
        ({"bound": "far"}, "far"),
        ({"n_components": 0}, "n_components"),
        ({"n_components": 2.5}, "n_components"),
        ({"seed": -1}, "seed"),
        ({"columns": []}, "column"),
        ({"columns": [0, 7]}, "7"),
    ],
)
def test_wrong_parameters_are_refused_by_fit(rows: Any, wrong: dict[str, Any], words: str) -> None:
    model = PrivateGaussianMixture(**{"n_components": 2, **BUDGET, **wrong})
    with pytest.raises(DpframeError, match=words):
        model.fit(rows)
    assert not hasattr(model, "privacy_")


def test_it_finds_the_clusters(rows: Any, mixture: PrivateGaussianMixture) -> None:
    order = np.argsort(mixture.means_[:, 0])
    assert np.abs(mixture.means_[order] - CENTRES).max() < 0.3
    assert np.abs(mixture.covariances_ - np.eye(2)).max() < 0.3
    assert mixture.weights_.sum() == pytest.approx(1.0, abs=1e-9)
    labels = np.linalg.norm(rows - CENTRES[1], axis=1) < np.linalg.norm(rows - CENTRES[0], axis=1)
    assert (mixture.predict(rows) == order[labels.astype(int)]).mean() > 0.999


def test_a_real_fit_verifies_and_a_simulated_one_never(rows: Any, mixture: PrivateGaussianMixture) -> None:
    model = PrivateGaussianMixture(2, **BUDGET).fit(rows)
    assert verify(model.certificate_).verified
    assert model.simulated_ is False
    assert model.privacy_["epsilon"] <= 1.0
    assert model.privacy_["adjacency"] == "replace_one"
    assert model.plan_.explain()
    assert mixture.simulated_ is True
    assert not verify(mixture.certificate_).verified


def test_densities_are_those_of_the_released_model(rows: Any, mixture: PrivateGaussianMixture) -> None:
    some = rows[:50]
    parts = zip(mixture.weights_, mixture.means_, mixture.covariances_, strict=True)
    each = np.array([w * multivariate_normal(m, c).pdf(some) for w, m, c in parts]).T
    assert mixture.score_samples(some) == pytest.approx(np.log(each.sum(axis=1)))
    assert mixture.predict_proba(some) == pytest.approx(each / each.sum(axis=1, keepdims=True))
    assert (mixture.predict(some) == each.argmax(axis=1)).all()
    assert mixture.score(some) == pytest.approx(np.log(each.sum(axis=1)).mean())


def test_samples_have_the_moments_of_the_model(mixture: PrivateGaussianMixture) -> None:
    """Five standard errors of a mean of 40 000: a false alarm in fewer than 1e-5, and the seed is fixed."""
    drawn, labels = mixture.sample(40_000, seed=0)
    assert drawn.shape == (40_000, 2)
    for j in range(2):
        part = drawn[labels == j]
        spread = np.sqrt(np.diagonal(mixture.covariances_[j]) / len(part))
        assert (np.abs(part.mean(axis=0) - mixture.means_[j]) < 5 * spread).all()
        assert np.cov(part.T) == pytest.approx(mixture.covariances_[j], abs=0.1)
    again, _ = mixture.sample(40_000, seed=0)
    assert (again == drawn).all()
    for wrong in (0, -1, 2.5, True, None, "2"):
        with pytest.raises(SpecError, match="n_samples"):
            mixture.sample(wrong)  # type: ignore[arg-type]


def test_a_single_gaussian(rows: Any, gaussian: PrivateGaussian) -> None:
    assert gaussian.mean_.shape == (1,)
    assert gaussian.covariance_.shape == (1, 1)
    assert abs(gaussian.mean_[0] - 5.0) < 1.0
    assert 20.0 < gaussian.covariance_[0, 0] < 32.0
    assert gaussian.sample(3, seed=1).shape == (3, 1)
    assert gaussian.score_samples(rows[:4, 0]).shape == (4,)


@pytest.mark.parametrize("cls", [PrivateGaussianMixture, PrivateGaussian])
def test_what_is_not_fitted_says_so(cls: Any) -> None:
    model = cls(*([2] if cls is PrivateGaussianMixture else []), **BUDGET)
    for ask in (model.score_samples, lambda x: model.sample(2)):
        with pytest.raises(SpecError, match="not fitted"):
            ask(np.zeros((2, 2)))


def test_draws_take_no_matrix_a_row() -> None:
    """Of 500 columns these would be 40 GB for 20,000 rows."""
    model, d = PrivateGaussianMixture(2, **BUDGET), 100
    model.weights_, model.means_ = np.array([0.5, 0.5]), np.zeros((2, d))
    model.n_features_in_ = d
    model.covariances_ = np.repeat(np.eye(d)[None], 2, axis=0)
    tracemalloc.start()
    try:
        rows, _ = model.sample(20_000, seed=0)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert rows.shape == (20_000, d)
    assert peak < 6 * rows.nbytes


def test_a_failed_fit_says_what_it_spent() -> None:
    model = PrivateGaussianMixture(2, **BUDGET, simulate=0)  # with other noise one in 400 is a mixture, called poor
    expected = pytest.warns(UserWarning, match="no error is predicted of mixture: with 100 rows")
    with expected, pytest.raises(RunError, match="after spending"):
        model.fit(np.full((100, 2), np.nan))
    assert model.privacy_["delta"] == 1e-6
    assert not hasattr(model, "means_")


def test_rows_to_ask_about_must_be_whole(mixture: PrivateGaussianMixture) -> None:
    for wrong in ([[1.0, float("nan")]], [[1.0, 2.0, 3.0]]):
        with pytest.raises(DataError):
            mixture.predict(wrong)


def test_data_frames_and_columns(rows: Any, mixture: PrivateGaussianMixture) -> None:
    frame = pd.DataFrame({"b": rows[:, 1], "junk": "word", "a": rows[:, 0]})
    model = PrivateGaussianMixture(2, **BUDGET, columns=["a", "b"], simulate=1).fit(frame)
    assert model.means_ == pytest.approx(mixture.means_)
    assert (model.predict(frame[:9]) == mixture.predict(rows[:9])).all()


# -------------------------------------------------------------------------------- column names

KINDS = ["pandas", "polars", "arrow", "csv", "parquet"]


@pytest.fixture(scope="module")
def frame(rows: Any) -> pd.DataFrame:
    return pd.DataFrame({"b": rows[:2000, 1], "other": 7.0, "word": "w", "a": rows[:2000, 0]})


def table_of(frame: pd.DataFrame, kind: str, folder: Path) -> Any:
    if kind == "polars":
        return pl.from_pandas(frame)
    if kind == "arrow":
        return pa.Table.from_pandas(frame)
    if kind == "csv":
        frame.to_csv(folder / "x.csv", index=False)
    if kind == "parquet":
        frame.to_parquet(folder / "x.parquet")
    return frame if kind == "pandas" else folder / f"x.{kind}"


def fitted(table: Any, **more: Any) -> PrivateGaussian:
    return PrivateGaussian(**{**BUDGET, "epsilon": 4.0}, simulate=1, **more).fit(table)


@pytest.fixture(scope="module")
def by_name(frame: pd.DataFrame) -> PrivateGaussian:
    return fitted(frame, columns=["a", "b"])


@pytest.mark.parametrize("kind", KINDS)
def test_names_are_kept_and_select_from_tables_with_other_columns(
    kind: str, frame: pd.DataFrame, by_name: PrivateGaussian, tmp_path: Path
) -> None:
    given = frame if kind != "csv" else frame.drop(columns="word")
    table = table_of(given, kind, tmp_path)
    model = fitted(table, columns=["a", "b"])
    assert (model.feature_names_in_.tolist(), model.n_features_in_) == (["a", "b"], 2)
    assert (model.mean_ == by_name.mean_).all()
    expected = by_name.score_samples(frame[["a", "b"]].to_numpy())
    assert (by_name.score_samples(table) == expected).all()
    with pytest.raises(DataError, match=r"no column 'a'; the model was fitted on 2 columns: a, b"):
        by_name.score_samples(table_of(given.drop(columns="a"), kind, tmp_path))


def test_an_array_is_taken_in_the_order_of_the_selection(
    frame: pd.DataFrame, by_name: PrivateGaussian, tmp_path: Path
) -> None:
    rows = frame[["a", "b"]].to_numpy()[:5]
    expected = by_name.score_samples(frame[:5])
    np.save(tmp_path / "x.npy", rows)
    for given in (rows, rows.tolist(), rows.astype(np.float32).astype(np.float64), tmp_path / "x.npy"):
        assert by_name.score_samples(given) == pytest.approx(expected, rel=1e-4)
    for width in (1, 3, 4):
        with pytest.raises(DataError, match=rf"X has {width} columns, the model was fitted on 2 columns: a, b"):
            by_name.score_samples(np.ones((5, width)))


def test_without_a_selection_names_must_stand_in_the_order_of_the_fit(frame: pd.DataFrame) -> None:
    model = fitted(frame[["b", "a"]])
    assert model.feature_names_in_.tolist() == ["b", "a"]
    expected = model.score_samples(frame[["b", "a"]].to_numpy())
    assert (model.score_samples(frame) == expected).all()
    with pytest.raises(DataError, match=r"in the order a, b, the model was fitted on 2 columns: b, a"):
        model.score_samples(frame[["a", "b"]])
    with pytest.raises(DataError, match=r"no column 'a'"):
        model.score_samples(frame[["b", "other"]])


def test_arrays_have_no_names(frame: pd.DataFrame) -> None:
    wide = frame[["b", "other", "a"]].to_numpy()
    model = fitted(frame[["a", "b"]])
    model.set_params(columns=[2, 0]).fit(wide)
    assert not hasattr(model, "feature_names_in_")
    assert model.n_features_in_ == 2
    assert model.score_samples(wide[:, [2, 0]]).shape == (2000,)
    assert (model.score_samples(frame[["a", "b"]]) == model.score_samples(wide[:, [2, 0]])).all()
    with pytest.raises(DataError, match="X has 3 columns, the model was fitted on 2 columns: 2, 0"):
        model.score_samples(wide)


@pytest.mark.parametrize("columns", [[3, 0], np.array([3, 0]), pd.Index(["a", "b"]), ("a", "b"), [np.str_("a"), 0]])
def test_columns_may_be_positions_or_any_sequence(columns: Any, frame: pd.DataFrame, by_name: PrivateGaussian) -> None:
    model = fitted(frame, columns=columns)
    assert model.feature_names_in_.tolist() == ["a", "b"]
    assert (model.mean_ == by_name.mean_).all()


@pytest.mark.parametrize("columns", ["a", "ab", 3, True, [], ["a", "a"], ["word"], ["c"], [True], [None], [7]])
def test_what_selects_no_columns_is_refused(columns: Any, frame: pd.DataFrame) -> None:
    model = PrivateGaussian(**BUDGET, columns=columns)
    with pytest.raises(DataError):
        model.fit(frame)
    assert not hasattr(model, "privacy_")


# --------------------------------------------------------------------------------- scikit-learn


def test_parameters_can_be_read_set_and_cloned() -> None:
    model = PrivateGaussianMixture(2, **BUDGET)
    assert model.get_params() == {
        "n_components": 2, "k_max": None, **BUDGET, "covariance_type": "full", "seed": 0,
        "tail": False, "rho": None, "columns": None, "by": None, "categories": None,
        "unit": None, "unit_rows": None, "ledger": None, "simulate": None, "on": None,
    }  # fmt: skip
    copy = clone(model).set_params(epsilon=3.0)
    assert (copy.epsilon, model.epsilon) == (3.0, 1.0)
    assert "epsilon=3.0" in repr(copy)
    with pytest.raises(SpecError, match="did you mean 'epsilon'"):
        copy.set_params(epsilonn=3.0)


def test_in_a_pipeline(rows: Any) -> None:
    pipe = make_pipeline(FunctionTransformer(lambda x: x / 2), PrivateGaussianMixture(2, **BUDGET, simulate=1))
    pipe.fit(rows)
    assert pipe.predict(rows[:5]).shape == (5,)
    check_is_fitted(pipe[-1])


def test_scikit_learn_is_not_needed() -> None:
    code = """
import sys
sys.modules["sklearn"] = sys.modules["pandas"] = None
import numpy as np
from dpframe.front.estimators import PrivateGaussianMixture
x = np.random.default_rng(0).normal(size=(3000, 1))
model = PrivateGaussianMixture(1, epsilon=1, delta=1e-6, adjacency="add_remove", bound=50.0, simulate=0).fit(x)
print(model.means_.shape, model.plan_.graph.inputs[0].n)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "(1, 1) None"), done.stderr


@pytest.mark.slow
def test_without_scikit_learn_parameters_are_set_as_with_it() -> None:
    code = """
import sys
if sys.argv[1] == "without":
    sys.modules["sklearn"] = None
from dpframe.front.estimators import PrivateMean, PrivateSearch
from dpframe.front.estimators.steps import RowStep
how = {"epsilon": 1.0, "delta": 1e-6, "adjacency": "add_remove"}
search = PrivateSearch(PrivateMean(bound=1.0, **how), {"bound": [1.0]}, **how)
step = RowStep(search)
step.set_params(step__share=0.5, step__estimator__bound=2.0)
assert search.set_params(estimator=PrivateMean(bound=3.0, **how), estimator__bound=4.0) is search
print(search.share, search.estimator.bound, sorted(step.get_params()), sorted(search.get_params(deep=False)))
for wrong in ({"nope": 1}, {"share__nope": 1}, {"estimator__nope": 1}):
    try:
        search.set_params(**wrong)
    except Exception as error:
        print(isinstance(error, (ValueError, AttributeError)))
"""
    told = [
        subprocess.run([sys.executable, "-c", code, how], capture_output=True, text=True, check=True).stdout
        for how in ("with", "without")
    ]
    assert told[0] == told[1]
    assert told[0].startswith("0.5 4.0 ")
    assert told[0].endswith("True\nTrue\nTrue\n")


@pytest.mark.parametrize("flat", [[1.0, 2.0, 3.0], (1, 2), np.arange(3.0), pd.Series([1.0, 2.0])])
def test_a_vector_is_no_table(flat: Any) -> None:
    """Of whatever type, as scikit-learn has it: before anything is planned."""
    model = PrivateGaussian(**BUDGET)
    with pytest.raises(DataError, match="Expected 2D array, got 1D array"):
        model.fit(flat)
    assert not hasattr(model, "privacy_")


def test_a_lazy_frame_is_computed_before_it_is_looked_at(frame: pd.DataFrame, by_name: PrivateGaussian) -> None:
    """Without a word of Polars on what that costs."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = fitted(pl.from_pandas(frame).lazy(), columns=["a", "b"])
    assert (found.mean_ == by_name.mean_).all()
