"""A fork in which the names of this kit's files stand nowhere on the stack, for functions that look at their callers.

Python keeps the name of a file with the code that it was compiled to. In a fork the kit's code is given another name,
and the call is made in a new thread, whose stack has no code of before.
"""

from __future__ import annotations

import contextlib
import gc
import re
import sys
import threading
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from dpframe.testing.battery.replacing import USER_MODULE

T = TypeVar("T")
KIT, ELSEWHERE = __name__.partition(".battery")[0], "dpframe.runtime"
HOME = str(Path(__file__).parents[1])
LOOKING = re.compile(r"_getframe|f_back|current_?frame|\binspect\b|\btraceback\b|tb_frame|set(trace|profile)\b")
"""What the source of a module says that looks at frames."""


def look_at_frames() -> bool:
    """Whether a user's module speaks of frames; not where it speaks of signals, which only a main thread is given."""
    for name, module in list(sys.modules.items()):
        if name.startswith(USER_MODULE) and getattr(module, "__file__", None):
            with contextlib.suppress(OSError, UnicodeError):
                text = Path(str(module.__file__)).read_text(encoding="utf-8")
                if LOOKING.search(text) and "signal" not in text:
                    return True
    return False


def disguised(task: Callable[[], T]) -> T:
    """What the task gives, called from a stack that looks like a run's, for the rest of this fork's life."""
    for thing in gc.get_objects():
        if type(thing) is types.FunctionType and thing.__code__.co_filename.startswith(HOME):
            thing.__code__ = _renamed(thing.__code__)
            thing.__globals__["__name__"] = str(thing.__globals__["__name__"]).replace(KIT, ELSEWHERE)
    made: list[T] = []
    failed: list[BaseException] = []
    thread = threading.Thread(target=_call, args=(task, made, failed))
    thread.start()
    thread.join()
    if failed:
        raise failed[0]
    return made[0]


def _call(task: Callable[[], T], made: list[T], failed: list[BaseException]) -> None:
    try:
        made.append(task())
    except BaseException as error:  # noqa: BLE001  raised again where the task was asked for
        failed.append(error)


def _renamed(code: types.CodeType) -> types.CodeType:
    inner: list[Any] = [_renamed(c) if isinstance(c, types.CodeType) else c for c in code.co_consts]
    name = str(Path(HOME).with_name("runtime") / Path(code.co_filename).name)
    return code.replace(co_consts=tuple(inner), co_filename=name)
