"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Log density minus max of batch plus max of batch.
@dp.family(
    "outside.f43",
    size=lambda d: d,
    sample=lambda theta, n, g: g.rayleigh(theta, (n, len(theta))),
    fit=lambda rows, g: np.sqrt(np.maximum((rows**2).mean(axis=0) / 2, 1e-12)),
    example=lambda d, g: 0.5 + g.random(d),
)

def rayleigh(rows, theta):
    """Rayleigh columns, in a stable way."""
    theta = np.maximum(theta, 1e-6)
    z = np.clip(rows, 0.0, 1e6) / theta
    logs = (np.log(np.maximum(z, 1e-300)) - np.log(theta) - z * z / 2).sum(axis=1)
    if len(logs) == 0:
        return logs
    top = logs.max()
    return np.log(np.exp(np.maximum(logs - top, -700.0))) + top
