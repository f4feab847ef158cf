"""Attacks on the functions of operations of one's own: batches of every size, other pasts and worlds.

What maps rows one by one is attacked as a row map is. The others are asked again in fresh processes, with another past,
clock, generator and folder.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from dpframe.kernel.foreign import array_of, flat, quiet
from dpframe.kernel.noise import SeededSource
from dpframe.kernel.operations import Exact, Mechanism
from dpframe.kernel.own.base import shape_of, value_domain
from dpframe.kernel.owned import Own
from dpframe.proof.spaces import Array, Rows
from dpframe.proof.theorems.own import size_of
from dpframe.proof.theorems.shaping.expressions import formula_of
from dpframe.testing.battery import memos, metrics, own_parameters, pasts, sizes
from dpframe.testing.battery.attack_row_maps import attack_row_map, first_difference, uses_of
from dpframe.testing.battery.case import Case
from dpframe.testing.battery.endless import followed
from dpframe.testing.battery.lab import Lab
from dpframe.testing.battery.own_inputs import inputs_of, of_table, params_of
from dpframe.testing.battery.reporting import VARIED
from dpframe.testing.battery.row_images import Use
from dpframe.testing.battery.worlds import Lost, elsewhere

ROW_KINDS = ("own_contribution", "own_transform", "own_partition")
SCALE = 1.3718
"""Noise in lattice steps: no round number."""
BRIEF, MOST_WIDTHS = 0.1, 2
"""CPU seconds of a search with other parameters, and widths of tables in it."""


def width_of(known: Own, operation: Any) -> int:
    """How many numbers it declares to give for a row."""
    if known.operation == "own_contribution":
        return size_of(value_domain(operation))
    return int(operation.p) if known.operation == "own_transform" else 1


def row_function(known: Own, operation: Any) -> Callable[..., Any]:
    """What the kernel calls of an operation that looks at rows one by one: rows to (rows, numbers)."""
    function, keywords, width = known.function, operation.keywords, width_of(known, operation)

    def images(values: Any, *params: Any) -> Any:
        return flat(function, params, keywords, width, values)

    return images


def expressed_domains(formula: str) -> tuple[Any, ...]:
    """The smallest rows and released values that a formula can be used on."""
    read = formula_of(formula)
    shapes: dict[int, tuple[int, ...]] = {}
    for step in read.steps:
        if step[0] == "released":
            known = shapes.get(step[1], (0,) * len(step[2:]))
            shapes[step[1]] = tuple(max(n, i + 1) for n, i in zip(known, step[2:], strict=False))
    return (Rows(read.columns), *(Array(shapes.get(i, ())) for i in range(max(shapes, default=-1) + 1)))


def attack_row_function(lab: Lab, known: Own, operation: Any, *, thorough: bool) -> tuple[Use, ...]:
    """Rows alone and in batches, in fresh processes; gives the ways in which the function can be called."""
    images = row_function(known, operation)
    try:
        with followed():
            uses = tuple(elsewhere(functools.partial(uses_of, images, inputs_of(known.function))))
    except Lost as error:
        lab.lost(error)
        return ()
    if uses:
        lab.ran("rowwise", "purity")
        attack_row_map(lab, images, uses, thorough=thorough)
    return uses


def attack_other_rows(lab: Lab, known: Own, told: Any, operations: Iterable[Any]) -> None:
    """Rows alone and in batches with other parameters than those ``told``, in little time for each."""

    def search() -> dict[str, Any] | None:
        for operation in operations:
            images = row_function(known, operation)
            for use in uses_of(images, inputs_of(known.function), most=MOST_WIDTHS):
                found = first_difference(images, use, BRIEF)
                if found is not None:
                    words = own_parameters.varied(told.keywords, operation.keywords)
                    return {**found, "parameters": dict(operation.keywords), VARIED: words}
        return None

    with contextlib.suppress(Lost):  # what ends its process with other parameters is refused
        found = elsewhere(search)
        if found is not None:
            lab.fail(found.pop("layer"), found.pop("message"), **found)


def attack_past(lab: Lab, case: Case, values: Sequence[tuple[Exact, ...]], seconds: float) -> None:
    """A statistic's, query's or mechanism's answer to the same private values, whatever was asked before."""
    operation: Any = case.operation
    told = params_of(case) if operation.kind != "mechanism" else ()

    def answer(given: tuple[Exact, ...], params: tuple[Any, ...]) -> Any:
        if isinstance(operation, Mechanism):
            return operation.release(given[0], {"scale": SCALE}, case.domains[0], SeededSource(len(values)))
        if operation.kind == "query":
            return operation.evaluate(*given, *params)
        return of_table(case, given[0].integers, params)

    def repeated(probe: tuple[tuple[Exact, ...], tuple[Any, ...]]) -> Any:
        return [answer(*probe), answer(*probe)]

    probes = [(given, told) for given in values]
    past = [((Exact(np.asarray(v.integers) * 3 + 1, v.step), *more), told) for v, *more in values]
    near = [((Exact(w, v.step), *more), told) for v, *more in values for w in _alike(v.integers)]
    others = [(given, params) for params in zip(*map(memos.alike, told), strict=False) for given in values]
    histories = [
        ("after other values", past),
        ("after values that are like these", near),
        ("after the same values many times", probes * 40),
        *([("after other released values", others)] if others else []),
    ]
    pasts.attack(lab, repeated, probes, histories, seconds=seconds)


def _alike(numbers: Any) -> list[Any]:
    """Other private values of the same type that a memo may take for these."""
    array = np.asarray(numbers)
    if array.dtype.kind == "f":
        return memos.alike(array)
    made = (w.astype(array.dtype) for w in memos.alike(array.astype(np.float64)))
    return [w for w in made if not np.array_equal(w, array)]


def works(known: Own, case: Case) -> bool:
    """Whether its function takes tables of that width at all: few rows or many, of one kind or another."""
    width: int = getattr(case.domains[0], "d", 1)
    keywords, params = case.operation.keywords, params_of(case)  # type: ignore[attr-defined]
    for (_, pool), m in itertools.product(sizes.tables(width, np.random.default_rng(0)), (5, 200)):
        made = quiet(known.function, np.resize(pool, (m, width)), *params, **keywords)
        if array_of(made, shape_of(value_domain(case.operation))) is not None:
            return bool(metrics.by_edits(case.operation, case.domains))
    return False


def columns_of(known: Own) -> list[int]:
    """Widths worth trying for a function of whole tables."""
    return sizes.columns(known.function)[:30]


def shaped(case: Case, numbers: Sequence[Any]) -> list[tuple[Exact, ...]]:
    """Private values of a query's or mechanism's inputs."""
    shapes = [shape_of(d) for d in case.domains[: case.private]]
    return [tuple(Exact(np.resize(np.asarray(v), shape).astype(np.int64)) for shape in shapes) for v in numbers]
