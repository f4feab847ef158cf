"""CSV is read alike by both parsers, and refused by line and column."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from dpframe.errors import DataError
from dpframe.runtime.sources import open_source
from dpframe.runtime.sources.delimited import CsvSource
from tests.runtime.tables import INF, NAN, SECRET, refused, write_csv

CSV_TEXTS: dict[str, tuple[str | bytes, list[list[float]]]] = {
    "plain": ("a,b\n1,2\n3,4\n", [[1, 2], [3, 4]]),
    "no last line end": ("a,b\n1,2\n3,4", [[1, 2], [3, 4]]),
    "header only": ("a,b", []),
    "CRLF": ("a,b\r\n1,2\r\n3,4\r\n", [[1, 2], [3, 4]]),
    "CR": ("a,b\r1,2\r3,4\r", [[1, 2], [3, 4]]),
    "byte order mark": (b"\xef\xbb\xbfa,b\n1,2\n", [[1, 2]]),
    "missing": ("a,b\n,NA\nnan,1\n", [[NAN, NAN], [NAN, 1]]),
    "not finite": ("a,b\ninf,-Infinity\nNaN,-nan\n1e999,nan(7)\n", [[INF, -INF], [NAN, NAN], [INF, NAN]]),
    "quoted": ('"a","b"\n"1","2"\n"","NA"\n', [[1, 2], [NAN, NAN]]),
    "signs, points, exponents": ("a,b\n+1.,-.5\n1E3,2e-3\n", [[1, -0.5], [1000, 0.002]]),
    "padded": ("a,b\n 1,\t2 \n", [[1, 2]]),
    "huge integers": ("a,b\n123456789012345678901234567890,9007199254740993\n", [[1.2345678901234568e29, 2.0**53]]),
    "blank lines of one column": ("a\n1\n\n2\n", [[1], [NAN], [2]]),
    "numbered columns": ("0,1\n5,6\n", [[5, 6]]),
    "line end in a name": ('"a\nb",c\n1,2\n', [[1, 2]]),
}


@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize("name", CSV_TEXTS)
def test_csv_is_read_alike_by_both_parsers(name: str, fast: bool, tmp_path: Path) -> None:
    text, expected = CSV_TEXTS[name]
    path = write_csv(tmp_path / "x.csv", text)
    source = CsvSource(path, None)
    pieces = list(source._parsed() if fast and name != "header only" else source._scanned())
    table = np.concatenate(pieces) if pieces else np.empty((0, source.d))
    np.testing.assert_array_equal(table, np.array(expected).reshape(-1, source.d))
    assert open_source(path).count_rows() == len(expected)


def test_other_columns_of_a_csv_may_hold_anything(tmp_path: Path) -> None:
    text = b'name,x,note\n"Ann, B.",1,"two\n\nlines"\nCarl,2,\xff\xfe\n' + b"D,3," + b"long" * 20_000 + b"\n"
    source = open_source(write_csv(tmp_path / "x.csv", text), columns=["x"])
    (chunk,) = source.chunks(9) if source.count_rows() == 3 else ()
    np.testing.assert_array_equal(chunk.values, [[1.0], [2.0], [3.0]])


@given(text=st.text(alphabet='01.e-+,"\n\r NAnaif_x', max_size=40))
@example(text='1"2"\n')
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_arrow_accepts_the_strict_parser_reads_alike(text: str, tmp_path: Path) -> None:
    source = CsvSource(write_csv(tmp_path / "x.csv", "a\n" + text.replace(",", "")), None)
    try:
        fast = np.concatenate([np.empty((0, 1)), *source._parsed()])
    except (OSError, ValueError):
        return
    try:
        slow = np.concatenate([np.empty((0, 1)), *source._scanned()])
    except DataError:
        assert '"' in text  # the strict parser alone refuses text after a closing quote
        return
    np.testing.assert_array_equal(fast, slow)


MALFORMED_CSV: dict[str, tuple[str | bytes, str]] = {
    "empty file": ("", "empty"),
    "blank file": ("\n\n", "blank line"),
    "word": (f"a,b\n1,2\n3,x{SECRET}\n", "line 3 .*'b'"),
    "word in a later block": ("a,b\n" + "1,2\n" * 100_000 + f"x{SECRET},1\n", "line 100002 .*'a'"),
    "unknown word for missing": ("a,b\n1,null\n", "line 2 .*'b'"),
    "blank cell": ("a,b\n1, \n", "line 2 .*'b'"),
    "short line": (f"a,b\n1,2\n{SECRET}\n", "line 3 .*1 cell,.*2"),
    "long line": (f"a,b\n1,2,{SECRET}\n", "line 2 .*3 cells.*2"),
    "blank line": ("a,b\n1,2\n\n3,4\n", "line 3 .*1 cell,"),
    "blank line, CRLF": ("a,b\r\n1,2\r\n\r\n3,4\r\n", "line 3 .*1 cell,"),
    "blank last line": ("a,b\n1,2\n\n", "line 3 .*1 cell,"),
    "underscore": ("a\n1_000\n", "line 2 .*'a'"),
    "hexadecimal": ("a\n0x10\n", "line 2 .*'a'"),
    "other digits": ("a\n١٢\n", "line 2 .*'a'"),
    "true": ("a\ntrue\n", "line 2 .*'a'"),
    "no UTF-8": (b"a\n\xff8675309\n", "line 2 .*'a'"),
    "NUL": (b"a\n1\x00\n", "line 2 .*'a'"),
    "endless quote": (f'a,b\n1,2\n"{SECRET},3\n4,5\n', "line 3 .*quote"),
    "after a quote": (f'a,b\n1,2\n"{SECRET}"x,3\n', "line 3"),
    "after line ends in a quote": ('t,b\n"x\n\ny",2\nz,w\n', "line 2 .*'t'"),
    "no header": (f"{SECRET}.5,2\n3,4\n", "line 1 .*names"),
    "one name twice": ("a,b,a\n1,2,3\n", "line 1: the header .*'a,b,a'.* two columns named 'a'.*rename"),
    "trailing comma": ("a,b,\n1,2,\n", "line 1: the header .*'a,b,'.* no name for column 3.*remove the comma"),
    "row index": (",a,b\n0,1,2\n", "line 1: the header .* no name for column 1.*row index"),
    "blank name": ("a, ,b,\n1,2,3,4\n", "line 1: the header .* no name for column 2, 4"),
    "quoted empty name": ('a,""\n1,2\n', "line 1: the header .* no name for column 2"),
    "only empty names": (",\n1,2\n", "line 1: the header .* no name for column 1, 2"),
    "no header, a cell missing": (f"Ann,{SECRET},\n3,4,5\n", "line 1 .*holds numbers"),
    "no header, texts and numbers": (f"Ann,{SECRET}.5\nBob,4\n", "line 1 .*holds numbers.*a letter"),
    "no header, a negative number": (f"Ann,-{SECRET}\nBob,4\n", "line 1 .*holds numbers.*header line"),
    "no header, a whole number": (f"Ann,{SECRET}\nBob,4\n", "line 1 .*holds numbers"),
    "no header, one number twice": (f"{SECRET},{SECRET},Ann\n1,2,Bob\n", "line 1 .*holds numbers"),
    "no header, an unknown cell": (f"{SECRET},?\n1,2\n", "line 1 .*holds numbers"),
    "no header, a year": ("1987,Ann\n1,Bob\n", "line 1 .*holds numbers"),
    "no header, years of a life": ("1987,2004,Ann\n1,2,Bob\n", "line 1 .*holds numbers"),
    "no header, numbers and missing": (f"{SECRET},\n3,4\n", "line 1 .*numbers"),
    "Latin-1": ("höhe,b\n1,2\n".encode("latin-1"), "line 1 .*not in UTF-8.*save it as text, in UTF-8"),
    "UTF-16": ("a,b\n1,2\n".encode("utf-16"), "line"),
}


@pytest.mark.parametrize("names", ["id,2019,2020", "0,1,2", "q1,1st", "1990s,id"])
def test_years_in_a_row_and_positions_are_names(names: str, tmp_path: Path) -> None:
    """Any other number may be a cell of a first row, which no message and no result quotes."""
    source = open_source(write_csv(tmp_path / "x.csv", f"{names}\n1,2,3\n"))
    assert list(source.columns) == names.split(",")


@pytest.mark.parametrize("name", MALFORMED_CSV)
def test_malformed_csv_is_refused_by_line_and_column(name: str, tmp_path: Path) -> None:
    text, message = MALFORMED_CSV[name]
    path = write_csv(tmp_path / "x.csv", text)
    assert re.search(message, refused(path))
    with pytest.raises(DataError, match=message):  # before the first chunk
        next(open_source(path).chunks(1))
