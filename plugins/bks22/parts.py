"""Parts of a division that public rows guess and private rows confirm (BKS22 Algorithms 5 and 6, with C7, T10, C14)."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import attrs
import numpy as np

from dpframe.plugin import (
    PARAM,
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
"""A part's rows are clipped at so many times its farthest public row."""
LEAST_GAP = 1.5
CUT = 0.575
"""Of a gap from r to q·r the part is cut at r·q^0.575."""
SHELL = LEAST_GAP**0.25
"""Ratio of the shell about the cut that holds no rows (T10): from r·q^0.45 to r·q^0.7 of the narrowest gap."""
PASSES = 0.9
"""Part of t from which on a private score says that the ball and its outside are full and the annulus is empty."""


@attrs.frozen(eq=False)
class Part:
    """The public rows of a part (m, d), and how many there are in all."""

    rows: Floats
    total: int

    @property
    def ball(self) -> BallValue:
        """About their mean, a fifth wider than they reach; of one row, as wide as float64 tells it apart."""
        centre = self.rows.mean(axis=0)
        farthest = float(np.linalg.norm(self.rows - centre, axis=1).max())
        return BallValue(centre, max(WIDER * farthest, 1e-6 * float(np.abs(centre).max()), 2.0**-300))


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
        """Of the part."""
        return values[0].ball


@register("bks22.part_map")
@attrs.frozen
class PartMap(Post):
    """To the p directions in which a part's clipped rows vary most, from their noisy Gram matrix."""

    slots: ClassVar[tuple[Slot, ...]] = slots("gram", "ball")
    p: int = attrs.field(kw_only=True, validator=positive_whole)

    def output(self, *inputs: Domain) -> Domain:
        """A map."""
        d = wants(inputs[1], Ball, self.name).d
        same(wants(inputs[0], Symmetric, self.name).d, d, self.name)
        return AffineMap(d, min(self.p, d))

    def apply(self, *values: Any) -> Any:
        """Leading eigenvectors."""
        gram, ball = np.asarray(values[0], dtype=np.float64), values[1]
        _, vectors = np.linalg.eigh(gram)
        return AffineValue(ball.centre, vectors[:, ::-1][:, : min(self.p, len(gram))], 4.0 * ball.radius)


@attrs.frozen(eq=False)
class Guess:
    """Where public rows would cut a part: a centre in the projection, the gap's inner radius r and ratio q."""

    centre: Floats
    radius: float
    ratio: float


def widest_gap(points: Floats, least: int) -> Guess:
    """The centre among the points about which the gap between a distance and the next is widest, if it is one by ratio.

    At least ``least`` points lie on either side. Widest in length, not as a ratio: of a few points some two are always
    near one another, which is no group. Without a gap of ``LEAST_GAP`` the ratio is 1.

    Examples
    --------
    >>> found = widest_gap(np.array([[0.0], [1.0], [2.0], [20.0], [21.0]]), 2)
    >>> found.ratio >= 5, bool(0 <= found.centre[0] <= 21)
    (True, True)
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
        if gaps[i] > widest:
            radius = max(float(inner[i]), floor)
            best, widest = Guess(centre, radius, float(outer[i]) / radius), float(gaps[i])
    return best


def supercluster_gap(points: Floats, labels: Labels, least: int) -> Guess | None:
    """The widest gap by ratio about the mean of a supercluster, where it keeps its shell in the projection."""
    best = None
    for one in range(int(labels.max()) + 1):
        centre = points[labels == one].mean(axis=0)
        distances = np.linalg.norm(points - centre, axis=1)
        inner, outer = distances[labels == one], distances[labels != one]
        if min(len(inner), len(outer)) < least:
            continue
        radius = max(float(inner.max()), 1e-9 * float(distances.max()), 2.0**-300)
        ratio = float(outer.min()) / radius
        if ratio >= max(LEAST_GAP, best.ratio if best else 0.0):
            best = Guess(centre, radius, ratio)
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
        Half of this share of all public rows must lie on either side, and two at least.
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
        least = max(2, math.ceil(self.w_min * part.total / 2))
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
        return Part(kept, part.total) if len(kept) else part


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
