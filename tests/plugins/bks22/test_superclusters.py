"""Superclusters of public rows: shells that are empty, whatever the rows are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import dpframe as dp
from dpframe_plugins.bks22.parts import CUT, LEAST_GAP, MOST_GAP, SHELL, GuessBalls, GuessOf, Part
from dpframe_plugins.bks22.superclusters import WIDE, Superclusters, superclusters


def groups(apart: float, each: int = 15, d: int = 3, k: int = 3) -> tuple[Any, Any]:
    rng = np.random.default_rng(3)
    labels = np.repeat(np.arange(k), each)
    return rng.normal(size=(k * each, d)) + apart * labels[:, None], labels


@pytest.mark.parametrize(("apart", "expected"), [(5.0, 1), (1e4, 3), (1e9, 3)])
def test_far_groups_are_superclusters_and_near_ones_are_not(apart: float, expected: int) -> None:
    rows, labels = groups(apart)
    for turned in (rows, rows[::-1] * 1e-9 + 7.0, np.vstack([rows, rows])):
        found = superclusters(turned, 3)
        assert len(np.unique(found)) == expected
    if expected == 3:
        assert len(set(zip(superclusters(rows, 3).tolist(), labels.tolist(), strict=True))) == 3


def test_the_literal_radius_is_zero() -> None:
    """Algorithm 3 as printed takes the least distance to *any* row, itself included: r = 0, and no ball ever grows."""
    rows, _ = groups(1e4)
    to_any = [np.linalg.norm(rows - row, axis=1).min() for row in rows]
    to_others = [np.partition(np.linalg.norm(rows - row, axis=1), 1)[1] for row in rows]
    assert WIDE * max(to_any) == 0.0 < WIDE * max(to_others)


@settings(max_examples=60, deadline=None)
@given(
    arrays(np.float64, st.tuples(st.integers(1, 30), st.integers(1, 3)), elements=st.floats(-1e308, 1e308)),
    st.integers(1, 5),
)
def test_any_finite_rows_end_in_at_most_k_disjoint_superclusters(rows: Any, k: int) -> None:
    found = superclusters(rows, k)
    assert sorted(set(found.tolist())) == list(range(int(found.max()) + 1))
    assert found.max() < k
    balls = Superclusters(k=k).apply(rows)
    if isinstance(balls, list):
        assert 1 <= len(balls) <= k
        assert all(np.isfinite(ball.centre).all() and 0 < ball.radius < np.inf for ball in balls)


def test_a_part_is_cut_about_a_supercluster_where_there_are_several() -> None:
    rows, _ = groups(1e4)
    domains = dp.plugin.AffineValue(rows.mean(axis=0), np.eye(3), 1e9)
    guess = GuessOf(k=3, w_min=1 / 6).apply(Part(rows, len(rows)), domains)
    assert guess.ratio == MOST_GAP
    assert guess.radius * guess.ratio == pytest.approx(1e4 * np.sqrt(3), rel=0.01)
    inner, cut = (GuessBalls(cut=cut).apply(guess, domains) for cut in (False, True))
    assert cut.radius / inner[0].radius == pytest.approx(np.sqrt(SHELL))
    inside = np.linalg.norm(rows - rows.mean(axis=0) - cut.centre, axis=1) <= cut.radius
    assert inside.sum() == 15


def test_the_shell_of_the_narrowest_gap_is_t10s() -> None:
    q = LEAST_GAP
    assert q**CUT / np.sqrt(SHELL) == pytest.approx(q**0.45)
    assert q**CUT * np.sqrt(SHELL) == pytest.approx(q**0.7)


def test_superclusters_part_a_table_in_a_program() -> None:
    @dp.program
    def program(x: Any, public: Any) -> Any:
        parts = dp.partition_balls(x, dp.post("bks22.superclusters", public, k=3, name="balls"), balls=3)
        return [dp.release(f"rows_{i}", dp.gaussian(share=1.0), dp.count(part)) for i, part in enumerate(parts[:3])]

    rng = np.random.default_rng(1)
    public, _ = groups(1e4)
    x = rng.normal(size=(3000, 3)) + 1e4 * (np.arange(3000) % 3)[:, None]
    tables = {"x": dp.rows(n=3000, d=3), "public": dp.public_rows(d=3)}
    plan = dp.plan(program, adjacency=dp.REPLACE_ONE, budget=dp.zcdp(rho=0.5), **tables)
    result = plan.run(x=x, public=public, simulate=1)
    assert [float(result[f"rows_{i}"][0]) for i in range(3)] == pytest.approx([1000.0] * 3, abs=15.0)
