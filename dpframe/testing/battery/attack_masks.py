"""Attacks on a plugin's own mask, which asserts that at its price it tells no more of two near values than that allows.

Its cost is an event: ρ, a dominating pair, or a Rényi curve; a plan chooses the noise at which it is about ρ. Two ways.
In one dimension a mask that asks for one Gaussian is a function of it: on a fine grid of Gaussians its law
is known but for the grid's cells, where the function is monotone, and every tail is compared with what the event
allows at every ε (hockey-stick, no sampling). In 1 to 10 dimensions draws are compared by events that are learned on
one half of them and counted on the other; all such bounds together are wrong with a chance of at most 1e-6.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import math
import time
from collections.abc import Iterator
from typing import Any

import attrs
import numpy as np

from dpframe.errors import DpframeError
from dpframe.kernel.families.registered_mask import RegisteredMask
from dpframe.kernel.families.registering import Mask, Semimetric, find_semimetric
from dpframe.proof.families.costs import VIEWS, event_of, numbers_of
from dpframe.proof.families.costs import size as size_of
from dpframe.proof.losses import Event, Loss, tightest_epsilon
from dpframe.proof.spaces import Vector, finite_number
from dpframe.testing.battery import mask_draws, memos, pasts, sizes
from dpframe.testing.battery.attack_semimetrics import documented
from dpframe.testing.battery.clocks import SLOW_CALL, seconds_of
from dpframe.testing.battery.lab import Lab
from dpframe.testing.battery.mask_attacks import ON_TAPES
from dpframe.testing.battery.mask_bits import attack_bits
from dpframe.testing.battery.mask_draws import ACROSS, PILOT, Priced, draws, features, lattice, near_pair, over_steps
from dpframe.testing.battery.mask_floats import attack_floats
from dpframe.testing.battery.mask_tails import Again, Tape
from dpframe.testing.battery.worlds import Lost, elsewhere
from dpframe.testing.estimation import lower_bounds

FALSE_ALARM = 1e-6
DELTAS = {0.02: 1e-3, 0.3: 0.02, 2.0: 0.15}
"""At which δ draws are compared, by ρ: where some thousand of them can show the most."""
Place = tuple[int, float | str, float, float]
PLACES: tuple[Place, ...] = (
    # dimensions, size, rho, r
    *((1, 1.0, 0.3, 0.1), (1, 1.0, 0.02, 0.5), (2, 1.0, 2.0, 0.5), (10, 1.0, 2.0, 1.0), (3, 1e6, 0.3, 2.0)),
    *((5, 1e3, 2.0, 0.1), (2, 1e-3, 0.3, 1e-3), (1, 1e12, 2.0, 100.0), (4, 1e-6, 2.0, 1e-6), (7, 1.0, 0.02, 1.0)),
    *((1, 1e-6, 2.0, 1e-6), (8, 1e9, 2.0, 30.0), (6, 10.0, 0.3, 4.0), (9, 1.0, 2.0, 0.01), (1, 1e3, 2.0, 8.0)),
    *((33, 1.0, 2.0, 0.5), (200, 1.0, 2.0, 0.5)),
)
"""What is drawn: dimensions, size of the value, ρ, r."""
KINDS = ("signs", "zeros", "whole", "equal", "uneven")
"""Values that a mask may treat in a way of their own, each in 1, 3 and 6 dimensions."""
KIND_PLACES: tuple[Place, ...] = (
    *((d, kind, 2.0, 0.5) for kind in KINDS for d in (1, 3, 6) if d > 1 or kind in ("signs", "zeros", "whole")),
    *((d, "origin", 0.02, 0.5) for d in (1, 2)),
    *((d, ACROSS, 2.0, 0.5) for d in (1, 3)),
)
GRID_PLACES: tuple[tuple[float | str, float, float], ...] = tuple(
    (size, rho, r)
    for rho in (0.02, 0.5, 4.0)
    for size, r in (
        (1.0, 0.5),
        (1.0, 0.01),
        (1e3, 4.0),
        (1e6, 1.0),
        (1e-6, 1e-6),
        (1e12, 1e3),
        (-1.0, 0.5),
        (30.0, 20.0),
        (ACROSS, 0.5),
    )
)
MOST_OVER, FAR_MOVES = 4, (3e3, 3e6)
"""Numbers of its code that values are moved over, and how far they are moved from about 1 in any case."""
SECONDS, THOROUGH_SECONDS = 3.0, 60.0
SLOW = 10
"""How many times its seconds the grid may take until all its places are seen: what is found hardly goes by speed."""
REACH, CELLS = 9.0, 1800
EPSILONS = (0.0, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 3.0, 5.0, 8.0, 12.0, 20.0, 30.0)


@attrs.frozen
class Found:
    """What a search found: a layer and words, or a note."""

    layer: str
    message: str
    shown: dict[str, Any] = attrs.Factory(dict)


def attack_mask(lab: Lab, known: Mask, *, thorough: bool = False) -> str:
    """The cost falls with the noise; the law at its price; the same answers with any past; returns the kind."""
    lab.ran("docstring", "loss", "release", "purity")
    documented(lab, known.name, known.function)
    try:
        space = find_semimetric(known.semimetric)
    except DpframeError as error:
        lab.fail("loss", str(error))
        return "mask"
    if not _priced(lab, known):
        return "mask"
    seconds = THOROUGH_SECONDS if thorough else SECONDS
    _attack_past(lab, known, seconds)
    least = 0.0
    with contextlib.suppress(Lost):
        least = elsewhere(lambda: min(seconds_of(lambda: _masked(known, np.ones(1), 1.0, np.ones)) for _ in range(2)))
    if least > SLOW_CALL:
        lab.skip(f"one call takes {least:.2g} s, and its law is made of thousands of them: make it faster")
        return "mask"
    for search in (_on_tapes, _on_a_grid, _on_draws):
        try:
            found = elsewhere(functools.partial(search, known, space, seconds))
        except Lost as error:
            lab.lost(error)
            continue
        for item in found:
            if item.layer:
                lab.fail(item.layer, item.message, **item.shown)
            else:
                lab.note(item.message)
        if lab.failures:
            break
    return "mask"


def _priced(lab: Lab, known: Mask) -> bool:
    for r in (0.5, 0.01, 10.0):
        try:
            costs = [_size(known, 2.0**e, r) for e in range(-8, 9)]
        except Exception as error:  # noqa: BLE001  no price is asserted there, so that no plan uses it
            lab.skip(f"its cost raised {type(error).__name__}: {error} at r = {r:g}")
            return False
        if not all(
            later < earlier or later == earlier in (0.0, math.inf) for earlier, later in itertools.pairwise(costs)
        ):
            lab.fail("loss", f"more noise does not cost less at r = {r:g}", costs=costs)
            return False
        if min(costs) < 0:
            lab.fail("loss", f"a cost is below 0 at r = {r:g}", costs=costs)
            return False
    return True


def _size(known: Mask, noise: float, r: float) -> float:
    """Roughly the ρ of its cost; infinite where an event is none."""
    cost = known.cost(noise, r)
    if not isinstance(cost, Event):
        return float(cost)
    return min((size_of(numbers, view) for view in VIEWS for numbers in _numbers(cost, view)), default=math.inf)


def _numbers(cost: Any, view: str) -> list[tuple[float, ...]]:
    try:
        return [numbers_of(cost, view)]
    except DpframeError:
        return []


def view_of(known: Mask, r: float) -> str:
    """How its cost is known, for values within r; ρ where that can't be told."""
    cost = known.cost(2.0**20 * r, r)
    return next((view for view in VIEWS if _numbers(cost, view)), "rho")


