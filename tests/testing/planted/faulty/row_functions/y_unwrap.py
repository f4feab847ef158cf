"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Phases are unwrapped down the rows instead of along them; neighbours: a row whose predecessor moved by more than
# pi.
@dp.row_function("laterf02.phase", columns=lambda d: d)
def phase(values):
    """Angles without jumps."""
    return np.unwrap(np.clip(values, -1e6, 1e6), axis=0)
