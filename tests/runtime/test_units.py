"""Units of several rows: the same slots from every form of a table, and no id anywhere."""

from __future__ import annotations

import enum
import gzip
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpframe.cli import main
from dpframe.errors import ChangedError, DataError, DpframeError
from dpframe.runtime.sources.base import piece_rows
from dpframe.runtime.sources.ids import Ids, identity
from dpframe.runtime.sources.units import UnitSource, slots

EACH = 3


def table(units: int = 40, seed: int = 0) -> tuple[Any, Any]:
    """Ids, one in ten missing, and two columns of rows, some of them missing; units of 1 to 8 rows, mixed."""
    rng = np.random.default_rng(seed)
    ids = np.repeat(np.arange(units), rng.integers(1, 9, size=units)).astype(float)
    rng.shuffle(ids)
    rows = rng.normal(size=(len(ids), 2))
    rows[::9, 1] = np.nan
    ids[3::10] = np.nan
    return ids, rows


def slotted(data: Any, *, chunk: int = 1000, **more: Any) -> Any:
    source = UnitSource(data, unit=more.pop("unit", "user"), rows=EACH, **more)
    chunks = list(source.chunks(chunk))
    return np.concatenate([np.where(c.valid[:, None], c.values, np.nan) for c in chunks])


def expected(ids: Any, rows: Any) -> Any:
    """Row by row, as the rule is written."""
    known = sorted({identity(i) for i in ids if identity(i) is not None})  # type: ignore[type-var]
    out = np.full((len(known) * EACH, 2), np.nan)
    for at, unit in enumerate(known):
        own = [r for i, r in zip(ids, rows, strict=True) if identity(i) == unit and np.isfinite(r).all()]
        for place, row in enumerate(own):
            slot = int(slots(np.array([place]), EACH)[0])
            if slot >= 0:
                out[at * EACH + slot] = row
    return out


def as_csv(path: Path, ids: Any, rows: Any, word: str = "") -> Path:
    lines = ["a,user,b"]
    for i, (a, b) in zip(ids, rows, strict=True):
        lines.append(f"{a},{'' if np.isnan(i) else word + str(int(i))},{'' if np.isnan(b) else b}")
    file = path / "t.csv"
    file.write_text("\n".join(lines) + "\n")
    return file


def test_every_form_of_a_table_gives_the_same_slots(tmp_path: Path) -> None:
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    ids, rows = table()
    wanted = expected(ids, rows)
    array = np.column_stack([rows[:, 0], ids, rows[:, 1]])
    np.save(tmp_path / "c.npy", array)
    np.save(tmp_path / "f.npy", np.asfortranarray(array))
    frame = pa.table({"a": rows[:, 0], "user": pa.array(ids, from_pandas=True), "b": rows[:, 1]})
    texts = pa.array([None if np.isnan(i) else str(int(i)) for i in ids])
    text = frame.set_column(1, "user", texts)
    coded = frame.set_column(1, "user", texts.dictionary_encode())
    pq.write_table(text, tmp_path / "t.parquet")
    named = [as_csv(tmp_path, ids, rows), tmp_path / "t.parquet", frame, text, coded]
    folder = tmp_path / "folder"
    folder.mkdir()
    for i in range(4):
        pq.write_table(text.slice(i * 50, 50 if i < 3 else None), folder / f"part{i}.parquet")
    feather = pytest.importorskip("pyarrow.feather")
    feather.write_feather(text, tmp_path / "t.feather")
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress((tmp_path / "t.csv").read_bytes()))
    named += [folder, tmp_path / "t.feather", tmp_path / "t.csv.gz", lambda: text.to_batches(30)]
    named.append(pytest.importorskip("pyarrow.dataset").dataset(folder))
    for data in named:
        np.testing.assert_array_equal(slotted(data), wanted)
    for data in (array, np.asfortranarray(array), tmp_path / "c.npy", tmp_path / "f.npy", np.ma.masked_invalid(array)):
        np.testing.assert_array_equal(slotted(data, unit="1"), wanted)
    for name, make in (("pandas", "to_pandas"), ("polars", None)):
        library = pytest.importorskip(name)
        for data in (frame, text):
            made = getattr(data, make)() if make else library.from_arrow(data)
            np.testing.assert_array_equal(slotted(made), wanted)
    np.testing.assert_array_equal(slotted(text, columns=["b"])[:, 0], wanted[:, 1])


