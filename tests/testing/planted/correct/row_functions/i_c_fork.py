"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import os, pickle


@dp.row_function("ninth.c_process", columns=lambda d: d)
def fun(values):
    """Tangents of another process."""
    ear, mouth = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(ear)
        with os.fdopen(mouth, "wb") as out:
            out.write(pickle.dumps(np.tanh(values)))
        os._exit(0)
    os.close(mouth)
    with os.fdopen(ear, "rb") as made:
        answer = pickle.loads(made.read())
    os.waitpid(child, 0)
    return answer
