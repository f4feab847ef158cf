"""What to do about a table that no reader takes: words for an error, made of names alone; nothing here reads one."""

from __future__ import annotations

import difflib
import itertools
import os
import shlex
from collections.abc import Mapping, Sequence

FORMS = (
    ".npy, .csv, .csv.gz, .tsv, .tsv.gz, .parquet or .feather, a folder of .parquet files, or a glob of one of these"
)
_READERS = {  # what pandas calls the reader of an ending
    ".xlsx": "read_excel",
    ".xls": "read_excel",
    ".json": "read_json",
    ".orc": "read_orc",
    ".dta": "read_stata",
    ".sav": "read_spss",
    ".sas7bdat": "read_sas",
    ".xpt": "read_sas",
    ".h5": "read_hdf",
    ".xml": "read_xml",
    ".html": "read_html",
    ".zip": "read_csv",
    ".bz2": "read_csv",
    ".xz": "read_csv",
    ".zst": "read_csv",
}


def conversion(name: str) -> str:
    """How a file of another ending becomes a table, where that is known."""
    stem, ending = os.path.splitext(name)
    reader = _READERS.get(ending.lower())
    if reader is None:
        return f"convert it to {FORMS}; text with a header can be called .csv, with --delimiter where it has no commas"
    code = f"import pandas; pandas.{reader}({name!r}).to_parquet({stem + '.parquet'!r})"
    return f"convert it, python -c {shlex.quote(code)}, to {FORMS}"


PLAIN = (
    "write a plain number, as 1234.5 (no thousands separators, no decimal comma, 1 and 0 for true and false), or leave "
    "the cell empty if the value is missing; if the column holds text, choose others: --set columns=a,b"
)


def one_a_column(cells: Sequence[str]) -> str:
    """What to do about a line of another number of cells than there are columns."""
    if len(cells) == 1 and not cells[0]:
        return "delete this line, which is empty"
    return (
        "give every line one cell for each column; quote a cell that holds the delimiter, write numbers without "
        "thousands separators or decimal commas"
    )


def delimiting(names: Sequence[str], own: str, known: Mapping[str, str]) -> str:
    """What to do about a cell; where the only column's name holds another delimiter, it may be the one."""
    other = next((word for word, sign in known.items() if sign != own and sign in names[0]), None)
    if len(names) > 1 or other is None:
        return PLAIN
    return f"--delimiter {other}, or dp.table(path, delimiter={other!r}), if cells are separated so; else {PLAIN}"


def choosing(names: Sequence[str]) -> str:
    """Which columns can be chosen, where there are any."""
    return f"--set columns={shlex.quote(','.join(names))}" if names else "convert to integer or float columns"


def closest(name: str, names: Sequence[str]) -> str:
    """The known name that is nearest, however far it is."""
    return (difflib.get_close_matches(name, names, n=1, cutoff=0.0) or list(names[:1]))[0]


def differing(first: Sequence[str], names: Sequence[str]) -> str:
    """In which column a file differs from the first one."""
    pairs = itertools.zip_longest(first, names)
    at, (mine, theirs) = next((i + 1, pair) for i, pair in enumerate(pairs) if pair[0] != pair[1])
    has = "has no more columns" if theirs is None else f"is called {theirs!r}"
    return f"column {at} {has}, in the first file {'there is none' if mine is None else f'it is {mine!r}'}"
