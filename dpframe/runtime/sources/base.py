"""What every source has in common: chunks, gathering by row index, and noticing that a table changed."""

from __future__ import annotations

import abc
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt

from dpframe.errors import DataError
from dpframe.kernel.silence import silent
from dpframe.runtime.sources.columns import Columns, as_floats, filled, select
from dpframe.runtime.sources.digest import Digests, Reading, changed, unit_cuts
from dpframe.runtime.sources.ids import Coded, Ids, id_type
from dpframe.runtime.sources.pieces import Floats, cut, hushed, regroup
from dpframe.runtime.sources.places import Fingerprint, Place
from dpframe.runtime.threads import together, workers

_PIECE_ELEMENTS = 2**20
_FIRST = np.zeros(1, dtype=np.int64)


@attrs.frozen
class Cells:
    """How some rows of a column, as a library has them, are read.

    Attributes
    ----------
    floats : callable
        As float64, NaN for missing.
    codes : callable
        As codes of ids, which are given first.
    """

    floats: Callable[[Any], Floats]
    codes: Callable[[Ids, Any], Floats]


@attrs.frozen(eq=False)
class Chunk:
    """Consecutive rows of a table.

    Parameters
    ----------
    start : int
        Index of the first row in the table.
    values : (m, d) float64
        C-contiguous and read-only; empty rows are zeros.
    valid : (m,) bool
        True where all selected values of the row are present and finite.
    """

    start: int
    values: Floats
    valid: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, start: int, values: Floats) -> Chunk:
        """Flag the rows with a NaN or an infinity, and zero them (in a copy, if `values` is read-only).

        A sum of squares that is finite has finite terms; one that is not may have, and then each row is looked at.
        """
        rows = np.ascontiguousarray(values, dtype=np.float64)
        valid: npt.NDArray[np.bool_] = np.ones(len(rows), dtype=np.bool_)
        with np.errstate(all="ignore"):
            flat = rows.reshape(-1)
            suspect = not np.isfinite(np.dot(flat, flat))
        if suspect:
            np.isfinite(rows).all(axis=1, out=valid)
            if not valid.all():
                rows = rows if rows.flags.writeable else rows.copy()
                rows[~valid] = 0.0
        rows = rows.view()
        rows.flags.writeable = False
        return cls(start, rows, valid)


