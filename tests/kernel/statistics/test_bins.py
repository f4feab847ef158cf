"""Bins, categories and rank scores: values against brute force, and the declared sensitivities attacked."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpframe.errors import DpframeError
from dpframe.kernel import registry
from dpframe.kernel.operations import Batch, Statistic
from dpframe.proof.spaces import ADD, L1, L2, REMOVE, REPLACE_ONE, Counts, Edits, LInf, Rows
from dpframe.proof.theorems import THEOREMS

registry.discover()
EDGES = (-1.0, 0.0, 2.5)
GRID = (-2.0, -1.0, 0.0, 1.0, 3.0)


def take(statistic: Statistic, values: Any, valid: Any = None, *, cut: int = 0) -> Any:
    """The exact value over one batch, or over two that are merged."""
    rows = np.asarray(values, dtype=np.float64)
    rows = rows if rows.ndim == 2 else rows.reshape(-1, 1)
    flags = np.isfinite(rows).all(axis=1) if valid is None else np.asarray(valid)
    rows = np.where(flags[:, None], rows, 0.0)
    folds = []
    for at in (slice(0, cut), slice(cut, None)):
        fold = statistic.start(Rows(rows.shape[1]))
        statistic.update(fold, Batch(0, rows[at], flags[at]))
        folds.append(fold)
    folds[0].merge(folds[1])
    return np.asarray(statistic.value(folds[0]).integers)


def ranks(p: int, b: int, candidates: tuple[float, ...] = GRID) -> Statistic:
    return registry.build("rank_scores", {"candidates": candidates, "numerator": p, "denominator": b})


@pytest.mark.parametrize(
    ("name", "parameters", "values", "wanted"),
    [
        ("bin_counts", {"edges": EDGES}, [-5, -1, -0.5, 0, 1, 2.5, 99], [1, 2, 2, 2]),
        ("bin_counts", {"edges": (0.0,)}, [np.nan, -1e308, 1e308, 0.0], [1, 2]),
        ("bin_counts", {"edges": EDGES}, [np.inf, np.nan], [0, 0, 0, 0]),
        ("value_counts", {"values": (0.0, 1.0, 7.0)}, [0, 1, 1, 2, 7, -0.0, 1e300], [2, 2, 1, 2]),
        ("value_counts", {"values": (3.0,)}, [np.nan, 3.0, np.nextafter(3.0, 4.0)], [1, 1]),
    ],
)
@pytest.mark.parametrize("cut", [0, 1])
def test_values(name: str, parameters: dict[str, Any], values: list[float], wanted: list[int], cut: int) -> None:
    assert take(registry.build(name, parameters), values, cut=cut).tolist() == wanted


def test_columns_are_counted_from_0() -> None:
    rows = [[0.0, 5.0], [0.0, 6.0], [np.nan, 5.0]]
    assert take(registry.build("value_counts", {"values": (5.0,), "column": 1}), rows).tolist() == [1, 1]


def by_hand(p: int, b: int, values: list[float]) -> list[int]:
    out = []
    for c in GRID:
        below, above = sum(v < c for v in values), sum(v > c for v in values)
        out.append(-max(0, b * below - p * len(values), b * above - (b - p) * len(values)))
    return out


small = st.lists(st.sampled_from([-3.0, -2.0, -1.5, -1.0, 0.0, 0.5, 1.0, 2.0, 3.0, 4.0]), min_size=0, max_size=12)
quantiles = st.integers(2, 9).flatmap(lambda b: st.tuples(st.integers(1, b - 1), st.just(b)))


@given(quantiles, small)
def test_rank_scores_are_what_they_say(fraction: tuple[int, int], values: list[float]) -> None:
    assert take(ranks(*fraction), values).tolist() == by_hand(*fraction, values)


def test_an_exact_quantile_scores_0_in_spite_of_ties() -> None:
    scores = take(ranks(1, 2), [-2, -2, 0, 0, 0, 0, 0, 0, 1, 3])
    assert scores.tolist() == [-6, -6, 0, -6, -8]
    assert int(np.argmax(scores)) == GRID.index(0.0)


def bound(name: str, params: dict[str, Any], edits: Edits, kind: type[Any]) -> float:
    found = THEOREMS[name].rule(params, ((edits,),))
    return float(next(m.bound for m in found if isinstance(m, kind)))


@pytest.mark.parametrize(
    ("p", "b", "edits", "wanted"),
    [
        (1, 2, REPLACE_ONE, 2),
        (1, 2, REMOVE, 1),
        (1, 4, REPLACE_ONE, 4),
        (1, 4, ADD, 3),
        (3, 4, REMOVE, 3),
        (3, 4, Edits(2, 3), 11),
    ],
)
def test_rank_sensitivity_by_hand(p: int, b: int, edits: Edits, wanted: int) -> None:
    assert bound("rank_scores", {"numerator": p, "denominator": b}, edits, LInf) == wanted


@given(quantiles, small, small, small)
def test_rank_scores_never_move_more(fraction: tuple[int, int], kept: Any, removed: Any, added: Any) -> None:
    """The bounds can't be lowered: `test_rank_sensitivity_is_reached`."""
    p, b = fraction
    statistic = ranks(p, b)
    old, new = (take(statistic, kept + part) for part in (removed, added))
    params = {"numerator": p, "denominator": b}
    assert np.abs(old - new).max() <= bound("rank_scores", params, Edits(len(removed), len(added)), LInf)