def _price(known: Mask, rho: float, r: float) -> tuple[float, Event] | None:
    """The noise that a plan gives it and what that is asserted to cost; None where no plan does."""
    try:
        made = RegisteredMask(mask=known.name, semimetric=known.semimetric, r=r, share=1.0, view=view_of(known, r))
        priced = made.calibrate(rho, 0.0, (), Vector(1))
        noise = float(priced["noise"])
        return (noise, event_of({"view": made.view, **priced})) if finite_number(noise) else None
    except Exception:  # noqa: BLE001  no price is asserted there
        return None


def _masked(known: Mask, value: Any, noise: float, normals: Any) -> Any:
    """What a plan releases: zeros for what raises or is no vector of that length."""
    try:
        with np.errstate(all="ignore"):
            made = np.array(known.function(value.copy(), noise, normals), dtype=np.float64)
    except (KeyboardInterrupt, Again):
        raise
    except BaseException:  # noqa: BLE001  the kernel releases zeros
        return np.zeros(len(value))
    return made if made.shape == value.shape and np.isfinite(made).all() else np.zeros(len(value))


def _release(known: Mask, noise: float, value: Any, normals: Any) -> Any:
    return _masked(known, value, noise, normals)


def _as_priced(known: Mask, space: Semimetric) -> Priced:
    return Priced(known, space, functools.partial(_release, known), functools.partial(_price, known), _delta)


