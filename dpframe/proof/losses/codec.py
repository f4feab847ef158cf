"""Losses and events from JSON: strict, bounded, and never executing anything."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from dpframe.errors import CertificateError
from dpframe.proof.losses._numeric import LossError
from dpframe.proof.losses.algebra import Loss
from dpframe.proof.losses.basic import Events
from dpframe.proof.losses.event import Event
from dpframe.proof.losses.laplace import DiscreteLaplace, Laplace
from dpframe.proof.losses.lattice_gaussian import DiscreteGaussian, LatticeGaussian
from dpframe.proof.losses.pure import BoundedRange, Pure
from dpframe.proof.losses.sampled import SampledGaussian, SampledLaplace
from dpframe.proof.losses.smooth import Concentrated, Gaussian, Renyi
from dpframe.proof.losses.worst import Worst

T = TypeVar("T")

MAX_DEPTH = 32
"""Deepest nesting of worst allocations that is read."""

MAX_EVENTS = 100_000
"""Most (event, times) entries that one loss may list, nested ones included."""

MAX_TIMES = 2**62
MAX_ORDERS = 4096

_FIELDS: dict[str, tuple[Callable[..., Event], tuple[str, ...]]] = {
    "pure": (Pure, ("epsilon",)),
    "laplace": (Laplace, ("epsilon",)),
    "bounded_range": (BoundedRange, ("epsilon",)),
    "discrete_laplace": (DiscreteLaplace, ("shift", "scale")),
    "gaussian": (Gaussian, ("mu",)),
    "discrete_gaussian": (DiscreteGaussian, ("shift", "scale")),
    "lattice_gaussian": (LatticeGaussian, ("ratio",)),
    "sampled_gaussian": (SampledGaussian, ("inner_mu", "rate", "adjacency")),
    "sampled_laplace": (SampledLaplace, ("inner_epsilon", "rate", "adjacency")),
    "concentrated": (Concentrated, ("rho",)),
    "renyi": (Renyi, ("orders", "values")),
    "worst": (Worst, ("alternatives",)),
}


class _Reader:
    """Reads one document and counts its entries."""

    def __init__(self) -> None:
        self.entries = 0

    def loss(self, data: object) -> Loss:
        fields = _object(data, "a loss", ("events", "delta"))
        events = self.core(fields["events"], 0)
        return _build(Loss, "a loss", (events, _number(fields["delta"])))

    def core(self, data: object, depth: int) -> Events:
        pairs = []
        for item in _list(data, "a list of events", MAX_EVENTS):
            pair = _list(item, "an [event, times] pair", 2)
            if len(pair) != 2:
                raise CertificateError(f"an entry must be an [event, times] pair, got {len(pair)} items")
            self.entries += 1
            if self.entries > MAX_EVENTS:
                raise CertificateError(f"a loss lists more than {MAX_EVENTS} events")
            pairs.append((self.event(pair[0], depth), _times(pair[1])))
        return tuple(pairs)

    def event(self, data: object, depth: int) -> Event:
        if depth > MAX_DEPTH:
            raise CertificateError(f"worst allocations are nested more than {MAX_DEPTH} deep")
        if not isinstance(data, dict):
            raise CertificateError(f"an event must be an object with a 'type', got {_short(data)}")
        kind = data.get("type")
        if not isinstance(kind, str) or kind not in _FIELDS:
            known = ", ".join(sorted(_FIELDS))
            raise CertificateError(f"unknown event type {_short(kind)}", fix=f"use one of {known}")
        build, names = _FIELDS[kind]
        fields = _object(data, f"event '{kind}'", ("type", *names))
        return _build(build, f"event '{kind}'", [self.field(name, fields[name], depth) for name in names])

    def field(self, name: str, value: object, depth: int) -> object:
        if name == "alternatives":
            rows = _list(value, "the alternatives", MAX_EVENTS)
            self.entries += len(rows)
            return tuple(self.core(row, depth + 1) for row in rows)
        if name in ("orders", "values"):
            return tuple(_number(item) for item in _list(value, f"the Rényi {name}", MAX_ORDERS))
        return value if name in ("shift", "adjacency") else _number(value)


def _short(value: object) -> str:
    text = repr(value) if isinstance(value, (str, int, float, bool, type(None))) else type(value).__name__
    return text if len(text) <= 40 else text[:37] + "..."


def _object(data: object, what: str, names: tuple[str, ...]) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise CertificateError(f"{what} must be an object, got {_short(data)}")
    if set(data) != set(names):
        raise CertificateError(f"{what} must have exactly the keys {', '.join(names)}")
    return data


def _list(data: object, what: str, most: int) -> list[Any]:
    if not isinstance(data, (list, tuple)):
        raise CertificateError(f"{what} must be a list, got {_short(data)}")
    if len(data) > most:
        raise CertificateError(f"{what} has more than {most} items")
    return list(data)


def _number(value: object) -> object:
    return float("inf") if isinstance(value, str) and value == "inf" else value


def _times(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MAX_TIMES:
        raise CertificateError(f"times must be an integer from 1 to 2^62, got {_short(value)}")
    return value


def _build(build: Callable[..., T], what: str, arguments: Any) -> T:
    try:
        return build(*arguments)
    except (LossError, OverflowError) as error:
        raise CertificateError(f"{what}: {error}") from None


def loss_from_json(data: object) -> Loss:
    """Read a loss from parsed JSON.

    Parameters
    ----------
    data : object
        What :meth:`Loss.to_json` gives, after ``json.loads``. Infinity is the string ``"inf"``.

    Raises
    ------
    CertificateError
        Unknown types or keys, missing keys, numbers that are negative, nan or booleans, more than
        ``MAX_EVENTS`` entries, or nesting deeper than ``MAX_DEPTH``.

    Examples
    --------
    >>> from dpframe.proof.losses import Gaussian
    >>> loss = Loss.of(Gaussian(0.1), times=3, delta=1e-9)
    >>> loss_from_json(loss.to_json()) == loss
    True
    """
    return _Reader().loss(data)


def event_from_json(data: object) -> Event:
    """Read one event from parsed JSON; the same checks as :func:`loss_from_json`."""
    return _Reader().event(data, 0)
