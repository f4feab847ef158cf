"""Hypothesis selection among very many mixtures: a few counts of sets that tell them apart, and no pairs of hypotheses.

Each round looks at what is released so far, picks a set {f_i > f_j} that splits the hypotheses that still fit, and has
the rows in it counted with noise. All else is post-processing, near-linear in their number: a mixture of listed members
gives a set the weighted mean of what its members give it (``docs/theory/selection.md``, Very many hypotheses).
"""

from __future__ import annotations

import functools
import math
from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp
from dpframe.plugin import (
    FAMILY_MIXTURES,
    LEAST_SHARE,
    PARAM,
    Array,
    Counts,
    Domain,
    Failed,
    FamilyMixtures,
    Handle,
    Index,
    PlanError,
    Post,
    PureDP,
    Quality,
    Record,
    Slot,
    family_densities,
    find_family,
    member_densities,
    positive_whole,
    register,
    whole,
)

Floats = np.ndarray[Any, np.dtype[np.float64]]
MOST_HYPOTHESES, MOST_ROUNDS = 2**20, 40
POINTS, MOST_SHARES = 2**12, 2**22
"""Public points of a member, and members times points in all."""
TRIED, COMPARED, DOUBTED = 32, 2048, 128
"""Sets that a round chooses among; hypotheses that it tells apart, of those that fit best; doubts that it looks at."""
ROUGH = 0.02
"""What an integration by public points may err by."""
MOST_DOUBTS, MOST_CHECKED = 2**27, 2**31
"""Hypotheses times points that are compared with the best, in a round and at the end."""


def rounds_for(size: int) -> int:
    """How many sets are counted among so many hypotheses.

    Examples
    --------
    >>> rounds_for(5000), rounds_for(10**6)
    (26, 40)
    """
    return min(2 * math.ceil(math.log2(max(size, 2))), MOST_ROUNDS)


@dp.row_function("families.side", columns=1)
def side(values: Any, pair: Any) -> Any:
    """1 for rows at which the first of two released mixtures of a family is denser, else 0."""
    dense = family_densities(values, pair)
    return (dense[0] > dense[1]).astype(np.float64)[:, None]


