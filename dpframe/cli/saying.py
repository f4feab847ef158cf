"""What commands write, to stdout and stderr: nothing that a terminal obeys, and no error where nobody reads it."""

from __future__ import annotations

import contextlib
import os
import re
import sys
from typing import TextIO

from dpframe.shown import harmless

LONG = re.compile(r"\S{500,}")


def answer(text: str) -> None:
    """Print to stdout. A reader who is gone is no error and changes no exit code."""
    try:
        sys.stdout.write(harmless(text) + "\n")
    except BrokenPipeError:
        hush(sys.stdout)


def flush() -> None:
    """Send on what was printed so far."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        hush(sys.stdout)


def say(text: str) -> None:
    """Print to stderr, if it can be written."""
    try:
        sys.stderr.write(harmless(text) + "\n")
    except OSError:
        hush(sys.stderr)


def hush(stream: TextIO) -> None:
    """Discard what a stream still holds and all that it gets from now on."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def complaint(error: BaseException) -> str:
    """An error in one line, which is cut where it quotes something long."""
    words = LONG.sub(lambda found: found[0][:100] + "...", " ".join(str(error).split()))
    return "dpframe: " + harmless(words)
