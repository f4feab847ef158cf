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
    done, and of two that overlap the second leaves silence behind. What a function asks of the filters ends with its
    call: if one made errors of warnings, a row of which another warns would decide about all rows of its batch.
    """
    with _LOCK:
        _INSIDE.append(warnings.catch_warnings())
        if len(_INSIDE) == 1:
            _INSIDE[0].__enter__()
        warnings.simplefilter("ignore")  # whatever a plugin's function asked for before
    try:
        with np.errstate(all="ignore"):
            yield
    finally:
        with _LOCK:
            last = _INSIDE.pop()
            if _INSIDE:
                warnings.simplefilter("ignore")
            else:
                last.__exit__(None, None, None)
