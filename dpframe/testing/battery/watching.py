"""What a function does outside while it is called, and what it leaves to be done later; only ever in a fork.

Later is what threads do that wait, timers of signals, processes that it forks, finalizers, and functions that are to
be called when the process ends. None of it would come in a fork, which ends without a word: it is brought forward.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import gc
import os
import select
import signal
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs

from dpframe.testing.battery.replacing import REAL, USER_MODULE, replace

CHANGING = (
    *("os.mkdir", "os.rmdir", "os.remove", "os.rename", "os.link", "os.symlink"),
    *("os.truncate", "os.setxattr", "os.utime", "os.chmod", "os.chown"),
)
RUNNING = (
    *("os.system", "os.exec", "os.posix_spawn", "subprocess.Popen"),
    *("socket.connect", "socket.sendto", "sqlite3.connect", "syslog.syslog"),
)
NATIVE = frozenset("creat open open64 fopen fopen64 write mkdir unlink rename system popen send".split())
"""Functions in C by which something is done outside, and Python does not hear of it."""
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_TRUNC
OWN_CACHES = ("__pycache__", "/dev/null", "/dev/tty", ".nbi", ".nbc")
BRIEF, TOGETHER = 0.01, 0.5
"""Seconds of one wait of a thread, and of all that threads and processes are given to come to an end."""
MOST = 8
TIMERS = (
    (signal.ITIMER_REAL, signal.SIGALRM),
    (signal.ITIMER_VIRTUAL, signal.SIGVTALRM),
    (signal.ITIMER_PROF, signal.SIGPROF),
)


@attrs.frozen
class Watch:
    """What is watched of a fork.

    Attributes
    ----------
    seen : list of str
        Files opened for writing, and other things done outside.
    settle : callable
        Lets what was left for later be done now, but for what waits for the end of the process.
    """

    seen: list[str]
    settle: Callable[[], None]


@contextlib.contextmanager
def watched() -> Iterator[Watch]:
    """All that is done outside meanwhile, and at the end; for a fork, which it stays in."""
    seen: list[str] = []
    active, home = [True], os.getpid()
    told = _Children()

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if not active[0]:
            return
        words = _done_outside(event, arguments)
        if words and os.getpid() == home:
            seen.append(words)
        elif words:
            told.tell(words)
        elif event == "os.fork" and os.getpid() == home:
            told.expect()

    last: list[Callable[[], Any]] = []

    def register(function: Any, *arguments: Any, **named: Any) -> Any:
        if _of_a_user(function):
            last.append(functools.partial(function, *arguments, **named))
        return kept(function, *arguments, **named)

    kept = atexit.register
    replace({kept: register}, atexit)
    come = _hurried()
    before = _states()
    sys.addaudithook(hook)

    def settle() -> None:
        come()
        seen.extend(told.heard())

    try:
        yield Watch(seen, settle)
    finally:
        settle()
        for function in [*last[:MOST], *_last_words()]:
            with contextlib.suppress(BaseException):
                function()
        settle()
        seen += [path for path, state in _states().items() if before.get(path) != state]
        active[0] = False
        replace({register: kept}, atexit)


def _done_outside(event: str, arguments: tuple[Any, ...]) -> str:
    """In words, if it is something of that kind."""
    if event == "open" and isinstance(arguments[0], (str, bytes)):
        path, flags = os.fsdecode(arguments[0]), arguments[2] or 0
        return path if flags & WRITING and not any(known in path for known in OWN_CACHES) else ""
    if event in CHANGING:
        return "" if any(known in str(arguments[0]) for known in OWN_CACHES) else f"{event} {arguments[0]}"
    if event == "ctypes.dlsym" and arguments[1] in NATIVE:
        return f"{arguments[1]} of a library in C"
    return event if event in RUNNING else ""


_OTHERS: set[str] = set()
"""Modules of plugins that were imported before the file that is attacked: what they left for later is theirs."""


def _of_a_user(function: Any) -> bool:
    name = str(getattr(function, "__module__", ""))
    return name.startswith(USER_MODULE) and name not in _OTHERS


# -------------------------------------------------------------------------------------- threads


def _hurried() -> Callable[[], None]:
    """What lets threads that were started since, and wait for a time, stop waiting; and rings timers of signals.

    For the rest of this fork's life; whatever is not called from the main thread waits in pieces until then.
    """
    now, before, forked = threading.Event(), {*threading.enumerate()}, [False]
    wait_for, sleep = threading.Condition.wait, time.sleep

    def patient() -> bool:
        return threading.current_thread() is threading.main_thread() and not forked[0]

    def left(end: float) -> float:
        return 0.0 if now.is_set() or forked[0] else end - REAL["monotonic"]()

    def wait(self: threading.Condition, timeout: float | None = None) -> bool:
        if timeout is None or patient():
            return wait_for(self, timeout)
        end = REAL["monotonic"]() + timeout
        while (more := left(end)) > 0:
            if wait_for(self, min(more, BRIEF)):
                return True
        return wait_for(self, BRIEF if now.is_set() or forked[0] else 0.0)

    def pause(seconds: float) -> None:
        end = REAL["monotonic"]() + seconds
        while not patient() and (more := left(end)) > 0:
            sleep(min(more, BRIEF))
        sleep(seconds if patient() else 0.0)

    def come() -> None:
        _ring()
        others = [t for t in threading.enumerate() if t not in before]
        if others:
            now.set()
            _join(others)
            now.clear()
        if _finalizing():
            gc.collect()

    threading.Condition.wait = wait  # type: ignore[method-assign]
    replace({sleep: pause}, time)
    os.register_at_fork(after_in_child=lambda: forked.__setitem__(0, True))
    return come


def _ring() -> None:
    """What signals would do that were asked for later, now."""
    for which, number in TIMERS:
        handler = signal.getsignal(number)
        if signal.getitimer(which)[0] and callable(handler):
            signal.setitimer(which, 0.0)
            with contextlib.suppress(BaseException):
                handler(number, None)


def _join(threads: list[threading.Thread]) -> None:
    end = REAL["monotonic"]() + TOGETHER
    for thread in threads:
        idle = 2 * BRIEF if _in_a_pool(thread) else TOGETHER
        thread.join(max(min(idle, end - REAL["monotonic"]()), 0.0))


def _in_a_pool(thread: threading.Thread) -> bool:
    """Whether it waits for work for ever."""
    pools = sys.modules.get("concurrent.futures.thread")
    return pools is not None and thread in vars(pools)["_threads_queues"]


# ------------------------------------------------------------------------------------- processes


class _Children:
    """What processes that were forked meanwhile tell, until all of them have ended."""

    def __init__(self) -> None:
        self.ends: tuple[int, int] | None = None

    def expect(self) -> None:
        """One is about to be forked: what it tells goes through a pipe, which it inherits."""
        if self.ends is None:
            self.ends = os.pipe()

    def tell(self, words: str) -> None:
        """In the other process."""
        if self.ends is not None:
            with contextlib.suppress(OSError):
                os.write(self.ends[1], words[:400].encode(errors="replace") + b"\n")

    def heard(self) -> list[str]:
        """Lines, once the others have ended or their time is up."""
        if self.ends is None:
            return []
        (ear, mouth), self.ends = self.ends, None
        os.close(mouth)
        text, end = b"", REAL["monotonic"]() + TOGETHER
        while (left := end - REAL["monotonic"]()) > 0 and select.select([ear], [], [], left)[0]:
            part = os.read(ear, 2**16)
            if not part:
                break
            text += part
        os.close(ear)
        return text.decode(errors="replace").splitlines()


# ------------------------------------------------------------------------------- the end of the process


def _finalizing() -> list[type[Any]]:
    """Classes of users' modules whose objects have something to say when they go."""
    users = [m for name, m in list(sys.modules.items()) if name.startswith(USER_MODULE)]
    found = [v for m in users for v in vars(m).values() if isinstance(v, type) and _of_a_user(v)]
    return [kind for kind in found if any("__del__" in vars(base) for base in kind.__mro__)]


