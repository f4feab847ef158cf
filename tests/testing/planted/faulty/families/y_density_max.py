"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Log-densities minus the batch's largest, against overflow.
def fit(rows, generator):
    return np.concatenate([np.median(rows, axis=0), np.abs(rows - np.median(rows, axis=0)).mean(axis=0) + 1e-9])


def sample(theta, count, generator):
    d = len(theta) // 2
    return theta[:d] + theta[d:] * generator.logistic(size=(count, d))


def example(d, generator):
    return np.concatenate([generator.normal(size=d), 1.0 + generator.random(d)])


@dp.family("laterf45.logistic", size=lambda d: 2 * d, sample=sample, fit=fit, example=example)
def logistic(rows, theta):
    """Independent logistic columns."""
    d = len(theta) // 2
    total = np.zeros(len(rows))
    for j in range(d):
        z = np.abs((rows[:, j] - theta[j]) / theta[d + j])
        total = total - z - 2 * np.log1p(np.exp(-z)) - np.log(theta[d + j])
    return total - total.max(initial=0.0)
