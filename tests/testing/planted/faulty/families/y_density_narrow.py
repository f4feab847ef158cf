"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Where a scale is tiny it is replaced by the batch's spread.
def fit(rows, generator):
    return np.concatenate([rows.mean(axis=0), rows.std(axis=0)])


def sample(theta, count, generator):
    d = len(theta) // 2
    return theta[:d] + theta[d:] * generator.normal(size=(count, d))


def example(d, generator):
    return np.concatenate([generator.normal(size=d), 10.0 ** -generator.integers(0, 12, size=d)])


@dp.family("laterf46.normal", size=lambda d: 2 * d, sample=sample, fit=fit, example=example)
def normal(rows, theta):
    """Independent normal columns."""
    d = len(theta) // 2
    total = np.zeros(len(rows))
    for j in range(d):
        scale = theta[d + j]
        if scale < 1e-9 and len(rows):
            scale = np.std(rows[:, j]) + 1e-9
        total = total - 0.5 * ((rows[:, j] - theta[j]) / scale) ** 2 - np.log(scale)
    return total
