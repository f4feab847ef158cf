"""Rows in pieces: cut and joined, and errors of foreign code that hands them out."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from dpframe.errors import DataError, DpframeError
from dpframe.hints import in_both
from dpframe.kernel.silence import silent

Floats: TypeAlias = npt.NDArray[np.float64]
Item = TypeVar("Item")


def regroup(pieces: Iterator[Any], rows: int, d: int) -> Iterator[Floats]:
    """Cut and join pieces of any length into pieces of `rows` rows, holding one of each at a time.

    A piece is rows, or a list of its columns.
    """
    block, filled = np.empty((rows, d)), 0
    for piece in pieces:
        at, columns = 0, isinstance(piece, list)
        length = len(piece[0]) if columns else len(piece)
        while at < length:
            count = min(rows - filled, length - at)
            if columns:
                for j, column in enumerate(piece):
                    block[filled : filled + count, j] = column[at : at + count]
            else:
                block[filled : filled + count] = piece[at : at + count]
            filled, at = filled + count, at + count
            if filled == rows:
                yield block
                block, filled = np.empty((rows, d)), 0
    if filled:
        yield block[:filled]


def cut(pieces: Iterator[Any], at: int, start: int, stop: int) -> Iterator[Any]:
    """The rows from ``start`` to ``stop`` of pieces whose first row is row ``at``; a piece as in :func:`regroup`."""
    for piece in pieces:
        if at >= stop:
            return
        length = len(piece[0]) if isinstance(piece, list) else len(piece)
        if start < at + length:
            inside = slice(max(start - at, 0), stop - at)
            yield [column[inside] for column in piece] if isinstance(piece, list) else piece[inside]
        at += length


def unchained(make: Callable[[], Item], error: Callable[[], DpframeError]) -> Item:
    """What foreign code makes; whatever it raises becomes `error()`, unchained, for its text may quote the table.

    It is silent, here and not where tables are asked for: whoever opens, collects or reads one comes through here, be
    it a run, an estimator or a session, and what is computed then warns of private cells.
    """
    made: Any = None
    failed = False
    try:
        with silent():
            made = make()
    except Exception:  # noqa: BLE001  foreign code, stores and damaged files raise what they like
        failed = True
    if failed:
        raise error()
    return made  # type: ignore[no-any-return]


def guarded(items: Iterator[Item], error: Callable[[], DpframeError]) -> Iterator[Item]:
    """Pass items on; a foreign error becomes `error()`, as :func:`unchained` has it.

    They are closed as silently: what foreign code asked of NumPy for its own calls would end with them, and stay here.
    """
    end: Any = object()
    try:
        while (item := unchained(lambda: next(items, end), error)) is not end:
            yield item
    finally:
        unchained(getattr(items, "close", lambda: None), error)


def hushed(items: Iterator[Item]) -> Iterator[Item]:
    """Pass items on, each made in silence; what is done between them is not."""
    end: Any = object()
    try:
        while True:
            with silent():
                item = next(items, end)
            if item is end:
                return
            yield item
    finally:
        with silent():  # as it is begun
            getattr(items, "close", lambda: None)()


@contextlib.contextmanager
def saying(which: str, *, second: bool = False) -> Iterator[None]:
    """What is wrong with one of several tables or files is said with its name."""
    told: DataError | None = None
    try:
        yield
    except DataError as error:
        told = DataError(f"{which}: {error.message}", fix=in_both(error.fix) if second else error.fix)
    if told is not None:
        raise told from None
