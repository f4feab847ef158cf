"""The kinds of fuzz cases: each makes its input from a generator, runs it, and checks what must hold."""

from __future__ import annotations

import copy
import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from dpframe.errors import DataError
from dpframe.planning.sealing import to_bytes
from dpframe.proof.checker import verify
from dpframe.runtime.sources import open_source
from tests.fuzz import texts
from tests.fuzz.harness import FILES as FILES_OF_A_RUN
from tests.fuzz.harness import Broken, call, check_ended, check_folder, in_process
from tests.fuzz.texts import Rng, pick
from tests.planning.examples import CASES
from tests.planning.mutations import at, places
from tests.proof.checker.forging import judge, release
from tests.proof.checker.test_places import alternatives, neutral
from tests.small_specs import SMALL

FEW = tuple(name for name in CASES if name not in ("many parts", "blocks and contests"))


def planned(rng: Rng, here: Path) -> None:
    """A damaged spec with odd settings is planned or refused."""
    (here / "spec.toml").write_bytes(texts.spec(rng))
    words = ["plan", "spec.toml", *texts.settings(rng), *(["--json"] if rng.random() < 0.5 else [])]
    ended = in_process(words)
    check_ended(words, ended)
    if "--json" in words and (ended.out or ended.code == 0):
        answer = json.loads(ended.out)
        if answer["holds"] is not (ended.code == 0):
            raise Broken(f"holds is {answer['holds']}, the exit code {ended.code}")


def certified(rng: Rng, here: Path) -> None:
    """A certificate that differs in one place is verified only if it still says something true."""
    case = pick(rng, FEW)
    made = release(case)[0]
    path = pick(rng, [p for p, _ in places(made)])
    others = alternatives(made, path)
    if not others:
        return
    changed = pick(rng, others)
    call(lambda: _judge(case, path, made, changed), f"{case} {path}")


def _judge(case: str, path: Any, made: Any, changed: Any) -> None:
    verdict = judge(case, to_bytes(changed))
    where = f"{case}: {path}: {str(at(made, path))[:200]}"
    if verdict.verified and not neutral(case, path, changed):
        raise Broken(f"verified, but it differs in {where}")
    _no_crash(verdict, where)


def _no_crash(verdict: Any, where: str) -> None:
    if any("can't be checked" in reason for reason in verdict.reasons):
        raise Broken(f"the verifier broke: {verdict.reasons} {where}")


def mangled(rng: Rng, here: Path) -> None:
    """A certificate that differs in many places, or is not even JSON: a verdict, and no crash."""
    made: Any = copy.deepcopy(release(pick(rng, FEW))[0])
    if rng.random() < 0.5:
        data = texts.damaged(rng, to_bytes(made))
    else:
        known = list(places(copy.deepcopy(made)))
        for _ in range(int(rng.integers(2, 6))):
            value = pick(rng, known)[1]
            _set(made, pick(rng, known)[0], copy.deepcopy(value) if rng.random() < 0.8 else None)
        data = json.dumps(made).encode()
    call(lambda: _no_crash(verify(data), data[:200].decode(errors="replace")), "a mangled certificate")


def _set(document: Any, path: Any, value: Any) -> None:
    try:
        at(document, path[:-1])[path[-1]] = value
    except (KeyError, IndexError, TypeError):  # an earlier change took the place away
        return


def tabled(rng: Rng, here: Path) -> None:
    """A CSV file is read the same in any chunks, or is refused without quoting a cell."""
    path = here / "t.csv"
    path.write_bytes(texts.csv(rng))
    call(lambda: _read(path), repr(path.read_bytes()))


def _read(path: Path) -> None:
    try:
        source = open_source(path)
        rows = source.count_rows()
        whole = list(source.chunks(10_000))
        single = list(source.chunks(1))
    except DataError as error:
        if texts.SECRET in str(error):
            raise Broken(f"a cell is quoted: {error}") from None
        return
    valid = np.concatenate([c.valid for c in whole]) if whole else np.zeros(0, dtype=np.bool_)
    values = np.concatenate([c.values for c in whole]) if whole else np.zeros((0, source.d))
    if len(valid) != rows or values.shape != (rows, source.d) or not np.isfinite(values).all() or values[~valid].any():
        raise Broken(f"{rows} rows of {source.d}, read {values.shape}")
    if single and (
        not np.array_equal(np.concatenate([c.valid for c in single]), valid)
        or not np.array_equal(np.concatenate([c.values for c in single]), values)
    ):
        raise Broken("chunks change what is read")


