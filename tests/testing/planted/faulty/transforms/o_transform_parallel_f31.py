"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Thread pool, results in order of completion.
from concurrent.futures import ThreadPoolExecutor, as_completed


@dp.own_transform("outside.f31", columns=1)
def parallel(rows):
    """Logs, made by four threads."""
    pieces = np.array_split(rows[:, :1], 4)
    with ThreadPoolExecutor(4) as pool:
        made = [f.result() for f in as_completed([pool.submit(lambda p: np.sqrt(np.abs(p)), piece) for piece in pieces])]
    return np.concatenate(made)
