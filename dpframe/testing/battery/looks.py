"""What a function looks at in its surroundings, files and environment variables, and places that differ in them.

A function that asks for a file that is not there, or for a variable that is not set, answers the same where neither is.
So what it asks for is written down in one process. In others, what was missing is provided, what was there holds
something else (:mod:`~dpframe.testing.battery.planting`) or is gone: its answer must be the same.
"""

from __future__ import annotations

import builtins
import contextlib
import io
import os
import stat
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from dpframe.testing.battery import planting

FILE, VARIABLE, WHOLE = "file ", "variable ", "whole path "
"""What is missing: a file by a name relative to the folder of the run, a variable, a file by its whole path."""
FOLDER = "folder "
"""What is asked for the names in it."""
SET, THERE = "set ", "there "
"""What is not: a variable, a file by its whole path."""
KINDS = (FILE, VARIABLE, WHOLE, FOLDER, SET, THERE)
ASKING = ("stat", "lstat", "access", "listdir", "scandir")
SYSTEM = ("/proc/", "/sys/", "/dev/")
"""Of the machine and the process, not of a folder; what stands beside a module that is loaded is a part of it."""
LISTING = ("listdir", "scandir")
PLACES = ("PATH", "TZ", "TMPDIR", "TMP", "TEMP", "HOME")
"""Variables that a crowded world sets to what they may be."""
SPOKEN = ("LC_", "LANG")
"""Needed where a process begins; one that runs, and whose function asks for them, may find others."""
DATA = (*planting.KINDS, ".txt", ".dat", ".gz")
"""Ends of names of files that may hold something else; others that are there may be a library's."""
MOST, LONGEST = 40, 200


