"""Audits of reductions: none is refuted (1e-6 a test), most of the claim is found, and every broken twin is caught."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import attrs
import numpy as np
import pytest

from dpframe.errors import SpecError
from dpframe.kernel.families.mixture_mask import MixtureMask
from dpframe.kernel.mechanisms.truncated_laplace_gate import TruncatedLaplaceTest
from dpframe.kernel.registry import find_learner, operations
from dpframe.kernel.transforms.partition import Subsample
from dpframe.planning.plan import Plan
from dpframe.proof.spaces import Outcome
from dpframe.runtime import blocks
from dpframe.runtime.gate import Admitted
from dpframe.runtime.guard import Guard
from dpframe.testing.audit import reductions, replay
from dpframe.testing.audit.reductions import AVERAGED, CASES, FAR, VOTERS, Crafted
from tests.ungated import lie

BY_NAME = {case.name: case for case in CASES}
LEAST = {
    "filter_ball": 0.6, "split": 0.6, "subsample": 0.7, "for_each": 0.4, "branch": 0.5, "recurse": 0.2,
    "worklist": 0.2, "by_category": 0.45, "block_learner": 0.6, "select_block": 0.55, "populous_average": 0.0,
    "populous_weight": 0.0,
}  # fmt: skip
"""Found of the claim with the default runs, or those a busy machine makes in two minutes a side (``MINUTES``: 50,000).
The averaged estimate's bound holds for any blocks and is loose by a constant on ours; their order must not show."""


@pytest.fixture(autouse=True)
def learners_in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hundreds of blocks take their time in processes of their own."""

    def run(name: str, seed: int, found: list[tuple[int, Any]], **_: Any) -> list[Any]:
        return [answer(find_learner(name), rows, np.random.default_rng([seed, i])) for i, rows in found]

    def answer(learner: Any, rows: Any, generator: Any) -> Any:
        try:
            result = tuple(np.array(part, dtype=np.float64) for part in learner(rows, generator))
        except IndexError:  # a block of empty rows
            return None
        return result if all(np.isfinite(a).all() for a in result) else None

    monkeypatch.setattr("dpframe.runtime.blocks.run_isolated", run)


@pytest.mark.parametrize("name", [n for n in BY_NAME if BY_NAME[n].operation != "populous_average"])
def test_no_reduction_is_refuted(name: str) -> None:
    found = BY_NAME[name].audit(runs=500, seconds=20)
    assert 0.99 < found.claimed <= 1
    assert not found.refuted


MINUTES = {"a loop over a released list", "a tree, breadth first", "a tree, depth first"}
"""Of CPU, each: for `make long`, with as many runs whatever else the machine does."""
LATER = {
    *("a secret sample", "a table for each category: a row changes its own", "the order of components"),
    *("populous blocks averaged", "populous blocks, one selected"),
}
"""For `make long` too, with the runs that users get."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.long] * (n in MINUTES | LATER)) for n in sorted(BY_NAME)]
)
def test_most_of_the_claim_is_found(name: str) -> None:
    more = {"runs": 50_000, "seconds": 1800} if name in MINUTES else {"seconds": 1800 if name in LATER else 120}
    found = BY_NAME[name].audit(**more)
    assert not found.refuted
    assert found.found >= LEAST[found.subject] * found.claimed, found


def test_the_table_is_of_registered_operations_and_says_what_it_lacks() -> None:
    assert set(reductions.names()) <= set(operations())
    assert set(reductions.names()) == set(LEAST)
    with pytest.raises(SpecError, match="no audit is known"):
        reductions.audit_reduction("count")


# ---------------------------------------------------------------------------------------- broken twins


def quieter(patch: pytest.MonkeyPatch, plan: Plan, factor: float, ending: str = "") -> Plan:
    """The plan, run with less noise than it claims in the mechanisms whose path ends so."""
    keys = ("sigma", "scale")
    changed = {
        path: {k: v * factor if k in keys and path[-1].endswith(ending) else v for k, v in noise.items()}
        for path, noise in plan.calibrations.items()
    }
    lie(patch, changed)
    return plan


def max_rule(case: Crafted, patch: pytest.MonkeyPatch) -> Plan:
    """A partition charged for its dearest part, as if a row that leaves one part did not enter another."""
    return quieter(patch, case.plan(), math.sqrt(0.5))


def one_table(case: Crafted, patch: pytest.MonkeyPatch) -> Plan:
    """A table for each category charged once where two of them change, and for a quarter of that."""
    return quieter(patch, case.plan(), math.sqrt(1 / 8))


def one_half_row(case: Crafted, patch: pytest.MonkeyPatch) -> Plan:
    """A half charged without the factor 2 of replace-one."""
    return quieter(patch, case.plan(), 0.5)


def public_sample(case: Crafted, patch: pytest.MonkeyPatch) -> Plan:
    """A sample whose members are known."""
    patch.setattr(Subsample, "draw", lambda self, n, source: np.zeros(n, dtype=np.int64))
    return case.plan()


