"""Attacks on queries: neighbouring private values in, distance out, against the cited theorem."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import attrs
import numpy as np

from dpframe.kernel.operations import Exact, Operation, Query
from dpframe.proof.spaces import Array, BallValue, Blocks, Domain, Mixture, SparseCounts, Vector
from dpframe.proof.theorems import Metrics
from dpframe.testing.battery import metrics
from dpframe.testing.battery.case import Case
from dpframe.testing.battery.lab import AGAIN, NEAREST, Crash, Lab, call, fingerprint, shrink
from dpframe.testing.battery.values import landmarks

SIZES = (0, 1, -1, 3, 40, -(10**6), 2**53, -(2**61))


def attack_query(lab: Lab, case: Case) -> None:
    """Sensitivity by searched neighbours, totality, domain, purity."""
    lab.ran("sensitivity", "totality", "domain", "purity")
    inputs = [metrics.of_value(d) for d in case.domains[: case.private]]
    declared = metrics.rule(case.operation, case.domains, inputs)
    worst: tuple[Fraction, str] = (Fraction(0), "")
    for i in lab.rounds(4 * lab.trials):
        params = lab.params(case, i)
        near = [_neighbours(lab, case, d, params) for d in case.domains[: case.private]]
        first, second = [a for a, _ in near], [b for _, b in near]
        if not _total(lab, case, params, first):
            return
        if not _comparable(case, params, first, second):
            continue
        found = _score(case, params, first, second, declared)
        worst = max(worst, found, key=lambda f: f[0])
        if found[0] > 1:
            _report(lab, case, params, (first, second), declared)
            return
    if worst[0]:
        lab.note(f"{NEAREST}: {worst[1]}")


def _neighbours(lab: Lab, case: Case, domain: Domain, params: Sequence[Any]) -> tuple[Exact, Exact]:
    """Two private values at the distance that :func:`dpframe.testing.battery.metrics.of_value` speaks of."""
    if isinstance(domain, Blocks):
        radius = getattr(case.operation, "r", None)
        if isinstance(domain.item, Vector) and radius is not None and lab.rng.random() < 0.3:
            return _at_the_edge(lab, domain, float(radius))
        first = [_result(lab, domain.item, params) for _ in range(domain.t)]
        if lab.rng.random() < 0.6:  # most blocks agree
            first = [first[0] if lab.rng.random() < 0.8 else r for r in first]
        second = list(first)
        at = 0 if lab.rng.random() < 0.5 else int(lab.rng.integers(domain.t))  # often the one that others agree with
        second[at] = _result(lab, domain.item, params)
        return Exact(first), Exact(second)
    shape = getattr(domain, "shape", (getattr(domain, "m", getattr(domain, "d", 1)),))
    numbers = lab.rng.choice(np.array(SIZES, dtype=np.int64), shape)
    if lab.rng.random() < 0.5:
        numbers = lab.rng.integers(-5, 6, shape)
    return Exact(numbers), Exact(numbers + lab.rng.integers(-1, 2, shape))


def _at_the_edge(lab: Lab, domain: Blocks, radius: float) -> tuple[Exact, Exact]:
    """All but two blocks agree; of these two, at opposite ends of what is still near, one changes or fails."""
    d = int(getattr(domain.item, "d", 1))
    axis = lab.rng.standard_normal(d)
    edge = float(lab.rng.choice([0.5, 0.499, 0.25])) * radius * (1 - 1e-9) * axis / np.linalg.norm(axis)
    results: list[Any] = [(np.zeros(d),)] * domain.t
    results[0], results[-1 if domain.t < 2 else 1] = (-edge,), (edge,)
    gone = None if lab.rng.random() < 0.5 else (edge * float(lab.rng.choice([1.0, 3.0, 1e6])),)
    return Exact(results), Exact([gone, *results[1:]])


def _result(lab: Lab, item: Domain, params: Sequence[Any]) -> Any:
    """A block's result: ⊥, near the origin or a landmark, or far away."""
    kind = lab.rng.random()
    if kind < 0.15:
        return None
    shape = item.shape if isinstance(item, Array) else (getattr(item, "d", 1),)
    if isinstance(item, Mixture):
        size = 1e-4 if kind < 0.7 else 3.0
        means = 10.0 * np.arange(item.k)[:, None] + size * lab.rng.standard_normal((item.k, item.d))
        covariances = np.array([np.eye(item.d)] * item.k) * (1 + size * lab.rng.random())
        return (np.full(item.k, 1 / item.k), means, covariances)
    points = [p for value in params for p in landmarks(value, shape[-1])] or [_joined(lab, shape[-1], params)]
    base = np.broadcast_to(points[int(lab.rng.integers(len(points)))], shape).astype(np.float64)
    size = float(lab.rng.choice([0.0, 0.25, 0.5, 1.0, 1e300 if kind > 0.9 else 4.0]))
    return (base + size * lab.rng.uniform(-1, 1, shape) if np.isfinite(base).all() else np.zeros(shape),)


def _joined(lab: Lab, columns: int, params: Sequence[Any]) -> Any:
    """A point whose columns are landmarks of one released ball after another: places, then a payload."""
    out = np.zeros(0)
    for ball in (p for p in params if isinstance(p, BallValue)):
        near = landmarks(ball, len(ball.centre))
        out = np.append(out, near[int(lab.rng.integers(len(near)))])
    return out if len(out) == columns else np.zeros(columns)


