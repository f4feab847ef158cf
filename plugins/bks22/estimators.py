"""Estimators for ``precondition`` beside the registry's: clip and noise, AL22 by blocks, choice from a cover."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp
from dpframe.plugin import (
    FAMILY_MIXTURES,
    HYPOTHESES,
    PARAM,
    ApproxDP,
    Ball,
    Budget,
    Counts,
    Domain,
    FamilyMixtures,
    Gaussian,
    GaussianValue,
    Handle,
    Hypotheses,
    Index,
    PlanError,
    Post,
    PureDP,
    Record,
    Slot,
    Vector,
    composite,
    positive,
    positive_whole,
    register,
    same,
    wants,
)
from dpframe_plugins.arbas23.sizing import LIKELY, sizes
from dpframe_plugins.classic.checks import few_rows, positive_number, released_mean, table
from dpframe_plugins.classic.sizing import public_numbers

COUNT = 0.05
"""Share of the count that clip-and-noise divides by."""
MOST_MEMBERS = {1: 100_000, 2: 1024}
"""Most members of a cover, by columns: one column is scored by intervals, two by all pairs of members."""
EDGES = 4095
FULL = "families.gaussian_full"


@composite("clip_and_noise_mean")
def clip_and_noise_mean(x: Handle, *, bound: float, scale: float, share: float = 1.0) -> Handle:
    """Mean of rows of known spread, clipped once: at the bound and what a Gaussian of that spread needs beyond it.

    With Gaussian noise in ℓ₂; where the budget is pure, with Laplace noise on every column in ℓ₁, which costs √d more.

    Parameters
    ----------
    x : Handle
        Private rows, (n, d); a whole table or a part of it.
    bound : float
        ℓ₂ radius around 0 that holds the mean.
    scale : float
        Standard deviation of the rows.
    share : float
        Share of the budget.

    Returns
    -------
    Handle
        A released vector of d numbers.

    Formal guarantees
    -----------------
    One sum of rows clipped to a public ball (or box) and one count, with noise; pure ε, zCDP or (ε, δ). The number of
    rows is never taken as public.

    References
    ----------
    Bie, Kamath, Singhal (2022), Lemma 3.2(1).
    """
    table(x, bound)
    positive_number("scale", scale)
    public = public_numbers(x, share)
    log = math.log(max(public.rows, 2))
    if x.tracer.target is not None and isinstance(x.tracer.target.budget, PureDP):
        ball = dp.bounding_ball(d=x.d, bound=bound + scale * math.sqrt(2.0 * math.log(2.0 * x.d) + 2.0 * log))
        count = dp.release("count", dp.laplace(share=COUNT * share), dp.count(x))
        box = dp.box_sum(dp.clip_box(x, ball))
        total = dp.release("sum", dp.laplace(share=(1.0 - COUNT) * share), box, frame=True)
        return dp.post("bks22.box_mean", total, count, ball, name="mean")
    reach = math.sqrt(x.d + 2.0 * math.sqrt(x.d * log) + 2.0 * log)
    ball = dp.bounding_ball(d=x.d, bound=bound + scale * reach)
    total = dp.release("sum", dp.gaussian(share=share), dp.mean(dp.clip(x, ball)), frame=True)
    return dp.post("bks22.ball_mean", total, ball, name="mean")


@register("bks22.box_mean")
@attrs.frozen
class BoxMean(Post):
    """A noisy sum over a noisy count, inside the box; ⊥ where the count is no more than noise."""

    slots: ClassVar[tuple[Slot, ...]] = tuple(Slot(name, PARAM) for name in ("sum", "count", "ball"))

    def output(self, *inputs: Domain) -> Domain:
        """A vector."""
        d = wants(inputs[2], Ball, self.name).d
        same(wants(inputs[0], Vector, self.name).d, d, self.name)
        same(wants(inputs[1], Counts, self.name).m, 1, self.name)
        return Vector(d)

    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """Divide."""
        total, count, ball = np.asarray(values[0], dtype=np.float64), float(values[1][0]), values[2]
        if not count > max(10.0 * noise[1], 1.0):
            return few_rows()
        return ball.centre + ball.radius * np.clip(total / count, -1.0, 1.0)


@register("bks22.ball_mean")
@attrs.frozen
class BallMean(Post):
    """A noisy sum over the noisy count beside it, inside the ball; ⊥ where the count is no more than noise."""

    slots: ClassVar[tuple[Slot, ...]] = tuple(Slot(name, PARAM) for name in ("sum", "ball"))

    def output(self, *inputs: Domain) -> Domain:
        """A vector."""
        d = wants(inputs[1], Ball, self.name).d
        same(wants(inputs[0], Vector, self.name).d, d + 1, self.name)
        return Vector(d)

    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """Divide."""
        found = released_mean(values[1], values[0], noise[0])
        return few_rows() if found is None else found.mean


@composite("al22_gaussian")
def al22_gaussian(x: Handle, *, share: float = 1.0, seed: int = 0) -> Handle:
    """``al22.gaussian`` under the name by which estimators of BKS22 are told it: whole tables, no bound, (ε, δ) only.

    Parameters
    ----------
    x : Handle
        Rows of a whole private table; in the frame of public rows (``precondition``) condition numbers beyond 1e8 are
        no hindrance.
    share : float
        Share of ρ of the mask.
    seed : int
        Public seed of the blocks.

    Returns
    -------
    Handle
        A released Gaussian; the run fails where too few blocks agree.

    Raises
    ------
    PlanError
        For a part of a table, saying how many rows it would need: the number of a part's rows is private, and blocks
        are cut from a public one.

    Formal guarantees
    -----------------
    Those of ``al22.gaussian``: replace-one with public n, a budget with a δ.

    References
    ----------
    Ashtiani, Liaw (2022), in the averaged form of ``docs/theory/averaged-populous.md``.
    """
    if x.edge.lineage:
        needed = None if x.tracer.target is None else rows_needed(x.d, x.tracer.target.budget)
        enough = "" if needed is None else f"; it would need about {needed} of {x.d} columns at this budget"
        raise PlanError(
            f"blocks are cut from a public number of rows, and that of a part is private{enough}",
            fix="use coinpress_gaussian in parts",
        )
    return dp.apply("gaussian", dp.recipe("al22.gaussian", share=share, seed=seed), x)  # type: ignore[no-any-return]


def rows_needed(d: int, budget: Budget) -> int | None:
    """Rows from which ``al22_gaussian`` is likely to pass its test, to a factor of √2; None without a δ."""
    if not isinstance(budget, ApproxDP) or budget.delta <= 0:
        return None
    low, high = 2 * math.ceil(math.log2(8 * (d + 2))), 80
    while low < high:
        middle = (low + high) // 2
        likely = sizes(math.ceil(2.0 ** (middle / 2)), d, 1, budget=budget).chance >= LIKELY
        low, high = (low, middle) if likely else (middle + 1, high)
    return math.ceil(math.pow(2.0, low / 2))


@composite("cover_gaussian")
def cover_gaussian(
    x: Handle, *, bound: float, condition: float, step: float = 0.5, share: float = 1.0, seed: int = 0
) -> Handle:
    """A Gaussian of one or two columns chosen from a finite cover: pure ε.

    Parameters
    ----------
    x : Handle
        Private rows, at most two columns; a whole table or a part of it.
    bound : float
        ℓ₂ radius around 0 that holds the mean.
    condition : float
        The variance in every direction is between 1 and this.
    step : float
        Of the cover: standard deviations are powers of 1 + step, means multiples of step of them.
    share : float
        Share of the budget.
    seed : int
        Public seed of the integration, in two columns.

    Returns
    -------
    Handle
        A released Gaussian, a member of the cover.

    Raises
    ------
    PlanError
        For more than two columns, and where the cover has more than 100,000 members in one column or 1024 in two: it
        grows as (bound/step)^d, which the bound of ``precondition`` allows in one column only.

    Formal guarantees
    -----------------
    One draw of the exponential mechanism on scores of sensitivity 1 of public members, any adjacency
    (docs/theory/selection.md): 3·OPT, and the selection gap (2/ε)·ln(M/β)/n. In two columns the certificate lists that
    the log-density treats rows one by one.

    References
    ----------
    Bie, Kamath, Singhal (2022), section 3; Bun, Kamath, Steinke, Wu (2019).
    """
    table(x, bound)
    for name, value in (("condition", condition), ("step", step)):
        positive_number(name, value)
    if x.d > 2:
        least = (2.0 * bound / (step * math.sqrt(condition))) ** min(x.d, 40)
        raise PlanError(
            f"a cover of {x.d} columns would have more than {max(least, 1e4):.2g} members; one or two are built",
            fix="use coinpress_gaussian, or select fewer columns",
        )
    size, most = cover_size(x.d, bound, condition, step), MOST_MEMBERS[x.d]
    if size > most:
        raise PlanError(
            f"the cover of {x.d} columns has {size} members, at most {most} are compared",
            fix="use a smaller bound or condition, a larger step, one column, or coinpress_gaussian",
        )
    n = public_numbers(x, share).rows
    members = dp.post("bks22.cover", d=x.d, bound=bound, condition=condition, step=step, name="cover")
    if x.d == 1:
        far = bound + 2.0 * math.sqrt(condition)
        edges = dp.constant(np.linspace(-far, far, EDGES)[None].tolist(), name="edges")
        scores = dp.interval_scores(x, edges, members, size=size, n=n, intervals=2)
    else:
        masses = dp.post("families.masses", members, size=size, seed=seed, name="masses")
        scores = dp.density_scores(x, members, masses, family=FULL, size=size, n=n)
    index = dp.release("index", dp.exponential_mechanism(share=share), scores)
    return dp.post("bks22.member", index, d=x.d, bound=bound, condition=condition, step=step, name="gaussian")


def roots(d: int, condition: float, step: float) -> list[Any]:
    """Roots (d, d) of the cover's covariances: deviations (1 + step)^i up to √condition, turned in two columns."""
    count = math.ceil(0.5 * math.log(max(condition, 1.0)) / math.log1p(step)) + 1
    deviations = (1.0 + step) ** np.arange(count)
    if d == 1:
        return [np.array([[s]]) for s in deviations]
    found = []
    for i, wide in enumerate(deviations):
        found.append(wide * np.eye(2))
        for narrow in deviations[:i]:
            ratio = wide / narrow
            turns = max(2, math.ceil(math.pi * (ratio - 1.0 / ratio) / step))
            for angle in math.pi * np.arange(turns) / turns:
                turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
                found.append(turn @ np.diag([wide, narrow]) @ turn.T)
    return found


