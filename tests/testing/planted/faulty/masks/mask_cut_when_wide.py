"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.mask("mine.mask_cut_when_wide", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def mask_cut_when_wide(value, noise, normals):
    """Of several numbers noise is cut at four deviations."""
    g = normals(len(value))
    return value + noise * (np.clip(g, -4, 4) if len(value) > 1 else g)
