"""Attacks on what a plugin asserts of its own semimetric and mask: hypotheses of Theorem 4.3.1."""

from __future__ import annotations

import inspect
import math
from itertools import pairwise
from typing import Any

import numpy as np

from dpframe.errors import DpframeError
from dpframe.kernel.families.registered_mask import RegisteredMask
from dpframe.kernel.registry import Mask, Semimetric, find_semimetric
from dpframe.proof.roots import boundary
from dpframe.testing.battery.lab import Lab

DIMENSIONS, TRIPLES, SLACK = (1, 2, 3), 300, 1 + 1e-7
DRAWS, FALSE_ALARM = 20_000, 1e-6
RHOS, RADII = (0.02, 0.3), (0.5, 0.1)


def attack_semimetric(lab: Lab, known: Semimetric) -> str:
    """Symmetry, d(a, a) = 0, the restricted triangle and purity on random vectors; returns the kind."""
    lab.ran("docstring", "symmetry", "triangle", "purity", "totality")
    _documented(lab, known.name, known.distance)
    seen = 0
    for i in lab.rounds(TRIPLES):
        a, b, c = _vectors(lab.rng, DIMENSIONS[i % len(DIMENSIONS)])
        pairs = [_distance(known, *pair) for pair in ((a, b), (b, c), (a, c), (b, a), (a, a), (a, b))]
        if not all(math.isfinite(p) for p in pairs):
            continue
        seen += 1
        ab, bc, ac, ba, aa, again = pairs
        if ab != again:
            lab.fail("purity", "the same two values have another distance the second time", a=a, b=b)
        if abs(ab - ba) > 1e-9 * max(ab, ba):
            lab.fail("symmetry", f"d(a, b) = {ab!r} and d(b, a) = {ba!r}", a=a, b=b)
        if min(pairs) < 0 or aa > 1e-9:
            lab.fail("symmetry", f"d(a, a) = {aa!r}, and the least distance is {min(pairs)!r}", a=a, b=b)
        _triangle(lab, known, (ab, bc, ac), (a, b, c))
    if not seen:
        lab.fail("totality", f"semimetric {known.name!r} has no finite distance between any vectors that were tried")
    return "semimetric"


def attack_mask(lab: Lab, known: Mask) -> str:
    """The cost falls with the noise, and at its price the mask tells no more of two near values than ρ allows.

    For ρ-zCDP two laws differ by at most √(ρ/2) in total variation (Pinsker). Kolmogorov's distance of draws, less what
    chance can do but for 1e-6 (DKW), is a lower bound of it.
    """
    lab.ran("docstring", "loss", "release", "purity")
    _documented(lab, known.name, known.function)
    try:
        space = find_semimetric(known.semimetric)
    except DpframeError as error:
        lab.fail("loss", str(error))
        return "mask"
    costs = [known.cost(2.0**e, 0.5) for e in range(-8, 9)]
    if not all(later < earlier for earlier, later in pairwise(costs)):
        lab.fail("loss", "more noise does not cost less", costs=costs)
        return "mask"
    for rho, r in zip(RHOS, RADII, strict=True):
        pair = _near(lab.rng, space, r)
        if pair is None:
            lab.note(f"no two numbers at distance {r} were found: its price was not attacked")
            continue
        _attack_price(lab, known, pair, rho, r)
    return "mask"


def _documented(lab: Lab, name: str, function: Any) -> None:
    if not (inspect.getdoc(function) or "").strip():
        lab.fail("docstring", f"{name!r} has no docstring: say what it does")


def _vectors(rng: np.random.Generator, d: int) -> tuple[Any, Any, Any]:
    """Three vectors, positive ones in half of the tries, near one another in some."""
    base = rng.standard_normal(d) * 10.0 ** rng.integers(-2, 3)
    points = [base + 10.0 ** rng.integers(-4, 2) * rng.standard_normal(d) for _ in range(3)]
    a, b, c = (np.abs(p) + 1e-9 for p in points) if rng.random() < 0.5 else points
    return a, b, c


def _distance(known: Semimetric, a: Any, b: Any) -> float:
    try:
        with np.errstate(all="ignore"):
            return float(known.distance(a.copy(), b.copy()))
    except Exception:  # noqa: BLE001  the kernel takes it as far
        return math.inf


def _triangle(lab: Lab, known: Semimetric, sides: tuple[float, float, float], points: tuple[Any, Any, Any]) -> None:
    ab, bc, ac = sides
    r = max(ab, bc)
    if not r > 0:
        return
    z = float(known.triangle(r))
    if not z >= 1:
        lab.fail("triangle", f"triangle({r!r}) is {z!r}, below 1")
    elif ac > z * (ab + bc) * SLACK:
        lab.fail("triangle", f"d(a, c) = {ac!r} > {z!r}·({ab!r} + {bc!r})", points=list(points))


def _near(rng: np.random.Generator, space: Semimetric, r: float) -> tuple[Any, Any] | None:
    """Two positive numbers at a distance of at most r, and nearly that."""
    for start in rng.uniform(0.5, 3.0, 8):
        a, low, high = np.array([start]), 0.0, 1.0
        while _distance(space, a, a + high) <= r and high < 1e12:
            high *= 2
        low, _ = boundary(lambda step, a=a: _distance(space, a, a + step) <= r, low, high, steps=60)  # type: ignore[misc]
        if _distance(space, a, a + low) > 0.9 * r:
            return a, a + low
    return None


def _attack_price(lab: Lab, known: Mask, pair: tuple[Any, Any], rho: float, r: float) -> None:
    noise = RegisteredMask(mask=known.name, semimetric=known.semimetric, r=r, share=1.0).noise_std({"rho": rho})
    drawn = [np.empty(DRAWS) for _ in pair]
    for out, value, stream in zip(drawn, pair, lab.rng.spawn(2), strict=True):
        for i in range(DRAWS):
            made = np.asarray(known.function(value.copy(), noise, stream.standard_normal), dtype=np.float64)
            if made.shape != (1,) or not np.isfinite(made).all():
                lab.fail("release", f"one number is masked to {made!r}", value=value, noise=noise)
                return
            out[i] = made[0]
    fixed = [known.function(pair[0].copy(), noise, lambda count: np.full(count, 0.25)) for _ in range(2)]
    if not np.array_equal(*fixed):
        lab.fail("purity", "the mask has randomness of its own: the same Gaussians give two answers", value=pair[0])
    cuts = np.sort(np.concatenate(drawn))
    shares = [np.searchsorted(np.sort(d), cuts, side="right") / DRAWS for d in drawn]
    found = float(np.abs(shares[0] - shares[1]).max()) - 2 * math.sqrt(math.log(4 / FALSE_ALARM) / (2 * DRAWS))
    if found > math.sqrt(rho / 2):
        lab.fail("loss", f"total variation is at least {found:.4g}, and rho = {rho:g} allows {math.sqrt(rho / 2):.4g}")
    lab.note(f"rho = {rho:g}: total variation of at least {max(found, 0):.3g} found, {math.sqrt(rho / 2):.3g} allowed")
