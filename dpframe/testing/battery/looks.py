"""What a function looks at in its surroundings, files and environment variables, and places that differ in them.

A function that asks for a file that is not there, or for a variable that is not set, answers the same where neither is.
So what it asks for is written down in one process. In another, what was missing is provided, and in a third, what was
there is gone: its answer must be the same.
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

FILE, VARIABLE, WHOLE = "file ", "variable ", "whole path "
"""What is missing: a file by a name relative to the folder of the run, a variable, a file by its whole path."""
SET, THERE = "set ", "there "
"""What is not: a variable, a file by its whole path."""
ASKING = ("stat", "lstat", "access", "listdir", "scandir")
SYSTEM = ("/proc/", "/sys/", "/dev/")
"""Of the machine and the process, not of a folder; what stands beside a module that is loaded is a part of it."""
CONTENT = "2\n"
"""Of a file that was looked for: a number, and a line of a table."""
MOST, LONGEST = 40, 200


class _Notes:
    """What is asked for, while ``active``."""

    def __init__(self) -> None:
        self.seen: dict[str, None] = {}
        self.active = True
        self.status, self.known = os.stat, _folders()

    def path(self, path: Any) -> None:
        """A file or a folder, by its name."""
        if not isinstance(path, (str, bytes, os.PathLike)) or self.full():
            return
        text = os.fsdecode(path)
        if text in ("", ".") or text.startswith(("..", *self.known)) or len(text) >= LONGEST or _importing():
            return
        if not text.startswith("/"):
            self.seen[FILE + text] = None
            return
        kind = _kind(self.status, text)
        if kind is None or stat.S_ISREG(kind):
            self.seen[(WHOLE if kind is None else THERE) + text] = None

    def variable(self, name: Any, made: Any) -> None:
        """An environment variable, by its name and that as it is kept."""
        if not self.full() and not _importing():
            self.seen[(SET if made in vars(os.environ)["_data"] else VARIABLE) + str(name)] = None

    def full(self) -> bool:
        """Whether no more is noted."""
        return not self.active or len(self.seen) >= MOST


@contextlib.contextmanager
def looking() -> Iterator[list[str]]:
    """What is looked for meanwhile, with one of the words above before it.

    What is looked for while a module is imported is left out: that is how libraries are set up.
    """
    real: dict[str, Callable[..., Any]] = {name: getattr(os, name) for name in ASKING}
    encode: Callable[[str], Any] = os.environ.encodekey
    notes = _Notes()

    def asking(ask: Callable[..., Any]) -> Callable[..., Any]:
        def asked(path: Any = ".", *more: Any, **named: Any) -> Any:
            notes.path(path)
            return ask(path, *more, **named)

        return asked

    def encoded(name: Any) -> Any:
        made = encode(name)
        notes.variable(name, made)
        return made

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            notes.path(arguments[0])

    sys.addaudithook(hook)
    for name, ask in real.items():
        setattr(os, name, asking(ask))
    os.environ.encodekey = encoded
    found: list[str] = []
    try:
        yield found
    finally:
        notes.active = False
        for name, ask in real.items():
            setattr(os, name, ask)
        os.environ.encodekey = encode
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


def provide(found: Sequence[str], folder: Path, needed: tuple[str, ...]) -> None:
    """Files of these names in the folder, and these variables, but those that a process needs as they are.

    What is asked for by a whole path is answered from the folder; for the rest of the life of this process.
    """
    moved: dict[str, str] = {}
    for words in found:
        if words.startswith(VARIABLE):
            name = words.removeprefix(VARIABLE)
            if not name.startswith(needed) and name not in os.environ:
                os.environ[name] = "1"
        elif words.startswith((FILE, WHOLE)):
            whole = words.startswith(WHOLE)
            asked = words.removeprefix(WHOLE if whole else FILE)
            path = folder / f"whole_{len(moved)}" if whole else folder / asked
            with contextlib.suppress(OSError, ValueError):
                path.parent.mkdir(parents=True, exist_ok=True)
                if not path.exists():
                    path.write_text(CONTENT)
            if whole:
                moved[asked] = str(path)
    _move(moved)


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
