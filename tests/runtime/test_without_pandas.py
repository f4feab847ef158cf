"""Files without nulls are read without pandas, which takes a third of a second and 45 MB; nulls are NaN either way."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import feather, parquet

PROGRAM = """
import json, sys
from dpframe.runtime.sources import open_source
found = [chunk.values.tolist() for chunk in open_source(sys.argv[1]).chunks(rows=3)]
print(json.dumps([found, "pandas" in sys.modules]))
"""
WRITE = {"parquet": parquet.write_table, "feather": feather.write_feather}
FIRST = {"whole": [1.0, -0.5, float("nan"), 2.0], "missing": [1.0, -0.5, None, 2.0]}


@pytest.mark.parametrize("first", FIRST)
@pytest.mark.parametrize("kind", WRITE)
def test_pandas_is_imported_for_nulls_alone(kind: str, first: str, tmp_path: Path) -> None:
    columns = {"a": FIRST[first], "b": pa.array([1, 2, 3, 4], "int32"), "c": pa.array([1.5, 0, 1, 9], "float32")}
    WRITE[kind](pa.table(columns), path := tmp_path / f"x.{kind}")
    command = [sys.executable, "-c", PROGRAM, str(path)]
    rows, pandas = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert rows == [[[1.0, 1.0, 1.5], [-0.5, 2.0, 0.0], [0.0, 0.0, 0.0]], [[2.0, 4.0, 9.0]]]
    assert pandas == (first == "missing")
