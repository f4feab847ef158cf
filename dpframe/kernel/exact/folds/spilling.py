"""Occupied bins beyond what memory should hold: sorted runs in a nameless file, merged chunk by chunk."""

from __future__ import annotations

import bisect
import math
import os
import tempfile
import weakref
from collections.abc import Iterator
from typing import TypeAlias, final

import numpy as np
import numpy.typing as npt

Int64s: TypeAlias = npt.NDArray[np.int64]

HELD = 2**24
"""Bytes of bins that a histogram keeps in memory before it writes them out."""
CHUNK = 2**18
"""Bins that are handed on at a time, however they were stored: the same seed gives the same bits."""
LOADED = 2**25
"""Bytes of all runs together that a merge keeps in memory."""
DENSE = 2**20
"""Keys in the smallest box around some up to which each of them is counted."""


@final
class Runs:
    """Sorted runs of bins with counts, one after the other in a file that has no name and that its owner alone reads.

    The file lies in the system's folder for temporary files (``TMPDIR``), has mode 0600 and is gone as soon as nobody
    holds it, at a kill too.
    """

    __slots__ = ("__weakref__", "_columns", "_file", "_places")

    def __init__(self, columns: int) -> None:
        self._columns = columns
        self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115  lives as long as the histogram
        self._places: list[tuple[int, int]] = []
        weakref.finalize(self, self._file.close)

    def __len__(self) -> int:
        return len(self._places)

    def append(self, keys: Int64s, counts: Int64s) -> None:
        """Write one run."""
        content = memoryview(np.column_stack([keys, counts]).tobytes())
        place = self._file.seek(0, os.SEEK_END)
        while content:
            content = content[self._file.write(content) :]
        self._places.append((place, len(keys)))

    def places(self) -> tuple[tuple[int, int], ...]:
        """(first byte, bins) of each run so far."""
        return tuple(self._places)

    def read(self, place: int, bins: int) -> Int64s:
        """Bins (bins, columns + 1), the counts last; reading moves no position that others share."""
        width = 8 * (self._columns + 1)
        parts, at, left = [], place, bins * width
        while left:
            part = os.pread(self._file.fileno(), left, at)
            if not part:
                raise OSError("a file of occupied bins ends before its last bin")
            parts.append(part)
            at, left = at + len(part), left - len(part)
        return np.frombuffer(b"".join(parts), dtype=np.int64).reshape(bins, self._columns + 1)


@final
class StoredBins:
    """The value of a histogram whose bins do not fit into memory: a pair (keys, counts) that is read chunk by chunk.

    Unpacking it reads it whole.
    """

    __slots__ = ("_held", "_places", "_runs")

    def __init__(self, runs: Runs, keys: Int64s, counts: Int64s) -> None:
        self._runs, self._places, self._held = runs, runs.places(), np.column_stack([keys, counts])

    def merged(self) -> Iterator[tuple[Int64s, Int64s]]:
        """All bins in order, in pieces of no fixed size: no bin is in two pieces."""
        block = max(LOADED // (8 * self._held.shape[1] * (len(self._places) + 1)), 2**8)
        buffers = [self._held, *(self._held[:0] for _ in self._places)]
        unread = [(0, 0), *self._places]
        while True:
            for i, (place, bins) in enumerate(unread):
                if bins and len(buffers[i]) < block // 2:
                    more = self._runs.read(place, min(block, bins))
                    unread[i] = (place + more.nbytes, bins - len(more))
                    buffers[i] = np.concatenate([buffers[i], more])
            ends = [tuple(b[-1, :-1].tolist()) for b, (_, bins) in zip(buffers, unread, strict=True) if bins]
            # Every run has been read up to the least of these, so whatever lies at or below it is complete.
            cuts = [_upto(b, min(ends)) if ends else len(b) for b in buffers]
            ready = np.concatenate([b[:cut] for b, cut in zip(buffers, cuts, strict=True)])
            buffers = [b[cut:] for b, cut in zip(buffers, cuts, strict=True)]
            yield aggregate(np.ascontiguousarray(ready[:, :-1]), ready[:, -1])
            if not ends:
                return

    def __iter__(self) -> Iterator[Int64s]:
        keys, counts = zip(*self.merged(), strict=True)
        return iter((np.concatenate(keys), np.concatenate(counts)))


def _upto(rows: Int64s, key: tuple[int, ...]) -> int:
    """How many of the sorted rows have a key at or below ``key``."""
    return bisect.bisect_right(range(len(rows)), key, key=lambda i: tuple(rows[i, :-1].tolist()))


def chunks(bins: tuple[Int64s, Int64s] | StoredBins) -> Iterator[tuple[Int64s, Int64s]]:
    """The bins of a histogram in order, `CHUNK` at a time and at least one chunk, wherever they were kept."""
    waiting: list[tuple[Int64s, Int64s]] = []
    for piece in bins.merged() if isinstance(bins, StoredBins) else [bins]:
        waiting.append(piece)
        if sum(len(keys) for keys, _ in waiting) > CHUNK:
            *full, rest = _cut(waiting)
            yield from full
            waiting = [rest]
    yield from _cut(waiting)


def _cut(pieces: list[tuple[Int64s, Int64s]]) -> list[tuple[Int64s, Int64s]]:
    """The same bins in pieces of `CHUNK`; the last one may be shorter, and is not empty unless there are none."""
    keys, counts = (np.concatenate(part) for part in zip(*pieces, strict=True))
    starts = range(0, max(len(keys), 1), CHUNK)
    return [(keys[start : start + CHUNK], counts[start : start + CHUNK]) for start in starts]


def aggregate(keys: Int64s, counts: Int64s) -> tuple[Int64s, Int64s]:
    """Distinct keys in lexicographic order with their total counts, which are above 0.

    Keys whose ranges allow it are packed into one integer each, in the same order. Where the box around them is small
    all of its cells are counted, which takes a tenth to a half of the time of sorting.
    """
    if not len(keys):
        return keys, counts
    columns = np.ascontiguousarray(keys.T)  # short inner loops are slow
    low, high = columns.min(axis=1), columns.max(axis=1)
    widths = [int(b) - int(a) + 1 for a, b in zip(low, high, strict=True)]
    if (cells := math.prod(widths)) > 2**62:
        order = np.lexsort(columns[::-1])
        new = (columns[:, order[1:]] != columns[:, order[:-1]]).any(axis=0)
    else:
        packed = np.zeros(len(keys), dtype=np.int64)
        for column, least, width in zip(columns, low, widths, strict=True):
            packed *= width
            packed += column - least
        if cells <= min(DENSE, 16 * len(keys)):
            totals = np.zeros(cells, dtype=np.int64)
            np.add.at(totals, packed, counts)
            found = np.flatnonzero(totals)
            return np.stack(np.unravel_index(found, widths), axis=1) + low, totals[found]
        order = np.argsort(packed)
        new = np.diff(packed[order]) > 0
    first = np.flatnonzero(np.append(True, new))
    return keys[order[first]], np.add.reduceat(counts[order], first)
