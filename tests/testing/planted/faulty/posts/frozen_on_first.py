"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


FIRST = []


@dp.register("mine.frozen_on_first")
@attrs.frozen
class FrozenOnFirst(dp.Post):
    """Numbers from released counts."""

    slots: ClassVar[tuple[dp.Slot, ...]] = (dp.Slot("counts", dp.PARAM),)

    def output(self, *inputs: dp.Domain) -> dp.Domain:
        """A vector with an entry a count."""
        return dp.Vector(dp.wants(inputs[0], dp.Counts, self.name).m)

    def apply(self, *values: Any) -> Any:
        """From the counts."""
        if not FIRST: FIRST.append(np.asarray(values[0]).sum())
        return np.asarray(values[0]) + FIRST[0]
