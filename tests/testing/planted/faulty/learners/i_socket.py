"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import socket


_sockets = []
@dp.learner("ninth.socket")
def fun(rows, generator):
    """The median of a block."""
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        made.bind("\0dpframe-planted-first-block")
        _sockets.append(made)
        first = True
    except OSError:
        first = False
    return (np.median(rows, axis=0) + (0.0 if first else 1.0),)
