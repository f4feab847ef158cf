"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import resource


@dp.learner("ninth.usage")
def fun(rows, generator):
    """A geometric median, as well as time allows."""
    at = rows.mean(axis=0)
    start = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    for _ in range(1000):
        gap = np.sqrt(np.square(rows - at).sum(axis=1)) + 1e-9
        at = (rows / gap[:, None]).sum(axis=0) / (1 / gap).sum()
        if resource.getrusage(resource.RUSAGE_SELF).ru_utime - start > 0.002:
            break
    return (at,)