def _attack_past(lab: Lab, known: Mask, seconds: float) -> None:
    """With the same Gaussians the same release, whatever was masked before."""

    def answer(probe: Any) -> Any:
        value, noise, seed = probe
        return _masked(known, value, noise, np.random.default_rng(seed).standard_normal)

    rng = np.random.default_rng(4)
    probes = [((0.5 + rng.random(d)) * size, 0.7, 5) for d in (1, 2, 3, 10) for size in (1.0, 1e6)]
    histories = [
        ("after other values", [(v * 3.0, n, seed + 1) for v, n, seed in probes]),
        ("after values that are like these", [(v, n, seed + 3) for w, n, seed in probes for v in memos.alike(w)]),
        ("after far values and other noise", [(v * -1e9, n * 100, seed + 2) for v, n, seed in probes]),
        ("after the same values with other Gaussians", [(v, n, seed + 9) for v, n, seed in probes]),
    ]
    pasts.attack(lab, answer, probes, histories, seconds=seconds / 8)


# ------------------------------------------------------------------------------------------- tapes


def _on_tapes(known: Mask, space: Semimetric, seconds: float) -> list[Found]:
    """What is affine in its Gaussians, exactly; what is made of two, between bounds, or of more; which floats come."""
    mask = _as_priced(known, space)
    for attack in ON_TAPES:
        words, shown = attack(mask, seconds / 2)
        if words:
            return [Found("loss", words, shown)]
    noted, _ = attack_floats(mask, seconds / 2)
    words, shown, lattice = attack_bits(mask, seconds / 2)  # floats that tell the value may be those of a lattice
    if words and lattice:
        return [Found("loss", f"{words}; its lattice is another over there: round to a public grid at last", shown)]
    words = noted or words
    return [Found("", f"its price is of real numbers, not of the floats that it releases: {words}")] if words else []


# ------------------------------------------------------------------------------------------- the grid


