"""Tables put together row by row: features beside their target, and the rows of one declared category.

Descriptions (:class:`Joined`) are what front ends make and pass on; only a run opens them.

*Formal guarantees.* Row i of a joined table is made of the rows i of its pieces, each read by itself and by public
values; a missing cell empties it. Columns of one table whose readings may have orders of their own come of one reading
of it, joined in each part that it hands out; of several such readings nothing is joined, and one beside tables that
stand still is compared with a first one, so its order is the same in all. Row i of a category's table is row i of the
table where its own last cell is that category's place, else it is empty, or, with ``drops``, not there. So neighbours,
which differ in one record of all pieces together, make neighbours, and an added record is an added row or none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt

from dpframe.errors import DataError
from dpframe.runtime.sources.arrays import ArraySource
from dpframe.runtime.sources.base import Chunk, Description, TableSource, piece_rows
from dpframe.runtime.sources.columns import NUMBER_KINDS, Columns
from dpframe.runtime.sources.digest import Digests
from dpframe.runtime.sources.frames import in_memory, is_lazy, typed
from dpframe.runtime.sources.ids import Coded, Ids
from dpframe.runtime.sources.opening import open_source, open_stream
from dpframe.runtime.sources.pieces import Floats, regroup
from dpframe.runtime.sources.places import Fingerprint


@attrs.frozen(eq=False)
class Values(Description):
    """A vector (n,) of anything as a table of one column."""

    values: Any

    def open(self, columns: Columns) -> TableSource:
        """Open the vector as a table."""
        return ArraySource(self.values, columns)


@attrs.frozen(eq=False)
class Named(Description):
    """One column of a table."""

    data: Any
    column: str | int

    def bases(self) -> tuple[Any, ...]:
        """Those of the table."""
        return _bases(self.data)

    def on(self, table: Any) -> Named:
        """The same column, taken from another table."""
        return attrs.evolve(self, data=_on(self.data, table))

    def open(self, columns: Columns) -> TableSource:
        """Open the column, as numbers or by the reader that is asked for."""
        if isinstance(columns, Coded):
            return open_source(self.data, columns=Coded(columns.ids, lambda names, named: [self.column]))
        return open_source(self.data, columns=[self.column])


@attrs.frozen(eq=False)
class Piece:
    """Columns of a table, read as numbers; or a table of one column, read by a reader."""

    data: Any
    columns: Any = None
    reader: Ids | None = None

    def open(self) -> TableSource:
        """The source of these columns."""
        if self.reader is None:
            return open_source(self.data, columns=self.columns)
        return open_source(self.data, columns=Coded(self.reader, lambda names, named: names))

    def read(self, values: Floats) -> Floats:
        """The numbers of a chunk."""
        return values if self.reader is None else self.reader.read(values[:, 0])


@attrs.frozen(eq=False)
class Joined(Description):
    """Pieces side by side, as one table."""

    pieces: tuple[Piece, ...]

    def bases(self) -> tuple[Any, ...]:
        """Those of all pieces."""
        return tuple(base for piece in self.pieces for base in _bases(piece.data))

    def on(self, table: Any) -> Joined:
        """The same pieces, taken from another table."""
        return Joined(tuple(attrs.evolve(piece, data=_on(piece.data, table)) for piece in self.pieces))

    def open(self, columns: Columns) -> TableSource:
        """Open all pieces; where all come from one table that is handed out anew in each pass, by one reading of it."""
        first, *others = self.bases()
        if any(base is not first for base in others):
            return JoinedSource(self, columns)
        if is_lazy(first):
            return self._part(first, columns)
        return open_stream(first, self._part, columns) or JoinedSource(self, columns)

    def _part(self, table: Any, columns: Columns) -> TableSource:
        """The pieces of a table in memory, or of a lazy one, collected once."""
        return JoinedSource(self.on(in_memory(table)), columns)


def _bases(data: Any) -> tuple[Any, ...]:
    return data.bases() if isinstance(data, Description) else (data,)


def _on(data: Any, table: Any) -> Any:
    return data.on(table) if isinstance(data, Description) else table


class JoinedSource(TableSource):
    """All columns of all pieces, in their order, read beside each other."""

    named = False

    def __init__(self, joined: Joined, columns: Columns) -> None:
        self._pieces, self.sources = joined.pieces, [piece.open() for piece in joined.pieces]
        width = sum(
            s.d if p.reader is None else p.reader.width for p, s in zip(self._pieces, self.sources, strict=True)
        )
        if isinstance(columns, Coded):
            raise DataError("rows of a unit are not known in joined tables", fix="fit tables of numbers")
        if sum(source.tied for source in self.sources) > 1:
            raise DataError(
                "columns are joined that are read anew apart from each other, so their rows may stand in other orders",
                fix="give all as columns of one table: the target by its name there, y='column', not beside it",
            )
        super().__init__([str(j) for j in range(width)], columns)

    def fingerprint(self) -> Fingerprint | None:
        """The fingerprints of all pieces, None where no piece has one."""
        found = tuple(source.fingerprint() for source in self.sources)
        return None if all(one is None for one in found) else found

    @property
    def tied(self) -> bool:
        """Whether reading any of the pieces runs the caller's code."""
        return any(source.tied for source in self.sources)

    @property
    def form(self) -> tuple[tuple[tuple[str, ...], str], ...]:
        """The forms of all pieces, one after the other."""
        return tuple(leaf for source in self.sources for leaf in source.form)

    def _count(self) -> int:
        lengths = {source.count_rows() for source in self.sources}
        if len(lengths) != 1:
            raise DataError("inconsistent numbers of samples: the tables differ in length", fix="give a value a row")
        for source in self.sources:
            if source.tied and len(self.sources) > 1:  # the rows beside it are those of this order, however often read
                for _ in source.chunks(piece_rows(source.d)):
                    pass
        return lengths.pop()

    def _batches(self, rows: int) -> Iterator[Floats]:
        for chunks in zip(*(source.chunks(rows) for source in self.sources), strict=True):
            parts = [np.where(chunk.valid[:, None], chunk.values, np.nan) for chunk in chunks]
            read = [piece.read(values) for piece, values in zip(self._pieces, parts, strict=True)]
            yield self._chosen(np.column_stack(read))


