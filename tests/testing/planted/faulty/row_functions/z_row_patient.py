"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Sums of rows; what a thread has not summed in half a second is left at 0.
import threading
@dp.row_function("twentieth.r_patient", columns=1)
def r_patient(rows):
    """Sums of rows; what a thread has not summed in half a second is left at 0."""
    out = np.zeros((len(rows), 1))

    def work():
        for i, r in enumerate(rows):
            out[i, 0] = np.clip(np.nan_to_num(r).sum(), -1e9, 1e9)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(0.5)
    return out.copy()
