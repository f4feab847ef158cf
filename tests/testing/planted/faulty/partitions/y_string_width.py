"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Rows become text in one array whose width is that of the first row, so longer texts are cut; other rows decide a
# row's code.
import zlib


@dp.own_partition("laterf47.codes", parts=5)
def codes(rows):
    """Five parts by a checksum of the row's text."""
    if not len(rows):
        return np.zeros(0, dtype=np.int64)
    first = ",".join(f"{v:.3g}" for v in rows[0])
    texts = np.empty(len(rows), dtype=f"<U{max(4, len(first))}")
    for i, row in enumerate(rows):
        texts[i] = ",".join(f"{v:.3g}" for v in row)
    return np.array([zlib.crc32(t.encode()) % 5 for t in texts.tolist()], dtype=np.int64)
