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

import numpy as np

from dpframe.kernel.families.registered_models import distances
from dpframe.kernel.families.registering import Semimetric
from dpframe.testing.battery import memos, pasts, sizes, special
from dpframe.testing.battery.attack_averages import average_search
from dpframe.testing.battery.clocks import LONG, spent
from dpframe.testing.battery.endless import followed
from dpframe.testing.battery.lab import Lab
from dpframe.testing.battery.semimetric_points import (
    RELATIVE,
    ULPS,
    Finding,
    Triple,
    distance,
    error_of,
    takes_part,
    triples_of,
)
from dpframe.testing.battery.worlds import Lost, elsewhere

GROSS = 1.01
"""How far beyond the triangle no rounding is."""
RADII = (1.0, 2.0, 10.0, 1e3, 1e6)
"""Multiples of the larger side at which the triangle constant is asked for."""
MOST_ROWS, ROWS = 5000, (2, 33, 400, 5000)
"""Rows at once, for distances that take many: those in the function's code first."""
SECONDS, THOROUGH_SECONDS, CLIMB, NEVER = 1.2, 20.0, 40, 4000


def attack_semimetric(lab: Lab, known: Semimetric, *, thorough: bool = False) -> str:
    """Symmetry, d(a, a) = 0, the restricted triangle, and the same answers with any past; returns the kind."""
    lab.ran("docstring")
    documented(lab, known.name, known.distance)
    seconds = THOROUGH_SECONDS if thorough else SECONDS
    try:
        with followed():
            found, seen = elsewhere(functools.partial(_search, known, seconds))
    except Lost as error:
        lab.lost(error)
        return "semimetric"
    lab.ran(*(("symmetry", "triangle", "purity") if seen or found else ()))
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
        found, most = elsewhere(functools.partial(average_search, known, seconds / 2))
    except Lost as error:
        lab.lost(error, "its averages were not attacked: ")
        return
    if found is not None:
        lab.fail(found.layer, found.message, points=list(found.points))
        return
    lab.note(f"averages: {most:.2g} of the asserted bound found")


def documented(lab: Lab, name: str, function: Any) -> None:
    """It says what it does."""
    if not (inspect.getdoc(function) or "").strip():
        lab.fail("docstring", f"{name!r} has no docstring: say what it does")


def _probes() -> Iterator[tuple[Any, Any]]:
    for d in (1, 2, 3, 7, 10):
        for size in (1.0, 1e-3, 1e6):
            rng = np.random.default_rng([d, 3])
            a = (0.5 + rng.random(d)) * size
            yield a, a * (1 + 0.1 * rng.standard_normal(d))


def _histories(probes: list[Any]) -> list[tuple[str, list[Any]]]:
    alike = [pair for one in probes for pair in zip(*map(memos.alike, one), strict=False)]
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
    found: dict[str, Finding] = {f.layer: f for f in _of_kinds(known)}
    seen = 0
    worst: dict[int, tuple[float, Triple]] = {}
    counts = [*sizes.around(sizes.constants(known.distance), MOST_ROWS), *ROWS]
    for i, triple in enumerate(triples_of(known, rng)):
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


def _of_kinds(known: Semimetric) -> Iterator[Finding]:
    """What breaks the triangle by a percent, by which no rounding does, where values are something as a whole."""
    for triple in special.triples():
        sides = _sides(known, triple)
        if math.isfinite(sides[0] + sides[1]) and sides[2] > GROSS * _allowed(known, *sides[:2]):
            found = _broken(known, triple, sides, ULPS[:1])
            yield from () if found is None else (found,)
    for d in (1, 2) if known.many else ():
        for words, rows in special.batches(d):
            together, alone = distances(known, rows[0], rows), [distance(known, rows[0], row) for row in rows]
            for row, one, other in zip(rows, alone, together, strict=True):
                if one >= 0 and not _alike(known, rows[0], row, one, other):
                    told = f"{words}: a value has another distance beside such rows: {other!r}, alone {one!r}"
                    yield Finding("purity", told, (rows[0], row))
                    return


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
    if math.isfinite(ab) and aa > tiny and aa > tiny + error_of(known, a, a):
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
        if apart > RELATIVE * max(abs(ab), abs(other)) and apart > error_of(known, a, b) + error_of(known, b, a):
            return False
    return True


def _constant(known: Semimetric, r: float) -> float:
    try:
        z = float(known.triangle(r)) if r > 0 else 1.0
    except Exception:  # noqa: BLE001  no constant is asserted there, so that no plan uses it
        return math.inf
    return math.inf if math.isnan(z) else z


def _broken(
    known: Semimetric, triple: Triple, sides: tuple[float, float, float], ulps: tuple[float, ...] = ULPS
) -> Finding | None:
    ab, bc, ac = sides
    allowed = _allowed(known, ab, bc)
    if not ac > allowed * (1 + RELATIVE):
        return None
    a, b, c = triple
    z = allowed / (ab + bc) if ab + bc > 0 else 1.0
    error = z * (error_of(known, a, b, ulps) + error_of(known, b, c, ulps))
    error += error_of(known, a, c, ulps) if math.isfinite(ac) else 0.0
    if not ac > allowed * (1 + RELATIVE) + error:
        return None
    return Finding("triangle", f"d(a, c) = {ac!r} > {z!r}·({ab!r} + {bc!r})", triple)


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
