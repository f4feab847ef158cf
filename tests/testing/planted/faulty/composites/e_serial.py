"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import itertools

_next = itertools.count(7)


@dp.composite("tenth.serial", examples=(lambda x: fun(x, share=1.0),))
def fun(x, *, share=1.0):
    """A count of bins whose edges are moved a little each time, lest they are guessed."""
    edges = [0.0, 1.0 + next(_next) / 1000.0]
    return dp.release("counts", dp.laplace(share=share), dp.bin_counts(x, edges=edges))