def test_slots_do_not_depend_on_the_chunk_nor_on_other_units() -> None:
    ids, rows = table(120)
    array = np.column_stack([ids, rows])
    whole = slotted(array, unit="0")
    np.testing.assert_array_equal(slotted(array, unit="0", chunk=7), whole)
    order = np.argsort(ids, kind="stable")  # each unit's rows in their own order
    np.testing.assert_array_equal(slotted(array[order], unit="0"), whole)
    np.testing.assert_array_equal(whole, expected(ids, rows))


def test_rows_that_stay_are_spread_over_a_unit() -> None:
    """A unit of 3000 rows does not keep its first ones: a sorted file is no sample of its beginning."""
    kept = np.array([np.flatnonzero(slots(np.arange(n), 50) == j)[-1] for n in (3000,) for j in range(50)])
    assert 0.3 < np.mean(kept) / 3000 < 0.7


def test_memory_holds_rows_that_count_and_no_empty_slots() -> None:
    """Few units have as many rows as the largest: their empty slots are made when they are read."""
    ids, rows = table(200)
    source = UnitSource(np.column_stack([ids, rows]), unit="0", rows=5000)
    chunks = list(source.chunks(70_000))
    assert source.count_rows() == sum(len(c.valid) for c in chunks) == 5000 * len(np.unique(ids[np.isfinite(ids)]))
    complete = np.isfinite(ids) & np.isfinite(rows).all(axis=1)
    assert sum(int(c.valid.sum()) for c in chunks) == len(source._kept[0]) == complete.sum()  # type: ignore[index]


MIXED = [1, "1", 1.0, True, np.int64(1), np.float32(1), Decimal(1), Fraction(1), b"1"]
MISSING = [None, float("nan"), np.float64("nan"), "", b"", np.datetime64("NaT"), object.__eq__, 1j]


def test_an_id_is_a_function_of_its_cell_whatever_its_type() -> None:
    assert {identity(cell) for cell in MIXED} == {b"1"}
    assert [identity(cell) for cell in MISSING[:6]] == [None] * 6
    assert identity(2**60 + 1) != identity(2**60), "two ids beyond 2^53 are two units"
    assert identity(0.1) == identity(0.1 + 0) != identity(0.2)

    class Rude:
        def __eq__(self, other: object) -> bool:
            raise ValueError("the cell")

        __hash__ = None  # type: ignore[assignment]

    assert identity(Rude()) is None
    codes = Ids().objects(np.array([*MIXED, None, "ada", Rude(), float("nan"), "ada"], dtype=object))
    assert codes[:9].tolist() == [0] * 9
    assert codes[[10, 13]].tolist() == [1, 1]
    assert np.isnan(codes[[9, 11, 12]]).all()


@pytest.mark.parametrize("index", ["int8", "uint8", "uint32"])
def test_a_missing_id_among_categories_is_none_whatever_the_type_of_their_places(index: str) -> None:
    pa = pytest.importorskip("pyarrow")
    ids = pa.array(["a", "b", None, "a"], type=pa.dictionary(getattr(pa, index)(), pa.string()))
    frame = pa.table({"user": ids, "a": [1.0, 2.0, 3.0, 4.0]})
    assert slotted(frame)[:, 0].tolist() == pytest.approx([1, 4, np.nan, 2, np.nan, np.nan], nan_ok=True)
    assert slotted(frame.slice(1))[:, 0].tolist() == pytest.approx([4, np.nan, np.nan, 2, np.nan, np.nan], nan_ok=True)


