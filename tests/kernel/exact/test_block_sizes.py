"""How many rows a fold adds up in float64 before it goes over to integers: so few that every sum is exact."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpframe.kernel.exact.folds import SumFold, sums
from dpframe.kernel.families import weighted_folds
from dpframe.kernel.families.weighted_folds import WeightedGramFold, WeightedHistogramFold

EXACT = 2**53


def sizes(module: Any, patch: pytest.MonkeyPatch) -> list[int]:
    """What blocks a module cuts, as it asks for them."""
    asked, spans = list[int](), module.spans

    def told(rows: int, size: int) -> Any:
        asked.append(size)
        return spans(rows, size)

    patch.setattr(module, "spans", told)
    return asked


@pytest.mark.parametrize("bits", [1, 20, 26])
@pytest.mark.parametrize("d", [1, 3, 100])
def test_the_most_that_a_block_adds_up_is_exact(bits: int, d: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A row's number is at most 2^bits, a weight 2^bits; how products are cut is asked below."""
    asked = sizes(sums, monkeypatch)
    SumFold(d, bits).update(np.zeros((2, d)))
    assert 1 <= asked[0] * (math.isqrt(d - 1) + 1) * 2**bits <= EXACT
    asked = sizes(weighted_folds, monkeypatch)
    WeightedHistogramFold(1, 1, weight_bits=bits).update(np.zeros((2, 1), dtype=np.int64), np.zeros((2, 1)))
    assert 1 <= asked[0] * 2**bits <= EXACT


def pieces(q: Any, most: int, patch: pytest.MonkeyPatch) -> list[tuple[int, ...]]:
    """Shapes of what is multiplied, as it is asked for."""
    asked, product = list[tuple[int, ...]](), sums._product

    def told(part: Any) -> Any:
        asked.append(part.shape)
        return product(part)

    with patch.context() as within:
        within.setattr(sums, "_product", told)
        sums.add_gram(sums.ExactSum((*q.shape[:-2], q.shape[-1], q.shape[-1])), q, EXACT // most)
    return asked


@pytest.mark.parametrize("rows", [0, 1, 2, 3, 7, 1000, 1023, 1025, 20_001])
@pytest.mark.parametrize("most", [1, 2, 3, 2**13, 2**40])
@pytest.mark.parametrize("stack", [(), (1,), (4,)])
def test_products_are_of_so_few_rows_that_they_are_exact(
    rows: int, most: int, stack: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also of the rows that are left; every row is in one piece, and int64 holds the sum of a stack."""
    shapes = pieces(np.zeros((*stack, rows, 3)), most, monkeypatch)
    assert sum(math.prod(shape[-3:-1]) for shape in shapes) == rows
    assert all(shape[-2] <= most and math.prod(shape[-3:-1]) <= 2**9 * most for shape in shapes)


@pytest.mark.parametrize("bits", [1, 13, 20, 26])
@pytest.mark.parametrize("rows", [1, 2, 3, 129])
def test_weighted_products_are_of_so_few_rows_that_they_are_exact(
    bits: int, rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows at the end of the lattice with all the weight: their products are the largest there are."""
    asked, product = list[int](), sums._product

    def told(part: Any) -> Any:
        asked.append(part.shape[-2])
        return product(part)

    monkeypatch.setattr(sums, "_product", told)
    fold = WeightedGramFold(2, 2, bits=bits, weight_bits=bits)
    values, weights = np.zeros((2, rows, 2)), np.zeros((rows, 2))
    values[:, :, 0], weights[:, 0] = 2.0**bits, 2.0**bits
    fold.update(values, weights)
    assert max(asked) * 4**bits <= EXACT
    assert fold.value.tolist() == [[[rows * 4**bits, 0], [0, 0]], [[0, 0], [0, 0]]]


@pytest.mark.parametrize("d", [1, 2, 8, 10, 22])
@pytest.mark.parametrize("k", [1, 4])
def test_a_chunk_leaves_no_rows_and_other_threads_their_turn(d: int, k: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """NumPy keeps Python's lock while it makes a result of 500 numbers and fewer, though it takes a millisecond."""
    (shape,) = pieces(np.zeros((k, 2**18 // (k * d) // 512 * 512, d)), 2**13, monkeypatch)
    assert math.prod(shape[:-2]) * d * min(8, d) > 500


@given(st.integers(1, 26), st.integers(1, 3), st.integers(0, 70), st.integers(1, 12), st.booleans(), st.randoms())
def test_pieces_add_up_to_the_integers(bits: int, k: int, rows: int, d: int, turned: bool, random: Any) -> None:
    """Whatever the layout of the rows, at sums that pass 2^53."""
    rng = np.random.default_rng(random.getrandbits(32))
    q = rng.integers(-(2**bits), 2**bits + 1, (k, rows, d)).astype(np.float64)
    if turned:
        q = np.ascontiguousarray(q.transpose(0, 2, 1)).transpose(0, 2, 1)
    total = sums.ExactSum((k, d, d))
    sums.add_gram(total, q, 4**bits)
    exact = [[[sum(int(a) * int(b) for a, b in zip(x, y, strict=True)) for y in part.T] for x in part.T] for part in q]
    assert total.value.tolist() == exact
