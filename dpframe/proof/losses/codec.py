"""Losses and events from JSON: strict, bounded, and never executing anything."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dpframe.errors import CertificateError
from dpframe.proof.losses.algebra import Loss
from dpframe.proof.losses.event import Event, field_names
from dpframe.proof.losses.laplace import Laplace
from dpframe.proof.losses.lattice_gaussian import LatticeGaussian
from dpframe.proof.losses.pure import BoundedRange, Pure
from dpframe.proof.losses.smooth import Concentrated, Gaussian, Renyi
from dpframe.proof.losses.worst import Worst
from dpframe.proof.readers import Reader, built, mapping, pair, record, several, short, text

MAX_DEPTH = 64
"""Deepest nesting of worst allocations that is read: that of the deepest division."""

MAX_EVENTS = 100_000
"""Most (event, times) entries that one loss may list, nested ones included."""

MAX_TIMES = 2**62
MAX_ORDERS = 4096

EVENTS: Mapping[str, type[Event]] = {
    event.kind: event for event in (Pure, Laplace, BoundedRange, Gaussian, LatticeGaussian, Concentrated, Renyi, Worst)
}
"""What certificates may name, by name."""


class _Reader:
    """Reads one document and counts its entries."""

    def __init__(self, events: Mapping[str, type[Event]]) -> None:
        self.events, self.entries = events, 0

    def loss(self, data: object) -> Loss:
        fields = record(data, "a loss", {"events": several(self.pair), "delta": _number})
        return built("a loss", lambda: Loss(fields["events"], fields["delta"]))

    def pair(self, data: Any, what: str, depth: int = 0) -> tuple[Event, int]:
        self._count()
        return pair(lambda event, _: self.event(event, depth), _times)(data, what)

    def _count(self) -> None:
        self.entries += 1
        if self.entries > MAX_EVENTS:
            raise CertificateError(f"a loss lists more than {MAX_EVENTS} events")

    def event(self, data: Any, depth: int) -> Event:
        if depth > MAX_DEPTH:
            raise CertificateError(f"worst allocations are nested more than {MAX_DEPTH} deep")
        kind = mapping(data, "an event").get("type")
        if not isinstance(kind, str) or kind not in self.events:
            fix = f"use one of {', '.join(sorted(self.events))}"
            raise CertificateError(f"unknown event type {short(kind)}", fix=fix)
        readers = {name: self.reader(name, depth) for name in field_names(self.events[kind])}
        fields = record(data, f"event '{kind}'", {"type": text, **readers})
        del fields["type"]
        return built(f"event '{kind}'", lambda: self.events[kind](**fields))

    def reader(self, name: str, depth: int) -> Reader[Any]:
        if name == "alternatives":
            return self.alternatives(depth + 1)
        if name in ("orders", "values"):
            return several(_number, MAX_ORDERS)
        return _number

    def alternatives(self, depth: int) -> Reader[Any]:
        def one(data: Any, what: str) -> Any:
            self._count()
            return several(lambda item, said: self.pair(item, said, depth))(data, what)

        return several(one)


def _number(value: Any, what: str) -> Any:
    return float("inf") if isinstance(value, str) and value == "inf" else value


def _times(value: Any, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MAX_TIMES:
        raise CertificateError(f"times must be an integer from 1 to 2^62, got {short(value)}")
    return value


def loss_from_json(data: object, events: Mapping[str, type[Event]] = EVENTS) -> Loss:
    """Read a loss from parsed JSON.

    Parameters
    ----------
    data : object
        What :meth:`Loss.to_json` gives, after ``json.loads``. Infinity is the string ``"inf"``.
    events : mapping of str to type
        The events that it may name.

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
    return _Reader(events).loss(data)