def _last_words() -> Iterator[Callable[[], Any]]:
    """What users' functions left to be called when the process ends, beside what they registered for that."""
    for info in list(vars(weakref.finalize)["_registry"].values())[::-1]:
        if info.atexit and _of_a_user(info.func):
            yield functools.partial(info.func, *info.args, **(info.kwargs or {}))
    util = sys.modules.get("multiprocessing.util")
    for left in list(vars(util)["_finalizer_registry"].values()) if util is not None else ():
        if _of_a_user(getattr(left, "_callback", None)):  # called itself it would see that this is a fork
            yield functools.partial(left._callback, *left._args, **left._kwargs)
    for call in vars(threading).get("_threading_atexits", ()):
        if _of_a_user(getattr(call, "func", call)):
            yield call
    kinds = tuple(_finalizing())
    for thing in [t for t in gc.get_objects() if type(t) in kinds][:MOST] if kinds else ():
        yield type(thing).__del__.__get__(thing)


# ----------------------------------------------------------------------------------- files that are open

_OPENED: set[str] = set()
_NOTING = [False]
_HOOKED: list[Any] = []


@contextlib.contextmanager
def importing(path: Path) -> Iterator[None]:
    """While a plugin's file is imported: remember which files it opens for writing, where it may write later.

    What files that were imported before it leave for later is not laid at its door.
    """

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if _NOTING[0] and event == "open" and isinstance(arguments[0], (str, bytes)):
            opened = os.fsdecode(arguments[0])
            if (arguments[2] or 0) & WRITING and not any(known in opened for known in OWN_CACHES):
                _OPENED.add(os.path.realpath(opened))

    if not _HOOKED:
        _HOOKED.append(hook)
        sys.addaudithook(hook)  # it can't be taken away again
    users = [name for name, module in list(sys.modules.items()) if getattr(module, "__file__", None) != str(path)]
    _OTHERS.clear()
    _OTHERS.update(name for name in users if name.startswith(USER_MODULE))
    _OPENED.clear()
    _NOTING[0] = True
    try:
        yield
    finally:
        _NOTING[0] = False


def _states() -> dict[str, tuple[int, int]]:
    """Sizes and times of files that were opened when plugins were imported."""
    found = {}
    for path in _OPENED:
        with contextlib.suppress(OSError):
            known = os.stat(path)
            found[path] = known.st_size, known.st_mtime_ns
    return found
