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
    """To stdout; a reader who left is no error, and changes no exit code."""
    try:
        sys.stdout.write(harmless(text) + "\n")
    except BrokenPipeError:
        hush(sys.stdout)


def flush() -> None:
    """What was answered goes out."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        hush(sys.stdout)


def say(text: str) -> None:
    """To stderr; nothing depends on whether it can be written."""
    try:
        sys.stderr.write(harmless(text) + "\n")
    except OSError:
        hush(sys.stderr)


def hush(stream: TextIO) -> None:
    """Send what a stream still holds, and gets from now on, nowhere."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def complaint(error: BaseException) -> str:
    """An error in one line; of a word that is pages long its beginning."""
    words = LONG.sub(lambda found: found[0][:100] + "...", " ".join(str(error).split()))
    return "dpframe: " + harmless(words)
