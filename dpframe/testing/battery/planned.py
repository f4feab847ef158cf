"""The smallest plan that uses an operation: kernel operations make its inputs, a mechanism releases what it gives."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import attrs
import numpy as np

from dpframe.errors import DpframeError, PlanError
from dpframe.front import api as dp
from dpframe.front.program import Handle, Program, apply, plan, release
from dpframe.kernel.operations import Operation, Partition
from dpframe.kernel.post_processing import Post
from dpframe.kernel.registry import build, operations, register
from dpframe.planning.plan import Plan
from dpframe.proof.spaces import (
    L2,
    AffineMap,
    Array,
    Ball,
    Blocks,
    Counts,
    Domain,
    Flag,
    ListOf,
    Mixture,
    Outcome,
    Record,
    Rows,
    SparseCounts,
    Symmetric,
    Vector,
    WeightedRows,
    Whitening,
    domain_from_json,
)
from dpframe.testing.battery.case import Case
from dpframe.testing.battery.lab import fitted
from dpframe.testing.battery.values import draw

N = 1000
EPSILON, DELTA = 1.0, 1e-6


@register("testing.value")
@attrs.frozen
class Value(Post):
    """A public value of a given domain, drawn from a public seed.

    Parameters
    ----------
    domain : str
        JSON of the domain.
    seed : int
    columns : int
        Columns of released grids, whose record does not say it; 0 leaves them alone.
    """

    slots: ClassVar[tuple[Any, ...]] = ()
    domain: str = attrs.field(kw_only=True)
    seed: int = attrs.field(default=0, kw_only=True)
    columns: int = attrs.field(default=0, kw_only=True)

    @classmethod
    def examples(cls) -> list[tuple[Value, tuple[Domain, ...]]]:
        """One value, for the contract battery."""
        return [(cls(domain=json.dumps(Vector(2).to_json())), ())]

    @domain.validator
    def _known(self, attribute: attrs.Attribute[Any], value: Any) -> None:
        try:
            domain_from_json(json.loads(value))
        except (TypeError, ValueError, RecursionError):
            raise PlanError("domain must be the JSON of a domain", fix="use json.dumps(domain.to_json())") from None

    def output(self, *inputs: Domain) -> Domain:
        """The domain."""
        return domain_from_json(json.loads(self.domain))

    def apply(self, *values: Any) -> Any:
        """The value."""
        return fitted(draw(self.output(), np.random.default_rng(self.seed)), self.columns)


def public(domain: Domain, name: str, columns: int = 0) -> Handle:
    """A public value in a graph that is being traced."""
    value: Handle = apply(name, build("testing.value", {"domain": json.dumps(domain.to_json()), "columns": columns}))
    return value


def plan_of(case: Case) -> Plan | None:
    """A plan that uses the case's operation, or None where this module knows none.

    Raises
    ------
    DpframeError
        When it is refused under both adjacencies.
    """
    name = case.operation.name
    if name in CONTROLS:
        return _planned(CONTROLS[name], 2)
    if _unreachable(case):
        return None
    width = max([_width(d) for d in case.domains[: case.private]], default=1)
    if width < 1:
        return None
    return _planned(lambda x: _use(case, x), width)


def _unreachable(case: Case) -> bool:
    """Private parameters exist behind a test of their own only, which this module knows for ``select_block``."""
    if isinstance(case.operation, Post):
        return False
    if case.operation.name == "all_rows":  # for a plugin's own mechanism alone
        return True
    rests = case.operation.declaration().rests_on is not None and case.operation.name != "select_block"
    rests = rests or case.operation.name in ("registered_mask", "lift")
    return rests or any(isinstance(d, Mixture) for d in case.domains[: case.private])


def _planned(function: Callable[[Any], Any], width: int) -> Plan:
    def traced(x: Any) -> Any:
        return function(x)

    refusal: DpframeError | None = None
    for budget in (dp.zcdp(rho=0.5), dp.approx_dp(epsilon=EPSILON, delta=DELTA)):  # zCDP is quick where it applies
        for adjacency, rows in ((dp.REPLACE_ONE, dp.rows(n=N, d=width)), (dp.ADD_REMOVE, dp.rows(d=width))):
            try:
                return plan(Program(traced), x=rows, adjacency=adjacency, budget=budget, allow_asserted=True)
            except DpframeError as error:
                refusal = error
    raise refusal or PlanError("no plan was tried")


# ---------------------------------------------------------------------------------------------- inputs


def _width(domain: Domain) -> int:
    """Columns of the table from which such a private value can be made."""
    if isinstance(domain, WeightedRows):
        return domain.d - 1
    if isinstance(domain, Symmetric):
        return domain.d - 1 if domain.k else domain.d
    if isinstance(domain, Array):
        return domain.shape[-1] - 1 if len(domain.shape) == 2 else 0
    if isinstance(domain, Blocks):
        return domain.item.shape[-1] if isinstance(domain.item, Array) else int(getattr(domain.item, "d", 0))
    if isinstance(domain, SparseCounts):
        return domain.p
    return int(getattr(domain, "d", 1)) if isinstance(domain, (Rows, Vector, Counts)) else 0


def private(domain: Domain, x: Handle, name: str) -> Handle:
    """A private value of this domain from the table ``x``."""
    maker = _MAKERS.get(type(domain))
    if maker is None:
        raise PlanError(f"no way to make {domain}")
    return maker(domain, x, name)


def _symmetric(domain: Any, x: Handle, name: str) -> Handle:
    if domain.k:
        return _node("weighted_grams", name, private(WeightedRows(domain.k, domain.d), x, name + "_rows"))
    return _node("gram", name, _clipped(x, "unit_ball", name + "_rows", domain.d))


def _counts(domain: Any, x: Handle, name: str) -> Handle:
    edges = [float(i) for i in range(domain.m - 1)]
    return _node("bin_counts", name, x, edges=edges) if edges else _node("count", name, x)


def _blocks(domain: Any, x: Handle, name: str) -> Handle:
    kinds = {Array: "points", Mixture: "mixture"}
    inner = domain.item
    size = list(inner.shape) if isinstance(inner, Array) else [inner.d]
    item = {"item": kinds.get(type(inner), "vector"), "t": domain.t}
    item["size"] = [inner.k, inner.d] if isinstance(inner, Mixture) else size
    return _node("block_learner", name, x, learner="testing.centre", **item)


_MAKERS: dict[type[Domain], Callable[[Any, Handle, str], Handle]] = {
    Rows: lambda domain, x, name: x if domain.bound == "any" else _clipped(x, domain.bound, name, domain.d),
    WeightedRows: lambda domain, x, name: _node(
        "whiten", name, x, public(Whitening(domain.k, domain.d - 1), name + "_maps")
    ),
    Vector: lambda domain, x, name: _node("box_sum", name, _clipped(x, "unit_box", name + "_rows", domain.d)),
    Symmetric: _symmetric,
    Array: lambda domain, x, name: _node(
        "weighted_sums", name, private(WeightedRows(*domain.shape), x, name + "_rows")
    ),
    Counts: _counts,
    SparseCounts: lambda domain, x, name: _node(
        "cells", name, x, public(Record("grids"), name + "_grids", x.d), levels=domain.levels
    ),
    Blocks: _blocks,
}


def _node(operation: str, name: str, *inputs: Handle, **parameters: Any) -> Handle:
    made: Handle = apply(name, build(operation, parameters), *inputs)
    return made


def _clipped(x: Handle, bound: str, name: str, d: int) -> Handle:
    return _node("clip_ball" if bound == "unit_ball" else "clip_box", name, x, public(Ball(d), name + "_ball"))


# --------------------------------------------------------------------------------------------- release


def _use(case: Case, x: Handle) -> dict[str, Handle]:
    operation = case.operation
    inputs = [
        private(domain, x, f"in{i}") if i < case.private else public(domain, f"in{i}")
        for i, domain in enumerate(case.domains)
    ]
    if not isinstance(operation, Post) and operation.declaration().rests_on is not None:
        return {"released": _tested(operation, x, inputs)}
    if isinstance(operation, Post):
        count = release(next(iter(operation.told()), "released"), dp.gaussian(share=1.0), dp.count(x))
        return {"post": apply("subject", operation, *inputs), "released": count}
    made = apply("subject", operation, *inputs)
    if operation.kind == "mechanism":
        return {"released": made}
    if isinstance(operation, Partition):
        return {f"part{i}": release(f"part{i}", dp.laplace(share=1.0), dp.count(p)) for i, p in enumerate(made)}
    if operation.kind == "blocks":
        return {"released": _of_blocks(made)}
    value = dp.count(made) if isinstance(made.domain, (Rows, WeightedRows)) else made
    return {"released": _released("released", value, case)}


def _released(name: str, value: Handle, case: Case) -> Handle:
    domain = value.domain
    if isinstance(domain, SparseCounts):
        return release(name, dp.stable_histogram(share=1.0, delta_fraction=0.2), value)
    bounded = value.domain != case.operation.output(*case.domains) or _has_l2(case)
    mechanism = dp.gaussian(share=1.0) if bounded else dp.exponential_mechanism(share=1.0)
    return apply(name, mechanism, value, finish=False)  # type: ignore[no-any-return]


def _has_l2(case: Case) -> bool:
    from dpframe.testing.battery import metrics

    if case.operation.kind == "statistic":
        known: Sequence[Any] = [m for made in metrics.by_edits(case.operation, case.domains).values() for m in made]
    else:
        known = metrics.rule(case.operation, case.domains, [metrics.of_value(d) for d in case.domains[: case.private]])
    return any(isinstance(m, L2) for m in known)


def _of_blocks(blocks: Handle) -> Handle:
    item = getattr(blocks.domain, "item", None)
    if isinstance(item, Vector):
        agreement = _node("agreement", "agreement", blocks, r=1.0, d=item.d)
        return release("released", dp.laplace(share=1.0), agreement)
    shape = item.shape if isinstance(item, Array) else (1, 1)
    ball = public(Ball(shape[1]), "ball")
    total = _node("block_sum", "total", blocks, ball, k=shape[0], d=shape[1])
    return apply("released", dp.gaussian(share=1.0), total, finish=False)  # type: ignore[no-any-return]


def _tested(operation: Operation, x: Handle, inputs: list[Handle]) -> Handle:
    """A selection behind the test that it rests on."""
    parameters = operation.parameters()
    agreement = _node("agreement", "agreement", inputs[0], **{k: parameters[k] for k in ("semimetric", "r", "d")})
    bar = parameters["test_threshold"]
    test = release("test", dp.truncated_laplace_test(share=1.0, threshold=bar, delta_fraction=0.2), agreement)
    selected = apply("subject", operation, inputs[0], test)

    def then(value: Any, rows: Any) -> Any:
        return apply("chosen", dp.gaussian(share=1.0), value, finish=False)

    def otherwise(value: Any, rows: Any) -> Any:
        total = dp.sum(_clipped(rows, "unit_ball", "clipped", rows.d))
        return apply("total", dp.gaussian(share=1.0), total, finish=False)

    return dp.branch("released", test, then, otherwise, selected, x)


# -------------------------------------------------------------------------------------------- controls


def _branch(x: Handle) -> Handle:
    test = release("test", dp.truncated_laplace_test(share=1.0, threshold=9.0, delta_fraction=0.2), dp.count(x))

    def body(rows: Any) -> Any:
        return release("count", dp.gaussian(share=1.0), dp.count(rows))

    return dp.branch("subject", test, body, body, x)


def _for_each(x: Handle) -> Handle:
    def body(item: Any, rows: Any) -> Any:
        return apply("total", dp.gaussian(share=1.0), dp.sum(dp.clip(rows, item)), finish=False)

    return dp.for_each("subject", public(ListOf(Ball(2), 3), "balls"), body, x, share=1.0, max_length=3)


def _by_category(x: Handle) -> Handle:
    def body(rows: Any) -> Any:
        return release("count", dp.gaussian(share=1.0), dp.count(rows))

    return dp.by_category("subject", x, body, categories=3)


def _divide(verb: Callable[..., Handle]) -> Callable[[Handle], Handle]:
    def body(rows: Any, state: Any) -> Any:
        count = release("count", dp.gaussian(share=1.0), dp.count(rows))
        apply("children", build("partition_halfspace", {}), rows, public(AffineMap(2, 1), "map"))
        flag = apply("flag", build("testing.flag", {}), count)
        return {"split": flag, "left": state, "right": state}

    def leaf(rows: Any, state: Any) -> Any:
        return release("leaf", dp.gaussian(share=1.0), dp.count(rows))

    return lambda x: verb("subject", x, public(Ball(2), "state"), body, leaf, max_depth=2, max_leaves=4)


@register("testing.flag")
@attrs.frozen
class Above(Post):
    """Whether the first of some released numbers is above 0."""

    slots: ClassVar[tuple[Any, ...]] = operations()["mean_of_ball"].slots[:1]

    def output(self, *inputs: Domain) -> Domain:
        """A flag."""
        return Flag()

    def apply(self, *values: Any) -> Any:
        """Compare."""
        first = float(np.ravel(np.asarray(values[0]))[0])
        return Outcome(first > 0, first)


CONTROLS: dict[str, Callable[[Any], Any]] = {
    "branch": _branch,
    "by_category": _by_category,
    "for_each": _for_each,
    "recurse": _divide(dp.recurse),
    "worklist": _divide(dp.worklist),
}
