"""Pairs: what one edit changes, by enumeration for index pairs and by an exact coupling for secret matchings."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import attrs
import networkx as nx
import numpy as np
import pytest

import dpframe as dp
from dpframe.kernel.operations import Batch, Gather
from dpframe.kernel.transforms.pairs import Pairs, SecretPairs
from dpframe.kernel.transforms.partition import Split
from dpframe.proof.spaces import ADD, REMOVE, REPLACE_ONE, Edits
from dpframe.proof.theorems import THEOREMS
from dpframe.runtime.views import MemoryTable, View, gather, partition_views

Matching = frozenset[tuple[int, int]]


@pytest.mark.parametrize("n", [2, 3, 50, 51])
def test_index_pairs_are_disjoint_and_cover_all_but_one(n: int) -> None:
    pairs = Pairs(seed=4).indices(n, None)
    assert pairs.shape == (n // 2, 2)
    assert len(set(pairs.ravel().tolist())) == pairs.size
    capped = Pairs(seed=4, max_pairs=5).indices(n, None)
    assert np.array_equal(capped, pairs[:5])


def test_pairs_are_not_capped_unless_they_are_told_to() -> None:
    """Broken twin: the cap of 2^17 pairs that every recipe had by default."""
    n = 2**19
    assert len(Pairs().indices(n, None)) == n // 2
    assert len(Pairs(max_pairs=2**17).indices(n, None)) == 2**17


@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("chunk", [1, 3, 7, 100])
@pytest.mark.parametrize("part", [False, True])
def test_groups_are_gathered_in_one_pass_as_if_all_rows_were_at_hand(
    size: int, chunk: int, part: bool, rng: np.random.Generator
) -> None:
    """Whatever the batches, order and empty rows; of the table, and of a part that was cut from it."""
    n = 29
    rows = rng.normal(size=(n, 2))
    rows[rng.random(n) < 0.2] = np.nan
    valid = np.isfinite(rows).all(axis=1)
    at_hand = np.where(valid[:, None], rows, 0.0)
    table = MemoryTable(Batch(0, at_hand, valid))
    view, mine = View(table, n), np.arange(n)
    if part:
        cut = Split(count=2, weights=(2, 1), seed=3)
        view = partition_views(view, cut, (), None)[0]
        mine = np.flatnonzero(cut.assign(table.rows, n) == 0)
        assert view.n == len(mine) == n * 2 // 3
    groups = rng.permutation(len(mine))[: len(mine) // size * size].reshape(-1, size)
    (made,) = (table.base.rows for table in gather(view, [(Kept(groups), None)], chunk))
    taken = mine[groups]
    assert np.array_equal(made.valid, valid[taken].all(axis=1))
    wanted = (at_hand[taken] * (1.0 + np.arange(size))[:, None]).sum(axis=1)
    assert made.values == pytest.approx(np.where(made.valid[:, None], wanted, 0.0))


@attrs.frozen
class Kept(Gather):
    """Given groups, their rows weighted by their slots."""

    groups: Any

    def indices(self, n: int, source: Any) -> Any:
        return self.groups

    def combine(self, groups: Batch) -> Batch:
        weights = 1.0 + np.arange(groups.values.shape[1])
        valid = groups.valid.all(axis=1)
        values = (groups.values * weights[:, None]).sum(axis=1)
        return Batch(0, np.where(valid[:, None], values, 0.0), valid)


@pytest.mark.parametrize("m", [1, 2, 5])
def test_each_replaced_row_changes_one_pair(m: int, rng: np.random.Generator) -> None:
    pairs = Pairs(seed=1).indices(40, None)
    (stable,) = THEOREMS["pairs_by_index"].rule({}, ((Edits(m, m),),))
    for _ in range(50):
        chosen = rng.choice(40, size=m, replace=False)
        changed = int(np.isin(pairs, chosen).any(axis=1).sum())
        assert changed <= stable.removed == stable.added == m
    assert not stable.indexed


def matchings(rows: tuple[int, ...], cap: int) -> Counter[Matching]:
    """All outcomes of the secret matching, as often as permutations give them."""
    found: Counter[Matching] = Counter()
    pairs = min(len(rows) // 2, cap)
    for order in itertools.permutations(rows):
        found[frozenset((order[2 * i], order[2 * i + 1]) for i in range(pairs))] += 1
    return found


def coupled(small: Counter[Matching], large: Counter[Matching], removed: int, added: int) -> bool:
    """Whether the two laws have a coupling in which at most so many pairs leave and enter: a maximum flow."""
    graph = nx.DiGraph()
    total_small, total_large = sum(small.values()), sum(large.values())
    for a, count in small.items():
        graph.add_edge("source", ("small", a), capacity=count * total_large)
    for b, count in large.items():
        graph.add_edge(("large", b), "sink", capacity=count * total_small)
    for a in small:
        for b in large:
            if len(a - b) <= removed and len(b - a) <= added:
                graph.add_edge(("small", a), ("large", b), capacity=total_small * total_large)
    return bool(nx.maximum_flow_value(graph, "source", "sink") == total_small * total_large)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("cap", [1, 2, 9])
def test_an_added_row_replaces_at_most_one_secret_pair(n: int, cap: int) -> None:
    """The theorem's (1, 1) for add and remove: row n is the extra one."""
    (bound,) = THEOREMS["secret_matching"].rule({}, ((ADD,),))
    small, large = matchings(tuple(range(n)), cap), matchings(tuple(range(n + 1)), cap)
    assert coupled(small, large, bound.removed, bound.added)
    if n % 2 == 0 and n:  # the broken twin: adding one row is more than adding one pair
        assert not coupled(small, large, 0, 1)
        assert not coupled(small, large, 1, 0)


