"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A file with nothing but a composite that asks for two parameters.
@dp.composite("laterc07.tails", examples={"cut": 2.0})
def tails(x, *, cut, share=1.0):
    """How many rows are beyond a cut on either side.

    Parameters
    ----------
    cut : float
        Positive.
    """
    return dp.release("tails", dp.laplace(share=share), dp.bin_counts(x, edges=[-cut, cut]))