@functools.lru_cache(maxsize=2)
def _shares(family: str, members: bytes, shape: tuple[int, int], seed: int) -> Floats:
    """Densities (L, L·points) of each member at public points of every member, over the largest there."""
    known, components = find_family(family), np.frombuffer(members).reshape(shape)
    each = max(16, min(POINTS, MOST_SHARES // len(components) ** 2))
    drawn = [known.sample(theta, each, np.random.default_rng([seed, c])) for c, theta in enumerate(components)]
    with np.errstate(all="ignore"):
        points = np.nan_to_num(np.concatenate([np.asarray(rows, dtype=float) for rows in drawn]))
    logs = member_densities(known, points, components)
    made: Floats = np.exp(logs - logs.max(axis=0))
    made.flags.writeable = False
    return made


@attrs.frozen(eq=False)
class Sets:
    """What the mixtures of a list give the sets on which one of them is denser than another."""

    listed: FamilyMixtures
    shares: Floats

    @classmethod
    def of(cls, listed: FamilyMixtures, seed: int) -> Sets:
        """At public points."""
        members = np.ascontiguousarray(listed.components)
        return cls(listed, _shares(listed.family, members.tobytes(), members.shape, seed))

    def members(self, i: int, j: int) -> Floats:
        """Of each listed member, what it gives {f_i > f_j}."""
        first, second = self.dense(i), self.dense(j)
        inside = (first > second).reshape(len(self.shares), -1)
        found: Floats = inside.mean(axis=1)
        return found

    def thinned(self, many: int) -> Sets:
        """With fewer points of each member, for comparing so many hypotheses."""
        members = len(self.shares)
        blocks = self.shares.reshape(members, members, -1)
        kept = max(16, MOST_DOUBTS // max(many * members, 1))
        return Sets(self.listed, np.ascontiguousarray(blocks[:, :, :kept]).reshape(members, -1))

    def apart(self, h: int, others: Any) -> Floats:
        """Total variation between a hypothesis and each of others: its mass less theirs where it is denser."""
        mine, found = self.dense(h), np.empty(len(others))
        for at, g in enumerate(others.tolist()):
            each = (mine > self.dense(g)).reshape(len(self.shares), -1).mean(axis=1)
            own, theirs = (float(self.listed.weights[i] @ each[self.listed.picks[i]]) for i in (h, g))
            found[at] = own - theirs
        return found

    def dense(self, h: int) -> Any:
        """As rows are told which of two is denser: what is far below the densest member counts as nothing."""
        total = np.zeros(self.shares.shape[1])
        for pick, weight in zip(self.listed.picks[h].tolist(), self.listed.weights[h].tolist(), strict=True):
            total += weight * self.shares[pick]
        return np.where(total < LEAST_SHARE, 0.0, total).astype(np.float32)

    def masses(self, pairs: Any, among: Any = slice(None)) -> Floats:
        """f_h(W) for hypotheses h and sets W (hypotheses, sets)."""
        each = np.array([self.members(int(i), int(j)) for i, j in pairs]).T.reshape(len(self.shares), -1)
        found: Floats = np.einsum("hk,hks->hs", self.listed.weights[among], each[self.listed.picks[among]])
        return found


@attrs.frozen
class _Asked(Post):
    """What the posts of a round share: hypotheses, and the questions and answers so far, in turn.

    Parameters
    ----------
    size : int
        Most hypotheses.
    n : int
        The public number of rows that counts are scaled to.
    seed : int
        Public seed of the integration, and of which sets are tried.
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("hypotheses", PARAM), Slot("asked", PARAM, variadic=True))
    size: int = attrs.field(kw_only=True, validator=positive_whole)
    n: int = attrs.field(kw_only=True, validator=positive_whole)
    seed: int = attrs.field(default=0, kw_only=True, validator=whole)

    def check(self, inputs: tuple[Domain, ...]) -> None:
        """Mixtures of a family, then pairs and counts in turn."""
        if inputs[0] != Record(FAMILY_MIXTURES):
            raise PlanError(f"{self.name} takes mixtures of a family, not {inputs[0]}", fix="make a record of them")
        for pair, counts in zip(inputs[1::2], inputs[2::2], strict=False):
            if pair != Array((2,)) or counts != Counts(2):
                raise PlanError(f"{self.name} takes pairs and counts in turn", fix="give it questions and answers")

    def fitting(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> tuple[Sets, Floats, float] | None:
        """The sets, how far each hypothesis is from the worst of its counts, and how far the truth may be."""
        listed = values[0]
        if not isinstance(listed, FamilyMixtures) or not 1 <= len(listed) <= self.size:
            return None
        known, pairs = Sets.of(listed, self.seed), [np.asarray(q, dtype=float) for q in values[1::2]]
        if not pairs:
            return known, np.zeros(len(listed)), 1.0
        answers = np.clip([float(a[1]) / self.n for a in values[2::2]], 0.0, 1.0)
        held = np.clip(np.nan_to_num(np.array(pairs)), 0, len(listed) - 1)
        off = np.abs(known.masses(held) - answers).max(axis=1)
        slack = math.sqrt(math.log(40 * len(pairs)) / (2 * self.n)) + 3 * max(noise[2::2], default=0.0) / self.n
        return known, off, min(slack, 1.0)


@register("families.question")
@attrs.frozen
class Question(_Asked):
    """The pair (i, j) whose set {f_i > f_j} is to be counted next.

    In every second round, and in the last third, that of the best hypothesis and the one that most needs to be told
    from it: whose total variation from it most exceeds twice what its own counts speak against it. In the others, of
    some sets of pairs that fit, the one on which most that fit differ from the best.
    """

    @staticmethod
    def examples() -> list[tuple[Post, tuple[Domain, ...]]]:
        """For the contract battery."""
        return [(Question(size=4, n=100), (Record(FAMILY_MIXTURES),))]

    def output(self, *inputs: Domain) -> Domain:
        """Two indices."""
        self.check(inputs)
        return Array((2,))

    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """Try some sets on the hypotheses that fit best."""
        found = self.fitting(values, noise)
        if found is None:
            return Failed("these are no hypotheses of a family, or too many", "raise max_hypotheses")
        known, off, slack = found
        order = np.argsort(off, kind="stable")
        fit = order[off[order] <= off[order[0]] + 2 * slack]
        rng, best = np.random.default_rng([self.seed, len(values)]), int(order[0])
        asked, late = len(values) // 2, 2 * rounds_for(self.size)
        if asked % 2 == 0 or 3 * asked > late:
            near = order[1:] if 3 * asked > late else order[1 : 1 + DOUBTED]
            doubt = known.thinned(len(near)).apart(best, near) - 2 * off[near]
            if len(near) and doubt.max() > 0:
                return np.array([near[int(np.argmax(doubt))], best], dtype=float)
        some = np.unique(np.append(fit[:COMPARED], rng.choice(fit, min(len(fit), COMPARED), replace=False)))
        pairs = [(int(j), best) for j in rng.choice(some, TRIED)]
        pairs += [(int(i), int(j)) for i, j in rng.choice(some, (TRIED // 2, 2))]
        pairs = [(i, j) for i, j in pairs if i != j] or [((best + 1) % len(off), best)]
        apart = np.abs(known.masses(pairs, some) - known.masses(pairs, [best]))
        most = (apart > 2 * slack).mean(axis=0) + apart.mean(axis=0)
        return np.array(pairs[int(np.argmax(most))], dtype=float)


@register("families.pair")
@attrs.frozen
class PairOf(Post):
    """Two of the hypotheses."""

    slots: ClassVar[tuple[Slot, ...]] = (Slot("hypotheses", PARAM), Slot("question", PARAM))

    @staticmethod
    def examples() -> list[tuple[Post, tuple[Domain, ...]]]:
        """For the contract battery."""
        return [(PairOf(), (Record(FAMILY_MIXTURES), Array((2,))))]

    def output(self, *inputs: Domain) -> Domain:
        """Mixtures."""
        if inputs[0] != Record(FAMILY_MIXTURES):
            raise PlanError(f"{self.name} takes mixtures of a family, not {inputs[0]}", fix="make a record of them")
        return Record(FAMILY_MIXTURES)

    def apply(self, *values: Any) -> Any:
        """Look them up."""
        listed = values[0]
        if not isinstance(listed, FamilyMixtures):
            return Failed("these are no hypotheses of a family", "make a record of them")
        held = np.clip(np.nan_to_num(np.asarray(values[1], dtype=float)), 0, len(listed) - 1).astype(np.int64)
        return FamilyMixtures(listed.family, listed.components, listed.picks[held], listed.weights[held])


@register("families.settle")
@attrs.frozen
class Settle(_Asked):
    """The hypothesis that is nearest to the worst of its counts; judged good where Theorem 9 holds of it."""

    def quality(self, values: tuple[Any, ...], noise: tuple[float, ...], result: Any) -> Quality | None:
        """Whether every other hypothesis is as near to the result as its own counts allow (Theorem 9)."""
        found = self.fitting(values, noise)
        if found is None or isinstance(result, Failed):
            return None
        known, off, slack = found
        others = np.flatnonzero(off < 0.5)  # no total variation is above 1
        others = others[others != int(result)]
        if len(others) * known.shares.shape[1] > MOST_CHECKED:
            return Quality("unchecked", f"{len(others)} mixtures fit the counts to a half: too many to be compared")
        doubt, allowed = np.append(known.apart(int(result), others) - 2 * off[others], 0.0), ROUGH + 2 * slack
        if doubt.max() > allowed:
            many = int(np.count_nonzero(doubt > allowed))
            return Quality("unchecked", f"{many} other mixtures fit the counts too well for how far off they are")
        return Quality("good", f"told from all other mixtures: within 3·OPT + {allowed + 4 * slack:.2g} of the truth")

    @staticmethod
    def examples() -> list[tuple[Post, tuple[Domain, ...]]]:
        """For the contract battery."""
        return [(Settle(size=4, n=100), (Record(FAMILY_MIXTURES), Array((2,)), Counts(2)))]

    def output(self, *inputs: Domain) -> Domain:
        """Which."""
        self.check(inputs)
        return Index(self.size)

    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """The first of the best."""
        found = self.fitting(values, noise)
        return (
            Failed("these are no hypotheses of a family", "raise max_hypotheses")
            if found is None
            else int(np.argmin(found[1]))
        )


def ask(rows: Handle, net: Handle, *, size: int, n: int, share: float, seed: int, rounds: int = 0) -> Handle:
    """The index of one of up to 2^20 released mixtures of a family, by counting ``rounds`` sets.

    Formal guarantees
    -----------------
    Each count is one histogram of two bins with noise; the sets are functions of released values. Any adjacency. The
    certificate lists what is asserted: that the log-density treats rows one by one.
    """
    if size > MOST_HYPOTHESES:
        raise PlanError(
            f"chooses among at most {MOST_HYPOTHESES} mixtures, not {size}", fix="use fewer members or steps"
        )
    rounds = rounds or rounds_for(size)
    target = rows.tracer.target
    noise = dp.laplace if target is not None and isinstance(target.budget, PureDP) else dp.gaussian
    told: dict[str, Any] = {"size": size, "n": n, "seed": seed}
    said: list[Handle] = []
    for i in range(rounds):
        question = dp.post("families.question", net, *said, name=f"question_{i}", **told)
        pair = dp.post("families.pair", net, question, name=f"pair_{i}")
        sides = dp.row_map(rows, pair, function="families.side", p=1, name=f"side_{i}")
        counts = dp.bin_counts(sides, edges=[0.5], name=f"counts_{i}")
        said += [question, dp.release(f"answer_{i}", noise(share=share / rounds), counts)]
    return dp.post("families.settle", net, *said, name="index", **told)
