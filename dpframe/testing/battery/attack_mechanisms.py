"""Attacks on mechanisms: the loss grows with distance and falls with noise, releases stay in their domain."""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from dpframe.errors import DpframeError
from dpframe.kernel.operations import Exact, Mechanism
from dpframe.proof.losses import Loss
from dpframe.proof.spaces import (
    L1,
    L2,
    Domain,
    Edits,
    LInf,
    Mixture,
    OneSided,
    Rows,
    SparseCounts,
    Symmetric,
    WeightedRows,
    Within,
)
from dpframe.proof.theorems import Metrics
from dpframe.testing.battery import metrics
from dpframe.testing.battery.attack_law import attack_law
from dpframe.testing.battery.case import Case
from dpframe.testing.battery.lab import Crash, Lab, call, fingerprint

RHOS = (0.01, 0.1, 1.0)
DELTA = 1e-7
SLACK = 1 + 1e-9
SEEDS = (1, 1, *range(2, 20))
"""Of the releases that are compared: the same stream twice, then others."""
FAR = 2**40
"""Steps to a value that lies above every threshold."""


def attack_mechanism(lab: Lab, case: Case) -> None:
    """Loss, release, domain, totality."""
    operation: Mechanism = case.operation  # type: ignore[assignment]
    lab.ran("loss", "domain", "totality", "noise", "purity")
    domain = case.domains[0]
    unit = metrics.of_value(domain)
    try:
        calibrations = [call(operation.calibrate, rho, DELTA, unit, domain) for rho in RHOS]
    except Crash as error:
        lab.fail("totality", f"calibrate gave {error}", case=case.text)
        return
    wanted = operation.declaration().calibration
    if set(calibrations[0]) != set(wanted):
        lab.fail("loss", f"calibrate gives {sorted(calibrations[0])}, a certificate holds {sorted(wanted)}")
    _loss(lab, case, operation, calibrations, unit)
    if not isinstance(domain, (Rows, WeightedRows)):
        _releases(lab, case, operation, calibrations)
        if "law" not in lab.layers:  # once: it finds domains and parameters of its own
            attack_law(lab, operation)


# ------------------------------------------------------------------------------------------------ loss


def scaled(unit: Metrics, factor: float) -> Metrics:
    """The metrics at another distance."""

    def at(m: Any) -> Any:
        if isinstance(m, Within):
            return Within(m.semimetric, m.r * factor)
        return type(m)(m.bound * factor) if isinstance(m, (L1, L2, LInf, OneSided)) else m

    return tuple(at(m) for m in unit)


def _costs(loss: Loss) -> list[float]:
    """Pure ε, ρ of zCDP, μ of GDP and δ: each must move the right way by itself."""
    return [loss.epsilon, loss.rho, loss.mu, loss.delta]


def _priced(operation: Mechanism, calibration: Mapping[str, Any], at: Metrics, domain: Domain) -> list[float] | None:
    """What it costs in every view, or None where the theorem refuses."""
    try:
        return _costs(operation.loss(calibration, at, domain))
    except DpframeError:
        return None


def _loss(lab: Lab, case: Case, operation: Mechanism, calibrations: list[dict[str, Any]], unit: Metrics) -> None:
    domain = case.domains[0]
    by_noise = [_priced(operation, c, unit, domain) for c in calibrations]
    if by_noise[0] is None:
        lab.fail("loss", "its own calibration is refused by its theorem", case=case.text, calibration=calibrations[0])
        return
    for (rho, less), (more_rho, more) in pairwise(zip(RHOS, by_noise, strict=True)):
        if less and more and any(a > b * SLACK + 1e-12 for a, b in zip(less, more, strict=True)):
            lab.fail("loss", "more noise costs more", case=case.text, rho=[rho, more_rho], costs=[less, more])
    for calibration in calibrations:
        ladder = [(f, _priced(operation, calibration, m, domain)) for f, m in _distances(unit)]
        known = [(f, e) for f, e in ladder if e is not None]
        for (near, low), (far, high) in pairwise(known):
            if any(a > b * SLACK + 1e-12 for a, b in zip(low, high, strict=True)):
                lab.fail(
                    "loss", "a larger distance costs less", case=case.text, distances=[near, far], costs=[low, high]
                )
    _priced_right(lab, case, operation, calibrations, unit)


def _distances(unit: Metrics) -> list[tuple[str, Metrics]]:
    if isinstance(unit[0], Edits):
        ladder = [Edits(0, 0), Edits(0, 1), Edits(1, 1)]
        return [(str(e), (e,)) for e in ladder]
    return [(str(f), scaled(unit, f)) for f in (0.5, 1.0, 2.0)]


def _priced_right(
    lab: Lab, case: Case, operation: Mechanism, calibrations: list[dict[str, Any]], unit: Metrics
) -> None:
    """A mechanism's own loss must be the theorem's: what is cited is what is charged, and what is verified."""
    domain = case.domains[0]
    if operation.cited().asserted:
        return
    for calibration in calibrations:
        told = {**operation.theorem_inputs(domain), **calibration}
        proved = operation.cited().rule(told, (unit,))
        charged = operation.loss(calibration, unit, domain)
        if isinstance(proved, Loss) and any(
            a < b / SLACK for a, b in zip(_costs(charged), _costs(proved), strict=True)
        ):
            lab.fail(
                "loss",
                f"it charges less than its theorem {operation.theorem!r} proves",
                case=case.text,
                charged=_costs(charged),
                proved=_costs(proved),
            )


