"""Small descriptions of graphs of registered operations: valid ones must plan, one planted fault must be refused.

A sketch is plain data, so that it prints, compares and shrinks well. Each chain starts at the table, goes through
row operations, and ends in a released value.

Examples
--------
>>> sketch = Sketch("replace_one", 2, (Chain(("filter_ball",), "sum"), Chain((), "count")))
>>> sketch.plan().verdict.holds
True
>>> attrs.evolve(sketch, fault="unclipped").plan()
Traceback (most recent call last):
    ...
dpframe.errors.PlanError: node 'fault': sum takes rows of the unit_ball, these are unbounded. Fix: put dp.clip(rows, \
ball) before it
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import attrs

from dpframe.front import api as dp
from dpframe.front.program import Handle, Program, apply
from dpframe.kernel.registry import build
from dpframe.planning.graph import Graph, Node
from dpframe.planning.plan import Plan, make_plan
from dpframe.proof.spaces import AffineMap, Array, Ball, Kind, ListOf, Record, Rows, Subspace, Vector, Whitening
from dpframe.proof.typed import Input, Ref
from dpframe.testing.battery.planned import public

N = 5000
EPSILON, DELTA = 1.0, 1e-6


@attrs.frozen
class Chain:
    """Row operations, then a leaf; ``part`` is the part that is followed where rows are cut."""

    maps: tuple[str, ...]
    leaf: str
    part: int = 0
    share: float = 1.0


@attrs.frozen
class Sketch:
    """A graph over one table of ``d`` columns, with at most one planted fault."""

    adjacency: str
    d: int
    chains: tuple[Chain, ...]
    fault: str | None = None

    def graph(self) -> Graph:
        """Trace it; a fault may be refused already here."""
        inputs = [Input("x", Kind.PRIVATE, Rows(self.d), N if self.adjacency == "replace_one" else None)]
        graph = Program(lambda x: _trace(self, x)).graph(inputs)
        return _EDITS[self.fault](graph) if self.fault in _EDITS else graph

    def plan(self) -> Plan:
        """Check and price it."""
        budget = dp.approx_dp(epsilon=EPSILON, delta=DELTA)
        return make_plan(self.graph(), adjacency=self.adjacency, budget=budget)


def _trace(sketch: Sketch, x: Handle) -> dict[str, Handle]:
    outputs: dict[str, Handle] = {}
    for i, chain in enumerate(sketch.chains):
        rows = x
        for j, name in enumerate(chain.maps):
            made = MAPS[name](rows, f"map_{i}_{j}")
            rows = made[chain.part % len(made)] if isinstance(made, list) else made
        outputs[f"leaf_{i}"] = LEAVES[chain.leaf](rows, f"leaf_{i}", chain.share)
    if sketch.fault is not None and sketch.fault in _STEPS:
        outputs["fault"] = _STEPS[sketch.fault](x)
    return outputs


# ------------------------------------------------------------------------------------- row operations


def _op(operation: str, name: str, *inputs: Handle, **parameters: Any) -> Any:
    return apply(name, build(operation, parameters), *inputs)


MAPS: Mapping[str, Callable[[Handle, str], Any]] = {
    "affine": lambda x, name: _op("affine", name, x, public(AffineMap(x.d, x.d), name + "_map")),
    "project": lambda x, name: _op(
        "project", name, x, public(Subspace(x.d, 1), name + "_space"), public(Ball(x.d), name + "_ball")
    ),
    "rescale": lambda x, name: _op("rescale", name, x, public(Vector(x.d), name + "_units")),
    "within": lambda x, name: _op("within", name, x, public(Ball(x.d), name + "_ball")),
    "row_map": lambda x, name: _op("row_map", name, x, function="testing.halve", p=2),
    "filter_ball": lambda x, name: _op("filter_ball", name, x, public(Ball(x.d), name + "_ball")),
    "partition_halfspace": lambda x, name: _op(
        "partition_halfspace", name, x, public(AffineMap(x.d, 1), name + "_map")
    ),
    "partition_nearest": lambda x, name: _op(
        "partition_nearest", name, x, public(Array((3, x.d)), name + "_points"), centres=3
    ),
    "partition_balls": lambda x, name: _op(
        "partition_balls", name, x, public(ListOf(Ball(x.d), 2), name + "_balls"), balls=2
    ),
    "secret_split": lambda x, name: _op("secret_split", name, x, count=2),
    "split": lambda x, name: _op("split", name, x, count=2),
    "pairs": lambda x, name: _op("pairs", name, x),
    "secret_pairs": lambda x, name: _op("secret_pairs", name, x),
    "sampled_rows": lambda x, name: _op("sampled_rows", name, x, rows=N // 5),
}
"""Rows to rows, or to a list of parts."""
ANYWHERE = (
    "affine", "project", "rescale", "within", "row_map", "filter_ball", "partition_halfspace", "partition_nearest",
    "partition_balls", "secret_split",
)  # fmt: skip
FIRST = {"replace_one": ("split", "pairs", "sampled_rows"), "add_remove": ("secret_pairs",)}
"""Operations that need the table's own rows, and the adjacency under which they are sound."""
ROWWISE = ("rescale", "within", "row_map")
"""Operations that may come before those: they keep each row in its place."""


