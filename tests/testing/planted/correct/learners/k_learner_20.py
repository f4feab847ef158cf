"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("eighth.learner_20")
def f(rows, generator):
    """Trimmed mean; wants twenty rows."""
    if len(rows) < 20:
        raise ValueError("twenty rows are needed")
    s = np.sort(rows, axis=0)
    return (s[len(s) // 10 : -(len(s) // 10)].mean(axis=0),)
