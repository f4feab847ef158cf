"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.composite_with_a_bad_part_centred")
def centred(values):
    """Rows minus their mean."""
    return values - values.mean(axis=0)

@dp.composite("mine.composite_with_a_bad_part")
def composite_with_a_bad_part(x, *, share=1.0):
    """A mean of centred rows."""
    image = dp.row_map(x, function="mine.composite_with_a_bad_part_centred", p=x.d)
    inside = dp.clip(image, dp.bounding_ball(d=x.d, bound=10.0))
    return dp.release("mean", dp.gaussian(share=share), dp.mean(inside))
