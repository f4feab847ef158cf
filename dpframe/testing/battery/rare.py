"""Thousands of different numbers at once: one of them may be of a kind that a function treats in a way of its own.

What a function asks of a number (whether it is a leap day, a perfect square, ends in .99, passes a checksum) is often
no comparison that can be heard. So one batch holds many numbers of each common kind, and a few plain rows are asked for
alone and among them. Rows whose columns are bound to each other (a total, a square, two numbers of the code) come in
batches of their own.
"""

from __future__ import annotations

import functools
import itertools
import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

EACH, PLAIN, LEAST_RUN, PIECES = 700, 4, 5, 12
"""Random numbers of a kind; plain rows that are asked for alone; digits of a text that hold numbers; see below."""
MOST_OWN = 12
"""Numbers of the code that are put together, two in a row."""
DAY = 86400
TURNS = (2.0, 10.0, 100.0, 1000.0, 60.0, 3600.0, 24.0, 7.0, 12.0, 365.0, 0.5, 0.1, 0.01, 0.001, 1e6, 1.1, 1.2, -1.0)
FORMS: tuple[Any, ...] = (
    *(np.square, np.sqrt, np.cbrt, np.reciprocal, np.log, np.log1p, np.log2, np.log10, np.exp, np.expm1, np.exp2),
    *(np.sin, np.cos, np.tan, np.arctan, np.tanh, np.degrees, np.radians, np.floor, np.abs, np.sign),
    *(lambda x: x**3, lambda x: 1.8 * x + 32, lambda x: x % 10, lambda x: x % 7, lambda x: x // 10, lambda x: x % 1),
)
JOINED: tuple[Any, ...] = (
    *(np.add, np.subtract, np.multiply, np.divide, np.hypot, np.maximum, np.minimum, np.arctan2),
    *(lambda x, y: (x + y) / 2, lambda x, y: x * x + y * y, lambda x, y: x / y**2, lambda x, y: 100 * x / y),
    *(lambda x, y: x * x * y, lambda x, y: np.sqrt(np.abs(x * y)), lambda x, y: x * y / 2, lambda x, y: np.abs(x - y)),
)
"""How one column may be made of another, or of two."""
TOTALS = (0.0, 1.0, 2.0, 10.0, 24.0, 60.0, 100.0, 180.0, 360.0, 1000.0)


@functools.cache
def whole() -> tuple[Any, ...]:
    """Whole numbers of many kinds, each as an array."""
    rng = np.random.default_rng(15)
    days, small = np.arange(15000), np.arange(2048)
    date = np.datetime64("1985-01-01") + days
    year = date.astype("datetime64[Y]").astype(int) + 1970
    month = date.astype("datetime64[M]").astype(int) % 12 + 1
    day = (date - date.astype("datetime64[M]")).astype(int) + 1
    ten = 10 ** np.arange(3, 16)
    digits = [rng.integers(t // 10, t, EACH) for t in ten]
    half = rng.integers(10, 10**4, 300).astype(str).tolist()
    powers = [b**k for b in (2, 3, 5, 6, 7, 10) for k in range(1, 52) if b**k < 1e15]
    pairs: list[int] = [1, 2]
    while pairs[-1] < 1e14:
        pairs.append(pairs[-1] + pairs[-2])
    return (
        small,
        *digits,
        (year * 10000 + month * 100 + day)[rng.permutation(len(days))[: 4 * EACH]],
        days[rng.permutation(len(days))[: 2 * EACH]] + 5479,
        days[rng.permutation(len(days))[: 2 * EACH]] + 724276,
        rng.integers(0, 20000, EACH) * DAY,
        rng.integers(0, 20000, EACH // 2) * DAY * 1000,
        rng.integers(0, 480000, EACH) * 3600,
        rng.integers(1, 1000, EACH)[:, None].ravel() * 10 ** rng.integers(1, 9, EACH),
        np.array([int(s + s[::-1]) for s in half] + [int(s + s[-2::-1]) for s in half]),
        np.array([int(str(c) * n) for c in range(1, 10) for n in range(2, 16)]),
        np.arange(1, 400) ** 2,
        np.arange(1, 120) ** 3,
        np.arange(1, 400) * np.arange(2, 401) // 2,
        np.array([math.factorial(k) for k in range(2, 18)] + powers + [x - 1 for x in powers] + pairs),
    )


@functools.cache
def fractions() -> tuple[Any, ...]:
    """Numbers that are not whole, each kind as an array."""
    rng = np.random.default_rng(16)
    k = np.arange(1.0, 300.0)
    bits = rng.integers(2**20, 2**52, (8, EACH // 4))
    ones = [(bits[i] >> n << n) | (2**n - 1) for i, n in enumerate((8, 12, 16, 20, 24, 32, 40, 48))]
    single = np.float64(rng.standard_normal(EACH).astype(np.float32))
    return (
        rng.standard_normal(EACH) * 10,
        rng.integers(0, 10**5, EACH) + 0.99,
        rng.integers(0, 10**5, EACH) / 2,
        rng.integers(0, 10**7, 4 * EACH) / 100,
        rng.integers(0, 10**5, EACH) / 10,
        rng.integers(0, 10**7, EACH) / 1000,
        *(1 / k, k / 3, k / 7, np.sqrt(k), np.log(k + 1), k * math.pi, k * math.pi / 12, k * math.e, 1.1**k),
        np.ldexp(rng.random(2 * EACH) + 1, np.resize(np.arange(-300, 300), 2 * EACH)),
        *(np.ldexp(x + 2.0**52, int(e)) for x, e in zip(ones, (-50, -52, -45, -40, -52, -48, -44, -51), strict=True)),
        single,
        np.float64(single.astype(np.float16)),
    )


def thinned(numbers: Any, most: int) -> Any:
    """So many of these, evenly."""
    return numbers[:: max(1, len(numbers) // most)][:most]


def of_texts(texts: Iterable[str]) -> Any:
    """The numbers whose digits stand one after the other in these.

    Examples
    --------
    >>> of_texts(["no. 314159"]).tolist()
    [314.0, 3141.0, 31415.0, 314159.0, 141.0, 1415.0, 14159.0, 415.0, 4159.0, 159.0]
    """
    runs = [run for text in texts for run in re.findall(rf"\d{{{LEAST_RUN},}}", text)][:8]
    made = [float(r[i : i + n]) for r in runs for i in range(min(len(r), 64)) for n in range(3, 9) if i + n <= len(r)]
    return np.array([*dict.fromkeys(made)], dtype=np.float64)


def bound(d: int, own: Sequence[float]) -> Iterator[Any]:
    """Rows of d > 1 columns that are bound to each other, each kind as an array."""
    rng = np.random.default_rng(17)
    base = np.concatenate([np.arange(1.0, 40.0), rng.integers(1, 10**4, 60) / 4, -np.arange(1.0, 12.0)])
    known = [*dict.fromkeys(own)][:MOST_OWN]

    def ended(first: Any, last: Any) -> Any:
        rows = np.round(rng.standard_normal((len(first), d)) * 8) / 2
        rows[:, 0], rows[:, -1] = first, last
        return rows

    for turn in TURNS:
        yield ended(base, base * turn)
        yield ended(base * turn, base)
    with np.errstate(all="ignore"):
        for form in FORMS:
            made = form(base)
            held = np.isfinite(made) & (np.abs(made) < 1e12)
            yield ended(base[held], made[held])
            yield ended(made[held], base[held])
    for step in (1.0, 2.0, 12.0, 30.0, 90.0, 1000.0):
        yield ended(base, base + step)
    yield ended(base, base)
    for total in TOTALS:  # of all columns, exactly
        rows = rng.integers(-8, 40, (40, d)) / 4
        rows[:, -1] += total - rows.sum(axis=1)
        yield rows
        yield ended(base[:60], total - base[:60])
        yield ended(base[base > 0], total / base[base > 0])
    at = np.arange(float(d))
    yield np.concatenate([base[:40, None] + step * at for step in (1.0, -1.0, 2.0, 10.0)])
    yield np.concatenate([base[:12, None] * ratio ** np.minimum(at, 12) for ratio in (2.0, 10.0, 0.5, -1.0)])
    mirrored = rng.integers(-9, 9, (40, d)) * 1.0
    mirrored[:, d - d // 2 :] = mirrored[:, : d // 2][:, ::-1]
    yield mirrored
    yield np.sort(rng.standard_normal((20, d)), axis=1)
    yield rng.integers(0, 2, (40, d)) * 1.0
    if d > 2:
        one, other = rng.integers(1, 30, (2, EACH // 10)) * rng.choice([1.0, 0.5, -1.0], (2, EACH // 10))
        for joined in JOINED:
            rows = ended(one, joined(one, other))
            rows[:, 1] = other
            yield rows
        legs = np.array([(3, 4, 5), (5, 12, 13), (8, 15, 17), (7, 24, 25), (20, 21, 29), (4, 3, 5)], dtype=np.float64)
        for n in (1.0, 2.0, 0.25):
            yield np.hstack([legs * n, np.zeros((len(legs), d - 3))])
    factors = np.array([7.0, 11, 13, 17, 19, 23, 97, 101, *(abs(x) for x in known if 2 <= abs(x) < 1e5)])
    yield np.concatenate([ended(f * np.array([2.0, 3, 5, 8, 9]), f * np.array([3.0, 7, 4, 9, 1])) for f in factors])
    several = [*itertools.permutations(known, 2)]
    if several:
        one, other = np.array(several).T
        yield ended(one, other)
        rows = ended(one, other)
        rows[:, 1] = other
        yield rows
        yield np.resize(np.array(known), (len(known), d)) if len(known) >= d else np.resize(known, (1, d))


def batches(d: int, own: Sequence[float], texts: Iterable[str], plain: Any) -> Iterator[Any]:
    """Batches of different numbers in every column, those at :data:`PLAIN` plain rows first; mixed, and then by kinds.

    Examples
    --------
    >>> made = [*batches(2, [], [], np.ones((4, 2)))]
    >>> len(made), made[0].shape[1], made[0][:4].tolist()
    (3, 2, [[1.0, 1.0], [1.0, 1.0], [1.0, 1.0], [1.0, 1.0]])
    """
    for kinds in ((*whole(), of_texts(texts)), (*fractions(), *(-x for x in fractions()[:4]))):
        column = np.concatenate(kinds).astype(np.float64)
        turn = len(column) // (d + 1)
        yield np.vstack([plain, np.stack([np.roll(column, -j * turn) for j in range(d)], axis=1)])
    if d > 1:
        yield np.vstack([plain, *bound(d, own)])


def parts(batch: Any) -> Iterator[Any]:
    """The batch in pieces, each after the plain rows."""
    plain, rest = batch[:PLAIN], batch[PLAIN:]
    for piece in np.array_split(rest, PIECES):
        yield np.vstack([plain, piece])


def among_many(image: Callable[[Any], Any], given: Iterable[Any], late: Callable[[], bool]) -> Iterator[dict[str, Any]]:
    """What tells that a plain row's image is another among many different rows than alone.

    A batch that the function refuses as a whole is tried in :data:`PIECES`. ``image`` gives images and which of them
    are valid, or None.
    """
    for batch in given:
        alone = [image(batch[i : i + 1]) for i in range(PLAIN)]
        for part in (batch, *parts(batch)):
            there = None if late() or any(one is None for one in alone) else image(part)
            if there is None:
                continue
            for i, (known, valid) in enumerate(alone):
                if valid[0] != there[1][i] or (valid[0] and not (there[0][i] == known[0]).all()):
                    message = f"a row's image is not the same among {len(part) - 1} different rows, which change it"
                    others = _fewer(image, part[i : i + 1], np.delete(part, i, axis=0), known)
                    yield {"message": message, "row": part[i], "other_rows": others, "alone": known[0]}
                    return
            break


def _fewer(image: Callable[[Any], Any], row: Any, others: Any, known: Any) -> Any:
    """Few rows that change the image, by halves."""
    while len(others) > 1:
        for piece in np.array_split(others, 2):
            made = image(np.vstack([row, piece]))
            if made is not None and not (made[0][0] == known[0]).all():
                others = piece
                break
        else:
            break
    return others[:3]
