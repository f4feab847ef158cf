"""Generators of broken text: specs, keys, tables, command lines, bytes. Everything comes from one seeded generator."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from tests.fuzz.harness import SECRET
from tests.small_specs import SMALL

Rng = np.random.Generator
T = TypeVar("T")
VALUES = (
    *("nan", "inf", "-inf", "-1", "0", "1", "2", "1e400", "1e-400", "-0.0", "true", "[]", "{}", '""', '"x"', "'$d'"),
    *("0x10", "1_000", "9" * 400, "2024-01-01", "[1, 2]", "{a = 1}", '"$n"', '"$nope"', '"é\\u0000"', "1e308", "3.5"),
)
WORDS = (
    *("x", "ball", "inside", "sums", "noisy", "mean", "count", "gaussian", "laplace", "clip_ball", "gram", "name"),
    *("op", "inputs", "share", "bits", "d", "n", "bound", "epsilon", "delta", "rho", "adjacency", "keys", "tables"),
    *("kind", "private", "public", "outputs", "node", "type", "default", "pairs", "split", "os.system", "__import__"),
)
KEYS = ("epsilon", "delta", "rho", "n", "adjacency", "k", "d", "bound", "columns", "share", "bits", "noise", "nope", "")
SETTINGS = (
    *("1", "0", "-1", "nan", "inf", "1e-6", "1e308", "1e400", "replace_one", "add_remove", "a,b", "0,1", "b", "", " "),
    *("2", "400", "401", "1.5", "true", "gaussian", "laplace", "12", "9" * 30, "é", "a,a", "0.5", "=", "x=y"),
)


def pick(rng: Rng, items: Sequence[T]) -> T:
    return items[int(rng.integers(len(items)))]


def spec(rng: Rng) -> bytes:
    """A small spec with a few faults, or none."""
    lines = SMALL.splitlines()
    for _ in range(int(rng.integers(0, 4))):
        _damage(rng, lines)
    data = ("\r\n" if rng.random() < 0.05 else "\n").join(lines).encode()
    return damaged(rng, data) if rng.random() < 0.15 else data


def _damage(rng: Rng, lines: list[str]) -> None:
    i = int(rng.integers(len(lines)))
    kind = int(rng.integers(8))
    if kind == 0:
        del lines[i]
        if not lines:
            lines.append("")
    elif kind == 1:
        lines.insert(int(rng.integers(len(lines) + 1)), lines[i])
    elif kind == 2:
        j = int(rng.integers(len(lines)))
        lines[i], lines[j] = lines[j], lines[i]
    elif kind == 3:
        lines[i] = re.sub(r"=.*", lambda m: "= " + pick(rng, VALUES), lines[i], count=1)
    elif kind == 4:
        lines.insert(i, f"{pick(rng, WORDS)} = {pick(rng, VALUES)}")
    elif kind == 5:
        found = re.findall(r"\w+", lines[i])
        if found:
            lines[i] = lines[i].replace(pick(rng, found), pick(rng, WORDS), 1)
    elif kind == 6:
        lines.insert(
            i, pick(rng, ("[[node]]", "[tables.y]", "[budget]", "[", "]", "= 1", "[keys.n]", "a = " + "[" * 500))
        )
    else:
        lines[i] = re.sub(r"[\d.]+", lambda m: pick(rng, VALUES), lines[i], count=1)


def damaged(rng: Rng, data: bytes) -> bytes:
    """Bytes cut, turned, repeated or filled in."""
    raw = bytearray(data)
    for _ in range(int(rng.integers(1, 4))):
        at = int(rng.integers(len(raw) + 1))
        kind = int(rng.integers(5))
        if kind == 0:
            del raw[at:]
        elif kind == 1 and at < len(raw):
            raw[at] = int(rng.integers(256))
        elif kind == 2:
            raw[at:at] = rng.bytes(int(rng.integers(1, 9)))
        elif kind == 3:
            raw[at:at] = raw[: int(rng.integers(20))]
        else:
            del raw[at : at + int(rng.integers(9))]
    return bytes(raw)


def settings(rng: Rng) -> list[str]:
    """A few --set options."""
    out: list[str] = []
    for _ in range(int(rng.integers(0, 4))):
        joint = "=" if rng.random() < 0.95 else pick(rng, ("", ":", "=="))
        out += ["--set", f"{pick(rng, KEYS)}{joint}{pick(rng, SETTINGS)}"]
    return out


CELLS = (
    *("1", "-2.5", "0", "", "NA", "nan", "NaN", "inf", "-inf", "1e300", "1e400", "1e-320", SECRET, SECRET + "x", "x"),
    *(" 1 ", '"1"', '"1,2"', '"', "1_0", "0x1", "١", "1,5", "true", "\x00", "é", "1e", "--1", "9" * 400, "+3", "."),
)


def csv(rng: Rng) -> bytes:
    """A table of a few rows, mostly of numbers, with odd cells, ragged rows, odd headers and line ends."""
    width = int(rng.integers(1, 4))
    header = [pick(rng, ("a", "b", "c", "", "a b", '"a"', "1", "é", "a")) for _ in range(width)]
    if rng.random() < 0.7:
        header = list("abc")[:width]
    rows = [",".join(header)]
    odd = 0.0 if rng.random() < 0.4 else 0.1
    for _ in range(int(rng.integers(0, 12))):
        cells = [pick(rng, CELLS) if rng.random() < odd else f"{rng.normal():.4f}" for _ in range(width)]
        if rng.random() < odd / 2:
            cells = cells[:-1] if rng.random() < 0.5 else [*cells, "1"]
        rows.append(",".join(cells))
    end = pick(rng, ("\n", "\n", "\n", "\r\n", "\r"))
    text = end.join(rows) + (end if rng.random() < 0.8 else "")
    data = text.encode("utf-8-sig" if rng.random() < 0.05 else "utf-8")
    return damaged(rng, data) if rng.random() < 0.1 else data


LINE = (
    *("plan", "run", "verify", "ops", "report", "check", "audit", "--json", "--set", "--data", "--out", "--public"),
    *(
        "--simulate",
        "--spec",
        "--result",
        "--plugins",
        "--debug",
        "--help",
        "--version",
        "-h",
        "--",
        "-",
        "",
        "-1",
        "7",
    ),
    *("small.toml", "x.csv", "x.npy", "missing.toml", "certificate.json", ".", "/", "out", "nope", "k=v", "epsilon=1"),
    *("é", "\x00", "a" * 3000, "--jso", "practical_gmm", "../small.toml", "--set=d=2", "--data=x.npy", "\n", "count="),
)


def line(rng: Rng) -> list[str]:
    """Any words in any order."""
    words = [pick(rng, LINE) for _ in range(int(rng.integers(0, 8)))]
    if rng.random() < 0.7:
        words.insert(0, pick(rng, ("plan", "run", "verify", "ops")))
    return words


ATTACKED = (
    *(
        "small.toml",
        "small.toml",
        "laplace",
        "gaussian",
        "split",
        "filter_ball",
        "count",
        "nope",
        "x.csv",
        "missing.toml",
    ),
    *(
        "",
        "\x00",
        "a" * 3000,
        "ball",
        "constant",
        "mine.py",
        "missing.py",
        "fuzz.first",
        "testing.halve",
        "-1",
        "\ud800",
    ),
)
OPTIONS = (
    *(
        "--data",
        "--public",
        "--out",
        "--canaries",
        "--seed",
        "--runs",
        "--seconds",
        "--set",
        "--json",
        "--thorough",
        "--x",
    ),
)
OF_OPTION = {
    "--data": ("t.csv", "x.csv", "x.npy", "missing.csv", ".", ""),
    "--public": ("x.csv", "missing.csv"),
    "--out": ("audited", "audited", "x.csv", "\x00", "a" * 3000, "\ud800"),
    "--canaries": ("1", "3", "0", "-1", "x", "1" + "0" * 30),
    "--seed": ("0", "7", "-1", "x"),
    "--runs": ("1", "10", "20", "0", "x"),
    "--seconds": ("0.01", "0.1", "nan", "-1", "1e400", "x"),
    "--set": ("d=2", "n=5", "epsilon=2", "bits=0", "x=1", "adjacency=add_remove"),
    "--json": (),
    "--thorough": (),
    "--x": (),
}


def attack(rng: Rng) -> list[str]:
    """An audit of a few runs, or a check, of something that may not be there, with odd options."""
    if rng.random() < 0.15:
        return ["check", pick(rng, ATTACKED[5:]), *(["--json"] if rng.random() < 0.5 else [])]
    words = ["audit", *(pick(rng, ATTACKED) for _ in range(int(rng.integers(1, 3))))]
    words += ["--runs", "10", "--seconds", "0.01"]
    for _ in range(int(rng.integers(0, 4))):
        option = pick(rng, OPTIONS)
        values = OF_OPTION[option]
        words += [option, pick(rng, values)] if values else [option]
    return words
