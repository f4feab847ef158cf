"""What the machine's own files tell, with other numbers; only ever in a fork.

``/proc`` and ``/sys`` tell how much memory is free, how many processors there are, how long the machine runs: a
function that reads them answers by where and when it runs.
"""

from __future__ import annotations

import builtins
import io
import os
import re
import stat
import tempfile
from collections.abc import Callable
from typing import Any

from dpframe.testing.battery.replacing import replace

HOMES = ("/proc/", "/sys/")
NUMBER = re.compile(rb"(?<![\w.])\d+(?![\w.])")
MOST_DIGITS, LONGEST = 15, 2**20
Change = Callable[[int], int]


def many(number: int) -> int:
    """Of everything more."""
    return 29 * number + 1


def few(number: int) -> int:
    """Of everything next to nothing."""
    return min(number, 1)


def retell(change: Change) -> None:
    """From now on these files, opened to be read, hold other numbers."""
    opened, plain = os.open, builtins.open

    def low(path: Any, flags: int, *more: Any, **named: Any) -> int:
        fd = opened(path, flags, *more, **named)
        return _told(fd, change) if _is_told(path) and not flags & (os.O_WRONLY | os.O_RDWR) else fd

    def high(file: Any, mode: str = "r", *more: Any, **named: Any) -> Any:
        if not _is_told(file) or not mode.startswith("r") or "+" in mode:
            return plain(file, mode, *more, **named)
        return plain(_told(opened(file, os.O_RDONLY | os.O_CLOEXEC), change), mode, *more, **named)

    replace({opened: low}, os)
    replace({plain: high}, builtins)
    replace({plain: high}, io)


def _is_told(path: Any) -> bool:
    return isinstance(path, (str, bytes, os.PathLike)) and os.fsdecode(path).startswith(HOMES)


def _told(fd: int, change: Change) -> int:
    """A file of the same text with other numbers, in the place of this one; a folder as it is."""
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        return fd
    with os.fdopen(fd, "rb") as real:
        text = real.read(LONGEST)
    made = NUMBER.sub(lambda n: b"%d" % change(int(n[0])) if len(n[0]) <= MOST_DIGITS else n[0], text)
    with tempfile.TemporaryFile() as file:
        file.write(made)
        file.seek(0)
        return os.dup(file.fileno())
