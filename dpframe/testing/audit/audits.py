"""``dpframe audit``: how much privacy loss can be shown, against how much is claimed.

A mechanism is calibrated so that its claim is exactly (ε, δ), run many times on two worst neighbours, and
attacked by events chosen on one half of the samples and counted on the other. What is found is a lower bound
on its true ε; above the claim it refutes the claim, at the stated false-alarm rate.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from dpframe.errors import SpecError
from dpframe.kernel.noise import SeededSource
from dpframe.kernel.operations import Mechanism
from dpframe.kernel.registry import operations
from dpframe.proof.losses import tightest_epsilon
from dpframe.proof.roots import boundary, geometric
from dpframe.proof.spaces import Domain
from dpframe.proof.theorems import Metrics
from dpframe.runtime.progress import Progress
from dpframe.testing.audit.worst_cases import Case, cases
from dpframe.testing.battery.findings import AS_JSON, AS_TEXT, Finding, checked_folder, draw, table, write
from dpframe.testing.estimation import ALPHA, lower_bounds

__all__ = ["Finding", "audit", "audit_case", "audit_mechanism", "draw", "main", "table"]

DELTAS = (1e-2, 1e-3)
CLAIMED = 1.0
SAMPLES = 4_000_000
DELTA_FRACTION = 0.1


def default_mechanism(name: str) -> Mechanism:
    """A registered mechanism with a share, whatever else it needs set to usual values."""
    if name not in operations():
        raise SpecError(f"unknown operation {name!r}", fix="see `dpframe ops`")
    cls = operations()[name]
    if not issubclass(cls, Mechanism):
        raise SpecError(f"{name!r} is a {cls.kind}, and only mechanisms release anything", fix="audit a mechanism")
    usual: dict[str, Any] = {"delta_fraction": DELTA_FRACTION, "threshold": 0.0}
    usual |= {"mask": "euclidean.gaussian", "semimetric": "euclidean", "r": 1.0, "k": 2}
    known = {a.name for a in attrs.fields(cls) if a.init and a.default is attrs.NOTHING}
    return cls(share=1.0, **{k: v for k, v in usual.items() if k in known})


def calibrate_to(mechanism: Mechanism, case: Case, epsilon: float, delta: float) -> dict[str, Any]:
    """Noise with which the claim at ``delta`` is at most ``epsilon``, and as near as bisection gets."""
    own = delta * mechanism.delta_fraction

    def noise(rho: float) -> dict[str, Any]:
        return case.noise(mechanism.calibrate(rho, own, case.metrics, case.domain))

    def holds(rho: float) -> bool:
        return claimed_epsilon(mechanism, noise(rho), case.metrics, case.domain, delta) <= epsilon

    return noise(boundary(holds, 1e-9, 1e3, steps=60, middle=geometric)[0])


def claimed_epsilon(
    mechanism: Mechanism, calibration: Mapping[str, Any], metrics: Metrics, domain: Domain, delta: float
) -> float:
    """The mechanism's claim at this δ, by the tightest accountant."""
    return tightest_epsilon(mechanism.loss(calibration, metrics, domain), delta)[0]


def audit_case(
    mechanism: Mechanism,
    case: Case,
    *,
    deltas: Sequence[float] = DELTAS,
    epsilon: float = CLAIMED,
    samples: int | None = None,
    seed: int = 0,
    alpha: float = ALPHA,
) -> list[Finding]:
    """Attack one mechanism on one pair of neighbours.

    Parameters
    ----------
    mechanism : Mechanism
        Given by a share; it is calibrated to claim (``epsilon``, δ) for each δ.
    case : Case
    samples : int, optional
        Releases on each neighbour, 4,000,000 by default and at most what the case allows.
    alpha : float
        False-alarm rate of all findings together.
    """
    times = min(samples or SAMPLES, case.most)
    out = []
    for delta in deltas:
        calibration = calibrate_to(mechanism, case, epsilon, delta)
        claimed = claimed_epsilon(mechanism, calibration, case.metrics, case.domain, delta)
        source = SeededSource(seed)
        first, second = (
            case.sample(mechanism, exact, calibration, case.domain, source.child(f"{delta}/{side}"), times)
            for side, exact in (("first", case.first), ("second", case.second))
        )
        (bound,) = lower_bounds(first, second, [delta], alpha=alpha / len(deltas))
        out.append(Finding(mechanism.name, case.name, delta, claimed, bound.epsilon, bound.event, times))
    return out


