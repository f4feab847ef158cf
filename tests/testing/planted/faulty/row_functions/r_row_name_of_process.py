"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Doubled in any process but the main one. Witness: [1] gives 1, and 2 in a worker.
import multiprocessing


@dp.row_function("round.process", columns=lambda d: d)
def process(values):
    """The rows; twice them in a worker."""
    name = multiprocessing.current_process().name
    return values * (1.0 if name == "MainProcess" else 2.0)
