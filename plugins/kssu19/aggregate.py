"""``kssu19_sample_and_aggregate``: any learner on blocks of rows, and noisy averages of what the blocks agree on."""

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
    Failed,
    Grids,
    Handle,
    ListOf,
    Mixture,
    PlanError,
    Post,
    Record,
    Slot,
    SparseCounts,
    SpecError,
    Vector,
    composite,
    find_learner,
    positive,
    positive_whole,
    register,
    wants,
    whole,
)
from dpframe_plugins.bks22.mixtures import MOST_PARTS, check_parts, refined
from dpframe_plugins.practical import cells
from dpframe_plugins.practical.nodes import answering, cells_seen, slots
from dpframe_plugins.shared.learners import no_learner

from .blocks import PAYLOAD, WEIGHT
from .finding import balls, clusters
from .nodes import LEAST, NO_BALL, levels, mixture, released_points
from .program import check

ROWS = 40
"""Rows of a block for each component and column, and one."""
FEWEST, MOST = 8, 2000
FINE = 1.5
"""Side of the finest cells, in the least deviation that a block's means have."""
AGREED = 3.0
"""Blocks over what a published cell must exceed: from here on what they agree on is expected to be found."""


@attrs.frozen
class Shares:
    """Shares of ρ: the cells, the averages of all components; and of both where passes follow."""

    cells: float = 0.30
    averages: float = 0.70
    start: float = 0.40


SHARES = Shares()
THRESHOLD_DELTA = 0.3


@composite("kssu19_sample_and_aggregate")
def kssu19_sample_and_aggregate(
    x: Handle,
    *,
    k: int,
    sigma_min: float,
    sigma_max: float,
    R: float | None = None,
    w_min: float | None = None,
    learner: str = "em",
    t: int | None = None,
    refine: bool = True,
    covariance_type: str = "auto",
    share: float = 1.0,
    seed: int = 0,
) -> Handle:
    """A mixture of k Gaussians from any learner's results on blocks of rows (sample and aggregate).

    The learner runs on t blocks. Cells that candidates of enough blocks fall in are published; k times the smallest
    ball about a released cell that holds enough of what is left; the candidates in each ball are averaged with noise,
    their weights and the logarithms of their variances with them. With ``refine`` the result starts private EM passes
    with full covariances over all rows.

    Cells are cut in all columns, so this is for few of them (up to about 6) and very many rows.

    Parameters
    ----------
    x : Handle
        Private rows.
    k : int
        Number of components.
    sigma_min, sigma_max : float
        Range of the components' standard deviations, in the units of the table.
    R : float, optional
        Radius around 0 that holds all means; nothing needs it here, it is only checked.
    w_min : float, optional
        Least weight; 1/(2k) if not given.
    learner : str
        ``em``, ``spectral``, ``moments`` (k at most 3), or the name of a learner that gives ``blocks.candidates``.
    t : int, optional
        Number of blocks; chosen from n, k and d.
    refine : bool
        Whether private EM passes follow.
    covariance_type : {"auto", "full", "spherical"}
        Of these passes: spherical ones where full covariances would be noise, unless one is asked for.
    share : float
        Share of ρ.
    seed : int
        Public seed of blocks, learners and grids.

    Returns
    -------
    Handle
        A released mixture with spherical covariances (full ones after ``refine``); ``failed`` where fewer than k
        components are found.

    Formal guarantees
    -----------------
    C12: one row changes all k candidates of one block. So *blocks* are counted: a block is in at most k cells of a
    level before and k after (``block_cells``), and gives one candidate to an average (``block_moments``, 2√2); the k
    averages compose. Whatever the learner does, only these releases cost. Blocks are cut by the row index:
    replace-one.

    References
    ----------
    Kamath, Sheffet, Singhal, Ullman (2019), §6, with C12 (docs/theory/corrections.md).
    """
    least = check(x, k, w_min, sigma_min, sigma_max, R)
    check_parts(k, MOST_PARTS)
    rows = next((i.n for i in x.tracer.inputs if i.name == x.ref.node), None)
    if rows is None:
        raise PlanError("blocks are cut by the row index, which needs a public number of rows", fix="use replace_one")
    most = rows // (x.d + 1)
    if most < FEWEST:
        raise PlanError(f"{rows} rows are too few for {FEWEST} blocks of at least {x.d + 1} rows", fix="use more rows")
    blocks_of: Any = size(rows, k, x.d) if t is None else t
    if isinstance(blocks_of, bool) or not isinstance(blocks_of, int) or not FEWEST <= blocks_of <= most:
        raise SpecError(
            f"{blocks_of!r} blocks of {rows} rows in {x.d} columns: takes {FEWEST} to {most}",
            fix="use more rows, or set t",
        )
    known = registered(learner, k)
    own = share * (SHARES.start if refine else 1.0)
    blocks = dp.block_learner(
        x, learner=known, t=blocks_of, item="points", size=[k, x.d + PAYLOAD], seed=seed, name="blocks"
    )
    shrink = math.sqrt(blocks_of / rows)  # a block's mean of n w / t rows
    low, high = sigma_min * shrink, sigma_max * shrink / math.sqrt(least)
    number = levels(low, high)
    grids = dp.post("kssu19.candidate_grids", d=x.d, levels=number, finest=FINE * low, seed=seed, name="grids")
    occupied = dp.block_cells(blocks, grids, k=k, d=x.d, levels=number, payload=PAYLOAD)
    mechanism = dp.stable_histogram(share=SHARES.cells * own, delta_fraction=THRESHOLD_DELTA)
    found = dp.release("cells", mechanism, occupied)
    listed = dp.post("kssu19.candidate_balls", found, grids, k=k, blocks=blocks_of, name="balls")
    logs = (2.0 * math.log(sigma_min), 2.0 * math.log(sigma_max))
    half = max((logs[1] - logs[0]) / 2.0, 1.0)
    payload = dp.ball(centre=[WEIGHT / 2.0, sum(logs) / 2.0], radius=math.hypot(WEIGHT / 2.0, half))
    averages: list[Handle] = []
    for i in range(k):
        ball = dp.post("kssu19.candidate_ball", listed, index=i, name=f"around_{i}")
        total = dp.block_moments(blocks, ball, payload, k=k, d=x.d, payload=PAYLOAD)
        noisy = dp.release(f"average_{i}", dp.gaussian(share=SHARES.averages * own / k), total)
        averages += [noisy, ball]
    made = dp.post("kssu19.aggregated", payload, *averages, low=float(sigma_min), high=float(sigma_max), name="mixture")
    if not refine:
        return made
    return refined(x, made, k=k, share=share * (1.0 - SHARES.start), seed=seed, covariance_type=covariance_type)


