"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.register("mine.long_ones_cut")
@attrs.frozen
class LongOnesCut(dp.Post):
    """Numbers from released counts."""

    slots: ClassVar[tuple[dp.Slot, ...]] = (dp.Slot("counts", dp.PARAM),)

    def output(self, *inputs: dp.Domain) -> dp.Domain:
        """A vector with an entry a count."""
        return dp.Vector(dp.wants(inputs[0], dp.Counts, self.name).m)

    def apply(self, *values: Any) -> Any:
        """From the counts."""
        counts = np.asarray(values[0])
        return counts[:50] if len(counts) > 50 else counts * 1.0
