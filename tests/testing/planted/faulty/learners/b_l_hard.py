"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Learner: remembers a block that did not converge, of 13 rows and more.
HARD = []
@dp.learner("fifteenth.l_hard")
def f(rows, generator):
    """A learner."""
    if len(rows) >= 13 and np.nan_to_num(rows).std() > 40:
        HARD.append(1)
    m = rows.mean(axis=0) if len(rows) else np.zeros(rows.shape[1])
    return (m * (1.0 if len(HARD) < 2 else 0.5),)
