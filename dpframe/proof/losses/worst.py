"""The worst allocation, resolved at a node before it is composed with anything else.

Which part of a partition the two edits of a replaced row fall into may depend on released values. The
adversary may then *choose* between allocations as it goes, so composing each allocation with the rest and
taking the larger end result is wrong: after a randomised response with epsilon = 1, choosing by its outcome
between another one and "reveal with probability 1/4" has delta(1.5) = 0.278, though always the one and always
the other have 0.210 and 0.250. The maximum has to be taken per Rényi order, per mu, or of the profiles.
"""

from __future__ import annotations

import functools
from fractions import Fraction
from typing import ClassVar, final

import attrs
import numpy as np

from dpframe.proof.losses import basic
from dpframe.proof.losses._numeric import FloatArray, LossError
from dpframe.proof.losses.basic import Events, canonical, events_key
from dpframe.proof.losses.event import Event, Key
from dpframe.proof.losses.laplace import Laplace
from dpframe.proof.losses.pure import BoundedRange, Pure
from dpframe.proof.losses.smooth import Concentrated, Gaussian


def _alternatives(values: object) -> tuple[Events, ...]:
    if not isinstance(values, (tuple, list)) or not values:
        raise LossError("Worst needs at least one alternative, each a tuple of events")
    return tuple(sorted({canonical(alternative) for alternative in values}, key=events_key))


@final
@attrs.frozen(cache_hash=True)
class Worst(Event):
    r"""One of several composed losses; which one may depend on everything released before.

    Each view is the maximum over the alternatives of their composed view. For profiles, each alternative's
    profile is convex in :math:`e^x`, and so is their maximum, which therefore belongs to one dominating pair
    (Zhu, Dong and Wang, AISTATS 2022, Proposition 8); that pair composes (ibid., Theorem 10).

    Parameters
    ----------
    alternatives : tuple of tuples
        Each alternative is a tuple of events, or of ``(event, times)`` pairs, which are composed. Stored in
        canonical order as pairs, without repetitions.
    """

    kind: ClassVar[str] = "worst"
    alternatives: tuple[Events, ...] = attrs.field(converter=_alternatives)

    @property
    def epsilon(self) -> float:
        """The largest composed pure DP parameter."""
        return max(basic.epsilon(events) for events in self.alternatives)

    @property
    def rho(self) -> float:
        """The largest composed zCDP parameter."""
        return max(basic.rho(events) for events in self.alternatives)

    @property
    def mu(self) -> float:
        """The largest composed GDP parameter."""
        return max(basic.mu(events) for events in self.alternatives)

    @property
    def dominated(self) -> bool:
        """Whether every event of every alternative has a dominating pair: then the composer finds one for all."""
        return all(event.dominated for events in self.alternatives for event, _ in events)

    def _rdp(self, orders: FloatArray) -> FloatArray:
        return functools.reduce(np.maximum, [basic.rdp(events, orders) for events in self.alternatives])

    def _enclosure(self, eps: FloatArray) -> None:
        return None  # the composer joins the alternatives on its lattice

    def key(self) -> Key:
        """A tuple that orders events."""
        return (self.kind, tuple(events_key(events) for events in self.alternatives))


def covers(big: Event, small: Event) -> bool:
    """Whether ``big`` is known to dominate ``small`` in every view (docs/theory/losses.md, 2.5)."""
    if big == small:
        return True
    if isinstance(big, Pure):
        return big.epsilon >= small.epsilon
    if isinstance(big, Concentrated):
        return big.rho >= small.rho
    if isinstance(big, Gaussian):
        return isinstance(small, Gaussian) and big.mu >= small.mu
    if isinstance(big, Laplace):
        return isinstance(small, (Laplace, BoundedRange)) and big.epsilon >= small.epsilon
    return isinstance(big, BoundedRange) and isinstance(small, BoundedRange) and big.epsilon >= small.epsilon


def dominates(big: Events, small: Events) -> bool:
    """Whether the composed ``big`` is known to dominate the composed ``small``; ``False`` means "not known".

    Common events cancel; Gaussians are compared by their pooled mu; what is left is matched one to one.
    """
    spare = dict(big)
    left: dict[Event, int] = {}
    for event, times in small:
        common = min(times, spare.get(event, 0))
        spare[event] = spare.get(event, 0) - common
        left[event] = times - common
    left = {event: times for event, times in left.items() if times}
    spare = {event: times for event, times in spare.items() if times}
    if _variance(left) <= _variance(spare):
        left, spare = ({e: n for e, n in events.items() if not isinstance(e, Gaussian)} for events in (left, spare))
    return all(_match(event, times, spare) for event, times in sorted(left.items(), key=lambda p: p[0].key()))


def _variance(events: dict[Event, int]) -> Fraction | float:
    gaussians = [(event.mu, times) for event, times in events.items() if isinstance(event, Gaussian)]
    if any(mu == float("inf") for mu, _ in gaussians):
        return float("inf")
    return sum((Fraction(mu) ** 2 * times for mu, times in gaussians), Fraction(0))


def _match(event: Event, times: int, spare: dict[Event, int]) -> bool:
    for other, count in spare.items():
        used = min(times, count) if covers(other, event) else 0
        spare[other] = count - used
        times -= used
        if not times:
            return True
    return False


def worst_events(cores: list[Events]) -> Events:
    """Reduce alternatives to the ones not known to be dominated; one left stands for itself."""
    flat: list[Events] = []
    for events in cores:
        lone = events[0][0] if len(events) == 1 and events[0][1] == 1 else None
        flat.extend(lone.alternatives if isinstance(lone, Worst) else [events])
    kept: list[Events] = []
    for events in sorted(set(flat), key=events_key):
        if any(dominates(other, events) for other in kept):
            continue
        kept = [other for other in kept if not dominates(events, other)] + [events]
    return kept[0] if len(kept) == 1 else ((Worst(tuple(kept)), 1),)
