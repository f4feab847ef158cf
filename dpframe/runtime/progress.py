"""How far a run is: a line on the terminal or in a notebook, or a call; which pass, and how far where n is public."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

AFTER = 2.0
Call = Callable[[int, int | None], object]


class Progress:
    """Writes to stderr when somebody watches it: remarks at once, passes once the run has taken a while.

    Or calls ``call(turn, percent)`` in its place, when a pass begins and whenever the percentage changes: ``turn``
    counts passes from 1, ``percent`` is None where the number of rows is not public, so that nothing depends on it. A
    call that raises is the last one, and changes nothing else.
    """

    def __init__(self, rows: int | None, *, shown: bool | None = None, call: Call | None = None) -> None:
        self._rows = rows
        watched = sys.stderr.isatty() or "ipykernel" in sys.modules
        self._shown = call is None and (watched if shown is None else shown)
        self._call = call
        self._told: tuple[int, int | None] | None = None
        self._pass = 0
        self._seen = 0
        self._next = time.monotonic() + AFTER
        self._line = ""

    def begin(self) -> None:
        """Begin a new pass."""
        self._pass += 1
        self._seen = 0
        self._tell()

    def step(self, rows: int) -> None:
        """Count some rows as done."""
        self._seen += rows
        self._tell()
        share = f" {min(99, 100 * self._seen // max(self._rows, 1)):2d} %" if self._rows else ""
        self.show(f"pass {self._pass}{share} ")

    def show(self, line: str) -> None:
        """Show a line that the next one overwrites, at most every 0.2 s, and none in the first seconds of a run."""
        now = time.monotonic()
        if not self._shown or now < self._next:
            return
        self._next = now + 0.2
        if line != self._line:  # how often a line is written would tell how many batches there are
            sys.stderr.write("\r" + line.ljust(len(self._line)))
            sys.stderr.flush()
        self._line = line

    def _tell(self) -> None:
        percent = min(99, 100 * self._seen // max(self._rows, 1)) if self._rows else None
        if self._call is None or self._told == (self._pass, percent):
            return
        self._told = self._pass, percent
        try:
            self._call(*self._told)
        except Exception:  # noqa: BLE001  a run that has begun is not ended by who watches it
            self._call = None

    def say(self, text: str) -> None:
        """Show a line that stays: what a post node remarks on its released result."""
        if self._shown:
            sys.stderr.write("\r" + text.ljust(max(20, len(self._line))) + "\n")
            sys.stderr.flush()

    def end(self) -> None:
        """Clear the line."""
        if self._line:
            sys.stderr.write("\r" + " " * max(20, len(self._line)) + "\r")
            sys.stderr.flush()
