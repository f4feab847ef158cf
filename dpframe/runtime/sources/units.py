"""Units of several rows as a table of slots: ``rows`` slots a unit, in the public order of the units.

Proof: ``docs/theory/units.md``. Which rows count is decided here, so it is trusted; the ids stay here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from dpframe.kernel.indexing import hashed
from dpframe.proof.spaces import Adjacency
from dpframe.runtime.sources.base import Columns, Floats, TableSource, piece_rows, select
from dpframe.runtime.sources.digest import changed
from dpframe.runtime.sources.ids import unit_columns
from dpframe.runtime.sources.opening import open_source
from dpframe.runtime.sources.places import Fingerprint


def open_slots(data: Any, relation: Adjacency | None, *, columns: Columns = None) -> TableSource:
    """A table as the relation sees it: its rows, or the slots of its units."""
    if relation is None or relation.unit is None:
        return open_source(data, columns=columns)
    return UnitSource(data, unit=relation.unit, rows=relation.unit_rows, columns=columns)


class UnitSource(TableSource):
    """The slots of a table's units. Slot j of unit u, in the order of the ids, is row u·rows + j; empty ones are empty.

    The first reading finds the ids, the second fills the slots, which stay in memory: units x rows x d numbers.

    Parameters
    ----------
    data : array, path, data frame
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
        chosen = unit_columns(unit, columns, select)
        self._base, self._units, self._each = open_source(data, columns=chosen), chosen.ids, rows
        super().__init__(self._base.columns[1:], None)
        self._slots: Floats | None = None

    @property
    def labels(self) -> tuple[str | int, ...]:
        """The columns of data as results name them."""
        return self._base.labels[1:]

    def fingerprint(self) -> Fingerprint | None:
        """That of the table."""
        return self._base.fingerprint()

    def _count(self) -> int:
        for _ in self._base.chunks(piece_rows(self._base.d)):
            pass  # every id is seen by the encoder
        return len(self._units) * self._each

    def _batches(self, rows: int) -> Iterator[Floats]:
        if self._slots is None:
            self._slots = self._filled()
        for start in range(0, len(self._slots), rows):
            yield self._slots[start : start + rows].copy()

    def _filled(self) -> Floats:
        units = len(self._units)
        ranks, seen = self._units.ranks(), np.zeros(units, dtype=np.int64)
        out = np.full((units * self._each, self.d), np.nan)
        for chunk in self._base.chunks(piece_rows(self._base.d)):
            if len(self._units) != units:
                raise changed()
            rows = chunk.values[chunk.valid]
            unit = ranks[rows[:, 0].astype(np.int64)]
            place, counted = _occurrences(unit, units)
            slot = slots(seen[unit] + place, self._each)
            seen += counted
            kept = np.flatnonzero(slot >= 0)[::-1]
            at = unit[kept] * self._each + slot[kept]
            last, first = np.unique(at, return_index=True)  # of several rows for one slot the last of the table stays
            out[last] = rows[kept[first], 1:]
        if len(self._units) != units:
            raise changed()
        return out


def _occurrences(unit: npt.NDArray[np.int64], units: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """How many rows of the same unit stand before each, and how many there are of each unit."""
    order, counted = np.argsort(unit, kind="stable"), np.bincount(unit, minlength=units)
    ranked = unit[order]
    place = np.empty(len(unit), dtype=np.int64)
    place[order] = np.arange(len(unit)) - np.searchsorted(ranked, ranked)
    return place, counted


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
