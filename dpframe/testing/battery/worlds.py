"""Other places to call a plugin's function: fresh processes with another past, clock, generator, threads and folder.

Every attack that calls such a function runs in a fork of its own, so that what the function keeps from one attack
does not reach the next, and what it does to its process (an exit, a crash, an endless loop) ends that fork only.
"""

from __future__ import annotations

import builtins
import contextlib
import ctypes
import gc
import importlib.abc
import importlib.machinery
import io
import multiprocessing
import os
import pickle
import random
import resource
import select
import signal
import sys
import tempfile
import threading
import time
import types
import warnings
from collections.abc import Callable
from multiprocessing import forkserver  # here, not in each fork, where it takes as long as the fork itself
from pathlib import Path
from typing import Any, TypeVar

import attrs
import numpy as np

from dpframe.errors import DpframeError
from dpframe.testing.battery import folders, identity, library_dates, loads, looks, machine_files
from dpframe.testing.battery.disguise import disguised, look_at_frames
from dpframe.testing.battery.replacing import REAL, replace, set_clock

T = TypeVar("T")
CPU_SECONDS, WALL = 60, 10
"""CPU seconds of a fork, and how many times as long it may take on a busy machine."""
NEEDED = ("PYTHON", "LD_", "DYLD_", "VIRTUAL_ENV", "DPFRAME", "COV", "LC_", "LANG", "SSL", "XDG")
"""Beginnings of environment variables that stay as they are: without them a process may not run at all."""
THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")
PRELOAD = "dpframe.runtime.preload"
TERMINALS = ("/dev/tty", b"/dev/tty")
UNFINISHED = 77
"""How a fork ends that can't tell its answer; of another code, without an answer, the function is the cause."""
LIMITS = (signal.SIGKILL, signal.SIGXCPU, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
"""What ends a fork from outside, or for taking too much: of these nothing follows."""
TESTING, KIT = ("pytest", "_pytest", "hypothesis", "unittest", "doctest"), __name__.partition(".battery")[0]
"""Modules by which a function could tell an attack from a run."""
_LIBRARY = ctypes.CDLL(None)
LITTER = 20_000
_LITTER: list[Any] = []
"""What a crowded world has made that is not collected."""
MACHINE = ("SC_NPROCESSORS_CONF", "SC_NPROCESSORS_ONLN", "SC_PHYS_PAGES", "SC_AVPHYS_PAGES")
"""Of ``sysconf``: what one machine has more of than another."""
TRIM, PAD, MAP, KEPT, STEP = -1, -2, -3, 2**30, 2**24
"""Of ``mallopt``: from so many free bytes on memory is given back, and above so many an array has pages of its own."""


class Lost(DpframeError):
    """A fork ended without an answer; ``ended`` if it was the function that ended it, and no limit."""

    ended = False


@attrs.frozen
class World:
    """What is different around a function that is called with the same arguments.

    Attributes
    ----------
    words : str
        For the message.
    seed : int
        Of the global generators, which nothing may depend on.
    shift : float
        Seconds that all clocks are ahead.
    pace : float
        Seconds that a clock moves each time it is looked at, instead of the time that passes; 0 for the real pace.
    crowded : bool
        More threads, other numbers of processors, a high load, other environment variables, folders, time zone; short
        waits are over at once.
    busy : bool
        Other processes take the processors meanwhile.
    found : tuple of str
        What a function looks for (:mod:`~dpframe.testing.battery.looks`): what is missing a crowded one has.
    gone : bool
        Whether what it looks for and is there is gone.
    scarce : bool
        The machine's files tell that there is next to nothing of everything; those of a crowded world, more.
    planted : int
        By which of a few ways (:mod:`~dpframe.testing.battery.planting`) what it looks for is there; 0 for none.
    running : bool
        As in a run: a table is open and named by the command, and this kit is not to be seen among the modules.
    """

    words: str
    seed: int = 0
    shift: float = 0.0
    pace: float = 0.0
    crowded: bool = False
    busy: bool = False
    found: tuple[str, ...] = ()
    gone: bool = False
    scarce: bool = False
    planted: int = 0
    running: bool = False


def elsewhere(task: Callable[[], T], world: World | None = None, *, cpu: int = CPU_SECONDS, share: bool = False) -> T:
    """The result of a task in a fork of this process, in that world.

    With ``share``, block processes come of a server that forks have in common: for what ships with dpframe alone.

    Raises
    ------
    Lost
        When the fork ends without one: it crashed, left, or took too long.
    """
    if share:
        _start_server()
    with folders.scratch() as folder:
        answer, status = _answer(task, world, folder, cpu, share=share)
    if not answer:
        lost = Lost("the function ended its process, or took too long", fix="make it return")
        lost.ended = _by_itself(status)
        raise lost
    ok, value = pickle.loads(answer)  # noqa: S301  written by our own fork
    if not ok:
        raise Lost(f"the attack could not go on: {value}")
    return value  # type: ignore[no-any-return]


def _answer(task: Callable[[], Any], world: World | None, folder: str, cpu: int, *, share: bool) -> tuple[bytes, int]:
    """What a fork writes, empty if it ended without an answer, and how it ended."""
    answer = b""
    receiver, sender = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a fork of a process with threads: the child only calls the task
        child = os.fork()
    if child == 0:
        os.close(receiver)
        _child(task, world, folder, sender, cpu, share=share)
    os.close(sender)
    try:
        answer = _read(receiver, REAL["monotonic"]() + WALL * cpu)
    finally:
        os.close(receiver)
        status = _gone(child, wait=not answer)
    return answer, status


def _gone(child: int, *, wait: bool) -> int:
    """How a fork ended; one that has not yet is killed, after a moment if ``wait``."""
    for _ in range(50 if wait else 0):
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status
        threading.Event().wait(0.01)
    with contextlib.suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    return os.waitpid(child, 0)[1]


def _by_itself(status: int) -> bool:
    if os.WIFSIGNALED(status):
        return os.WTERMSIG(status) not in LIMITS
    return os.WEXITSTATUS(status) != UNFINISHED


def _read(receiver: int, end: float) -> bytes:
    parts: list[bytes] = []
    while (left := end - REAL["monotonic"]()) > 0:
        if select.select([receiver], [], [], left)[0]:
            part = os.read(receiver, 2**20)
            if not part:
                return b"".join(parts)
            parts.append(part)
    return b""


def _child(task: Callable[[], Any], world: World | None, folder: str, sender: int, cpu: int, *, share: bool) -> None:
    code = UNFINISHED
    try:
        null = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(null, stream)
        resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))
        warnings.simplefilter("ignore")
        np.seterr(divide="warn", over="warn", under="ignore", invalid="warn")  # whatever a module told it
        keep_memory()
        _forget_server(share=share)
        folders.begin(folder)
        if world is not None:
            _enter(world, folder)
        try:
            hidden = world is not None and world.running and look_at_frames()
            with loads.busy() if world is not None and world.busy else contextlib.nullcontext():
                answer = (True, disguised(task) if hidden else task())
        except KeyboardInterrupt:  # which the kernel lets through
            code = 1
            raise
        except BaseException as error:  # noqa: BLE001  told to the parent
            answer = (False, f"{type(error).__name__}: {error}")
        try:
            text = pickle.dumps(answer)
        except Exception as error:  # noqa: BLE001  what a plugin defines need not be one that can be pickled
            text = pickle.dumps((False, f"{type(error).__name__}: {error}"))
        while text:
            text = text[os.write(sender, text) :]
        code = 0
    finally:
        os._exit(code)