# -------------------------------------------------------------------------------------------- releases


def values_of(domain: Domain, lab: Lab) -> list[Exact]:
    """Exact values: zeros, ties, huge ones in both integer types, coarse and fine steps, no cell at all."""
    if isinstance(domain, SparseCounts):
        empty = (np.zeros((0, domain.p), dtype=np.int64), np.zeros(0, dtype=np.int64))
        some = (np.arange(domain.p, dtype=np.int64)[None, :] + [[0], [5]], np.array([10**6, 1], dtype=np.int64))
        return [Exact([empty]), Exact([some] * domain.levels), Exact([some, empty][: domain.levels])]
    if isinstance(domain, Mixture):
        k, d = domain.k, domain.d
        means = [np.zeros((k, d)), lab.rng.standard_normal((k, d)), np.full((k, d), 1e100)]
        roots = [np.array([np.eye(d)] * k) * size for size in (1.0, 1e-100, 1e100)]
        return [Exact((np.full(k, 1 / k), m, r)) for m, r in zip(means, roots, strict=True)]
    shape = getattr(domain, "shape", (getattr(domain, "m", getattr(domain, "d", 1)),))
    mixed = lab.rng.integers(-9, 10, shape)
    numbers = [np.zeros(shape, dtype=np.int64), mixed, np.full(shape, 2**61), np.full(shape, -(2**70), dtype=object)]
    if isinstance(domain, Symmetric):
        numbers = [n + np.swapaxes(n, -1, -2) for n in numbers[:2]] + numbers[3:]
    return [Exact(n, step) for n in numbers for step in (Fraction(1), Fraction(1, 2**18))]


def _releases(lab: Lab, case: Case, operation: Mechanism, calibrations: list[dict[str, Any]]) -> None:
    domain = case.domains[0]
    made = operation.output(domain)
    for i, exact in enumerate(values_of(domain, lab)):
        if i > 1 and lab.late:  # two at least, however slow the machine is: only the second one's streams are compared
            return
        calibration = calibrations[i % len(calibrations)]
        shown = {"case": case.text, "value": exact.integers, "step": str(exact.step), "calibration": calibration}
        kept = copy.deepcopy(exact)
        try:
            first, again, *others = (call(_release, operation, exact, calibration, domain, seed) for seed in SEEDS)
            many = call(_many, operation, exact, calibration, domain)
        except Crash as error:
            lab.fail("totality", f"release gave {error}", **shown)
            return
        try:
            call(made.check, first)
        except Crash as error:
            lab.fail("domain", f"the release is not in {made}: {error}", **shown)
            return
        if fingerprint([kept.integers]) != fingerprint([exact.integers]):
            lab.fail("purity", "release changes the exact value", **shown)
        if fingerprint(first) != fingerprint(again):
            lab.fail("noise", "one stream of the source gives two releases: it draws noise elsewhere", **shown)
        same = i == 1 and all(fingerprint(first) == fingerprint(x) for x in others) and _noisy(first)
        if same and not _shared(operation, exact, calibration, domain, first):
            lab.fail("noise", "other streams of the source give the same release", **shown)
        if len(many) != 5:
            lab.fail("noise", f"release_many gave {len(many)} releases, not 5", **shown)


def _release(operation: Mechanism, exact: Exact, calibration: Mapping[str, Any], domain: Domain, seed: int) -> Any:
    from dpframe.kernel.noise import SeededSource

    return operation.release(exact, calibration, domain, SeededSource(seed))


def _many(operation: Mechanism, exact: Exact, calibration: Mapping[str, Any], domain: Domain) -> list[Any]:
    from dpframe.kernel.noise import SeededSource

    return operation.release_many(exact, calibration, domain, SeededSource(3), 5)


def _shared(operation: Mechanism, exact: Exact, calibration: Mapping[str, Any], domain: Domain, first: Any) -> bool:
    """Whether a value one step away is given this release too, as below a threshold, and one far above is given noise.

    Then it may come without noise. What is released for all values alike tells nothing, but answers nothing either.
    """
    if not isinstance(exact.integers, np.ndarray):
        return False

    def releases(more: int) -> set[bytes]:
        moved = Exact(exact.integers + more, exact.step)
        return {fingerprint(call(_release, operation, moved, calibration, domain, seed)) for seed in SEEDS}

    try:
        near, far = releases(1), releases(FAR)
    except Crash:
        return False
    return fingerprint(first) in near and len(far) > 1


def _noisy(released: Any) -> bool:
    """Whether a release is a number: an index may well be the same for every stream."""
    array = np.asarray(released) if isinstance(released, (np.ndarray, float)) else np.zeros(0)
    return array.size > 0 and math.isfinite(float(np.abs(array.astype(np.float64)).sum()))
