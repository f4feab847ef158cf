"""What a function looks for in its surroundings: names of files and environment variables, and a place that has them.

A function that asks for a file that is not there, or for a variable that is not set, answers the same where neither is.
So what it asks for is written down in one process, and provided in another, where its answer must be the same.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

FILE, VARIABLE = "file ", "variable "
ASKING = ("stat", "lstat", "access", "listdir", "scandir")
CONTENT = "2\n"
"""Of a file that was looked for: a number, and a line of a table."""
MOST, LONGEST = 40, 200


@contextlib.contextmanager
def looking() -> Iterator[list[str]]:
    """What is looked for meanwhile: files by names relative to the folder of the run, and environment variables.

    What is looked for while a module is imported is left out: that is how libraries are set up.
    """
    seen: dict[str, None] = {}
    real: dict[str, Callable[..., Any]] = {name: getattr(os, name) for name in ASKING}
    encode: Callable[[str], Any] = os.environ.encodekey
    active = [True]

    def path_asked(path: Any) -> None:
        if isinstance(path, (str, bytes, os.PathLike)) and active[0] and len(seen) < MOST:
            text = os.fsdecode(path)
            if text not in ("", ".") and not text.startswith(("/", "..")) and len(text) < LONGEST and not _importing():
                seen[FILE + text] = None

    def asking(ask: Callable[..., Any]) -> Callable[..., Any]:
        def asked(path: Any = ".", *more: Any, **named: Any) -> Any:
            path_asked(path)
            return ask(path, *more, **named)

        return asked

    def encoded(name: Any) -> Any:
        made = encode(name)
        if active[0] and len(seen) < MOST and made not in vars(os.environ)["_data"] and not _importing():
            seen[VARIABLE + str(name)] = None
        return made

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            path_asked(arguments[0])

    sys.addaudithook(hook)
    for name, ask in real.items():
        setattr(os, name, asking(ask))
    os.environ.encodekey = encoded
    found: list[str] = []
    try:
        yield found
    finally:
        active[0] = False
        for name, ask in real.items():
            setattr(os, name, ask)
        os.environ.encodekey = encode
        found += seen


def _importing() -> bool:
    """Whether a module is being imported by what asks."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_name != "_find_and_load":
        frame = frame.f_back
    return frame.f_code.co_name == "_find_and_load"


def provide(found: Sequence[str], folder: Path, needed: tuple[str, ...]) -> None:
    """Files of these names in the folder, and these variables, but those that a process needs as they are."""
    for words in found:
        if words.startswith(VARIABLE):
            name = words.removeprefix(VARIABLE)
            if not name.startswith(needed) and name not in os.environ:
                os.environ[name] = "1"
        else:
            path = folder / words.removeprefix(FILE)
            with contextlib.suppress(OSError, ValueError):
                path.parent.mkdir(parents=True, exist_ok=True)
                if not path.exists():
                    path.write_text(CONTENT)
