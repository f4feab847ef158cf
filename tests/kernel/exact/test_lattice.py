"""Row maps: exact clip bounds, and the same bits for a row wherever it stands."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpframe.errors import DomainError
from dpframe.kernel.exact import lattice

RowMap = Callable[[np.ndarray[Any, Any], np.ndarray[Any, Any]], np.ndarray[Any, Any]]
TINY, HUGE = 5e-324, sys.float_info.max
SPECIAL = [0.0, -0.0, TINY, -TINY, 1e-308, 1.0, -1.0, 0.1, 3.0, 1e16, -1e150, 1e308, -HUGE, HUGE]
BROKEN = [math.nan, math.inf, -math.inf]

numbers = st.sampled_from(SPECIAL) | st.floats(-10.0, 10.0) | st.floats(allow_nan=False, allow_infinity=False)
cells = numbers | st.sampled_from(BROKEN)


@st.composite
def tables(draw: st.DrawFn, cell: st.SearchStrategy[float] = cells, width: int | None = None) -> Any:
    d = draw(st.integers(1, 5)) if width is None else width
    rows = draw(st.lists(st.lists(cell, min_size=d, max_size=d), min_size=1, max_size=12))
    valid = draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows)))
    return np.array(rows, dtype=np.float64), np.array(valid)


radii = st.sampled_from([TINY, 1e-310, 1e-300, 1.0, 7.5, 1e300, HUGE]) | st.floats(1e-3, 1e3)


def squared(q: np.ndarray[Any, Any]) -> list[int]:
    return [sum(int(v) ** 2 for v in row) for row in q]


def whole(q: np.ndarray[Any, Any]) -> bool:
    return bool(np.isfinite(q).all() and (q == np.trunc(q)).all())


# One list drives every test of position, chunk and layout. All are given rows on the scale of 1.
D = 11
CENTRE = np.linspace(-0.5, 0.5, D)
MATRIX = np.random.default_rng(5).standard_normal((D, 7))
MAPS: dict[str, RowMap] = {
    "ball": lambda x, valid: lattice.to_ball(x, valid, CENTRE, 3.0, 20),
    "small ball": lambda x, valid: lattice.to_ball(x, valid, CENTRE, 1e-3, 26),
    "tiny ball": lambda x, valid: lattice.to_ball(x, valid, CENTRE, 1e-320, 18),
    "box": lambda x, valid: lattice.to_box(x, valid, CENTRE, 1.3, 20),
    "affine": lambda x, valid: lattice.affine(x, valid, CENTRE, MATRIX, scale=8.0),
    "saturated affine": lambda x, valid: lattice.affine(x, valid, CENTRE, MATRIX, scale=0.5),
    "affine beyond scaling": lambda x, valid: lattice.affine(x, valid, CENTRE, MATRIX * 1e-290, scale=8.0),
    "one limb": lambda x, valid: lattice.affine(x, valid, CENTRE, MATRIX, scale=8.0, limbs=1),
    "norms": lambda x, valid: lattice.squared_norms(x)[:, None],
    "exp": lambda x, valid: lattice.exp_det(x),
    "log": lambda x, valid: lattice.log_det(np.abs(x)),
    "sqrt": lambda x, valid: np.sqrt(np.abs(x)),
    "responsibilities": lambda x, valid: lattice.responsibilities(x, valid, 20),
}
NAIVE: dict[str, RowMap] = {
    "float clip": lambda x, valid: x / np.maximum(1.0, np.sqrt(np.einsum("ij,ij->i", x, x)) / 3.0)[:, None],
    "float product": lambda x, valid: (x - CENTRE) @ MATRIX,
}


def differing(row_map: RowMap, x: np.ndarray[Any, Any], valid: np.ndarray[Any, Any]) -> int:
    """Rows whose bits change when the table is permuted, thinned, cut, shifted in memory or laid out anew."""
    m, d = x.shape
    expected = row_map(x, valid)
    wrong = np.zeros(m, dtype=bool)

    def compare(rows: Any, seen: np.ndarray[Any, Any]) -> None:
        wrong[rows] |= (seen.view(np.int64) != expected[rows].copy().view(np.int64)).any(axis=1)

    order = np.random.default_rng(m).permutation(m)
    compare(order, np.ascontiguousarray(row_map(x[order], valid[order])))
    kept = order[: m // 2]
    compare(kept, np.ascontiguousarray(row_map(x[kept], valid[kept])))
    for size in (1, 2, 3, 7, 100):
        parts = [row_map(x[a : a + size], valid[a : a + size]) for a in range(0, m, size)]
        compare(slice(None), np.concatenate(parts))
    wide, shifted = np.full((m, 2 * d), np.nan), np.empty(m * d + 1)[1:].reshape(m, d)
    wide[:, ::2], shifted[:] = x, x
    for view in (np.asfortranarray(x), wide[:, ::2], shifted, x[::-1].copy()[::-1]):
        compare(slice(None), np.ascontiguousarray(row_map(view, valid)))
    return int(wrong.sum())


def gaussian_table(rng: np.random.Generator, m: int = 700) -> Any:
    x = rng.standard_normal((m, D)) * np.exp(rng.uniform(-3, 3, (m, 1)))
    return x, rng.random(m) > 0.05


@pytest.mark.parametrize("name", MAPS)
def test_a_row_is_mapped_alike_wherever_it_stands(name: str, rng: np.random.Generator) -> None:
    assert differing(MAPS[name], *gaussian_table(rng)) == 0


@pytest.mark.parametrize("name", NAIVE)
def test_the_naive_float_maps_are_caught(name: str, rng: np.random.Generator) -> None:
    assert differing(NAIVE[name], *gaussian_table(rng)) > 50


@pytest.mark.parametrize("name", [name for name in MAPS if name not in {"norms", "exp", "log", "sqrt"}])
@given(table=tables(width=D))
@settings(max_examples=40)
def test_hostile_rows_are_mapped_alike_wherever_they_stand(name: str, table: Any) -> None:
    assert differing(MAPS[name], *table) == 0


@given(table=tables(), radius=radii, centre=numbers, bits=st.integers(1, 26))
def test_the_ball_bound_holds_in_integers(table: Any, radius: float, centre: float, bits: int) -> None:
    x, valid = table
    before = x.copy()
    q = lattice.to_ball(x, valid, np.full(x.shape[1], centre), radius, bits)
    assert whole(q)
    assert max(squared(q)) <= 4**bits
    assert not q[~(valid & np.isfinite(x).all(axis=1))].any()
    np.testing.assert_array_equal(x, before)


@given(table=tables(), radius=radii, centre=numbers, bits=st.integers(1, 26))
def test_the_box_bound_holds_in_integers(table: Any, radius: float, centre: float, bits: int) -> None:
    x, valid = table
    q = lattice.to_box(x, valid, np.full(x.shape[1], centre), radius, bits)
    assert whole(q)
    assert np.abs(q).max() <= 2**bits
    assert not q[~(valid & np.isfinite(x).all(axis=1))].any()


def test_a_rounded_float_clip_breaks_the_bound(rng: np.random.Generator) -> None:
    x = rng.standard_normal((500, 5))
    q = np.rint(2.0**20 * x / np.linalg.norm(x, axis=1)[:, None])
    assert max(squared(q)) > 4**20


@given(table=tables(numbers), radius=radii, bits=st.integers(4, 26))
def test_inside_the_ball_only_truncation_is_lost(table: Any, radius: float, bits: int) -> None:
    x, _ = table
    q = lattice.to_ball(x, np.ones(len(x), bool), np.zeros(x.shape[1]), radius, bits)
    for row, image in zip(x, q, strict=True):
        exact = [Fraction(v) / Fraction(radius) * 2**bits for v in row]
        if sum(v * v for v in exact) <= 4**bits:
            # One rounding of the scale and one of the product may add to the truncation.
            assert all(
                abs(v) - 1 - Fraction(1, 2**20) <= abs(int(w)) <= abs(v) + 1 for v, w in zip(exact, image, strict=True)
            )


@pytest.mark.parametrize("size", [3.0, 1e9, 1e200, HUGE])
@pytest.mark.parametrize("d", [1, 2, 40, 300])
def test_far_rows_keep_their_direction(size: float, d: int, rng: np.random.Generator) -> None:
    x = rng.uniform(-1.0, 1.0, (50, d))
    unit = x / np.linalg.norm(x, axis=1)[:, None]
    x = unit * size if size < HUGE else x / np.abs(x).max(axis=1)[:, None] * HUGE
    q = lattice.to_ball(x, np.ones(50, bool), np.zeros(d), 1.0, 20)
    np.testing.assert_allclose(q / 2**20, unit, atol=3e-6)
    assert min(squared(q)) > (1 - 1e-4) * 4**20


def test_rows_on_the_sphere_of_one_axis_reach_it() -> None:
    q = lattice.to_ball([[9.0, 0.0], [0.0, -1e300]], [True, True], [0.0, 0.0], 2.0, 20)
    np.testing.assert_array_equal(q, [[2.0**20, 0.0], [0.0, -(2.0**20)]])


def test_few_and_many_rows_outside_are_projected_alike(rng: np.random.Generator) -> None:
    far, near = 5 * rng.standard_normal((6, 4)), 0.1 * rng.standard_normal((94, 4))
    alone = lattice.to_ball(far, np.ones(6, bool), np.zeros(4), 1.0, 20)
    mixed = lattice.to_ball(np.concatenate([far, near]), np.ones(100, bool), np.zeros(4), 1.0, 20)
    np.testing.assert_array_equal(mixed[:6], alone)


@given(table=tables(), bits=st.integers(1, 26))
def test_the_last_cap_enforces_the_bound_on_anything(table: Any, bits: int) -> None:
    q = np.trunc(table[0])
    sizes = squared(np.nan_to_num(q))
    kept = [bool(np.isfinite(row).all()) and n <= 4**bits for row, n in zip(q, sizes, strict=True)]
    capped = q.copy()
    lattice.cap_norms(capped, bits)
    assert whole(capped)
    assert max(squared(capped)) <= 4**bits
    np.testing.assert_array_equal(capped[kept], q[kept])


def test_the_joint_cap_counts_all_components(rng: np.random.Generator) -> None:
    q = np.trunc(rng.uniform(-1000, 1000, (3, 50, 4)))
    capped = q.copy()
    lattice.cap_norms(capped, 10)
    joint = squared(np.moveaxis(capped, 0, 1).reshape(50, 12))
    assert max(joint) <= 4**10
    small = np.array(squared(np.moveaxis(q, 0, 1).reshape(50, 12))) <= 4**10
    np.testing.assert_array_equal(capped[:, small], q[:, small])


@given(
    table=tables(st.floats(-4.0, 4.0), width=3),
    matrix=st.lists(st.lists(st.floats(-1e3, 1e3), min_size=2, max_size=2), min_size=3, max_size=3),
    limbs=st.sampled_from([1, 2]),
)
def test_affine_is_as_precise_as_it_says(table: Any, matrix: Any, limbs: int) -> None:
    x, _ = table
    shift = np.array([0.25, -1.0, 3.0])
    scale, top = 8.0, 16.0
    y = lattice.affine(x, np.ones(len(x), bool), shift, matrix, scale=scale, limbs=limbs)
    width = (53 - 2) // 2
    for row, image in zip(x, y, strict=True):
        for j in range(2):
            exact = sum(
                (Fraction(v) - Fraction(s)) * Fraction(a[j]) for v, s, a in zip(row, shift, matrix, strict=True)
            )
            column = 2.0 ** math.frexp(max(abs(a[j]) for a in matrix))[1]
            slack = 1.25 * 2.0 ** (-2 * width) if limbs == 2 else 2.0**-width
            bound = 1e-300 + 3 * slack * top * column + 2.0**-50 * sum(abs(a[j]) * 8.0 for a in matrix)
            assert abs(Fraction(image[j]) - exact) <= bound
            if limbs == 1:
                coarse = lattice.AffineColumns(shift, matrix, d=3, scale=scale, limbs=1).coarse
                farther = max(1.0, math.dist(row, shift) / top)
                assert abs(Fraction(image[j]) - exact) <= 1e-300 + (1.0 + 2.0**-20) * farther * coarse


@pytest.mark.parametrize("uneven", [False, True])
def test_what_one_limb_may_err_by_is_nearly_reached(uneven: bool) -> None:
    """Numbers half a step off the lattice, rows and matrix alike: the bound is not much more than what happens."""
    step, d = 2.0**-24, 30
    half, short = ((np.floor(top / step) + 0.499) * step for top in (0.999, 0.999 / math.sqrt(d)))
    matrix, row = np.full((d, 1), half), np.full((1, d), 8.0 * short)
    image = lattice.AffineColumns(np.zeros(d), matrix, d=d, scale=7.999, limbs=1, uneven=uneven)
    exact = d * Fraction(matrix[0, 0]) * Fraction(row[0, 0])
    found = image.of(row, np.ones(1, bool))[0, 0]
    assert 0.9 * image.coarse < abs(Fraction(found) - exact) <= image.coarse


def test_affine_draws_far_rows_in_along_their_ray() -> None:
    x = np.array([[8.0, 4.0], [80.0, 40.0], [1e308, 5e307], [-HUGE, HUGE]])
    y = lattice.affine(x, np.ones(4, bool), [0.0, 0.0], np.eye(2), scale=7.9)
    np.testing.assert_array_equal(y, [[8.0, 4.0], [8.0, 4.0], [8.0, 4.0], [-8.0, 8.0]])
    far = lattice.affine([[HUGE]], [True], [-HUGE], [[1.0]], scale=1.0)
    np.testing.assert_array_equal(far, [[2.0]])


@given(table=tables(), scale=st.sampled_from([1.0, 8.0, 1e300]))
def test_an_image_of_a_row_with_a_broken_number_is_0_and_moves_no_other(table: Any, scale: float) -> None:
    x, valid = table
    image = lattice.AffineColumns(np.zeros(x.shape[1]), np.eye(x.shape[1]), d=x.shape[1], scale=scale)
    alive = valid & np.isfinite(x).all(axis=1)
    with np.errstate(all="ignore"):
        found, alone = image.of(x, valid), image.of(np.where(alive[:, None], x, 0.0), alive)
    np.testing.assert_array_equal(found, alone)
    assert not found[:, ~alive].any()


@given(table=tables(st.floats(-700.0, 700.0)))
def test_exp_and_log_are_accurate(table: Any) -> None:
    x, _ = table
    y = lattice.exp_det(x)
    np.testing.assert_allclose(y, np.exp(x), rtol=705 * 2.0**-52)
    near = np.abs(x) < 1
    np.testing.assert_allclose(y[near], np.exp(x[near]), rtol=6 * 2.0**-52)
    np.testing.assert_allclose(lattice.log_det(np.exp(x)), np.log(np.exp(x)), rtol=2.0**-49)


def test_exp_and_log_at_the_edges() -> None:
    x = [0.0, -0.0, -1e-300, -1e9, -math.inf, 1e9, math.inf, math.nan]
    low, high = lattice.exp_det([-708.0, 709.0])
    np.testing.assert_array_equal(lattice.exp_det(x), [1, 1, 1, low, low, high, high, math.nan])
    assert 0 < low < 1e-307
    assert 1e307 < high < math.inf
    below = lattice.exp_det(-np.logspace(-17, 2.8, 5000))
    assert (below <= 1.0).all()
    assert (np.diff(lattice.exp_det(np.linspace(-700, 0, 20001))) > 0).all()
    seen = lattice.log_det([0.0, -1.0, math.inf, math.nan, 1.0, TINY])
    np.testing.assert_array_equal(seen[:5], [-math.inf, math.nan, math.inf, math.nan, 0.0])
    assert seen[5] == pytest.approx(math.log(TINY), rel=1e-15)


@given(table=tables(), bits=st.integers(1, 23))
def test_responsibilities_sum_to_at_most_one(table: Any, bits: int) -> None:
    logs, valid = table
    w = lattice.responsibilities(logs, valid, bits)
    assert whole(w)
    assert w.min() >= 0
    totals = [sum(int(v) for v in row) for row in w]
    assert max(totals) <= 2**bits
    usable = valid & (np.nan_to_num(logs, nan=-HUGE, neginf=-HUGE, posinf=HUGE).max(axis=1) > -1e300)
    assert not w[~usable].any()
    assert all(t > 2**bits - logs.shape[1] for t, u in zip(totals, usable, strict=True) if u)


@given(table=tables(numbers | st.sampled_from([*BROKEN, 1e300, -1e300])), bits=st.integers(1, 23))
def test_responsibilities_are_the_plain_formula_bit_for_bit(table: Any, bits: int) -> None:
    logs, valid = table
    held = np.where(np.isnan(logs), -1e300, np.clip(logs, -1e300, 1e300))
    top = held.max(axis=1)
    shares = np.trunc(lattice.exp_det(held - top[:, None]) * 2.0 ** (52 - bits - math.ceil(math.log2(logs.shape[1]))))
    plain = np.trunc(2.0**bits * shares / shares.sum(axis=1)[:, None])
    plain[~(valid & (top > -1e300))] = 0.0
    np.testing.assert_array_equal(lattice.responsibilities(logs, valid, bits), plain)


def test_responsibilities_are_the_softmax(rng: np.random.Generator) -> None:
    logs = rng.normal(-4000.0, 4.0, (200, 6))
    w = lattice.responsibilities(logs, np.ones(200, bool), 20)
    e = np.exp(logs - logs.max(axis=1)[:, None])
    np.testing.assert_allclose(w / 2**20, e / e.sum(axis=1)[:, None], atol=2.0**-19)


@pytest.mark.parametrize("shape", [(0, 3), (1, 1)])
def test_short_tables_are_tables(shape: tuple[int, int]) -> None:
    m, d = shape
    x, valid = np.zeros(shape), np.ones(m, bool)
    assert lattice.to_ball(x, valid, np.zeros(d), 1.0, 20).shape == shape
    assert lattice.to_box(x, valid, np.zeros(d), 1.0, 20).shape == shape
    assert lattice.affine(x, valid, np.zeros(d), np.zeros((d, 2)), scale=1.0).shape == (m, 2)
    assert lattice.responsibilities(x, valid, 20).shape == shape
    assert lattice.squared_norms(x).shape == (m,)
    assert lattice.exp_det(x).shape == shape


ONE = (np.zeros((2, 3)), np.ones(2, bool))
REFUSED: dict[str, Callable[[], object]] = {
    "bits 0": lambda: lattice.to_ball(*ONE, np.zeros(3), 1.0, 0),
    "bits 27": lambda: lattice.to_box(*ONE, np.zeros(3), 1.0, 27),
    "radius 0": lambda: lattice.to_ball(*ONE, np.zeros(3), 0.0, 20),
    "radius nan": lambda: lattice.to_ball(*ONE, np.zeros(3), math.nan, 20),
    "radius inf": lambda: lattice.to_box(*ONE, np.zeros(3), math.inf, 20),
    "radius below 0": lambda: lattice.to_box(*ONE, np.zeros(3), -1.0, 20),
    "centre nan": lambda: lattice.to_ball(*ONE, [0.0, math.nan, 0.0], 1.0, 20),
    "centre short": lambda: lattice.to_ball(*ONE, np.zeros(2), 1.0, 20),
    "live short": lambda: lattice.to_ball(np.zeros((2, 3)), np.ones(3, bool), np.zeros(3), 1.0, 20),
    "values 1-D": lambda: lattice.to_ball(np.zeros(3), np.ones(3, bool), np.zeros(3), 1.0, 20),
    "matrix inf": lambda: lattice.affine(*ONE, np.zeros(3), np.full((3, 1), math.inf), scale=1.0),
    "matrix rows": lambda: lattice.affine(*ONE, np.zeros(3), np.zeros((2, 1)), scale=1.0),
    "limbs": lambda: lattice.affine(*ONE, np.zeros(3), np.zeros((3, 1)), scale=1.0, limbs=3),
    "scale nan": lambda: lattice.affine(*ONE, np.zeros(3), np.zeros((3, 1)), scale=math.nan),
    "scale 0": lambda: lattice.affine(*ONE, np.zeros(3), np.zeros((3, 1)), scale=0.0),
    "no room for weights": lambda: lattice.responsibilities(np.zeros((2, 3)), np.ones(2, bool), 26),
}


@pytest.mark.parametrize("name", REFUSED)
def test_malformed_public_arguments_are_refused_with_a_fix(name: str) -> None:
    with pytest.raises(DomainError, match="Fix: "):
        REFUSED[name]()


@pytest.mark.parametrize("scale", [5e-324, 1e-300, 1.0, 1e100, 1.7976931348623157e308])
@pytest.mark.parametrize("entry", [5e-324, 1.0, 1e300, -1.7976931348623157e308])
def test_a_product_beyond_float64_is_held_at_its_edge(scale: float, entry: float) -> None:
    """Released maps of any size are served: a refusal at run time would come after the loss is reserved."""
    x = np.array([[HUGE, -HUGE], [1.0, 5e-324], [0.0, 0.0]])
    matrix = np.full((2, 1), entry)
    y = lattice.affine(x, np.ones(3, bool), [0.0, -HUGE], matrix, scale=scale)
    assert np.isfinite(y).all()
    assert y[1] == lattice.affine(x[1:2], np.ones(1, bool), [0.0, -HUGE], matrix, scale=scale)
