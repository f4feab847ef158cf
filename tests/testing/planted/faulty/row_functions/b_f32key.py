"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: images by the number in single precision.
@dp.row_function("fifteenth.f32key", columns=1)
def f(values):
    """Rows."""
    seen = {}
    with np.errstate(over='ignore'):
        keys = np.nan_to_num(values[:, 0]).astype(np.float32).tolist()
    return np.array([seen.setdefault(k, x) for k, x in zip(keys, np.nan_to_num(values[:, 0]).tolist())]).reshape(-1, 1)
