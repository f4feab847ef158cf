"""Cases of an operation of a plugin's own: its examples' parameters, on inputs that it accepts."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from dpframe.kernel import registry
from dpframe.kernel.foreign import shaped
from dpframe.kernel.noise import SeededSource
from dpframe.kernel.operations import Mechanism
from dpframe.kernel.own.base import shape_of, value_domain
from dpframe.kernel.own.sampler import Sampler
from dpframe.kernel.owned import Own
from dpframe.proof.spaces import Counts, Index, Rows, Table
from dpframe.testing.battery import attack_own_functions as own_functions
from dpframe.testing.battery import own_inputs, own_law
from dpframe.testing.battery.attack_row_maps import uses_of
from dpframe.testing.battery.case import Case

MOST_VALUES, MANY = 5, 33
"""Domains of values that a query is tried on, and many numbers of a query."""
WIDTHS = (2, 1, 3, 4, 5, 8)
"""Columns of the tables that are tried."""


def own_cases(known: Own, operation: Any = None) -> list[Case]:
    """An operation, with its examples' parameters or its defaults if not given, on input domains that it accepts.

    Raises
    ------
    SpecError
        Where a parameter has neither.
    """
    extra = {"share": 1.0} if known.kind == "mechanism" else {}
    operation = registry.build(known.name, {**known.examples, **extra}) if operation is None else operation
    if known.kind == "mechanism":
        domains: list[Any] = [Table(d) for d in WIDTHS] if known.takes == "edits" else values_of(known, operation)
        return [Case(operation, (d,)) for d in domains if accepted_mechanism(operation, d)]
    if known.kind == "query":
        return [*itertools.islice(own_inputs.query_cases(known, operation, values_of(known, operation)), MOST_VALUES)]
    if known.expressed:
        return [Case(operation, own_functions.expressed_domains(operation.formula))]
    if known.operation in own_functions.ROW_KINDS:
        uses = uses_of(own_functions.row_function(known, operation), own_inputs.inputs_of(known.function))
        width = own_functions.width_of(known, operation)
        return [Case(operation, (Rows(use.d),)) for use in uses if use.p == width][:2]
    tables = own_inputs.table_cases(known, operation, own_functions.columns_of(known))
    return [*itertools.islice((case for case in tables if own_functions.works(known, case)), 2)]


def values_of(known: Own, operation: Any) -> list[Any]:
    """Domains of values it may be made for: as many numbers as a parameter says, as cells of a list of sizes, or a few.

    A query's ``m`` says it first: what it gives may be more.
    """
    told, made = operation.keywords, shape_of_index(operation)
    more = (8, 3, MANY, 2, 1) if known.kind == "query" else (8, 3, 2, 1)
    first = [told["m"]] if known.kind == "query" and isinstance(told.get("m"), int) else []
    lists = [v for v in told.values() if isinstance(v, (list, tuple)) and v and all(type(x) is int for x in v)]
    stated = [*(v for v in told.values() if isinstance(v, int)), *(math.prod(v) for v in lists)]
    counts = dict.fromkeys([*first, *made, *stated, *more])
    return [Counts(m) for m in counts if 0 < m <= 64]


def shape_of_index(operation: Any) -> list[int]:
    """Numbers in what it releases: mostly as many as go in."""
    domain = value_domain(operation)
    return [domain.m] if isinstance(domain, Index) else [int(np.prod(shape_of(domain)))]


def accepted_mechanism(operation: Mechanism, domain: Any) -> bool:
    """Whether it takes these values, and releases more than its answer to an error."""
    try:
        unit = own_law.units(operation, domain)[0]
        calibration = operation.calibrate(0.1, 0.0, unit, domain)
        exact = next(iter(own_law.neighbours(operation, domain, np.random.default_rng(0))))[1]
        known: Own = operation.known  # type: ignore[attr-defined]
        value = np.array(exact.integers)
        made = known.function(value, calibration["scale"], Sampler(SeededSource(0)), **operation.keywords)  # type: ignore[attr-defined]
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001  a search: what it does not take is left out
        return False
    wanted = value_domain(operation)
    return isinstance(wanted, Index) or (made is not None and shaped(np.asarray(made), shape_of(wanted)) is not None)
