"""An enumerator in place of the samplers: every value of noise, with its known probability, through the real release.

A release is run again and again. Where it asks for noise, the stand-in answers with the next value that has not been
tried, most probable first, and keeps the probability that the law of the scale *asked for* gives it. What comes out is
the exact law of the release, up to a mass that is known: nothing is sampled.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import math
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import attrs
import numpy as np

import dpframe.kernel.noise as noise_room
from dpframe.kernel.noise import Source
from dpframe.kernel.own.sampler import Sampler

Outcomes = tuple[tuple[Any, float], ...]
"""Values with their probabilities, most probable first."""
ADDITIVE = ("discrete_laplace", "rounded_gaussian", "discrete_gaussian")
SELECTING = ("categorical_exp", "permute_and_flip")
SAMPLERS = (*ADDITIVE, *SELECTING, "bernoulli_exp", "uniform_below", "permutation")
SUPPORT = 3000
"""Most values of one coordinate; a wider law is not enumerated."""
MOST_TOGETHER = 3
"""Numbers below a high bound that are looked at together."""
FEW_SIDES = 32
"""Up to so many sides of a coin are always tried one by one."""
MOST_ASKED = 40
"""Calls of samplers in a run that is answered for."""


class Unenumerable(BaseException):  # must pass through whatever a release catches
    """Noise was asked for that has too many values."""


class Elsewhere(BaseException):  # the same
    """Words of the source were asked for, past the samplers."""


class Ask(BaseException):
    """The release asks for noise beyond the script."""

    def __init__(self, outcomes: Outcomes) -> None:
        super().__init__("noise")
        self.outcomes = outcomes


class Sides(BaseException):
    """The release asks for a number below a bound that is too high to try them all."""

    def __init__(self, bound: int) -> None:
        super().__init__("sides")
        self.bound = bound


# ---------------------------------------------------------------------------------------------- laws


def _two_sided(mass: Callable[[int], float], floor: float) -> Outcomes:
    """Each z and its probability, outwards from 0, until both fall below the floor."""
    out: list[tuple[int, float]] = [(0, mass(0))]
    for z in itertools.count(1):
        p = mass(z)
        if p < floor:
            return tuple(out)
        out += [(z, p), (-z, p)]
        if len(out) > SUPPORT:
            raise Unenumerable
    raise Unenumerable


@functools.lru_cache(maxsize=512)
def law(name: str, scale: float, floor: float) -> Outcomes:
    """The law of one draw of a named sampler, from its definition.

    Examples
    --------
    >>> [(z, round(p, 3)) for z, p in law("discrete_laplace", 1.0, 0.1)]
    [(0, 0.462), (1, 0.17), (-1, 0.17)]
    """
    if scale == 0:
        return ((0, 1.0),)
    if name == "discrete_laplace":
        q = math.exp(-1 / scale)
        return _two_sided(lambda z: (1 - q) / (1 + q) * math.exp(-z / scale), floor)
    if scale > SUPPORT:
        raise Unenumerable
    if name == "rounded_gaussian":
        root = scale * math.sqrt(2)
        return _two_sided(
            lambda z: (
                math.erf(0.5 / root) if z == 0 else (math.erfc((z - 0.5) / root) - math.erfc((z + 0.5) / root)) / 2
            ),
            floor,
        )
    total = 1 + 2 * math.fsum(math.exp(-z * z / (2 * scale * scale)) for z in range(1, int(40 * scale) + 2))
    return _two_sided(lambda z: math.exp(-z * z / (2 * scale * scale)) / total, floor)


MOST_JOINT = 200_000


@functools.lru_cache(maxsize=2048)
def joint(one: Outcomes, count: int, floor: float) -> Outcomes:
    """``count`` independent draws, without what is less probable than the floor."""
    found: list[tuple[tuple[Any, ...], float]] = [((), 1.0)]
    for _ in range(count):
        longer = []
        for values, p in found:
            for value, mass in one:
                if p * mass < floor:
                    break
                longer.append(((*values, value), p * mass))
            if len(longer) > MOST_JOINT:
                raise Unenumerable
        found = longer
    return tuple(sorted(found, key=lambda pair: -pair[1]))


@functools.lru_cache(maxsize=2048)
def _drawn(name: str, scale: float, count: int, floor: float) -> Outcomes:
    return joint(law(name, scale, floor), count, floor)


def drawn(name: str, scale: float, count: int, floor: float) -> Outcomes:
    """``count`` draws of a sampler: those above the floor, and some below, as for the next lower power of 2.

    Runs of other probability have other floors, and so few laws.
    """
    try:
        return _drawn(name, scale, count, 2.0 ** math.floor(math.log2(floor)))
    except Unenumerable:
        return _drawn(name, scale, count, floor)


def selection_law(name: str, scores: Any, rate: float) -> Outcomes:
    """Indices by the exponential mechanism, or by permute-and-flip: all coins are flipped, a uniform head is chosen."""
    top = max(int(s) for s in scores)
    heads = [math.exp(-float((top - int(s)) * Fraction(rate))) for s in scores]
    if name == "categorical_exp":
        return tuple((i, h / math.fsum(heads)) for i, h in enumerate(heads))
    if len(heads) > 8:
        raise Unenumerable
    out = [0.0] * len(heads)
    for coins in itertools.product((True, False), repeat=len(heads)):
        p = math.prod(h if c else 1 - h for h, c in zip(heads, coins, strict=True))
        for i, shown in enumerate(coins):
            out[i] += p / sum(coins) if shown else 0.0
    return tuple(enumerate(out))


# ------------------------------------------------------------------------------------------- stand-ins


def later_sides(bound: int) -> tuple[int, int, int]:
    """What a coin that is asked for beyond a script is given, one for each tape."""
    return bound // 3, 0, bound - 1


@attrs.define(eq=False)
class Script:
    """What the stand-ins answer in one run: the script first, then a question.

    Attributes
    ----------
    values : tuple
        Answers, one a call.
    floor : float
        Joint values that are less probable are left out.
    asked : list
        Every call: sampler, scale (of selections the rate), and how many values.
    then : int, optional
        What answers after the script: the so many-th of the possible values, instead of a question.
    coins : tuple of int
        Sides of coins of many sides, in the order in which they are asked for, whatever noise is drawn between them.
    by_pieces : bool
        Whether coins of more than :data:`FEW_SIDES` sides are among these, not only of more than :data:`SUPPORT`.
    lenient : bool
        With ``then``: coins beyond ``coins`` are answered too, at a third, at the first and at the last side.
    """

    values: tuple[Any, ...]
    floor: float = 1e-9
    asked: list[tuple[str, Any, int]] = attrs.Factory(list)
    then: int | None = None
    coins: tuple[int, ...] = ()
    by_pieces: bool = False
    lenient: bool = False
    tossed: int = 0

    def answer(self, name: str, scale: Any, count: int, outcomes: Callable[[], Outcomes]) -> Any:
        """The next value of the script."""
        self.asked.append((name, scale, count))
        drawn = len(self.asked) - self.tossed
        if drawn <= len(self.values):
            return self.values[drawn - 1]
        if self.then is None or len(self.asked) > MOST_ASKED:
            raise Ask(outcomes())
        known = outcomes()
        return known[min(self.then, len(known) - 1)][0]

    def toss(self, bound: int) -> int:
        """The next side of a coin of many sides."""
        self.asked.append(("uniform_below", bound, 1))
        self.tossed += 1
        if self.tossed <= len(self.coins):
            return min(self.coins[self.tossed - 1], bound - 1)
        if not self.lenient or self.then is None or len(self.asked) > MOST_ASKED:
            raise Sides(bound)
        return later_sides(bound)[self.then]

    def additive(self, name: str) -> Callable[..., Any]:
        """A stand-in for a sampler of integers with a scale."""

        def draw(source: Any, scale: Any, size: Any) -> Any:
            shape = size if isinstance(size, tuple) else (int(size),)
            count, known = math.prod(shape), float(scale)
            values = self.answer(name, scale, count, lambda: drawn(name, known, count, self.floor))
            return _integers(values).reshape(shape)

        return draw

    def selecting(self, name: str) -> Callable[..., Any]:
        """A stand-in for a choice of an index by scores."""

        def draw(source: Any, scores: Any, scale: Any, size: Any = ()) -> Any:
            shape = size if isinstance(size, tuple) else (int(size),)
            count = math.prod(shape)
            drawn = self.answer(
                name, scale, count, lambda: joint(_descending(selection_law(name, scores, scale)), count, self.floor)
            )
            return np.array(drawn, dtype=np.int64).reshape(shape)

        return draw

    def biased(self, source: Any, gamma: Any) -> Any:
        """Coins of bias exp(−γ)."""
        flat = [math.exp(-float(g)) for g in np.ravel(np.asarray(gamma, dtype=object))]
        if len(flat) > 10:
            raise Unenumerable

        def outcomes() -> Outcomes:
            each = [((True, p), (False, 1 - p)) for p in flat]
            found = [(tuple(c for c, _ in row), math.prod(p for _, p in row)) for row in itertools.product(*each)]
            return _descending(tuple(found))

        drawn = self.answer("bernoulli_exp", None, len(flat), outcomes)
        return np.array(drawn, dtype=np.bool_).reshape(np.shape(gamma))

    def uniform(self, source: Any, bound: int, size: Any) -> Any:
        """Uniform integers."""
        shape = size if isinstance(size, tuple) else (int(size),)
        count = math.prod(shape)
        if count != 1 and bound > FEW_SIDES and bound**count > SUPPORT:
            if count > MOST_TOGETHER:
                raise Unenumerable
            each = [int(self.uniform(source, bound, 1)[0]) for _ in range(count)]
            return _integers(each).reshape(shape)
        if count == 1 and bound > (FEW_SIDES if self.by_pieces else SUPPORT):
            return _integers((self.toss(int(bound)),)).reshape(shape)
        one = tuple((i, 1 / bound) for i in range(bound))
        drawn = self.answer("uniform_below", bound, count, lambda: joint(one, count, self.floor))
        return _integers(drawn).reshape(shape)

    def one_sided(self, scale: float, size: int = 1) -> Any:
        """Exponential noise on the lattice (:meth:`dpframe.kernel.own.sampler.Sampler.geometric`)."""
        q, known = math.exp(-1 / scale), self.floor
        most = min(SUPPORT, math.ceil(-scale * math.log(known)) + 1) if known < 1 else 1
        one = tuple(((1 - q) * q**g, g) for g in range(most))
        outcomes = tuple((g, p) for p, g in one)
        drawn = self.answer("geometric", scale, size, lambda: joint(outcomes, size, known))
        return _integers(drawn)

    def orders(self, source: Any, n: int) -> Any:
        """Uniform orders."""
        if n > 6:
            raise Unenumerable
        every = tuple((order, 1 / math.factorial(n)) for order in itertools.permutations(range(n)))
        return np.array(self.answer("permutation", n, 1, lambda: every), dtype=np.int64)

    def stand_in(self, name: str) -> Callable[..., Any]:
        """What answers for a sampler."""
        if name in ADDITIVE:
            return self.additive(name)
        if name in SELECTING:
            return self.selecting(name)
        others: dict[str, Callable[..., Any]] = {
            "bernoulli_exp": self.biased,
            "uniform_below": self.uniform,
            "permutation": self.orders,
        }
        return others[name]


def _integers(values: Any) -> Any:
    if all(-(2**62) < v < 2**62 for v in values):
        return np.array(values, dtype=np.int64)
    return np.array([int(v) for v in values], dtype=object)


def _descending(outcomes: Outcomes) -> Outcomes:
    return tuple(sorted(outcomes, key=lambda pair: -pair[1]))


class NoBits(Source):
    """A source that has no words: all noise must come from the samplers."""

    __slots__ = ()

    @property
    def simulated(self) -> bool:
        """True."""
        return True

    def words(self, count: int) -> Any:
        """Refuse."""
        raise Elsewhere

    def child(self, label: str) -> NoBits:
        """Itself."""
        return self


@contextlib.contextmanager
def standing_in() -> Iterator[list[Script]]:
    """Replace the samplers, wherever the kernel has imported them; the last script in the list answers."""
    scripts: list[Script] = []
    real = {name: getattr(noise_room, name) for name in SAMPLERS}
    stand_ins = {name: _relay(scripts, name) for name in real}
    kept: list[tuple[Any, str, Any]] = []
    for module in [m for name, m in list(sys.modules.items()) if name.startswith("dpframe.kernel")]:
        for attribute, thing in list(vars(module).items()):
            for name, sampler in real.items():
                if thing is sampler:
                    kept.append((module, attribute, sampler))
                    setattr(module, attribute, stand_ins[name])
    geometric = Sampler.geometric  # drawn by rejection from many: it has a stand-in of its own
    kept.append((Sampler, "geometric", geometric))
    Sampler.geometric = lambda self, scale, size=1: scripts[-1].one_sided(scale, size)  # type: ignore[method-assign]
    try:
        yield scripts
    finally:
        for module, attribute, sampler in kept:
            setattr(module, attribute, sampler)


def _relay(scripts: list[Script], name: str) -> Callable[..., Any]:
    def draw(*given: Any, **named: Any) -> Any:
        return scripts[-1].stand_in(name)(*given, **named)

    return draw
