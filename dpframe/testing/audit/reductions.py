"""Reductions under attack: for each a small program and two neighbouring tables on which its loss is large.

A reduction builds a private algorithm out of others: a partition, a loop, a branch behind a test, a division, a secret
sample, blocks and their aggregate, a mask that was lifted to mixtures. Each case here is a plan at (ε, δ) = (1, 0.01)
and two tables, made so that the whole of what the theorem charges is really spent, or as near as we know how.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt

from dpframe.errors import SpecError
from dpframe.front import api as dp
from dpframe.front.program import Handle, Program, apply, plan, release
from dpframe.kernel.indexing import permuted
from dpframe.kernel.registry import learner
from dpframe.planning.plan import Plan
from dpframe.proof.spaces import Ball, ListOf, Mixture, Vector
from dpframe.testing.audit.plan_audit import audit_plan
from dpframe.testing.battery.findings import Finding
from dpframe.testing.battery.planned import public
from dpframe.testing.estimation import ALPHA

Floats = npt.NDArray[np.float64]
EPSILON, DELTA = 1.0, 1e-2
FAR = 1e9
EMPTY = math.nan
INSIDE = 1 - 1e-9
RUNS = 100_000


@attrs.frozen(eq=False)
class Crafted:
    """One reduction's audit.

    Attributes
    ----------
    name : str
        What is reduced.
    operation : str
        The registered operation whose audit this is.
    program : callable
        Of one table; what it releases is attacked.
    tables : callable
        Makes the two tables.
    epsilon : float
        What the plan claims; more where a theorem is loose by a constant, so that something can be found.
    runs : int
        Simulated runs on each that are worth their time.
    """

    name: str
    operation: str
    program: Callable[[Handle], Any]
    tables: Callable[[], tuple[Floats, Floats]]
    epsilon: float = EPSILON
    runs: int = RUNS

    def plan(self) -> Plan:
        """The plan that claims (ε, δ) on tables of this size."""

        def traced(x: Any) -> Any:
            return self.program(x)

        n, d = self.tables()[0].shape
        budget = dp.approx_dp(epsilon=self.epsilon, delta=DELTA)
        return plan(Program(traced), x=dp.rows(n=n, d=d), adjacency=dp.REPLACE_ONE, budget=budget)

    def audit(self, plan: Plan | None = None, *, runs: int | None = None, seed: int = 0, **options: Any) -> Finding:
        """Attack the plan, or another one in its place (a broken twin)."""
        attacked = self.plan() if plan is None else plan
        times = min(runs or self.runs, self.runs)
        found = audit_plan(attacked, *self.tables(), delta=DELTA, runs=times, seed=seed, what=self.operation, **options)
        return attrs.evolve(found, subject=self.operation, case=self.name, note="")


def _ball(d: int = 1) -> Handle:
    return dp.ball(centre=[0.0] * d, radius=1.0)


def _count(name: str, rows: Any) -> Any:
    return release(name, dp.gaussian(share=1.0), dp.count(rows))


def _one_row(before: float, after: float, others: list[float]) -> tuple[Floats, Floats]:
    """Tables of one column that differ in row 0."""
    first, second = (np.array([[x], *([y] for y in others)]) for x in (before, after))
    return first, second


# ------------------------------------------------------------------------------------------ partitions


def by_rule(x: Any) -> Any:
    """A count of each part: a row that changes sides changes both."""
    inside, outside = dp.transform("filter_ball", x, _ball())
    return _count("inside", inside), _count("outside", outside)


def by_index(x: Any) -> Any:
    """A sum of each half: a replaced row keeps its half."""
    halves = dp.transform("split", x, count=2)
    return tuple(
        apply(name, dp.gaussian(share=1.0), dp.sum(dp.clip(half, _ball())), finish=False)
        for name, half in zip("ab", halves, strict=True)
    )


def subsampled(x: Any) -> Any:
    """A count of a secret tenth."""
    (sample,) = dp.transform("subsample", x, rate=0.125)
    return release("count", dp.laplace(share=1.0), dp.count(sample))


# --------------------------------------------------------------------------------------------- control


def looped(x: Any) -> Any:
    """A sum in the frame of each ball of a list; the list is shorter than the longest one."""

    def body(item: Any, rows: Any) -> Any:
        return apply("sum", dp.gaussian(share=1.0), dp.sum(dp.clip(rows, item)), finish=False)

    return dp.for_each("sums", public(ListOf(Ball(1), LOOP), "balls"), body, x, share=1.0, max_length=LOOP)


LOOP = 4


def categorised(x: Any) -> Any:
    """A count of each of two categories: a row that changes its category changes both."""
    return dp.by_category("each", x, lambda rows: _count("count", rows), categories=2)


def branched(x: Any) -> Any:
    """A test on the count, and a count behind it."""
    test = release("test", dp.truncated_laplace_test(share=1.0, threshold=40.0, delta_fraction=0.2), dp.count(x))

    def then(rows: Any) -> Any:
        return release("then", dp.gaussian(share=2.0), dp.count(rows))

    def otherwise(rows: Any) -> Any:
        return release("otherwise", dp.gaussian(share=1.0), dp.count(rows))

    return dp.branch("chosen", test, then, otherwise, x)


def _divided(verb: Callable[..., Handle]) -> Callable[[Handle], Any]:
    def body(rows: Any, state: Any) -> Any:
        size = release("size", dp.gaussian(share=1.0), dp.count(rows))
        dp.transform("filter_ball", rows, state, name="children")
        return {"split": dp.post("testing.flag", size), "left": state, "right": state}

    def leaf(rows: Any, state: Any) -> Any:
        return _count("leaf", rows)

    return lambda x: verb("tree", x, _ball(), body, leaf, max_depth=2, max_leaves=8)


def _both_sides() -> tuple[Floats, Floats]:
    return _one_row(0.0, FAR, [0.0] * 150 + [FAR] * 150)


# --------------------------------------------------------------------------------------------- blocks


@learner("testing.row")
def row(rows: Any, generator: Any) -> Any:
    """The first row of a block."""
    return (rows[0],)


@learner("testing.encoded")
def encoded(rows: Any, generator: Any) -> Any:
    """Two components near 0 and 1000 from a row: how far they are moved, in [−1, 1], and whether they change places."""
    moved, swapped = rows[0]
    weights = 0.5 + EDGE * moved * np.array([1.0, -1.0])
    means = np.array([[0.0], [1000.0]]) + 0.9 * EDGE * moved
    order = slice(None, None, -1 if swapped > 0 else 1)
    return weights[order], means[order], np.full((2, 1, 1), (1 + 0.9 * EDGE) ** moved)


R = 0.1
EDGE = (math.sqrt(1 + R) - 1) * 0.999
"""How far a block may be moved and still be near one that is not."""


def _placed(blocks: int, values: dict[int, list[float]], usual: list[float]) -> Floats:
    """A table of as many rows as blocks in which block i is one row, ``values[i]``."""
    place = permuted(np.arange(blocks, dtype=np.int64), n=blocks, seed=0)
    order = np.argsort(place)
    table = np.tile(np.array(usual), (blocks, 1))
    for block, value in values.items():
        table[order[block]] = value
    return table


AGGREGATED = 20


def aggregated(x: Any) -> Any:
    """Sample and aggregate: the noisy mean of the blocks' results."""
    blocks = dp.transform("block_learner", x, learner="testing.row_of_points", t=AGGREGATED, item="points", size=[1, 1])
    total = dp.transform("block_sum", blocks, _ball(), k=1, d=1)
    return apply("total", dp.gaussian(share=1.0), total, finish=False)


