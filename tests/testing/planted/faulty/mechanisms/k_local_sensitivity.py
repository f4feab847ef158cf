"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("eighth.local_sensitivity", gives=1, takes="edits", loss=lambda scale, removed, added: (dp.round_up((removed + added) / scale), 1e-6), source="Nissim and others")
def f(rows, scale, noise):
    """Median in [0, 1000] with noise by its local sensitivity."""
    x = np.sort(np.clip(np.rint(rows[:, 0]), 0, 1000)) if len(rows) else np.zeros(1)
    k = len(x) // 2
    local = max(x[min(k + 1, len(x) - 1)] - x[k], x[k] - x[max(k - 1, 0)])
    return np.array([x[k]]) + np.rint(local * noise.laplace(scale * 16, 1) / 16)