class TableSource(abc.ABC):
    """A table of d numeric columns that is read in order, any number of times.

    Parameters
    ----------
    names : sequence of str
        All columns of the table.
    columns : sequence of str or int, or callable, optional
        The ones to use, in this order; all by default. An integer means the column of that name if there is
        one, else the 0-based position. A callable is told all names and whether they are names of the table's own,
        and gives the ones to use.
    """

    named: bool = True
    """Whether the columns have names of their own; those of arrays are called by their positions."""

    def __init__(self, names: Sequence[str], columns: Columns) -> None:
        self._ids: Ids | None = columns.ids if isinstance(columns, Coded) else None
        if callable(columns):
            columns = columns(tuple(names), self.named)
        self._positions = select(names, columns)
        self.names = tuple(names)
        self._width = len(names)
        self.columns: tuple[str, ...] = tuple(names[i] for i in self._positions)
        self._id_type = ""
        self._rows: int | None = None
        self.mark: Fingerprint | None = None
        self.digests = Digests(self.d)

    @property
    def _data(self) -> list[int]:
        """Positions of the columns that must hold numbers: all selected ones but the unit's, which is the first."""
        return self._positions if self._ids is None else self._positions[1:]

    def _see_type(self, types: Sequence[Any]) -> None:
        """Note the type of the units' column, of all columns' types; categories and labels are compared by value."""
        if type(self._ids) is Ids:
            self._id_type = id_type(types[self._positions[0]])

    @property
    def form(self) -> tuple[tuple[tuple[str, ...], str], ...]:
        """What all pieces of a table have in common: names of columns, and how the units' ids are written."""
        return ((self.names, self._id_type),)

    @property
    def d(self) -> int:
        """Number of selected columns."""
        return len(self.columns)

    @property
    def labels(self) -> tuple[str | int, ...]:
        """The selected columns as results name them: by name, or by 0-based position where they have none."""
        return self.columns if self.named else tuple(self._positions)

    def count_rows(self) -> int:
        """Count the rows, empty ones included. The whole of a file is checked here, once.

        Returns
        -------
        int
            The number of rows, which is private unless it is declared public.

        Raises
        ------
        DataError
            If the file is malformed; for CSV it names the line and the column.
        """
        if self._rows is not None:
            return self._rows
        self.begin()
        with silent():  # whoever asks: a run, or an estimator that is told the number of rows
            counts = together(self.checks(), 1 if self._ids is not None else workers())
        self.settle(counts)
        return sum(counts)

    def begin(self) -> None:
        """Note what tells that the files are others; of those whose header was read, what it was before that.

        Raises
        ------
        ChangedError
            If the table is not the one whose header was read.
        """
        found = self.fingerprint()
        if self.mark not in (None, found):
            raise changed()
        self.mark = found

    @property
    def tied(self) -> bool:
        """Whether reading runs the caller's code, which may be bound to its thread: a connection, or what it set."""
        return False

    @property
    def plain(self) -> bool:
        """Whether a copy that has checked nothing reads as this one does: else it may not be checked elsewhere."""
        return True

    def checks(self) -> list[Callable[[], int]]:
        """What checks the whole of the table and counts its rows, in parts; the same ones wherever they are asked for.

        They can be done at once, or elsewhere; with codes of ids, which are given in the order of rows, one by one.
        """
        return [self._count]

    def settle(self, counts: Sequence[int]) -> None:
        """Take the rows that :meth:`checks` counted, in their order."""
        self._rows = sum(counts)

    def chunks(self, rows: int) -> Iterator[Chunk]:
        """Read the table from its first row, `rows` rows at a time (the last chunk may be shorter).

        Every row is digested, and compared with what earlier readings gave (:mod:`.digest`), unless this is the one
        reading of the table in a run.

        Parameters
        ----------
        rows : int
            Rows a chunk; memory is proportional to it, not to the table.

        Yields
        ------
        Chunk
            In the order of the table.

        Raises
        ------
        DataError
            If the file is malformed, before the first chunk.
        ChangedError
            If the table is not what it was when it was checked, or when it was read before.
        """
        if rows < 1:
            raise DataError(f"a chunk must hold at least 1 row, not {rows}", fix="ask for at least one row a chunk")
        expected = self.count_rows()
        self.digests.begin()
        yield from self._digested(self._batches(rows), 0, expected, self.digests)

    def part(self, start: int, stop: int, rows: int, digests: Digests) -> Iterator[Chunk]:
        """Read some rows by themselves, in a thread of their own or a process that has a copy of this source.

        Parameters
        ----------
        start, stop : int
            A multiple of the digest's unit, and one or the end of the table.
        rows : int
            Rows a chunk.
        digests : Digests
            Where the digests of the units go: with this source's keys, nothing known.

        Yields
        ------
        Chunk
            As :meth:`chunks` would give them.

        Raises
        ------
        ChangedError
            If the table is not what it was when it was checked.
        """
        return self._digested(self.between(start, stop, rows), start, stop, digests)

    def _digested(self, batches: Iterator[Floats], start: int, stop: int, digests: Digests) -> Iterator[Chunk]:
        """The rows from ``start`` to ``stop`` as chunks, compared with what earlier readings gave."""
        self.check_unchanged(self.mark)
        at, reading = start, Reading(digests)
        for values in hushed(batches):
            chunk = Chunk.of(at, values)
            reading.update(chunk.values, chunk.valid)
            yield chunk
            at += len(values)
        self.check_unchanged(self.mark)
        if at != stop:
            raise changed()
        reading.finish()

    @property
    def pieces(self) -> int:
        """How many parts can be read apart, each at about its share of the cost; 0 where only this process can."""
        return 0

    @property
    def starts(self) -> npt.NDArray[np.int64] | None:
        """Rows at which a reading may begin without what stands before them, in order; None where it is any."""
        return _FIRST

    def cuts(self, parts: int) -> list[int]:
        """Rows at which to cut the table into at most so many parts, some of them empty, between units of digests.

        Codes of ids are given in the order of the rows, so a table with ids is one part.
        """
        starts = self.starts if self._ids is None else _FIRST
        return unit_cuts(self.count_rows(), parts, starts)

    def between(self, start: int, stop: int, rows: int) -> Iterator[Floats]:
        """The rows from ``start`` to ``stop``, ``rows`` at a time, in memory of their own."""
        return regroup(cut(self._batches(piece_rows(self.d)), 0, start, stop), rows, self.d)

    def fingerprint(self) -> Fingerprint | None:
        """Size and time stamp of the file, None for a table in memory."""
        return None

    def check_unchanged(self, fingerprint: Fingerprint | None) -> None:
        """Compare the file with an earlier `fingerprint`.

        Raises
        ------
        ChangedError
            If size or time stamp differ, or the file is gone.
        """
        if self.fingerprint() != fingerprint:
            raise changed()

    def _chosen(self, block: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The selected columns of a block of rows, NaN under a mask; the block itself where every column is selected.

        Where the first is a unit's, its values are codes of ids.
        """
        if self._ids is not None:
            codes = self._ids.objects(block[:, self._positions[0]])
            return np.column_stack([codes, as_floats(filled(block[:, self._data]))])
        return filled(block if self._positions == list(range(self._width)) else block[:, self._positions])

    def _read(self, column: Callable[[int], Any], cells: Cells) -> list[Floats]:
        """The selected columns of a batch; ``column`` gives the one at a position as its library has it."""
        coded = [] if self._ids is None else [cells.codes(self._ids, column(self._positions[0]))]
        return [*coded, *(cells.floats(column(j)) for j in self._data)]

    @abc.abstractmethod
    def _count(self) -> int:
        """Count the rows and check all of a file that can be malformed."""

    @abc.abstractmethod
    def _batches(self, rows: int) -> Iterator[Floats]:
        """The selected columns in pieces of exactly `rows` rows, the last one shorter; NaN is missing."""


class Description(abc.ABC):
    """A table that is put together when it is opened."""

    @abc.abstractmethod
    def open(self, columns: Columns) -> TableSource:
        """Open the table, with these of its columns."""

    def bases(self) -> tuple[Any, ...]:
        """The tables that this one is put together from."""
        return (self,)

    def on(self, table: Any) -> Description:
        """The same description, with one table in memory in the place of its tables."""
        return self


class IndexedSource(TableSource):
    """A table of which any row can be looked up; ``_length`` is its number of rows."""

    _length: int

    def _count(self) -> int:
        return self._length

    def _batches(self, rows: int) -> Iterator[Floats]:
        return self.between(0, self._length, rows)

    @property
    def starts(self) -> None:
        """Any row can be looked up."""

    @abc.abstractmethod
    def between(self, start: int, stop: int, rows: int) -> Iterator[Floats]:
        """The rows from ``start`` to ``stop`` alone."""


def piece_rows(d: int) -> int:
    """Rows of d numbers that make a piece of moderate size."""
    return max(256, min(16_384, _PIECE_ELEMENTS // d))


class FileSource(TableSource):
    """A source that reads a file, and knows when it changes.

    Parameters
    ----------
    place, names, columns
        The file, and as for any source.
    mark : Fingerprint
        Of the file before its header was read: what was learned from that holds for no other file.
    """

    def __init__(self, place: Place, names: Sequence[str], columns: Columns, mark: Fingerprint) -> None:
        super().__init__(names, columns)
        self._place, self.mark = place, mark

    def fingerprint(self) -> Fingerprint | None:
        """Size and time stamp of the file; (−1, −1) when it is gone."""
        return self._place.stamp()

    @property
    def pieces(self) -> int:
        """How many parts can be read apart."""
        return 1
