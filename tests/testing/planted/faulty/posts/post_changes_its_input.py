"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.register("mine.post_changes_its_input")
@attrs.frozen
class PostChangesItsInput(dp.Post):
    """Counts with negative ones at 0."""

    slots: ClassVar[tuple[dp.Slot, ...]] = (dp.Slot("counts", dp.PARAM),)

    def output(self, *inputs):
        """As many numbers."""
        return dp.Vector(dp.wants(inputs[0], dp.Counts, self.name).m)

    def apply(self, *values):
        """Cut in place."""
        counts = np.asarray(values[0])
        counts[counts < 0] = 0
        return counts
