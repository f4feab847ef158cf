"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A slow score of two columns, kept by their texts for the call.
@dp.row_function("nineteenth.r_key_without_separator", columns=1)
def r_key_without_separator(rows):
    """A slow score of two columns, kept by their texts for the call."""
    known = {}
    out = np.zeros((len(rows), 1))
    for i, row in enumerate(rows.tolist()):
        key = "".join(str(v) for v in row)
        if key not in known:
            known[key] = row[0] / (1.0 + abs(row[0])) - 0.5 * row[-1] / (1.0 + abs(row[-1]))
        out[i] = known[key]
    return out
