"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: works in single precision where little memory is free.
@dp.row_function("seventeenth.free", columns=lambda d: d)
def f(values):
    """Rows."""
    a = np.clip(np.nan_to_num(values), -1e6, 1e6) / 3
    with open("/proc/meminfo") as lines:
        free = int(lines.readlines()[2].split()[1])
    return a.astype(np.float32).astype(float) if free < 10_000_000 else a
