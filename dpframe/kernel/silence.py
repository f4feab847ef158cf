"""No warning while rows are looked at, however many threads do so at once."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

_LOCK = threading.Lock()
_INSIDE: list[warnings.catch_warnings[None]] = []
"""One for each that is inside; the first one keeps what was before, until the last one leaves."""


@contextmanager
def silent() -> Iterator[None]:
    """No warning: it would tell of a row, and so would an error of ``np.seterr``'s.

    Python's filters are one for all threads: what silences one call of a function ends the silence of others when it is
    done, and of two that overlap the second leaves silence behind.
    """
    with _LOCK:
        _INSIDE.append(warnings.catch_warnings())
        if len(_INSIDE) == 1:
            _INSIDE[0].__enter__()
            warnings.simplefilter("ignore")
    try:
        with np.errstate(all="ignore"):
            yield
    finally:
        with _LOCK:
            last = _INSIDE.pop()
            if not _INSIDE:
                last.__exit__(None, None, None)