class OfCategory(TableSource):
    """One category's table: the rows of an open source whose last column is a place, without that column.

    The others are empty, or, with ``drops``, left out. Where they are empty rows keep their index, and the table can be
    read wherever the whole can, whose digests it then shares: what is digested is every row of the whole.
    """

    def __init__(self, whole: TableSource, place: int, *, drops: bool) -> None:
        self._whole, self._place, self._drops, self.named = whole, place, drops, whole.named
        super().__init__(whole.columns[:-1], None)
        if not drops:
            self.digests = whole.digests

    def fingerprint(self) -> Fingerprint | None:
        """The fingerprint of the whole table."""
        return self._whole.fingerprint()

    @property
    def tied(self) -> bool:
        """Whether reading the whole table runs the caller's code."""
        return self._whole.tied

    @property
    def pieces(self) -> int:
        """As many as the whole table has, if rows keep their index in it; else none."""
        return 0 if self._drops else self._whole.pieces

    @property
    def starts(self) -> npt.NDArray[np.int64] | None:
        """As in the whole table, if rows keep their index in it; else the first row only."""
        return super().starts if self._drops else self._whole.starts

    def chunks(self, rows: int) -> Iterator[Chunk]:
        """Chunks of the whole, seen as the category's."""
        return super().chunks(rows) if self._drops else map(self._seen, self._whole.chunks(rows))

    def part(self, start: int, stop: int, rows: int, digests: Digests) -> Iterator[Chunk]:
        """A part of the whole, seen as the category's; a table that drops rows is not read in parts."""
        return map(self._seen, self._whole.part(start, stop, rows, digests))

    def _count(self) -> int:
        if not self._drops:
            return self._whole.count_rows()
        return sum(len(kept) for kept in self._kept(piece_rows(self._whole.d)))

    def _batches(self, rows: int) -> Iterator[Floats]:
        return regroup(self._kept(rows), rows, self.d)

    def _kept(self, rows: int) -> Iterator[Floats]:
        """The category's rows by themselves, where the others are left out."""
        for chunk in self._whole.chunks(rows):
            yield chunk.values[self._mine(chunk), :-1]

    def _seen(self, chunk: Chunk) -> Chunk:
        return Chunk.of(chunk.start, np.where(self._mine(chunk)[:, None], chunk.values[:, :-1], np.nan))

    def _mine(self, chunk: Chunk) -> npt.NDArray[np.bool_]:
        mine: npt.NDArray[np.bool_] = chunk.valid & (chunk.values[:, -1] == self._place)
        return mine


def vector(values: Any) -> Any:
    """A target as a vector: what is known of it here is its type and shape, as its library's schema says it.

    The cells of a list have types of their own, each by itself: NumPy would make texts of all numbers beside one text.
    """
    if np.ma.isMA(values):
        return values if values.dtype.kind in NUMBER_KINDS else np.ma.filled(values.astype(object), None)
    if isinstance(values, list | tuple) and not any(isinstance(cell, list | tuple | np.ndarray) for cell in values):
        return np.fromiter(values, dtype=object, count=len(values))
    return typed(values)
