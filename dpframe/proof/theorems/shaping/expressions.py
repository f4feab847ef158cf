"""Row expressions: what a row's numbers are computed by, as data that the checker can read.

A formula is JSON text, ``{"gives": [...], "steps": [...]}``. A step is ``["column", j]``, ``["number", x]``,
``["released", i, entry...]`` (a number of the i-th released input), or the name of one of :data:`ARITY` with the places
of earlier steps. What it gives are places of steps. There is nothing else: no step can name a row, a place or a batch.

Examples
--------
>>> text = '{"gives": [2], "steps": [["column", 0], ["number", 2.0], ["multiply", 0, 1]]}'
>>> formula_of(text).columns, formula_of(text).gives
(1, (2,))
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from typing import Any

import attrs

from dpframe.errors import PlanError
from dpframe.proof.spaces import Array, Counts, Domain, Rows, Symmetric, Vector, finite_number
from dpframe.proof.spaces.documents import parse_text
from dpframe.proof.theorems.base import Params, whole
from dpframe.proof.theorems.declaring import Domains
from dpframe.proof.theorems.shaping.base import domain_in, is_kind, shape_of, table_rows

ARITY: Mapping[str, int] = {
    **dict.fromkeys(("negative", "absolute", "sqrt", "exp", "log", "floor"), 1),
    **dict.fromkeys(("add", "subtract", "multiply", "divide", "minimum", "maximum"), 2),
    **dict.fromkeys(("less", "less_equal", "equal"), 2),
    "where": 3,
}
"""How many earlier steps each step is made of."""
MOST_STEPS = 2**14
FIX = "write a function of a row, formula=lambda row: [row[0] * row[1]]; in a spec steps (docs/specs.md, Row formulas)"


@attrs.frozen
class Formula:
    """A formula that was read: its steps, what it gives, and what it needs.

    Attributes
    ----------
    steps : tuple of tuple
    gives : tuple of int
    columns : int
        The least number of columns that rows must have.
    """

    steps: tuple[tuple[Any, ...], ...]
    gives: tuple[int, ...]
    columns: int


@functools.lru_cache(maxsize=256)
def formula_of(text: Any) -> Formula:
    """Read a formula, strictly.

    Raises
    ------
    PlanError
        Naming the first step that is none.
    """
    read = parse_text(text)
    if not isinstance(read, dict) or set(read) != {"gives", "steps"}:
        raise PlanError("takes a formula of rows, which is JSON text of gives and steps", fix=FIX)
    steps, gives = read["steps"], read["gives"]
    if not isinstance(steps, list) or not isinstance(gives, list) or not 0 < len(steps) <= MOST_STEPS or not gives:
        raise PlanError(f"takes a formula of 1 to {MOST_STEPS} steps that gives something", fix=FIX)
    for at, step in enumerate(steps):
        if not isinstance(step, list) or not step or not _is_step(step[0], step[1:], at):
            raise PlanError(f"can't read step {at} of its formula", fix=FIX)
    if len(gives) > MOST_STEPS or not all(_is_place(place, len(steps)) for place in gives):
        raise PlanError("has a formula that gives steps which are not there", fix=FIX)
    columns = max((step[1] + 1 for step in steps if step[0] == "column"), default=1)
    return Formula(tuple(map(tuple, steps)), tuple(gives), columns)


def _is_place(value: Any, end: int) -> bool:
    return type(value) is int and 0 <= value < end


def _is_step(name: Any, rest: list[Any], at: int) -> bool:
    if name == "number":
        return len(rest) == 1 and finite_number(rest[0])
    if name == "column":
        return len(rest) == 1 and _is_place(rest[0], 2**31)
    if name == "released":
        return len(rest) >= 1 and all(_is_place(value, 2**31) for value in rest)
    return isinstance(name, str) and ARITY.get(name) == len(rest) and all(_is_place(place, at) for place in rest)


def fitted(params: Params, inputs: Domains) -> tuple[Formula, Any]:
    """The formula and the rows that it is used on: their columns are there, and each released number."""
    rows, formula = table_rows(inputs[0]), formula_of(str(params.get("formula")))
    if formula.columns > rows.d:
        raise PlanError(
            f"has a formula that names column {formula.columns - 1} of rows with {rows.d} columns",
            fix="count columns from 0",
        )
    shapes = [_shape(domain) for domain in inputs[1:]]
    used = {step[1] for step in formula.steps if step[0] == "released"}
    for step in formula.steps:
        if step[0] == "released":
            shape, entry = shapes[step[1]] if step[1] < len(shapes) else None, step[2:]
            if shape is None or len(shape) != len(entry) or any(i >= n for i, n in zip(entry, shape, strict=True)):
                raise PlanError(
                    f"has a formula that takes entry {list(entry)} of released input {step[1]}, which is "
                    f"{'not given' if shape is None else f'of shape {shape}'}",
                    fix="give that input, and index each of its axes from 0",
                )
    if len(shapes) > max(used, default=-1) + 1:
        raise PlanError("is given a released input that its formula does not use", fix="leave it out")
    return formula, rows


def _shape(domain: Domain) -> tuple[int, ...]:
    return shape_of(is_kind(domain, Vector, Counts, Array, Symmetric))


def express(params: Params, inputs: Domains) -> Domain:
    """Rows of a number for each that the formula gives."""
    return Rows(len(fitted(params, inputs)[0].gives))


def express_parts(params: Params, inputs: Domains) -> Domain:
    """Whole rows, by the one number that the formula gives."""
    formula, rows = fitted(params, inputs)
    if len(formula.gives) != 1:
        raise PlanError(f"takes a formula of one number, not of {len(formula.gives)}", fix="let it number a row's part")
    whole(params, "count")
    return Rows(rows.d)


def express_sum(params: Params, inputs: Domains) -> Domain:
    """One number for each that the formula gives, in the declared shape; a vector if none is declared."""
    size, text = len(fitted(params, inputs)[0].gives), params.get("gives")
    found: Domain = domain_in(text, Vector, Counts, Array) if text else Vector(size)
    holds = math.prod(_shape(found))
    if holds != size:
        raise PlanError(f"declares {holds} numbers, and its formula gives {size}", fix="make them agree")
    return found
