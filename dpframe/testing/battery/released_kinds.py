"""The released values that a function of rows may be called with beside its rows: their kinds, widths and sizes."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from dpframe.errors import DpframeError
from dpframe.proof.spaces import Record
from dpframe.testing.battery.case import released_domains
from dpframe.testing.battery.own_inputs import released
from dpframe.testing.battery.values import RECORDS, draw

SIZES = (0.0, 1e6, 1e-3, -1.0)
"""Of released values, beside 1; below 0 their signs are turned."""


def released_kinds(d: int, inputs: Sequence[int]) -> Iterator[tuple[Any, ...]]:
    """Kinds of released values beside rows of this width, for so many inputs in all."""
    for count in inputs:
        yield from released(d, count - 1, tuple(RECORDS))


def resized(kinds: tuple[Any, ...], d: int) -> tuple[Any, ...]:
    """The same kinds of released values for rows of another width."""

    def alike(kind: Any) -> Any:
        same = (k for k in released_domains(d) if type(k) is type(kind))
        return kind if isinstance(kind, Record) else next(same, kind)  # a record is what its name says

    return tuple(map(alike, kinds))


def of_other_sizes(kinds: tuple[Any, ...]) -> tuple[tuple[Any, ...], ...]:
    """Released values at 0, large, small; fewer where a domain has none."""
    found = []
    for scale in SIZES if kinds else ():
        with contextlib.suppress(DpframeError, ValueError, ArithmeticError):
            drawn = [draw(kind, np.random.default_rng(1), abs(scale)) for kind in kinds]
            found.append(tuple(_opposite(*one) if scale < 0 else one[1] for one in zip(kinds, drawn, strict=True)))
    return tuple(found)


def _opposite(kind: Any, value: Any) -> Any:
    """The value with its signs turned, where its domain has that."""
    if not isinstance(value, np.ndarray):
        return value
    kind.check(-value)
    return -value
