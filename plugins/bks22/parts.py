"""Parts of a division that public rows guess and private rows confirm (BKS22 Algorithms 5 and 6, with C7, T10, C14)."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import attrs
import numpy as np
from numpy.typing import NDArray

from dpframe.plugin import (
    PARAM,
    Above,
    AffineMap,
    AffineValue,
    Ball,
    BallValue,
    Counts,
    Domain,
    Failed,
    Flag,
    ListOf,
    Mixture,
    MixtureValue,
    Outcome,
    Post,
    Record,
    Rows,
    Slot,
    Symmetric,
    Vector,
    positive_whole,
    register,
    same,
    wants,
)

from .groups import LEAST_WEIGHT
from .public import Floats, distinct, in_reach, slots
from .superclusters import Labels, superclusters

PART, GUESS = "bks22.part", "bks22.guess"
WIDER = 1.2
"""A part's rows are clipped at so many times the distance that its farthest public row lets expect."""
LEAST_GAP, MOST_GAP = 1.5, 4.0
"""Ratios of a gap that count: below it is none; above, its inner side is taken to be farther out than few rows show."""
CUT = 0.575
"""Of a gap from r to q·r the part is cut at r·q^0.575."""
SHELL = LEAST_GAP**0.25
"""Ratio of the shell about the cut that holds no rows (T10): from r·q^0.45 to r·q^0.7 of the narrowest gap."""
PASSES = 0.9
"""Part of t from which on a private score says that the ball and its outside are full and the annulus is empty."""
CLEAR = 30.0
"""Rows of a part over the noise of a score or a sum: from here on all parts are expected to be found."""


@attrs.frozen(eq=False)
class Part:
    """The public rows of a part (m, d), how many there are in all, and the radius of the part that it was cut from."""

    rows: Floats
    total: int
    within: float = math.inf

    @property
    def ball(self) -> BallValue:
        """About their mean, wider than they reach, as new rows are farther from it by √((m + 1)/(m − 1)).

        Of one row, as wide as that of the part it was cut from, where that is known; as wide at least as float64 tells.
        """
        m, centre = len(self.rows), self.rows.mean(axis=0)
        farthest = float(np.linalg.norm(self.rows - centre, axis=1).max())
        radius = WIDER * farthest * math.sqrt((m + 1) / (m - 1)) if m > 1 else self.within
        radius = min(radius, self.within) if self.within < math.inf or m > 1 else 0.0
        return BallValue(centre, max(radius, 2.0**-36 * float(np.abs(centre).max()), 2.0**-300))


@register("bks22.whole")
@attrs.frozen
class Whole(Post):
    """The part that all distinct public rows make."""

    slots: ClassVar[tuple[Slot, ...]] = slots("public")

    @staticmethod
    def examples() -> list[Any]:
        """For the contract battery."""
        return [(Whole(), (Rows(2),), (np.arange(10.0).reshape(5, 2),))]

    def output(self, *inputs: Domain) -> Domain:
        """A record."""
        wants(inputs[0], Rows, self.name)
        return Record(PART)

    def apply(self, *values: Any) -> Any:
        """Sort out repetitions."""
        rows = distinct(values[0])
        if len(rows) < 2 or not in_reach(rows):
            return Failed(f"{len(rows)} distinct public rows say nothing of groups", "give more, or use practical_gmm")
        return Part(rows, len(rows))


@register("bks22.part_ball")
@attrs.frozen
class PartBall(Post):
    """The ball that a part's rows are clipped to, from its public rows."""

    slots: ClassVar[tuple[Slot, ...]] = slots("part")
    d: int = attrs.field(kw_only=True, validator=positive_whole)

    def output(self, *inputs: Domain) -> Domain:
        """A ball."""
        return Ball(self.d)

    def apply(self, *values: Any) -> Any:
        """The ball of the part."""
        return values[0].ball


@register("bks22.part_map")
@attrs.frozen
class PartMap(Post):
    """To the p directions in which a part's clipped rows vary most, from their noisy Gram matrix and sum.

    About their own mean: the ball's centre is the mean of few public rows, √(d/m) deviations off, and in the direction
    of that error public and private rows lie apart.
    """

    slots: ClassVar[tuple[Slot, ...]] = slots("gram", "sum", "ball")
    p: int = attrs.field(kw_only=True, validator=positive_whole)

    def output(self, *inputs: Domain) -> Domain:
        """A map."""
        d = wants(inputs[2], Ball, self.name).d
        same(wants(inputs[0], Symmetric, self.name).d, d, self.name)
        same(wants(inputs[1], Vector, self.name).d, d + 1, self.name)
        return AffineMap(d, min(self.p, d))

    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """Leading eigenvectors of the Gram matrix less N·m·mᵀ, where the rows' number stands out of its noise."""
        gram, total, ball = np.asarray(values[0], dtype=np.float64), np.asarray(values[1], dtype=np.float64), values[2]
        if total[-1] > max(4.0 * noise[1], 1.0):
            mean = total[:-1] / total[-1]
            gram = gram - total[-1] * np.outer(mean, mean) / max(1.0, float(mean @ mean))
        _, vectors = np.linalg.eigh(gram)
        return AffineValue(ball.centre, vectors[:, ::-1][:, : min(self.p, len(gram))], 4.0 * ball.radius)