class _Notes:
    """What is asked for, while ``active``."""

    def __init__(self) -> None:
        self.seen: dict[str, None] = {}
        self.active, self.through = True, False
        self.status, self.known = os.stat, _folders()

    def path(self, path: Any, *, listed: bool = False) -> None:
        """A file or a folder, by its name."""
        if not isinstance(path, (str, bytes, os.PathLike)) or self.full():
            return
        text = os.fsdecode(path)
        if not text or text.startswith(self.known) or len(text) >= LONGEST or _importing():
            return
        if not text.startswith(("/", "..")):
            if listed or text != ".":
                self.seen.pop(FILE + text if listed else "", None)
                self.seen[(FOLDER if listed or FOLDER + text in self.seen else FILE) + text] = None
            return
        kind = _kind(self.status, text)
        if kind is None or stat.S_ISREG(kind):
            self.seen[(WHOLE if kind is None else THERE) + text] = None

    def variable(self, name: Any, made: Any) -> None:
        """An environment variable, by its name and that as it is kept."""
        if not self.full() and not _importing():
            text = os.fsdecode(name) if isinstance(name, bytes) else str(name)
            self.seen[(SET if made in vars(os.environ)["_data"] else VARIABLE) + text] = None

    def variables(self) -> None:
        """All are gone through: those that the plugin may look for among them."""
        if self.full() or self.through or _importing():
            return
        self.through, self.active = True, False
        names = [name for name in planting.words() if name.isupper()]
        self.active = True
        for name in names:
            self.variable(name, os.fsencode(name))

    def asking(self, ask: Callable[..., Any], *, listed: bool) -> Callable[..., Any]:
        """The same question, noted."""

        def asked(path: Any = ".", *more: Any, **named: Any) -> Any:
            self.path("." if path is None else path, listed=listed)
            return ask(path, *more, **named)

        return asked

    def encoding(self, encode: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """The same, noted: all questions for a variable go through it."""

        def encoded(name: Any) -> Any:
            made = encode(name)
            self.variable(name, made)
            return made

        return encoded

    def decoding(self, decode: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """The same, noted: whoever goes through all variables calls it first."""

        def decoded(made: Any) -> Any:
            self.variables()
            return decode(made)

        return decoded

    def full(self) -> bool:
        """Whether no more is noted."""
        return not self.active or len(self.seen) >= MOST


@contextlib.contextmanager
def looking() -> Iterator[list[str]]:
    """What is looked for meanwhile, with one of the words above before it.

    What is looked for while a module is imported is left out: that is how libraries are set up.
    """
    real: dict[str, Callable[..., Any]] = {name: getattr(os, name) for name in ASKING}
    kinds = (os.environ, os.environb) if hasattr(os, "environb") else (os.environ,)
    coders: list[tuple[Any, Any, Any]] = [(kind, kind.encodekey, kind.decodekey) for kind in kinds]
    notes = _Notes()

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            notes.path(arguments[0])

    sys.addaudithook(hook)
    for name, ask in real.items():
        setattr(os, name, notes.asking(ask, listed=name in LISTING))
    for kind, encode, decode in coders:
        kind.encodekey, kind.decodekey = notes.encoding(encode), notes.decoding(decode)
    found: list[str] = []
    try:
        yield found
    finally:
        notes.active = False
        for name, ask in real.items():
            setattr(os, name, ask)
        for kind, encode, decode in coders:
            kind.encodekey, kind.decodekey = encode, decode
        found += notes.seen


def _folders() -> tuple[str, ...]:
    """Where modules that are loaded lie, and the machine's own."""
    files = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
    folders = {os.path.dirname(file) + "/" for file in files if isinstance(file, str) and file.startswith("/")}
    return (*SYSTEM, *(folder for folder in folders if folder != "/"), sys.prefix + "/", sys.base_prefix + "/")


def _kind(status: Callable[[str], os.stat_result], path: str) -> int | None:
    try:
        return status(path).st_mode
    except (OSError, ValueError):
        return None


def _importing() -> bool:
    """Whether a module is being imported by what asks."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_name != "_find_and_load":
        frame = frame.f_back
    return frame.f_code.co_name == "_find_and_load"


def provide(found: Sequence[str], folder: Path, needed: tuple[str, ...], way: int = 0) -> None:
    """Files of these names in the folder, and these variables, but those that a process needs as they are.

    What is asked for by a whole path is answered from the folder; for the rest of the life of this process. By any
    ``way`` but 0 what is there already holds something else, too.
    """
    moved: dict[str, str] = {}
    names = planting.words() if way else []
    files = [words.removeprefix(FILE) for words in found if words.startswith(FILE)]
    spare = tuple(n for n in needed if not n.startswith(SPOKEN)) if way else needed
    for words in found:
        kind = next(kind for kind in KINDS if words.startswith(kind))
        asked = words.removeprefix(kind)
        if kind in (VARIABLE, SET):
            another = kind == SET and way and asked not in PLACES
            if not asked.startswith(spare) and (another or asked not in os.environ):
                os.environ[asked] = planting.value(asked, way)
                if way:  # it may be the name of a file
                    planting.put(folder / os.environ[asked], way, names, like=files[0] if files else ".csv")
        elif kind in (FILE, FOLDER):
            bare = way == planting.WAYS[1] and not Path(asked).suffix
            planting.put(folder / asked, way, names, folder=kind == FOLDER or bare)
        elif kind == WHOLE or (way and asked.endswith(DATA)):
            moved[asked] = str(folder / f"whole_{len(moved)}{''.join(Path(asked).suffixes)}")
            planting.put(Path(moved[asked]), way, names)
    _move(moved)


def named(words: str) -> str:
    """What one of them is, in a sentence about a function that looks at it."""
    for kind in (VARIABLE, SET):
        if words.startswith(kind):
            return f"it reads the environment variable {words.removeprefix(kind)}"
    if words.startswith(FOLDER):
        return f"it lists the folder {words.removeprefix(FOLDER)}"
    return f"it opens, or looks for, the file {words.removeprefix(FILE).removeprefix(WHOLE).removeprefix(THERE)}"


def withdraw(found: Sequence[str], folder: Path, needed: tuple[str, ...]) -> None:
    """Without these variables, and without these files, for the rest of the life of this process."""
    for name in [words.removeprefix(SET) for words in found if words.startswith(SET)]:
        if not name.startswith(needed):
            os.environ.pop(name, None)
    gone = [words.removeprefix(THERE) for words in found if words.startswith(THERE)]
    _move({path: str(folder / f"gone_{at}") for at, path in enumerate(gone)})


def any_there(found: Sequence[str]) -> bool:
    """Whether any of what was looked for was there."""
    return any(words.startswith((SET, THERE)) for words in found)


def _move(paths: Mapping[str, str]) -> None:
    """Answer for some paths as if they were others, wherever Python itself asks."""

    def moving(ask: Callable[..., Any]) -> Callable[..., Any]:
        def asked(path: Any = ".", *more: Any, **named: Any) -> Any:
            known = isinstance(path, (str, bytes, os.PathLike)) and paths.get(os.fsdecode(path))
            return ask(known or path, *more, **named)

        return asked

    if not paths:
        return
    for name in (*ASKING, "open"):
        setattr(os, name, moving(getattr(os, name)))
    builtins.open = io.open = moving(open)
