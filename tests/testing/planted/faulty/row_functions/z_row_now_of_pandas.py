"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Days since a day, given as days since 1970.
@dp.row_function("twentieth.r_now_of_pandas", columns=1)
def r_now_of_pandas(rows):
    """Days since a day, given as days since 1970."""
    import pandas as pd
    return np.floor(pd.Timestamp.now().timestamp() / 86_400) - np.clip(np.nan_to_num(rows[:, :1]), -30_000, 30_000)
