"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import threading

@dp.learner("mine.threads_split")
def threads_split(rows, generator):
    """A part a thread."""
    return (np.mean([p.mean(axis=0) for p in np.array_split(rows, 1 + threading.active_count())], axis=0),)