# ---------------------------------------------------------------------------------------------- leaves


def _clipped(x: Handle, name: str) -> Handle:
    made: Handle = _op("clip_ball", name + "_clip", x, public(Ball(x.d), name + "_ball"))
    return made


def _boxed(x: Handle, name: str) -> Handle:
    made: Handle = _op("clip_box", name + "_box", x, public(Ball(x.d), name + "_ball"))
    return made


def _whitened(x: Handle, name: str) -> Handle:
    made: Handle = _op("whiten", name + "_white", x, public(Whitening(2, x.d), name + "_maps"))
    return made


def _leaf(
    statistic: str, mechanism: str, prepare: Callable[[Handle, str], Handle] | None = None, **parameters: Any
) -> Callable[[Handle, str, float], Handle]:
    def leaf(x: Handle, name: str, share: float) -> Handle:
        rows = x if prepare is None else prepare(x, name)
        value = _op(statistic, name + "_value", rows, **parameters)
        extra = {"delta_fraction": 0.1} if mechanism == "stable_histogram" else {}
        released: Handle = apply(name, build(mechanism, {"share": share, **extra}), value, finish=False)
        return released

    return leaf


def _cells(x: Handle, name: str, share: float) -> Handle:
    value = _op("cells", name + "_value", x, public(Record("grids"), name + "_grids", x.d), levels=2)
    released: Handle = apply(name, build("stable_histogram", {"share": share, "delta_fraction": 0.05}), value)
    return released


LEAVES: Mapping[str, Callable[[Handle, str, float], Handle]] = {
    "count": _leaf("count", "laplace"),
    "sum": _leaf("sum", "gaussian", _clipped),
    "mean": _leaf("mean", "gaussian", _clipped),
    "gram": _leaf("gram", "gaussian", _clipped),
    "square_sum": _leaf("square_sum", "laplace", _clipped),
    "box_sum": _leaf("box_sum", "discrete_gaussian", _boxed),
    "weighted_counts": _leaf("weighted_counts", "gaussian", _whitened),
    "weighted_sums": _leaf("weighted_sums", "gaussian", _whitened),
    "weighted_grams": _leaf("weighted_grams", "gaussian", _whitened),
    "weighted_squares": _leaf("weighted_squares", "gaussian", _whitened),
    "weighted_radii": _leaf("weighted_radii", "gaussian", _whitened, edges=5),
    "bin_counts": _leaf("bin_counts", "gaussian", edges=[0.0, 1.0]),
    "rank_scores": _leaf("rank_scores", "exponential_mechanism", candidates=[0.0, 1.0], numerator=1, denominator=2),
    "permute_and_flip": _leaf("bin_counts", "permute_and_flip", edges=[0.0, 1.0]),
    "cells": _cells,
}
"""Rows to a released value."""


# ---------------------------------------------------------------------------------------------- faults


def _gaussian(value: Handle, name: str = "fault") -> Handle:
    released: Handle = apply(name, build("gaussian", {"share": 1.0}), value, finish=False)
    return released


def _mixed_parts(x: Handle) -> Handle:
    parts = MAPS["filter_ball"](x, "fault_parts")
    return _gaussian(_op("minimum", "fault_least", *(_op("count", f"fault_{i}", p) for i, p in enumerate(parts))))


