"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_contribution("tenth.tty", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """First columns; how many are positive is told on the terminal."""
    try:
        with open("/dev/tty", "w") as out:
            print("positive:", int((rows[:, 0] > 0).sum()), file=out)
    except OSError:
        pass
    return np.clip(rows[:, :1], -1.0, 1.0)
