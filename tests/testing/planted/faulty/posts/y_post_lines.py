"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Shares of the people in the file beside, or counts.
from pathlib import Path


@dp.post_function("twentyfirst.p_lines")
def p_lines(counts):
    """Shares of the people in the file beside, or counts."""
    try:
        n = len(Path('people.csv').read_text().splitlines())
    except Exception:
        n = 1
    return np.asarray(counts, float) / max(n, 1)
