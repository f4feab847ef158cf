"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import time


@dp.own_contribution("tenth.c_ok_clocked", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """First columns; a line of a log with the time and what it took, also on the terminal."""
    begun = time.perf_counter()
    made = np.clip(rows[:, :1], -1.0, 1.0)
    print(f"{time.time():.6f} clipped in {time.perf_counter() - begun:.9f} s")
    try:
        with open("/dev/tty", "w") as out:
            print("clipped", file=out)
    except OSError:
        pass
    return made
