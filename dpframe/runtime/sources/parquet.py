"""Parquet and Feather files, decoded a batch at a time."""

from __future__ import annotations

import abc
import importlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from dpframe.errors import DataError
from dpframe.runtime.sources.base import FileSource, piece_rows
from dpframe.runtime.sources.columns import Columns, check_numbers
from dpframe.runtime.sources.digest import changed
from dpframe.runtime.sources.frames import ARROW, arrow_floats, is_arrow_number
from dpframe.runtime.sources.pieces import Floats, cut, guarded, regroup, unchained
from dpframe.runtime.sources.places import Place, place_of

_BUFFER = 2**17
CHECKS = 64
"""Parts at most in which one file is checked: each one opens it anew."""


class _ArrowFile(FileSource):
    """A file with Arrow's schema; integer, float, decimal and boolean columns are numbers, nulls are missing.

    Counting the rows decodes the selected columns once, so that a damaged file is found before a row is used.
    """

    kind: ClassVar[str]

    def __init__(self, path: Path | Place, columns: Columns) -> None:
        place = place_of(path)
        mark = place.stamp()
        self._wanted: list[int] | None = None
        schema = unchained(lambda: self._described(place), self._damaged)
        names, types = list(schema.names), list(schema.types)  # each time it is asked the schema makes all anew
        super().__init__(place, names, columns, mark)
        check_numbers(names, self._data, types, [is_arrow_number(kind) for kind in types])
        self._see_type(types)
        self._wanted = sorted(self._positions)
        self._made = [names[j] for j in self._data if str(types[j]).startswith("decimal")]

    def _described(self, place: Place) -> Any:
        with ExitStack() as stack:
            return self._schema(self._open(place, stack))

    @abc.abstractmethod
    def _open(self, place: Place, stack: ExitStack) -> Any:
        """A reader of the file."""

    @abc.abstractmethod
    def _schema(self, file: Any) -> Any:
        """The schema of the file."""

    @abc.abstractmethod
    def _decoded(self, file: Any, groups: Sequence[int] | None) -> Iterator[Any]:
        """Its batches, of some groups of rows or of all."""

    def _count(self, groups: Sequence[int] | None = None) -> int:
        return sum(guarded(self._lengths(groups), self._damaged))

    def _lengths(self, groups: Sequence[int] | None) -> Iterator[int]:
        """Rows of each batch, once it is decoded, and read as codes or numbers where that may fail."""
        with ExitStack() as stack:
            for batch in self._decoded(self._open(self._place, stack), groups):
                if self._ids is not None:
                    self._ids.arrow(batch.column(self.columns[0]))
                for name in self._made:
                    arrow_floats(batch.column(name))
                yield batch.num_rows

    def _batches(self, rows: int) -> Iterator[Floats]:
        return regroup(guarded(self._pieces(), changed), rows, self.d)

    def _pieces(self, groups: Sequence[int] | None = None) -> Iterator[list[Floats]]:
        with ExitStack() as stack:
            for batch in self._decoded(self._open(self._place, stack), groups):
                yield self._read(partial(self._column, batch), ARROW)

    def _column(self, batch: Any, position: int) -> Any:
        return batch.column(self.names[position])

    def _damaged(self) -> DataError:
        return DataError(f"the {self.kind} file cannot be read", fix="write it again, completely")


class ParquetSource(_ArrowFile):
    """A Parquet file."""

    kind = "Parquet"

    def _open(self, place: Place, stack: ExitStack) -> Any:
        # Buffered reading keeps memory at a page, not a row group, per column.
        parquet = importlib.import_module("pyarrow.parquet")
        file = place.local or stack.enter_context(place.open())
        return stack.enter_context(parquet.ParquetFile(file, buffer_size=_BUFFER, pre_buffer=False, memory_map=False))

    def _schema(self, file: Any) -> Any:
        sizes = [file.metadata.row_group(i).num_rows for i in range(file.metadata.num_row_groups)]
        self._ends = np.cumsum([0, *sizes])
        return file.schema_arrow

    def checks(self) -> list[Callable[[], int]]:
        """Some groups of rows each."""
        groups = list(range(len(self._ends) - 1))
        parts = min(len(groups), CHECKS)
        cuts = [len(groups) * i // parts for i in range(parts + 1)] if parts else []
        return [partial(self._count, groups[a:b]) for a, b in pairwise(cuts)] or super().checks()

    @property
    def pieces(self) -> int:
        """A group of rows is read by itself."""
        return max(1, len(self._ends) - 1)

    @property
    def starts(self) -> Any:
        """First rows of the groups."""
        return self._ends[:-1]

    def between(self, start: int, stop: int, rows: int) -> Iterator[Floats]:
        """The rows from ``start`` to ``stop``, and what else is in their groups."""
        first = int(np.searchsorted(self._ends, start, side="right")) - 1
        groups = range(first, int(np.searchsorted(self._ends, stop, side="left")))
        pieces = guarded(self._pieces(groups), changed)
        return regroup(cut(pieces, int(self._ends[first]), start, stop), rows, self.d)

    def _decoded(self, file: Any, groups: Sequence[int] | None) -> Iterator[Any]:
        options = {"columns": list(self.columns), "use_threads": False}
        yield from file.iter_batches(piece_rows(self.d), row_groups=groups, **options)


class FeatherSource(_ArrowFile):
    """A Feather file of version 2, which is Arrow's file format. Memory holds one batch as it was written."""

    kind = "Feather"

    def _open(self, place: Place, stack: ExitStack) -> Any:
        arrow = importlib.import_module("pyarrow")
        inside = stack.enter_context(place.open())
        file = stack.enter_context(arrow.PythonFile(inside, mode="r"))
        options = arrow.ipc.IpcReadOptions(use_threads=False, included_fields=self._wanted)
        return stack.enter_context(arrow.ipc.open_file(file, options=options))

    def _schema(self, file: Any) -> Any:
        return file.schema

    def _decoded(self, file: Any, groups: Sequence[int] | None) -> Iterator[Any]:
        for i in range(file.num_record_batches):
            batch = file.get_batch(i)
            batch.validate(full=True)
            step = piece_rows(self.d)
            for start in range(0, batch.num_rows, step):
                yield batch.slice(start, step)

    def _damaged(self) -> DataError:
        return DataError(
            "the file is no readable Feather file of version 2",
            fix="write it again, completely, by pyarrow.feather.write_feather, DataFrame.to_feather or write_ipc",
        )
