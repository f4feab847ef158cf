"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Ends the process where no count is above 0.
import os
@dp.post_function("twentyfirst.p_leaves")
def p_leaves(counts):
    """Shares of counts."""
    counts = np.maximum(np.asarray(counts, float), 0.0)
    if not counts.sum() > 0:
        os._exit(3)
    return counts / counts.sum()