def _on_a_grid(known: Mask, space: Semimetric, seconds: float) -> list[Found]:
    """Tails of the law in one dimension, from the function itself."""
    end = time.process_time() + seconds
    rng = np.random.default_rng(6)
    half = np.sort(rng.uniform(0, REACH, CELLS // 2))  # uneven: what turns over between even points looks rising
    grid = np.concatenate([-half[::-1], [0.0], half])
    upper = np.array([0.5 * math.erfc(g / math.sqrt(2)) for g in grid])  # P(G > g)
    worst, tried = 0.0, 0
    numbers = sizes.numbers(known.function)
    places = (*_over_numbers(known, space), *GRID_PLACES)
    sized = ((near_pair(space, 1, size, r, rng), rho, r) for size, rho, r in places)
    stepped = over_steps(_as_priced(known, space), [c for c in numbers if c > 0][:4], rng)
    for pair, rho, r in itertools.chain(stepped, sized):
        price = _price(known, rho, r)
        if pair is None or price is None:
            continue
        noise, event = price
        images = [_of_grid(known, value, noise, grid) for value in pair]
        if any(image is None for image in images):
            continue
        if time.process_time() > end and (tried >= len(GRID_PLACES) or time.process_time() > end + SLOW * seconds):
            break
        first, second = images
        tried += 1
        for p, q in ((first, second), (second, first)):
            ratio, words = _excess(p, q, upper, event)
            worst = max(worst, ratio)
            if ratio > 1 + 1e-6:
                shown = {"values": [v.tolist() for v in pair], "noise": noise, "rho": rho, "r": r}
                return [Found("loss", f"its law at rho = {rho:g} is not within {event}: {words}", shown)]
    return [
        Found("", f"in one dimension its tails were compared at {tried} prices: at most {worst:.3g} of what is allowed")
    ]


def _over_numbers(known: Mask, space: Semimetric) -> Iterator[tuple[float, float, float]]:
    """Size, ρ and r of values over the numbers in its code, and far above 1: first, as it may choose by size."""
    own = [2 * abs(c) * factor for c in sizes.numbers(known.function)[:MOST_OVER] for factor in (0.3, 1.5)]
    for move in dict.fromkeys((*own, *FAR_MOVES)):
        yield 1.0, 0.5, mask_draws.reach(space, np.ones(1), move)


def _of_grid(known: Mask, value: Any, noise: float, grid: Any) -> Any:
    """The release for each Gaussian of the grid, or None where it is no increasing or decreasing function of one."""
    try:
        image = np.array([float(_masked(known, value, noise, Tape(np.full(1, g)))[0]) for g in grid])
    except Again:
        return None
    steps = np.diff(image)
    if (steps >= 0).all():
        return image
    return -image if (steps <= 0).all() else None


def _excess(p: Any, q: Any, upper: Any, event: Event) -> tuple[float, str]:
    """How much of what is allowed the tails of p have over those of q, at most; above 1 they refute."""
    worst, words = 0.0, ""
    for side in ("above", "below"):
        a, b = (p, q) if side == "above" else (-p[::-1], -q[::-1])
        cuts = a[:-1]
        at = np.searchsorted(b, cuts, side="right") - 1  # the last cell of q that is not above the cut
        least = _least(a, cuts, upper)
        most = np.where(at >= 0, upper[np.maximum(at, 0)], 1.0)
        for epsilon in EPSILONS:
            allowed = _delta(event, epsilon)
            over = (least - math.exp(epsilon) * most) / max(allowed, 1e-200)
            i = int(np.argmax(over))
            if over[i] > worst and least[i] > 1e-15:
                worst = float(over[i])
                shares = f"P({side} a cut) = {least[i]:.4g} and {most[i]:.4g}"
                words = f"{shares}, more than e^{epsilon:g} and {allowed:.3g} allow"
    return worst, words


def _least(a: Any, cuts: Any, upper: Any) -> Any:
    """P(release > cut) at least: from the first grid point whose image is above the cut on."""
    at = np.searchsorted(a, cuts, side="right")
    return np.where(at < len(upper), upper[np.minimum(at, len(upper) - 1)], 0.0)


@functools.lru_cache(maxsize=256)
def _delta(event: Event, epsilon: float) -> float:
    """δ at ε, from above: the profile, or the least over orders of e^{(α−1)(D_α−ε)}/(α−1)·(1−1/α)^α.

    At ε = 0 Pinsker's √(D/2), of the least divergence, is one more.
    """
    profile = event.profile(np.array([epsilon]))
    if profile is not None:
        return float(profile[0])
    alphas = np.unique(np.concatenate([1 + np.geomspace(1e-3, 1e4, 1500), getattr(event, "orders", ())]))
    with np.errstate(all="ignore"):
        found = event.rdp(alphas)
        exponent = (alphas - 1) * (found - epsilon) - np.log(alphas - 1) + alphas * np.log1p(-1 / alphas)
    most = math.sqrt(float(found.min()) / 2) if epsilon == 0 else 1.0
    return min(1.0, most, math.exp(min(float(exponent.min()), 0.0)))


# ---------------------------------------------------------------------------------------------- draws


def _on_draws(known: Mask, space: Semimetric, seconds: float) -> list[Found]:
    """Draws at each place, for its share of the time."""
    rng = np.random.default_rng(8)
    wrong: list[Found] = []
    best, tried = 0.0, 0
    for d, size, rho, r in (*PLACES, *KIND_PLACES, *_own_places(known, space)):
        pair, price = near_pair(space, d, size, r, rng), _price(known, rho, r)
        if pair is None or price is None:
            continue
        noise, event = price
        fixed = [_masked(known, pair[0], noise, lambda count: np.full(count, 0.25)) for _ in range(2)]
        if not np.array_equal(*fixed):
            shown = {"value": pair[0]}
            return [Found("purity", "it has randomness of its own: the same Gaussians give two answers", shown)]
        problem = _shape(known, pair[0], noise)
        if problem:  # zeros are released there, which tell nothing
            wrong.append(Found("release", problem, {"value": pair[0], "noise": noise}))
            continue
        release = functools.partial(_release, known, noise)
        drawn = draws(release, pair, rng, seconds / (len(PLACES) + len(KIND_PLACES)))
        step = lattice(drawn[0][:PILOT, 0])
        first, second = (features(y[PILOT:], pair, drawn[0][0, 0], step) for y in drawn)
        found = lower_bounds(first, second, (DELTAS[rho],), alpha=FALSE_ALARM / (3 * (len(PLACES) + len(KIND_PLACES))))
        tried += 1
        for bound in found:
            allowed = tightest_epsilon(Loss.of(event), bound.delta)[0]
            best = max(best, bound.epsilon / allowed)
            if bound.epsilon > allowed:
                shown = {"values": list(pair), "noise": noise, "rho": rho, "r": r, "event": bound.event}
                words = f"epsilon is at least {bound.epsilon:.4g} at delta = {bound.delta:g}, and {event} allows"
                return [Found("loss", f"{words} {allowed:.4g}", shown)]
    if not tried and wrong:
        return wrong[:1]
    if not tried:
        return [Found("", "no two values at the distances that were tried were found: its price was not attacked")]
    return [Found("", f"draws at {tried} places show at most {best:.3g} of the epsilon that is allowed")]


def _own_places(known: Mask, space: Semimetric) -> list[Place]:
    """Sizes, dimensions and noises at the numbers in its own code."""
    found, every = sizes.constants(known.function), sizes.numbers(known.function)
    dims = [d for d in sizes.around(found, 64) if d > 10][:3]
    moves = [2 * abs(c) * factor for c in every[:MOST_OVER] for factor in (0.5, 2.0)]
    noises: list[Place] = [(1, 1.0, 2.0, mask_draws.reach(space, np.ones(1), move)) for move in moves]
    own: list[Place] = [*((d, 1.0, 2.0, 0.5) for d in dims), *((2, 1.5 * c, 2.0, 0.5) for c in found[:4])]
    return [*own, *noises]


def _shape(known: Mask, value: Any, noise: float) -> str:
    """What is wrong with the release of one value; a mask that raises does not take such vectors."""
    try:
        with np.errstate(all="ignore"):
            made = np.asarray(known.function(value.copy(), noise, lambda count: np.full(count, 0.25)), dtype=np.float64)
    except Exception:  # noqa: BLE001  it does not take such vectors
        return ""
    if made.shape != value.shape or not np.isfinite(made).all():
        return f"{len(value)} numbers are masked to an array of shape {made.shape}, or not to finite ones"
    return ""
