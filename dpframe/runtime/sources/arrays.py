"""Tables in memory as NumPy arrays, and `.npy` files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from dpframe.errors import DataError
from dpframe.runtime.sources.base import Cells, FileSource, IndexedSource
from dpframe.runtime.sources.columns import NUMBER_KINDS, Columns, as_floats, not_numbers
from dpframe.runtime.sources.digest import changed
from dpframe.runtime.sources.ids import Coded, Ids
from dpframe.runtime.sources.pieces import Floats, guarded, unchained
from dpframe.runtime.sources.places import Place, place_of


def _names(shape: tuple[Any, ...], dtype: np.dtype[Any], what: str) -> list[str]:
    """Column names "0", "1", … of a 1-D (one column) or 2-D array of numbers."""
    if dtype.kind not in NUMBER_KINDS:
        raise not_numbers(what, dtype)
    if len(shape) not in {1, 2}:
        raise DataError(f"{what} has {len(shape)} dimensions", fix="pass one row for each record: (n, d) or (n,)")
    return [str(j) for j in range(shape[1] if len(shape) == 2 else 1)]


class ArraySource(IndexedSource):
    """A NumPy array or memory map, copied a chunk at a time: what is digested is what is used, whoever writes to it."""

    named = False

    def __init__(self, array: npt.NDArray[Any], columns: Columns) -> None:
        coded = isinstance(columns, Coded) and array.ndim == 1  # its values may be anything: they are read as codes
        super().__init__(["0"] if coded else _names(array.shape, array.dtype, "the array"), columns)
        self._see_type([array.dtype] * self._width)
        self._array, self._length = array.reshape(-1, 1) if array.ndim == 1 else array, len(array)

    def between(self, start: int, stop: int, rows: int) -> Iterator[Floats]:
        """The rows from ``start`` to ``stop`` alone."""
        for at in range(start, stop, rows):
            yield as_floats(self._chosen(self._array[at : min(at + rows, stop)]), copy=True)


class NpySource(FileSource, IndexedSource):
    """An `.npy` file, read a chunk at a time by plain reads.

    A memory map of a file that another process shortens kills the reader with a bus error; a short read is
    noticed and reported instead, and pages read do not count as this process's memory.
    """

    named = False

    def __init__(self, path: Path | Place, columns: Columns) -> None:
        place = place_of(path)
        mark = place.stamp()
        shape, self._fortran, self._dtype, self._offset, size = _npy_header(place)
        super().__init__(place, _names(shape, self._dtype, "the file"), columns, mark)
        self._see_type([self._dtype] * self._width)
        self._length = shape[0]
        if size < self._offset + self._length * self._width * self._dtype.itemsize:
            raise DataError("the .npy file is shorter than its header says", fix="save it again, completely")

    @property
    def pieces(self) -> int:
        """Any row can be looked up."""
        return max(1, self._length)

    def between(self, start: int, stop: int, rows: int) -> Iterator[Floats]:
        """The rows from ``start`` to ``stop`` alone."""
        return guarded(self._pieces(rows, start, stop), changed)

    def _pieces(self, rows: int, begin: int, end: int) -> Iterator[Floats]:
        with self._place.open() as file:
            for start in range(begin, end, rows):
                count = min(rows, end - start)
                if self._fortran:
                    yield np.stack(self._read(partial(self._column, file, start, count), NUMBERS), axis=1)
                else:
                    block = self._raw(file, start * self._width, count * self._width)
                    yield as_floats(self._chosen(block.reshape(count, self._width)))

    def _column(self, file: Any, start: int, count: int, position: int) -> npt.NDArray[Any]:
        return self._raw(file, position * self._length + start, count)

    def _raw(self, file: Any, first: int, count: int) -> npt.NDArray[Any]:
        raw = np.empty(count * self._dtype.itemsize, dtype=np.uint8)
        file.seek(self._offset + first * self._dtype.itemsize)
        view, got = memoryview(raw.data), 0
        while got < len(raw):
            step = file.readinto(view[got:])
            if not step:
                raise EOFError
            got += step
        return raw.view(self._dtype)


NUMBERS = Cells(as_floats, Ids.numbers)


def _npy_header(place: Place) -> tuple[tuple[int, ...], bool, np.dtype[Any], int, int]:
    """Shape, Fortran order, dtype and offset of the numbers, size of the file; never unpickles anything."""
    readers = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}

    def read() -> tuple[tuple[int, ...], bool, np.dtype[Any], int, int]:
        with place.open() as file:  # NumPy parses a damaged header as Python, which fails in many ways
            shape, fortran, dtype = readers[np.lib.format.read_magic(file)](file)
            return shape, fortran, dtype, file.tell(), file.seek(0, os.SEEK_END)

    return unchained(read, _no_npy)


def _no_npy() -> DataError:
    return DataError("not a readable .npy file of numbers", fix="save a 1-D or 2-D array with numpy.save")
