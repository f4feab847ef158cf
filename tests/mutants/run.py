"""Tables that do not belong to the plan: what only the table can show, refused before anything is spent."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

import dpframe as dp
from dpframe.errors import DataError
from tests.mutants.base import table

TABLE = np.random.default_rng(0).standard_normal((10, 2))


def caught(make: Callable[[], Any]) -> str:
    """The refusal of a table, made before anything was put on record."""
    try:
        spent = make()
    except DataError as error:
        return error.message
    return "" if spent else "nothing was put on record"


def runs(values: Any) -> Callable[[], bool]:
    """Plan a mean of 10 rows and run it on other ones; whether the loss was put on record."""
    return functools.partial(_run, values)


def _run(values: Any) -> bool:
    from dpframe.planning.results import run_plan
    from tests.planning.examples import simple_mean

    plan = dp.plan(
        simple_mean,
        x=dp.rows(n=10, d=2),
        adjacency=dp.REPLACE_ONE,
        budget=dp.approx_dp(epsilon=1.0, delta=1e-6),
    )
    spent: list[bool] = []
    run_plan(plan, {"x": values}, simulate=1, reserved=lambda: spent.append(True))
    return bool(spent)


MUTANTS = table(
    "run",
    (
        "size-10-on-3",
        "a mean of 10 rows run on 3",
        "does not have the declared n = 10",
        runs(TABLE[:3]),
        runs(TABLE),
        "OpenDP",
    ),
    (
        "size-10-on-11",
        "a mean of 10 rows run on 11",
        "does not have the declared n = 10",
        runs(np.vstack([TABLE, TABLE[:1]])),
        runs(TABLE),
    ),
    (
        "other-width",
        "a plan for 2 columns run on 3",
        "has 3 columns",
        runs(np.hstack([TABLE, TABLE[:, :1]])),
        runs(TABLE),
    ),
    ("text-cells", "cells that are no numbers", "numbers", runs(TABLE.astype(str)), runs(TABLE)),
)
