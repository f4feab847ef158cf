"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import logging
import os
import tempfile


LOG = logging.getLogger("b2")
LOG.addHandler(logging.FileHandler(os.path.join(tempfile.gettempdir(), "b2_log.txt"), delay=True))
LOG.propagate = False


@dp.own_partition("seventh.log_handler", parts=2)
def f(rows):
    """By sign; keeps a log."""
    part = (rows[:, 0] > 0).astype(int)
    LOG.warning("%d positive", part.sum())
    return part
