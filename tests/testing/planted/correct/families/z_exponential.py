"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A family on half lines: minus infinity left of the start.
def fit(rows, generator):
    low = rows.min(axis=0)
    return np.concatenate([low, (rows - low).mean(axis=0) + 1e-9])


def sample(theta, count, generator):
    d = len(theta) // 2
    return theta[:d] + theta[d:] * generator.exponential(size=(count, d))


def example(d, generator):
    return np.concatenate([generator.normal(size=d), 0.5 + generator.random(d)])


@dp.family("laterc20.exponential", size=lambda d: 2 * d, sample=sample, fit=fit, example=example)
def exponential(rows, theta):
    """Independent shifted exponential columns."""
    d = len(theta) // 2
    total = np.zeros(len(rows))
    for j in range(d):
        z = (rows[:, j] - theta[j]) / theta[d + j]
        total = total + np.where(z >= 0, -z - np.log(theta[d + j]), -np.inf)
    return total
