"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Query |a| sorted, claims linf.
@dp.own_query("outside.hc2", gives=lambda m: dp.Vector(m), sensitivity=lambda a, m: {"linf": a["linf"], "l1": a["l1"]}, source="sorting is 1-Lipschitz", examples={"m": 4})
def sizes(a, *, m):
    """Sizes in order."""
    return sorted(abs(x) for x in a.tolist())
