"""CSV files: strict, streamed by Arrow, and re-read line by line only to say where a file is malformed."""

from __future__ import annotations

import csv
import importlib
import io
import re
from collections.abc import Generator, Iterator
from contextlib import ExitStack, closing
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, cast

import numpy as np

from dpframe.errors import DataError
from dpframe.hints import delimiting, no_text, one_a_column, unnamed, unread
from dpframe.runtime.sources.base import FileSource
from dpframe.runtime.sources.columns import Columns, check_once
from dpframe.runtime.sources.digest import changed
from dpframe.runtime.sources.frames import ARROW
from dpframe.runtime.sources.ids import has_arrow
from dpframe.runtime.sources.pieces import Floats, guarded, regroup
from dpframe.runtime.sources.places import Place, place_of

MISSING = frozenset({"", "NA", "nan"})
_NUMBER = re.compile(
    r"[ \t]*[+-]?((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|inf(inity)?|nan(\(\w*\))?)[ \t]*", re.ASCII | re.IGNORECASE
)
_YEAR = re.compile("(19|20)[0-9]{2}")
_CONTROL = re.compile(r"[\0-\x08\x0e-\x1f]")
_OTHER_CODE = re.compile("[\udc80-\udcff]")
"""What bytes that are no UTF-8 are read as."""
_BLANK_LINE = re.compile(rb"\n[\r\n]|\r\r")
_BLOCK = 2**18  # Arrow reads some thirty blocks ahead
_SLOW_ROWS = 4096


class CsvSource(FileSource):
    """A file of separated cells with a header, packed by gzip or not.

    A cell of a selected column is missing (empty, `NA`, `nan`), a number, or an error. Numbers are decimal,
    with an optional sign, fraction and exponent, and may be padded by blanks; `inf` and `nan` in any case
    are numbers that are not finite. Every line must have as many cells as the header, selected or not; a
    blank line is one empty cell. Cells may be quoted, and a quoted text may contain line ends.

    Arrow parses the file. If Arrow refuses it, or is not installed, a slow pass finds the line and the column; if that
    pass finds nothing wrong (a line longer than a block, say), it is also the one that reads.

    Parameters
    ----------
    path : Path or Place
    columns : sequence of str or int, or callable, optional
    delimiter : str
        The character between cells.
    """

    def __init__(self, path: Path | Place, columns: Columns, delimiter: str = ",") -> None:
        place = place_of(path)
        mark = place.stamp()
        super().__init__(place, _header(place, delimiter), columns, mark)
        self._delimiter = delimiter
        self._fast = has_arrow()

    @property
    def plain(self) -> bool:
        """Unless it was Arrow that could not read it."""
        return self._fast == has_arrow()

    def _count(self) -> int:
        # To Arrow a blank line is a row of missing cells: where two line ends meet, look closely first.
        if self._width > 1 and _has_blank_line(self._place):
            sum(len(piece) for piece in self._scanned())
        try:
            if self._fast:
                return sum(len(piece) for piece in self._parsed())
        except Exception:  # noqa: BLE001  Arrow's errors, gzip's, those of a store; the slow pass says where
            self._fast = False
        return sum(len(piece) for piece in self._scanned())

    def _batches(self, rows: int) -> Iterator[Floats]:
        pieces = self._parsed() if self._fast else self._scanned()
        return regroup(guarded(pieces, changed), rows, self.d)

    def _parsed(self) -> Iterator[Floats]:
        """The selected columns in batches of Arrow's size; columns go by number, whatever their names."""
        arrow, reader = importlib.import_module("pyarrow"), importlib.import_module("pyarrow.csv")
        keys = [str(j) for j in range(self._width)]
        chosen = [keys[j] for j in self._positions]
        texts = [] if self._ids is None else chosen[:1]
        options = {
            "read_options": reader.ReadOptions(
                column_names=keys, skip_rows_after_names=1, block_size=max(_BLOCK, 64 * self._width), use_threads=False
            ),
            "parse_options": reader.ParseOptions(
                delimiter=self._delimiter, newlines_in_values=True, ignore_empty_lines=False
            ),
            "convert_options": reader.ConvertOptions(
                include_columns=chosen,
                column_types={**dict.fromkeys(chosen, arrow.float64()), **dict.fromkeys(texts, arrow.binary())},
                null_values=sorted(MISSING),
                strings_can_be_null=True,
                quoted_strings_can_be_null=True,
                check_utf8=False,
            ),
        }
        with ExitStack() as stack:
            file = self._place.local or stack.enter_context(self._place.open())
            batches = stack.enter_context(reader.open_csv(file, **options))
            for batch in batches:
                yield np.stack(self._read(partial(_column, batch), ARROW), axis=1)

    def _scanned(self) -> Iterator[Floats]:
        """The same, cell by cell, raising `DataError` at the first one that is wrong."""
        records = _records(self._place, self._delimiter)
        next(records)
        while block := list(islice(records, _SLOW_ROWS)):
            yield np.array([self._cells(line, cells) for line, cells in block]).reshape(len(block), self.d)

    def _cells(self, line: int, cells: list[str]) -> list[float]:
        cells = cells or [""]
        if len(cells) != self._width:
            raise DataError(
                f"line {line} of the CSV file has {len(cells)} cell{'s' * (len(cells) != 1)}, the header {self._width}",
                fix=one_a_column(cells, self.names, self._delimiter),
            )
        values = []
        for position, name in zip(self._positions, self.columns, strict=True):
            cell = cells[position]
            if self._ids is not None and position == self._positions[0]:
                values.extend(self._ids.cells([None if cell in MISSING else cell]).tolist())
                continue
            if cell not in MISSING and not _NUMBER.fullmatch(cell):
                raise DataError(
                    f"line {line} of the CSV file, column {name!r}: not a number",
                    fix=delimiting(self.names, self._delimiter, name),
                )
            values.append(np.nan if cell in MISSING or "(" in cell else float(cell))
        return values


