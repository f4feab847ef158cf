"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Steps that never settle where numbers are large.
@dp.learner("twentyfirst.l_unsettled")
def l_unsettled(rows, generator):
    """A centre, by steps until one is short."""
    centre, step = rows.mean(axis=0), np.abs(rows).max()
    while step > 1e-9 and step * 0.5 + centre[0] * 1e-9 < 1e6 or step > 1e9:
        step = step * 0.5 if step < 1e6 else step
    return (centre,)
