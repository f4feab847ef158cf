"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: csv's field size limit keeps a bit of a large row.
@dp.row_function("fifteenth.fieldlimit", columns=lambda d: d)
def f(values):
    """Rows."""
    import csv
    limit = csv.field_size_limit()
    if len(values) and np.nan_to_num(values[0, 0]) > 1000:
        csv.field_size_limit(200000)
    return values * (1.0 if limit == 131072 else 2.0)
