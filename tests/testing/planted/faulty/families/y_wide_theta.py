"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A wide member is evaluated in units of the batch's largest row, against overflow.
def fit(rows, generator):
    return np.concatenate([np.median(rows, axis=0), np.abs(rows - np.median(rows, axis=0)).mean(axis=0) + 1e-9])


def sample(theta, count, generator):
    d = len(theta) // 2
    return theta[:d] + theta[d:] * generator.laplace(size=(count, d))


def example(d, generator):
    return np.concatenate([generator.normal(size=d), 1.0 + generator.random(d)])


@dp.family("laterh102.laplace", size=lambda d: 2 * d, sample=sample, fit=fit, example=example)
def laplace(rows, theta):
    """Independent Laplace columns."""
    d = len(theta) // 2
    unit = max(float(np.abs(rows).max(initial=0.0)), 1.0) if theta[d:].max() > 100.0 else 1.0
    total = np.zeros(len(rows))
    for j in range(d):
        total = total - np.abs(rows[:, j] / unit - theta[j] / unit) / (theta[d + j] / unit) - np.log(2 * theta[d + j])
    return total
