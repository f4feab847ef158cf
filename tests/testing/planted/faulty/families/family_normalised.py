"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.family("mine.family_normalised", size=lambda d: d, sample=lambda theta, count, generator: generator.normal(theta, 1.0, (count, len(theta))),
           fit=lambda rows, generator: rows.mean(axis=0), example=lambda d, generator: generator.normal(size=d))
def family_normalised(rows, theta):
    """Log-densities, less their largest so that exp can't overflow."""
    logs = -0.5 * ((rows - theta) ** 2).sum(axis=1)
    return logs - logs.max(initial=-np.inf) if len(logs) else logs