@pytest.mark.parametrize("n", [3, 4])
def test_a_replaced_row_replaces_at_most_one_secret_pair(n: int) -> None:
    (bound,) = THEOREMS["secret_matching"].rule({}, ((REPLACE_ONE,),))
    one = matchings(tuple(range(n)), 9)
    other = matchings((*range(n - 1), 99), 9)
    assert coupled(one, other, bound.removed, bound.added)
    assert not coupled(one, other, 0, 0)


def test_secret_pairs_keep_no_index_and_pay_for_every_edit() -> None:
    for e in (ADD, REMOVE, REPLACE_ONE):
        assert THEOREMS["secret_matching"].rule({}, ((e,),)) == (Edits(1, 1, indexed=False),)
    for removed, added in ((2, 2), (3, 0), (1, 4)):
        most = max(removed, added)
        assert THEOREMS["secret_matching"].rule({}, ((Edits(removed, added),),)) == (Edits(most, most, indexed=False),)


def test_combine_is_a_scaled_difference_and_does_not_overflow() -> None:
    values = np.array([[[3.0, 1.0], [1.0, 1.0]], [[1e308, 0.0], [-1e308, 0.0]], [[5.0, 5.0], [0.0, 0.0]]])
    valid = np.array([[True, True], [True, True], [True, False]])
    made = Pairs().combine(Batch(0, values, valid))
    assert made.valid.tolist() == [True, True, False]
    assert made.values[0] == pytest.approx([2 / np.sqrt(2), 0.0])
    assert np.isfinite(made.values).all()
    assert not made.values[2].any()


def test_secret_order_is_a_permutation() -> None:
    from dpframe.kernel.noise import SeededSource

    indices = SecretPairs().indices(9, SeededSource(1).child("p"))
    assert indices.shape == (4, 2)
    assert len(set(indices.ravel().tolist())) == 8


def under(adjacency: Any, program: Any, n: int | None) -> Any:
    return dp.plan(dp.program(program), x=dp.rows(d=2, n=n), adjacency=adjacency, budget=dp.zcdp(rho=1.0))


def counted(rows: Any, name: str = "c") -> Any:
    return dp.release(name, dp.laplace(noise_multiplier=2.0), dp.count(rows))


@pytest.mark.parametrize(
    ("program", "message"),
    [
        (lambda x: counted(dp.transform("pairs", x)), r"pairs_1.*secret_pairs under add_remove"),
        (lambda x: counted(dp.transform("pairs", dp.transform("secret_pairs", x))), r"pairs_1.*table's own rows"),
        (
            lambda x: counted(dp.transform("split", dp.transform("secret_pairs", x), count=2)[0]),
            r"split_1.*cuts by row index, which neighbours \(1 out, 1 in, each at an index of its own\) do not keep",
        ),
        (
            lambda x: counted(dp.transform("secret_pairs", dp.transform("secret_split", x, count=2)[0])),
            r"secret_pairs_1.*table's own rows",
        ),
    ],
    ids=["pairs", "pairs_of_pairs", "split_of_pairs", "pairs_of_a_part"],
)
def test_refused_under_add_remove(program: Any, message: str) -> None:
    """The last edits look like a replacement, and the number of pairs is private all the same."""
    with pytest.raises(dp.PlanError, match=message):
        under(dp.ADD_REMOVE, program, None)


def test_secret_pairs_of_a_filtered_part_are_refused_under_replace_one() -> None:
    """Their number is private there, and groups are cut from a number of rows."""

    def program(x: Any) -> Any:
        near, _ = dp.transform("filter_ball", x, dp.ball(centre=[0.0, 0.0], radius=1.0))
        return counted(dp.transform("secret_pairs", near))

    with pytest.raises(dp.PlanError, match=r"secret_pairs_1.*needs one that is fixed"):
        under(dp.REPLACE_ONE, program, 10)
    under(dp.REPLACE_ONE, lambda x: counted(dp.transform("secret_pairs", dp.transform("split", x, count=2)[0])), 10)


def test_secret_pairs_may_be_taken_of_rows_that_row_maps_changed() -> None:
    """There are as many of them, each in its place; what a rule or a secret put into a part is another matter."""

    def mapped(x: Any) -> Any:
        return dp.rescale(dp.within(x, dp.ball(centre=[0.0, 0.0], radius=2.0)), dp.constant([1.0, 0.0]))

    under(dp.ADD_REMOVE, lambda x: counted(dp.transform("secret_pairs", mapped(x))), None)
    with pytest.raises(dp.PlanError, match=r"secret_pairs_1.*table's own rows"):
        under(
            dp.ADD_REMOVE,
            lambda x: counted(dp.transform("secret_pairs", mapped(dp.transform("secret_split", x, count=2)[0]))),
            None,
        )


def test_secret_pairs_under_add_remove_may_be_filtered_by_a_rule() -> None:
    def program(x: Any) -> Any:
        pairs = dp.transform("secret_pairs", x)
        near, far = dp.transform("filter_ball", pairs, dp.ball(centre=[0.0, 0.0], radius=1.0))
        counted(near, "near")
        return counted(far, "far")

    # one pair is replaced: it may leave one part and enter the other
    epsilon = 0.5
    assert under(dp.ADD_REMOVE, program, None).loss.epsilon == pytest.approx(2 * epsilon)


def test_pairs_of_a_half_are_cut_by_index_too() -> None:
    plan = under(dp.REPLACE_ONE, lambda x: counted(dp.transform("pairs", dp.transform("split", x, count=2)[1])), 100)
    assert plan.loss.epsilon == pytest.approx(0.5)
