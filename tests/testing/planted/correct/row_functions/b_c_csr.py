"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: sparse products, one column at a time.
import scipy.sparse as sp
@dp.row_function("fifteenth.c_csr", columns=1)
def f(values):
    """Rows."""
    a = sp.csr_matrix(np.clip(np.nan_to_num(values), -1e9, 1e9))
    out = a[:, [0]].toarray() * 2.0
    for j in range(1, a.shape[1]):
        out = out + a[:, [j]].toarray()
    return out
