"""The located ball, the subspace and the cell sizes, from histograms and Grams with known truth."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpframe as dp
from dpframe.plugin import BallValue
from dpframe_plugins.practical import locate, scales, subspace
from dpframe_plugins.practical.nodes import SubspaceNode
from dpframe_plugins.practical.records import Ball
from tests.plugins.practical.float_kernel import Kernel, histogram, located


@pytest.mark.parametrize(
    ("values", "coverage", "expected"),
    [
        ([0.6] * 100, 0.98, 1.0),
        ([0.6] * 97 + [7.0] * 3, 0.98, 8.0),
        ([0.6] * 98 + [7.0] * 2, 0.98, 1.0),
        ([9.0] * 100, 0.98, 16.0),  # overflow: one bin further
    ],
)
def test_the_radius_is_the_smallest_edge_that_holds_the_share(
    values: list[float], coverage: float, expected: float
) -> None:
    edges = locate.radial_edges(8.0, bins=6, ratio=2.0)
    counts = histogram(np.array(values), edges)
    assert locate.upper_radius(edges, counts, 0.0, coverage=coverage) == expected


def test_bins_that_noise_explains_do_not_count(rng: np.random.Generator) -> None:
    edges = locate.radial_edges(1e6)
    counts = histogram(np.full(20_000, 3.0), edges) + 80.0 * rng.standard_normal(len(edges) + 1)
    assert 3.0 <= locate.next_radius(edges, counts, 80.0, 1e6) <= 3.0 * 2.0**0.5
    assert locate.upper_radius(edges, np.zeros(len(edges) + 1), 80.0) is None
    assert locate.next_radius(edges, np.zeros(len(edges) + 1), 80.0, 5.0) == 5.0


@given(
    st.floats(1e-3, 1e3),
    st.lists(st.floats(-1e9, 1e9), min_size=3, max_size=3),
    st.floats(-10.0, 1e6),
)
def test_the_centre_never_leaves_the_ball(radius: float, total: list[float], rows: float) -> None:
    ball = Ball(np.ones(3), radius)
    moved = locate.next_center(ball, np.array(total), rows, 1.0)
    assert np.linalg.norm(moved - ball.center) <= radius * (1.0 + 1e-12) + 1e-12


@pytest.mark.parametrize(("shift", "scale", "bound"), [(0.0, 1.0, 1e3), (1e3, 1.0, 1e6), (1e6, 1e-2, 1e9)])
@pytest.mark.parametrize("d", [1, 10])
def test_the_rounds_find_data_far_from_zero(
    shift: float, scale: float, bound: float, d: int, rng: np.random.Generator
) -> None:
    rows = shift + scale * rng.standard_normal((20_000, d))
    ball, count = located(Kernel(rows, rng), bound)
    reach = float(np.quantile(np.linalg.norm(rows - ball.center, axis=1), 0.95))
    assert reach <= ball.radius <= 2.0 * reach
    assert ball.radius < 12.0 * scale * math.sqrt(d)
    assert abs(count - 20_000) < 1_000


@given(st.lists(st.integers(-300, 300), min_size=1, max_size=6), st.integers(-3, 3))
def test_a_column_lies_within_the_power_of_two_that_is_its_size(powers: list[int], shift: int) -> None:
    counts = np.zeros((len(powers), 701))
    for column, power in zip(counts, powers, strict=True):
        column[[power + 350, 0]] = 99.0, 1.0
    sizes = locate.column_sizes(counts, 0.1, shift - 350)
    assert sizes.tolist() == [power + shift + 1.0 for power in powers]


def test_columns_that_show_nothing_have_the_least_size() -> None:
    counts = np.array([[0.0, 0.0, 90.0], [1.0, -1.0, 0.5], [0.0, 90.0, 0.0]])
    assert locate.column_sizes(counts, 1.0, 4).tolist() == [7.0, 6.0, 6.0]
    assert locate.column_sizes(0.1 * counts, 10.0, 4).tolist() == [0.0, 0.0, 0.0]


@given(
    st.lists(st.floats(-1.0, 1.0), min_size=2, max_size=2),
    st.lists(st.integers(-40, 40), min_size=2, max_size=2),
    st.lists(st.integers(-40, 0), min_size=2, max_size=2),
)
def test_the_first_ball_holds_what_the_sizes_promise(
    corner: list[float], sizes: list[int], exponents: list[int]
) -> None:
    """Any row inside the sizes, in the units of the ball; and the mean of copies of one row is that row."""
    row, spans, factors = np.array(corner), 2.0 ** np.array(sizes), 2.0 ** -np.array(exponents, dtype=float)
    total = 50.0 * row / max(1.0, float(np.linalg.norm(row)) / math.sqrt(2.0)) / math.sqrt(2.0)
    ball = locate.first_ball(np.array(sizes, dtype=float), total, 50.0, 1.0, factors)
    np.testing.assert_allclose(ball.center, row * spans * factors, atol=1e-12 * float(np.linalg.norm(spans * factors)))
    for far in ([1.0, 1.0], [-1.0, 1.0]):
        assert np.linalg.norm(np.array(far) * spans * factors - ball.center) <= ball.radius


@given(*(st.lists(st.floats(-1e300, 1e300), min_size=2, max_size=2) for _ in range(2)), st.floats(-1e300, 1e300))
def test_the_first_ball_is_finite_whatever_noise_makes_of_its_inputs(
    sizes: list[float], total: list[float], rows: float
) -> None:
    for exponent in (-1000.0, 0.0, 1000.0):
        ball = locate.first_ball(np.array(sizes), np.array(total), rows, 0.0, np.full(2, 2.0**exponent))
        assert np.isfinite(ball.center).all()
        assert 0.0 < ball.radius < math.inf


def test_a_gram_matrix_of_a_wider_ball_is_put_in_the_units_of_the_ball() -> None:
    node, count, gram = SubspaceNode(d=3, rank=1), np.array([100.0]), np.diag([8.0, 2.0, 2.0])
    near, ball = BallValue(np.zeros(3), 2.0), BallValue(np.zeros(3), 1.0)
    one = node.apply_noisy((count, 4.0 * gram), (1.0, 0.4))
    other = node.apply_noisy((count, gram, near, ball), (1.0, 0.1, 0.0, 0.0))
    assert one.residual_variance == other.residual_variance == pytest.approx(0.08)


def test_the_subspace_holds_the_centres(rng: np.random.Generator) -> None:
    basis = np.linalg.qr(rng.standard_normal((8, 2)))[0]
    gram = 1000.0 * (basis * [4.0, 3.0]) @ basis.T + 1000.0 * 0.5 * np.eye(8)
    found = subspace.subspace(gram, 1.0, 1000.0, 2)
    np.testing.assert_allclose(found.basis @ found.basis.T, basis @ basis.T, atol=1e-9)
    assert found.residual_variance == pytest.approx(0.5)
    assert subspace.subspace(gram, 1e6, 1000.0, 2).residual_variance is None
    assert subspace.subspace(gram, 1.0, 1000.0, 8).residual_variance is None


@pytest.mark.parametrize(("d", "k", "rank"), [(1, 1, 1), (2, 4, 2), (10, 4, 3), (10, 1, 1), (10, 2, 1), (3, 4, 3)])
def test_centred_means_of_k_components_span_k_minus_1(d: int, k: int, rank: int) -> None:
    assert subspace.subspace_dimension(d, k) == rank
    assert subspace.identity_subspace(d).basis.shape == (d, d)


def test_pair_quantiles_and_sizes() -> None:
    edges = scales.pair_edges()
    assert len(edges) == 61
    counts = np.zeros(62)
    counts[40], counts[50], counts[55] = 10.0, 80.0, 10.0
    low, high = scales.quantile_range(edges, counts, 0.0) or (0.0, 0.0)
    assert (low, high) == (edges[40] / math.sqrt(2.0), edges[55] / math.sqrt(2.0))
    assert scales.quantile_range(edges, counts, 1e3) is None


@given(st.floats(1e-9, 2.0), st.floats(1.0, 1e9))
def test_sizes_halve_and_reach_both_ends(low: float, ratio: float) -> None:
    sizes = scales.cell_sizes((low, low * ratio))
    assert scales.MIN_LEVELS <= len(sizes) <= scales.MAX_LEVELS
    np.testing.assert_array_equal(sizes[:-1], 2.0 * sizes[1:])
    assert 0.5 * low * ratio < sizes[0] or len(sizes) == scales.MAX_LEVELS
    assert sizes[-1] <= scales.FINEST * low


def test_sizes_without_an_answer_cover_the_frame() -> None:
    assert len(scales.cell_sizes(None)) >= scales.MIN_LEVELS


@pytest.mark.parametrize("ratio", [1.0, 8.0, 1e6])
def test_scarce_rows_go_without_the_coarsest_cells(ratio: float) -> None:
    every, few = (scales.cell_sizes((0.01, 0.01 * ratio), scarce=scarce) for scarce in (False, True))
    assert few.tolist() == every[1:].tolist()
    assert len(few) >= scales.MIN_LEVELS - 1


@pytest.mark.parametrize("scale", [1e-3, 1e6])
@pytest.mark.parametrize("bound", [1e9, 1e20, 1e31, 1e100, 1e150])
def test_a_bound_that_says_nothing_costs_little(bound: float, scale: float, rng: np.random.Generator) -> None:
    rows = scale * rng.normal([3.0, 0.0], 1.0, (5_000, 2))
    plan = dp.plan(
        lambda x: dp.release("ball", dp.locate(share=1.0, bound=bound), x),
        x=dp.rows(n=len(rows), d=2),
        adjacency=dp.REPLACE_ONE,
        budget=dp.zcdp(rho=0.01),
    )
    ball = plan.run(rows, simulate=1)["ball"]
    assert np.linalg.norm(ball.centre - [3.0 * scale, 0.0]) < scale
    assert 2.0 * scale < ball.radius < 8.0 * scale
