"""PSGE, one spherical Gaussian in a released ball, and private PCA (KSSU19 Algorithm 6 and §4.1)."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp
from dpframe.plugin import (
    PARAM,
    AffineMap,
    AffineValue,
    Ball,
    Counts,
    Domain,
    Failed,
    Gaussian,
    GaussianValue,
    Handle,
    Kind,
    PlanError,
    Post,
    Rows,
    Slot,
    SpecError,
    Symmetric,
    Vector,
    composite,
    positive,
    positive_whole,
    register,
    same,
    wants,
)
from dpframe_plugins.practical.nodes import answering, map_scale, slots

EDGES, RATIO = 72, 2.0**0.25
"""Of the histogram that narrows a ball: 18 octaves."""
LOWEST, HIGHEST = 2.0**-400, 2.0**400


@attrs.frozen
class Shares:
    """Shares of ρ of PSGE's releases: the number of rows, their distances, their sum, and that of their squares."""

    count: float = 0.03
    distances: float = 0.07
    sum: float = 0.72
    squares: float = 0.18


SHARES = Shares()


def rows_and_ball(x: Handle, ball: Handle) -> None:
    """Check private rows, of a table or a part of it, and a ball of as many columns.

    Raises
    ------
    PlanError
    """
    if x.edge.kind is not Kind.PRIVATE or not isinstance(x.domain, Rows) or x.domain.bound != "any":
        raise PlanError("needs private rows in the units of the table", fix="pass the program's own argument or a part")
    if not isinstance(ball.domain, Ball) or ball.domain.d != x.d:
        raise PlanError(
            f"needs a released or public ball of {x.d} columns, not {ball.domain}", fix="dp.locate finds one"
        )


@composite("kssu19.psge")
def psge(
    x: Handle, ball: Handle, *, sigma_min: float = LOWEST, sigma_max: float = HIGHEST, share: float = 1.0
) -> dict[str, Handle]:
    """Mean and variance of one spherical Gaussian in a ball (PSGE), and the number of its rows.

    A noisy histogram of distances narrows the ball around its centre c; then three releases: the number N of rows,
    Σ(x − c) and Σ‖x − c‖². The variance is (Σ‖x − c‖² − N‖m − c‖²)/(Nd).

    Parameters
    ----------
    x : Handle
        Private rows; a table or a part of it.
    ball : Handle
        A released or public ball that holds the Gaussian, up to 2^17 times as wide.
    sigma_min, sigma_max : float
        The released standard deviation is held between them. No guarantee rests on it.
    share : float
        Share of ρ.

    Returns
    -------
    dict of Handle
        ``gaussian`` and ``count``.

    Formal guarantees
    -----------------
    Kernel statistics of rows clipped to a released ball, about its centre (C2): count 1, histogram √2, sum 2 and sum
    of squares 1 under replace-one, each with Gaussian noise; in a part ``rule_partition`` prices the row that changes
    parts. No pairs are formed (C3), and the three releases replace the printed four (C10).

    References
    ----------
    Kamath, Sheffet, Singhal, Ullman (2019), Algorithm 6, with C2, C3, C10 (docs/theory/corrections.md).
    """
    rows_and_ball(x, ball)
    deviations(sigma_min, sigma_max)
    count = dp.release("count", dp.gaussian(share=SHARES.count * share), dp.count(x))
    far = dp.distance_histogram(x, ball, edges=EDGES, ratio=RATIO)
    distances = dp.release("distances", dp.gaussian(share=SHARES.distances * share), far)
    near = dp.post("practical.clip_ball", ball, distances, ratio=RATIO, name="near")
    inside = dp.clip(x, near)
    total = dp.release("sum", dp.gaussian(share=SHARES.sum * share), dp.sum(inside), frame=True)
    squares = dp.release("squares", dp.gaussian(share=SHARES.squares * share), dp.square_sum(inside), frame=True)
    low, high = float(sigma_min), float(sigma_max)
    found = dp.post("kssu19.spherical", count, total, squares, near, low=low, high=high, name="gaussian")
    return {"gaussian": found, "count": count}


def components(name: str, k: object) -> None:
    """Refuse what is no number of components.

    Raises
    ------
    SpecError
    """
    if isinstance(k, bool) or not isinstance(k, int) or k < 1:
        raise SpecError(f"{name} must be a whole number of at least 1, not {k!r}", fix=f"--set {name}=2")


def deviations(sigma_min: Any, sigma_max: Any) -> None:
    """Refuse a range of standard deviations that is none.

    Raises
    ------
    SpecError
    """
    for name, value in (("sigma_min", sigma_min), ("sigma_max", sigma_max)):
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not LOWEST <= value <= HIGHEST:
            raise SpecError(
                f"{name} must be a standard deviation in the units of the table, from {LOWEST:.0e} to {HIGHEST:.0e}, "
                f"not {value!r}",
                fix=f"--set {name}=1, with the table in units in which that may hold",
            )
    if sigma_min > sigma_max:
        raise SpecError(f"sigma_min={sigma_min!r} is above sigma_max={sigma_max!r}", fix="swap them")


