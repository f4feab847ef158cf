"""Parquet files, decoded a batch at a time."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from dpframe.errors import DataError
from dpframe.runtime.sources.base import Columns, FileSource, Floats, check_numbers, guarded, piece_rows, regroup
from dpframe.runtime.sources.digest import changed
from dpframe.runtime.sources.frames import arrow_floats, is_arrow_number

_BUFFER = 2**17


class ParquetSource(FileSource):
    """A Parquet file; integer, float and decimal columns are numbers, nulls are missing.

    Counting the rows decodes the selected columns once, so that a damaged file is found before a row is used.
    """

    def __init__(self, path: Path, columns: Columns) -> None:
        arrow = importlib.import_module("pyarrow")
        self._errors = (arrow.ArrowException, OSError, ValueError, KeyError, NotImplementedError)
        schema: Any = None
        try:
            with self._open(path) as file:
                schema = file.schema_arrow
        except self._errors:
            schema = None
        if schema is None:
            raise _damaged()
        super().__init__(path, list(schema.names), columns)
        numbers = [is_arrow_number(kind) for kind in schema.types]
        check_numbers(schema.names, self._positions, schema.types, numbers)

    @staticmethod
    def _open(path: Path) -> Any:
        # Buffered reading keeps memory at a page, not a row group, per column.
        parquet = importlib.import_module("pyarrow.parquet")
        return parquet.ParquetFile(path, buffer_size=_BUFFER, pre_buffer=False, memory_map=False)

    def _count(self) -> int:
        return sum(len(piece) for piece in guarded(self._pieces(), self._errors, _damaged))

    def _batches(self, rows: int) -> Iterator[Floats]:
        return regroup(guarded(self._pieces(), self._errors, changed), rows, self.d)

    def _pieces(self) -> Iterator[Floats]:
        with self._open(self._path) as file:
            for batch in file.iter_batches(piece_rows(self.d), columns=list(self.columns), use_threads=False):
                yield np.stack([arrow_floats(batch.column(name)) for name in self.columns], axis=1)


def _damaged() -> DataError:
    return DataError("the Parquet file cannot be read", fix="write it again, completely")
