"""The whole engine on tables that differ in all rows of one unit: nothing is further apart than is certified."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import attrs
import numpy as np
import pytest

import dpframe as dp
from dpframe.errors import PlanError
from dpframe.front.specs import load_spec
from dpframe.proof.checker import verify
from dpframe.proof.theorems import composition
from dpframe.runtime import views
from dpframe.runtime.sources import units
from dpframe.testing.audit.in_situ import in_situ
from tests.planning.examples import ball, index_halves, simple_mean
from tests.runtime.test_units import table

EACH, UNITS = 3, 300
BUDGET = dp.approx_dp(epsilon=2.0, delta=1e-6)


@dp.learner("test.block_means")
def block_means(rows: Any, generator: Any) -> Any:
    return (rows.mean(axis=0),)


@dp.program
def many(x: Any) -> Any:
    """Halves of halves, pairs, blocks, a stable histogram, counts, a choice: what goes by index and by row."""
    left, right = dp.transform("split", x, count=2, seed=1)
    quarter, _ = dp.transform("split", left, count=2, seed=2)
    a = dp.release("a", dp.gaussian(share=1.0), dp.mean(dp.clip(quarter, ball())))
    b = dp.release("b", dp.laplace(share=1.0), dp.count(right))
    pairs = dp.transform("pairs", x)
    c = dp.release("c", dp.gaussian(share=1.0), dp.gram(dp.clip(pairs, ball())))
    found = dp.release("found", dp.locate(share=1.0), x)
    edges = dp.transform("bin_counts", x, column=0, edges=[-50.0, -1.0, 0.0, 1.0, 50.0])
    chosen = dp.release("chosen", dp.exponential_mechanism(share=1.0), edges)
    return {"a": a, "b": b, "c": c, "found": found, "chosen": chosen}


@dp.program
def by_blocks(x: Any) -> Any:
    blocks = dp.transform("block_learner", x, learner="test.block_means", t=30, item="vector", size=(2,))
    agreed = dp.transform("agreement", blocks, semimetric="l2", r=8.0, d=2)
    return dp.release("agreed", dp.laplace(share=1.0), agreed)


def whole() -> tuple[Any, Any]:
    """Every unit has a row; some rows have no unit."""
    ids, rows = table(UNITS)
    return np.append(np.arange(UNITS, dtype=float), ids), np.vstack([np.ones((UNITS, 2)), rows])


def neighbours(relation: str) -> Iterator[tuple[Any, Any]]:
    """One unit has other rows: far ones, more, one, none with a value; it comes, or goes."""
    ids, rows = whole()
    first = np.column_stack([ids, rows * 6])
    for unit in (0.0, 17.0, UNITS - 1.0):
        own = ids == unit
        far = first.copy()
        far[own, 1:] = [1e9, -3.0]
        many_rows = np.insert(first, np.arange(0, len(first), 9), [[unit, 7.0, 7.0]], axis=0)
        if relation == "add_remove":
            yield far, far[~own]
            yield first[~own], many_rows
            continue
        yield first, far
        opposite = far.copy()
        opposite[own, 1:] = [-1e9, 3.0]
        yield far, opposite
        yield far, many_rows
        empty = far.copy()
        empty[own, 2] = np.nan
        yield far, empty


@dp.program
def parted(x: Any) -> Any:
    """Parts, parts of a part, and pairs and an exact total of one: rows of a unit fall anywhere."""
    near, far = dp.transform("filter_ball", x, ball())
    cells = dp.transform("partition_nearest", far, dp.constant([[-9.0, 0.0], [9.0, 0.0], [0.0, 9.0]]), centres=3)
    out = {"near": dp.release("near", dp.gaussian(share=1.0), dp.mean(dp.clip(near, ball())))}
    for i in range(2):
        out[f"count{i}"] = dp.release(f"count{i}", dp.gaussian(share=1.0), dp.count(cells[i]))
    edges = dp.transform("bin_counts", near, column=0, edges=[-50.0, 0.0, 50.0])
    out["chosen"] = dp.release("chosen", dp.laplace(share=0.5), edges)
    return out


def spread_out(relation: str) -> Iterator[tuple[Any, Any]]:
    """The rows of a unit lie in one part, in another, in all of them."""
    ids, rows = whole()
    first = np.column_stack([ids, rows])
    for unit in (0.0, UNITS - 1.0):
        own = first[ids != unit]
        placed = ([[0.1, 0.1]] * 3, [[-9.0, 0.0]] * 3, [[0.1, 0.1], [-9.0, 0.0], [9.0, 0.0]], [[0.0, 99.0]] * 3)
        made = [np.vstack([own, np.column_stack([[unit] * 3, places])]) for places in placed]
        if relation == "add_remove":
            yield from ((table_, own) for table_ in made)
        else:
            yield from itertools.permutations(made, 2)


def plan_of(program: Any, relation: str) -> Any:
    sizes = {"n": UNITS * EACH} if relation == "replace_one" else {}
    adjacency = dp.unit_level(relation, unit="0", rows=EACH)
    return dp.plan(program, x=dp.rows(d=2, **sizes), adjacency=adjacency, budget=BUDGET)


def test_no_unit_shows_more_than_is_certified() -> None:
    planned = plan_of(many, "replace_one")
    for first, second in neighbours("replace_one"):
        assert in_situ(planned, {"x": first}, {"x": second}) == []
    planned = plan_of(simple_mean, "add_remove")
    for first, second in neighbours("add_remove"):
        assert in_situ(planned, {"x": first}, {"x": second}) == []


@pytest.mark.parametrize("relation", ["replace_one", "add_remove"])
def test_rows_of_a_unit_in_several_parts_show_no_more_than_is_certified(relation: str) -> None:
    planned = plan_of(parted, relation)
    assert verify(planned.document(simulated=False)).verified
    for first, second in spread_out(relation):
        assert in_situ(planned, {"x": first}, {"x": second}) == []


def test_parts_charged_as_if_rows_fell_together_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The broken twin: of all ways in which rows fall only those into one part are priced."""
    monkeypatch.setattr(composition, "allocations", lambda removed, added, parts: [((removed, added),)])
    planned = plan_of(two_counts, "replace_one")
    shown = [in_situ(planned, {"x": a}, {"x": b}) for a, b in spread_out("replace_one")]
    assert any("what the tables show costs" in line for lines in shown for line in lines)


