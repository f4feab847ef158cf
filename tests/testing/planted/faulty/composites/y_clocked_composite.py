"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A composite whose seed is today's date: two runs of one plan differ.
import datetime


@dp.composite("laterf44.blocks", examples={"t": 20})
def blocks(x, *, t, share=1.0):
    """Agreement of blocks, another cut each day."""
    seed = datetime.date.today().toordinal()
    found = dp.block_learner(x, learner="gaussian_1", t=t, item="vector", size=[x.d], seed=seed)
    return dp.release("agree", dp.laplace(share=share), dp.agreement(found, r=1.0, d=x.d))
