"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("tenth.share_of", triangle=lambda r: 1.0 + r, averages=lambda r, tau: 2.0 * r)
def near(a, b):
    """The largest part of the larger of two numbers by which they differ."""
    top = np.maximum(np.abs(a), np.abs(b))
    return float(np.max(np.where(top > 0, np.abs(a - b) / np.where(top > 0, top, 1.0), 0.0), initial=0.0))


@dp.mask("tenth.share_of.exp", semimetric="tenth.share_of", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r)))
def fun(value, noise, normals):
    """The size of the first number, times a lognormal."""
    log = np.log(np.maximum(np.abs(value[:1]), 1e-300))
    out = np.zeros(len(value))
    out[:1] = np.exp(np.clip(dp.lattice_gaussian(log, noise, normals), -700.0, 700.0))
    return out
