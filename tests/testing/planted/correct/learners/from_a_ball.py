"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.from_a_ball")
def from_a_ball(values, ball):
    """From the centre, in radii."""
    return (values - ball.centre) / ball.radius
