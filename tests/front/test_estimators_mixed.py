"""Columns of numbers beside columns of categories: modelled by their own class, refused clearly on every other path."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from dpframe import cli
from dpframe.errors import DataError, DpframeError
from dpframe.estimators import PrivateGaussianMixture, PrivateMean, PrivateMixedMixture
from dpframe.front.specs import load_spec
from dpframe.proof.checker import verify
from dpframe_plugins.tabular.mixed import CategoryShares

N = 8_000
HOW: dict[str, Any] = {"epsilon": 2.0, "delta": 1e-6, "adjacency": "replace_one", "bound": 100.0, "simulate": 1}
LEVELS = {"colour": ["red", "green", "blue"], "paid": [0, 1]}
SHARES = np.array([[0.7, 0.2, 0.1], [0.1, 0.2, 0.7]])


def table(seed: int = 0, n: int = N) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    second = rng.integers(0, 2, n)
    colour = (rng.random(n)[:, None] > np.cumsum(SHARES, axis=1)[second]).sum(axis=1)
    frame = pd.DataFrame(rng.normal(size=(n, 2)) + 10.0 * second[:, None], columns=["a", "b"])
    frame.insert(1, "colour", np.array(LEVELS["colour"])[np.minimum(colour, 2)])
    return frame.assign(paid=(rng.random(n) < 0.2 + 0.6 * second).astype(int))


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    return table()


@pytest.fixture(scope="module")
def model(frame: pd.DataFrame) -> PrivateMixedMixture:
    return PrivateMixedMixture(2, categorical=LEVELS, **HOW).fit(frame)


def test_each_component_has_its_own_categories(model: Any) -> None:
    """Six standard errors; the seed is fixed."""
    order = np.argsort(model.means_[:, 0])
    assert model.means_[order] == pytest.approx(np.array([[0.0, 0.0], [10.0, 10.0]]), abs=0.2)
    for column, true in (("colour", SHARES), ("paid", np.array([[0.8, 0.2], [0.2, 0.8]]))):
        error = np.hypot(*(model.standard_errors_["categories_"][kind][column] for kind in ("noise", "sampling")))
        assert (np.abs(model.categories_[column] - true[np.argsort(order)]) < 6 * error).all()
        assert (error < 0.05).all()
        assert model.categories_[column].sum(axis=1) == pytest.approx([1.0, 1.0])
    assert model.feature_names_in_.tolist() == ["a", "b"]


@pytest.mark.parametrize("kind", ["parquet", "csv", "npy"])
def test_files_and_arrays_give_the_same(kind: str, frame: Any, model: Any, tmp_path: Path) -> None:
    path, levels = tmp_path / f"x.{kind}", dict(LEVELS)
    if kind == "parquet":
        frame.to_parquet(path)
    elif kind == "csv":
        frame.to_csv(path, index=False)
    else:
        codes = frame.assign(colour=frame.colour.map({name: j for j, name in enumerate(LEVELS["colour"])}))
        np.save(path, codes.to_numpy(dtype=np.float64))
        levels = {1: [0, 1, 2], 3: [0, 1]}
    found = PrivateMixedMixture(2, categorical=levels, **HOW).fit(path)
    assert found.means_ == pytest.approx(model.means_)
    for ours, theirs in zip(found.categories_.values(), model.categories_.values(), strict=True):
        assert ours == pytest.approx(theirs)


def test_densities_labels_and_samples_use_the_categories(frame: Any, model: Any) -> None:
    some = frame[:200]
    middle = pd.DataFrame({"a": [5.0, 5.0], "b": [5.0, 5.0], "colour": ["red", "blue"], "paid": [0, 1]})
    low = int(np.argmin(model.means_[:, 0]))
    assert model.predict(middle).tolist() == [low, 1 - low]
    assert np.exp(model.score_samples(middle)).shape == (2,)
    free = 2 * (2 + 3) + 1 + 2 * (2 + 1)
    assert model.aic(some) == pytest.approx(-2.0 * model.score_samples(some).sum() + 2.0 * free)
    rows, labels, components = model.sample(4_000, seed=0)
    assert rows.shape == (4_000, 2)
    for j in range(2):
        drawn = (labels["colour"][components == j] == "red").mean()
        assert drawn == pytest.approx(model.categories_["colour"][j, 0], abs=0.06)  # 5 deviations
    with pytest.raises(DpframeError, match="not declared"):
        model.predict(middle.assign(colour="mauve"))


def test_an_undeclared_category_counts_for_nothing(frame: Any, model: Any) -> None:
    strange = pd.concat([frame, frame[:3000].assign(colour="mauve", a=900.0)])
    found = PrivateMixedMixture(2, categorical=LEVELS, **HOW).fit(strange)
    assert np.sort(found.means_[:, 0]) == pytest.approx(np.sort(model.means_[:, 0]), abs=0.3)


def test_a_real_fit_verifies_and_states_its_hypothesis(frame: Any) -> None:
    found = PrivateMixedMixture(2, categorical=LEVELS, **{**HOW, "simulate": None}).fit(frame)
    verdict = verify(found.certificate_)
    assert verdict.verified
    assert verdict.assertions == 1


def test_nonsense_counts_make_shares() -> None:
    for counts in ([np.nan] * 6, [np.inf, -1e308, 1e308, 0.0, 0.0, 0.0], [-5.0] * 6):
        for what in ("categories", "categories_noise", "categories_sampling"):
            made = CategoryShares(k=2, levels=(3,), what=what).apply_noisy((np.array(counts),), (4.0,))
            assert np.isfinite(made).all()
            assert what != "categories" or made.sum(axis=1) == pytest.approx([1.0, 1.0])


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"categorical": {}}, "categorical declares"),
    ({"categorical": ["colour"]}, "categorical declares"),
    ({"categorical": {"colour": "red"}}, "needs a list"),
    ({"categorical": {"colour": ["red", "red"]}}, "distinct"),
    ({"categorical": {"colour": ["red", float("nan")]}}, "not missing: nan is not"),
    ({"categorical": {"colour": ["red"], 1: ["red"]}}, "names column 'colour' twice"),
    ({"categorical": {"color": ["red"]}}, "no column of the table"),
    ({"categorical": {"paid": [0, 1]}}, "no numbers"),
    ({"categorical": {"paid": [0, 1]}, "columns": ["paid"]}, "besides those of categories"),
    ({"categorical": LEVELS, "by": "paid"}, "needs its categories declared"),
]


@pytest.mark.parametrize(("wrong", "match"), WRONG)
def test_what_makes_no_sense_is_refused_before_anything_is_spent(wrong: Any, match: str, frame: Any) -> None:
    model = PrivateMixedMixture(2, **{**HOW, **wrong})
    with pytest.raises(ValueError, match=match) as caught:
        model.fit(frame)
    assert isinstance(caught.value, DpframeError)
    assert not hasattr(model, "privacy_")


ALONE: list[tuple[Any, dict[str, Any], str]] = [
    ({"c": ["x", "y"]}, {}, "besides 'c'"),
    ({"c": ["x", "y"], "paid": [0, 1]}, {}, "besides 'c', 'paid'"),
    ({"c": ["x", "y"]}, {"unit": "paid", "unit_rows": 1}, "besides 'c', 'paid'"),
    ({"c": ["x", "y"]}, {"by": "paid", "categories": [0, 1]}, "besides 'c', 'paid'"),
]


@pytest.mark.parametrize(("levels", "more", "match"), ALONE)
def test_categories_without_numbers_are_refused_with_the_columns_in_question(
    levels: Any, more: Any, match: str, tmp_path: Path
) -> None:
    frame = pd.DataFrame({"c": ["x", "y"] * 50, **({"paid": [0, 1] * 50} if "paid" in match else {})})
    frame.to_csv(tmp_path / "x.csv", index=False)
    for X in (frame, tmp_path / "x.csv"):
        model = PrivateMixedMixture(2, categorical=levels, **HOW, **more)
        with pytest.raises(DataError, match=f"no column of numbers to learn from {match}"):
            model.fit(X)
        assert not hasattr(model, "privacy_")


def test_every_other_path_refuses_texts_and_names_the_column(frame: Any, tmp_path: Path, capsys: Any) -> None:
    for model in (PrivateGaussianMixture(2, **HOW), PrivateMean(**HOW)):
        with pytest.raises(DpframeError, match=r"'colour'.*no numbers"):
            model.fit(frame)
    keys = {"k": 2, "d": 4, "n": len(frame), "bound": 100.0}
    with pytest.raises(DpframeError, match=r"'colour'.*no numbers"):
        load_spec("practical_gmm", keys).plan().run(x=frame)
    frame.to_parquet(tmp_path / "x.parquet")
    frame[:50].to_csv(tmp_path / "x.csv", index=False)
    for name in ("x.parquet", "x.csv"):
        given = ["run", "practical_gmm", "--data", str(tmp_path / name), "--out", str(tmp_path / f"{name}.out")]
        assert cli.main([*given, "--set", "k=2", "--set", "bound=100"]) == 2
        told = capsys.readouterr().err
        assert "colour" in told
        assert "red" not in told
        assert not (tmp_path / f"{name}.out").exists()