def _column(batch: Any, position: int) -> Any:
    return batch.column(str(position))


def _records(place: Place, delimiter: str) -> Generator[tuple[int, list[str]], None, None]:
    """Each record with the number of its first line; bytes that are no UTF-8 matter only in a selected cell."""
    line = 1
    with closing(_lines(place)) as lines:
        reader = csv.reader(lines, strict=True, delimiter=delimiter)
        while True:
            cells, readable = None, True
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error:
                cells = None
            except Exception:  # noqa: BLE001  gzip's errors, those of a store
                readable = False
            if not readable:
                beyond = f" beyond line {line - 1}" * (line > 1)
                raise DataError(f"the CSV file cannot be read{beyond}", fix=unread(line))
            if cells is None:
                raise DataError(
                    f"line {line} of the CSV file begins a record with an open or stray quote or an endless cell",
                    fix="close every quote, double those inside a quoted cell, and drop texts beyond 100 kB",
                )
            yield line, cells
            line = reader.line_num + 1


def _lines(place: Place) -> Generator[str, None, None]:
    with place.open() as raw:
        buffered = io.BufferedReader(cast(Any, raw))
        with io.TextIOWrapper(buffered, newline="", encoding="utf-8-sig", errors="surrogateescape") as file:
            yield from file


def _header(place: Place, delimiter: str) -> list[str]:
    """The column names; a first line with numbers, unless they are positions or years, is data: refused unquoted."""
    with closing(_records(place, delimiter)) as records:
        _, names = next(records, (1, []))
    if not names:
        raise DataError("the CSV file is empty or starts with a blank line", fix="begin with a header line")
    if _CONTROL.search("".join(names)):
        raise DataError("line 1 of the CSV file holds control characters, as no text does", fix=no_text(names[0]))
    if _OTHER_CODE.search("".join(names)):
        raise DataError("line 1 of the CSV file has letters that are not in UTF-8", fix=no_text(names[0]))
    positions = [str(j) for j in range(len(names))]
    values = [name for name in names if name not in {"", "NA"}]
    if names != positions and values and all(map(_NUMBER.fullmatch, values)):
        raise DataError("line 1 of the CSV file holds numbers, not column names", fix="begin with a header line")
    given = [name for name in names if _NUMBER.fullmatch(name)] if names != positions else []
    if given and (len(given) < 2 or not all(map(_YEAR.fullmatch, given)) or any(np.diff([*map(int, given)]) != 1)):
        raise DataError(
            "line 1 of the CSV file holds numbers, as a row does, and not column names alone",
            fix="begin with a header line; where these are names, put a letter before each (only years in a row may be "
            "names as they are)",
        )
    _check_names(names, delimiter)
    return names


def _check_names(names: list[str], delimiter: str) -> None:
    """Refuse a header with an empty or a repeated name: a comma too many makes a column that is always missing."""
    header = "line 1: the header of the CSV file"
    if not any(map(_NUMBER.fullmatch, names)):  # with a number in it, it may be data
        text = delimiter.join(names)
        header += f", {text if len(text) <= 200 else text[:197] + '...'!r},"
    empty = [i + 1 for i, name in enumerate(names) if not name.strip()]
    if empty:
        columns = ", ".join(map(str, empty))
        raise DataError(f"{header} has no name for column {columns}", fix=unnamed(names, empty))
    check_once(names, header)


def _has_blank_line(place: Place) -> bool:
    """Whether two line ends follow each other anywhere, inside a quoted cell too, or it can't be told."""
    try:
        with place.open() as file:
            last = b""
            while block := file.read(_BLOCK):
                if _BLANK_LINE.search(last + block):
                    return True
                last = block[-1:]
    except Exception:  # noqa: BLE001  gzip's errors, those of a store
        return True
    return False
