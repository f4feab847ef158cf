"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: ages as of the day on which the module was imported.
import datetime
TODAY = datetime.date.today()
@dp.row_function("eighteenth.age", columns=1)
def f(values):
    """Age from the year of birth."""
    return TODAY.year + TODAY.timetuple().tm_yday / 366 - values[:, :1]
