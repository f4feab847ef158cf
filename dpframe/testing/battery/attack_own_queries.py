"""Attacks on queries of plugins' own: neighbours at a distance that is known in every norm."""

from __future__ import annotations

import contextlib
import itertools
import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from dpframe.errors import PlanError
from dpframe.kernel.operations import Exact
from dpframe.kernel.own.base import shape_of
from dpframe.proof.spaces import L1, L2, LInf
from dpframe.proof.theorems import Metrics
from dpframe.testing.battery import derived, metrics, scanned, sizes
from dpframe.testing.battery.case import Case
from dpframe.testing.battery.lab import Lab
from dpframe.testing.battery.own_parameters import code_of

DISTANCES = (2, 5, 40, 3000)
"""How far a coordinate moves in a third of the tries; in the others by a step."""
MIXED, TURNED = 0.5, 0.2
"""How often numbers are each of a size of their own, and lie near a landmark."""
STEPS = tuple(Fraction(1, 2**k) for k in (0, 4, 0, 0, 8))
"""Lattices of the values in turn, for what a query does between whole numbers: all on which 1 is a whole number."""
LARGEST = 2**40
"""Numbers of rare kinds that are tried."""
DENSE, DENSE_SECONDS = 20_000, 0.5
"""Whole numbers up to which each is asked after the one before it, and the CPU seconds of that."""
MOST_OWN, FURTHEST = 12, 10**6
"""Numbers of the code beside which all values lie; those by which values are moved."""
SMALL_TURNS = (2**7, 2**8, 2**11 + 1, 2**15, 2**16)
"""Where integers of one and of two bytes end, and half precision loses whole numbers."""


def attack_query(lab: Lab, case: Case) -> None:
    """Neighbours at a known distance: a coordinate of each private input moves by 1, or further, or all do."""
    lab.ran("sensitivity", "purity")
    shapes = [shape_of(d) for d in case.domains[: case.private]]
    own = [round(x) for x in sizes.numbers(code_of(case.operation))]
    if len(shapes) == 1 and np.prod(shapes[0]) == 1:  # a sum of several loses whole numbers there, as all sums do
        own.append(sizes.TURNS[-1])
    if _all_at_numbers(lab, case, shapes) or _by_numbers(lab, case, shapes) or _of_rare_values(lab, case, own):
        return
    for i in lab.rounds(40 * lab.trials):
        first = [_numbers(lab.rng, shape, own) for shape in shapes]
        far = int(lab.rng.choice(DISTANCES)) if i % 3 == 2 else 1
        moves = [far * _move(lab.rng, shape, one=i % 2 == 0) for shape in shapes]
        step = STEPS[i % len(STEPS)] if case.operation.parameters()["bits"] else STEPS[0]
        if _apart(lab, case, first, moves, step, lab.params(case, i)):
            return


def _apart(lab: Lab, case: Case, first: list[Any], moves: list[Any], step: Fraction, params: tuple[Any, ...]) -> bool:
    """Whether these values, moved so many steps, are further apart than is declared, which it reports."""
    met, operation = tuple(_distance(m, step) for m in moves), case.operation
    try:
        declared = operation.derived(case.domains, met)
    except PlanError:  # no plan takes it at such a distance
        if step == 1:
            raise
        return False
    a, b = (
        operation.evaluate(*(Exact(v, step) for v in values), *params)  # type: ignore[attr-defined]
        for values in (first, [x + m for x, m in zip(first, moves, strict=True)])
    )
    found = metrics.excess(metrics.difference(a, b), declared)
    if found[0] > 1:
        lab.fail(
            "sensitivity",
            f"neighbours are too far apart: {found[1]}",
            case=case.text,
            value=first,
            moved_by=moves,
            **({"in_steps_of": float(step)} if step != 1 else {}),
            **({"released": params} if params else {}),
        )
    return bool(found[0] > 1)


def _all_at_numbers(lab: Lab, case: Case, shapes: Sequence[Any]) -> bool:
    """Whether all numbers, each beside one of its code, are moved past it together, or half of them back, too far.

    For a quarter of the time.
    """
    end, params = lab.clock() + (lab.deadline - lab.clock()) / 4, lab.params(case, 0)
    steps = STEPS[:2] if case.operation.parameters()["bits"] else STEPS[:1]
    known = (0.0, *(c for c in sizes.numbers(code_of(case.operation)) if abs(c) <= LARGEST))
    own = [*dict.fromkeys(float(x) for c in known for x in (c, -c))]
    for c, side, step in itertools.product(own[:MOST_OWN], (0, -1, 1), steps):
        for turn in (0, 1):
            signs = [1 - 2 * turn * (np.arange(np.prod(shape)).reshape(shape) % 2).astype(np.int64) for shape in shapes]
            first = [math.floor(c / step) + side + (sign < 0) for sign in signs]
            if lab.clock() > end:
                return False
            if _apart(lab, case, first, signs, step, params):
                return True
    return False