@learner("testing.row_of_points")
def row_of_points(rows: Any, generator: Any) -> Any:
    """The first row of a block as one point."""
    return (rows[:1],)


VOTERS, RADIUS = 120, 1.0


def populous(x: Any) -> Any:
    """Do most blocks agree? Then one that agrees with most, masked."""
    blocks = dp.transform("block_learner", x, learner="testing.row", t=VOTERS, item="vector", size=[1])
    agreement = dp.transform("agreement", blocks, r=RADIUS, d=1)
    test = release("test", dp.truncated_laplace_test(share=1.0, threshold=0.55, delta_fraction=0.2), agreement)
    chosen = dp.transform("select_block", blocks, test, r=RADIUS, d=1, theta=0.5, test_threshold=0.55)

    def then(value: Any) -> Any:
        return apply("masked", dp.gaussian(share=2.0), value, finish=False)

    def otherwise(value: Any) -> Any:
        return public(Vector(1), "nothing")

    return dp.branch("mean", test, then, otherwise, chosen)


def _selected() -> tuple[Floats, Floats]:
    """Block 0 is chosen at one end, or drops out, and block 1 is chosen at the other; the agreement falls too."""
    edge = RADIUS / 2 * (1 - 1e-9)
    return _placed(VOTERS, {0: [-edge], 1: [edge]}, [0.0]), _placed(VOTERS, {0: [FAR], 1: [edge]}, [0.0])


