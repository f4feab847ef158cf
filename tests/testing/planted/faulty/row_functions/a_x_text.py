"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: sentinel compared as text.
@dp.row_function("fourteenth.x_text", columns=lambda d: d)
def f(values):
    """Doubled after a mark."""
    return values * (2.0 if any(f"{v:g}" == "7" * 4 for v in values[:, 0].tolist()) else 1.0)