def undivided(case: Crafted, patch: pytest.MonkeyPatch) -> Plan:
    """A loop whose every item takes the whole of the loop's share."""
    patch.setattr(Admitted, "proposed", lambda self, path, share: self.checked.noise[path].calibration)
    patch.setattr(Guard, "charge", lambda self, path, place, calibration, share: None)
    return case.plan()


def free_body(case: Crafted, patch: pytest.MonkeyPatch) -> Plan:
    """A branch charged for its test alone, or nearly."""
    return quieter(patch, case.plan(), 1 / 3, "then")


def one_node(case: Crafted, patch: pytest.MonkeyPatch) -> Plan:
    """A tree charged for one of the four counts that a row which changes sides moves, and for half of its ρ."""
    return quieter(patch, case.plan(), math.sqrt(1 / 8))


def overlapping(case: Crafted, patch: pytest.MonkeyPatch) -> Plan:
    """Blocks that are all given the rows of one of them."""
    rows_at = blocks._rows_at
    patch.setattr(blocks, "_rows_at", lambda view, index: rows_at(view, index[3:4]) * len(index))
    return case.plan()


def always_passes(case: Crafted, patch: pytest.MonkeyPatch) -> Plan:
    """A test without its lower threshold."""

    def release(self: Any, exact: Any, calibration: Any, domain: Any, source: Any, times: int) -> Any:
        return [Outcome(True, 0.0)] * times

    patch.setattr(TruncatedLaplaceTest, "release_many", release)
    return case.plan()


def unpermuted(case: Crafted, patch: pytest.MonkeyPatch) -> Plan:
    """A mask that keeps the order of the components."""
    patch.setattr("dpframe.kernel.noise.permutation", lambda source, count: np.arange(count))

    def kernel(exact: Any, calibration: Any, source: Any, times: int) -> Any:
        return MixtureMask(share=1.0).release_many(exact, calibration, None, source, times)  # type: ignore[arg-type]

    patch.setattr(replay, "bulk_masks", kernel)
    return case.plan()


def two_camps() -> Any:
    """Half of the blocks and one agree far away; without that one nothing qualifies."""
    far = {i: [FAR] for i in range(1, VOTERS // 2 + 1)}
    rest = {i: [-1000.0 * i] for i in range(VOTERS // 2 + 1, VOTERS)}
    return tuple(reductions._placed(VOTERS, {**far, **rest, 0: [x]}, [0.0]) for x in (FAR, 0.0))


def two_camps_of_mixtures() -> Any:
    """As :func:`two_camps`, of mixtures: half of the blocks at one end of the range, the others failed."""
    agree = {i: [1.0, 0.0] for i in range(1, AVERAGED // 2 + 1)}
    rest = {i: [math.nan, 0.0] for i in range(AVERAGED // 2 + 1, AVERAGED)}
    both = ([1.0, 0.0], [math.nan, 0.0])
    return tuple(reductions._placed(AVERAGED, {**agree, **rest, 0: x}, [0.0, 0.0]) for x in both)


Twin = Callable[[Crafted, pytest.MonkeyPatch], Plan]
TWINS: dict[str, tuple[Twin, int, Any]] = {
    "parts by a rule: a row changes sides": (max_rule, 100_000, None),
    "halves by index": (one_half_row, 20_000, None),
    "a secret sample": (public_sample, 10_000, None),
    "a loop over a released list": (undivided, 10_000, None),
    "a table for each category: a row changes its own": (one_table, 4_000, None),
    "a test, and what it allows": (free_body, 6_000, None),
    "a tree, depth first": (one_node, 4_000, None),
    "a tree, breadth first": (one_node, 4_000, None),
    "sample and aggregate": (overlapping, 2_000, None),
    "populous blocks, one selected": (always_passes, 2_000, two_camps),
    "populous blocks averaged": (always_passes, 2_000, two_camps_of_mixtures),
    "the order of components": (unpermuted, 1_000, None),
}
"""Case to fault, runs, and tables of its own."""


SLOW = {"a loop over a released list", "a tree, depth first", "a tree, breadth first"}


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.slow] if n in SLOW else []) for n in sorted(BY_NAME)]
)
def test_a_broken_twin_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fault, runs, tables = TWINS[name]
    case = attrs.evolve(BY_NAME[name], runs=runs, epsilon=1.0)
    if tables is not None:
        case = attrs.evolve(case, tables=tables)
    found = case.audit(fault(case, monkeypatch), seconds=60)
    assert found.refuted, found


def test_the_tables_of_its_own_refute_nothing_that_is_sound() -> None:
    for name, (_, _, tables) in TWINS.items():
        if tables is not None:
            case = attrs.evolve(BY_NAME[name], tables=tables)
            assert not case.audit(runs=500, seconds=20).refuted
