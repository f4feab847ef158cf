"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.twenty_rows")
def twenty_rows(rows, generator):
    """Needs twenty rows."""
    if len(rows) < 20:
        raise ValueError("twenty rows")
    return (rows.mean(axis=0),)
