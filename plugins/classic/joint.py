"""``moments``: count, sum about 0, second moments, mean and covariance from one joint release."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp
from dpframe.plugin import (
    PARAM,
    AffineValue,
    Ball,
    Counts,
    Domain,
    Failed,
    Handle,
    Post,
    Slot,
    Symmetric,
    Vector,
    Whitening,
    WhiteningValue,
    composite,
    register,
    same,
    wants,
)

from .checks import few_rows, table

ANCHOR = 0.6
"""The constant coordinate beside a row of the unit ball."""
UNIT = 1.0 + ANCHOR**2
PARTS = ("count", "sum", "squares", "mean", "covariance")


@composite("moments")
def moments(x: Handle, ball: Handle, *, share: float = 1.0) -> dict[str, Handle]:
    """Number, sum about 0, mean and covariance of the rows in a ball, from one noisy matrix.

    A sum about 0 is ``Σ(x − p) + N·p``, and the number N of rows with all values is private: all of these must come
    from one release. With ``y = (a, z)``, ``z`` the row in the ball's frame clipped to the unit ball and a = 0.6, the
    matrix ``Σ y yᵀ`` holds ``a²N``, ``aΣz`` and ``Σ z zᵀ``.

    Parameters
    ----------
    x : Handle
        Private rows, (n, d), in the units of the table; a whole table or a part of it. Missing rows are allowed.
    ball : Handle
        A released or public ball. Rows outside of it are projected onto it radially.
    share : float
        Share of ρ.

    Returns
    -------
    dict of Handle
        In the units of the rows. ``count`` (1,); ``sum`` (d,) and ``squares`` (d, d): Σx and Σxxᵀ; ``mean`` (d,), kept
        in the ball; ``covariance`` (d, d), divided by the count, positive semi-definite. The run fails where mean
        or covariance is asked for and the noisy number of rows does not stand out of its noise.

    Formal guarantees
    -----------------
    One Gaussian release of the kernel's ``weighted_grams`` of rows ``y/√(1 + a²)`` of norm at most 1: √2 in Frobenius
    norm under replace-one, 1 under add/remove (contributions ``yyᵀ`` have non-negative inner products). All
    five values are post-processing of it.

    Examples
    --------
    >>> import numpy as np, dpframe as dp
    >>> @dp.program
    ... def both(x):
    ...     found = dp.release("m", dp.moments(share=1.0), x, dp.ball(centre=[5.0, 5.0], radius=4.0))
    ...     return {"mean": found["mean"], "covariance": found["covariance"]}
    >>> plan = dp.plan(both, x=dp.rows(n=50_000, d=2), adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(1.0, 1e-6))
    >>> result = plan.run(x=np.random.default_rng(0).normal(4.0, 0.5, size=(50_000, 2)), simulate=0)
    >>> result["mean"].round(1).tolist(), result["covariance"].shape
    ([4.0, 4.0], (2, 2))
    """
    table(x)
    maps = dp.post("classic.frame", ball, name="frame")
    seen = dp.weighted_grams(dp.whiten(x, maps))
    gram = dp.release("gram", dp.gaussian(share=share), seen, frame=True)
    return {what: dp.post("classic.moment", gram, ball, what=what, name=what) for what in PARTS}


@register("classic.frame")
@attrs.frozen
class Frame(Post):
    """The frame of a ball as a map: ``x ↦ (x − p)/r``, clipped to 1, beside the constant 0.6."""

    slots: ClassVar[tuple[Slot, ...]] = (Slot("ball", PARAM),)

    def output(self, *inputs: Domain) -> Domain:
        """A whitening by one component."""
        return Whitening(1, wants(inputs[0], Ball, self.name).d)

    def apply(self, *values: Any) -> Any:
        """Divide by the radius."""
        ball = values[0]
        if not 2.0**-500 < ball.radius < 2.0**500:
            return Failed("the ball's radius is out of range", "bring the columns to other units")
        matrix = np.eye(len(ball.centre)) / ball.radius
        return WhiteningValue((AffineValue(ball.centre, matrix, 16.0 * ball.radius),), np.zeros(1), 1.0, ANCHOR)


@register("classic.moment")
@attrs.frozen
class Moment(Post):
    """One of the moments that the released matrix holds.

    Parameters
    ----------
    what : {"count", "sum", "squares", "mean", "covariance"}
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("gram", PARAM), Slot("ball", PARAM))
    what: str = attrs.field(kw_only=True, validator=attrs.validators.in_(PARTS))

    def output(self, *inputs: Domain) -> Domain:
        """A count, a vector or a matrix."""
        ball = wants(inputs[1], Ball, self.name)
        same(wants(inputs[0], Symmetric, self.name).d, ball.d + 1, self.name)
        if self.what == "count":
            return Counts(1)
        return Vector(ball.d) if self.what in ("sum", "mean") else Symmetric(ball.d)

    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """Read it off, and undo the frame."""
        gram, ball = values
        matrix = np.asarray(gram, dtype=np.float64).reshape(len(ball.centre) + 1, -1) * UNIT
        count = float(matrix[0, 0]) / ANCHOR**2
        if self.what in ("mean", "covariance") and not count > max(1.0, 3.0 * noise[0] * UNIT / ANCHOR**2):
            return few_rows()
        with np.errstate(all="ignore"):
            found = self._read(count, matrix[0, 1:] / ANCHOR, matrix[1:, 1:], ball)
        if not np.isfinite(found).all():
            return Failed("a moment overflows float64 in the units of the table", "bring the columns to other units")
        return found

    def _read(self, count: float, total: Any, squares: Any, ball: Any) -> Any:
        """From ``N``, ``Σz`` and ``Σzzᵀ`` of the frame."""
        p, r = np.asarray(ball.centre, dtype=np.float64), float(ball.radius)
        if self.what == "count":
            return np.array([count])
        if self.what == "sum":
            return count * p + r * total
        if self.what == "squares":
            crossed = np.outer(p, r * total)
            return r * r * squares + (crossed + crossed.T) + count * np.outer(p, p)
        mean = total / count
        mean = mean / max(1.0, math.hypot(*mean))
        if self.what == "mean":
            return p + r * mean
        spread, vectors = np.linalg.eigh(squares / count - np.outer(mean, mean))
        covariance = (vectors * (r * r * np.maximum(spread, 0.0))) @ vectors.T
        return 0.5 * (covariance + covariance.T)
