"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Transform: a key with a radix that is large enough, of whole codes below it.
import math
@dp.own_transform("fourteenth.c_radix", columns=1)
def f(rows):
    """Memo by a key of two codes below 1000; others as they are."""
    memo, out = {}, []
    for r in rows.tolist():
        a, b = r[0], r[-1]
        if all(v == math.floor(v) and 0 <= v < 1000 for v in (a, b)):
            out.append([memo.setdefault(int(a) * 1000 + int(b), a - b)])
        else:
            out.append([a - b])
    return np.array(out).reshape(-1, 1)
