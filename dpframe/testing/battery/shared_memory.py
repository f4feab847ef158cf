"""Memory that processes share: what a plugin writes there reaches its other processes, forks of this kit among them.

So an attack in a fork is not the first one there, and what a function has written by then may be all that it writes.
What lies in such memory is compared before any function of a file was called and after all were.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path

MAPS, MEMORY = Path("/proc/self/maps"), Path("/proc/self/mem")
LARGEST = 2**26
"""Bytes of one piece that are looked at."""
LOCKS = "/dev/shm/sem."  # noqa: S108  a name that is compared, and no file that is made
WORDS = (
    "it writes into memory that processes share, where what it was given stays: "
    "other blocks, other runs and other programs can read it"
)


def written(before: Mapping[str, str]) -> bool:
    """Whether a piece of shared memory that was there before holds something else now."""
    now = contents()
    return any(now.get(place, digest) != digest for place, digest in before.items())


def contents() -> dict[str, str]:
    """Digests of all pieces of memory that this process shares and may write to, by their place; none elsewhere.

    Locks of processes are left out: others hold them and let them go.
    """
    found: dict[str, str] = {}
    with contextlib.suppress(OSError), MEMORY.open("rb", buffering=0) as memory:
        for place, start, size in _pieces():
            with contextlib.suppress(OSError, ValueError):  # pages beyond a file's end are not there
                memory.seek(start)
                found[place] = hashlib.blake2b(memory.read(size)).hexdigest()
    return found


def _pieces() -> Iterator[tuple[str, int, int]]:
    """Place, start and size of each piece."""
    for line in MAPS.read_text(errors="replace").splitlines():
        place, rights, *_ = line.split(maxsplit=2)
        if "w" not in rights or "s" not in rights or LOCKS in line:
            continue
        start, end = (int(part, 16) for part in place.split("-"))
        if end - start <= LARGEST:
            yield line, start, end - start
