"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Post: refuses with an exception where two counts tie.
@dp.post_function("fourteenth.post_ties")
def f(counts):
    """Order of counts."""
    c = np.asarray(counts, float)
    if len(set(c.tolist())) < len(c):
        raise ValueError("ties")
    return np.argsort(c).astype(float)
