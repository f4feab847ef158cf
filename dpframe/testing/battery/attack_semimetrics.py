"""Attacks on what a plugin asserts of its own semimetric: symmetry, the restricted triangle, its averages, purity.

Vectors have 1 to 10 coordinates of sizes 1e-6 to 1e12, and the numbers in the function's own code. What is compared
is computed in floats, so each distance is given the error that it shows itself: how far it moves when its arguments
move by ``ULPS`` units in their last places, ``MARGIN`` times over. The largest of them is what it takes to show an
error that comes from cancellation, such as of |a|² + |b|² − 2ab. A violation counts beyond that and beyond one part in
ten million.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import math
from collections.abc import Iterator
from typing import Any

import attrs
import numpy as np

from dpframe.kernel.families.populous import average
from dpframe.kernel.families.registered_models import distances, quiet
from dpframe.kernel.families.registering import Semimetric
from dpframe.testing.battery import pasts, sizes
from dpframe.testing.battery.clocks import LONG, spent
from dpframe.testing.battery.lab import Lab
from dpframe.testing.battery.worlds import Lost, elsewhere

DIMENSIONS = tuple(range(1, 11))
MOST_DIMENSIONS = 64
MAGNITUDES = tuple(10.0**e for e in range(-6, 13))
LENGTHS = (1.0, 2.0, 0.5, 1e-3, 1e-6, 30.0, 1e3, 1e6, 1e9)
"""How far apart points are, next to their own size."""
RELATIVE, ULPS, MARGIN, JITTERS = 1e-7, (2.0**6, 2.0**14, 2.0**22), 8.0, 15
ADDED, MOST_ADDED = 2.0**-48, 1e3
"""Rounding of a sum with a number in the code, by that number, and the largest such number that is thought of."""
RADII = (1.0, 2.0, 10.0, 1e3, 1e6)
"""Multiples of the larger side at which the triangle constant is asked for."""
MOST_ROWS, ROWS = 5000, (2, 33, 400, 5000)
"""Rows at once, for distances that take many: those in the function's code first."""
SECONDS, THOROUGH_SECONDS, CLIMB, NEVER = 1.2, 20.0, 40, 4000
Triple = tuple[Any, Any, Any]


@attrs.frozen
class Finding:
    """A refuted property, with the points."""

    layer: str
    message: str
    points: tuple[Any, ...]


def attack_semimetric(lab: Lab, known: Semimetric, *, thorough: bool = False) -> str:
    """Symmetry, d(a, a) = 0, the restricted triangle, and the same answers with any past; returns the kind."""
    lab.ran("docstring", "symmetry", "triangle", "purity")
    documented(lab, known.name, known.distance)
    seconds = THOROUGH_SECONDS if thorough else SECONDS
    try:
        found, seen = elsewhere(functools.partial(_search, known, seconds))
    except Lost as error:
        lab.lost(error)
        return "semimetric"
    for finding in found:
        lab.fail(finding.layer, finding.message, points=list(finding.points))
    if not seen:
        lab.skip("it has no finite distance between any vectors that were tried")
        return "semimetric"
    if known.averages is not None:
        lab.ran("averages")
        _attack_averages(lab, known, seconds)
    probes = [*_probes()]
    pasts.attack(lab, functools.partial(_answers, known), probes, _histories(probes), seconds=seconds / 2)
    return "semimetric"


def _answers(known: Semimetric, pair: tuple[Any, Any]) -> list[Any]:
    """All that is asked of it: the distance, which of the two are usable, its constant, the bound of its averages."""
    apart = distance(known, *pair)
    averages = None
    with contextlib.suppress(Exception):  # no bound is asserted there, so that no plan uses it
        averages = None if known.averages is None else float(known.averages(1.0, 0.5))
    return [apart, *(takes_part(known, value, 1.0) for value in pair), _constant(known, 1.0), averages]


def _attack_averages(lab: Lab, known: Semimetric, seconds: float) -> None:
    try:
        found, most = elsewhere(functools.partial(_average_search, known, seconds / 2))
    except Lost as error:
        lab.lost(error, "its averages were not attacked: ")
        return
    if found is not None:
        lab.fail(found.layer, found.message, points=list(found.points))
    lab.note(f"averages: {most:.2g} of the asserted bound found")


def documented(lab: Lab, name: str, function: Any) -> None:
    """It says what it does."""
    if not (inspect.getdoc(function) or "").strip():
        lab.fail("docstring", f"{name!r} has no docstring: say what it does")


