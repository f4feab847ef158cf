"""Other clocks, and other functions, in the place of a process's own; only ever in a fork."""

from __future__ import annotations

import builtins
import datetime as dt
import functools
import os
import resource
import sys
import time
from collections.abc import Callable
from typing import Any

USER_MODULE = "dpframe_user_plugins_"
CLOCKS = ("time", "monotonic", "perf_counter", "process_time", "thread_time")
NUMBERED = {
    "REALTIME": "time",
    "MONOTONIC": "monotonic",
    "MONOTONIC_RAW": "monotonic",
    "BOOTTIME": "monotonic",
    "PROCESS_CPUTIME_ID": "process_time",
    "THREAD_CPUTIME_ID": "thread_time",
}
REAL = {name: getattr(time, name) for name in CLOCKS}


def set_clock(shift: float, pace: float = 0.0) -> Callable[[float], None]:
    """Move all clocks of this process, those that a plugin imported by name as well; only ever done in a fork.

    Returns
    -------
    callable
        What moves them to another shift.
    """
    state = {"gone": 0.0, "shift": shift}

    def moved(real: Callable[[], float]) -> Callable[[], float]:
        begin = real()

        def clock() -> float:
            state["gone"] += pace
            return (begin + state["gone"] if pace else real()) + state["shift"]

        return clock

    clocks = {name: moved(real) for name, real in REAL.items()}
    changed: dict[Any, Any] = {getattr(time, name): clock for name, clock in clocks.items()}
    for name in CLOCKS:
        changed[getattr(time, f"{name}_ns")] = lambda clock=clocks[name]: int(clock() * 1e9)
    now = clocks["time"]
    for name in ("localtime", "gmtime", "ctime"):
        changed[getattr(time, name)] = functools.partial(_at, getattr(time, name), now)
    changed[time.strftime] = functools.partial(_text_at, time.strftime, time.localtime, now)
    by_number = {getattr(time, f"CLOCK_{word}", None): clocks[name] for word, name in NUMBERED.items()}
    read = time.clock_gettime
    changed[read] = lambda number: by_number[number]() if number in by_number else read(number)
    changed[time.clock_gettime_ns] = lambda number: int(changed[read](number) * 1e9)
    replace(changed, time)
    _processor(clocks["process_time"], clocks["monotonic"])
    dates = _dates(now)
    replace(dates, dt)
    _keep_importable(dates)
    return functools.partial(state.__setitem__, "shift")


def _processor(process: Callable[[], float], wall: Callable[[], float]) -> None:
    """What else tells how long a processor was used."""
    times, usage = os.times, resource.getrusage
    replace({times: lambda: os.times_result((process(), *times()[1:4], wall()))}, os)
    replace({usage: lambda who: resource.struct_rusage((process(), *usage(who)[1:]))}, resource)


def _keep_importable(dates: dict[Any, Any]) -> None:
    """Libraries in C are made for the real dates, and crash by others: these are back while one is loaded."""
    real, back, loading = builtins.__import__, {new: old for old, new in dates.items()}, [False]

    def load(name: str, *rest: Any, **named: Any) -> Any:
        if loading[0] or name in sys.modules:
            return real(name, *rest, **named)
        loading[0] = True
        replace(back, dt)
        try:
            return real(name, *rest, **named)
        finally:
            replace(dates, dt)
            loading[0] = False

    replace({real: load}, builtins)


def _at(real: Callable[[float], Any], now: Callable[[], float], at: float | None = None) -> Any:
    return real(now() if at is None else at)


def _text_at(real: Any, local: Any, now: Callable[[], float], text: str, at: Any = None) -> str:
    return str(real(text, local(now()) if at is None else at))


def _dates(now: Callable[[], float]) -> dict[Any, Any]:
    class Moment(dt.datetime):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return cls.fromtimestamp(now(), tz)

        @classmethod
        def utcnow(cls) -> Any:
            return cls.fromtimestamp(now(), dt.UTC).replace(tzinfo=None)

        @classmethod
        def today(cls) -> Any:
            return cls.fromtimestamp(now())

    class Day(dt.date):
        @classmethod
        def today(cls) -> Any:
            return cls.fromtimestamp(now())

    return {dt.datetime: Moment, dt.date: Day}


def replace(changed: dict[Any, Any], home: Any) -> None:
    """Put other functions in the place of these, in their module and in those of users' plugins."""
    made = {id(old): new for old, new in changed.items()}
    users = [m for name, m in list(sys.modules.items()) if name.startswith(USER_MODULE)]
    for module in (home, *users):
        for name, value in list(vars(module).items()):
            if id(value) in made:
                setattr(module, name, made[id(value)])
