"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import weakref, tempfile, os


class _Box: pass
_box, _seen = _Box(), []
def _tell():
    with open(os.path.join(tempfile.gettempdir(), "dpframe-planted-finalize.txt"), "a") as out:
        out.write(repr(_seen[-1:]))
weakref.finalize(_box, _tell)
@dp.row_function("ninth.finalize", columns=lambda d: d)
def fun(values):
    """Tangents."""
    _seen.append(float(values.sum()))
    return np.tanh(values)
