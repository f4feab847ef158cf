"""Cells read by a public list or by a fixed rule: places of declared categories, whole numbers, texts by their bytes.

What a row reads as depends on its own cell and on public values alone; no cell leaves this module.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from dpframe.errors import DataError
from dpframe.runtime.sources.columns import as_floats, filled, number_of
from dpframe.runtime.sources.ids import Floats, Ids, identity, text_of

WORD, WORDS = 5, 5
"""Texts are read five bytes a number, in five numbers: up to 25 bytes of UTF-8."""


class Declared(Ids):
    """Places 0, 1, … of cells in a declared list; NaN, an empty row, for any other cell.

    Cells are compared as ids are (:func:`~dpframe.runtime.sources.ids.identity`): 1, 1.0, True and the text 1 are one.

    Parameters
    ----------
    categories : sequence
        Public and distinct.

    Examples
    --------
    >>> Declared(["a", "b"]).cells(["b", "c", None, "a"])
    array([ 1., nan, nan,  0.])
    """

    def __init__(self, categories: Sequence[Any]) -> None:
        super().__init__()
        for place, category in enumerate(categories):
            key = identity(category)
            if key is None or key in self._codes:
                raise DataError(
                    f"declared categories must be distinct and not missing: {category!r} is not",
                    fix="give each once; 1, 1.0, True and the text '1' are one category",
                )
            self._codes[key] = place

    def cells(self, cells: Iterable[Any]) -> Floats:
        """Places of cells one by one."""
        keys = map(identity, cells)
        return np.array([math.nan if key is None else self._codes.get(key, math.nan) for key in keys], dtype=np.float64)


class Whole(Ids):
    """Whole numbers as they are; NaN for any other number."""

    def numbers(self, values: npt.NDArray[Any]) -> Floats:
        """The numbers of an array."""
        found = as_floats(filled(values))
        with np.errstate(invalid="ignore"):
            return np.where(found == np.rint(found), found, np.nan)

    def cells(self, cells: Iterable[Any]) -> Floats:
        """Cells one by one, as CSV files give them too."""
        return self.numbers(np.array([number_of(cell) for cell in cells], dtype=np.float64))


class Texts(Ids):
    """Texts of up to 25 bytes as rows of five numbers, one to one; NaN for longer ones."""

    width = WORDS

    def _key(self, cell: Any) -> bytes | None:
        """Its text as it is: what is published are labels as they are written."""
        return text_of(cell)

    def read(self, codes: Floats) -> Floats:
        """The rows of codes."""
        known = b"".join(_padded(key) for key in self._codes)
        letters = np.frombuffer(known, dtype=np.uint8).reshape(len(self._codes), WORDS, WORD)
        table = letters.astype(np.float64) @ (256.0 ** np.arange(WORD))
        table[~letters.any(axis=(1, 2))] = np.nan
        table = np.concatenate([table, np.full((1, WORDS), np.nan)])
        return table[np.where(np.isnan(codes), len(self._codes), codes).astype(np.int64)]


def _padded(key: bytes) -> bytes:
    size = WORD * WORDS
    return (b"" if len(key) > size else key).ljust(size, b"\0")
