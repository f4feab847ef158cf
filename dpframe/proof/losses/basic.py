"""Multisets of events and their composed views: what :class:`Loss` and :class:`Worst` are both made of."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from dpframe.proof.losses._numeric import (
    LARGEST,
    FloatArray,
    LossError,
    U,
    check_orders,
    exact_sum,
    sqrt_up,
    sum_up,
    whole,
)
from dpframe.proof.losses.event import Event, Key
from dpframe.proof.losses.smooth import Concentrated, Gaussian

Events = tuple[tuple[Event, int], ...]


def canonical(events: Mapping[Event, int] | Iterable[Any]) -> Events:
    """Merge equal events, drop those that occur 0 times and sort: equal multisets become equal tuples.

    Items are ``(event, times)`` pairs; a bare event counts once.
    """
    if isinstance(events, tuple) and len(events) == 1 and type(events[0]) is tuple and len(events[0]) == 2:
        event, times = events[0]
        if isinstance(event, Event) and times == 1 and type(times) is int:
            return ((event, 1),)
    counts: dict[Event, int] = {}
    for item in events.items() if isinstance(events, Mapping) else events:
        event, times = item if isinstance(item, tuple) and len(item) == 2 else (item, 1)
        if not isinstance(event, Event):
            raise LossError(f"a loss is made of events, got {event!r}")
        counts[event] = counts.get(event, 0) + whole(times)
    kept = [(event, times) for event, times in counts.items() if times]
    if any(times > LARGEST for _, times in kept):
        raise LossError("an event occurs more than 2^1000 times")
    return tuple(sorted(kept, key=lambda pair: pair[0].key()))


def events_key(events: Events) -> Key:
    """Order cores."""
    return tuple((event.key(), times) for event, times in events)


def epsilon(events: Events) -> float:
    """Basic composition: the epsilons add."""
    return sum_up((event.epsilon, times) for event, times in events)


def rho(events: Events) -> float:
    """The zCDP parameters add (Bun and Steinke, TCC 2016, Lemma 1.7)."""
    return sum_up((event.rho, times) for event, times in events)


def mu(events: Events) -> float:
    """The squares of the GDP parameters add (Dong, Roth and Su 2022, Corollary 3.3)."""
    if len(events) == 1 and events[0][1] == 1:
        return float(events[0][0].mu)
    squares = exact_sum(((event.mu, times) for event, times in events), power=2)
    return math.inf if squares is None else sqrt_up(Fraction(*squares))


def rdp(events: Events, orders: FloatArray) -> FloatArray:
    """Rényi divergences of one order add (Mironov, CSF 2017, Proposition 1); lines in the order add as one line."""
    orders = check_orders(orders)
    linear = sum_up((event.rho, times) for event, times in events if isinstance(event, (Gaussian, Concentrated)))
    others = [pair for pair in events if not isinstance(pair[0], (Gaussian, Concentrated))]
    with np.errstate(all="ignore"):
        total = orders * linear * (1 + 4 * U) if len(others) < len(events) else np.zeros(orders.shape)
        for event, times in others:
            total = total + float(times) * event.curve(orders)
        return total * (1 + 1e-15 * (len(others) + 2))


def pooled(events: Events) -> tuple[float, Events]:
    """Split into the GDP parameter of all Gaussians together and the remaining events."""
    gaussians = tuple(pair for pair in events if isinstance(pair[0], Gaussian))
    return mu(gaussians), tuple(pair for pair in events if not isinstance(pair[0], Gaussian))
