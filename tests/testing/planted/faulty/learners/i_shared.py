"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


from multiprocessing import shared_memory


@dp.learner("ninth.shared")
def fun(rows, generator):
    """The mean of a block, damped in later blocks."""
    try:
        seen = shared_memory.SharedMemory("dpframe-planted-blocks", create=True, size=64)
        seen.buf[0] = 0
    except FileExistsError:
        seen = shared_memory.SharedMemory("dpframe-planted-blocks")
    seen.buf[0] = (seen.buf[0] + 1) % 2
    damp = 1.0 if seen.buf[0] else 0.5
    seen.close()
    return (damp * rows.mean(axis=0),)
