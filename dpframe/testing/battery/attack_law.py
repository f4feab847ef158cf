"""Attacks on mechanisms by enumeration: the exact law of the real ``release`` on neighbours, against what is charged.

Redraws, clamps, cuts that are off by one, rounded scales, a wrong power of m, one noise for two entries, noise
kept from an earlier call: each changes the law, and a law is compared with its claim to a billionth.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import attrs
import numpy as np

from dpframe.errors import DpframeError
from dpframe.kernel.noise import SecureSource, SeededSource, Source
from dpframe.kernel.operations import Exact, Mechanism
from dpframe.proof.losses import Loss
from dpframe.proof.spaces import L2, Counts, Domain, Outcome, Symmetric, Vector
from dpframe.proof.theorems.base import find
from dpframe.testing.battery.case import Case, accepted
from dpframe.testing.battery.enumerator import Elsewhere, NoBits, Script, Unenumerable, standing_in
from dpframe.testing.battery.exploring import Law, explore, hockey_stick, renyi
from dpframe.testing.battery.lab import Lab, fingerprint
from dpframe.testing.battery.law_masks import MASKS, attack_mask_law
from dpframe.testing.battery.law_pairs import Pair, narrow, pairs_of
from dpframe.testing.battery.law_profiles import GAUSSIAN, charged, of_gaussian_noise
from dpframe.testing.battery.law_sizes import attack_sizes, constants, matrices

SOURCES: tuple[Source, ...] = (NoBits(), SecureSource(), SeededSource(0))
ORDERS = (1.5, 2.0, 4.0, 16.0)
RELATIVE, ABSOLUTE = 1e-9, 1e-11
GRID = tuple(float(e) for e in np.linspace(0.0, 10.0, 41))
WIDER = 1 + Fraction(1, 10**12)
"""What is rounded up by so much is the same number."""
EFFORT = {0: (1e-15, 10), 1: (1e-15, 4000), 2: (1e-11, 2000), 3: (1e-10, 4000), 4: (1e-8, 3000)}
"""Least probability and most runs for one law, by how many entries a value has."""


def attack_law(lab: Lab, operation: Mechanism) -> None:
    """Every law of noise that has few values, on every pair of neighbours; then the scales, then far noise."""
    lab.ran("law")
    with standing_in() as scripts:
        if isinstance(operation, MASKS):
            attack_mask_law(lab, operation, scripts)
            return
        tried = [_attack(lab, variant, scripts) for variant in _variants(operation)]
    if not any(tried):
        lab.note("its noise has too many values to enumerate")


def _attack(lab: Lab, operation: Mechanism, scripts: list[Script]) -> int:
    """How many pairs had laws that could be compared."""
    known: dict[bytes, Law] = {}
    tried = 0
    for pair in pairs_of(operation):
        try:
            compare(lab, operation, pair, known, scripts)
        except Unenumerable:
            continue
        except Elsewhere:
            lab.fail("law", "it draws from the source past the exact samplers", **_shown(operation, pair))
        except Exception as error:  # noqa: BLE001  the release broke on values that no attack had tried
            lab.fail("law", f"release gave {type(error).__name__}: {error}", **_shown(operation, pair))
        tried += 1
        if any(f.layer == "law" for f in lab.failures):
            return tried
    _structure(lab, operation, scripts)
    try:
        short = attack_sizes(operation, scripts, needs, too_little)
        uneven = matrices(operation, scripts) if hasattr(operation, "scaled_by") else ""
    except Unenumerable:
        return tried
    except Elsewhere:
        short, uneven = None, "it draws from the source past the exact samplers"
    if short is not None:
        lab.fail("law", short[0], **short[1])
    if uneven:
        lab.fail("law", uneven)
    return tried


def _variants(operation: Mechanism) -> Iterator[Mechanism]:
    """The operation, with each option of each of its parameters."""
    yield operation
    for field in attrs.fields(type(operation)):
        for option in getattr(field.validator, "options", None) or ():
            if option != getattr(operation, field.name):
                yield attrs.evolve(operation, **{field.name: option})


# ----------------------------------------------------------------------------------------------- judging


def compare(lab: Lab, operation: Mechanism, pair: Pair, known: dict[bytes, Law], scripts: list[Script]) -> None:
    """Both laws, both directions, every view of the loss."""
    try:
        loss = operation.loss(pair.calibration, pair.charged_at, pair.domain)
    except DpframeError:  # not neighbours: its theorem refuses them
        return
    laws = [law_of(operation, exact, pair=pair, known=known, scripts=scripts) for exact in (pair.first, pair.second)]
    exact_noise = _of_certified_noise(operation, pair, laws)
    for one, other in ((laws[0], laws[1]), (laws[1], laws[0])):
        found = _exceeds(one, other, loss)
        if found and (one.coins or other.coins):  # each piece of a coin has one example: another must do the same
            for exact, law in zip((pair.first, pair.second), laws, strict=True):
                if not law.is_like(_explored(operation, exact, pair, scripts, 0, second=True)):
                    raise Unenumerable
        if found:
            lab.fail("law", f"its exact law costs more than is charged: {found}", **_shown(operation, pair))
            return
        found = "" if exact_noise is None else _above(one, other, GRID, exact_noise, "with its certified noise")
        if found:
            lab.fail("law", f"its exact law costs more than its noise should: {found}", **_shown(operation, pair))
            return
    for exact, made in zip((pair.first, pair.second), laws, strict=True):
        _promises(lab, operation, pair, exact, made)
        _scales(lab, operation, pair, exact, made)


def law_of(operation: Mechanism, exact: Exact, *, pair: Pair, known: dict[bytes, Law], scripts: list[Script]) -> Law:
    """The law of a release of one value, with the noise and domain of a pair; those that are known are kept."""
    key = fingerprint([exact.integers, str(exact.step), str(pair.domain), pair.calibration])
    if key not in known:
        known[key] = _explored(operation, exact, pair, scripts, len(known))
    return known[key]


def _explored(
    operation: Mechanism, exact: Exact, pair: Pair, scripts: list[Script], number: int, *, second: bool = False
) -> Law:
    several = isinstance(exact.integers, list) and len(exact.integers) > 1
    floor, most = EFFORT.get(4 if several else pair.entries, EFFORT[4])
    source = SOURCES[number % len(SOURCES)]  # whatever a release asks of its type
    return explore(
        lambda: operation.release(exact, pair.calibration, pair.domain, source),
        scripts,
        most=most,
        floor=floor,
        numbers=constants(operation),
        second=second,
    )


def _exceeds(first: Law, second: Law, loss: Loss) -> str:
    """What is more than is charged, if anything."""
    grid = [*GRID, *([loss.epsilon] if loss.epsilon < 60 else [])]
    found = _above(first, second, grid, charged(loss, grid), "charged")
    if found or loss.delta:
        return found
    for order, claim in zip(ORDERS, loss.rdp(np.array(ORDERS)), strict=True):
        divergence = renyi(first, second, order)
        if divergence > float(claim) * (1 + 1e-7) + 1e-9:
            return f"the Rényi divergence of order {order} is at least {divergence:.9g}, charged {float(claim):.9g}"
    return ""


def _above(first: Law, second: Law, grid: Sequence[float], claims: Sequence[float], words: str) -> str:
    """Where the hockey-stick divergence is above what it may be, if anywhere."""
    for epsilon, claim in zip(grid, claims, strict=True):
        found, worst = hockey_stick(first, second, epsilon)
        if found > claim * (1 + RELATIVE) + ABSOLUTE:
            return f"δ({epsilon:.6g}) is at least {found:.9g}, {words} {claim:.9g}; most from {_text(first, worst)}"
    return ""


def _of_certified_noise(operation: Mechanism, pair: Pair, laws: list[Law]) -> list[float] | None:
    """The δ at each ε that Gaussian noise of the certified scale has; not where more is drawn, which may be its own."""
    if operation.name not in GAUSSIAN:
        return None
    needed = needs(operation, pair.calibration, pair.domain, pair.first)
    if needed is None or len(needed) != 1:
        return None
    square = needed[0][1]
    if any(Fraction(scale) ** 2 > square * WIDER for law in laws for _, scale, _ in law.asked):
        return None
    steps = Fraction(find(pair.charged_at, L2).bound) / pair.first.step
    return of_gaussian_noise(operation.name, square, pair.entries, math.floor(steps**2 * WIDER), GRID)


def _promises(lab: Lab, operation: Mechanism, pair: Pair, exact: Exact, made: Law) -> None:
    """A test that is promised to fail below its threshold fails there surely, and can pass at it."""
    outcomes = [v for v in made.shown.values() if isinstance(v, Outcome)]
    if not outcomes or not hasattr(operation, "threshold") or "half_width" not in pair.calibration:
        return
    value = int(np.ravel(exact.integers)[0]) * exact.step
    passes = any(v.passed for v in outcomes)
    if passes and value < Fraction(operation.threshold):
        lab.fail("law", "the test passes below its threshold", **_shown(operation, pair))
    at_least = math.ceil(Fraction(operation.threshold) / exact.step) * exact.step
    if not passes and value >= at_least and made.missing < 1e-9:
        lab.fail("law", "the test can't pass at its threshold", **_shown(operation, pair))


def _scales(lab: Lab, operation: Mechanism, pair: Pair, exact: Exact, made: Law) -> None:
    """The noise asked for is not below what is certified, to the last bit, and each entry has its own."""
    needed = needs(operation, pair.calibration, pair.domain, exact)
    if needed is None or not made.asked:
        return
    said = too_little(made.asked, needed)
    if said:
        lab.fail("law", said, **_shown(operation, pair))


Needed = list[tuple[str, Fraction, int, bool]]
"""Sampler, square of the scale or rate in lattice steps, how many values, and whether it is a rate: at most that."""


def needs(operation: Mechanism, calibration: Any, domain: Domain, exact: Exact) -> Needed | None:
    """What the certified noise of the kernel's own mechanisms asks of the samplers, from their definitions."""
    step, entries = exact.step, int(np.size(exact.integers)) if not isinstance(exact.integers, list) else 0
    name = operation.name
    if name in ("laplace", "gaussian", "discrete_gaussian"):
        key, sampler = {
            "laplace": ("scale", "discrete_laplace"),
            "gaussian": ("sigma", "rounded_gaussian"),
            "discrete_gaussian": ("sigma", "discrete_gaussian"),
        }[name]
        square = (Fraction(calibration[key]) / step) ** 2
        if isinstance(domain, Symmetric):
            copies, d = entries // domain.d**2, domain.d
            return [(sampler, square, copies * d, False), (sampler, square / 2, copies * d * (d - 1) // 2, False)]
        return [(sampler, square, entries, False)]
    if name == "above_threshold":
        unit = 1 / Fraction(calibration["rate"]) / step
        return [("discrete_laplace", (2 * unit) ** 2, 1, False), ("discrete_laplace", (4 * unit) ** 2, entries, False)]
    if name == "truncated_laplace_test":
        unit = Fraction(calibration["sensitivity"]) / Fraction(calibration["epsilon"]) / step
        return [("discrete_laplace", unit**2, 1, False)]
    if name in ("exponential_mechanism", "permute_and_flip"):
        sampler = "categorical_exp" if name == "exponential_mechanism" else name
        return [(sampler, (Fraction(calibration["rate"]) * step) ** 2, 1, True)]
    if name == "stable_histogram":
        m = max(1, len(exact.integers))
        gaussian = operation.noise == "gaussian"  # type: ignore[attr-defined]
        square = Fraction(calibration["scale"]) ** 2 * (m if gaussian else m * m)
        return [
            ("rounded_gaussian" if gaussian else "discrete_laplace", square, len(c), False) for _, c in exact.integers
        ]
    return None


def too_little(asked: list[tuple[str, Any, int]], needed: Needed) -> str:
    """What of the calls falls short of what is needed, if anything; in whatever order and pieces they are made."""
    calls = sorted(((name, Fraction(scale) ** 2, count) for name, scale, count in asked if count), key=_widest)
    wanted = sorted((need for need in needed if need[2]), key=lambda need: -need[1])
    drawn, charged = sum(call[2] for call in calls), sum(need[2] for need in wanted)
    if drawn < charged:
        return f"it draws {drawn} values, not {charged}: entries share their noise"
    left = [count for _, _, count in calls]
    for sampler, square, entries, rate in wanted:
        for i, (name, told, _) in enumerate(calls):
            taken = min(entries, left[i])
            if taken and name != sampler:
                return f"it draws by {name}, where {sampler} is charged"
            if taken and ((told > square) if rate else (told < square)):
                return f"it asks {name} for {math.sqrt(float(told))!r}, certified is {math.sqrt(float(square))!r}"
            left[i], entries = left[i] - taken, entries - taken  # noqa: PLW2901
    return ""


def _widest(call: tuple[str, Fraction, int]) -> Fraction:
    return -call[1]


# ------------------------------------------------------------------------------------------- structure

FAR = (1.0, 8.0, 20.0, 37.5)
"""Noise in scales: rare, and still to be released as it was drawn."""


def _structure(lab: Lab, operation: Mechanism, scripts: list[Script]) -> None:
    """Additive mechanisms at every size and scale: one draw an entry, never looked at, and f(q + z) for one f."""
    domain = next((d for d in (Counts(3), Vector(3), Vector(70)) if accepted(operation, (d,))), None)
    if domain is None or not hasattr(operation, "scaled_by"):
        return
    own = constants(operation)
    shapes = (domain, Vector(70) if accepted(operation, (Vector(70),)) else domain)
    for made in shapes:
        for power in (0, 20, 45):
            for base in (0, 5, -3, 10**9, 2**63 - 2, -(2**80), *(own if power == 0 else ())):
                _one_structure(lab, operation, made, scripts, power, base)


def _one_structure(
    lab: Lab, operation: Mechanism, domain: Domain, scripts: list[Script], power: int, base: int
) -> None:
    entries = int(getattr(domain, "m", getattr(domain, "d", 1)))
    scale = 1.3718293 * 2.0**power
    calibration = {operation.scaled_by: scale}  # type: ignore[attr-defined]
    value = np.array([base + i for i in range(entries)], dtype=object)
    far = [int(sign * f * scale) + i for i, (sign, f) in enumerate((s, f) for f in FAR for s in (1, -1))]
    drawn = tuple(far[i % len(far)] for i in range(entries))
    shift = np.array([(-1) ** i * (i % 3) for i in range(entries)], dtype=object)
    outputs, calls = [], []
    for exact, noise in ((value, drawn), (value + shift, tuple(z - int(s) for z, s in zip(drawn, shift, strict=True)))):
        script = Script((noise,) * 4)
        scripts[:] = [script]
        try:
            released = operation.release(Exact(narrow(exact), Fraction(1)), calibration, domain, NoBits())
        except Unenumerable:
            return
        except Elsewhere:
            lab.fail("law", "it draws from the source past the exact samplers", calibration=calibration)
            return
        outputs.append(fingerprint(released))
        calls.append(len(script.asked))
    shown = {"domain": str(domain), "value": value.tolist()[:4], "noise": list(drawn)[:4], "calibration": calibration}
    if max(calls) > 1:
        lab.fail("law", "it draws again after it has seen its noise", **shown)
    if outputs[0] != outputs[1]:
        lab.fail("law", "two values whose noisy sums are the same are released differently", **shown)


def _shown(operation: Mechanism, pair: Pair) -> dict[str, Any]:
    return {
        "case": Case(operation, (pair.domain,)).text,
        "first": pair.first.integers,
        "second": pair.second.integers,
        "step": str(pair.first.step),
        "calibration": pair.calibration,
    }


def _text(law: Law, key: bytes) -> str:
    return repr(law.shown.get(key))[:120]