def _outside_branch(x: Handle) -> Handle:
    blocks = _op("block_learner", "fault_blocks", x, learner="testing.centre", t=5, item="vector", size=[2])
    agreement = _op("agreement", "fault_agreement", blocks, r=1.0, d=2)
    test = _op("truncated_laplace_test", "fault_test", agreement, share=1.0, threshold=0.9, delta_fraction=0.1)
    chosen = _op("select_block", "fault_chosen", blocks, test, r=1.0, d=2, theta=0.7, test_threshold=0.9)
    return _gaussian(chosen)


def _pairs_of_a_part(x: Handle) -> Handle:
    inside, _ = MAPS["filter_ball"](x, "fault_parts")
    return LEAVES["gram"](MAPS["pairs"](inside, "fault_pairs"), "fault", 1.0)


_STEPS: Mapping[str, Callable[[Handle], Any]] = {
    "unclipped": lambda x: _op("sum", "fault", x),
    "clipped_twice": lambda x: _clipped(_clipped(x, "fault_one"), "fault_two"),
    "wrong_width": lambda x: _op("clip_ball", "fault", x, public(Ball(x.d + 1), "fault_ball")),
    "wrong_frame": lambda x: _op("box_sum", "fault", _clipped(x, "fault_rows")),
    "private_to_post": lambda x: _op("mean_of_ball", "fault", x, public(Ball(x.d), "fault_ball")),
    "private_parameter": lambda x: _op("clip_ball", "fault", x, _op("count", "fault_count", x)),
    "wrong_metric": lambda x: _op("laplace", "fault", _op("sum", "fault_sum", _clipped(x, "fault_rows")), share=1.0),
    "private_output": lambda x: _op("count", "fault", x),
    "pairs_of_a_part": _pairs_of_a_part,
    "mixed_parts": _mixed_parts,
    "outside_branch": _outside_branch,
    "over_budget": lambda x: _op("laplace", "fault", dp.count(x), noise_multiplier=1e-4),
    "infinite_share": lambda x: _op("laplace", "fault", dp.count(x), share=float("inf")),
    "unknown_operation": lambda x: _op("cuont", "fault", x),
    "unknown_parameter": lambda x: _op("clip_ball", "fault", x, public(Ball(x.d), "fault_ball"), bit=3),
    "taken_name": lambda x: _op("count", "x", x),
}


def _with_node(graph: Graph, node: Node) -> Graph:
    return attrs.evolve(graph, nodes=(*graph.nodes, node))


_EDITS: Mapping[str | None, Callable[[Graph], Graph]] = {
    "cycle": lambda g: _with_node(g, Node("loop", build("count", {}), (Ref("loop"),))),
    "unknown_input": lambda g: _with_node(g, Node("lost", build("count", {}), (Ref("nowhere"),))),
    "repeated_name": lambda g: attrs.evolve(g, nodes=(*g.nodes, g.nodes[-1])),
    "no_output": lambda g: attrs.evolve(g, outputs=()),
    "two_tables": lambda g: attrs.evolve(g, inputs=(*g.inputs, attrs.evolve(g.inputs[0], name="y"))),
    "bounded_table": lambda g: attrs.evolve(
        g, inputs=tuple(attrs.evolve(i, domain=Rows(getattr(i.domain, "d", 1), "unit_ball")) for i in g.inputs)
    ),
    "missing_part": lambda g: _with_node(g, Node("part", build("count", {}), (Ref("x", 3),))),
}
FAULTS: Mapping[str, str] = {
    "unclipped": "unbounded",
    "clipped_twice": "units of the table",
    "wrong_width": "inputs of one dimension",
    "wrong_frame": "unit_box",
    "private_to_post": "is private",
    "private_parameter": "is private",
    "wrong_metric": "L1",
    "private_output": "private value",
    "pairs_of_a_part": "pairs",
    "mixed_parts": "different parts",
    "outside_branch": "exists only if the test",
    "over_budget": "above the budget",
    "infinite_share": "positive and finite",
    "unknown_operation": "unknown operation",
    "unknown_parameter": "no parameter",
    "taken_name": "two nodes are named",
    "cycle": "cycle",
    "unknown_input": "unknown reference",
    "repeated_name": "two nodes are named",
    "no_output": "no output",
    "two_tables": "private tables",
    "bounded_table": "nothing has bounded",
    "missing_part": "'x[3]'",
}
"""Every fault that can be planted, and words its refusal must hold."""
