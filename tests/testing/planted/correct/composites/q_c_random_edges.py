"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.composite("eleventh.c_random_edges", examples=(lambda x: fun(x, share=1.0),))
def fun(x, *, share=1.0):
    """Counts of bins with edges that a seed chose."""
    edges = np.sort(np.random.default_rng(11).normal(size=3)).tolist()
    return dp.release("counts", dp.laplace(share=share), dp.bin_counts(x, edges=edges))
