"""A fixed public pseudo-random permutation of row indices, evaluated anywhere without a table.

Pairs, blocks and halves follow it, so that a sorted file behaves like a shuffled one. It is public: its
seed is in the spec, and privacy never rests on it.

Examples
--------
>>> sorted(permuted(np.arange(10), n=10, seed=1).tolist())
[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Indices = npt.NDArray[np.int64]
_ROUNDS = 6
_BLOCK = 2**15


def _hash(values: npt.NDArray[np.uint64], key: int) -> npt.NDArray[np.uint64]:
    """SplitMix64's finaliser, keyed; wrap-around is intended."""
    z = values + np.uint64((0x9E3779B97F4A7C15 * (key + 1)) % 2**64)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def hashed(values: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """A fixed public hash of whole numbers."""
    with np.errstate(over="ignore"):
        return _hash(values, 2**20)


def permuted(index: Indices, *, n: int, seed: int) -> Indices:
    """Where the permutation of ``range(n)`` with this public seed sends each index.

    A balanced Feistel network on the least even number of bits that holds n; values outside
    range(n) are sent on until they fall inside (at most four tries on average).
    """
    half = max(1, ((max(n - 1, 1)).bit_length() + 1) // 2)
    mask = np.uint64(2**half - 1)
    given = np.asarray(index)
    out = np.empty(given.shape, dtype=np.int64)
    for start in range(0, len(given), _BLOCK):
        at = slice(start, start + _BLOCK)
        out[at] = _walk(given[at].astype(np.uint64), half, mask, n, seed)
    return out


def _walk(out: npt.NDArray[np.uint64], half: int, mask: np.uint64, n: int, seed: int) -> npt.NDArray[np.uint64]:
    """Encipher until every value is below n."""
    walking = np.arange(len(out))
    with np.errstate(over="ignore"):
        while walking.size:
            out[walking] = _feistel(out[walking], half, mask, seed)
            walking = walking[out[walking] >= np.uint64(n)]
    return out


def _feistel(x: npt.NDArray[np.uint64], half: int, mask: np.uint64, seed: int) -> npt.NDArray[np.uint64]:
    left, right = x >> np.uint64(half), x & mask
    for r in range(_ROUNDS):
        left, right = right, left ^ (_hash(right, (seed % 2**48) * _ROUNDS + r) & mask)
    return (left << np.uint64(half)) | right
