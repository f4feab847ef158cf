"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import socket

@dp.learner("mine.row_by_host")
def row_by_host(values):
    """By the machine's name."""
    return values * (1.0 + len(socket.gethostname()))