def cover_size(d: int, bound: float, condition: float, step: float) -> int:
    """The number of members; where that is beyond what is built, about.

    Examples
    --------
    >>> cover_size(1, 10.0, 4.0, 0.5), len(cover(1, 10.0, 4.0, 0.5)[0])
    (85, 85)
    """
    if d * math.log(bound / step + 1.0) > 24.0 or math.log(max(condition, 1.0)) / math.log1p(step) > 1000.0:
        return 2**62
    known = roots(d, condition, step)
    about = sum((2.0 * bound / step) ** d / abs(float(np.linalg.det(root))) for root in known)
    return int(about) if about > 4 * MOST_MEMBERS[d] else len(cover(d, bound, condition, step)[0])


def cover(d: int, bound: float, condition: float, step: float) -> tuple[Any, Any]:
    """Means (M, d) and roots (M, d, d): in each shape, the multiples of step of it in the ball."""
    means, shapes = [], []
    for root in roots(d, condition, step):
        reach = math.floor(bound / (step * float(np.linalg.svd(root)[1].min())))
        line = np.arange(-reach, reach + 1.0)
        grid = np.stack(np.meshgrid(*[line] * d, indexing="ij"), axis=-1).reshape(-1, d)
        points = step * grid @ root.T
        points = points[np.linalg.norm(points, axis=1) <= bound]
        means.append(points)
        shapes.append(np.broadcast_to(root, (len(points), d, d)))
    return np.concatenate(means), np.concatenate(shapes)