def size(n: int, k: int, d: int) -> int:
    """Number of blocks: many, and each of rows enough for a learner.

    Examples
    --------
    >>> size(2_000_000, 3, 2), size(100_000, 3, 2)
    (2000, 277)
    """
    return min(n // (ROWS * k * (d + 1)), MOST)


def registered(name: str, k: int) -> str:
    """The learner of candidates under ``kssu19.name_k``, or ``name`` itself.

    Raises
    ------
    SpecError
    """
    try:
        find_learner(f"kssu19.{name}_{k}")
    except SpecError:
        try:
            find_learner(name)
        except SpecError as error:
            raise no_learner(name, k, error, "kssu19.") from None
        return name
    return f"kssu19.{name}_{k}"


@register("kssu19.candidate_grids")
@attrs.frozen
class CandidateGrids(Post):
    """Nested grids of all columns, with a public random corner.

    Parameters
    ----------
    d, levels : int
    finest : float
        Side of the smallest cells.
    seed : int
        Public.
    """

    slots: ClassVar[tuple[Slot, ...]] = ()
    d: int = attrs.field(kw_only=True, validator=positive_whole)
    levels: int = attrs.field(kw_only=True, validator=positive_whole)
    finest: float = attrs.field(kw_only=True, validator=positive)
    seed: int = attrs.field(default=0, kw_only=True, validator=whole)

    def output(self, *inputs: Domain) -> Domain:
        """A record."""
        return Record("grids")

    def apply(self, *values: Any) -> Any:
        """Halving sides."""
        sizes = self.finest * 2.0 ** np.arange(self.levels - 1.0, -1.0, -1.0)
        return Grids(cells.grid_offset(sizes, self.d, self.seed), sizes)


@register("kssu19.candidate_balls")
@attrs.frozen
class CandidateBalls(Post):
    """Balls around k clusters of cells, each of which about all blocks have a candidate in.

    Parameters
    ----------
    k : int
    blocks : int, optional
        How many there are, for predictions.
    """

    slots: ClassVar[tuple[Slot, ...]] = slots("cells", "grids")
    k: int = attrs.field(kw_only=True, validator=positive_whole)
    blocks: int | None = attrs.field(default=None, kw_only=True, validator=attrs.validators.optional(positive_whole))

    def output(self, *inputs: Domain) -> Domain:
        """A list of balls."""
        return ListOf(Ball(wants(inputs[0], SparseCounts, self.name).p), self.k)

    def expects_answer(self, rows: int, noise: Above) -> bool:
        """Whether a cell that nearly all blocks agree on is published."""
        return self.blocks is None or cells_seen(self.blocks, noise, AGREED)

    @answering
    def apply(self, *values: Any) -> Any:
        """Search the cells."""
        points = released_points(*values)
        found = None
        if points is not None:
            found = clusters(points, self.k, LEAST * float(points.weights.sum()) / self.k)
        if found is None:
            return Failed(
                f"the blocks agree on fewer than {self.k} components",
                "use more rows, a larger epsilon, a smaller k, or another learner",
            )
        return balls(found)


@register("kssu19.candidate_ball")
@attrs.frozen
class CandidateBall(Post):
    """One ball of a list."""

    slots: ClassVar[tuple[Slot, ...]] = slots("balls")
    index: int = attrs.field(kw_only=True, validator=whole)

    def output(self, *inputs: Domain) -> Domain:
        """A ball."""
        return Ball(wants(wants(inputs[0], ListOf, self.name).item, Ball, self.name).d)

    @answering
    def apply(self, *values: Any) -> Any:
        """Take it."""
        return values[0][self.index] if self.index < len(values[0]) else Failed(*NO_BALL)


@register("kssu19.aggregated")
@attrs.frozen
class Aggregated(Post):
    """A mixture of spherical components from noisy averages of candidates.

    Parameters
    ----------
    low, high : float
        Range of the standard deviations.
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("payload", PARAM), Slot("averages", PARAM, variadic=True))
    low: float = attrs.field(kw_only=True, validator=positive)
    high: float = attrs.field(kw_only=True, validator=positive)

    @staticmethod
    def examples() -> list[Any]:
        """For the contract battery."""
        payload, ball = BallValue(np.array([10.0, 0.0]), 12.0), BallValue(np.array([3.0, 4.0]), 1.0)
        average = np.array([10.0, -5.0, 2.0, 1.0, 100.0])
        domains = (Ball(2), Vector(5), Ball(2))
        return [(Aggregated(low=0.1, high=10.0), domains, (payload, average, ball))]

    def output(self, *inputs: Domain) -> Domain:
        """A mixture of as many components as there are pairs of an average and its ball."""
        if len(inputs) < 3 or len(inputs) % 2 == 0:
            raise PlanError(f"{self.name} takes an average and a ball of each component", fix="give both of each")
        d = wants(inputs[2], Ball, self.name).d
        for average in inputs[1::2]:
            if wants(average, Vector, self.name).d != d + wants(inputs[0], Ball, self.name).d + 1:
                raise PlanError(f"{self.name}: averages of {average}", fix="use block_moments with the same balls")
        return Mixture(len(inputs) // 2, d)

    @answering
    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """Means in their balls, weights and variances in the payload's."""
        payload: BallValue = values[0]
        weights, gaussians = [], []
        for average, ball, std in zip(values[1::2], values[2::2], noise[1::2], strict=True):
            d, blocks = len(ball.centre), float(average[-1])
            if not blocks > max(3.0 * std, 1.0):
                return Failed("too few blocks agree on a component", "use more rows or a larger budget")
            step = np.asarray(average[:d]) / blocks
            mean = ball.centre + ball.radius * step / max(1.0, float(np.linalg.norm(step)))
            weight, log = payload.centre + payload.radius * np.asarray(average[d:-1]) / blocks
            sigma = min(max(math.exp(min(max(log / 2.0, -300.0), 300.0)), self.low), self.high)
            weights.append(max(float(weight) / WEIGHT, 0.0))
            gaussians.append(dp.GaussianValue(mean, sigma**2 * np.eye(d)))
        return mixture(gaussians, np.array(weights))
