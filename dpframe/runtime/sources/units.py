"""Units of several rows as a table of slots: ``rows`` slots a unit, in the public order of the units.

Proof: ``docs/theory/units.md``. Which rows count is decided here, so it is trusted; the ids stay here. In memory are
the rows that count; slots that no row took are made when they are read.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt

from dpframe.errors import DataError
from dpframe.kernel.indexing import hashed
from dpframe.proof.spaces import Adjacency
from dpframe.runtime.sources.base import Chunk, Description, IndexedSource, TableSource, piece_rows
from dpframe.runtime.sources.columns import Columns, select
from dpframe.runtime.sources.digest import changed
from dpframe.runtime.sources.ids import Ids, unit_columns
from dpframe.runtime.sources.joined import Joined, Piece
from dpframe.runtime.sources.opening import open_source
from dpframe.runtime.sources.pieces import Floats
from dpframe.runtime.sources.places import Fingerprint
from dpframe.runtime.threads import ahead


def open_slots(data: Any, relation: Adjacency | None, *, columns: Columns = None) -> TableSource:
    """A table as the relation sees it: its rows, or the slots of its units."""
    if relation is None or relation.unit is None:
        return open_source(data, columns=columns)
    return UnitSource(data, unit=relation.unit, rows=relation.unit_rows, columns=columns)


@attrs.frozen(eq=False)
class ByUnit(Description):
    """A table whose unit's column stands elsewhere: a table of one column, with an id for each row."""

    ids: Any
    table: Any

    def open(self, columns: Columns) -> TableSource:
        """Refuse: these rows are read as slots only."""
        raise DataError("this table is of units of rows", fix="plan with a unit, or give the table without its ids")


