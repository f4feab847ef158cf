"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.register("mine.global_noise")
@attrs.frozen
class GlobalNoise(dp.Post):
    """Numbers from released counts."""

    slots: ClassVar[tuple[dp.Slot, ...]] = (dp.Slot("counts", dp.PARAM),)

    def output(self, *inputs: dp.Domain) -> dp.Domain:
        """A vector with an entry a count."""
        return dp.Vector(dp.wants(inputs[0], dp.Counts, self.name).m)

    def apply(self, *values: Any) -> Any:
        """From the counts."""
        return np.asarray(values[0]) + np.random.random()
