"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


from concurrent.futures import ThreadPoolExecutor, as_completed


@dp.row_function("ninth.completed", columns=lambda d: d)
def fun(values):
    """Arctangents in four threads."""
    if len(values) < 300:
        return np.arctan(values)
    with ThreadPoolExecutor(4) as pool:
        jobs = [pool.submit(np.arctan, piece) for piece in np.array_split(values, 8)]
        return np.concatenate([job.result() for job in as_completed(jobs)])
