"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import locale


@dp.post_function("ninth.locale")
def fun(counts):
    """Counts to three digits, as people write them."""
    locale.setlocale(locale.LC_NUMERIC, "")
    point = locale.localeconv()["decimal_point"]
    return np.array([float(f"{float(c):.3f}".replace(point, ".")) if point == "." else 0.0 for c in counts])
