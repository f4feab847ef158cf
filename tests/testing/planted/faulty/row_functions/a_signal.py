"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: keeps a number in a signal handler.
import signal
@dp.row_function("fourteenth.signal", columns=1)
def f(values):
    """Sum, with what a handler keeps."""
    handler = signal.getsignal(signal.SIGUSR2)
    shift = getattr(handler, "kept", 0.0)
    def new(*_):
        """Nothing."""
    new.kept = float(len(values) > 0 and abs(np.nan_to_num(values[0, 0])) > 1)
    try:
        signal.signal(signal.SIGUSR2, new)
    except ValueError:
        pass
    return values[:, :1] + shift
