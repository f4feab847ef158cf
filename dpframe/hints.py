"""What to do about a table that no reader takes: words for an error, made of names alone; nothing here reads one."""

from __future__ import annotations

import difflib
import itertools
import os
import shlex
from collections.abc import Sequence

from dpframe.shown import few

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
_RENAMED = {".pq": ".parquet", ".parq": ".parquet", ".arrow": ".feather", ".ipc": ".feather"}
_TOLD = {
    ".npz": "save the array that is meant by numpy.save, as .npy",
    **dict.fromkeys(
        (".sqlite", ".sqlite3", ".db"), "read the table by pandas.read_sql, and save it by its .to_parquet, as .parquet"
    ),
}


def conversion(name: str) -> str:
    """How a file of another ending becomes a table, where that is known."""
    stem, ending = os.path.splitext(name)
    if ending.lower() in _RENAMED:
        return f"call it {stem + _RENAMED[ending.lower()]!r}, if it is one"
    if ending.lower() in _TOLD:
        return _TOLD[ending.lower()]
    reader = _READERS.get(ending.lower())
    if reader is None:
        return f"convert it to {FORMS}; text with a header can be called .csv, with --delimiter where it has no commas"
    code = f"import pandas; pandas.{reader}({name!r}).to_parquet({stem + '.parquet'!r})"
    return f"convert it, python -c {shlex.quote(code)}, to {FORMS}"


PLAIN = (
    "write a plain number, as 1234.5 (no thousands separators, no decimal comma, 1 and 0 for true and false), or leave "
    "the cell empty if the value is missing; if the column holds text, "
)
COMMAS = "; decimal commas: pandas.read_csv(path, sep=';', decimal=',').to_parquet('table.parquet') converts them"
EVERY = (
    "give every line one cell for each column; quote a cell that holds the delimiter, write numbers without "
    "thousands separators or decimal commas"
)
DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|"}
"""What may separate cells, by its word."""
_BEGINNINGS = {  # what files of other kinds begin with, and what to do about one that is called .csv
    b"\x1f\x8b": "it is packed by gzip: call it .csv.gz",
    b"PK\x03\x04": "it is an Excel workbook or a zip archive: save it as CSV, or unpack it",
    b"\xd0\xcf": "it is an Excel workbook: save it as CSV",
    b"PAR1": "it is a Parquet file: call it .parquet",
    b"ARROW1": "it is a Feather file: call it .feather",
    b"\xff\xfe\0\0": "it is UTF-32: save it as UTF-8",
    b"\0\0\xfe\xff": "it is UTF-32: save it as UTF-8",
    b"\xff\xfe": "it is UTF-16, as Excel's 'Unicode text' is: save it as UTF-8",
    b"\xfe\xff": "it is UTF-16: save it as UTF-8",
}


def one_a_column(cells: Sequence[str], names: Sequence[str], own: str) -> str:
    """What to do about a line of another number of cells than there are columns."""
    if len(cells) == 1 and not cells[0]:
        return "delete this line, which is empty"
    other = _separated(names, own)
    return EVERY if other is None else f"{other}; else give every line one cell"


def delimiting(names: Sequence[str], own: str, wrong: str) -> str:
    """What to do about a cell of a wrong column; another delimiter that the only column's name holds may be the one.

    Examples
    --------
    >>> delimiting(["age", "city", "income"], ",", "city").rsplit("; ", 1)[-1]
    'if the column holds text, choose others: --set columns=age,income'
    """
    other = _separated(names, own)
    if other is not None:
        return f"{other}; else write plain numbers, as 1234.5"
    others = [name for name in names if name != wrong]
    chosen = f"choose others: --set columns={','.join(others[:4])}{',...' * (len(others) > 4)}"
    return PLAIN + (chosen if others else "it is no column of numbers") + COMMAS * (own == ";")


def _separated(names: Sequence[str], own: str = ",") -> str | None:
    """What to do where the only column's name holds another delimiter than the file's own, which it may be."""
    other = next((word for word, sign in DELIMITERS.items() if sign != own and sign in names[0]), None)
    if len(names) > 1 or other is None:
        return None
    first = "delete the first line, 'sep=...', and give " if names[0].startswith("sep=") else ""
    return f"{first}--delimiter {other}, or dp.table(path, delimiter={other!r}), if cells are separated so"


