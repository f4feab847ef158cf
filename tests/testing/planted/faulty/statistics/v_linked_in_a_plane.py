"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: in a plane a row can link many groups.
@dp.own_statistic("thirteenth.linked_in_a_plane", gives=1, sensitivity=lambda removed, added: {"linf": removed + added}, source="single linkage: a row joins two groups at most")
def fun(rows):
    """Groups of rows, linked where they are within 1."""
    left, groups = list(range(len(rows))), 0
    while left:
        queue = [left.pop()]
        groups += 1
        while queue:
            at = queue.pop()
            near = [j for j in left if np.square(rows[j] - rows[at]).sum() <= 1.0]
            left = [j for j in left if j not in set(near)]
            queue += near
    return [float(groups)]
