"""What to do about a file that no reader takes: words for an error's fix, and nothing that reads one."""

from __future__ import annotations

import os
import shlex

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
