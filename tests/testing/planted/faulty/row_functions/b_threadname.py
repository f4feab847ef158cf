"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: the thread's name keeps the last mean.
@dp.row_function("fifteenth.threadname", columns=lambda d: d)
def f(values):
    """Rows."""
    import threading
    t = threading.current_thread()
    last = len(t.name) > 40
    if len(values) and np.nan_to_num(values).max() > 50:
        t.name = 'worker-' + 'x' * 40
    return values * (2.0 if last else 1.0)
