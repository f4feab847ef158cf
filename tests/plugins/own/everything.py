"""One operation of one's own of every kind, each right about itself."""

from __future__ import annotations

from typing import Any

import numpy as np

import dpframe.plugin as dp


@dp.own_contribution("every.sums", gives=lambda p: p, norm="l2", bound=lambda p: 2.0 * p, bits=16)
def sums(rows: Any, centre: Any = None, *, p: int = 2) -> Any:
    """The first columns of each row, about a released ball's centre if there is one."""
    about = np.zeros(rows.shape[1]) if centre is None else centre.centre
    return np.tile(rows - about, p)[:, :p]


@dp.own_transform("every.squares", columns=2)
def squares(rows: Any) -> Any:
    """The first column and its square."""
    return np.stack([rows[:, 0], rows[:, 0] ** 2], axis=1)


@dp.own_partition("every.signs", parts=2)
def signs(rows: Any) -> Any:
    """Rows by the sign of their first column; those of neither are dropped."""
    return np.where(rows[:, 0] > 0, 1, np.where(rows[:, 0] < 0, 0, -1))


@dp.own_statistic(
    "every.distinct",
    gives=1,
    sensitivity=lambda removed, added: {"l1": max(removed, added)},
    source="a row is one value",
)
def distinct(rows: Any) -> Any:
    """How many different first columns there are."""
    return [len(np.unique(rows[:, 0]))]


@dp.own_statistic(
    "every.rows", gives=1, bits=8, source="for (1, 1) only", proved_for=[(1, 1)], sensitivity=lambda r, a: {"l1": 0.0}
)
def count(rows: Any) -> Any:
    """The number of rows, which nobody changes under replace-one of rows that are never empty."""
    return [0.0]


@dp.own_query(
    "every.total", gives=1, sensitivity=lambda at: {"l1": at["l1"], "linf": at["l1"]}, source="triangle inequality"
)
def total(value: Any) -> Any:
    """The sum of some numbers."""
    return [value.sum()]


@dp.own_mechanism(
    "every.laplace", gives=dp.Counts, takes="l1", loss=lambda scale, distance, m: distance / scale,
    source="Dwork, McSherry, Nissim, Smith 2006", assumes=["the lattice is fine enough"],
)  # fmt: skip
def laplace(value: Any, scale: float, noise: Any, *, m: int = 1) -> Any:
    """Laplace noise."""
    return value + noise.laplace(scale, m)


@dp.own_mechanism(
    "every.noisy_count", gives=1, takes="edits", source="Dwork, McSherry, Nissim, Smith 2006",
    loss=lambda scale, removed, added: (removed + added) / scale,
)  # fmt: skip
def noisy_count(rows: Any, scale: float, noise: Any) -> Any:
    """How many rows there are, with Laplace noise of a whole scale."""
    return [float(len(rows) + int(noise.laplace(float(max(1, int(np.ceil(scale)))))))]


@dp.own_mechanism(
    "every.replaced", gives=1, takes="edits", proved_for=[(1, 1)], source="nothing changes",
    loss=lambda scale, removed, added: 0.25,
)  # fmt: skip
def replaced(rows: Any, scale: float, noise: Any) -> Any:
    """Randomised response on nothing."""
    return [float(noise.laplace(4.0))]
