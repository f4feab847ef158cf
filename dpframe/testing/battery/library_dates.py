"""Today's date as NumPy and pandas tell it, moved with the other clocks of a fork."""

from __future__ import annotations

import contextlib
import datetime as dt
import dis
import gc
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from dpframe.testing.battery.replacing import USER_MODULE, replace

WORDS = {"now": "s", "today": "D"}
"""What NumPy and pandas take for this moment, and its unit."""
ASKED = ("datetime64", "array", "asarray")


def move(now: Callable[[], float]) -> None:
    """Dates of both libraries in users' modules whose files have such a word; only ever done in a fork."""
    files = {name: _text(m) for name, m in list(sys.modules.items()) if name.startswith(USER_MODULE)}
    users = {name: text for name, text in files.items() if any(word in text for word in WORDS)}
    for function in gc.get_objects() if users else ():
        if isinstance(function, types.FunctionType) and function.__module__ in users:
            function.__code__ = _moved(function.__code__, now)
    if any("pandas" in text for text in users.values()):
        with contextlib.suppress(ImportError):
            pandas = __import__("pandas")
            replace(_pandas(pandas, now), pandas)


def _text(module: Any) -> str:
    with contextlib.suppress(AttributeError, TypeError, OSError, ValueError):
        return Path(module.__file__).read_text("utf-8")
    return ""  # it has no file


def _moved(code: types.CodeType, now: Callable[[], float]) -> types.CodeType:
    """The code with a date in the place of a word that it hands to NumPy, and to nobody else."""
    words = {word for word in WORDS if word in code.co_consts}
    last: Any = ""
    for step in dis.get_instructions(code) if words else ():
        if step.opname == "LOAD_CONST" and step.argval in WORDS and last not in ASKED:
            words.discard(step.argval)
        last = step.argval
    parts = [_moved(c, now) if isinstance(c, types.CodeType) else c for c in code.co_consts]
    return code.replace(co_consts=tuple(_date(now(), c) if isinstance(c, str) and c in words else c for c in parts))


def _date(seconds: float, word: str) -> str:
    return str(np.datetime64(int(seconds), "s").astype(f"datetime64[{WORDS[word]}]"))


def _pandas(pandas: Any, now: Callable[[], float]) -> dict[Any, Any]:
    """Its moments and what reads them from a text; what they give are moments of its own."""
    real, read = pandas.Timestamp, pandas.to_datetime

    class Kind(type(real)):  # type: ignore[misc]
        def __instancecheck__(cls, value: Any) -> bool:
            return isinstance(value, real)

        def __subclasscheck__(cls, other: Any) -> bool:
            return issubclass(other, real)

    def moment(zone: Any = None) -> Any:
        return real(dt.datetime.fromtimestamp(now(), zone))

    class Timestamp(real, metaclass=Kind):  # type: ignore[misc, valid-type]
        def __new__(cls, *given: Any, **named: Any) -> Any:
            asked = bool(given) and isinstance(given[0], str) and given[0] in WORDS
            return moment(named.get("tz")) if asked else real(*given, **named)

        now = today = classmethod(lambda cls, tz=None: moment(tz))
        utcnow = classmethod(lambda cls: moment(dt.UTC))

    def to_datetime(given: Any, *more: Any, **named: Any) -> Any:
        return moment() if isinstance(given, str) and given in WORDS else read(given, *more, **named)

    return {real: Timestamp, read: to_datetime}
