"""Operations that are wrong about themselves, one for each thing that may be wrong: all must be caught."""

from __future__ import annotations

from typing import Any

import numpy as np

import dpframe.plugin as dp


@dp.own_contribution("broken.mean_of_all", gives=1, norm="l2", bound=1.0)
def mean_of_all(rows: Any) -> Any:
    """How far a row is from the mean of its batch: other rows decide it."""
    return rows[:, :1] - rows[:, :1].mean()


@dp.own_partition("broken.by_rank", parts=2)
def by_rank(rows: Any) -> Any:
    """The lower and the upper half of a batch."""
    return rows[:, 0] > np.median(rows[:, 0])


@dp.own_statistic(
    "broken.median", gives=1, bits=8, sensitivity=lambda removed, added: {"l1": removed + added}, source="wrong"
)
def median(rows: Any) -> Any:
    """The median, which one row can move by any amount."""
    return [np.clip(np.median(rows[:, 0]), -100.0, 100.0) if len(rows) else 0.0]


@dp.own_query("broken.square", gives=1, sensitivity=lambda at: {"l1": at["l1"]}, source="wrong")
def square(value: Any) -> Any:
    """A square, which moves by more than its root."""
    return [min(float(value[0]) ** 2, 1e9)]


@dp.own_mechanism("broken.half_noise", gives=1, takes="l1", loss=lambda scale, l1: l1 / scale, source="half the noise")
def half_noise(value: Any, scale: float, noise: Any) -> Any:
    """Laplace noise of half the scale that is charged."""
    return value + noise.laplace(scale / 2, 1)


@dp.own_mechanism("broken.own_noise", gives=1, takes="l1", loss=lambda scale, l1: l1 / scale, source="NumPy's noise")
def own_noise(value: Any, scale: float, noise: Any) -> Any:
    """Noise that is not the kernel's."""
    return value + np.rint(np.random.default_rng().laplace(0.0, scale, 1)).astype(np.int64)


@dp.own_mechanism(
    "broken.dearer", gives=1, takes="l1", loss=lambda scale, l1: 1 / (scale * (1 + l1)), source="upside down"
)
def dearer(value: Any, scale: float, noise: Any) -> Any:
    """A larger distance costs less."""
    return value + noise.laplace(scale, 1)


@dp.own_mechanism(
    "broken.noisy_max", gives=dp.Index, takes="linf", examples={"m": 4}, source="half of what it costs",
    loss=lambda scale, linf, m: dp.Pure(linf / (2 * scale)),
)  # fmt: skip
def noisy_max(scores: Any, scale: float, noise: Any, *, m: int) -> int:
    """Report-noisy-max with exponential noise, charged a quarter of its loss."""
    return int(np.argmax(scores + noise.geometric(scale, m)))


@dp.own_mechanism(
    "broken.first_row", gives=1, takes="edits", loss=lambda scale, removed, added: (removed + added) / scale, source="-"
)
def first_row(rows: Any, scale: float, noise: Any) -> Any:
    """The largest row as it is."""
    return [float(rows[-1, 0]) if len(rows) else 0.0]
