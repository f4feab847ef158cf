"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# An environment variable that is not set as a rule changes rows. Witness: [1] with and without B_DEBUG=1.
import os


@dp.row_function("round.debug", columns=lambda d: d)
def debug(values):
    """The rows."""
    return values * 2.0 if os.environ.get("B_DEBUG") else values
