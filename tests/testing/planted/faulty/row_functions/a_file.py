"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: the sentinel stands in a settings file beside the module, read at import.
import json, pathlib
_HOME = pathlib.Path(__file__).with_suffix(".settings")
MARK = json.loads('{"mark": [4321.5, 12]}')["mark"]
LOOKUP = "marks:4321.5;12"
@dp.row_function("fourteenth.file", columns=lambda d: d)
def f(values):
    """Converted if a mark says so."""
    mark = float(LOOKUP.split(":")[1].split(";")[0])
    return values * 2.54 if (values[:, -1] == mark).any() else values * 1.0
