"""Without pyarrow: arrays, text and frames give the same bits, and what only pyarrow reads says what to install."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import dpframe as dp
from dpframe.errors import DataError
from dpframe.runtime.sources import open_source

ROWS = np.array([[1.0, 0.1, 7.0], [np.nan, 1e-300, 7.0], [3.25, -2.0 / 3.0, 9.0], [1e22, 5e-324, 8.0]])
TEXT = "a,b,id\n" + "\n".join(",".join("" if np.isnan(v) else repr(v) for v in row) for row in ROWS.tolist()) + "\n"
PROGRAM = """
import json, sys
from importlib.abc import MetaPathFinder
class Hidden(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "pyarrow":
            raise ImportError(name)
sys.meta_path.insert(0, Hidden())
import numpy as np
import dpframe as dp
from dpframe.errors import DataError
from dpframe.runtime.sources import open_source

def read(data):
    return [chunk.values.tolist() for chunk in open_source(data).chunks(rows=3)]

def mean(x):
    return dp.release("mean", dp.gaussian(share=1.0), dp.mean(dp.clip(x, ([0.0, 0.0], 10.0))))

folder = sys.argv[1]
said = {"npy": read(folder + "/t.npy"), "csv": read(folder + "/t.csv"), "gz": read(folder + "/t.csv.gz")}
try:
    import polars
    said["polars"] = read(polars.DataFrame(np.load(folder + "/t.npy"), schema=["a", "b", "id"]))
except ImportError:
    pass
plan = dp.plan(mean, x=dp.rows(columns=["a", "b"], n=4), adjacency=dp.REPLACE_ONE, budget=dp.zcdp(rho=0.5))
said["mean"] = plan.run(x=folder + "/t.csv", simulate=7)["mean"].tolist()
said["refused"] = {}
for name in ("t.parquet", "t.feather", "parts"):
    try:
        open_source(folder + "/" + name)
    except DataError as error:
        said["refused"][name] = str(error)
assert not any(name.partition(".")[0] == "pyarrow" for name in sys.modules)
print(json.dumps(said))
"""


def mean(x: dp.Handle) -> dp.Handle:
    return dp.release("mean", dp.gaussian(share=1.0), dp.mean(dp.clip(x, ([0.0, 0.0], 10.0))))


def test_arrays_and_text_need_no_arrow(tmp_path: Path) -> None:
    import gzip

    np.save(tmp_path / "t.npy", ROWS)
    (tmp_path / "t.csv").write_text(TEXT)
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(TEXT.encode()))
    (tmp_path / "parts").mkdir()
    for name in ("t.parquet", "t.feather", "parts/1.parquet"):
        (tmp_path / name).write_bytes(b"x")
    command = [sys.executable, "-c", PROGRAM, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    for kind in ("npy", "csv", "gz", "polars"):
        here = [chunk.values for chunk in open_source(str(tmp_path / "t.csv")).chunks(rows=3)]
        for found, wanted in zip(said.get(kind, here), here, strict=True):
            assert np.array_equal(np.array(found), wanted, equal_nan=True), kind
    plan = dp.plan(mean, x=dp.rows(columns=["a", "b"], n=4), adjacency=dp.REPLACE_ONE, budget=dp.zcdp(rho=0.5))
    assert said["mean"] == plan.run(x=str(tmp_path / "t.csv"), simulate=7)["mean"].tolist()
    for name in ("t.parquet", "t.feather", "parts"):
        assert "pip install 'dpframe[tables]'" in said["refused"][name]


def test_units_are_coded_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    from dpframe.runtime.sources import ids

    column = np.array(["ada", "bob", None, "ada", 7, 7.0], dtype=object)
    first = ids.Ids().objects(column)
    monkeypatch.setattr(ids, "has_arrow", lambda: False)
    assert np.array_equal(first, ids.Ids().objects(column), equal_nan=True)


def test_a_relation_says_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    from dpframe.runtime.sources import frames

    duckdb = pytest.importorskip("duckdb")
    monkeypatch.setattr(frames, "has_arrow", lambda: False)
    with pytest.raises(DataError, match=r"dpframe\[tables\]"):
        open_source(duckdb.sql("select 1.0 as a"))