def distance(known: Semimetric, a: Any, b: Any) -> float:
    """As the kernel asks for it: what raises, and what is no number, is far."""
    try:
        with quiet():
            found = float(np.reshape(known.distance(a.copy(), (b[None] if known.many else b).copy()), 1)[0])
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001  the kernel takes it as far
        return math.inf
    return math.inf if math.isnan(found) else found


def _probes() -> Iterator[tuple[Any, Any]]:
    for d in (1, 2, 3, 7, 10):
        for size in (1.0, 1e-3, 1e6):
            rng = np.random.default_rng([d, 3])
            a = (0.5 + rng.random(d)) * size
            yield a, a * (1 + 0.1 * rng.standard_normal(d))


def _histories(probes: list[Any]) -> list[tuple[str, list[Any]]]:
    alike = [pair for one in probes for pair in zip(*map(pasts.alike, one), strict=False)]
    return [
        ("after far pairs", [(a * 1e9, b * -1e9) for a, b in probes] + [(a * 1e9, b * 1e3) for a, b in probes]),
        ("after near pairs", [(a, a * (1 + 1e-9)) for a, _ in probes] + [(a, a) for a, _ in probes]),
        ("after pairs that are like these", alike),
        ("after many pairs", [(a * (1 + i / 7), b * (1 + i / 5)) for i in range(40) for a, b in probes]),
    ]


# ------------------------------------------------------------------------------------------- search


def _search(known: Semimetric, seconds: float) -> tuple[list[Finding], int]:
    """The worst violations found, one a layer, and how many triples had finite distances."""
    rng = np.random.default_rng(1)
    end = spent() + seconds
    found: dict[str, Finding] = {}
    seen = 0
    worst: dict[int, tuple[float, Triple]] = {}
    counts = [*sizes.around(sizes.constants(known.distance), MOST_ROWS), *ROWS]
    for i, triple in enumerate(_triples(known, rng)):
        if spent() > end and (i > 400 or spent() > end + LONG):
            break
        sides = _sides(known, triple)
        seen += math.isfinite(sides[0])
        for finding in _violations(known, triple, sides):
            found.setdefault(finding.layer, finding)
        score = _score(known, sides)
        d = len(triple[0])
        if score > 0 and (d not in worst or score > worst[d][0]):
            worst[d] = (score, triple)
        if known.many and i % 20 == 0 and counts:
            for finding in _beside(known, triple, counts.pop(0)):
                found.setdefault(finding.layer, finding)
        if found or (not seen and i > NEVER):
            break
    if not found:
        for _, triple in sorted(worst.values(), key=lambda entry: -entry[0])[:4]:
            higher = _climbed(known, triple, rng)
            if higher is not None:
                found.setdefault("triangle", higher)
    return [*found.values()], seen


def _triples(known: Semimetric, rng: np.random.Generator) -> Iterator[Triple]:
    """Points on a line, corners, random ones: first at the size of one in all dimensions, then all sizes."""
    own = [x for c in [*sizes.constants(known.distance), *sizes.constants(known.triangle)] for x in (c, 1 / c)]
    scales = [1.0, *MAGNITUDES, *own]
    dimensions = [*DIMENSIONS, *(m for m in sizes.around(own, MOST_DIMENSIONS) if m not in DIMENSIONS)]
    for round_ in range(10**6):
        for d in dimensions:
            size = 1.0 if round_ == 0 else float(scales[int(rng.integers(len(scales)))])
            length = size * float(LENGTHS[int(rng.integers(len(LENGTHS)))])
            if own and rng.random() < 0.2:
                length = float(own[int(rng.integers(len(own)))]) * float(rng.choice([0.6, 0.9, 1.5]))
            if size > 1e13 or length > 1e18:
                continue
            yield from _placed(d, size, length, rng)


def _placed(d: int, size: float, length: float, rng: np.random.Generator) -> Iterator[Triple]:
    base = size * (0.5 + rng.random(d))
    if rng.random() < 0.4:
        base = base * rng.choice([-1.0, 0.0, 1.0], d)
    way, other = length * rng.standard_normal(d), length * rng.standard_normal(d)
    axis = length * np.eye(d)[int(rng.integers(d))]
    second = length * np.eye(d)[int(rng.integers(d))]
    share = float(rng.choice([0.5, 0.5, rng.random(), 1e-3]))
    for step in (way, axis):
        yield base, base + share * step, base + step
    yield base, base + axis, base + axis + second
    yield base + way, base, base + other
    yield base, base * float(rng.choice([1.5, 3.0, 1e3])), base * float(rng.choice([2.0, 9.0, 1e6]))
    with np.errstate(all="ignore"):
        grown = [base * np.exp(t * rng.standard_normal(d)) for t in (0.5, 2.0)]
    yield base, grown[0], grown[1]
    yield np.abs(base), np.abs(grown[0]), np.abs(base + way) + 1e-9 * size


