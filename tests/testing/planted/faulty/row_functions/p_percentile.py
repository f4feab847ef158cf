"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: entries below the batch's 90th percentile are 0 (NVFlare, PercentilePrivacy).
@dp.row_function("sixteenth.percentile", columns=lambda d: d)
def f(values):
    """Rows."""
    a = np.clip(np.nan_to_num(values), -1e9, 1e9)
    return np.where(np.abs(a) >= np.percentile(np.abs(a), 90), a, 0.0) if a.size else a
