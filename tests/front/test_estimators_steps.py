"""Steps of pipelines that are not ours: no private row decides an error or a warning, and each has its own image."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import Binarizer, FunctionTransformer, Normalizer

from dpframe.errors import DataError, DpframeError, SpecError
from dpframe.estimators import (
    PrivateKMeans,
    PrivateLinearRegression,
    PrivateMean,
    PrivateStandardScaler,
    make_private_pipeline,
)
from dpframe.front.estimators.steps import RowStep

HOW: dict[str, Any] = {"epsilon": 5.0, "delta": 1e-6, "adjacency": "replace_one", "bound": 100.0, "simulate": 0}
MOST = np.finfo(float).max


def picky(rows: Any) -> Any:
    """Raises, with the cell, at a row that begins far from 0."""
    (far,) = np.nonzero(np.abs(rows[:, 0]) > 1e100)
    if len(far):
        raise KeyError(str(rows[far[0]]))
    return rows[:, :1] + 1.0


STEPS = {
    "norms": Normalizer(),
    "thresholds": Binarizer(),
    "logarithms": FunctionTransformer(np.log),
    "checked": FunctionTransformer(np.tanh, validate=True),
    "picky": FunctionTransformer(picky),
}
ODD = [[np.nan, 1.0], [np.inf, 0.0], [MOST, -MOST], [-3.0, 5e-324], [0.0, 0.0]]


@pytest.mark.parametrize("name", STEPS)
def test_no_row_decides_what_a_step_raises_or_warns_of(name: str) -> None:
    X = np.random.default_rng(0).uniform(1, 5, size=(400, 2))
    wanted = RowStep(STEPS[name]).transform(X)
    for odd in ODD:
        X[7] = odd
        scaler, model = PrivateStandardScaler(**HOW), PrivateMean(**HOW)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            made = make_private_pipeline(scaler, STEPS[name], model).fit(X)
            found = RowStep(STEPS[name]).transform(X)
        assert np.isfinite(made[-1].mean_).all()
        assert np.delete(found, 7, axis=0).tolist() == np.delete(wanted, 7, axis=0).tolist()
        assert np.isnan(found[7]).all() or np.isfinite(odd).all()


@pytest.mark.parametrize(
    ("name", "odd"), [("norms", [np.nan, 1.0]), ("checked", [np.inf, 0.0]), ("picky", [MOST, 0.0])]
)
def test_a_step_that_is_asked_as_it_is_raises(name: str, odd: list[float]) -> None:
    """The broken twin: scikit-learn's own pipeline."""
    X = np.ones((400, 2))
    X[7] = odd
    with pytest.raises((KeyError, ValueError)):
        make_pipeline(STEPS[name], PrivateMean(**HOW)).fit(X)


def test_a_pipeline_is_one_of_scikit_learn() -> None:
    made = make_private_pipeline("passthrough", Normalizer(), PrivateMean(**HOW))
    assert isinstance(clone(made), Pipeline)
    assert list(made.named_steps)[1:] == ["normalizer", "privatemean"]
    X = np.random.default_rng(0).normal(size=(400, 2))
    assert made.fit(X)[:-1].transform(X).tolist() == Normalizer().transform(X).tolist()


def test_names_of_a_frame_go_through_a_step() -> None:
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(400, 2)), columns=["a", "b"])
    step = FunctionTransformer(lambda given: given[["b"]].rename(columns={"b": "c"}))
    made = make_private_pipeline(step, PrivateMean(**HOW, columns=["c"])).fit(frame)
    assert made[-1].feature_names_in_.tolist() == ["c"]
    assert made[0].transform(frame)["c"].tolist() == frame["b"].tolist()
    assert made[0].transform(frame.iloc[:0]).shape == (0, 1)


@pytest.mark.parametrize("function", [lambda rows: rows.sum(), sparse.csr_matrix, lambda rows: [rows, 1]])
def test_what_makes_no_rows_of_numbers_is_refused_by_public_rows(function: Any) -> None:
    with pytest.raises(DataError, match="makes no row of numbers of a row of 2 zeros or ones"):
        RowStep(FunctionTransformer(function)).transform(np.full((3, 2), 8675309.0))