@dp.program
def two_counts(x: Any) -> Any:
    near, far = dp.transform("filter_ball", x, ball())
    return {n: dp.release(n, dp.gaussian(share=1.0), dp.count(p)) for n, p in (("near", near), ("far", far))}


@pytest.mark.slow  # thirty processes a run
def test_one_unit_changes_one_block() -> None:
    planned = plan_of(by_blocks, "replace_one")
    for first, second in list(neighbours("replace_one"))[:3]:
        assert in_situ(planned, {"x": first}, {"x": second}) == []


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["practical_gmm", "coinpress_gaussian"])
def test_a_learner_on_units(spec: str) -> None:
    keys = {"d": 2, "bound": 100.0, "epsilon": 4.0, "delta": 1e-5, "adjacency": "replace_one", "n": UNITS * EACH}
    more = {"k": 2} if spec == "practical_gmm" else {}
    planned = load_spec(spec, {**keys, **more, "unit": "0", "unit_rows": EACH}).plan()
    for first, second in list(neighbours("replace_one"))[:4]:
        assert in_situ(planned, {"x": first}, {"x": second}) == []


def one_slot_for_the_table(place: Any, each: int) -> Any:
    """A rule that sees the place in the table: of rows that stand before, whoever's they are."""
    return np.minimum(np.arange(len(place)) % each, place)


def test_a_rule_that_sees_other_units_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(units, "slots", one_slot_for_the_table)
    planned = plan_of(simple_mean, "replace_one")
    assert any(in_situ(planned, {"x": a}, {"x": b}) for a, b in neighbours("replace_one"))


@pytest.mark.slow
def test_blocks_that_cut_a_unit_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    planned, plain = plan_of(by_blocks, "replace_one"), views.SourceTable
    pairs = list(neighbours("replace_one"))[:1]
    monkeypatch.setattr("dpframe.runtime.run.SourceTable", lambda source, rows, group: plain(source, rows))
    assert any(in_situ(planned, {"x": a}, {"x": b}) for a, b in pairs)


@pytest.mark.parametrize(
    ("relation", "make"),
    [
        ("replace_one", lambda x: dp.transform("secret_split", x, count=2)),
        ("replace_one", lambda x: dp.transform("subsample", x, rate=0.5)),
        ("add_remove", lambda x: dp.transform("split", x, count=2)),
        ("add_remove", lambda x: [dp.transform("pairs", x)]),
    ],
)
def test_what_has_no_proof_for_units_is_refused(relation: str, make: Any) -> None:
    def program(x: Any) -> Any:
        part = make(x)[0]
        return dp.release("n", dp.laplace(share=1.0), dp.count(part))

    with pytest.raises(PlanError, match=r"single-row edits only|index"):
        plan_of(dp.program(program), relation)


def test_a_certificate_for_smaller_units_is_refused() -> None:
    """Edits, total and thresholds are recomputed from the unit that the certificate names."""
    keys = {"k": 5, "d": 5, "bound": 100.0, "n": 900, "unit": "0", "unit_rows": EACH}  # a stable histogram's threshold
    content = load_spec("practical_gmm", keys).plan().document(simulated=False)
    assert verify(content).verified
    for old, new in (
        (b'"unit_rows": 3', b'"unit_rows": 1'),
        (b'"reach": 3.0', b'"reach": 1.0'),
        (b'"unit": "0"', b'"unit": ""'),
    ):
        assert old in content
        assert not verify(content.replace(old, new)).verified


def test_without_the_group_a_partition_is_refused() -> None:
    with pytest.raises(PlanError, match="cuts by row index, which neighbours"):
        dp.plan(index_halves, x=dp.rows(n=900, d=2), adjacency=dp.Edits(3, 3), budget=BUDGET)


def test_a_ledger_of_units_takes_any_number_of_their_rows() -> None:
    ids, rows = whole()
    data = np.column_stack([ids, rows])
    session = dp.Session(data, dp.approx_dp(3.0, 1e-5))
    session.run(plan_of(simple_mean, "replace_one"), simulate=1)
    other = dp.unit_level("replace_one", unit="0", rows=5)
    declared = dp.rows(n=5 * UNITS, d=2)
    session.run(dp.plan(simple_mean, x=declared, adjacency=other, budget=dp.approx_dp(0.3, 1e-6)), simulate=1)
    assert len(session.entries) == 2
    for relation in (dp.REPLACE_ONE, dp.unit_level("replace_one", unit="1", rows=3)):
        planned = dp.plan(simple_mean, x=dp.rows(n=900, d=2), adjacency=relation, budget=dp.approx_dp(0.1, 1e-6))
        with pytest.raises(PlanError, match="counts under replace_one of one unit"):
            session.run(planned, simulate=1)


def test_the_total_says_which_unit_is_protected() -> None:
    planned = plan_of(simple_mean, "add_remove")
    assert (planned.spent["unit"], planned.spent["unit_rows"]) == ("0", EACH)
    assert "all rows of one '0', of which 3 count" in planned.explain()
    assert attrs.evolve(planned.adjacency, unit=None) != planned.adjacency