@attrs.frozen(eq=False)
class Guess:
    """Where public rows would cut a part: a centre in the projection, the gap's inner radius r and ratio q."""

    centre: Floats
    radius: float
    ratio: float


def widest_gap(points: Floats, least: int) -> Guess:
    """The widest gap about a point between a distance and the next, if it is one by ratio, seen from the mean inside.

    At least ``least`` points lie on either side. Widest in length, not as a ratio: of a few points some two are always
    near one another, which is no group. From the mean of the points inside, where the gap is wider there: a shell
    about a point off its centre is full of private rows. Without a gap of ``LEAST_GAP`` the ratio is 1.

    Examples
    --------
    >>> found = widest_gap(np.array([[0.0], [1.0], [2.0], [20.0], [21.0]]), 2)
    >>> found.centre.tolist(), found.radius, found.ratio
    ([0.0], 5.0, 4.0)
    """
    best, widest = Guess(points[0], 1.0, 1.0), 0.0
    for centre in points:
        distances = np.sort(np.linalg.norm(points - centre, axis=1))
        inner, outer = distances[least - 1 : len(points) - least], distances[least : len(points) - least + 1]
        if not len(inner):
            continue
        floor = max(1e-9 * float(distances[-1]), 2.0**-300)  # equal public rows make no gap of their own
        gaps = np.where(outer >= LEAST_GAP * np.maximum(inner, floor), outer - inner, 0.0)
        i = int(np.argmax(gaps))
        if gaps[i] > 0:
            near = np.linalg.norm(points - centre, axis=1) <= inner[i]
            for found in (_gap(points, near, points[near].mean(axis=0)), _gap(points, near, centre)):
                width = found.radius * (found.ratio - 1.0)
                if found.ratio >= LEAST_GAP and width > widest:
                    best, widest = found, width
    return best


def _gap(points: Floats, near: NDArray[np.bool_], centre: Floats) -> Guess:
    """From the farthest of the near points, or a quarter of the way, to the nearest of the others."""
    distances = np.linalg.norm(points - centre, axis=1)
    outer = float(distances[~near].min())
    radius = max(float(distances[near].max()), outer / MOST_GAP, 1e-9 * float(distances.max()), 2.0**-300)
    return Guess(centre, radius, max(outer / radius, 1.0))


def supercluster_gap(points: Floats, labels: Labels, least: int) -> Guess | None:
    """The widest gap by ratio about the mean of a supercluster, where it keeps its shell in the projection."""
    best = None
    for one in range(int(labels.max()) + 1):
        near = labels == one
        if min(np.count_nonzero(near), np.count_nonzero(~near)) < least:
            continue
        found = _gap(points, near, points[near].mean(axis=0))
        if found.ratio >= max(LEAST_GAP, best.ratio if best else 0.0):
            best = found
    return best


@register("bks22.guess")
@attrs.frozen
class GuessOf(Post):
    """Q_Pub: a gap that a part's public rows show in the projection, about a supercluster or else the widest.

    Parameters
    ----------
    k : int
        Most superclusters.
    w_min : float
        Half of this share of all public rows must lie on either side, and one at least.
    """

    slots: ClassVar[tuple[Slot, ...]] = slots("part", "map")
    k: int = attrs.field(kw_only=True, validator=positive_whole)
    w_min: float = attrs.field(kw_only=True, validator=attrs.validators.gt(0.0))

    def output(self, *inputs: Domain) -> Domain:
        """A record."""
        wants(inputs[1], AffineMap, self.name)
        return Record(GUESS)

    def apply(self, *values: Any) -> Any:
        """Look."""
        part, map_ = values
        points = (part.rows - map_.shift) @ map_.matrix
        least = max(1, math.floor(self.w_min * part.total / 2))
        return supercluster_gap(points, superclusters(part.rows, self.k), least) or widest_gap(points, least)


@register("bks22.guess_balls")
@attrs.frozen
class GuessBalls(Post):
    """The guessed ball, as a list of one: of the radius that counts, or at which the part is cut."""

    slots: ClassVar[tuple[Slot, ...]] = slots("guess", "map")
    cut: bool = attrs.field(kw_only=True)

    def output(self, *inputs: Domain) -> Domain:
        """A ball, or a list of one."""
        ball = Ball(wants(inputs[1], AffineMap, self.name).p)
        return ball if self.cut else ListOf(ball, 1)

    def apply(self, *values: Any) -> Any:
        """r·q^0.575, or the inner side of the shell there."""
        guess: Guess = values[0]
        radius = guess.radius * guess.ratio**CUT
        ball = BallValue(guess.centre, radius if self.cut else radius / math.sqrt(SHELL))
        return ball if self.cut else [ball]


