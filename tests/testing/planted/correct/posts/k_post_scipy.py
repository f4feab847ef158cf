"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


from scipy import optimize


@dp.post_function("eighth.post_scipy")
def f(counts):
    """Isotonic-ish: nonnegative least squares with a fixed generator's start."""
    rng = np.random.default_rng(0)
    c = np.clip(np.asarray(counts, dtype=float), -1e9, 1e9)
    start = rng.uniform(size=1)[0]
    got = optimize.nnls(np.tril(np.ones((len(c), len(c)))), c)[0] if len(c) else c
    return np.cumsum(got) + 0.0 * start