def keep_memory() -> None:
    """Memory of arrays that are gone is used again, where the library in C can be told: fresh pages take long.

    What it held is still there, so that a function which reads beyond its array, or before it wrote, is seen sooner.
    """
    if (tell := getattr(_LIBRARY, "mallopt", None)) is not None:
        for which, size in ((TRIM, KEPT), (PAD, STEP), (MAP, KEPT)):
            tell(which, size)


def _start_server() -> None:
    """The server of block processes, for forks that share it: each would import all that ships with dpframe anew."""
    server = vars(forkserver)["_forkserver"]
    multiprocessing.get_context("forkserver").set_forkserver_preload(["numpy.random", PRELOAD])
    script, sys.modules["__main__"] = sys.modules["__main__"], types.ModuleType("__main__")  # else it is run again
    try:
        server.ensure_running()
    except ChildProcessError:  # this is a fork, and its parent has one
        server.__init__()
        server.ensure_running()
    finally:
        sys.modules["__main__"] = script


def _forget_server(*, share: bool) -> None:
    """A fork can't wait for the server that its parent started: it takes it as it is, or starts one of its own."""
    server = vars(forkserver)["_forkserver"]
    if share:
        server.ensure_running = lambda: None
    else:
        server.__init__()


# ------------------------------------------------------------------------------------- another world


def _enter(world: World, folder: str) -> None:
    random.seed(world.seed)
    np.random.seed(world.seed)  # noqa: NPY002  the global generator, on purpose
    if world.crowded or world.scarce:
        machine_files.retell(machine_files.few if world.scarce else machine_files.many)
    if world.scarce:
        identity.processors(1)
    if world.crowded:
        _crowd(world.seed, world.found, folder)
    if world.planted:
        os.chdir(folder)
        looks.provide(world.found, Path(folder), NEEDED, world.planted)
    if world.gone:
        looks.withdraw(world.found, Path(folder), NEEDED)
    if world.running:
        _run(Path(folder))
    if world.shift or world.pace:
        set_clock(world.shift, world.pace)
        library_dates.move(time.time)