class UnitSource(IndexedSource):
    """The slots of a table's units. Slot j of unit u, in the order of the ids, is row u·rows + j; empty ones are empty.

    The first reading finds the ids and how many rows each has, the second keeps those rows that have a slot; these stay
    in memory, never more than the table holds, however many slots are empty.

    Parameters
    ----------
    data : array, path, data frame, ByUnit
        As for :func:`~dpframe.runtime.sources.open_source`.
    unit : str
        The column of ids.
    rows : int
        Slots of a unit.
    columns : sequence or callable, optional
        Columns of data; all but the unit's by default.

    Notes
    -----
    *Formal guarantees.* Of a unit that has complete rows x_0, x_1, ... in the order of the table, the rule of
    :func:`slots` fills its slots; it sees their number alone. So tables that differ in the rows of one unit make tables
    of slots that differ in the slots of that unit. Rows without an id are in no slot. Every reading of the table is
    compared with the first one, codes of ids included, and a new id ends the run.
    """

    def __init__(self, data: Any, *, unit: str, rows: int, columns: Columns = None) -> None:
        self._base: TableSource
        if isinstance(data, ByUnit):
            self._units = Ids()
            self._base = open_source(Joined((Piece(data.ids, reader=self._units), Piece(data.table, columns))))
            table = open_source(data.table, columns=columns)
            names, self._labels, self.named = table.columns, table.labels, table.named
        else:
            chosen = unit_columns(unit, columns, select)
            self._base, self._units = open_source(data, columns=chosen), chosen.ids
            names, self._labels, self.named = self._base.columns[1:], self._base.labels[1:], self._base.named
        self._each = rows
        super().__init__(names, None)
        self._counted: npt.NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._kept: tuple[Floats, npt.NDArray[np.int64]] | None = None

    @property
    def labels(self) -> tuple[str | int, ...]:
        """The columns of data as results name them."""
        return self._labels

    def fingerprint(self) -> Fingerprint | None:
        """The fingerprint of the table of rows."""
        return self._base.fingerprint()

    @property
    def tied(self) -> bool:
        """Whether reading the table of rows runs the caller's code."""
        return self._base.tied

    def _count(self) -> int:
        counted = np.zeros(2**10, dtype=np.int64)
        for chunk in ahead(self._base.chunks(piece_rows(self._base.d)), self.tied):  # every id is seen by the encoder
            while len(self._units) > len(counted):
                counted = np.append(counted, np.zeros_like(counted))
            distinct, more = np.unique(_codes(chunk), return_counts=True)
            counted[distinct] += more
        self._counted = counted[: len(self._units)]
        self._length = len(self._units) * self._each
        return self._length

    def cuts(self, parts: int) -> list[int]:
        """Cut as any source does, after reading the rows that have a slot: threads will ask for them at once."""
        self._keep()
        return super().cuts(parts)

    def between(self, start: int, stop: int, rows: int) -> Iterator[Floats]:
        """The slots from ``start`` to ``stop`` alone."""
        values, starts = self._keep()
        for begin in range(start, stop, rows):
            end = min(begin + rows, stop)
            first, last = begin // self._each, -(-end // self._each)
            at = np.arange(starts[first], starts[last])
            unit = np.repeat(np.arange(first, last), np.diff(starts[first : last + 1]))
            slot = unit * self._each + at - starts[unit] - begin
            here = (slot >= 0) & (slot < end - begin)
            out = np.full((end - begin, self.d), np.nan)
            out[slot[here]] = values[at[here]]
            yield out

    def _keep(self) -> tuple[Floats, npt.NDArray[np.int64]]:
        """The result of :meth:`_filled`, which reads the table once."""
        if self._kept is None:
            self._kept = self._filled()
        return self._kept

    def _filled(self) -> tuple[Floats, npt.NDArray[np.int64]]:
        """The rows that have a slot, by unit and slot, and where those of each unit begin.

        Row r < rows of a unit has slot r, so the slots that are taken are the first ones, as many as it has rows.
        """
        units, ranks = len(self._units), self._units.ranks()
        room = np.zeros(units, dtype=np.int64)
        room[ranks] = np.minimum(self._counted, self._each)
        starts = np.append(0, np.cumsum(room))
        seen = np.zeros(units, dtype=np.int64)
        out = np.empty((int(starts[-1]), self.d))
        for chunk in ahead(self._base.chunks(piece_rows(self._base.d)), self.tied):
            codes = _codes(chunk)
            if len(self._units) != units:
                raise changed()
            unit = ranks[codes]
            slot = slots(seen[unit] + _occurrences(unit), self._each)
            distinct, counted = np.unique(unit, return_counts=True)
            seen[distinct] += counted
            if (slot >= room[unit]).any():
                raise changed()
            kept = np.flatnonzero(slot >= 0)[::-1]
            at = starts[unit[kept]] + slot[kept]
            last, first = np.unique(at, return_index=True)  # of several rows for one slot the last of the table stays
            out[last] = chunk.values[chunk.valid][kept[first], 1:]
        if len(self._units) != units:
            raise changed()
        return out, starts


def _codes(chunk: Chunk) -> npt.NDArray[np.int64]:
    """Codes of the units that the complete rows of a chunk belong to."""
    codes: npt.NDArray[np.int64] = chunk.values[chunk.valid, 0].astype(np.int64)
    return codes


def _occurrences(unit: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """How many rows of the same unit stand before each."""
    order = np.argsort(unit, kind="stable")
    ranked = unit[order]
    place = np.empty(len(unit), dtype=np.int64)
    place[order] = np.arange(len(unit)) - np.searchsorted(ranked, ranked)
    return place


def slots(place: npt.NDArray[np.int64], each: int) -> npt.NDArray[np.int64]:
    """The slot of a unit's row number ``place``, −1 for none: a reservoir with public coins.

    Row r < each has slot r. A later one draws a whole number below r + 1 from a public hash of r, and takes that slot,
    if it is one, from the row before. So the rows that stay are spread over all of the unit's, whatever the order of
    the table, and which they are depends on nothing but their number.

    Examples
    --------
    >>> slots(np.arange(8), 3).tolist()[:3]
    [0, 1, 2]
    """
    drawn = (hashed(place.astype(np.uint64)) % (place + 1).astype(np.uint64)).astype(np.int64)
    return np.where(place < each, place, np.where(drawn < each, drawn, -1))
