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
import numpy as np

from dpframe.errors import SpecError
from dpframe.losses import tightest_epsilon
from dpframe.noise import SeededSource
from dpframe.operations import Mechanism
from dpframe.registry import operations
from dpframe.spaces import Domain
from dpframe.testing.estimation import ALPHA, as_percent, lower_bounds
from dpframe.testing.worst_cases import Case, cases
from dpframe.theorems import Metrics

DELTAS = (1e-2, 1e-3)
CLAIMED = 1.0
DELTA_FRACTION = 0.1


@attrs.frozen
class Finding:
    """One line of an audit: what was attacked, where, what is claimed and what was found."""

    subject: str
    case: str
    delta: float
    claimed: float
    found: float
    event: str
    samples: int

    @property
    def refuted(self) -> bool:
        """Whether more was found than is claimed."""
        return self.found > self.claimed

    def to_json(self) -> dict[str, Any]:
        """JSON form."""
        return {**attrs.asdict(self), "refuted": self.refuted}


def default_mechanism(name: str) -> Mechanism:
    """A registered mechanism with a share, whatever else it needs set to usual values."""
    if name not in operations():
        raise SpecError(f"unknown operation {name!r}", fix="see `dpframe ops`")
    cls = operations()[name]
    if not issubclass(cls, Mechanism):
        raise SpecError(f"{name!r} is a {cls.kind}, and only mechanisms release anything", fix="audit a mechanism")
    usual = {"delta_fraction": DELTA_FRACTION, "threshold": 0.0}
    known = {a.name for a in attrs.fields(cls) if a.init and a.default is attrs.NOTHING}
    return cls(share=1.0, **{k: v for k, v in usual.items() if k in known})


def calibrate_to(mechanism: Mechanism, case: Case, epsilon: float, delta: float) -> dict[str, Any]:
    """Noise with which the claim at ``delta`` is at most ``epsilon``, and as near as bisection gets."""
    low, high = 1e-9, 1e3
    own = delta * mechanism.delta_share
    for _ in range(60):
        middle = (low * high) ** 0.5
        noise = case.noise(mechanism.calibrate(middle, own, case.metrics, case.domain))
        claim = claimed_epsilon(mechanism, noise, case.metrics, case.domain, delta)
        low, high = (middle, high) if claim <= epsilon else (low, middle)
    return case.noise(mechanism.calibrate(low, own, case.metrics, case.domain))


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
        Releases on each neighbour, at most what the case is worth.
    alpha : float
        False-alarm rate of all findings together.
    """
    times = min(samples or case.most, case.most)
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
    return [finding for case in cases(name) for finding in audit_case(default_mechanism(name), case, **options)]


def table(findings: Sequence[Finding]) -> str:
    """Claimed against found."""
    header = ("what", "case", "delta", "claimed", "found", "", "event")
    rows = [header]
    for f in findings:
        verdict = "REFUTED" if f.refuted else as_percent(f.found, f.claimed)
        rows.append((f.subject, f.case, f"{f.delta:.0e}", f"{f.claimed:.4f}", f"{f.found:.4f}", verdict, f.event))
    widths = [max(len(r[i]) for r in rows) for i in range(len(header))]
    return "\n".join("  ".join(c.ljust(w) for c, w in zip(r, widths, strict=True)).rstrip() for r in rows)


def draw(findings: Sequence[Finding], path: Any) -> None:
    """A bar a finding, with the claim as a mark."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 0.5 * len(findings) + 1.2), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    at = np.arange(len(findings))
    axes.barh(at, [f.found for f in findings], color=["#b03a2e" if f.refuted else "#2e6da4" for f in findings])
    axes.plot([f.claimed for f in findings], at, "k|", markersize=14, label="claimed")
    axes.set_yticks(at, [f"{f.subject}: {f.case}, δ={f.delta:.0e}" for f in findings])
    axes.set_xlabel("ε, lower bound with confidence")
    axes.legend()
    figure.savefig(path)


def main(name: str, *, as_json: bool = False) -> int:
    """The command: 0 within the claim, 1 above it."""
    if name in operations():
        findings = audit_mechanism(name)
    else:
        from dpframe.testing.plan_audit import audit_spec

        findings = audit_spec(name)
    refuted = any(f.refuted for f in findings)
    if as_json:
        answer = {"refuted": refuted, "alpha": ALPHA, "findings": [f.to_json() for f in findings]}
        sys.stdout.write(json.dumps(answer, indent=2) + "\n")
    else:
        sys.stdout.write(table(findings) + "\n" + ("above the claim\n" if refuted else "within the claim\n"))
    return int(refuted)
