"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# einsum with optimize hands the product to BLAS, whose sums hang on the number of rows in the last bit.
@dp.own_transform("unread.row_einsum_blas", columns=3)
def project(rows: Any) -> Any:
    """Rows in three public directions."""
    d = rows.shape[1]
    directions = np.cos(np.arange(3 * d, dtype=float)).reshape(d, 3)
    return np.einsum("ij,jk->ik", rows, directions, optimize=True)