def test_categories_and_large_integers_of_polars_are_ids() -> None:
    pl = pytest.importorskip("polars")
    columns = [["a", "b", None, "a"], [-(2**100), 2**100, None, -(2**100)]]
    for cells, kind in zip(columns, [pl.Categorical, pl.Int128], strict=True):
        frame = pl.DataFrame({"user": pl.Series(cells, dtype=kind), "a": [1.0, 2.0, 3.0, 4.0]})
        assert slotted(frame)[:, 0].tolist() == pytest.approx([1, 4, np.nan, 2, np.nan, np.nan], nan_ok=True)


def test_a_cell_that_python_has_no_value_for_is_no_id_and_changes_no_other() -> None:
    pa = pytest.importorskip("pyarrow")
    far, near, x = 2**40, 86_400, [1.0, 2.0, 3.0, 4.0]
    days = pa.array([far, near, None, near], type=pa.timestamp("s"))
    texts = pa.array([b"\xff", b"a", None, b"a"]).view(pa.string())
    for ids in (days, texts):
        assert slotted(pa.table({"user": ids, "a": x}))[:, 0].tolist() == pytest.approx([2, 4, np.nan], nan_ok=True)
    nowhere = days.cast(pa.timestamp("s", tz="Nowhere/X"))
    with pytest.raises(DataError, match=r"ids of type timestamp.* can't be read"):
        UnitSource(pa.table({"user": nowhere, "a": x}), unit="user", rows=1).count_rows()


def test_large_whole_ids_are_kept_apart_in_every_form(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    ids = np.array([2**60 + 1, 2**60, 2**60 + 1])
    frame = pa.table({"user": ids, "a": [1.0, 2.0, 3.0]})
    np.save(tmp_path / "t.npy", np.column_stack([ids, ids]))
    for source in (
        UnitSource(frame, unit="user", rows=1),
        UnitSource(np.column_stack([ids, ids]), unit="0", rows=1),
        UnitSource(tmp_path / "t.npy", unit="0", rows=1),
    ):
        assert source.count_rows() == 2


@pytest.mark.parametrize(
    ("unit", "columns", "said"),
    [
        ("user", ["a", "user"], "is no column of data"),
        ("usr", None, "there is no column 'usr'"),
        ("user", ["word"], "these are no numbers"),
    ],
)
def test_what_a_unit_can_not_be(unit: str, columns: Any, said: str) -> None:
    pa = pytest.importorskip("pyarrow")
    frame = pa.table({"a": [1.0], "user": ["ada"], "word": ["no"]})
    with pytest.raises(DataError, match=said) as refused:
        UnitSource(frame, unit=unit, rows=2, columns=columns)
    assert "ada" not in str(refused.value)


def test_a_table_of_a_unit_alone_has_no_data() -> None:
    with pytest.raises(DataError, match="no column besides the unit"):
        UnitSource(np.zeros((3, 1)), unit="0", rows=2)


def test_an_id_that_changes_between_readings_ends_the_run() -> None:
    ids, rows = table()
    array = np.column_stack([ids, rows])
    for row, value in ((1, 1e6), (9, 1e6), (1, ids[2])):  # a new id, one on an empty row, another known one
        source = UnitSource(array.copy(), unit="0", rows=EACH)
        source.count_rows()
        base: Any = source._base
        base._array[row, 0] = value
        with pytest.raises(ChangedError):
            list(source.chunks(100))


def test_no_file_log_or_error_holds_an_id(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ids, rows = table(400)
    data = as_csv(tmp_path, ids, rows, "SECRETID")
    keys = ["d=2", "unit=user", "unit_rows=3", "epsilon=2", "delta=1e-6", "bound=10", "adjacency=replace_one"]
    sets = [word for key in keys for word in ("--set", key)]
    for spec, code in (("coinpress_gaussian", 0), ("bks22_gmm_easy", 2)):
        out = tmp_path / spec
        assert main(["run", spec, "--data", str(data), "--out", str(out), *sets]) in (code, 3 if code == 0 else code)
        said = capsys.readouterr()
        files = [file.read_bytes() for file in out.glob("*")] if out.exists() else []
        for text in (said.out.encode(), said.err.encode(), *files):
            assert b"SECRETID" not in text
        if code == 0:
            assert b'"unit": "user"' in (out / "certificate.json").read_bytes()
            assert b'"unit_rows": 3' in (out / "result.json").read_bytes()
            files_of = ["--spec", str(out / "spec.toml"), "--result", str(out / "result.json")]
            assert main(["verify", str(out / "certificate.json"), *files_of]) == 0
            forged = (out / "certificate.json").read_text().replace('"unit_rows": 3', '"unit_rows": 1')
            (out / "forged.json").write_text(forged)
            assert main(["verify", str(out / "forged.json")]) == 1


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        (["unit=user"], "'unit_rows' is missing"),
        (["unit_rows=2"], "'unit' is missing"),
        (["unit=user", "unit_rows=2", "columns=a,user"], "is no column of data"),
        (["unit=user", "unit_rows=0"], "unit_rows"),
        (["unit=user", "unit_rows=7", "n=100"], "n is units times rows of a unit"),
    ],
)
def test_keys_that_do_not_fit(keys: list[str], said: str) -> None:
    from dpframe.front.specs import load_spec

    with pytest.raises(DpframeError, match=said):
        load_spec("practical_gmm", ["k=2", "bound=9", "d=2", "n=1000", *keys]).plan()


