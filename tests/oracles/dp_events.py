"""What a plan's events are in the terms of dp-accounting, an accountant that shares no code with ours."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pytest

KNOWN = ("gaussian", "laplace", "pure", "concentrated")
"""Events that dp-accounting has a counterpart of; a worst allocation and a bounded range have none."""


def event(entry: dict[str, Any]) -> Any:
    """One entry of ``plan.events()`` as a ``DpEvent``; a pure ε is its dominating randomised response."""
    accounting = pytest.importorskip("dp_accounting")
    make = {
        "gaussian": lambda: accounting.GaussianDpEvent(1 / entry["mu"]),
        "laplace": lambda: accounting.LaplaceDpEvent(1 / entry["epsilon"]),
        "pure": lambda: accounting.RandomizedResponseDpEvent(2 / (1 + math.exp(entry["epsilon"])), 2),
        "concentrated": lambda: accounting.ZCDpEvent(entry["rho"], 0.0),
    }
    one = make[entry["type"]]()
    return one if entry["times"] == 1 else accounting.SelfComposedDpEvent(one, entry["times"])


def composed(entries: Sequence[dict[str, Any]]) -> Any:
    """All of them as one event."""
    accounting = pytest.importorskip("dp_accounting")
    return accounting.ComposedDpEvent([event(entry) for entry in entries])


def pld_bounds(entries: Sequence[dict[str, Any]], delta: float, interval: float = 1e-3) -> tuple[float, float]:
    """ε below and above the exact one, by privacy loss distributions rounded either way."""
    distribution = pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")
    found = []
    for pessimistic in (False, True):
        options: dict[str, Any] = {
            "pessimistic_estimate": pessimistic,
            "value_discretization_interval": interval,
        }
        total: Any = None
        for entry in entries:
            part = _part(distribution, entry, options, pessimistic)
            part = part.self_compose(entry["times"]) if entry["times"] > 1 else part
            total = part if total is None else total.compose(part)
        found.append(float(total.get_epsilon_for_delta(delta)))
    return found[0], found[1]


def _part(distribution: Any, entry: dict[str, Any], options: dict[str, Any], dots: bool) -> Any:
    if entry["type"] == "gaussian":
        return distribution.from_gaussian_mechanism(1 / entry["mu"], use_connect_dots=dots, **options)
    if entry["type"] == "laplace":
        return distribution.from_laplace_mechanism(1 / entry["epsilon"], use_connect_dots=dots, **options)
    return distribution.from_randomized_response(2 / (1 + math.exp(entry["epsilon"])), 2, **options)
