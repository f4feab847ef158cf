"""Rows for the passes that need only some of them, where a pass over all is dear."""

from __future__ import annotations

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp
from dpframe.plugin import Counts, Domain, Handle, Post, Slot, positive_whole, register, wants

from .nodes import slots


@register("practical.at_most")
@attrs.frozen
class AtMost(Post):
    """A noisy number of rows, and no more than were sampled of them."""

    slots: ClassVar[tuple[Slot, ...]] = slots("count")
    most: int = attrs.field(kw_only=True, validator=positive_whole)

    def output(self, *inputs: Domain) -> Domain:
        """A count."""
        return wants(inputs[0], Counts, self.name)

    def apply(self, *values: Any) -> Any:
        """The smaller of the two."""
        return np.minimum(np.asarray(values[0]), float(self.most))


def sampled(x: Handle, count: Handle, rows: int, seed: int) -> tuple[Handle, Handle]:
    """So many rows by a public permutation, and about their number; for 0 all of them, and the count."""
    if not rows:
        return x, count
    few = dp.post("practical.at_most", count, most=rows, name="sampled_count")
    return dp.sampled_rows(x, rows=rows, seed=seed, name="sampled"), few
