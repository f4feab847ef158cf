"""Samples of mechanisms of one's own: a lower bound on the real loss, on the worst pairs, against what it claims."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import attrs
import numpy as np

from dpframe.errors import PlanError, SpecError
from dpframe.kernel.noise import SeededSource
from dpframe.kernel.operations import Exact, Mechanism
from dpframe.kernel.own.base import find_own, value_domain
from dpframe.proof.losses import tightest_epsilon
from dpframe.proof.roots import boundary, geometric
from dpframe.proof.spaces import Index
from dpframe.proof.theorems import Metrics
from dpframe.runtime.progress import Progress
from dpframe.testing.battery import own_law
from dpframe.testing.battery.case import Case
from dpframe.testing.battery.findings import Finding
from dpframe.testing.battery.own_cases import own_cases
from dpframe.testing.battery.stock import releases
from dpframe.testing.estimation import ALPHA, CHOICE, Event, choose, distinct
from dpframe.testing.limits import epsilon_bound

CLAIMED, DELTAS = 1.0, (1e-3,)
FAST, THOROUGH = 4_000, 40_000
"""Releases on each side of the pairs of neighbours that look worst."""
ROUNDS = ((100, None), (500, 24), (3_000, 6))
"""How those are found: so many releases of every pair, then so many more of the pairs that promise most."""
CHOSEN = 2
EVENTS, LIKELY = 4, 0.1
"""Events that are counted on fresh releases of a pair, for each δ; at this confidence some of them promise most."""
DOUBTFUL, EVEN, MORE = 1.1, 1.0, 20
"""Where, at even odds, so many times the claim is shown, so many times the releases are drawn anew to decide it."""
STILL = 3
"""Pairs of neighbours that are sampled though their laws are known: a function may keep what it drew."""


@attrs.frozen(eq=False)
class _Prices:
    """The noise that an operation is tried with, and the ε that it claims then: for each distance found once."""

    operation: Mechanism
    domain: Any
    noises: dict[Metrics, dict[str, Any]] = attrs.Factory(dict)
    claims: dict[Metrics, list[float]] = attrs.Factory(dict)

    def claimed(self, met: Metrics) -> list[float]:
        """The ε at each δ, for neighbours that are so far apart."""
        if met not in self.claims:
            loss = self.operation.loss(self.calibrated(met), met, self.domain)
            self.claims[met] = [tightest_epsilon(loss, delta)[0] for delta in DELTAS]
        return self.claims[met]

    def calibrated(self, met: Metrics) -> dict[str, Any]:
        """Noise whose claim is about ε = 1, or the only one there is."""
        if met not in self.noises:
            self.noises[met] = {"scale": self._scale(met)}
        return self.noises[met]

    def _scale(self, met: Metrics) -> float:
        def claim(scale: float) -> float:
            try:
                return tightest_epsilon(self.operation.loss({"scale": scale}, met, self.domain), DELTAS[0])[0]
            except PlanError:  # with little noise it may overflow, or be infinite
                return math.inf

        low = 2.0**-20
        high = 2.0**20 if claim(2.0**20) <= CLAIMED else 2.0**50  # of neighbours that are very far apart
        if not claim(high) <= CLAIMED < claim(low):
            return 1.0
        return boundary(lambda s: claim(s) <= CLAIMED, high, low, steps=40, middle=geometric)[0]


def audit_own(
    name: str,
    *,
    samples: int = THOROUGH,
    seed: int = 0,
    alpha: float = ALPHA,
    given: Sequence[Case] = (),
    known: Collection[str] = (),
    progress: Progress | None = None,
) -> list[Finding]:
    """A lower bound on the real loss of a mechanism of one's own against what its plugin says, on its worst pairs.

    A few releases of every pair choose those; what is reported comes from fresh ones, ``samples`` on each side, and
    :data:`MORE` times as many drawn anew where those suggest more than is claimed; alpha is of all these together.
    Of pairs whose exact laws are ``known`` only the first few are sampled.

    Raises
    ------
    SpecError
        For what is no mechanism, or no domain on which it works.
    """
    own = find_own(name)
    if own.kind != "mechanism":
        raise SpecError(f"{name!r} is a {own.kind}, and only mechanisms release anything", fix="use dpframe check")
    cases = [*given, *own_cases(own)][:1]
    if not cases:
        raise SpecError(f"no parameters and values were found on which {name!r} works", fix="give it examples={...}")
    operation: Mechanism = cases[0].operation  # type: ignore[assignment]
    domain = cases[0].domains[0]
    near = [*own_law.neighbours(operation, domain, np.random.default_rng(seed))]
    pairs = [pair for i, pair in enumerate(near) if i < STILL or pair[0] not in known]
    pairs += own_law.far_apart(operation, domain)
    watch = progress or Progress(None, shown=False)
    watch.say(f"auditing {name}: {len(pairs)} pairs of neighbours, {samples:,} releases on each of the worst")
    found = worst_of(operation, domain, pairs, samples, SeededSource(seed), alpha=alpha, watch=watch)
    watch.end()
    return found


def worst_of(
    operation: Mechanism,
    domain: Any,
    pairs: Sequence[own_law.Neighbours],
    samples: int,
    source: SeededSource,
    *,
    alpha: float = ALPHA,
    watch: Progress | None = None,
) -> list[Finding]:
    """Lower bounds on the loss on the pairs that look worst, from fresh releases; alpha is of all together."""
    prices, sides = _Prices(operation, domain), dict[int, tuple[Any, Any]]()
    rank, kept = dict[int, float](), [*range(len(pairs))]
    for at, (times, most) in enumerate(ROUNDS):
        kept = sorted(kept, key=lambda i: rank.get(i, 0.0))[:most]
        for i in kept:
            if watch is not None:
                watch.show(f"round {at + 1}: pair {i + 1} of {len(pairs)} ")
            new = _sides(prices, pairs[i], times, source.child(f"round {at} {i}"))
            sides[i] = new if i not in sides else _joined(sides[i], new)
            asked = [(delta, LIKELY, CHOICE) for delta in DELTAS]
            promised = [e.found for found in choose(*sides[i], asked, fresh=samples) for e in found]
            rank[i] = prices.claimed(pairs[i][3])[0] - max(promised, default=0.0)
    out: list[Finding] = []
    for i in sorted(kept, key=rank.__getitem__)[:CHOSEN]:
        asks = ([(delta, level, CHOICE) for delta in DELTAS] for level in (alpha, LIKELY))
        sure, likely = (choose(*sides[i], asked, fresh=samples) for asked in asks)
        events = [distinct([*one, *other], EVENTS) for one, other in zip(sure, likely, strict=True)]
        for times in (samples, MORE * samples):
            fresh = _sides(prices, pairs[i], times, source.child(f"{times} {i}"))
            findings, doubtful = _findings(prices, pairs[i], events, fresh, alpha / (2 * CHOSEN))
            if not doubtful or any(f.refuted for f in findings):
                break
        out += findings
        if any(f.refuted for f in findings):
            break
    return out


def _sides(prices: _Prices, pair: own_law.Neighbours, times: int, source: Any) -> tuple[Any, Any]:
    """Releases on both neighbours, as features."""
    _, first, second, met = pair
    calibration = prices.calibrated(met)
    one, two = (
        _sampled(prices.operation, exact, calibration, prices.domain, source.child(side), times)
        for side, exact in (("a", first), ("b", second))
    )
    return one, two


def _joined(old: tuple[Any, Any], new: tuple[Any, Any]) -> tuple[Any, Any]:
    return np.concatenate([old[0], new[0]]), np.concatenate([old[1], new[1]])


def _findings(
    prices: _Prices,
    pair: own_law.Neighbours,
    events: Sequence[Sequence[Event]],
    fresh: tuple[Any, Any],
    alpha: float,
) -> tuple[list[Finding], bool]:
    """What the events, chosen on earlier releases, show on fresh ones: above the truth with probability alpha.

    And whether some of them shows, at even odds, enough more than is claimed to be worth more releases.
    """
    name: str = prices.operation.known.name  # type: ignore[attr-defined]
    out, doubtful = [], False
    for delta, claimed, some in zip(DELTAS, prices.claimed(pair[3]), events, strict=True):
        best, times = (0.0, "none"), len(fresh[0])
        for event in some:
            hits = [int(event.holds(side).sum()) for side in fresh[:: -1 if event.turned else 1]]
            sure, even = (
                float(epsilon_bound(hits[0], hits[1], (times, times), delta, share))
                for share in (alpha / (len(DELTAS) * len(some)), EVEN)
            )
            best = max(best, (sure, event.name))
            doubtful = doubtful or even > DOUBTFUL * claimed
        out.append(Finding(name, pair[0], delta, claimed, *best, times))
    return out, doubtful


def for_one_step(operation: Mechanism, domain: Any) -> tuple[dict[str, Any], float]:
    """Noise whose claim is about ε = 1 for one number that moves by a step, and that claim."""
    pair = next(iter(own_law.neighbours(operation, domain, np.random.default_rng(0))))
    prices = _Prices(operation, domain)
    return prices.calibrated(pair[3]), prices.claimed(pair[3])[0]


def _sampled(
    operation: Mechanism, exact: Exact, calibration: Mapping[str, Any], domain: Any, source: Any, times: int
) -> Any:
    """Releases as features: numbers, and which index it is."""
    found = releases(operation, exact, calibration, domain, source, times)
    table = np.array([np.ravel(np.asarray(v, dtype=np.float64)) for v in found])
    made = value_domain(operation)
    if isinstance(made, Index) and made.m <= 64:
        return np.column_stack([table, table == np.arange(made.m)])
    return table
