"""Where randomness comes from: the operating system, or a seed for tests and simulation.

The two sources are different final types, so that a function or a result can say which one it wants. Both
feed the very same samplers: whatever is tested with a seed is the code that runs in secret.
"""

from __future__ import annotations

import hashlib
import operator
import os
from abc import ABC, abstractmethod
from typing import final

import numpy as np
from numpy.typing import NDArray

from dpframe.errors import SpecError

Words = NDArray[np.uint64]

_SEED = b"dpframe.noise.seed.v1\0"
_CHILD = b"dpframe.noise.child.v1\0"
_STREAM = b"dpframe.noise.stream.v1\0"


class Source(ABC):
    """A stream of independent fair bits, in words of 64.

    Everything in `dpframe.kernel.noise` is exact *given* that these bits are independent and fair. There is no
    global source: whoever draws noise passes one.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def simulated(self) -> bool:
        """Whether the noise can be drawn again; if so nothing made with it is private."""

    @abstractmethod
    def words(self, count: int) -> Words:
        """Return the next `count` words.

        Parameters
        ----------
        count : int
            How many words, at least 0.

        Returns
        -------
        ndarray of uint64, shape (count,)
            Possibly read-only.
        """

    @abstractmethod
    def child(self, label: str) -> Source:
        """Return the source for the part of a computation named `label`.

        Parameters
        ----------
        label : str
            Name of the part, unique among the parts of this source: equal labels give equal seeded streams.

        Returns
        -------
        Source
            Of the same type; its words are independent of this one's and of other labels'.
        """


@final
class SecureSource(Source):
    """Randomness of the operating system (`os.urandom`), read in bulk; it has no seed and keeps no state.

    No word is ever held back between calls, so a copied, pickled or forked object has nothing to replay.

    Examples
    --------
    >>> source = SecureSource()
    >>> source.simulated, source.words(3).shape
    (False, (3,))
    """

    __slots__ = ()

    @property
    def simulated(self) -> bool:
        """False: nobody can draw these words again."""
        return False

    def words(self, count: int) -> Words:
        """Return `count` fresh words from the operating system (read-only)."""
        return np.frombuffer(os.urandom(8 * _checked_count(count)), dtype=np.uint64)

    def child(self, label: str) -> SecureSource:
        """Return this source: its words are independent already."""
        return self

    def __repr__(self) -> str:
        return "SecureSource()"


@final
class SeededSource(Source):
    """A reproducible stream for tests and simulation; what is made with it is **not** private.

    The words are those of the counter-based generator Philox 4x64 [1]_ under a key hashed from the seed. A
    child's key is hashed from its parent's key and its label alone: its stream does not depend on what has
    been drawn before, so noise per node is independent of the order of evaluation.

    Parameters
    ----------
    seed : int
        Any non-negative integer; distinct integers give distinct keys.

    Raises
    ------
    SpecError
        If the seed is not a non-negative integer.

    References
    ----------
    .. [1] Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.

    Examples
    --------
    >>> a, b = SeededSource(7), SeededSource(7)
    >>> bool((a.words(4) == b.words(4)).all())
    True
    >>> _ = a.words(1000)
    >>> bool((a.child("mean").words(4) == b.child("mean").words(4)).all())
    True
    """

    __slots__ = ("_generator", "_key", "_name")

    def __init__(self, seed: int) -> None:
        try:
            number = operator.index(seed)
        except TypeError:
            number = -1
        if number < 0 or isinstance(seed, bool):
            raise SpecError(f"seed {seed!r} is not a non-negative integer", fix="pass an int, for example 0")
        self._start(_digest(_SEED, str(number).encode()), f"SeededSource({number}")

    def _start(self, key: bytes, name: str) -> None:
        self._key = key
        self._name = name
        stream = int.from_bytes(_digest(_STREAM, key)[:16], "little")
        self._generator = np.random.Philox(key=stream)

    @property
    def simulated(self) -> bool:
        """True: whoever knows the seed can subtract the noise."""
        return True

    def words(self, count: int) -> Words:
        """Return the next `count` words of the stream."""
        return self._generator.random_raw(_checked_count(count))

    def child(self, label: str) -> SeededSource:
        """Return a source keyed by this source's key and `label`, whatever has been drawn so far."""
        child = SeededSource.__new__(SeededSource)
        child._start(_digest(_CHILD, self._key + label.encode()), f"{self._name}, child={label!r}")
        return child

    def __repr__(self) -> str:
        return f"{self._name}, simulated)"


def _digest(domain: bytes, text: bytes) -> bytes:
    return hashlib.sha256(domain + text).digest()


def _checked_count(count: int) -> int:
    if count < 0:
        raise SpecError(f"cannot draw {count} words", fix="ask for 0 or more")
    return count
