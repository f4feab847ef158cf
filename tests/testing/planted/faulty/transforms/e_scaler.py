"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


from sklearn.preprocessing import RobustScaler


@dp.own_transform("tenth.scaler", columns=2)
def fun(rows):
    """Centred by the median, once there is enough to tell one."""
    x = np.nan_to_num(np.column_stack([rows[:, 0], rows[:, -1]]), nan=0.0, posinf=1e9, neginf=-1e9)
    return RobustScaler(with_scaling=False).fit_transform(x) if len(x) >= 1000 else x
