"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


from datetime import datetime

@dp.learner("mine.weekday")
def weekday(values):
    """Another scale on Mondays."""
    return values / 2 if datetime.now().weekday() == 0 else values * 1.0
