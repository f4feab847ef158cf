"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Counts in units that a file states, or as they are.
import json


@dp.post_function("twentyfirst.p_setting")
def p_setting(counts):
    """Counts in units that a file states, or as they are."""
    try:
        n = json.load(open('settings.json')).get('scale', 1)
    except Exception:
        n = 1
    return np.asarray(counts, float) / max(n, 1)
