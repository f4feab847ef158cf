"""Losses of other tools, as a ledger books them: all events, also those that no theorem here gives.

A run's own loss never names these: the checker reads certificates with ``EVENTS`` of :mod:`dpframe.proof.losses` alone,
and refuses any other by name.
"""

from __future__ import annotations

from collections.abc import Mapping

from dpframe.planning.discrete_events import DiscreteGaussian, DiscreteLaplace
from dpframe.planning.sampled_events import Sampled, SampledGaussian, SampledLaplace
from dpframe.proof.losses import EVENTS, Event, Loss, loss_from_json
from dpframe.proof.losses.basic import Events

BOOKED: Mapping[str, type[Event]] = {
    **EVENTS,
    **{event.kind: event for event in (DiscreteLaplace, DiscreteGaussian, SampledGaussian, SampledLaplace)},
}
"""What an entry of a ledger may name."""


def proved_under(loss: Loss) -> frozenset[str]:
    """The adjacencies of rows that events of a loss name, which say nothing under another one.

    Examples
    --------
    >>> event = {"type": "sampled_gaussian", "inner_mu": 1.0, "rate": 0.01, "adjacency": "add_remove"}
    >>> sorted(proved_under(booked_loss({"events": [[event, 100]], "delta": 0.0})))
    ['add_remove']
    """

    def named(events: Events) -> frozenset[str]:
        own = {event.adjacency for event, _ in events if isinstance(event, Sampled)}
        return frozenset(own).union(*(named(inner) for event, _ in events for inner in event.alternatives))

    return named(loss.events)


def booked_loss(data: object) -> Loss:
    """Read what another tool spent, from parsed JSON.

    Raises
    ------
    CertificateError
        As of :func:`~dpframe.proof.losses.loss_from_json`.

    Examples
    --------
    >>> event = {"type": "sampled_gaussian", "inner_mu": 1.0, "rate": 0.01, "adjacency": "add_remove"}
    >>> booked_loss({"events": [[event, 100]], "delta": 0.0}).rho
    50.0
    """
    return loss_from_json(data, BOOKED)
