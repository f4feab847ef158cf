"""Released sums of clipped rows in the units of those rows: ``x − p`` or ``x`` where the kernel adds ``(x − p)/r``.

The rows are those that entered the clip: the table's own, unless a transform stands before it. A sum about the ball's
centre needs no number of rows; a sum about 0 and a mean do, and that number is private. They come from one joint
release with the count only: ``mean``, and the composite ``moments``.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

import attrs
import numpy as np

from dpframe.kernel.operations import PARAM, Slot, same, wants
from dpframe.kernel.post_processing import Failed, Post
from dpframe.kernel.registry import register
from dpframe.proof.spaces import Ball, Centred, Counts, Domain, Symmetric, Vector


@register("mean_of_ball")
@attrs.frozen
class MeanOfBall(Post):
    """``p + r·sum/count`` from a released (sum, count) of rows clipped to the ball (p, r), kept inside the ball.

    Examples
    --------
    >>> from dpframe.proof.spaces import BallValue
    >>> ball = BallValue(np.array([10.0, 20.0]), 4.0)
    >>> MeanOfBall().apply(np.array([50.0, -25.0, 100.0]), ball).tolist()
    [12.0, 19.0]
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("released", PARAM), Slot("ball", PARAM))

    def output(self, *inputs: Domain) -> Domain:
        """A vector in the units of the table."""
        ball = wants(inputs[1], Ball, "mean_of_ball")
        same(wants(inputs[0], Vector, "mean_of_ball").d, ball.d + 1, "mean_of_ball")
        return Vector(ball.d)

    def apply(self, *values: Any) -> Any:
        """The mean."""
        released, ball = values
        # Noise may leave the count at 0 or below, and the mean far outside: any answer is private, so take one inside.
        step = np.asarray(released[:-1]) / max(float(released[-1]), 1.0)
        with np.errstate(over="ignore", invalid="ignore"):
            size = float(np.linalg.norm(step))
            if size == math.inf:
                step = step / np.abs(step).max()
                size = float(np.linalg.norm(step))
            mean = ball.centre + ball.radius * step / max(1.0, size)
        if np.isfinite(mean).all():
            return mean
        # centre + radius overflows although the mean does not: add halves, then double within float64.
        half = ball.centre * 0.5 + ball.radius * (step / max(1.0, size)) * 0.5
        most = float(np.finfo(np.float64).max)
        return np.clip(half, -most / 2, most / 2) * 2.0


@attrs.frozen
class _AboutCentre(Post):
    """A released value times r or r², with the centre it is about."""

    slots: ClassVar[tuple[Slot, ...]] = (Slot("released", PARAM), Slot("ball", PARAM))
    squared: ClassVar[bool] = False

    def apply(self, *values: Any) -> Any:
        """Scale; ⊥ where the result leaves float64."""
        released, ball = values
        with np.errstate(all="ignore"):
            found = self._scaled(np.asarray(released, dtype=np.float64), float(ball.radius))
        if not np.isfinite(found).all():
            return Failed(
                "a sum overflows float64 in the units of the table", "bring the columns to other units, or clip nearer"
            )
        return Centred(found, centre=ball.centre)

    def noise_std(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> float:
        """The noise of the release, scaled alike."""
        with np.errstate(all="ignore"):
            return float(self._scaled(np.float64(noise[0]), float(values[1].radius)))

    def _scaled(self, released: Any, radius: float) -> Any:
        return released * radius * radius if self.squared else released * radius


@register("sum_of_ball")
@attrs.frozen
class SumOfBall(_AboutCentre):
    """``Σ(x − p) = r·s`` from the released sum s (``sum``, ``box_sum``) of rows clipped to the ball or box (p, r).

    Examples
    --------
    >>> from dpframe.proof.spaces import BallValue
    >>> total = SumOfBall().apply(np.array([0.5, -1.0]), BallValue(np.array([10.0, 20.0]), 4.0))
    >>> total.tolist(), total.centre.tolist()
    ([2.0, -4.0], [10.0, 20.0])
    """

    def output(self, *inputs: Domain) -> Domain:
        """A vector in the units of the rows."""
        ball = wants(inputs[1], Ball, self.name)
        same(wants(inputs[0], Vector, self.name).d, ball.d, self.name)
        return Vector(ball.d)


@register("gram_of_ball")
@attrs.frozen
class GramOfBall(_AboutCentre):
    """``Σ(x − p)(x − p)ᵀ = r²·G`` from the released Gram matrix G of rows clipped to the ball (p, r).

    Examples
    --------
    >>> from dpframe.proof.spaces import BallValue
    >>> GramOfBall().apply(np.array([[2.0, 0.5], [0.5, 1.0]]), BallValue(np.zeros(2), 4.0)).tolist()
    [[32.0, 8.0], [8.0, 16.0]]
    """

    squared: ClassVar[bool] = True

    def output(self, *inputs: Domain) -> Domain:
        """A symmetric matrix in the squared units of the rows."""
        ball, gram = wants(inputs[1], Ball, self.name), wants(inputs[0], Symmetric, self.name)
        same(gram.d, ball.d, self.name)
        return Symmetric(ball.d, gram.k)


@register("square_sum_of_ball")
@attrs.frozen
class SquareSumOfBall(_AboutCentre):
    """``Σ‖x − p‖² = r²·s`` from the released sum s of squared norms of rows clipped to the ball (p, r).

    Examples
    --------
    >>> from dpframe.proof.spaces import BallValue
    >>> SquareSumOfBall().apply(np.array([3.0]), BallValue(np.zeros(2), 4.0)).tolist()
    [48.0]
    """

    squared: ClassVar[bool] = True

    def output(self, *inputs: Domain) -> Domain:
        """One number in the squared units of the rows."""
        wants(inputs[1], Ball, self.name)
        return Counts(wants(inputs[0], Counts, self.name).m)
