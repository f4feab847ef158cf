"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.semi_kl", triangle=lambda r: 1.0)
def semi_kl(a, b):
    """A divergence, both ways."""
    p, q = np.abs(a) + 1e-12, np.abs(b) + 1e-12
    return float((p * np.log(p / q) - p + q).sum() + (q * np.log(q / p) - q + p).sum())
