"""Strategies: what they draw is in its domain and shrinks; valid graphs plan, faulty ones are refused."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import attrs
import numpy as np
import pytest
from hypothesis import HealthCheck, find, given, settings
from hypothesis import strategies as st

from dpframe.errors import DomainError, DpframeError
from dpframe.front.specs import parse_spec
from dpframe.proof.spaces import (
    AffineMap,
    Array,
    Ball,
    Counts,
    Domain,
    Edits,
    Flag,
    Gaussian,
    Index,
    ListOf,
    Mixture,
    Record,
    Rows,
    SparseCounts,
    Subspace,
    Symmetric,
    Vector,
    WeightedRows,
    Whitening,
)
from dpframe.testing.battery import strategies
from dpframe.testing.battery.attack_rows import rows_problem
from dpframe.testing.battery.sketches import FAULTS, LEAVES, MAPS, Chain, Sketch
from dpframe.testing.battery.tables import batch, pool
from dpframe.testing.battery.values import SCALES, draw

ROWS: list[Domain] = [Rows(1), Rows(3), Rows(2, "unit_ball"), Rows(2, "unit_box"), WeightedRows(2, 3)]
RELEASED: list[Domain] = [
    Vector(3),
    Array((2, 3)),
    Counts(2),
    Symmetric(2),
    Symmetric(3, 2),
    Index(3),
    Flag(),
    Ball(2),
    AffineMap(3, 2),
    Whitening(2, 2),
    Gaussian(2),
    Mixture(3, 2),
    ListOf(Ball(1), 3),
    Subspace(3, 2),
    SparseCounts(2, 2),
    Record("grids"),
]
FEW = settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow])
PLANS = settings(max_examples=8, suppress_health_check=[HealthCheck.too_slow])


@pytest.mark.parametrize("domain", ROWS, ids=str)
@FEW
@given(data=st.data())
def test_rows_belong_to_their_domain(domain: Domain, data: Any) -> None:
    table = data.draw(strategies.rows(domain))
    assert rows_problem(batch(table, domain, strategies.BITS), None, domain) == ""


@pytest.mark.parametrize("domain", RELEASED, ids=str)
@FEW
@given(data=st.data())
def test_values_belong_to_their_domain(domain: Domain, data: Any) -> None:
    domain.check(data.draw(strategies.values(domain)))


def test_private_domains_have_no_released_values() -> None:
    with pytest.raises(DomainError, match="no released value"):
        strategies.values(Rows(2))


@pytest.mark.parametrize("relation", ["replace_one", "add_remove", Edits(2, 2)], ids=str)
@FEW
@given(data=st.data())
def test_neighbours_differ_by_one_of_the_edits(relation: Any, data: Any) -> None:
    pair = data.draw(strategies.neighbours(Rows(2), relation))
    sizes = (len(pair.removed), len(pair.added))
    assert sizes in {"replace_one": [(1, 1)], "add_remove": [(1, 0), (0, 1)]}.get(str(relation), [(2, 2)])
    assert len(pair.first) - len(pair.second) == sizes[0] - sizes[1]


@FEW
@given(table=strategies.tables(2))
def test_tables_have_two_columns(table: Any) -> None:
    assert table.ndim == 2
    assert table.shape[1] == 2


def test_counterexamples_shrink_to_readable_ones() -> None:
    table = find(strategies.rows(Rows(2)), lambda rows: sum(r.valid for r in rows) >= 2)
    assert [r.text for r in table] == [[0.0, 0.0], [0.0, 0.0]]
    far = find(strategies.tables(1), lambda t: np.isnan(t).any())
    assert far.shape == (1, 1)
    mixture = find(strategies.values(Mixture(2, 1)), lambda m: m.means[0, 0] > 1)
    assert mixture.means.tolist() == [[1.5], [0.0]]
    sketch = find(strategies.graphs(), lambda s: any("affine" in c.maps for c in s.chains))
    assert sketch == Sketch("add_remove", 1, (Chain(("affine",), sorted(LEAVES)[0]),))


@PLANS
@given(sketch=strategies.graphs())
def test_valid_graphs_plan(sketch: Sketch) -> None:
    plan = sketch.plan()
    assert plan.verdict.spent["epsilon"] <= 1.0


@FEW
@given(sketch=strategies.faulty_graphs())
def test_faulty_graphs_are_refused_for_their_fault(sketch: Sketch) -> None:
    assert sketch.fault is not None
    with pytest.raises(DpframeError) as refused:
        sketch.plan()
    assert FAULTS[sketch.fault] in str(refused.value)


@pytest.mark.parametrize("fault", sorted(FAULTS))
@pytest.mark.parametrize("relation", ["replace_one", "add_remove"])
def test_every_fault_is_refused_and_its_twin_plans(fault: str, relation: str) -> None:
    with pytest.raises(DpframeError) as refused:
        Sketch(relation, 2, (Chain((), "count"),), fault).plan()
    assert FAULTS[fault] in str(refused.value)


@pytest.mark.parametrize("relation", ["replace_one", "add_remove"])
def test_the_unfaulted_sketch_plans(relation: str) -> None:
    assert Sketch(relation, 2, (Chain((), "count"),)).plan().verdict.spent


@PLANS
@given(text=strategies.specs())
def test_specs_are_read_back(text: str) -> None:
    assert parse_spec(text).name == "drawn"


@pytest.mark.slow
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(sketch=strategies.graphs(), scale=st.sampled_from([1.0, 1e-9, 1e200]), seed=st.integers(0, 9))
def test_valid_graphs_run_on_rows_of_every_size(sketch: Sketch, scale: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = rng.standard_normal((5000, sketch.d)) * scale
    table[::7] = np.nan
    table[3] = 1e308
    assert sketch.plan().run(simulate=seed, x=table).status == "released"


def test_every_building_block_occurs() -> None:
    assert len(MAPS) >= 11
    assert len(LEAVES) >= 13
    assert len(FAULTS) >= 20


def test_hypothesis_is_needed_by_strategies_only() -> None:
    code = (
        "import sys; sys.modules['hypothesis'] = None\n"
        "from dpframe.testing import check_operation, strategies\n"
        "assert check_operation('count').holds\n"
        "from dpframe.errors import SpecError\n"
        "try:\n    strategies.numbers()\nexcept SpecError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install 'dpframe[test]'" in done.stdout


KINDS = ("hypotheses", "family_mixtures", "grids")


@pytest.mark.parametrize("domain", [*RELEASED, *(Record(kind) for kind in KINDS if kind != "grids")], ids=str)
def test_what_the_battery_draws_belongs_to_its_domain(domain: Domain) -> None:
    """Its own generator of values, at every scale; some have no value of every scale, and say so."""
    drawn = 0
    for seed in range(3):
        for scale in SCALES:
            try:
                value = draw(domain, np.random.default_rng(seed), scale)
            except (DpframeError, ValueError, ArithmeticError, np.linalg.LinAlgError):
                assert scale != 1.0
                continue
            domain.check(value)
            drawn += 1
    assert drawn >= 3


@pytest.mark.parametrize("domain", ROWS, ids=str)
@pytest.mark.parametrize("bits", [1, 6, 26])
def test_the_batterys_pools_of_rows_belong_to_their_domain(domain: Domain, bits: int) -> None:
    for seed in range(3):
        for size in (4, 24):
            found = pool(domain, bits, (), np.random.default_rng(seed), size)
            assert rows_problem(batch(found, domain, bits), None, domain) == ""
            assert any(not row.valid for row in found)


def test_a_pool_outside_the_ball_is_seen() -> None:
    """The broken twin."""
    domain = Rows(2, "unit_ball")
    wrong = [attrs.evolve(pool(domain, 6, (), np.random.default_rng(0))[1], values=(65.0, 1.0))]
    assert rows_problem(batch(wrong, domain, 6), None, domain)
