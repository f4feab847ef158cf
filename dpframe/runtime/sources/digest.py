"""Noticing a source that gives other rows when it is read again.

Sums are priced for one table. A source that draws anew (a lazy graph with random blocks, a file written over, an
array that someone changes) could let one row stand in two parts that are cut by index, so every row that is handed
out is digested: in the first pass the digests are kept, in every later one they are compared. Sources hand out memory
of their own, so that nobody can write between a row's digest and its use.

The digest of a unit of 2^16 rows is keyed by a secret of the run, never leaves memory, and costs a few operations a
number: keyed hashing by BLAKE2 takes most of the time of a pass, and SHA-1 in hardware still a quarter of it.
"""

from __future__ import annotations

import hashlib
import secrets

import numpy as np
import numpy.typing as npt

from dpframe.errors import ChangedError, RunError

UNIT_ROWS = 2**16
LANES = 512
_STRIPS = 256  # swapped at a time: a megabyte

Words = npt.NDArray[np.uint64]


class Digests:
    """What a source gave so far, unit by unit.

    Parameters
    ----------
    d : int
        Numbers a row.

    Notes
    -----
    *Formal guarantees.* The float64 values of a unit are words of 64 bits, laid in strips of 512 lanes; the last
    strip is filled with zeros. For lane w and strips b the digest holds Σ_b κ_b x_bw and Σ_b λ_b x̃_bw modulo 2^64,
    where x̃ is x with its bytes reversed and all κ, λ are uniform and secret; then the number of rows and, unless none
    is empty, the flags of the empty ones. All of it goes through keyed BLAKE2b.

    Let two contents of a unit differ, both chosen without the keys. Where the flags or the number of rows differ, equal
    digests are a collision of BLAKE2b. Else some word x becomes x'. Given all other keys, the first sum is the same
    only if κ(x − x') ≡ c, which 2^v of the 2^64 values of κ solve, v being the lowest bit in which x and x' differ; so
    for the second, by λ, with v' for the reversed bytes. If the lowest and the highest byte in which they differ are j
    and J, then v ≤ 8j + 7 and v' ≤ 8(7 − J) + 7, so v + v' ≤ 70, and both are the same with a chance of at most
    2^(70−128) = 2^−58. A source that changes is noticed in the first unit that differs, so this bounds the whole run.
    Neither sum alone would do: x and −x differ in the highest bit only, which half of all κ miss.
    """

    def __init__(self, d: int) -> None:
        self.d = d
        self.known: list[bytes] = []
        self.sole = self._read = False
        self._secret: tuple[bytes, npt.NDArray[np.uint64]] | None = None

    def keys(self) -> tuple[bytes, npt.NDArray[np.uint64]]:
        """The key of BLAKE2b, and κ and λ for each strip of a unit; drawn when they are first needed."""
        if self._secret is None:
            strips = UNIT_ROWS * self.d // LANES
            drawn = np.frombuffer(secrets.token_bytes(16 * strips), dtype=np.uint64).reshape(2, strips)
            self._secret = (secrets.token_bytes(32), drawn)
        return self._secret

    def read_once(self) -> None:
        """Say that the run reads the table once: nothing is compared with that reading, so it is not digested.

        A table that was read before is compared all the same.
        """
        self.sole = self.sole or not self._read

    def begin(self) -> None:
        """A reading of the whole table begins.

        Raises
        ------
        RunError
            When there was one that nothing can be compared with, since it was said to be the only one.
        """
        if self.sole and self._read:
            raise RunError("a table would be read twice", fix="report this: the plan reads it once")
        self._read = True

    def anew(self) -> Digests:
        """The same keys, nothing known: for a part of the table that is read elsewhere."""
        found = Digests(self.d)
        found.sole = self.sole
        if not self.sole:
            found._secret = self.keys()
        return found

    def numbered(self, start: int) -> dict[int, bytes]:
        """The known digests by number of unit, the first of which begins with row ``start``."""
        return {start // UNIT_ROWS + i: digest for i, digest in enumerate(self.known)}

    def agree(self, found: list[bytes]) -> None:
        """Keep the digests of all units that a reading elsewhere gave, or compare them.

        Raises
        ------
        ChangedError
            When they are not what they were.
        """
        if self.sole:
            return
        if not self.known:
            self.known.extend(found)
        elif self.known != found:
            raise changed()


class Reading:
    """One reading of a source from its first row on, digested as it goes, whatever the pieces."""

    def __init__(self, digests: Digests) -> None:
        self._digests = digests
        if digests.sole:
            return
        self._key, self._keys = digests.keys()
        self._unit = 0
        self._rest = np.zeros(LANES, dtype=np.uint64)
        self._swapped = np.empty((_STRIPS, LANES), dtype=np.uint64)
        self._live = np.zeros(UNIT_ROWS, dtype=np.bool_)
        self._clear()

    def _clear(self) -> None:
        self._rows = self._strip = self._filled = 0
        self._sums = np.zeros((2, LANES), dtype=np.uint64)

    def update(self, values: npt.NDArray[np.float64], valid: npt.NDArray[np.bool_]) -> None:
        """Take the next rows, C-contiguous.

        Raises
        ------
        ChangedError
            When a unit is complete and not what it was.
        """
        at = len(values) if self._digests.sole else 0
        while at < len(values):
            count = min(UNIT_ROWS - self._rows, len(values) - at)
            self._live[self._rows : self._rows + count] = valid[at : at + count]
            self._words(values[at : at + count].reshape(-1).view(np.uint64))
            self._rows, at = self._rows + count, at + count
            if self._rows == UNIT_ROWS:
                self._close()

    def finish(self) -> None:
        """Compare the last unit, and their number.

        Raises
        ------
        ChangedError
            When it is not what it was.
        """
        if self._digests.sole:
            return
        if self._rows:
            self._close()
        if self._unit != len(self._digests.known):
            raise changed()

    def _words(self, words: Words) -> None:
        at = 0
        if self._filled:
            at = self._fill(words)
        whole = (len(words) - at) // LANES
        if whole:
            self._add(words[at : at + whole * LANES].reshape(whole, LANES))
        self._fill(words[at + whole * LANES :])

    def _fill(self, words: Words) -> int:
        """Put words into the strip that is not full yet; how many went in."""
        count = min(LANES - self._filled, len(words))
        self._rest[self._filled : self._filled + count] = words[:count]
        self._filled += count
        if self._filled == LANES:
            self._filled = 0
            self._add(self._rest[None])
        return count

    def _add(self, strips: Words) -> None:
        reverse = strips.view(strips.dtype.newbyteorder())
        for start in range(0, len(strips), _STRIPS):
            part = strips[start : start + _STRIPS]
            swapped = self._swapped[: len(part)]
            np.copyto(swapped, reverse[start : start + _STRIPS])
            kappa, lambda_ = self._keys[:, self._strip : self._strip + len(part)]
            self._sums[0] += np.einsum("b,bw->w", kappa, part)
            self._sums[1] += np.einsum("b,bw->w", lambda_, swapped)
            self._strip += len(part)

    def _close(self) -> None:
        """End a unit: keep its digest, or compare it."""
        if self._filled:
            self._rest[self._filled :] = 0
            self._add(self._rest[None])
        found = hashlib.blake2b(self._sums.data, key=self._key, digest_size=16)
        valid = self._live[: self._rows]
        found.update(self._rows.to_bytes(8))
        if not valid.all():
            found.update(np.packbits(valid).data)
        known, digest = self._digests.known, found.digest()
        if self._unit == len(known):
            known.append(digest)
        elif known[self._unit] != digest:
            raise changed()
        self._unit += 1
        self._clear()


def unit_cuts(n: int, parts: int, starts: npt.NDArray[np.int64] | None) -> list[int]:
    """Rows at which to cut n rows into parts of about one size: between units, near where a reading may begin.

    Examples
    --------
    >>> unit_cuts(2**18, 2, None)
    [0, 131072, 262144]
    >>> unit_cuts(2**18, 2, np.array([0, 100_000, 200_000]))
    [0, 131072, 262144]
    >>> unit_cuts(2**18, 2, np.array([0]))
    [0, 262144, 262144]
    """
    units = -(-n // UNIT_ROWS)
    inner = np.array([units * i // parts for i in range(1, parts)], dtype=np.int64)
    if starts is not None and len(inner):
        ends = np.append(starts, n)
        after = np.searchsorted(ends, inner * UNIT_ROWS).clip(1, len(ends) - 1)
        nearer = 2 * inner * UNIT_ROWS - ends[after - 1] < ends[after]
        inner = -(-ends[after - nearer] // UNIT_ROWS)
    return [0, *(min(n, UNIT_ROWS * int(unit)) for unit in inner), n]


def changed() -> ChangedError:
    """The error of a table that differs from what was checked, or from what an earlier pass read."""
    return ChangedError(
        "the table changed during the run",
        fix="run again on a table that nothing writes to and that gives the same rows each time it is read",
    )
