"""Tables in pieces: folders of Parquet and globs, datasets of Arrow, readers that can be opened again."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from dpframe.errors import DataError
from dpframe.hints import differing
from dpframe.runtime.sources.base import TableSource, piece_rows
from dpframe.runtime.sources.columns import Columns
from dpframe.runtime.sources.digest import UNIT_ROWS, changed
from dpframe.runtime.sources.ids import coded_as
from dpframe.runtime.sources.pieces import Floats, guarded, regroup, saying, unchained
from dpframe.runtime.sources.places import GONE, Fingerprint, Place

Opener = Callable[[Any, Columns], TableSource]


class ManySource(TableSource):
    """Files one after the other, in the order of their names, which is the order of rows.

    All have the same columns in the same order. A file that comes, goes or changes is a change of the table.

    Parameters
    ----------
    members : callable
        Lists the files anew, in order.
    opener : callable
        What opens one.
    columns : sequence of str or int, or callable, optional
    """

    def __init__(self, members: Callable[[], list[Place]], opener: Opener, columns: Columns) -> None:
        self._members = members
        mark, self._places = self.fingerprint(), members()
        self._files: list[TableSource] = []
        for place in self._places:
            with saying(f"file {place.name!r}"):
                self._files.append(opener(place, _as(self._files[0]) if self._files else columns))
        first = self._files[0]
        super().__init__(first.names, list(first.columns))
        self.named, self._ids, self.mark = first.named, first._ids, mark

    def fingerprint(self) -> Fingerprint | None:
        """Names, sizes and time stamps of all files; ``GONE`` when they can't be listed."""
        try:
            return tuple((place.path, place.stamp()) for place in self._members())
        except Exception:  # noqa: BLE001  a store raises what it likes
            return GONE

    def _count(self) -> int:
        return sum(check() for check in self.checks())

    def checks(self) -> list[Callable[[], int]]:
        """Those of all files."""
        if self._members() != self._places:
            raise changed()
        return [partial(_checked, place, check) for place, file in self._each() for check in file.checks()]

    @property
    def plain(self) -> bool:
        """Whether all files are."""
        return all(file.plain for file in self._files)

    def settle(self, counts: Sequence[int]) -> None:
        """Each file's own too."""
        super().settle(counts)
        at = 0
        for _, file in self._each():
            own = len(file.checks())
            file.settle(counts[at : at + own])
            at += own

    def _each(self) -> Iterator[tuple[Place, TableSource]]:
        return zip(self._places, self._files, strict=True)

    def _batches(self, rows: int) -> Iterator[Floats]:
        size = piece_rows(self.d)
        return regroup(itertools.chain.from_iterable(file._batches(size) for file in self._files), rows, self.d)

    @property
    def pieces(self) -> int:
        """Those of all files."""
        return sum(file.pieces for file in self._files)

    @property
    def starts(self) -> Any:
        """Those of all files; of one that is read from any row on each unit of digests."""
        at, found = 0, []
        for file in self._files:
            rows, own = file.count_rows(), file.starts
            found.append(at + (np.arange(0, rows, UNIT_ROWS) if own is None else own[own < max(rows, 1)]))
            at += rows
        return np.unique(np.concatenate(found))

    def between(self, start: int, stop: int, rows: int) -> Iterator[Floats]:
        """The rows from ``start`` to ``stop``: other files are not looked at."""
        return regroup(self._between(start, stop), rows, self.d)

    def _between(self, start: int, stop: int) -> Iterator[Floats]:
        at, size = 0, piece_rows(self.d)
        for file in self._files:
            rows = file.count_rows()
            first, last = max(start - at, 0), min(stop - at, rows)
            if first < last:
                yield from file.between(first, last, size)
            at += rows


def _checked(place: Place, check: Callable[[], int]) -> int:
    """A check of one file, which its errors name."""
    with saying(f"file {place.name!r}"):
        return check()


def _as(first: TableSource) -> Columns:
    """The columns of the first piece, for a later one."""
    return coded_as(first._ids, lambda names, _: _like(first, names))


def _like(first: TableSource, names: Sequence[str]) -> list[str]:
    """The columns of the first file, if this one has the same."""
    if tuple(names) != first.names:
        fix = "give all files the same columns in the same order, or take the others out by a glob"
        raise DataError(differing(first.names, names), fix=fix)
    return list(first.columns)