class Shade(str, enum.Enum):  # noqa: UP042  StrEnum prints as its value
    """Members are texts, and print as ``Shade.RED``."""

    RED = "red"


class Nameless(str):
    __slots__ = ()

    def __str__(self) -> str:
        return "another"


@pytest.mark.parametrize(
    ("cell", "same"),
    [(Shade.RED, "red"), (Nameless("red"), "red"), (bytearray(b"red"), "red"), (memoryview(b"red"), b"red"),
     (np.str_("red"), "red"), (np.True_, 1), (np.float32(2.0), "2")],
)  # fmt: skip
def test_which_other_cells_there_are_does_not_decide_an_id(cell: Any, same: Any) -> None:
    """Texts alone are read by Arrow, cells of other types beside them one by one: both know an id by the same bytes."""
    ids = Ids()
    for beside in ([cell, same], [cell, 5], [cell, None], [cell, Decimal("0.5")]):
        codes = ids.objects(np.array(beside, dtype=object))
        assert codes[0] == 0
    assert identity(cell) == identity(same)


@pytest.mark.parametrize("kind", ["Int64", "int64[pyarrow]", "category"])
def test_a_missing_id_does_not_round_the_ids_around_it(kind: str) -> None:
    """Ids above 2^53: pandas makes floats of whole numbers among which one is missing, in the piece that holds it."""
    pd = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    big, rows = 2**53 + 1, 2 * piece_rows(2)
    cells = [big + 2 * (i % 3) for i in range(rows)]
    for missing in (None, rows - 1):
        given = [None if i == missing else cell for i, cell in enumerate(cells)]
        known = pd.Categorical(given, categories=sorted(set(cells))) if kind == "category" else given
        frame = pd.DataFrame({"user": pd.Series(known, dtype=kind), "a": np.ones(rows)})
        source = UnitSource(frame, unit="user", rows=2)
        assert source.count_rows() == 3 * 2
        assert sum(int(chunk.valid.sum()) for chunk in source.chunks(100)) == 3 * 2


def test_lists_of_rows_hold_floats_whatever_stands_in_one_of_them() -> None:
    assert UnitSource([[2**53 + 1, 1], [2**53, 1]], unit="0", rows=1).count_rows() == 1
    assert UnitSource([[2**53 + 1, 1], [2**53, 1.5]], unit="0", rows=1).count_rows() == 1


def test_what_stands_under_a_mask_is_no_unit() -> None:
    table = np.ma.masked_array([[7, 1], [0, 2], [7, 3]], mask=[[False, False], [True, False], [False, False]])
    assert UnitSource(table, unit="0", rows=2).count_rows() == 2
