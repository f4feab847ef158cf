"""Scores of released hypotheses: against brute force over all unions and all pairs, whatever the chunks."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

import dpframe as dp
from dpframe.kernel.families import interval_scores
from dpframe.kernel.families.hypotheses import Hypotheses, MixtureNet, checked, net_size
from dpframe.kernel.families.interval_scores import Excess, IntervalScores, masses, normal_cdf
from dpframe.kernel.families.scheffe_scores import ScheffeScores, densities
from dpframe.kernel.operations import Batch
from dpframe.proof.spaces import Array, Counts, Domain, Record, Rows, Scores

RECORDED = Record("hypotheses")


def hypotheses(rng: np.random.Generator, many: int = 5, k: int = 2, d: int = 1) -> Hypotheses:
    return Hypotheses.of(
        rng.dirichlet(np.ones(k), size=many),
        3 * rng.normal(size=(many, k, d)),
        rng.exponential(size=(many, k, d)) + 0.1,
    )


def batch(values: Any, valid: Any = None) -> Batch:
    values = np.asarray(values, dtype=np.float64)
    alive = np.ones(len(values), dtype=np.bool_) if valid is None else np.asarray(valid)
    return Batch(0, np.where(alive[:, None], values, 0.0), alive)


def score(statistic: Any, d: int, values: Any, valid: Any, *params: Any) -> list[int]:
    fold = statistic.start(Rows(d), *params)
    for a, b in ((0, 7), (7, 8), (8, len(values))):
        half = statistic.start(Rows(d), *params)
        statistic.update(half, batch(values[a:b], valid[a:b]), *params)
        fold.merge(half)
    return [int(v) for v in statistic.value(fold).integers]


def unions(cells: int, intervals: int) -> list[np.ndarray[Any, Any]]:
    """Indicators of all unions of at most so many runs of cells, by counting rises."""
    found = []
    for bits in itertools.product((0, 1), repeat=cells):
        rises = sum(b > a for a, b in itertools.pairwise((0, *bits)))
        if rises <= intervals:
            found.append(np.array(bits))
    return found


@pytest.mark.parametrize("intervals", [1, 2, 3, 6])
def test_interval_scores_are_the_maximum_over_all_unions(intervals: int, rng: np.random.Generator) -> None:
    n, edges = 60, np.sort(rng.normal(size=6) * 3)[None]
    listed = hypotheses(rng)
    values, valid = 3 * rng.standard_normal((n, 1)), rng.random(n) > 0.1
    found = score(IntervalScores(size=9, n=n, intervals=intervals), 1, values, valid, edges, listed)
    counts = np.histogram(values[valid, 0], bins=[-np.inf, *edges[0], np.inf])[0]
    for j, value in enumerate(found):
        picks, weights = (part[0] for part in listed.chunk(j, j + 1))
        below = sum(
            w * norm.cdf(edges[0], listed.means[p, 0], np.sqrt(listed.variances[p, 0]))
            for p, w in zip(picks, weights, strict=True)
        )
        excess = n * np.diff([0.0, *below, 1.0]) - counts
        assert value == -math.ceil(max(u @ excess for u in unions(7, intervals)) - 0.01)


@given(
    st.lists(st.integers(-40, 40), min_size=1, max_size=9),
    st.integers(1, 4),
)
def test_excess_is_that_of_brute_force(values: list[int], intervals: int) -> None:
    found = Excess(intervals, 1)
    for value in values:
        found.step(np.array([float(value)]))
    assert found.most[0] == max(u @ np.array(values) for u in unions(len(values), intervals))


@given(st.data(), st.integers(1, 3))
@settings(max_examples=40)
def test_one_row_moves_scores_by_at_most_one(data: st.DataObject, intervals: int) -> None:
    """Replaced, added and removed, at, between and far beyond the edges; tests/theorems has the broken twin."""
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    listed, edges = hypotheses(rng, many=3), np.array([[-1.0, 0.0, 0.0, 2.5]])
    row = st.sampled_from([-1e300, -1.0, -0.5, 0.0, 1.0, 2.5, 1e9])
    common = data.draw(st.lists(row, max_size=5))
    u, v = data.draw(row), data.draw(row)
    statistic = IntervalScores(size=3, n=5, intervals=intervals)
    scores = [
        np.array(score(statistic, 1, np.array(rows)[:, None], np.ones(len(rows), bool), edges, listed))
        for rows in ([*common, u], [*common, v], [*common, u, v])
    ]
    assert max(np.abs(a - b).max() for a, b in itertools.pairwise(scores)) <= 1


def test_a_twin_that_adds_both_sides_has_sensitivity_two() -> None:
    """max_A (n·f − N)(A) + max_A (N − n·f)(A): one replaced row moves both; so one side is scored, or the larger."""

    def both(values: list[float]) -> float:
        found = [Excess(2, 1), Excess(2, 1)]
        for value in values:
            found[0].step(np.array([value]))
            found[1].step(np.array([-value]))
        return float(found[0].most[0] + found[1].most[0])

    assert both([1.0, -1.0, 0.0]) - both([0.0, 0.0, 0.0]) == 2.0


def test_scheffe_scores_of_one_row_more_move_by_at_most_one_and_a_broken_twin_by_two(rng: np.random.Generator) -> None:
    listed = hypotheses(rng, d=2)
    shares = rng.random((5, 5))
    statistic = ScheffeScores(size=5, n=40)
    values = 3 * rng.standard_normal((40, 2))
    moved = values.copy()
    worst = double = 0
    for i in range(40):
        moved[i] = 3 * rng.standard_normal(2)
        a, b = (np.array(score(statistic, 2, v, np.ones(40, bool), listed, shares)) for v in (values, moved))
        worst = max(worst, int(np.abs(a - b).max()))
        double = max(double, int(np.abs(2 * a - 2 * b).max()))  # as if each row counted on both sides of a contest
        moved[i] = values[i]
    assert worst == 1
    assert double == 2


def test_masses_sum_to_n_exactly_and_are_those_of_the_mixture(rng: np.random.Generator) -> None:
    listed, edges, n = hypotheses(rng, many=3), np.array([-2.0, 0.0, 1.0, 7.0]), 1000
    found = np.concatenate(list(masses(listed, slice(0, 3), edges, n)))
    assert (found.sum(axis=0) == n * interval_scores.STEPS).all()
    below = (
        listed.weights[:, :, None]
        * norm.cdf((edges - listed.means.reshape(3, 2, 1)) / np.sqrt(listed.variances.reshape(3, 2, 1)))
    ).sum(axis=1)
    expected = n * np.diff(below, axis=1, prepend=0.0, append=1.0)
    assert np.abs(found.T / interval_scores.STEPS - expected).max() < 2e-3


def test_normal_cdf_is_accurate() -> None:
    z = np.linspace(-12, 12, 20011)
    assert np.abs(normal_cdf(z.copy()) - norm.cdf(z)).max() < 3e-8


def test_blocks_threads_and_tiles_do_not_show(rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch) -> None:
    listed, edges = hypotheses(rng, many=50), np.sort(rng.normal(size=(1, 40)))
    values = rng.standard_normal((300, 1))
    statistic = IntervalScores(size=50, n=300, intervals=4)
    found = score(statistic, 1, values, np.ones(300, bool), edges, listed)
    monkeypatch.setattr(interval_scores, "BLOCK", 3)
    monkeypatch.setattr(interval_scores, "TILE", 10)
    assert score(statistic, 1, values, np.ones(300, bool), edges, listed) == found


def test_scheffe_scores_are_those_of_the_definition(rng: np.random.Generator) -> None:
    n, listed = 60, hypotheses(rng, many=4, d=2)
    values, valid = 3 * rng.standard_normal((n, 2)), rng.random(n) > 0.1
    shares = rng.random((6, 6))
    dense = np.array(
        [
            sum(
                w * norm.pdf(values, listed.means[p], np.sqrt(listed.variances[p])).prod(axis=1)
                for p, w in zip(*(part[j] for part in listed.chunk(0, 4)), strict=True)
            )
            for j in range(4)
        ]
    )
    expected = []
    for j in range(4):
        gaps = []
        for i in range(4):
            if i != j:
                held = int(((dense[min(i, j)] > dense[max(i, j)]) & valid).sum())
                gaps.append(abs(round(n * shares[j, i]) - held))
        expected.append(-max(gaps))
    assert score(ScheffeScores(size=6, n=n), 2, values, valid, listed, shares) == expected


def test_a_density_does_not_see_other_rows(rng: np.random.Generator) -> None:
    listed, values = hypotheses(rng, many=6, k=3, d=3), 4 * rng.standard_normal((97, 3))
    values[3] = 1e308
    whole = densities(values, listed)
    alone = np.concatenate([densities(values[i : i + 1], listed) for i in range(97)], axis=1)
    assert np.array_equal(whole, alone)


@pytest.mark.parametrize(
    ("components", "k", "steps"), [(1, 1, 3), (4, 1, 5), (4, 2, 5), (5, 3, 4), (3, 3, 1), (2, 3, 6)]
)
def test_the_net_lists_every_mixture_once(components: int, k: int, steps: int) -> None:
    net = MixtureNet(np.arange(float(components)), np.ones(components), k, steps)
    total = len(net)
    assert total == net_size(components, k, steps)
    seen = set()
    for start in range(0, total, 7):
        picks, weights = net.chunk(start, start + 7)
        for pick, weight in zip(picks.tolist(), weights.tolist(), strict=True):
            parts = sorted((p, round(w * steps)) for p, w in zip(pick, weight, strict=True) if w > 0)
            assert sum(w for _, w in parts) == steps
            assert len({p for p, _ in parts}) == len(parts) <= k
            seen.add(tuple(parts))
    expected = {
        tuple(sorted(zip(pick, cut, strict=True)))
        for m in range(1, k + 1)
        for pick in itertools.combinations(range(components), m)
        for cut in itertools.product(range(1, steps + 1), repeat=m)
        if sum(cut) == steps
    }
    assert seen == expected
    assert total == len(expected)


def test_a_net_far_into_a_huge_list_is_cheap() -> None:
    net = MixtureNet(np.arange(8000.0), np.ones(8000), 2, 36)
    picks, weights = net.chunk(len(net) - 3, len(net))
    assert len(net) > 1e9
    assert picks.tolist() == [[7999, 7998]] * 3
    assert (weights * 36).round().tolist() == [[33, 3], [34, 2], [35, 1]]


@pytest.mark.parametrize(
    "broken",
    [
        {"variances": np.zeros((2, 1))},
        {"means": np.full((2, 1), np.nan)},
        {"means": np.zeros((2, 2)), "variances": np.ones((2, 2))},
        {"weights": np.array([[0.5, 0.6]])},
        {"weights": np.array([[np.nan, 1.0]])},
        {"picks": np.array([[0, 2]])},
        {"picks": np.zeros((0, 2), dtype=np.int64), "weights": np.zeros((0, 2))},
    ],
)
def test_malformed_lists_are_refused(broken: dict[str, Any]) -> None:
    fields = {"means": np.zeros((2, 1)), "variances": np.ones((2, 1)), "picks": [[0, 1]], "weights": [[0.5, 0.5]]}
    with pytest.raises(dp.DomainError):
        checked(Hypotheses(**{**fields, **broken}), 1, 3, "it")


def test_a_list_longer_than_planned_is_refused(rng: np.random.Generator) -> None:
    with pytest.raises(dp.DomainError, match="max_hypotheses"):
        checked(hypotheses(rng, many=4), 1, 3, "it")


@pytest.mark.parametrize(
    ("statistic", "inputs"),
    [
        (IntervalScores(size=3, n=9, intervals=2), (Rows(2), Array((1, 3)), RECORDED)),
        (IntervalScores(size=3, n=9, intervals=2), (Rows(1), Array((2, 3)), RECORDED)),
        (IntervalScores(size=3, n=9, intervals=2), (Rows(1), Array((1, 4096)), RECORDED)),
        (IntervalScores(size=3, n=9, intervals=2), (Rows(1), Array((1, 3)), Record("grids"))),
        (ScheffeScores(size=3, n=9), (Rows(1), RECORDED, Array((2, 3)))),
        (ScheffeScores(size=3, n=9), (Rows(1), Counts(3), Array((3, 3)))),
        (ScheffeScores(size=5000, n=9), (Rows(1), RECORDED, Array((5000, 5000)))),
    ],
)
def test_shapes_are_checked(statistic: Any, inputs: tuple[Domain, ...]) -> None:
    with pytest.raises(dp.PlanError):
        statistic.output(*inputs)


def test_numbers_of_rows_that_exact_scores_reach() -> None:
    with pytest.raises(dp.DomainError, match="at most 1099511627776"):
        IntervalScores(size=3, n=2**50, intervals=2)
    with pytest.raises(dp.DomainError, match="at most 1099511627776"):
        ScheffeScores(size=3, n=2**50)


def test_outputs_are_scores() -> None:
    found = IntervalScores(size=3, n=9, intervals=2).output(Rows(1), Array((1, 3)), RECORDED)
    assert found == Scores(3)
    with pytest.raises(dp.DomainError, match="private"):
        found.check(np.zeros(3))


def test_edges_at_the_end_of_floats_raise_no_warning() -> None:
    edges = np.array([[-1e308, 1.0, 1e308]])
    list_ = Hypotheses.of([[1.0], [1.0]], [[[0.0]], [[-1.7e308]]], [[[1.0]], [[5e-324]]])
    statistic = IntervalScores(size=2, n=8, intervals=1)
    assert score(statistic, 1, np.zeros((8, 1)), np.ones(8, dtype=bool), edges, list_) == [-2, -8]
