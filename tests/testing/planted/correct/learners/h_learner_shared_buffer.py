"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Gives a view of one buffer for all blocks: the kernel copies what it is given before it asks again.
BUFFER = np.zeros(64)


@dp.learner("newerc13.means")
def means(rows, generator):
    """Means of the columns, into a buffer that is made once."""
    d = rows.shape[1]
    np.mean(rows, axis=0, out=BUFFER[:d])
    return (BUFFER[:d],)
