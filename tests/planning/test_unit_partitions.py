"""Every way of cutting rows into parts, under neighbours of several rows: honoured by a proof, or refused in a word.

What is honoured is measured on neighbouring tables by ``tests/runtime/test_unit_neighbours.py``.
"""

from __future__ import annotations

import itertools
import json
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpframe.plugin as dp
from dpframe.errors import PlanError
from dpframe.front.specs import load_spec
from dpframe.front.specs.finding import shipped
from dpframe.kernel.registry import operations
from dpframe.proof.checker import verify
from dpframe.proof.losses import ZERO, Concentrated, Loss
from dpframe.proof.theorems import spread
from dpframe.proof.theorems.composition import allocations
from tests.planning.examples import ball, categories, mixed_recursion, recursion

EACH, N = 3, 900
SINGLE = "proved for single-row edits only, not Edits"
INDEX = "by (row )?index,? "
BUDGET = dp.approx_dp(epsilon=2.0, delta=1e-6)


@dp.own_partition("test.unit_parts", parts=2, examples={})
def parts_of_ones_own(rows: Any) -> Any:
    """By the sign of the first column."""
    return (rows[:, 0] > 0).astype(int)


def express(x: Any) -> Any:
    return dp.express_parts(x, dp.constant([0.0]), formula=lambda row, at: row[0] > at[0], count=2)[0]


CASES: dict[str, Callable[[Any], Any]] = {
    "split": lambda x: dp.transform("split", x, count=2)[0],
    "filter_ball": lambda x: dp.transform("filter_ball", x, ball())[0],
    "partition_balls": lambda x: dp.transform("partition_balls", x, dp.post("test.balls"), balls=4)[0],
    "partition_nearest": lambda x: dp.transform(
        "partition_nearest", x, dp.constant([[0.0, 0.0], [1.0, 1.0]]), centres=2
    )[0],
    "partition_halfspace": lambda x: dp.transform("partition_halfspace", x, dp.post("test.map", p=1))[0],
    "own_partition": lambda x: dp.own("test.unit_parts", x)[0],
    "express_parts": express,
    "secret_split": lambda x: dp.transform("secret_split", x, count=2)[0],
    "subsample": lambda x: dp.transform("subsample", x, rate=0.5)[0],
    "pairs": lambda x: dp.transform("pairs", x),
    "secret_pairs": lambda x: dp.transform("secret_pairs", x),
    "sampled_rows": lambda x: dp.sampled_rows(x, rows=7),
}
WHOLE = {"recurse": recursion, "worklist": mixed_recursion, "by_category": categories}
ELSEWHERE = {"block_learner", "branch", "for_each"}
"""Blocks: ``test_unit_neighbours``. Branches and loops cut nothing: bodies have the edits of what they are handed."""
SECRET = ("secret_split", "subsample", "recurse", "worklist", "by_category")
RELATIONS = {
    "unit replaced": dp.unit_level("replace_one", unit="0", rows=EACH),
    "unit comes": dp.unit_level("add_remove", unit="0", rows=EACH),
    "rows anywhere": dp.Edits(EACH, EACH),
}
REFUSED = {
    **{(name, relation): SINGLE for name in SECRET for relation in RELATIONS},
    ("split", "unit comes"): INDEX,
    ("split", "rows anywhere"): INDEX,
    ("pairs", "unit comes"): INDEX,
    ("sampled_rows", "unit comes"): INDEX,
}


def plan(name: str, relation: Any) -> Any:
    def program(x: Any) -> Any:
        return dp.release("n", dp.laplace(share=1.0), dp.count(CASES[name](x)))

    made = WHOLE[name] if name in WHOLE else dp.program(program)
    declared = dp.rows(d=2) if relation in (dp.ADD_REMOVE, RELATIONS["unit comes"]) else dp.rows(d=2, n=N)
    return dp.plan(made, x=declared, adjacency=relation, budget=BUDGET)


def test_every_operation_that_cuts_or_draws_rows_has_a_case() -> None:
    """One that is added must be honoured or refused too."""
    ours = {n: o for n, o in operations().items() if o.__module__.startswith("dpframe.")}
    cutting = {n for n, o in ours.items() if o.kind in ("partition", "gather", "blocks", "control")}
    assert cutting == {*CASES, *WHOLE, *ELSEWHERE}


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("name", [*CASES, *WHOLE])
def test_it_is_honoured_or_refused(name: str, relation: str) -> None:
    words = REFUSED.get((name, relation))
    if words is None:
        assert verify(plan(name, RELATIONS[relation]).document(simulated=False)).verified
        return
    with pytest.raises(PlanError, match=words) as refused:
        plan(name, RELATIONS[relation])
    assert refused.value.message.startswith("node '")
    assert refused.value.fix


