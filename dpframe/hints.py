"""Words for an error's fix: the nearest known name, and what to do about a file that no reader takes."""

from __future__ import annotations

import difflib
import os
import shlex
from collections.abc import Iterable

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


def nearest(word: str, known: Iterable[str], otherwise: str = "", *, cutoff: float = 0.6) -> str:
    """The hint for an unknown word: the nearest known one, if it is near enough, else ``otherwise`` or all of them.

    Examples
    --------
    >>> nearest("sume", ["sum", "gram"]), nearest("x", ["sum", "gram"])
    ("did you mean 'sum'?", 'known: gram, sum')
    """
    names = sorted(known)
    near = difflib.get_close_matches(word, names, 1, cutoff)
    return f"did you mean {near[0]!r}?" if near else otherwise or f"known: {', '.join(names) or 'none'}"


def conversion(name: str) -> str:
    """How a file of another ending becomes a table, where that is known."""
    stem, ending = os.path.splitext(name)
    reader = _READERS.get(ending.lower())
    if reader is None:
        return f"convert it to {FORMS}; text with a header can be called .csv, with --delimiter where it has no commas"
    code = f"import pandas; pandas.{reader}({name!r}).to_parquet({stem + '.parquet'!r})"
    return f"convert it, python -c {shlex.quote(code)}, to {FORMS}"