def _by_numbers(lab: Lab, case: Case, shapes: Sequence[Any]) -> bool:
    """Whether numbers moved by one of its code, from where it is rounded to such numbers or cut off, go too far.

    For an eighth of the time.
    """
    end, params = lab.clock() + (lab.deadline - lab.clock()) / 8, lab.params(case, 0)
    own = [*dict.fromkeys(round(abs(c)) for c in sizes.numbers(code_of(case.operation)) if 2 <= abs(c) <= FURTHEST)]
    for c, half, far in itertools.product(own[:MOST_OWN], (1, 3, 0, 2, -1, -3), (0, -1, 1)):
        first = [np.full(shape, c * half // 2, dtype=np.int64) for shape in shapes]
        moves = [np.full(shape, c + far, dtype=np.int64) for shape in shapes]
        if lab.clock() > end:
            return False
        with contextlib.suppress(PlanError):  # no plan takes it at such a distance
            if _apart(lab, case, first, moves, STEPS[0], params):
                return True
    return False


def _of_rare_values(lab: Lab, case: Case, own: Sequence[int]) -> bool:
    """Whether it is further from a number of some rare kind to the next one than is declared, where it takes one.

    For half of the time that is left: of a slow query the others are tried too. Then from each whole number to the
    next, from those on that the numbers of its code make together.
    """
    shapes, end = [shape_of(d) for d in case.domains[: case.private]], (lab.clock() + lab.deadline) / 2
    if len(shapes) != 1 or np.prod(shapes[0]) != 1:
        return False
    made = derived.wholes(sizes.numbers(code_of(case.operation)))
    rare = (x for x in scanned.wholes([*own])[scanned.SMALL :] if abs(x) <= LARGEST)  # beyond, floats round, as they do
    if _stepped(lab, case, shapes[0], rare, end):
        return True
    began = lab.clock()
    every = itertools.chain(made, range(1, DENSE), range(-DENSE // 4, 1))
    found = _stepped(lab, case, shapes[0], every, began + DENSE_SECONDS)
    lab.deadline += lab.clock() - began
    return found


def _stepped(lab: Lab, case: Case, shape: Any, values: Iterable[int], end: float) -> bool:
    """Whether it is further from a number before one of these to that one than is declared, until that time."""
    one = np.ones(shape, dtype=np.int64)
    declared, params = case.operation.derived(case.domains, (_distance(one, STEPS[0]),)), lab.params(case, 0)
    operation: Any = case.operation
    last: tuple[int, Any] | None = None
    for value in values:
        if lab.clock() > end:
            break
        a, b = (
            last[1] if last is not None and last[0] == x else operation.evaluate(Exact(x * one, STEPS[0]), *params)
            for x in (value - 1, value)
        )
        found, last = metrics.excess(metrics.difference(a, b), declared), (value, b)
        if found[0] > 1:
            words = f"neighbours are too far apart: {found[1]}"
            lab.fail("sensitivity", words, case=case.text, value=[value - 1], moved_by=[1])
            return True
    return False


def _numbers(rng: Any, shape: tuple[int, ...], own: Sequence[int]) -> Any:
    """Numbers of one size, or each of its own; near where types of numbers end, and near those in the code."""
    if rng.random() < MIXED:
        high = rng.choice([0, 0, 1, 2, 6, 100, 10**6], shape)
        numbers = rng.integers(-high, high + 1)
        at = np.unravel_index(int(rng.integers(numbers.size)), shape)
        numbers[at] = _landmark(rng, own) + rng.integers(-1, 2) if rng.random() < MIXED else numbers[at]
        return np.abs(numbers) if rng.random() < MIXED else numbers
    high = int(rng.choice([2, 6, 100, 10**6]))
    base = _landmark(rng, own) if rng.random() < TURNED else 0
    return base + rng.integers(-high, high + 1, shape)


def _landmark(rng: Any, own: Sequence[int]) -> int:
    """Where a type of number ends, or a number in the code, of either sign."""
    known = (*sizes.TURNS[:-1], *SMALL_TURNS, *own)
    return int(known[int(rng.integers(len(known)))]) * int(rng.choice([-1, 1]))


def _move(rng: Any, shape: tuple[int, ...], *, one: bool) -> Any:
    """A step of ±1 in one place, or one of −1, 0, 1 in every place, not 0 everywhere."""
    if not one:
        move = rng.integers(-1, 2, shape)
        if move.any():
            return move
    flat = np.zeros(int(np.prod(shape)), dtype=np.int64)
    flat[int(rng.integers(flat.size))] = int(rng.choice([-1, 1]))
    return flat.reshape(shape)


def _distance(move: Any, step: Fraction) -> Metrics:
    steps, square, unit = np.abs(move), float((move.astype(object) ** 2).sum()), float(step)
    return (
        L1(float(steps.sum()) * unit),
        L2(float(np.nextafter(square**0.5, np.inf)) * unit),
        LInf(float(steps.max()) * unit),
    )
