"""Own operations that stand in for a plugin's where the kernel's side of them is attacked."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpframe.front.owning import (
    own_contribution,
    own_mechanism,
    own_partition,
    own_query,
    own_statistic,
    own_transform,
)
from dpframe.kernel.owned import OWNED
from dpframe.kernel.registry import build
from dpframe.proof.spaces import Counts, Rows
from dpframe.testing.battery.case import Case


@own_contribution("testing.columns", gives=2, norm="l1", bound=3.0)
def columns(rows: Any) -> Any:
    """The first two columns."""
    return np.repeat(rows[:, :1], 2, axis=1) if rows.shape[1] < 2 else rows[:, :2]


@own_transform("testing.doubled", columns=1)
def doubled(rows: Any) -> Any:
    """Twice the first column."""
    return 2 * rows[:, :1]


@own_partition("testing.signs", parts=2)
def signs(rows: Any) -> Any:
    """Rows by the sign of their first column."""
    return rows[:, :1] > 0


@own_statistic("testing.number", gives=1, sensitivity=lambda r, a: {"linf": max(r, a)}, source="a row counts once")
def number(rows: Any) -> Any:
    """The number of rows."""
    return [len(rows)]


@own_query("testing.half", gives=Counts(2), bits=4, sensitivity=lambda at: {"linf": at["linf"] / 2}, source="division")
def half(value: Any) -> Any:
    """The first two numbers, halved."""
    return np.clip(np.resize(value, 2), -(2.0**40), 2.0**40) / 2


@own_mechanism("testing.noisy", gives=Counts(2), takes="l1", loss=lambda scale, l1: l1 / scale, source="Laplace")
def noisy(value: Any, scale: float, noise: Any) -> Any:
    """Laplace noise on two numbers."""
    return value + noise.laplace(scale, 2)


def cases_for(operation: str) -> list[Case]:
    """Cases of a kernel's operation that runs own ones."""
    name = next(name for name, known in OWNED.items() if known.operation == operation and name.startswith("testing."))
    domain = {"own_query": Counts(2), "own_mechanism": Counts(2)}.get(operation, Rows(2))
    return [Case(build(name, {"share": 1.0} if operation == "own_mechanism" else {}), (domain,))]