@pytest.mark.parametrize("name", SECRET)
def test_the_checker_refuses_by_itself(name: str) -> None:
    """A certificate for single rows is no certificate for units of them, whoever writes that it is."""
    single = dp.ADD_REMOVE if name == "secret_split" else dp.REPLACE_ONE
    content = json.loads(plan(name, single).document(simulated=False))
    unit = {"unit": "0", "unit_rows": EACH}
    assert verify(json.dumps(content).encode()).verified
    content["adjacency"] = {"type": "unit", "adjacency": single.name, **unit}
    content["total"] |= unit
    verdict = verify(json.dumps(content).encode())
    assert not verdict.verified
    assert any("single-row edits only" in reason for reason in verdict.reasons), verdict.reasons


@pytest.mark.parametrize("name", ["filter_ball", "partition_nearest", "own_partition", "express_parts"])
def test_the_checker_prices_several_rows_by_itself(name: str) -> None:
    """What is listed for fewer rows of a unit is not what it finds for more."""
    content = json.loads(plan(name, RELATIONS["unit replaced"]).document(simulated=False))
    assert verify(json.dumps(content).encode()).verified
    content["adjacency"]["unit_rows"] = content["total"]["unit_rows"] = 2 * EACH
    assert not verify(json.dumps(content).encode()).verified


@given(st.integers(1, 3), st.integers(0, 3), st.integers(1, 3), st.integers(0, 2**31))
def test_no_way_in_which_edits_fall_costs_more(removed: int, added: int, parts: int, seed: int) -> None:
    """Against all ways, counted out; where all parts cost the same it is the worst of them."""
    rng = np.random.default_rng(seed)
    steps = rng.integers(0, 5, size=(parts, removed + 1, added + 1)) * (rng.random() < 0.8)
    steps[:, 0, 0] = 0
    rho = np.maximum.accumulate(np.maximum.accumulate(steps, axis=1), axis=2).astype(float)
    alike = bool(rng.integers(0, 2))
    if alike:
        rho[:] = rho[0]

    def part(i: int, e: Any) -> Loss:
        assert not e.keeps_index
        return Loss.of(Concentrated(rho[i, e.removed, e.added])) if rho[i, e.removed, e.added] else ZERO

    found = spread(dp.Edits(removed, added), parts, part).rho
    ways = itertools.product(itertools.product(range(removed + 1), range(added + 1)), repeat=parts)
    fitting = [w for w in ways if sum(r for r, _ in w) <= removed and sum(a for _, a in w) <= added]
    most = max(math.fsum(rho[i, r, a] for i, (r, a) in enumerate(way)) for way in fitting)
    assert found >= most * (1 - 1e-12)
    if alike:
        assert found <= most * (1 + 1e-9) + 1e-12


def test_ways_are_counted_as_partitions_of_a_pair_are() -> None:
    """The numbers of bipartite partitions (OEIS A002774); with one part there is one way."""
    assert [len(allocations(m, m, 99)) for m in range(1, 7)] == [2, 9, 31, 109, 339, 1043]
    assert [len(allocations(m, 0, 99)) for m in (1, 2, 3, 4, 5, 6)] == [1, 2, 3, 5, 7, 11]
    assert allocations(5, 5, 1) == [((5, 5),)]


@pytest.mark.parametrize("edits", [(7, 7, 99), (30, 30, 1), (65_536, 65_536, 2), (65_536, 0, 2), (40, 0, 99)])
def test_too_many_ways_are_refused_at_once(edits: tuple[int, int, int]) -> None:
    with pytest.raises(PlanError, match="in too many ways to price"):
        allocations(*edits)


SIZES = {
    "d": 3, "k": 2, "bound": 100.0, "sigma_min": 0.1, "sigma_max": 10.0, "sigma": 1.0, "classes": 2,
    "epsilon": 4.0, "delta": 1e-6,
}  # fmt: skip
FOR_UNITS = {"adjacency": "replace_one", "unit": "u", "unit_rows": EACH, "n": 60_000, "columns": None}


def why_not(name: str) -> str:
    """Why a spec is not for units; nothing where it plans."""
    spec = load_spec(name)
    given = {k: v for k, v in SIZES.items() if k in spec.keys or k in ("d", "epsilon", "delta")}
    fitted = {"d": 1} if name == "aal21_univariate" else {}
    try:
        spec.set({**given, **fitted, **FOR_UNITS}).plan()
    except PlanError as error:
        return error.message
    return ""


@pytest.mark.slow
def test_the_specs_that_are_not_for_units_are_those_that_the_page_lists() -> None:
    listed = re.search(r"these specs are not for units: ([^.]*)\.", Path("docs/runs.md").read_text())
    assert listed is not None
    refused = {name: why for name in shipped() if (why := why_not(name))}
    assert set(refused) == set(re.findall("`([a-z0-9_]+)`", listed[1]))
    assert all(re.search(SINGLE, why) for why in refused.values()), refused