def audit_mechanism(name: str, **options: Any) -> list[Finding]:
    """Attack a kernel mechanism on all its worst cases; options as for :func:`audit_case`."""
    attacked, watch, out = list(cases(name)), Progress(None), []
    times = options.get("samples") or SAMPLES
    watch.say(f"auditing {name}: {len(attacked)} pairs of neighbours, up to {times:,} releases on each")
    try:
        for i, case in enumerate(attacked):
            watch.show(f"pair {i + 1} of {len(attacked)} ")
            out += audit_case(default_mechanism(name), case, **options)
    finally:
        watch.end()
    return out


def audit(
    name: str,
    *,
    data: Any = None,
    public: Any = None,
    changes: Sequence[str] = (),
    runs: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    canaries: int | None = None,
    on: Any = None,
) -> list[Finding]:
    """Attack whatever is named: a mechanism, a reduction, or a spec on crafted tables or on the user's own.

    Parameters
    ----------
    name : str
        Of a registered mechanism, an operation with an audit in :mod:`dpframe.testing.audit.reductions`, or a spec.
    data, public : path, optional
        The user's tables, for a canary audit of a spec.
    changes : sequence of str
        ``key=value`` for the spec.
    runs : int, optional
        Samples or simulated runs on each side; what the case is worth by default.
    seconds : float, optional
        Time limit of a plan's runs on a side.
    canaries : int, optional
        How many canaries a pilot tries.
    on : distributed.Client or str, optional
        A cluster that takes the passes and block learners of a spec's runs.

    Raises
    ------
    SpecError
        For a name that nothing has, or options that do not fit it.
    """
    from dpframe.kernel.own.base import owned
    from dpframe.testing.audit import canaries as rows
    from dpframe.testing.audit import plan_audit, reductions

    limits: dict[str, Any] = {"seed": seed, **({} if runs is None else {"runs": runs})}
    if seconds is not None:
        limits["seconds"] = seconds
    if on is not None and (name in owned() or name in operations()):
        raise SpecError(f"{name!r} is an operation, whose audit reads no table", fix="audit a spec, or leave out --on")
    from dpframe.testing.battery.own_samples import THOROUGH, audit_own

    if name in owned():
        return audit_own(name, samples=runs or THOROUGH, seed=seed, progress=Progress(None))
    if name in operations():
        if data is not None or public is not None or changes or canaries is not None:
            raise SpecError(f"{name!r} is an operation, which takes no table and no keys", fix="audit a spec")
        if name in reductions.names():
            return reductions.audit_reduction(name, **limits)
        return audit_mechanism(name, samples=runs, seed=seed)
    if data is not None:
        limits |= {"on": on, "public": public, "changes": changes}
        return rows.audit_table(name, data, count=canaries or rows.CANARIES, **limits)
    if public is not None or canaries is not None:
        raise SpecError("canaries go into a table of yours", fix="--data FILE")
    return plan_audit.audit_spec(name, changes=changes, on=on, **limits)


def main(names: Sequence[str], *, as_json: bool = False, out: str | None = None, **options: Any) -> int:
    """The command: 0 within the claim, 1 above it; options as for :func:`audit`."""
    folder = None if out is None else checked_folder(out)
    findings = [finding for name in names for finding in audit(name, **options)]
    refuted = any(f.refuted for f in findings)
    answer = {"refuted": refuted, "alpha": ALPHA, "findings": [f.to_json() for f in findings]}
    as_text = table(findings) + "\n" + ("above the claim" if refuted else "within the claim")
    if folder is not None:
        write(findings, folder, {AS_JSON: json.dumps(answer, indent=2), AS_TEXT: as_text})
    sys.stdout.write((json.dumps(answer, indent=2) if as_json else as_text) + "\n")
    return int(refuted)