def test_rank_sensitivity_is_reached() -> None:
    three = ranks(1, 4)
    assert np.abs(take(three, [-3, -3, -3]) - take(three, [-3, -3, 4])).max() == 4
    assert np.abs(take(three, [-3, -3]) - take(three, [-3, -3, -3])).max() == 3


@given(small, small)
def test_bins_never_move_more(removed: Any, added: Any) -> None:
    e = Edits(len(removed), len(added))
    for name, params in (("bin_counts", {"edges": EDGES}), ("value_counts", {"values": GRID})):
        old, new = (take(registry.build(name, params), r) for r in (removed, added))
        theorem_inputs = {**params, "histograms": 1}
        assert np.abs(old - new).sum() <= bound("histograms", theorem_inputs, e, L1)
        assert np.linalg.norm(old - new) <= bound("histograms", theorem_inputs, e, L2)


@pytest.mark.parametrize(
    ("name", "parameters", "said"),
    [
        ("bin_counts", {"edges": ()}, "increasing"),
        ("bin_counts", {"edges": (1.0, 1.0)}, "increasing"),
        ("bin_counts", {"edges": (2.0, 1.0)}, "increasing"),
        ("bin_counts", {"edges": (0.0, np.inf)}, "increasing"),
        ("bin_counts", {"edges": (True, 2.0)}, "increasing"),
        ("value_counts", {"values": ("a",)}, "increasing"),
        ("rank_scores", {"candidates": GRID, "numerator": 2, "denominator": 2}, "strictly between"),
        ("rank_scores", {"candidates": GRID, "numerator": 0, "denominator": 2}, "numerator"),
        ("rank_scores", {"candidates": GRID, "numerator": 1, "denominator": 2**21}, "strictly between"),
    ],
)
def test_refused(name: str, parameters: dict[str, Any], said: str) -> None:
    with pytest.raises(DpframeError, match=said):
        registry.build(name, parameters)


@pytest.mark.parametrize("name", ["bin_counts", "value_counts", "rank_scores"])
def test_columns_and_clipped_rows_are_refused(name: str) -> None:
    listed = {"bin_counts": "edges", "value_counts": "values", "rank_scores": "candidates"}[name]
    more = {"numerator": 1, "denominator": 2} if name == "rank_scores" else {}
    operation = registry.build(name, {listed: GRID, "column": 2, **more})
    for rows in (Rows(2), Rows(3, "unit_ball")):
        with pytest.raises(DpframeError):
            operation.output(rows)
    assert isinstance(attrs.evolve(operation, column=1).output(Rows(2)), Counts)