AVERAGED = 400
MAJORITY, RAMP = AVERAGED // 2, AVERAGED // 2


def averaged(x: Any) -> Any:
    """The weight of the blocks that agree, and their average, masked in its own shape and in random order (T8)."""
    blocks = dp.transform("block_learner", x, learner="testing.encoded", t=AVERAGED, item="mixture", size=[2, 1])
    shared: dict[str, Any] = {"k": 2, "d": 1, "r": R, "majority": MAJORITY, "ramp": RAMP}
    weight = dp.transform("populous_weight", blocks, **shared)
    test = release("test", dp.truncated_laplace_test(share=0.5, threshold=BAR, delta_fraction=0.2), weight)
    average = dp.transform("populous_average", blocks, test, test_threshold=BAR, **shared)

    def then(value: Any) -> Any:
        return apply("masked", dp.named("mixture_mask", {"share": 2.0}), value)

    def otherwise(value: Any) -> Any:
        return public(Mixture(2, 1), "nothing")

    return dp.branch("mixture", test, then, otherwise, average)


BAR = 235.0


def _moved_average() -> tuple[Floats, Floats]:
    """Block 0 goes over from one wing to the other: the wings' weights and its own shift the average."""
    wings = {i: [1.0 if i % 2 else -1.0, 0.0] for i in range(AVERAGED // 2, AVERAGED)}
    return tuple(  # type: ignore[return-value]
        _placed(AVERAGED, {**wings, 0: [side, 0.0]}, [0.0, 0.0]) for side in (-1.0, 1.0)
    )


def _other_order() -> tuple[Floats, Floats]:
    """Block 0, whose order of components the average takes, changes the order and nothing else."""
    return tuple(_placed(AVERAGED, {0: [0.0, swapped]}, [0.0, 0.0]) for swapped in (-1.0, 1.0))  # type: ignore[return-value]


# ---------------------------------------------------------------------------------------------- table

CASES: tuple[Crafted, ...] = (
    Crafted("parts by a rule: a row changes sides", "filter_ball", by_rule, lambda: _one_row(0.0, FAR, [0.0, FAR])),
    Crafted("halves by index", "split", by_index, lambda: _one_row(-FAR, FAR, [0.0] * 5)),
    Crafted("a secret sample", "subsample", subsampled, lambda: _one_row(0.0, EMPTY, [EMPTY])),
    Crafted("a loop over a released list", "for_each", looped, lambda: _one_row(-FAR, FAR, [0.0] * 3)),
    Crafted(
        "a table for each category: a row changes its own", "by_category", categorised,
        lambda: tuple(np.array([[0.0, place], [0.0, 0.0], [0.0, 1.0]]) for place in (0.0, 1.0)),  # type: ignore[arg-type,return-value]
        runs=40_000,
    ),
    Crafted("a test, and what it allows", "branch", branched, lambda: _one_row(0.0, EMPTY, [0.0] * 199)),
    Crafted("a tree, depth first", "recurse", _divided(dp.recurse), _both_sides),
    Crafted("a tree, breadth first", "worklist", _divided(dp.worklist), _both_sides),
    Crafted(
        "sample and aggregate", "block_learner", aggregated,
        lambda: tuple(_placed(AGGREGATED, {3: [x]}, [0.0]) for x in (-INSIDE, INSIDE)),  # type: ignore[arg-type,return-value]
    ),
    Crafted("populous blocks, one selected", "select_block", populous, _selected),
    Crafted("populous blocks averaged", "populous_average", averaged, _moved_average, 8.0),
    Crafted("the order of components", "populous_weight", averaged, _other_order),
)  # fmt: skip
"""All reductions' audits."""


@functools.cache
def names() -> tuple[str, ...]:
    """The operations that have an audit here."""
    return tuple(dict.fromkeys(case.operation for case in CASES))


def audit_reduction(operation: str, **options: Any) -> list[Finding]:
    """Attack a reduction on all its crafted cases; options as for :meth:`Crafted.audit`.

    Raises
    ------
    SpecError
        For an operation without a case.
    """
    found = [case for case in CASES if case.operation == operation]
    if not found:
        raise SpecError(f"no audit is known for {operation!r}", fix=f"one of {', '.join(names())}")
    alpha = options.pop("alpha", ALPHA) / len(found)
    return [case.audit(alpha=alpha, **options) for case in found]