@register("bks22.passed")
@attrs.frozen
class Passed(Post):
    """Whether a part is cut: its public rows show a gap, and the private score is near t."""

    slots: ClassVar[tuple[Slot, ...]] = slots("guess", "score")
    t: int = attrs.field(kw_only=True, validator=positive_whole)

    def output(self, *inputs: Domain) -> Domain:
        """An outcome."""
        wants(inputs[1], Counts, self.name)
        return Flag()

    def apply(self, *values: Any) -> Any:
        """Compare."""
        guess, score = values[0], float(values[1][0])
        return Outcome(bool(guess.ratio >= LEAST_GAP and score >= PASSES * self.t), score)


@register("bks22.child")
@attrs.frozen
class Child(Post):
    """The public rows of a part inside the guessed ball, or outside; where a side has none, the part itself."""

    slots: ClassVar[tuple[Slot, ...]] = slots("part", "map", "ball")
    inside: bool = attrs.field(kw_only=True)

    def output(self, *inputs: Domain) -> Domain:
        """A record."""
        same(wants(inputs[1], AffineMap, self.name).p, wants(inputs[2], Ball, self.name).d, self.name)
        return Record(PART)

    def apply(self, *values: Any) -> Any:
        """By their projections."""
        part, map_, ball = values
        near = np.linalg.norm((part.rows - map_.shift) @ map_.matrix - ball.centre, axis=1) <= ball.radius
        kept = part.rows[near if self.inside else ~near]
        return Part(kept, part.total, part.ball.radius) if len(kept) else part


@register("bks22.leaf")
@attrs.frozen
class Leaf(Post):
    """A spherical Gaussian from noisy count, sum and squares about a part's centre: mean, variance, count."""

    slots: ClassVar[tuple[Slot, ...]] = slots("sum", "squares", "ball")

    def output(self, *inputs: Domain) -> Domain:
        """D + 2 numbers."""
        d = wants(inputs[2], Ball, self.name).d
        same(wants(inputs[0], Vector, self.name).d, d + 1, self.name)
        same(wants(inputs[1], Counts, self.name).m, 1, self.name)
        return Vector(d + 2)

    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """Σ‖x − c‖²/N − ‖μ − c‖², a column; a part that is empty for all one sees has count 0."""
        total, squares, ball = np.asarray(values[0], dtype=np.float64), float(values[1][0]), values[2]
        d, count = len(total) - 1, float(total[-1])
        if not count > max(4.0 * noise[0], 1.0):
            return np.append(ball.centre, [ball.radius**2 / d, 0.0])
        step = total[:-1] / count
        step = step / max(1.0, float(np.linalg.norm(step)))
        noisy = d * (noise[0] / count) ** 2
        spread = max(squares / count - max(float(step @ step) - noisy, 0.0), 1e-6) / d
        return np.concatenate([ball.centre + ball.radius * step, [ball.radius**2 * spread, count]])


@register("bks22.of_leaves")
@attrs.frozen
class OfLeaves(Post):
    """A mixture of the leaves of a division; ⊥ where there are fewer than k that hold rows."""

    slots: ClassVar[tuple[Slot, ...]] = (Slot("leaves", PARAM),)
    k: int = attrs.field(kw_only=True, validator=positive_whole)

    def output(self, *inputs: Domain) -> Domain:
        """A mixture."""
        return Mixture(self.k, wants(wants(inputs[0], ListOf, self.name).item, Vector, self.name).d - 2)

    def expects_answer(self, rows: int, noise: Above) -> bool:
        """Whether equal parts stand out of the noise of the division's scores, and of the leaves' sums."""
        least = max([*noise.of("maximum"), *noise.of("mean")], default=0.0)
        return rows / self.k >= CLEAR * least

    def apply(self, *values: Any) -> Any:
        """Side by side, weights adding up to 1."""
        leaves = [np.asarray(leaf) for leaf in values[0] if leaf[-1] > 0]
        if len(leaves) < self.k:
            return Failed(
                f"the division found {len(leaves)} groups, not {self.k}",
                "give more public rows, a larger budget, or use practical_gmm: the groups may lie too near",
            )
        counts = np.array([leaf[-1] for leaf in leaves])
        weights = np.maximum(counts / counts.sum(), LEAST_WEIGHT)
        d = len(leaves[0]) - 2
        covariances = np.array([leaf[-2] * np.eye(d) for leaf in leaves])
        return MixtureValue(weights / weights.sum(), np.array([leaf[:-2] for leaf in leaves]), covariances)