@attrs.frozen
class _Covered(Post):
    """Posts of one cover.

    Parameters
    ----------
    d : int
    bound, condition, step : float
        As in ``cover_gaussian``.
    """

    d: int = attrs.field(kw_only=True, validator=positive_whole)
    bound: float = attrs.field(kw_only=True, validator=positive)
    condition: float = attrs.field(kw_only=True, validator=positive)
    step: float = attrs.field(kw_only=True, validator=positive)

    def members(self) -> tuple[Any, Any]:
        """Means and roots."""
        return cover(self.d, self.bound, self.condition, self.step)


@register("bks22.cover")
@attrs.frozen
class Cover(_Covered):
    """The members of a cover as hypotheses."""

    slots: ClassVar[tuple[Slot, ...]] = ()

    @staticmethod
    def examples() -> list[Any]:
        """For the contract battery."""
        return [(Cover(d=d, bound=2.0, condition=2.0, step=1.0), ()) for d in (1, 2)]

    def output(self, *inputs: Domain) -> Domain:
        """Hypotheses; in two columns of a registered family."""
        return Record(HYPOTHESES if self.d == 1 else FAMILY_MIXTURES)

    def apply(self, *values: Any) -> Any:
        """Enumerate."""
        means, shapes = self.members()
        many = len(means)
        if self.d == 1:
            return Hypotheses.of(np.ones((many, 1)), means[:, None], np.square(shapes[:, None, 0]))
        lower = np.linalg.cholesky(shapes @ np.swapaxes(shapes, 1, 2))
        theta = np.concatenate([means, lower[:, *np.tril_indices(self.d)]], axis=1)
        return FamilyMixtures(FULL, theta, np.arange(many)[:, None], np.ones((many, 1)))


@register("bks22.member")
@attrs.frozen
class Member(_Covered):
    """The member of a cover that was chosen."""

    slots: ClassVar[tuple[Slot, ...]] = (Slot("index", PARAM),)

    @staticmethod
    def examples() -> list[Any]:
        """For the contract battery."""
        return [(Member(d=1, bound=2.0, condition=2.0, step=1.0), (Index(8),))]

    def output(self, *inputs: Domain) -> Domain:
        """A Gaussian."""
        wants(inputs[0], Index, self.name)
        return Gaussian(self.d)

    def apply(self, *values: Any) -> Any:
        """Look it up."""
        means, shapes = self.members()
        index = values[0]
        if index is None or not 0 <= int(index) < len(means):
            return few_rows()
        return GaussianValue(means[int(index)], shapes[int(index)] @ shapes[int(index)].T)