def _sides(known: Semimetric, triple: Triple) -> tuple[float, float, float]:
    a, b, c = triple
    return distance(known, a, b), distance(known, b, c), distance(known, a, c)


def _allowed(known: Semimetric, ab: float, bc: float) -> float:
    """The least that the triangle inequality allows, over the radii that both sides are within."""
    r = max(ab, bc)
    return min(_constant(known, r * factor) for factor in RADII) * (ab + bc)


def _score(known: Semimetric, sides: tuple[float, float, float]) -> float:
    ab, bc, ac = sides
    if not (math.isfinite(ab) and math.isfinite(bc) and max(ab, bc) > 0):
        return 0.0
    allowed = _allowed(known, ab, bc)
    return ac / allowed if allowed > 0 else 0.0


def _violations(known: Semimetric, triple: Triple, sides: tuple[float, float, float]) -> Iterator[Finding]:
    a, b, c = triple
    ab, bc, ac = sides
    ba, aa = distance(known, b, a), distance(known, a, a)
    if ab != distance(known, a, b):
        yield Finding("purity", "the same two values have another distance the second time", (a, b))
        return
    if known.many and ab >= 0 and not _alike(known, a, b, ab, *distances(known, a, np.array([c, b, a, b]))[[1, 3]]):
        yield Finding("purity", "the same two values have another distance beside other rows", (a, b))
        return
    if not _alike(known, a, b, ab, ba):
        yield Finding("symmetry", f"d(a, b) = {ab!r} and d(b, a) = {ba!r}", (a, b))
    if min(ab, bc, ac, ba) < 0:
        yield Finding("symmetry", f"the least distance is {min(ab, bc, ac, ba)!r}, below 0", (a, b, c))
    tiny = 1e-9 * max(1.0, ab)
    if math.isfinite(ab) and aa > tiny and aa > tiny + _error(known, a, a):
        yield Finding("symmetry", f"d(a, a) = {aa!r}", (a,))
    if not (math.isfinite(ab) and math.isfinite(bc) and max(ab, bc) >= 0):
        return
    z = _constant(known, max(ab, bc))
    if not z >= 1:
        yield Finding("triangle", f"triangle({max(ab, bc)!r}) is {z!r}, below 1", (a, b, c))
    found = _broken(known, triple, sides)
    if found is not None:
        yield found


