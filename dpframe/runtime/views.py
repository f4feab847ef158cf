"""Views of private rows: a table, or a view of a view, evaluated batch by batch and once a batch.

A view never holds rows itself, except a gathered one (pairs), which is a small table of its own.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, ClassVar

import attrs
import numpy as np

from dpframe.errors import PlanError, RunError
from dpframe.kernel.operations import Batch, Gather, IntArray, Partition, Transform
from dpframe.runtime.sources.base import Chunk
from dpframe.runtime.sources.digest import LANES, UNIT_ROWS, Digests, changed, unit_cuts
from dpframe.runtime.sources.joined import OfCategory
from dpframe.runtime.threads import ahead, reading

CHUNK_ELEMENTS = 2**19


@attrs.frozen(eq=False)
class View:
    """Rows as some node sees them. ``n`` is their number where it is fixed.

    ``base`` is the table they stream from: a :class:`SourceTable`, or a :class:`MemoryTable`. Its ``group`` is the rows
    of a unit, which stand together: what cuts by index cuts between units.
    """

    base: Any
    n: int | None

    def batch(self, batch: Batch, done: dict[int, Any]) -> Batch:
        """Evaluate the view on one batch of the base; ``done`` keeps what other views of the batch computed."""
        if id(self) not in done:
            done[id(self)] = self.make(batch, done)
        result: Batch = done[id(self)]
        return result

    def make(self, batch: Batch, done: dict[int, Any]) -> Batch:
        """Evaluate one batch."""
        return batch


@attrs.frozen(eq=False)
class Mapped(View):
    """Rows through a transform."""

    parent: View
    operation: Transform
    params: tuple[Any, ...]

    def make(self, batch: Batch, done: dict[int, Any]) -> Batch:
        """Evaluate one batch."""
        return self.operation.apply(self.parent.batch(batch, done), *self.params)


@attrs.frozen(eq=False)
class Assignment:
    """Part numbers of a partition, computed once a batch and shared by its parts."""

    parent: View
    operation: Partition
    params: tuple[Any, ...]
    labels: IntArray | None

    def parts(self, batch: Batch, done: dict[int, Any]) -> IntArray:
        """Part of each row of the parent's batch."""
        if id(self) not in done:
            rows = self.parent.batch(batch, done)
            if self.labels is not None:
                done[id(self)] = self.labels[rows.index]
            elif self.operation.theorem == "index_partition":
                group, n = self.parent.base.group, self.parent.n
                units = attrs.evolve(rows, rows=rows.index // group)
                done[id(self)] = self.operation.assign(units, None if n is None else n // group, *self.params)
            else:
                done[id(self)] = self.operation.assign(rows, self.parent.n, *self.params)
        result: IntArray = done[id(self)]
        return result


@attrs.frozen(eq=False)
class Part(View):
    """The rows of one part."""

    assignment: Assignment
    part: int

    def make(self, batch: Batch, done: dict[int, Any]) -> Batch:
        """Evaluate one batch."""
        rows = self.assignment.parent.batch(batch, done)
        return rows.subset(self.assignment.parts(batch, done) == self.part)


@attrs.frozen(eq=False)
class MemoryTable:
    """Gathered rows, held in memory."""

    rows: Batch
    group: int = 1
    source: ClassVar[None] = None
    """There is no file to read the rows from again."""
    tied: ClassVar[bool] = False

    @property
    def n(self) -> int:
        """Number of rows; private where the table's is."""
        return len(self.rows.valid)

    @property
    def d(self) -> int:
        """Columns."""
        return int(self.rows.values.shape[1])

    def batches(self, rows: int) -> Iterator[Batch]:
        """Slices."""
        for start in range(0, self.n, rows):
            at = slice(start, start + rows)
            yield Batch(start, self.rows.values[at], self.rows.valid[at])

    def apart(self, parts: int, rows: int) -> None:
        """None: slicing memory costs nothing, so that one reader will do."""

    @property
    def absent(self) -> Any:
        """What a job for workers leaves out: the rows, which are sent by themselves."""
        return self.rows

    def cuts(self, parts: int) -> list[int]:
        """Rows at which to cut the table into parts."""
        return unit_cuts(self.n, parts, None)

    def apart_in_memory(self, cuts: list[int]) -> Iterator[tuple[Any, Any]]:
        """The rows of each part and their flags."""
        for start, stop in itertools.pairwise(cuts):
            yield self.rows.values[start:stop], self.rows.valid[start:stop]


@attrs.frozen(eq=False)
class SourceTable:
    """A table source (file, array, frame) as a base of views."""

    source: Any
    n: int
    group: int = 1
    categories: dict[int, SourceTable] = attrs.field(factory=dict, repr=False)

    @property
    def d(self) -> int:
        """Columns."""
        return int(self.source.d)

    def of_category(self, place: int, *, drops: bool) -> SourceTable:
        """One category's own table, made once."""
        if place not in self.categories:
            source = OfCategory(self.source, place, drops=drops)
            self.categories[place] = SourceTable(source, source.count_rows())
        return self.categories[place]

    @property
    def tied(self) -> bool:
        """Whether one thread alone may read it."""
        return bool(self.source.tied)

    def read_once(self) -> None:
        """Say that the next reading is the run's only one."""
        self.source.digests.read_once()

    @property
    def absent(self) -> Any:
        """What a job for workers leaves out: a table in memory; of a file they are told where it lies."""
        return None if self.source.pieces else self.source

    def cuts(self, parts: int) -> list[int]:
        """Rows at which to cut the table into parts."""
        cuts: list[int] = self.source.cuts(parts) if self.source.pieces else unit_cuts(self.n, parts, None)
        return cuts

    def apart_in_memory(self, cuts: list[int]) -> Iterator[tuple[Any, Any]]:
        """The rows of each part and their flags: all in one reading, which is digested here, a part at a time."""
        chunks, none = self.source.chunks(UNIT_ROWS), Chunk(0, np.empty((0, self.d)), np.empty(0, dtype=np.bool_))
        for start, stop in itertools.pairwise(cuts):
            held = [none, *itertools.islice(chunks, -(-(stop - start) // UNIT_ROWS))]
            yield np.concatenate([chunk.values for chunk in held]), np.concatenate([chunk.valid for chunk in held])
        for _ in chunks:  # a reading ends when its digests are compared
            raise changed()

    def batches(self, rows: int) -> Iterator[Batch]:
        """Chunks of the source."""
        for chunk in self.source.chunks(rows):
            yield Batch(chunk.start, chunk.values, chunk.valid)

    def apart(self, parts: int, rows: int) -> AbstractContextManager[list[Iterator[Batch]]] | None:
        """Parts of the source, where it can be read from other rows than its first."""
        cuts = self.source.cuts(parts)
        ends = [(start, stop) for start, stop in itertools.pairwise(cuts) if start < stop]
        return self._apart(ends, rows) if len(ends) > 1 else None

    @contextlib.contextmanager
    def _apart(self, ends: list[tuple[int, int]], rows: int) -> Iterator[list[Iterator[Batch]]]:
        """All rows, each in one part, digested there with the source's keys."""
        self.source.digests.begin()
        digests = [self.source.digests.anew() for _ in ends]
        yield [self._part(start, stop, rows, found) for (start, stop), found in zip(ends, digests, strict=True)]
        self.source.digests.agree([digest for found in digests for digest in found.known])

    def _part(self, start: int, stop: int, rows: int, digests: Digests) -> Iterator[Batch]:
        for chunk in self.source.part(start, stop, rows, digests):
            yield Batch(chunk.start, chunk.values, chunk.valid)


def partition_views(view: View, operation: Partition, params: tuple[Any, ...], labels: IntArray | None) -> list[View]:
    """One view a part; parts cut by index have a fixed size."""
    sizes: tuple[int | None, ...] = (None,) * operation.parts()
    if operation.theorem == "index_partition" and view.n is not None:
        sizes = tuple(units * view.base.group for units in operation.sizes(view.n // view.base.group))
        if _part_of(view) is not None:
            labels = np.repeat(_index_labels(view, operation, params), view.base.group)
    assignment = Assignment(view, operation, params, labels)
    return [Part(view.base, n, assignment, i) for i, n in enumerate(sizes)]


def _part_of(view: View) -> Part | None:
    """The part whose rows a view shows, through transforms or not; None where it shows a whole table."""
    while isinstance(view, Mapped):
        view = view.parent
    return view if isinstance(view, Part) else None


def _index_labels(view: View, operation: Partition, params: tuple[Any, ...]) -> IntArray:
    """Parts cut from a part by rank in it, for every unit of the base: all of it follows from public indices."""
    units = view.base.n // view.base.group
    index, part = np.arange(units, dtype=np.int64), _part_of(view)
    if part is not None:
        outer = part.assignment
        if outer.operation.theorem != "index_partition":
            raise PlanError(f"{operation.name} cuts by row index, which {outer.operation.name} does not keep")
        index = np.flatnonzero(_index_labels(outer.parent, outer.operation, outer.params) == part.part)
    labels = np.full(units, -1, dtype=np.int64)
    ranked = Batch(0, np.zeros((len(index), 1)), np.ones(len(index), dtype=np.bool_))
    labels[index] = operation.assign(ranked, len(index), *params)
    return labels


def used_once(index: IntArray, n: int) -> IntArray:
    """Return the indices if each row is in one group at most, which the operation is not trusted with.

    Raises
    ------
    RunError
        When one is there twice or out of range: a fault of the operation, whatever the rows hold.
    """
    flat, seen = np.ravel(index), np.zeros(n, dtype=np.bool_)
    inside = flat.size == 0 or (int(flat.min()) >= 0 and int(flat.max()) < n)
    if inside:
        seen[flat] = True
    if not inside or int(np.count_nonzero(seen)) != flat.size:
        raise RunError("a row would be used twice", fix="report this: an operation repeats an index")
    return index


def gather(view: View, gathers: Sequence[tuple[Gather, Any]], chunk: int) -> list[View]:
    """Gather groups of a view's rows, named by their rank in it: a table for each operation, all in one reading."""
    n = view.base.n if _part_of(view) is None else int(view.n or 0)  # of a part the planner asks for a fixed number
    wanted = [used_once(operation.indices(n, secret), n) for operation, secret in gathers]
    found = [Groups(operation, index) for (operation, _), index in zip(gathers, wanted, strict=True)]
    seen = 0
    with reading():
        for batch in ahead(view.base.batches(chunk), view.base.tied):
            rows = view.batch(batch, {})
            for groups in found:
                groups.add(rows, seen)
            seen += len(rows.valid)
    return [View(MemoryTable(groups.images), None) for groups in found]


class Groups:
    """Images of groups of rows, from batches that come in the order of the rows.

    A group is combined when the last of its rows, in index order, has come; until then its other rows are in memory.
    A group of which a row never comes is empty.
    """

    def __init__(self, operation: Gather, wanted: IntArray) -> None:
        groups, self.size = wanted.shape
        self.operation, self.wanted, self.last = operation, wanted, wanted.max(axis=1, initial=-1)
        self.order = np.argsort(wanted, axis=None)
        self.ranked = wanted.ravel()[self.order]
        self.values: Any = None
        self.valid: Any = np.zeros((groups, max(self.size - 1, 1)), dtype=np.bool_)
        self.done = np.zeros(groups, dtype=np.bool_)

    def add(self, rows: Batch, seen: int) -> None:
        """Take the next rows of the view, before which ``seen`` rows came."""
        if self.values is None:
            self.values = np.zeros((*self.valid.shape, rows.values.shape[1]))
        low, high = np.searchsorted(self.ranked, (seen, seen + len(rows.valid)))
        at = self.ranked[low:high] - seen
        group, slot = np.divmod(self.order[low:high], self.size)
        ends = self.last[group] == at + seen
        early, kept = group[~ends], self._waiting(group, slot)[~ends]
        self.values[early, kept], self.valid[early, kept] = rows.values[at[~ends]], rows.valid[at[~ends]]
        full = group[ends]
        made = self.operation.combine(self._filled(full, slot[ends], rows, at[ends]))
        self.values[full, 0], self.valid[full, 0], self.done[full] = made.values, made.valid, True

    def _waiting(self, group: IntArray, slot: IntArray) -> Any:
        """Where a row waits for the last one of its group: slots behind that one move up."""
        return slot - (slot > np.argmax(self.wanted[group], axis=1))

    def _filled(self, group: IntArray, own: IntArray, rows: Batch, at: IntArray) -> Batch:
        """Groups with their last rows, in the order of their slots."""
        if self.size == 1:
            return Batch(0, rows.values[at][:, None], rows.valid[at][:, None])
        slots = np.arange(self.size)
        kept = np.minimum(slots - (slots > own[:, None]), max(self.size - 2, 0))
        whole, alive = self.values[group[:, None], kept], self.valid[group[:, None], kept]
        place = np.arange(len(group))
        whole[place, own], alive[place, own] = rows.values[at], rows.valid[at]
        return Batch(0, whole, alive)

    @property
    def images(self) -> Batch:
        """A row for each group."""
        out = self.values[:, 0] if self.values is not None else np.zeros((len(self.done), 1))
        alive = self.valid[:, 0] & self.done
        out[~alive] = 0.0
        return Batch(0, out, alive)


def chunk_rows(d: int) -> int:
    """Rows a chunk: about 4 MiB of float64, so that calls cost little beside their rows; whole strips of a digest."""
    return max(1, CHUNK_ELEMENTS // max(d, 1) // LANES) * LANES
