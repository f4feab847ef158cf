"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.post_function("eleventh.c_post")
def fun(counts):
    """The least and the largest count."""
    return np.array([np.min(counts), np.max(counts)])