@pytest.mark.parametrize("first", [lambda: PrivateStandardScaler(**HOW), Normalizer, lambda: PrivateKMeans(2, **HOW)])
def test_a_target_beside_a_lazy_table_is_refused_by_the_first_step(first: Any) -> None:
    """Behind it the table is an array, and nobody would know that its rows may stand in another order."""
    lazy = pl.DataFrame(np.random.default_rng(0).normal(size=(400, 2)), schema=["a", "b"]).lazy()
    step = first()
    with pytest.raises(DataError, match="computed apart"):
        make_private_pipeline(step, PrivateLinearRegression(**HOW)).fit(lazy, np.zeros(400))
    assert not getattr(step, "_account", None) or not step._account.entries


def test_a_reader_whose_order_changes_is_not_put_beside_a_target() -> None:
    rows, turned = np.random.default_rng(0).normal(size=(400, 2)), [0]

    def again() -> Any:
        turned[0] += 1
        return iter([np.roll(rows, turned[0], axis=0)])

    with pytest.raises(DpframeError):
        RowStep(Normalizer()).transform(again)
    assert RowStep(Normalizer()).transform(lambda: iter([rows])).tolist() == Normalizer().transform(rows).tolist()


LOOKING = {
    "centred": FunctionTransformer(lambda rows: rows - rows.mean(axis=0)),
    "ranked": FunctionTransformer(lambda rows: rows.argsort(axis=0).argsort(axis=0).astype(float)),
    "scaled": FunctionTransformer(lambda rows: rows / np.abs(rows).max()),
    "cumulated": FunctionTransformer(lambda rows: np.cumsum(rows, axis=0)),
    "reversed": FunctionTransformer(lambda rows: rows[::-1]),
    "deduplicated": FunctionTransformer(lambda rows: rows[:1]),
    "one_for_all": FunctionTransformer(lambda rows: np.ones((1, 2))),
    "unlike_lengths": FunctionTransformer(lambda rows: np.ones((len(rows), 1 + int(rows[0, 0] > 1)))),
    "drawn": FunctionTransformer(lambda rows: rows + np.random.default_rng().normal(size=rows.shape)),
}


@pytest.mark.parametrize("name", LOOKING)
def test_a_step_that_looks_at_other_rows_is_refused_before_anything_is_spent(name: str) -> None:
    with pytest.raises(SpecError, match="when others stand beside it"):
        make_private_pipeline(PrivateStandardScaler(**HOW), LOOKING[name], PrivateMean(**HOW))
    with pytest.raises(SpecError, match="when others stand beside it"):
        RowStep(LOOKING[name]).transform(np.ones((4, 7)))


@pytest.mark.parametrize("name", STEPS)
def test_one_that_does_not_is_taken(name: str) -> None:
    make_private_pipeline(PrivateStandardScaler(**HOW), clone(STEPS[name]), PrivateMean(**HOW))


def test_a_step_of_seven_columns_is_tried_with_these() -> None:
    centred = FunctionTransformer(lambda rows: (rows - rows.mean(axis=0)) @ np.eye(7))
    made = make_private_pipeline(centred, PrivateMean(**HOW))
    with pytest.raises(SpecError, match="when others stand beside it"):
        made.fit(np.random.default_rng(0).normal(size=(50, 7)))


def test_one_row_at_which_a_step_fails_moves_no_other_row() -> None:
    """A product of many rows may have other last digits than that of one: here by hand, on every processor."""

    def turned(rows: Any) -> Any:
        if np.abs(rows).max() > 1e6:
            raise ValueError("out of range")
        return rows * (1 + 2.0**-52 * (len(rows) > 1))

    X = np.ones((400, 2))
    other = np.vstack([X[:-1], [[1e7, 0.0]]])
    same, odd = (RowStep(FunctionTransformer(turned)).transform(rows) for rows in (X, other))
    assert odd[:-1].tolist() == same[:-1].tolist()
    assert np.isnan(odd[-1]).all()
