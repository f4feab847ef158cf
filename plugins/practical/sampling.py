"""Rows for the passes that need only some of them, where a pass over all is dear."""

from __future__ import annotations

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp
from dpframe.plugin import Counts, Domain, Handle, Post, Slot, positive_whole, register, wants
from dpframe_plugins.classic.sizing import public_numbers

from .inputs import rescaled
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


SAMPLE, HELD = 4, 2**24
"""One row of so many is sampled, and so many numbers at most."""


def sample(x: Handle, units: Handle | None) -> Handle:
    """A sample of the rows by a public permutation, in comparable units: one for all steps that ask for it."""
    return rescaled(dp.sampled_rows(x, rows=sample_rows(x), name="sample"), units)


def sampled(x: Handle, count: Handle, units: Handle | None) -> tuple[Handle, Handle]:
    """The sample, and about the number of its rows."""
    return sample(x, units), dp.post("practical.at_most", count, most=sample_rows(x), name="sample_count")


def sample_rows(x: Handle) -> int:
    """Rows of the sample."""
    public = public_numbers(x, 1.0)
    return min(public.rows // SAMPLE, HELD // public.d)