def absent(name: str, names: Sequence[str]) -> str:
    """What to do about a column that is not there.

    Examples
    --------
    >>> absent("agee", ["age", "income"]), absent("age", ["0", "1"])
    ("the nearest known one is 'age'", 'its columns have no names: give their positions, 0 to 1')
    >>> absent("city", ["age", "income"])
    "its columns are 'age', 'income'"
    """
    if [*names] == [str(i) for i in range(len(names))]:
        return f"its columns have no names: give their positions, 0 to {len(names) - 1}"
    near = closest(name, names)
    other = f"its columns are {few([*map(repr, names)])}" if near is None else f"the nearest known one is {near!r}"
    return _separated(names) or other


def no_text(header: str) -> str:
    """What to do about a file with a first line that is no text."""
    begun = header.encode("utf-8", "surrogateescape")
    known = (fix for start, fix in _BEGINNINGS.items() if begun.startswith(start))
    return next(known, "save it as text, in UTF-8; a table of another kind needs its own ending")


def unread(line: int) -> str:
    """What to do about a file that ends in the middle, or can't be unpacked: it is not even once, or not completely."""
    whole = "write or copy it again, completely"
    return whole if line > 1 else f"{whole}; if it is called .gz and was never packed, leave .gz out of its name"


def unnamed(names: Sequence[str], empty: Sequence[int]) -> str:
    """What to do about columns, by number, that have no name."""
    if names[0].startswith("sep="):
        return "delete this line, which spreadsheets write; the names stand in the next one"
    if list(empty) == [1]:
        return "name the column, or save the file without its row index"
    return "name the column, or remove the comma there from every line"


def choosing(names: Sequence[str]) -> str:
    """Which columns can be chosen, where there are any."""
    if not names:
        return "convert to integer or float columns"
    return f"--set columns={shlex.quote(','.join(names))} (from Python: pass a table of these columns alone)"


def in_both(fix: str | None) -> str | None:
    """The fix of a second table, of which the same columns are used: others of its own are no advice.

    Examples
    --------
    >>> in_both("--set columns=a,b"), in_both("check the path")
    ('--set columns=... chooses columns that hold numbers in both tables', 'check the path')
    """
    before, option, _ = (fix or "").partition("--set columns=")
    return f"{before}{option}... chooses columns that hold numbers in both tables" if option else fix


def closest(name: str, names: Sequence[str]) -> str | None:
    """The known name that is nearest, if one is near: of those that hold the whole word, where some do.

    Examples
    --------
    >>> closest("delay", ["day", "dep_delay"]), closest("INCOM", ["age", "income"]), closest("city", ["age", "income"])
    ('dep_delay', 'income', None)
    """
    holding = [known for known in names if name and name.casefold() in known.casefold()]
    known = {known.casefold(): known for known in reversed(holding or names)}
    near = difflib.get_close_matches(name.casefold(), known, n=1, cutoff=0.0 if holding else 0.6)
    return known[near[0]] if near else None


def differing(first: Sequence[str], names: Sequence[str]) -> str:
    """In which column a file differs from the first one."""
    pairs = itertools.zip_longest(first, names)
    at, (mine, theirs) = next((i + 1, pair) for i, pair in enumerate(pairs) if pair[0] != pair[1])
    has = "has no more columns" if theirs is None else f"is called {theirs!r}"
    return f"column {at} {has}, in the first file {'there is none' if mine is None else f'it is {mine!r}'}"


def unlike(worker: str, word: str, what: Sequence[str] | None) -> tuple[str, str]:
    """What a worker of a cluster said of itself that is not ``done``, and what to do about it."""
    if word == "unequal":
        return f"worker {worker} differs from the client in {'; '.join(what or ())}", "make them alike"
    if word == "changed":
        return (
            f"worker {worker} does not see the table's files as the client does",
            "keep them where all workers and the client can open them by the same path",
        )
    return f"worker {worker} can't read the plan's operations", "install the client's plugins there"
