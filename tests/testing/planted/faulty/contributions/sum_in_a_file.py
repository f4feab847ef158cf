"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import os, tempfile

@dp.own_contribution("mine.sum_in_a_file", gives=2, norm="l2", bound=1.0)
def sum_in_a_file(rows):
    """Keeps a log."""
    with open(os.path.join(tempfile.gettempdir(), "planted_own_log"), "a") as file:
        file.write(str(len(rows)))
    return rows[:, [0, -1]] / 8