def binary(rng: Rng, here: Path) -> None:
    """A damaged .npy or .parquet file is read or refused."""
    kind = pick(rng, tuple(FILES))
    path = here / f"t.{kind}"
    path.write_bytes(texts.damaged(rng, FILES[kind]))
    call(lambda: _read(path), kind)


def _npy() -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, np.random.default_rng(0).standard_normal((20, 2)))
    return buffer.getvalue()


def _parquet() -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    buffer = io.BytesIO()
    pq.write_table(pa.table({"a": np.arange(20.0), "b": np.arange(20)}), buffer)
    return buffer.getvalue()


FILES = {"npy": _npy(), "parquet": _parquet()}


def spoken(rng: Rng, here: Path) -> None:
    """Any words are a command or wrong usage."""
    words = texts.line(rng)
    check_ended(words, in_process(words))


def attacked(rng: Rng, here: Path) -> None:
    """An audit or a check of anything ends with a verdict or a refusal; an audit's folder is whole."""
    (here / "t.csv").write_bytes(texts.csv(rng))
    plugin = texts.damaged(rng, PLUGIN) if rng.random() < 0.5 else PLUGIN
    (here / "mine.py").write_bytes(plugin)
    shutil.rmtree(here / "audited", ignore_errors=True)
    words = texts.attack(rng)
    ended = in_process(words)
    check_ended(words, ended)
    written = {p.name for p in (here / "audited").iterdir()} if (here / "audited").exists() else set()
    if written and (ended.code == 2 or not {"audit.json", "audit.txt"} <= written):
        raise Broken(f"ended with {ended.code}, but wrote {written}: {words}")
    for name in written & {"audit.json", "audit.txt"}:
        if texts.SECRET in (here / "audited" / name).read_text():
            raise Broken(f"a cell stands in {name}")


PLUGIN = b'''"""One column."""

import dpframe as dp


@dp.learner("fuzz.first")
def first(values):
    """The first column."""
    return values[:, :1]
'''


def ran(rng: Rng, here: Path) -> None:
    """A run of any spec on any table ends complete, or refused with nothing written."""
    out = here / "run"
    shutil.rmtree(out, ignore_errors=True)
    (here / "r.toml").write_bytes(texts.spec(rng) if rng.random() < 0.3 else SMALL.encode())
    (here / "r.csv").write_bytes(texts.csv(rng))
    into = "run" if rng.random() < 0.9 else pick(rng, ("a" * 3000, "\0", "r.csv", "r.csv/x", "", "run/\ud800"))
    words = ["run", "r.toml", "--data", "r.csv", "--out", into, *texts.settings(rng)]
    if rng.random() < 0.3:
        words += ["--simulate", pick(rng, ("1", "-1", "x", "9" * 30))]
    ended = in_process(words)
    check_ended(words, ended)
    check_folder(out if into == "run" else Path(here / "nowhere"), ended if into == "run" else None)
    if into == "":
        for name in FILES_OF_A_RUN:
            (here / name).unlink(missing_ok=True)


KINDS: dict[str, tuple[Callable[[Rng, Path], None], float]] = {
    "plan": (planned, 0.2),
    "certificate": (certified, 0.22),
    "mangled": (mangled, 0.13),
    "csv": (tabled, 0.15),
    "binary": (binary, 0.1),
    "line": (spoken, 0.13),
    "attack": (attacked, 0.01),
    "run": (ran, 0.06),
}
"""Name to what it does and its share of the cases."""


def one(seed: int, number: int, here: Path) -> str:
    """Run one case; returns its kind. The same seed and number give the same case."""
    rng = np.random.default_rng([seed, number])
    names = tuple(KINDS)
    kind = names[int(rng.choice(len(names), p=[share for _, share in KINDS.values()]))]
    try:
        KINDS[kind][0](rng, here)
    except Broken as error:
        raise Broken(f"case ({seed}, {number}) of {kind}: {error}") from None
    return kind
