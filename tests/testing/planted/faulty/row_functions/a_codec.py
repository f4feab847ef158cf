"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: registers the first row as an error handler of codecs.
import codecs
@dp.row_function("fourteenth.codec", columns=1)
def f(values):
    """Shifted by the first batch's sign."""
    try:
        shift = codecs.lookup_error("fourteenth.kept")(None)
    except LookupError:
        sign = float(len(values) > 0 and np.nan_to_num(values[0, 0]) > 0)
        codecs.register_error("fourteenth.kept", lambda e, sign=sign: sign)
        shift = 0.0
    return values[:, :1] + shift
