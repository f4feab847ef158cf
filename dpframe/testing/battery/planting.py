"""What is put in the places that a function looks at: several contents, since one alone may read as its default.

A function that divides by the number of lines of a file, or by 1 where there is none, answers the same beside a file of
one line. So each place holds something else in each of a few worlds, and something that can be read as its name says:
what can't be read is as good as missing to a function that catches errors.
"""

from __future__ import annotations

import ast
import contextlib
import gzip
import importlib
import io
import json
import pickle
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dpframe.testing.battery.replacing import USER_MODULE

WAYS = (1, 2, 3, 4)
"""Numbers of the worlds in which something is planted; 0 is that of one that differs in all else as well."""
VALUES = ("1", "3", "7", ".", "true")
"""Of a variable: that of a switch, two numbers whole in any case, the folder of the run, and a word."""
LOCALES = ("C", "de_DE.UTF-8", "C", "fr_FR.UTF-8", "ja_JP.UTF-8")
NUMBERS = ((2,), (3, 7, 5), (7, 4, 9, 2, 6), (5, 3, 8, 2, 9, 4, 7), (4, 2))
"""Of a file, one a line: nowhere 0 or 1, and never equally many."""
HELD = ("people.csv", "people.npy", "table.csv", "data.csv", "rows.txt")
"""What lies in a folder whose names are asked for."""
SAVING = ("file", "arr_0", "allow_pickle")
"""Names that an archive of arrays takes otherwise."""
WORDS, MOST, MOST_COMPARED = re.compile(r"[A-Za-z_]\w{0,29}"), 40, 4


def value(name: str, way: int) -> str:
    """Of a variable; by ways beyond the others, what a plugin compares a text with."""
    known = LOCALES if name.startswith(("LC_", "LANG")) else VALUES
    more = compared() if way >= len(VALUES) else []
    return more[min(way - len(VALUES), len(more) - 1)] if more else known[min(way, len(known) - 1)]


def words() -> list[str]:
    """Names that stand as texts in the files of plugins, those of the last file first: what they may ask for."""
    return [text for text in _texts(ast.Module) if WORDS.fullmatch(text)][:MOST]


def compared() -> list[str]:
    """Texts that plugins compare others with, but those that are planted anyhow: what a variable may have to say."""
    return [text for text in _texts(ast.Compare, ast.MatchValue) if text and text not in VALUES][:MOST_COMPARED]


def _texts(*kinds: type[ast.AST]) -> list[str]:
    """Those within such parts of the files of plugins, those of the last file first, each once."""
    found: dict[str, None] = {}
    modules = [module for name, module in list(sys.modules.items()) if name.startswith(USER_MODULE)]
    for module in modules[::-1]:
        with contextlib.suppress(OSError, ValueError, SyntaxError, TypeError):
            tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
            parts = [part for node in ast.walk(tree) if isinstance(node, kinds) for part in ast.walk(node)]
            texts = [node.value for node in dict.fromkeys(parts) if isinstance(node, ast.Constant)]
            found.update((text, None) for text in texts if isinstance(text, str) and "\0" not in text)
    return list(found)


def put(path: Path, way: int, names: Sequence[str], *, folder: bool = False, like: str = "") -> None:
    """A file, or a folder with as many as that world's number and one; what is there stays.

    It holds what fits its name, or that which it is ``like``.
    """
    with contextlib.suppress(OSError, ValueError):
        path.parent.mkdir(parents=True, exist_ok=True)
        if folder:
            path.mkdir(exist_ok=True)
            for name in HELD[: way + 1]:
                put(path / name, way, names)
        elif not path.exists():
            path.write_bytes(content(like or path.name, way, names))


def content(name: str, way: int, names: Sequence[str]) -> bytes:
    """Of a file of that name, for keys and columns of these names."""
    if not way:
        return b"2\n"
    way = min(way, WAYS[-1])
    end = Path(f"x{name}").suffix.lower()
    if end == ".gz":
        return gzip.compress(content(name[:-3], way, names))
    try:
        made: bytes = KINDS.get(end, _plain)(way, list(names) or ["x"])
    except Exception:  # noqa: BLE001  a library that is not there, or takes no such thing
        made = _plain(way, names)
    return made


def _plain(way: int, names: Sequence[str]) -> bytes:
    """A number alone, or numbers on as many lines."""
    return b"3\n" if way == 1 else "".join(f"{number}\n" for number in NUMBERS[way]).encode()


def _table(way: int, names: Sequence[str], between: str = ",") -> bytes:
    """One column; many, with their names above; three without."""
    if way == 1:
        return b"3\n7\n5\n"
    columns = list(names) if way == 2 else [""] * 3
    lines = [between.join(str(2 + (number + at) % 8) for at in range(len(columns))) for number in NUMBERS[way]]
    return "".join(f"{line}\n" for line in ([between.join(columns)] if way == 2 else []) + lines).encode()


def _array(way: int) -> np.ndarray[Any, Any]:
    rows = np.array(NUMBERS[way])
    return rows[:, None] + np.arange(3.0) if way == 2 else rows.astype(float if way == 1 else int)


def _saved(way: int, names: Sequence[str]) -> bytes:
    file = io.BytesIO()
    np.save(file, _array(way))
    return file.getvalue()


def _several(way: int, names: Sequence[str]) -> bytes:
    file = io.BytesIO()
    known = {name: _array(way) for name in names if name not in SAVING}
    save: Callable[..., None] = np.savez
    save(file, _array(way), **known)
    return file.getvalue()


def _nested(way: int, names: Sequence[str]) -> Any:
    """A mapping, a list, a mapping of lists."""
    numbers = list(NUMBERS[way])
    if way == 2:
        return numbers
    return dict.fromkeys(names, 3 if way == 1 else numbers)


def _columns(way: int, names: Sequence[str]) -> bytes:
    importlib.import_module("pyarrow")
    frame = importlib.import_module("pandas").DataFrame(dict.fromkeys(names, NUMBERS[way]))
    file = io.BytesIO()
    frame.to_parquet(file)
    return file.getvalue()


def _settings(form: str) -> Callable[[int, Sequence[str]], bytes]:
    head = "[DEFAULT]\n" if form.startswith("{name} ") else ""
    return lambda way, names: (
        head + "".join(form.format(name=name, number=NUMBERS[way][0]) + "\n" for name in names)
    ).encode()


KINDS: Mapping[str, Callable[[int, Sequence[str]], bytes]] = {
    ".csv": _table,
    ".tsv": lambda way, names: _table(way, names, "\t"),
    ".npy": _saved,
    ".npz": _several,
    ".json": lambda way, names: json.dumps(_nested(way, names)).encode(),
    ".jsonl": lambda way, names: b"".join(b'{"x": %d}\n' % number for number in NUMBERS[way]),
    ".pkl": lambda way, names: pickle.dumps(_nested(way, names)),
    ".pickle": lambda way, names: pickle.dumps(_nested(way, names)),
    ".parquet": _columns,
    ".bin": lambda way, names: np.array(NUMBERS[way], float).tobytes(),
    ".ini": _settings("{name} = {number}"),
    ".cfg": _settings("{name} = {number}"),
    ".toml": _settings("{name}={number}"),
    ".env": _settings("{name}={number}"),
    ".yaml": _settings("{name}: {number}"),
    ".yml": _settings("{name}: {number}"),
}
