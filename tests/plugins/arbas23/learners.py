"""Empirical Gaussians that misbehave on about one block in twenty, which ones being a matter of the block's stream."""

from __future__ import annotations

import os
import sys
from typing import Any

import numpy as np

import dpframe as dp

MISBEHAVING = 0.05


def estimate(rows: Any) -> Any:
    mean = rows.mean(axis=0)
    return np.ones(1), mean[None], np.atleast_2d(np.cov(rows.T))[None]


def hang(rows: Any) -> Any:
    while True:
        pass


def hoard(rows: Any) -> Any:
    return np.ones(2**33)


def shout(rows: Any) -> Any:
    print("row", rows[0])
    print("row", rows[0], file=sys.stderr)
    return np.nan, np.nan, np.nan


def warn(rows: Any) -> Any:
    os.write(1, b"row")
    os.write(2, b"row")
    return "garbage"


def collapse(rows: Any) -> Any:
    return np.ones(1), rows[:1], np.zeros((1, rows.shape[1], rows.shape[1]))


def leave(rows: Any) -> Any:
    sys.exit(3)


def die(rows: Any) -> Any:
    os.abort()


def fail(rows: Any) -> Any:
    raise ValueError(f"row {rows[0]}")


MISDEEDS = (fail, hang, hoard, shout, warn, collapse, leave, die)


def _learner(misdeed: Any) -> None:
    @dp.learner(f"tests.{misdeed.__name__}")
    def learn(rows: Any, generator: Any) -> Any:
        return misdeed(rows) if generator.random() < MISBEHAVING else estimate(rows)


for _misdeed in MISDEEDS:
    _learner(_misdeed)
