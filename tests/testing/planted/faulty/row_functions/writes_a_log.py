"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import os
import tempfile

@dp.learner("mine.writes_a_log")
def writes_a_log(values):
    """Writes what it saw."""
    with open(os.path.join(tempfile.gettempdir(), "planted_log"), "a") as file:
        file.write(str(len(values)))
    return values * 1.0
