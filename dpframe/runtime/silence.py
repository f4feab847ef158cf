"""No warning while rows are looked at, however many threads do so at once."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np


class _Silence:
    """Begins with the first thread that enters, and ends with the last one that leaves."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0
        self._before: Any = None

    def enter(self) -> None:
        with self._lock:
            if not self._inside:
                self._before = warnings.catch_warnings()
                self._before.__enter__()
                warnings.simplefilter("ignore")
            self._inside += 1

    def leave(self) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside:
                self._before.__exit__(None, None, None)


_SILENCE = _Silence()


@contextmanager
def silent() -> Iterator[None]:
    """No warning: it would tell of a row, and so would an error of ``np.seterr``'s.

    Python's filters are one for all threads: what silences one call of a function ends the silence of others when it is
    done, and of two that overlap the second leaves silence behind.
    """
    _SILENCE.enter()
    try:
        with np.errstate(all="ignore"):
            yield
    finally:
        _SILENCE.leave()
