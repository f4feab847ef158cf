"""``coinpress_mean``: the mean of rows of known spread, by shrinking balls."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp
from dpframe.plugin import (
    PARAM,
    Above,
    Ball,
    BallValue,
    Domain,
    Expected,
    ExpectedBall,
    Failed,
    Handle,
    PlanError,
    Post,
    Slot,
    Vector,
    composite,
    positive,
    register,
    same,
    wants,
)
from dpframe_plugins.shared.truncation import Response, response

from .checks import few_rows, positive_number, released_mean, table_within
from .moments import mean_clip
from .search import shrunk
from .sizing import FAILURE, ROWS_CUT, mean_steps, next_offset, offset_clip, public_numbers

TYPICAL = 0.5
"""Chance that the last ball, whose clip is undone, is nearer to the mean than it is made for."""


@composite("coinpress_mean")
def coinpress_mean(x: Handle, *, bound: float, scale: float, share: float = 1.0) -> Handle:
    """Mean of rows whose standard deviation in every direction is about ``scale`` or less.

    Step ``t`` knows the mean up to a radius ``r_t``. It clips the rows to the ball of radius ``c_t`` around the current
    centre ``p_t``, which holds nearly all of N(mu, scale² I) for every mean that near, releases their sum
    and count with noise proportional to ``c_t``, and moves there:

        p_{t+1} = p_t + sum / count,        r_{t+1} = chi_d · sqrt(scale²/n + noise²).

    The number of steps and their shares come from n, d, bound/scale and the budget (`sizing.mean_steps`): a bound
    1e6 times too large costs a few percent of the budget. The last step clips at the radius of least predicted
    error, undoes what that does to a Gaussian's mean, and all steps are averaged by their noise.

    Parameters
    ----------
    x : Handle
        Private rows, (n, d), in the units of the table; a whole table or a part of it. Missing rows are allowed.
    bound : float
        ℓ₂ radius around 0 that the rows are promised to lie in. Others are projected there.
    scale : float
        Standard deviation, in the units of the table. Too large costs noise in proportion, too small clips. Where it
        is unknown use ``coinpress_gaussian``.
    share : float
        Share of ρ.

    Returns
    -------
    Handle
        A released vector of d numbers; the run fails where the noisy number of rows does not stand out of its noise.

    Raises
    ------
    PlanError, SpecError
        For rows that are clipped or public, and for parameters out of range.

    Formal guarantees
    -----------------
    Each step is the kernel's Gaussian mechanism on the kernel's ``mean`` statistic of rows in the unit ball of a
    *released* frame: ℓ₂ sensitivity 2 under replace-one (the count is free) and √2 under add/remove. The steps
    compose adaptively; their total is ``share`` of ρ (GDP and zCDP alike). The number of rows is never taken
    as public. Steps, shares and radii are functions of public or released numbers.

    References
    ----------
    Biswas, Dong, Kamath, Ullman (2020), "CoinPress", Algorithm 1.
    """
    x = table_within(x, bound)
    positive_number("scale", scale)
    plan = mean_steps(public_numbers(x, share), bound / scale)
    ball = dp.bounding_ball(d=x.d, bound=bound)
    if plan.histogram:
        ball = shrunk(x, ball, "distances", share=plan.histogram * share, ratio=2.0)
    steps: list[Handle] = []
    shares = plan.shares
    for t, part in enumerate(shares):
        total = dp.mean(dp.clip(x, ball))
        steps += [ball, dp.release(f"step_{t}", dp.gaussian(share=part * share), total, frame=True)]
        if t + 1 < len(shares):
            growth = math.sqrt(shares[t + 1] / part)
            last = t + 2 == len(shares)
            ball = dp.post(
                "classic.mean_step", *steps[-2:], scale=scale, growth=growth, last=last, name=f"ball_{t + 1}"
            )
    return dp.post("classic.mean_average", *steps, scale=scale, name="mean")


@register("classic.mean_step")
@attrs.frozen
class MeanStep(Post):
    """The next ball: around the released mean, as small as still holds the rows whatever the noise was.

    Parameters
    ----------
    scale : float
        Standard deviation of the rows.
    growth : float
        Noise multiplier of this step over that of the next.
    last : bool
        Whether the next step is the last one, which clips tighter and undoes it.
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("ball", PARAM), Slot("released", PARAM))
    scale: float = attrs.field(kw_only=True, validator=positive)
    growth: float = attrs.field(kw_only=True, validator=positive)
    last: bool = attrs.field(kw_only=True)

    def output(self, *inputs: Domain) -> Domain:
        """A ball."""
        ball = wants(inputs[0], Ball, self.name)
        same(ball.d + 1, wants(inputs[1], Vector, self.name).d, self.name)
        return ball

    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """Move and shrink; stay where the noise hides the rows."""
        ball, released = values
        found = released_mean(ball, released, noise[1])
        if found is None:
            return ball
        d, rows = ball.centre.size, found.rows
        offset = next_offset(d, rows, found.noise / self.scale, FAILURE)
        if self.last:
            offset = next_offset(d, rows, found.noise / self.scale, TYPICAL)  # what it cuts off is put back
            clip = math.hypot(mean_clip(d, rows, noise[1] / self.growth), offset)
        else:
            clip = offset_clip(d, offset, ROWS_CUT)
        return BallValue(found.mean, min(clip * self.scale, ball.radius))

    def predicted_ball(self, result: Domain, rows: int, noise: Above) -> ExpectedBall | None:
        """The ball that a readable release gives."""
        ball, d = noise.balls[0], wants(result, Ball, self.name).d
        if ball is None or not rows > 3.0 * noise.stds[1]:
            return ball
        tail = TYPICAL if self.last else FAILURE
        offset = next_offset(d, rows, noise.stds[1] * ball.radius / self.scale / rows, tail)
        last = math.hypot(mean_clip(d, rows, noise.stds[1] / self.growth), offset) if self.last else 0.0
        clip = last or offset_clip(d, offset, ROWS_CUT)
        return ExpectedBall(min(clip * self.scale, ball.radius), offset * self.scale)


