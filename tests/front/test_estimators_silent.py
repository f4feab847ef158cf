"""No private cell decides a warning, or under ``-W error`` an error: what a fit asks of a table before its run too."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import dpframe as dp
import dpframe.estimators as E
from dpframe.runtime import run
from dpframe.runtime.sources import base, pieces

N = 400
HOW: dict[str, Any] = {"epsilon": 5.0, "delta": 1e-6, "adjacency": "replace_one", "bound": 100.0, "simulate": 0}
NAMES = ["a", "b"]
Floats = np.ndarray[Any, np.dtype[np.float64]]


def cells(*, odd: bool) -> Floats:
    """Rows whose logarithm is taken where they are handed out, which warns of the odd one."""
    X = np.random.default_rng(0).uniform(1, 5, size=(N, 2))
    X[7, 0] = -3.0 if odd else 3.0
    return X


class Like:
    """What makes itself an array."""

    def __init__(self, X: Floats) -> None:
        self.X = X

    def __array__(self, dtype: Any = None, copy: Any = None) -> Floats:
        found: Floats = np.log(self.X)
        return found


def reader(X: Floats) -> Callable[[], Iterator[Any]]:
    return lambda: (pd.DataFrame(np.log(X[i : i + 100]), columns=NAMES) for i in range(0, N, 100))


def dask_array(X: Floats) -> Any:
    array = pytest.importorskip("dask.array")
    return array.log(array.from_array(X, chunks=(100, 2)))


def dask_frame(X: Floats) -> Any:
    frame = pytest.importorskip("dask.dataframe").from_pandas(pd.DataFrame(X, columns=NAMES), npartitions=3)
    return frame.map_partitions(np.log, meta=frame._meta)


def lazy_frame(X: Floats) -> Any:
    made = pl.DataFrame(X, schema=NAMES).lazy()
    return made.map_batches(lambda frame: pl.DataFrame(np.log(frame.to_numpy()), schema=NAMES))


def session(table: Any) -> None:
    def program(x: Any) -> Any:
        return dp.release("mean", dp.gaussian(share=1.0), dp.mean(dp.clip(x, dp.ball(centre=[0.0, 0.0], radius=9.0))))

    budget = dp.approx_dp(epsilon=1.0, delta=1e-6)
    plan = dp.plan(program, x=dp.rows(n=N, d=2), adjacency=dp.REPLACE_ONE, budget=budget)
    dp.Session(table, dp.approx_dp(epsilon=2.0, delta=1e-5)).run(plan, simulate=0)


def search(table: Any) -> None:
    own = {name: HOW[name] for name in ("epsilon", "delta", "adjacency", "simulate")}
    model = E.PrivateGaussianMixture(2, **HOW)
    E.PrivateSearch(model, {"n_components": [1]}, score_range=(-20, 5), **own).fit(table)


def by_category(table: Any) -> None:
    with contextlib.suppress(dp.RunError):  # no row is of a declared category: told by what was released
        E.PrivateMean(**HOW, by="b", categories=[1, 2]).fit(table)


def mixed(table: Any) -> None:
    with contextlib.suppress(dp.RunError):
        E.PrivateMixedMixture(1, categorical={"b": [1, 2]}, **HOW).fit(table)


def mean(table: Any) -> None:
    E.PrivateMean(**HOW).fit(table)


def of_target(y: Any) -> None:
    """The first column is a target beside features that stand still."""
    E.PrivateLinearRegression(**HOW).fit(np.ones((N, 1)), y[:, 0] if hasattr(y, "dask") else Like(y.X[:, 0]))


CASES: dict[str, tuple[Callable[[Floats], Any], Callable[[Any], None]]] = {
    "array of Dask": (dask_array, mean),
    "frame of Dask": (dask_frame, mean),
    "lazy frame": (lazy_frame, mean),
    "reader": (reader, mean),
    "array-like": (Like, mean),
    "units": (reader, lambda table: E.PrivateMean(**HOW, unit="b", unit_rows=2).fit(table)),
    "column of a table as y": (reader, lambda table: E.PrivateLinearRegression(**HOW).fit(table, y="b")),
    "y of Dask": (dask_array, of_target),
    "y that is array-like": (Like, of_target),
    "categories": (lazy_frame, by_category),
    "mixed": (dask_frame, mixed),
    "search": (reader, search),
    "pipeline": (Like, lambda t: E.make_private_pipeline(E.PrivateStandardScaler(**HOW), E.PrivateMean(**HOW)).fit(t)),
    "session of a lazy frame": (lazy_frame, session),
    "session of a reader": (reader, session),
}


def told(case: str, *, odd: bool) -> list[Any]:
    """What NumPy warned of, in every fashion in which a user may hear of it."""
    make, fit = CASES[case]
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        fit(make(cells(odd=odd)))
    return [one for one in said if issubclass(one.category, RuntimeWarning)]


@pytest.mark.parametrize("case", CASES)
def test_an_odd_cell_is_not_warned_of(case: str) -> None:
    assert told(case, odd=True) == []
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        make, fit = CASES[case]
        fit(make(cells(odd=True)))


@pytest.mark.parametrize("case", ["array of Dask", "lazy frame", "y that is array-like", "session of a lazy frame"])
def test_a_source_that_is_not_silent_is_heard(monkeypatch: pytest.MonkeyPatch, case: str) -> None:
    """The broken twin: silence is left to the run alone."""
    for room in (base, pieces):
        monkeypatch.setattr(room, "silent", contextlib.nullcontext)
    assert told(case, odd=True)
    assert not told(case, odd=False)
    assert run.silent is not contextlib.nullcontext


def test_what_dpframe_itself_warns_of_is_heard() -> None:
    """Of a bound that nothing reads, and of a target that is a column."""
    with pytest.warns(UserWarning, match="reads no bound"):
        E.AAL21Univariate(1, **HOW)._choices()
    with pytest.warns(UserWarning, match="column-vector y"):
        E.PrivateLinearRegression(**HOW).fit(np.ones((N, 1)), Like(cells(odd=True)[:, :1]))