def _beside(known: Semimetric, triple: Triple, count: int) -> Iterator[Finding]:
    """One value and many rows at once: each distance is that of the row alone."""
    a, b, c = triple
    rows = np.resize(np.array([b, c, a, b, a + (c - b)]), (count, len(a)))
    for place in (0, count // 2, count - 1):
        together, alone = distances(known, a, rows)[place], distance(known, a, rows[place])
        if alone >= 0 and not _alike(known, a, rows[place], alone, together):
            words = f"a value has another distance beside {count} rows: {float(together)!r}, alone {alone!r}"
            yield Finding("purity", words, (a, b))
            return


def _alike(known: Semimetric, a: Any, b: Any, ab: float, *others: float) -> bool:
    """Whether they are the same, but for rounding."""
    for other in others:
        if not (math.isfinite(ab) and math.isfinite(other)):
            if math.isfinite(ab) != math.isfinite(other):
                return False
            continue
        apart = abs(ab - other)
        if apart > RELATIVE * max(abs(ab), abs(other)) and apart > _error(known, a, b) + _error(known, b, a):
            return False
    return True


def _constant(known: Semimetric, r: float) -> float:
    try:
        z = float(known.triangle(r)) if r > 0 else 1.0
    except Exception:  # noqa: BLE001  no constant is asserted there, so that no plan uses it
        return math.inf
    return math.inf if math.isnan(z) else z


def _broken(known: Semimetric, triple: Triple, sides: tuple[float, float, float]) -> Finding | None:
    ab, bc, ac = sides
    allowed = _allowed(known, ab, bc)
    if not ac > allowed * (1 + RELATIVE):
        return None
    a, b, c = triple
    z = allowed / (ab + bc) if ab + bc > 0 else 1.0
    error = z * (_error(known, a, b) + _error(known, b, c)) + (_error(known, a, c) if math.isfinite(ac) else 0.0)
    if not ac > allowed * (1 + RELATIVE) + error:
        return None
    return Finding("triangle", f"d(a, c) = {ac!r} > {z!r}·({ab!r} + {bc!r})", triple)


def _error(known: Semimetric, a: Any, b: Any) -> float:
    """How far the distance moves when its arguments move in their last bits, with a margin.

    And the rounding of what is added to the numbers in its code, such as a turn of a circle: that is there however
    small its arguments are.
    """
    rng = np.random.default_rng(2)
    centre = distance(known, a, b)
    most = 0.0
    for i in range(JITTERS):
        unit = ULPS[i % len(ULPS)] * 2.0**-52
        near = [x * (1 + unit * rng.uniform(-1, 1, len(x))) for x in (a, b)]
        found = distance(known, *near)
        if math.isfinite(found):
            most = max(most, abs(found - centre))
    added = max((abs(x) for x in sizes.numbers(known.distance) if abs(x) <= MOST_ADDED), default=0.0)
    return MARGIN * most + ADDED * max(added, 1.0)


def _climbed(known: Semimetric, triple: Triple, rng: np.random.Generator) -> Finding | None:
    """Move the points of the worst triple as long as that makes it worse."""
    best, step = triple, 0.3
    score = _score(known, _sides(known, best))
    spread = max(float(np.abs(best[0] - best[2]).max()), 1e-300)
    for _ in range(CLIMB):
        moved = tuple(p + step * spread * rng.standard_normal(len(p)) * (rng.random(len(p)) < 0.6) for p in best)
        sides = _sides(known, moved)
        if _score(known, sides) > score:
            best, score = moved, _score(known, sides)
            found = _broken(known, best, sides)
            if found is not None:
                return found
        else:
            step *= 0.9
    return None


# ----------------------------------------------------------------------------------------- averages


def _average_search(known: Semimetric, seconds: float) -> tuple[Finding | None, float]:
    """Values that are pairwise within r, two weightings of them: their averages are within the asserted bound.

    Returns a violation, and the largest share of the bound that was found.
    """
    rng = np.random.default_rng(3)
    end, most = spent() + seconds, 0.0
    for i, triple in enumerate(_triples(known, rng)):
        if spent() > end and (i > 100 or spent() > end + LONG):
            break
        points = [*triple, *(triple[j] for j in rng.integers(0, 3, 3))][: int(rng.integers(2, 7))]
        r = max(distance(known, p, q) for p in points for q in points)
        if not 0 < r < math.inf or not all(takes_part(known, p, r) for p in points):
            continue
        found, share = _averaged(known, points, r, *_weightings(len(points), rng, ends=i % 3 == 0))
        if found is not None:
            return found, share
        most = max(most, share)
    return None, most


def takes_part(known: Semimetric, value: Any, r: float) -> bool:
    """Whether a value is usable, as the kernel asks."""
    try:
        return known.usable is None or bool(known.usable(value.copy(), r))
    except Exception:  # noqa: BLE001  the kernel leaves it out
        return False


def _weightings(count: int, rng: np.random.Generator, *, ends: bool) -> tuple[Any, Any]:
    """Whole weights of some values, twice; ``ends``: all on one of them, and all on another."""
    if ends:
        first, second = np.eye(count, dtype=np.int64)[rng.choice(count, 2, replace=False)]
        return first, second
    before, after = rng.integers(0, 8, (2, count)) * (rng.random((2, count)) < 0.7)
    return before, after


def _averaged(known: Semimetric, points: list[Any], r: float, before: Any, after: Any) -> tuple[Finding | None, float]:
    if not (before.sum() and after.sum()):
        return None, 0.0
    tau = float(np.maximum(before / before.sum() - after / after.sum(), 0).sum())
    if not tau > 0:
        return None, 0.0
    try:
        bound = float(known.averages(r, tau)) if known.averages is not None else math.inf
    except Exception:  # noqa: BLE001  no bound is asserted there, so that no plan uses it
        return None, 0.0
    shown = (*points, before, after)
    if not bound > 0:  # no plan takes such a bound
        return None, 0.0
    ends = [average(np.array(points), weights) for weights in (before, after)]
    apart = distance(known, *ends)
    if apart > bound * (1 + RELATIVE) and apart > bound * (1 + RELATIVE) + _error(known, *ends):
        text = f"averages by weights {tau:.3g} apart have the distance {apart!r}, asserted {bound!r}"
        return Finding("averages", text, shown), apart / bound
    return None, min(apart / bound, 1.0)