def _run(folder: Path) -> None:
    """A table that is open and named among the words of the command; modules of tests are not seen to be loaded."""
    paths = [folder / f"people.{end}" for end in ("npy", "csv", "parquet")]
    np.save(paths[0], np.arange(2001, dtype=np.int8))
    paths[1].write_text("x\n" + "1.5\n" * 1001 + "2")
    paths[2].write_bytes(b"PAR1" * 1001 + b"2")
    sys.argv[:] = ["dpframe", "run", "mean", "--data", str(paths[0]), "--out", str(folder / "out")]
    for path in paths:
        os.dup(os.open(path, os.O_RDONLY))
    hidden = [name for name in sys.modules if name.partition(".")[0] in TESTING or name.startswith(KIT)]
    sys.meta_path.insert(0, _Hidden({name: sys.modules.pop(name) for name in hidden}))


class _Hidden(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Modules that are not to be seen among those that are loaded; whoever imports them is given what was there."""

    def __init__(self, kept: dict[str, Any]) -> None:
        self.kept = kept

    def find_spec(self, name: str, path: Any, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        return importlib.machinery.ModuleSpec(name, self) if name in self.kept else None

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> Any:
        return self.kept[spec.name]

    def exec_module(self, module: Any) -> None:
        """It was executed when it was imported first."""


def _crowd(seed: int, found: tuple[str, ...], folder: str) -> None:
    for name in THREAD_VARIABLES:
        os.environ[name] = str(3 + seed % 5)
    for name in ("TMPDIR", "HOME"):
        os.environ[name] = folder
    os.environ["TZ"] = "Asia/Tokyo"
    time.tzset()  # else only the first look at the zone of a process counts
    os.environ["PATH"] = os.environ.get("PATH", "") + os.pathsep + folder
    for name in os.environ.keys() - {"PATH", "TZ", "TMPDIR", "HOME", *THREAD_VARIABLES}:
        if not name.startswith(NEEDED):
            os.environ[name] += "x"
    tempfile.tempdir = None
    os.chdir(folder)
    loads.hurry()
    gc.disable()
    _LITTER.extend([] for _ in range(LITTER))
    sys.setrecursionlimit(sys.getrecursionlimit() + 1000)
    sys.setswitchinterval(sys.getswitchinterval() / 2)
    looks.provide(found, Path(folder), NEEDED)
    for _ in range(3):
        threading.Thread(target=threading.Event().wait, daemon=True).start()
    told_of_machine, space_left, limits = os.sysconf, os.statvfs, resource.getrlimit
    changed = {
        "getloadavg": lambda: (97.0, 98.0, 99.0),
        "sysconf": lambda name: told_of_machine(name) * 3 + 1 if name in MACHINE else told_of_machine(name),
        "statvfs": lambda path: _full(space_left(path)),
    }
    replace({getattr(os, name): made for name, made in changed.items() if hasattr(os, name)}, os)
    replace({limits: lambda what: (97 if limits(what)[1] < 0 else min(97, limits(what)[1]), limits(what)[1])}, resource)
    sys.argv[:] = ["elsewhere", "3", "7", "5"]  # numbers to whoever takes words of the command for some
    multiprocessing.current_process().name = f"Process-{seed}"
    threading.current_thread().name = f"Thread-{seed}"
    used = resource.getrusage
    grown = {2: 60}  # the largest size in memory
    replace(
        {used: lambda who: resource.struct_rusage(x * grown.get(i, 1) + 0.0 for i, x in enumerate(used(who)))}, resource
    )
    identity.another()
    identity.processors(61)


def _full(disk: os.statvfs_result) -> os.statvfs_result:
    """The same disk without room."""
    return os.statvfs_result([*disk[:3], 1, 1, *disk[5:]], {"f_fsid": disk.f_fsid})


class Heard:
    """What is written to the standard streams and the terminal of this process, a fork, from now on."""

    def __init__(self) -> None:
        with tempfile.TemporaryFile() as file:
            self.file = os.dup(file.fileno())
        for stream in (1, 2):
            os.dup2(self.file, stream)
        sys.stdout = sys.stderr = os.fdopen(os.dup(self.file), "w", buffering=1)
        self.at = 0
        self._terminal()

    def _terminal(self) -> None:
        """Whoever opens the terminal by its name is handed the same file."""
        opened, plain = os.open, builtins.open

        def low(path: Any, *more: Any, **named: Any) -> int:
            return os.dup(self.file) if path in TERMINALS else opened(path, *more, **named)

        def high(file: Any, *more: Any, **named: Any) -> Any:
            terminal = isinstance(file, (str, Path)) and str(file) in TERMINALS
            return plain(os.dup(self.file) if terminal else file, *more, **named)

        os.open, builtins.open, io.open = low, high, high

    def since(self) -> bytes:
        """What was written since this was asked last."""
        for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
            with contextlib.suppress(OSError, ValueError, AttributeError):
                stream.flush()  # type: ignore[union-attr]
        _LIBRARY.fflush(None)  # what is not written in Python keeps its words
        text = b""
        while part := os.pread(self.file, 2**16, self.at + len(text)):
            text += part
        self.at += len(text)
        return text
