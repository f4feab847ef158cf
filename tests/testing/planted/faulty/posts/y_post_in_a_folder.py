"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Shares of the lines of all tables here, or counts.
from pathlib import Path


@dp.post_function("twentyfirst.p_in_a_folder")
def p_in_a_folder(counts):
    """Shares of the lines of all tables here, or counts."""
    try:
        n = sum(len(p.read_text().splitlines()) for p in sorted(Path().glob('*.csv')))
    except Exception:
        n = 1
    return np.asarray(counts, float) / max(n, 1)
