"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A composite that cuts its blocks by a seed that grows with each use in the process.
import itertools
USED = itertools.count()


@dp.composite("laterh96.agree", examples={"t": 20})
def agree(x, *, t, share=1.0):
    """Agreement of blocks, cut anew each time."""
    blocks = dp.block_learner(x, learner="gaussian_1", t=t, item="vector", size=[x.d], seed=next(USED))
    return dp.release("agree", dp.laplace(share=share), dp.agreement(blocks, r=1.0, d=x.d))
