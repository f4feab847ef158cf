"""The released values that a function of rows may be called with beside its rows: their kinds, widths and sizes."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from dpframe.errors import DpframeError
from dpframe.proof.spaces import Record
from dpframe.testing.battery.case import released_domains
from dpframe.testing.battery.own_inputs import released
from dpframe.testing.battery.values import RECORDS, draw

MOST_BETWEEN = 4
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


def of_other_sizes(kinds: tuple[Any, ...], own: Sequence[float] = ()) -> tuple[tuple[Any, ...], ...]:
    """Released values at 0, large, small, at numbers of the code and between; fewer where a domain has none."""
    found = []
    for scale in SIZES if kinds else ():
        with contextlib.suppress(DpframeError, ValueError, ArithmeticError):
            drawn = [draw(kind, np.random.default_rng(1), abs(scale)) for kind in kinds]
            found.append(tuple(_opposite(*one) if scale < 0 else one[1] for one in zip(kinds, drawn, strict=True)))
    return (*found, *at_numbers(kinds, own))


def at_numbers(kinds: tuple[Any, ...], own: Sequence[float]) -> Iterator[tuple[Any, ...]]:
    """Released values that are numbers of the code all over, or lie between two of them, the nearest two first.

    Examples
    --------
    >>> from dpframe.spaces import Vector
    >>> [float(x[0]) for (x,) in at_numbers((Vector(2),), [3.0, 40.0, 41.0])]
    [40.5, 21.5, 3.0, 40.0, 41.0]
    """
    ends = sorted(own)
    gaps = sorted((b - a, (a + b) / 2) for a, b in itertools.pairwise(ends))
    for x in [*(middle for _, middle in gaps[:MOST_BETWEEN]), *ends[:MOST_BETWEEN]] if kinds else []:
        with contextlib.suppress(DpframeError, ValueError, ArithmeticError):
            drawn = [draw(kind, np.random.default_rng(1)) for kind in kinds]
            made = tuple(np.full_like(v, x) if isinstance(v, np.ndarray) and v.dtype.kind == "f" else v for v in drawn)
            for kind, value in zip(kinds, made, strict=True):
                kind.check(value)
            yield made


def _opposite(kind: Any, value: Any) -> Any:
    """The value with its signs turned, where its domain has that."""
    if not isinstance(value, np.ndarray):
        return value
    kind.check(-value)
    return -value