class StreamSource(TableSource):
    """Pieces of a table that some code hands out, from the first one again in each pass.

    Parameters
    ----------
    again : callable
        Opens the stream anew: pieces in the order of rows, each a table in memory with the same columns.
    opener : callable
        What opens a piece.
    first : TableSource
        The first piece, or an empty one: it says which columns there are, and which are used.
    mark : callable, optional
        What tells that the files behind it are others.
    """

    def __init__(
        self,
        again: Callable[[], Iterable[Any]],
        opener: Opener,
        first: TableSource,
        mark: Callable[[], Fingerprint | None] | None = None,
    ) -> None:
        super().__init__(first.names, list(first.columns))
        self._again, self._opener, self._first, self._stamp = again, opener, first, mark
        self.named = first.named

    def fingerprint(self) -> Fingerprint | None:
        """What tells that the files behind it are others, if there are any; ``GONE`` when they can't be looked at."""
        try:
            return None if self._stamp is None else self._stamp()
        except Exception:  # noqa: BLE001  a store raises what it likes
            return GONE

    @property
    def tied(self) -> bool:
        """What opens and reads is the caller's code."""
        return True

    def _count(self) -> int:
        return sum(len(piece) for piece in self._pieces())

    def _batches(self, rows: int) -> Iterator[Floats]:
        return regroup(guarded(self._pieces(), changed), rows, self.d)

    def _pieces(self) -> Iterator[Floats]:
        for piece in _opened(self._again):
            source = self._opener(piece, _as(self._first))
            yield from source._batches(piece_rows(self.d))


def _opened(again: Callable[[], Iterable[Any]]) -> Iterator[Any]:
    """The pieces of a stream that is opened; it is the caller's code, which may raise anything, with a cell in it."""

    def pieces() -> Iterator[Any]:
        yield from again()

    return guarded(pieces(), _not_read)


def _not_read() -> DataError:
    return DataError("the reader ended with an error", fix="read it to its end on its own first")


def reader_source(again: Callable[[], Iterable[Any]], opener: Opener, columns: Columns) -> StreamSource:
    """A function that opens a reader: of Arrow, or any iterable of tables in memory."""
    once = _call(again)
    piece = next(_opened(lambda: once), None)
    if piece is None and isinstance(getattr(once, "schema", None), Iterable):  # a reader of Arrow without rows
        piece = once.schema.empty_table()
    if isinstance(once, Iterator):  # some connections have one reader open at a time
        unchained(getattr(once, "close", lambda: None), _not_read)
    if once is _call(again) and isinstance(once, Iterator):
        raise DataError(
            "the function gives the same reader each time, which can be read once",
            fix="open the reader inside it: lambda: pyarrow.RecordBatchReader.from_batches(...)",
        )
    if piece is None:
        raise DataError("the reader gives no tables", fix="give at least one, with the columns, if it has no rows")
    return StreamSource(again, opener, opener(piece, columns))


def _call(again: Callable[[], Any]) -> Any:
    made = unchained(again, _no_reader)
    if not isinstance(made, Iterable):
        raise _no_reader()
    return made


def _no_reader() -> DataError:
    return DataError(
        "the function does not open a reader when it is called without arguments",
        fix="pass a function that returns a pyarrow.RecordBatchReader or an iterable of tables, anew each time",
    )


def dataset_source(dataset: Any, opener: Opener, columns: Columns) -> StreamSource:
    """A dataset of Arrow, scanned in the order of its files by one thread."""
    empty = dataset.schema.empty_table()
    named = opener(empty, columns)
    chosen = list(named.columns)

    def again() -> Iterable[Any]:
        scanner = dataset.scanner(
            columns=chosen, batch_size=piece_rows(named.d), use_threads=False, batch_readahead=1, fragment_readahead=1
        )
        batches: Iterable[Any] = scanner.to_batches()
        return batches

    def mark() -> Fingerprint | None:
        found = dataset.filesystem.get_file_info(dataset.files)
        return tuple((info.path, info.size, info.mtime_ns) for info in found)

    on_files = type(dataset).__name__ == "FileSystemDataset"
    first = opener(empty.select(chosen), coded_as(named._ids, lambda names, _: names))
    return StreamSource(again, opener, first, mark if on_files else None)


def dask_frame_source(frame: Any, opener: Opener, columns: Columns) -> StreamSource:
    """A Dask DataFrame, computed one partition at a time, whether their lengths are known or not."""

    def again() -> Iterable[Any]:
        return (frame.partitions[i].compute() for i in range(frame.npartitions))

    return StreamSource(again, opener, opener(frame._meta, columns))  # a pandas frame without rows
