"""Private values inside the kernel: a chunk of rows, and an exact statistic. Neither ever leaves it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import attrs
import numpy as np

from dpframe.kernel.exact.integers import to_floats


@attrs.frozen(eq=False)
class Batch:
    """A chunk of private rows inside the kernel.

    ``values`` is (m, d) float64 in C order: any finite numbers, or whole numbers within ±2^bits where
    the domain is a unit ball or box. ``valid`` marks non-empty rows; the others are zeroed. ``start`` is
    the index of the first row, unless ``rows`` names the index of each. ``weights`` (m, k) holds whole
    numbers with row sums <= 2^bits for weighted rows, whose ``values`` are (k, m, d). Where a batch is
    ``shared`` by several statistics, ``seen`` keeps what transforms of it have in common.
    """

    start: int
    values: np.ndarray[Any, np.dtype[np.float64]]
    valid: np.ndarray[Any, np.dtype[np.bool_]]
    bits: int = 0
    weights: np.ndarray[Any, np.dtype[np.float64]] | None = None
    rows: np.ndarray[Any, np.dtype[np.int64]] | None = None
    shared: bool = False
    seen: dict[Any, Any] = attrs.field(factory=dict, init=False, repr=False)

    @property
    def index(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """Original index of each row."""
        if self.rows is not None:
            return self.rows
        return np.arange(self.start, self.start + len(self.valid), dtype=np.int64)

    def mapped(self, image: np.ndarray[Any, np.dtype[np.float64]]) -> Batch:
        """The rows' images; a row is empty where a number of its image is not finite."""
        valid = self.valid & np.isfinite(image).all(axis=1)
        return attrs.evolve(self, values=np.where(valid[:, None], image, 0.0), valid=valid)

    def numbered(
        self, labels: np.ndarray[Any, np.dtype[np.float64]], count: int
    ) -> np.ndarray[Any, np.dtype[np.int64]]:
        """The part of each row by a number that is rounded down; −1, none, for empty rows and beyond 0 .. count − 1."""
        inside = self.valid & (labels >= 0) & (labels < count)
        return np.where(inside, np.where(inside, labels, 0).astype(np.int64), -1)

    def subset(self, mask: np.ndarray[Any, np.dtype[np.bool_]]) -> Batch:
        """The rows of one part."""
        return attrs.evolve(self, values=self.values[mask], valid=self.valid[mask], rows=self.index[mask])


@attrs.frozen(eq=False)
class Exact:
    """A private statistic: ``integers``·``step``, exact. Never leaves the executor."""

    integers: Any
    step: Fraction = Fraction(1)

    @property
    def floats(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """The value in floats, each rounded once; what is beyond is held at the largest."""
        return to_floats(self.integers, self.step)


def lattice_step(bits: int) -> Fraction:
    """The step 2^(−bits)."""
    return Fraction(1, 2**bits)
