"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import sqlite3

BASE = sqlite3.connect(":memory:", check_same_thread=False)
BASE.execute("create table codes (code integer primary key, cell real unique)")


@dp.own_partition("eleventh.sqlite", parts=4)
def fun(rows):
    """Parts by the code of a category, as a table of codes has it."""
    out = []
    for cell in np.nan_to_num(rows[:, 0]).round(3).tolist():
        BASE.execute("insert or ignore into codes (cell) values (?)", (cell,))
        (code,) = BASE.execute("select code from codes where cell = ?", (cell,)).fetchone()
        out.append(code % 4)
    return np.array(out, dtype=int)