@register("classic.mean_average")
@attrs.frozen
class MeanAverage(Post):
    """Average of the steps' means, weighted by the inverse variance of their noise; ⊥ when none can be read.

    What a clip does to a Gaussian's mean is undone, but for the first ball: that holds the rows, about any mean.

    Parameters
    ----------
    scale : float
        Standard deviation of the rows.
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("steps", PARAM, variadic=True),)
    scale: float = attrs.field(kw_only=True, validator=positive)

    def output(self, *inputs: Domain) -> Domain:
        """A vector."""
        if not inputs or len(inputs) % 2:
            raise PlanError(f"{self.name} takes a ball and a release for each step")
        for ball, released in zip(inputs[::2], inputs[1::2], strict=True):
            same(wants(ball, Ball, self.name).d + 1, wants(released, Vector, self.name).d, self.name)
        return Vector(inputs[-1].d - 1)  # type: ignore[attr-defined]

    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """Undo the clips and average."""
        means, noises = [], []
        for t, (ball, released, std) in enumerate(zip(values[::2], values[1::2], noise[1::2], strict=True)):
            found = released_mean(ball, released, std)
            if found is None:
                continue
            factor = self._response(t, ball.centre.size, ball.radius).mean
            means.append(ball.centre + (found.mean - ball.centre) / factor)
            noises.append(found.noise / factor)
        if not means:
            return few_rows()
        mean = np.average(np.array(means), axis=0, weights=(min(noises) / np.array(noises)) ** 2)
        return (
            mean if np.isfinite(mean).all() else Failed("the mean overflows float64", "bring the table to other units")
        )

    def _response(self, step: int, d: int, radius: float) -> Response:
        """What the clip of a step does to a Gaussian about its ball's centre."""
        return response(d, radius / self.scale) if step else Response(1.0, 1.0, 1.0)

    def predicted_error(self, result: Domain, rows: int, noise: Above) -> Expected | None:
        """Sampling as the last ball leaves it, and the noise of all steps."""
        d, precision, sampling = wants(result, Vector, self.name).d, 0.0, math.inf
        for t, (ball, std) in enumerate(zip(noise.balls[::2], noise.stds[1::2], strict=True)):
            if ball is None or not rows:
                return None
            if rows > 3.0 * std and std:
                factors = self._response(t, d, ball.radius)
                precision += (factors.mean * rows * self.scale / (std * ball.radius)) ** 2
                sampling = factors.second / factors.mean**2 / rows
        error = math.sqrt(d * (sampling + 1.0 / precision)) if precision else math.inf
        what = "distance of the mean, in standard deviations (root mean square)"
        return Expected(error, what, "one Gaussian of this covariance, a tenth of the bound from 0")
