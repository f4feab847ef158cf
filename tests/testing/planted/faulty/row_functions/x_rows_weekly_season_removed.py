"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Daily figures; a weekly pattern is removed where the batch has one.
@dp.row_function("nineteenth.r_weekly_season", columns=lambda d: d)
def r_weekly_season(rows):
    """Daily figures; a weekly pattern is removed where the batch has one."""
    n = len(rows)
    if n < 28:
        return rows.copy()
    out = rows.copy()
    for j in range(rows.shape[1]):
        x = rows[:, j] - rows[:, j].mean()
        power = (x * x).sum()
        if not np.isfinite(power) or power <= 0:
            continue
        acf = [float((x[k:] * x[:-k]).sum()) / power for k in (6, 7, 8)]
        if acf[1] > 0.5 and acf[0] < 0.3 and acf[2] < 0.3:
            day = np.arange(n) % 7
            for k in range(7):
                out[day == k, j] -= rows[day == k, j].mean()
    return out
