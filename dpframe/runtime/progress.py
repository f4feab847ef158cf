"""A line on the terminal during long runs: which pass, and how far where the number of rows is public."""

from __future__ import annotations

import sys
import time

AFTER = 2.0


class Progress:
    """Writes to stderr when it is a terminal: remarks at once, passes once the run has taken a while."""

    def __init__(self, rows: int | None, *, shown: bool | None = None) -> None:
        self._rows = rows
        self._shown = sys.stderr.isatty() if shown is None else shown
        self._pass = 0
        self._seen = 0
        self._next = time.monotonic() + AFTER
        self._line = ""

    def begin(self) -> None:
        """A new pass."""
        self._pass += 1
        self._seen = 0

    def step(self, rows: int) -> None:
        """Some rows are done."""
        self._seen += rows
        now = time.monotonic()
        if not self._shown or now < self._next:
            return
        self._next = now + 0.2
        share = f" {min(99, 100 * self._seen // max(self._rows, 1)):2d} %" if self._rows else ""
        line = f"\rpass {self._pass}{share} "
        if line != self._line:  # how often a line is written would tell how many batches there are
            sys.stderr.write(line)
            sys.stderr.flush()
        self._line = line

    def say(self, text: str) -> None:
        """A line that stays: what a post node remarks on its released result, before the run goes on."""
        if self._shown:
            sys.stderr.write("\r" + text.ljust(20) + "\n")
            sys.stderr.flush()

    def end(self) -> None:
        """Clear the line."""
        if self._line:
            sys.stderr.write("\r" + " " * 20 + "\r")
            sys.stderr.flush()
