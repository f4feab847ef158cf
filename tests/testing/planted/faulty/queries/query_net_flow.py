"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_query("mine.query_net_flow", gives=1, source="none", sensitivity=lambda a, b: {"linf": max(a["linf"], b["linf"])})
def query_net_flow(ins, outs):
    """The first of what came less the first of what went: a row is one of both."""
    return [int(np.ravel(ins)[0]) - int(np.ravel(outs)[0])]
