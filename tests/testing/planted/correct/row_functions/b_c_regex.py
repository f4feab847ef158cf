"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: codes by a pattern.
import re
P = re.compile(r'4\d{3}7')
@dp.row_function("fifteenth.c_regex", columns=1)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(np.abs(values[:, 0])), 0, 2**52).astype(np.int64)
    return np.array([bool(P.fullmatch(str(x))) for x in v.tolist()], float).reshape(-1, 1)
