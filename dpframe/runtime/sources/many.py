"""Tables in pieces: folders of Parquet and globs, datasets of Arrow, readers that can be opened again."""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from dpframe.errors import DataError
from dpframe.hints import differing
from dpframe.runtime.sources.base import TableSource, piece_rows
from dpframe.runtime.sources.columns import NUMBER_KINDS, Columns
from dpframe.runtime.sources.digest import UNIT_ROWS, changed
from dpframe.runtime.sources.frames import require_type
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
                self._files.append(_like(self._files[0], place, opener) if self._files else opener(place, columns))
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
        """The checks of all files, one after the other."""
        if self._members() != self._places:
            raise changed()
        return [partial(_checked, place, check) for place, file in self._each() for check in file.checks()]

    @property
    def plain(self) -> bool:
        """Whether a copy of each file reads as the file does here."""
        return all(file.plain for file in self._files)

    def settle(self, counts: Sequence[int]) -> None:
        """Take the rows that the checks of all files counted, and hand each file its own counts."""
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
        """How many parts of all files together can be read apart."""
        return sum(file.pieces for file in self._files)

    @property
    def starts(self) -> Any:
        """Where a reading of each file may begin; in a file that can be read from any row, at each unit of digests."""
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


def _like(first: TableSource, piece: Any, opener: Opener) -> TableSource:
    """A later piece, if it is like the first one: its columns, and how ids are written there."""

    def choose(names: Sequence[str], _: bool) -> list[str]:
        _check_names(first.names, names)
        return list(first.columns)

    source = opener(piece, coded_as(first._ids, choose))
    for (names, kind), (own, found) in zip(first.form, source.form, strict=True):
        _check_names(names, own)
        _check_type(kind, found)
    return source


def _check_names(first: Sequence[str], names: Sequence[str]) -> None:
    if tuple(names) != tuple(first):
        fix = "give all files the same columns in the same order, or take the others out by a glob"
        raise DataError(differing(first, names), fix=fix)


def _check_type(first: str, found: str) -> None:
    """Refuse other ids by their type: what a program rounded on writing it would be another unit."""
    if found != first:
        raise DataError(
            f"the units' ids are of type {found} here, and of type {first} where the table begins",
            fix="give them one type in all pieces, integers or texts (where one is missing, pandas makes floats of "
            "integers: .astype('Int64') keeps them)",
        )


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
        """Always: the caller's code opens the stream and reads from it."""
        return True

    def _count(self) -> int:
        return sum(len(piece) for piece in self._pieces())

    def _batches(self, rows: int) -> Iterator[Floats]:
        return regroup(guarded(self._pieces(), changed), rows, self.d)

    def _pieces(self) -> Iterator[Floats]:
        for piece in _opened(self._again):
            yield from _like(self._first, piece, self._opener)._batches(piece_rows(self.d))


def _opened(again: Callable[[], Iterable[Any]]) -> Iterator[Any]:
    """The pieces of a stream that is opened; it is the caller's code, which may raise anything, with a cell in it."""

    def pieces() -> Iterator[Any]:
        yield from again()

    return guarded(pieces(), _not_read)


def _not_read() -> DataError:
    return DataError("the reader ended with an error", fix="read it to its end on its own first")


def reader_source(again: Callable[[], Iterable[Any]], opener: Opener, columns: Columns) -> StreamSource:
    """The source of a function that opens a reader of Arrow, or gives any other iterable of tables in memory."""
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


def _schemas(dataset: Any) -> Iterator[tuple[str, Any]]:
    """Path and own schema of each file of a dataset."""
    for part in getattr(dataset, "children", ()):
        yield from _schemas(part)
    for path in getattr(dataset, "files", ()):
        if dataset.format.default_extname in {"csv", "json"}:
            raise DataError(
                "the dataset is of files of text: Arrow guesses a column's type from its first cells, and a later one "
                "that is of another type ends the reading",
                fix="give the path or a glob of CSV files, such as 'folder/*.csv', or write Parquet",
            )
        yield path, unchained(partial(dataset.format.inspect, path, dataset.filesystem), _not_read)


def _check_files(dataset: Any, opener: Opener, named: TableSource, chosen: Sequence[str]) -> None:
    """Refuse a dataset with a file whose types are others than its schema's, by these alone.

    A scan would cast them: ids to other ids, and numbers with an error for one cell that does not fit.
    """
    arrow = importlib.import_module("pyarrow")
    for path, own in _schemas(dataset):
        pairs = [(own.field(field.name) if field.name in own.names else field, field) for field in dataset.schema]
        if any(kind for _, kind in named.form):
            _like(named, arrow.schema([found for found, _ in pairs]).empty_table(), opener)
        unlike = [(f, to) for f, to in pairs if f.name in chosen and not _fits(f.type, to.type)]
        if unlike:
            told = ", ".join(f"{field.name!r} is {field.type}, not {to.type}" for field, to in unlike[:20])
            raise DataError(
                f"file {path.rpartition('/')[2]!r} has other types than the dataset's schema: column {told}",
                fix="give the folder's path or a glob, of which each file is read by its own types, or write all files "
                "with one type for a column",
            )


def _fits(own: Any, wanted: Any) -> bool:
    """Whether a cast succeeds whatever the cells are."""
    types = importlib.import_module("pyarrow").types
    if own == wanted or types.is_null(own):
        return True
    alike = (types.is_signed_integer, types.is_unsigned_integer, types.is_floating)
    return any(test(own) and test(wanted) for test in alike) and bool(own.bit_width <= wanted.bit_width)


def dataset_source(dataset: Any, opener: Opener, columns: Columns, *, all_of_it: bool) -> StreamSource:
    """A dataset of Arrow, scanned in the order of its files by one thread: the columns that are used, or all of it."""
    empty = dataset.schema.empty_table()
    named = opener(empty, columns)
    chosen = list(dataset.schema.names if all_of_it else named.columns)
    _check_files(dataset, opener, named, chosen)

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
    first = named if all_of_it else opener(empty.select(chosen), coded_as(named._ids, lambda names, _: names))
    return StreamSource(again, opener, first, mark if on_files else None)


def dask_frame_source(frame: Any, opener: Opener, columns: Columns) -> StreamSource:
    """A Dask DataFrame, computed one partition at a time, whether their lengths are known or not."""

    def again() -> Iterable[Any]:
        return (frame.partitions[i].compute() for i in range(frame.npartitions))

    return StreamSource(again, opener, opener(frame._meta, columns))  # a pandas frame without rows


def dask_array_source(array: Any, opener: Opener, columns: Columns) -> StreamSource:
    """A Dask array, computed one block of rows at a time."""
    require_type(array, "Array")

    def again() -> Iterable[Any]:
        for i in range(array.numblocks[0]):
            block = np.asanyarray(array.blocks[i].compute())
            if block.dtype.kind not in NUMBER_KINDS:
                raise TypeError
            yield block

    return StreamSource(again, opener, opener(np.empty((0, *array.shape[1:]), array.dtype), columns))