@register("kssu19.spherical")
@attrs.frozen
class Spherical(Post):
    """A spherical Gaussian from the noisy number of rows, their sum and the sum of their squares, in a ball's frame.

    Parameters
    ----------
    low, high : float
        Range of the standard deviation.
    """

    slots: ClassVar[tuple[Slot, ...]] = slots("count", "sum", "squares", "ball")
    low: float = attrs.field(kw_only=True, validator=positive)
    high: float = attrs.field(kw_only=True, validator=positive)

    def output(self, *inputs: Domain) -> Domain:
        """A Gaussian."""
        ball = wants(inputs[3], Ball, self.name)
        wants(inputs[0], Counts, self.name)
        wants(inputs[2], Counts, self.name)
        same(wants(inputs[1], Vector, self.name).d, ball.d, self.name)
        return Gaussian(ball.d)

    @answering
    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """C2 and C10: the mean within the ball, the variance without what noise adds to the mean's square."""
        count, total, squares, ball = values
        d, rows = len(ball.centre), float(count[0])
        if not rows > max(3.0 * noise[0], 1.0):
            return Failed("a part holds no rows that stand out of the noise", "use more rows or a larger budget")
        step = np.asarray(total) / rows
        step = step / max(1.0, float(np.linalg.norm(step)))
        moved = max(float(step @ step) - d * (noise[1] / rows) ** 2, 0.0)
        variance = ball.radius**2 * max(float(squares[0]) / rows - moved, 0.0) / d
        sigma = min(max(math.sqrt(variance), self.low), self.high)
        covariance = sigma**2 * np.eye(d)
        if not np.isfinite(covariance).all() or not sigma**2 > 0:
            return Failed("a variance leaves float64", "bring the columns to comparable units")
        return GaussianValue(ball.centre + ball.radius * step, covariance)


@composite("kssu19.pca", examples={"rank": 1})
def pca(x: Handle, ball: Handle, *, rank: int, share: float = 1.0) -> Handle:
    """The projection to the directions of largest second moment about a ball's centre: private PCA.

    Parameters
    ----------
    x : Handle
        Private rows; a table or a part of it.
    ball : Handle
        A released or public ball that holds nearly all of them.
    rank : int
        Dimensions to keep. With ``rank >= d`` nothing is released: the map only shifts.
    share : float
        Share of ρ.

    Returns
    -------
    Handle
        A released affine map to min(rank, d) columns, in the units of the table.

    Formal guarantees
    -----------------
    The Gram matrix of rows clipped to the ball about its centre (C4), √2·r² under replace-one in Frobenius norm (T2),
    with isometric Gaussian noise.

    References
    ----------
    Kamath, Sheffet, Singhal, Ullman (2019), §4.1, with C4; Dwork, Talwar, Thakurta, Zhang (2014).
    """
    rows_and_ball(x, ball)
    components("rank", rank)
    released = []
    if rank < x.d:
        total = dp.gram(dp.clip(x, ball))
        released.append(dp.release("gram", dp.gaussian(share=share), total, frame=True))
    return dp.post("kssu19.projection", ball, *released, rank=min(rank, x.d), name="projection")


@register("kssu19.projection")
@attrs.frozen
class Projection(Post):
    """``x ↦ Bᵀ(x − p)`` with the leading eigenvectors B of a noisy Gram matrix; without one B = I.

    Parameters
    ----------
    rank : int
        Columns of B.
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("ball", PARAM), Slot("gram", PARAM, optional=True))
    rank: int = attrs.field(kw_only=True, validator=positive_whole)

    def output(self, *inputs: Domain) -> Domain:
        """An affine map."""
        d = wants(inputs[0], Ball, self.name).d
        if len(inputs) > 1:
            same(wants(inputs[1], Symmetric, self.name).d, d, self.name)
        if self.rank > d or (self.rank < d and len(inputs) < 2):
            raise PlanError(f"{self.name} has no {self.rank} of {d} directions", fix="give the Gram matrix")
        return AffineMap(d, self.rank)

    @answering
    def apply(self, *values: Any) -> Any:
        """Diagonalise."""
        ball = values[0]
        basis = np.eye(len(ball.centre))
        if len(values) > 1:
            gram = np.asarray(values[1])
            basis = np.linalg.eigh(0.5 * (gram + gram.T))[1][:, ::-1]
        return AffineValue(ball.centre, np.ascontiguousarray(basis[:, : self.rank]), map_scale(ball))