def _comparable(case: Case, params: Sequence[Any], first: list[Exact], second: list[Exact]) -> bool:
    """Whether the theorem speaks of this pair: behind a test, only if both would pass it."""
    condition = case.operation.declaration().rests_on
    if condition is None:
        return True
    from dpframe.kernel.registry import build, operations

    parameters = case.operation.parameters()
    fields = {a.name for a in attrs.fields(operations()[condition.tested])}
    agreement: Any = build(condition.tested, {k: v for k, v in parameters.items() if k in fields})
    bar = Fraction(parameters["test_threshold"])
    return all(_single(agreement.evaluate(values[0])) >= bar for values in (first, second))


def _single(exact: Exact) -> Fraction:
    return metrics.integers(exact)[0] * Fraction(exact.step)


def _score(
    case: Case, params: Sequence[Any], first: list[Exact], second: list[Exact], declared: Metrics
) -> tuple[Fraction, str]:
    operation: Query = case.operation  # type: ignore[assignment]
    a, b = operation.evaluate(*first, *params), operation.evaluate(*second, *params)
    return metrics.excess(metrics.difference(a, b), declared)


def _total(lab: Lab, case: Case, params: Sequence[Any], values: list[Exact]) -> bool:
    operation: Query = case.operation  # type: ignore[assignment]
    before = fingerprint([[v.integers for v in values], list(params)])
    try:
        exact = call(operation.evaluate, *values, *params)
        again = call(operation.evaluate, *values, *params)
        found: list[Any] = _listed(exact)
    except (Crash, TypeError) as error:
        lab.fail("totality", f"gave {error}", case=case.text, values=[v.integers for v in values])
        return False
    if before != fingerprint([[v.integers for v in values], list(params)]):
        lab.fail("purity", "evaluate changes its inputs", case=case.text, values=[v.integers for v in values])
    if found != _listed(again):
        lab.fail("purity", "the same values give another result the second time", case=case.text)
    problem = shape_problem(exact, case.operation, case.domains)
    if problem:
        lab.fail("domain", problem, case=case.text, values=[v.integers for v in values])
    return not problem


def _listed(exact: Exact) -> list[Any]:
    """Its numbers, one after another."""
    if isinstance(exact.integers, tuple):
        return list(metrics.parameters(exact))
    if isinstance(exact.integers, list):
        return [(np.asarray(ids).tolist(), np.asarray(counts).tolist()) for ids, counts in exact.integers]
    return list(metrics.integers(exact))


def shape_problem(exact: Exact, operation: Operation, domains: Sequence[Domain]) -> str:
    """Why an exact value is not in the declared domain."""
    made = operation.output(*domains)
    if isinstance(made, Mixture):
        shapes: tuple[Any, ...] = ((made.k,), (made.k, made.d), (made.k, made.d, made.d))
        right = isinstance(exact.integers, tuple) and tuple(np.shape(a) for a in exact.integers) == shapes
        return "" if right else "private parameters must be weights, means and roots of covariances"
    if isinstance(made, SparseCounts):
        return cells_problem(exact.integers, made)
    wanted = getattr(made, "shape", (getattr(made, "d", getattr(made, "m", 0)),))
    if np.shape(exact.integers) != tuple(wanted):
        return f"the value has shape {np.shape(exact.integers)}, declared {tuple(wanted)}"
    return step_problem(exact.step)


def cells_problem(levels: Any, made: SparseCounts) -> str:
    """Why a list of (ids, counts) is none of the declared cells."""
    if not isinstance(levels, list) or len(levels) > made.levels:
        return f"there must be at most {made.levels} levels"
    if any(np.shape(ids) != (len(counts), made.p) for ids, counts in levels):
        return f"cells must have {made.p} coordinates"
    return ""


def step_problem(step: Any) -> str:
    """Why a lattice's step is none."""
    return "" if isinstance(step, Fraction) and step > 0 else "the step must be a Fraction above 0"


def _report(
    lab: Lab, case: Case, params: Sequence[Any], pair: tuple[list[Exact], list[Exact]], declared: Metrics
) -> None:
    first, second = pair
    if len(first) == 1 and not isinstance(first[0].integers, list):
        first, second = _simpler_numbers(case, params, pair, declared)
    ratio, what = _score(case, params, first, second, declared)
    found = f"neighbouring values are too far apart: {what}"
    if ratio <= 1:
        found = f"neighbouring values were too far apart, and asked again they are not: {AGAIN}"
    lab.fail(
        "sensitivity",
        f"{found} (theorem {case.operation.theorem!r})",
        case=case.text,
        first=[v.integers for v in first],
        second=[v.integers for v in second],
        **({"released": list(params)} if params else {}),
    )


def _simpler_numbers(
    case: Case, params: Sequence[Any], pair: tuple[list[Exact], list[Exact]], declared: Metrics
) -> tuple[list[Exact], list[Exact]]:
    """Shrink the numbers of one pair of arrays, coordinate by coordinate."""
    shape = np.shape(pair[0][0].integers)
    flat = list(zip(*(np.ravel(v[0].integers).tolist() for v in pair), strict=True))

    def built(entries: list[tuple[int, int]]) -> tuple[list[Exact], list[Exact]]:
        a, b = zip(*entries, strict=True)
        return [Exact(np.array(a).reshape(shape))], [Exact(np.array(b).reshape(shape))]

    def still(entries: list[tuple[int, int]]) -> bool:
        return len(entries) == len(flat) and _score(case, params, *built(entries), declared)[0] > 1

    def easier(entry: tuple[int, int]) -> list[tuple[int, int]]:
        a, b = entry
        return [(x, x + b - a) for x in (0, 1, 2) if abs(x) < abs(a)] + ([(a, a)] if b != a else [])

    return built(shrink(flat, still, easier))
