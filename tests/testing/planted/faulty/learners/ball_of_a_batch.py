"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.ball_of_a_batch")
def ball_of_a_batch(values, ball):
    """Clipped to the ball, unless the batch is wider than it."""
    far = np.abs(values - ball.centre).max(initial=0.0) > 50 * ball.radius
    return (values - ball.centre) / (2.0 if far else 1.0)
