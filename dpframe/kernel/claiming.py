"""What a plugin says of an operation of its own, as the planner writes it into the certificate.

Trusted with nothing: a certificate names what it lists as the plugin's word, and the checker takes it as no more.
``dpframe check`` and ``verify --plugins`` ask the plugin again. No run does: see :mod:`dpframe.kernel.proposals`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from dpframe.errors import DpframeError, PlanError
from dpframe.kernel.proposals import Noise, Steps
from dpframe.proof.losses import Event, Loss, Pure
from dpframe.proof.roots import boundary
from dpframe.proof.spaces import L1, L2, Domain, Edits, LInf, Metric, Table
from dpframe.proof.theorems import Metrics

DISTANCES: Mapping[str, type[Any]] = {"l1": L1, "l2": L2, "linf": LInf, "edits": Edits}
"""What a claim may be a function of, or give."""
NORMED = (("l1", L1), ("l2", L2), ("linf", LInf))
LEAST_POWER, MOST_POWER = -80.0, 80.0


def read_metrics(said: Any, what: str) -> Metrics:
    """A sensitivity as a plugin gives it: bounds by norm, or metrics.

    Examples
    --------
    >>> read_metrics({"l1": 2, "linf": 1}, "example")
    (L1(bound=2.0), LInf(bound=1.0))
    """
    items = list(said.items()) if isinstance(said, Mapping) else list(said) if isinstance(said, (list, tuple)) else []
    found: list[Metric] = []
    for item in items:
        if isinstance(item, tuple) and len(item) == 2 and item[0] in ("l1", "l2", "linf"):
            found.append(DISTANCES[item[0]](float(item[1])))
        elif isinstance(item, (L1, L2, LInf)):
            found.append(item)
    if not found or len(found) < len(items):
        raise PlanError(f"{what}: a sensitivity is given by norm, not as {said!r}", fix='return {"l2": 1.0}, say')
    return tuple(found)


def read_loss(said: Any, what: str) -> Loss:
    """A loss as a plugin gives it: a loss, an event, ε, or (ε, δ).

    Examples
    --------
    >>> read_loss(0.5, "example"), read_loss((0.5, 1e-6), "example").delta
    (Loss(events=((Pure(epsilon=0.5), 1),), delta=0.0), 1e-06)
    """
    pair = tuple(said) if isinstance(said, (tuple, list)) and len(said) == 2 else (said, 0.0)
    if isinstance(said, Loss):
        return said
    if isinstance(said, Event):
        return Loss.of(said)
    if all(isinstance(v, (int, float)) and not isinstance(v, bool) and 0 <= v < math.inf for v in pair):
        return Loss.of(Pure(float(pair[0])), delta=float(pair[1]))
    raise PlanError(f"{what}: a loss is given as an event, as ε or as (ε, δ), not as {said!r}", fix="return ε, say")


def check_edits(operation: Any, e: Edits) -> None:
    """Refuse edits that the plugin's claim is not proved for.

    Raises
    ------
    PlanError
    """
    wanted = operation.known.proved_for
    if wanted and (e.removed, e.added) not in wanted:
        listed = " or ".join(f"{r} out, {a} in" for r, a in wanted)
        raise PlanError(
            f"{operation.of!r} is proved for {listed} only, not for {e.removed} out, {e.added} in",
            fix="use it on the table's own rows, before any filter or part, under the adjacency of its proof",
        )


def asked(operation: Any, *about: Any) -> Any:
    """What the plugin's claim says; an error of its own is a refusal that names it."""
    claim = operation.known.claim
    try:
        return claim(*about, **operation.keywords)
    except DpframeError:
        raise
    except Exception as error:  # noqa: BLE001  nothing was read: what the plugin raised is the reason of the refusal
        raise PlanError(
            f"{operation.of!r}: its claim fails: {type(error).__name__}: {error}", fix="mend the plugin"
        ) from None


class ClaimedStatistic:
    """The sensitivity of a statistic."""

    __slots__ = ()

    def claims(self: Any, domains: tuple[Domain, ...], inputs: tuple[Metrics, ...]) -> Metrics:
        """What the plugin says for these edits."""
        e = next((m for m in inputs[0] if isinstance(m, Edits)), None)
        if e is None:
            raise PlanError("needs rows", fix="apply it to a table or a part of one")
        check_edits(self, e)
        return read_metrics(asked(self, e.removed, e.added), repr(self.of))


class ClaimedQuery:
    """The sensitivity of a query, and its lattice."""

    __slots__ = ()

    def claims(self: Any, domains: tuple[Domain, ...], inputs: tuple[Metrics, ...]) -> Metrics:
        """What the plugin says for these distances: it is told one mapping of bounds by norm for each private input."""
        told = [{name: m.bound for m in metrics for name, kind in NORMED if type(m) is kind} for metrics in inputs]
        return read_metrics(asked(self, *told), repr(self.of))

    def step(self: Any, steps: Steps, *inputs: Domain) -> Fraction | None:
        """2^−bits."""
        return Fraction(1, 2**self.bits)


class ClaimedLoss:
    """The loss of a mechanism, and the least scale of its noise for a ρ."""

    __slots__ = ()

    def calibrate(self: Any, rho: float, delta: float, worst: Metrics, domain: Domain) -> Noise:
        """The least scale, to some 2^−40 of it, at which the asserted loss is at most ρ; 1 where no scale matters.

        With little noise a claim may overflow or be infinite: that is more than any ρ. With most it must answer.
        """

        def cost(power: float) -> float:
            try:
                loss: Loss = self.loss({"scale": 2.0**power}, worst, domain)
            except PlanError:
                if power == MOST_POWER:
                    raise
                return math.inf
            return loss.rho if loss.rho < math.inf else loss.epsilon**2 / 2

        most, least = cost(MOST_POWER), cost(LEAST_POWER)
        if least == most:
            return {"scale": 1.0}
        if not most <= rho:
            raise PlanError(f"{self.of!r} can't cost as little as {rho:.3g} at any scale", fix="raise the budget")
        return {"scale": 2.0 ** boundary(lambda p: cost(p) <= rho, MOST_POWER, LEAST_POWER, steps=64)[0]}

    def loss(self: Any, calibration: Mapping[str, Any], metrics: Metrics, domain: Domain) -> Loss:
        """What the plugin says for this scale at this distance."""
        kind = DISTANCES[self.known.takes]
        found = next((m for m in metrics if isinstance(m, kind)), None)
        if found is None:
            have = ", ".join(type(m).__name__ for m in metrics) or "none"
            raise PlanError(
                f"{self.of!r} costs by the {self.known.takes} distance of its input, which has: {have}",
                fix="give it dp.all_rows(x)" if kind is Edits else "use a statistic or a mechanism that fits",
            )
        if isinstance(found, Edits):
            check_edits(self, found)
        about = (found.removed, found.added) if isinstance(found, Edits) else (found.bound,)
        return read_loss(asked(self, float(calibration["scale"]), *about), repr(self.of))

    def scale(self: Any, calibration: Mapping[str, Any], domain: Domain) -> float:
        """The scale, for values on a lattice."""
        return 0.0 if isinstance(domain, Table) else float(calibration["scale"])
