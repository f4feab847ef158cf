"""Block learners: a non-private learner on each index block, every block in a fresh process.

Processes are forked by a server that never held rows. A learner that raises, crashes, prints, runs past its
limits or returns anything but finite numbers yields ⊥ (None) for its own block and changes no other.
"""

from __future__ import annotations

import contextlib
import importlib
import math
import os
import signal
import sys
import threading
import types
from collections import deque
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from dpframe.errors import DpframeError, PlanError, SpecError
from dpframe.kernel.registry import find_learner, import_file, user_files
from dpframe.runtime.progress import Progress
from dpframe.runtime.threads import ahead, one_thread, reading, workers
from dpframe.runtime.views import View, chunk_rows, used_once

CPU_SECONDS = 120
STARTING_SECONDS = 60
"""What a process may take beyond that by the clock until its learner begins: on a busy machine, importing it late."""
MEMORY_BYTES = 4 * 2**30
GROUP_BLOCKS = 64
LIMIT, LOST = object(), object()
STARTED = "started"
OUTSIDE = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT)
"""What a batch system or an operator ends processes by, and no learner itself."""
Block: TypeAlias = tuple[int, np.ndarray[Any, np.dtype[np.float64]] | None]
_STARTING = threading.Lock()
PLUGIN_FILES = "DPFRAME_PLUGIN_FILES"
"""Environment variable that hands the plugin files a user named to the server of block processes."""


class Limited(Exception):
    """A block ran into a limit of time or memory, which may depend on the machine and not on its learner alone."""


class Lost(Exception):
    """A block process was ended from outside or never began, so its block may be learned again."""


def learn_blocks(view: View, operation: Any, progress: Progress, pool: Any = None) -> list[Any]:
    """Results of the learner on each block, ``None`` where it failed.

    Blocks are gathered a group at a time, so memory is bounded by the group, or by two of them on a cluster.

    Parameters
    ----------
    pool : Pool, optional
        A cluster, whose workers then start the block processes; the client still gathers the rows.

    Raises
    ------
    PlanError
        When the rows are not a table's own, whose number is fixed.
    RunError
        On a cluster, when a block ran into a limit or could not be learned.
    """
    find_learner(operation.learner)
    progress.begin()
    if type(view) is View and view.n is None:
        raise PlanError("block_learner needs a public number of rows")
    groups = _groups(view, operation, progress)
    if pool is not None:
        made = pool.learn(operation, groups, view.base.tied)
    else:
        made = [result for group in groups for result in run_isolated(operation.learner, operation.seed, group)]
    return [result if _accepted(operation, result) else None for result in made]


def _rows_of(units: Any, view: View) -> Any:
    """Row indices of each block, from the indices of its units: a block holds whole units."""
    each = view.base.group
    return used_once((units[..., None] * each + np.arange(each)).reshape(len(units), -1), view.base.n)


def _groups(view: View, operation: Any, progress: Progress) -> Iterator[list[Block]]:
    """Numbers and rows of the blocks. Of a table they come a group at a time, of a part all at once, in memory."""
    part = type(view) is not View
    units = view.base.n // view.base.group
    index = _rows_of(operation.split(units, part=True) if part else operation.split(units), view)
    size = len(index) if part else GROUP_BLOCKS
    for start in range(0, len(index), size):
        group = index[start : start + size]
        rows = _rows_at(view, np.sort(group, axis=1) if part else group)
        progress.step(group.size)
        yield list(enumerate(rows, start))


def _rows_at(view: View, index: Any) -> list[np.ndarray[Any, np.dtype[np.float64]]]:
    """The rows of each block that are in the view, in the order of their indices (blocks, rows), by one pass."""
    place = np.full(view.base.n, -1, dtype=np.int64)
    place[index.ravel()] = np.arange(index.size)
    rows, places = [], []
    with reading():
        for batch in ahead(view.base.batches(chunk_rows(view.base.d)), view.base.tied):
            made = view.batch(batch, {})
            here = np.where(made.valid, place[made.index], -1)
            rows.append(made.values[here >= 0])
            places.append(here[here >= 0])
    found = np.concatenate(places)
    order = np.argsort(found)
    ends = np.searchsorted(found[order], index.shape[1] * np.arange(1, len(index)))
    return np.split(np.concatenate(rows)[order], ends)


def _accepted(operation: Any, result: Any) -> bool:
    """Whether a block's result is accepted. A check that raises rejects that result and affects no other block."""
    try:
        with np.errstate(all="ignore"):
            return result is not None and bool(operation.accepts(result))
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001  it is a plugin's, and sees one block
        return False


def run_isolated(
    name: str, seed: int, blocks: list[Block], *, cpu: int = CPU_SECONDS, strict: bool = False
) -> list[Any]:
    """Run a registered learner on each (index, rows), in order, a process a block.

    For no rows, ``None``, the process only finds the learner: the answer is ``()``, or None where it can't.

    Raises
    ------
    Limited
        If ``strict``, when a block ran into a limit of time or memory, which otherwise is ⊥ for that block.
    Lost
        If ``strict``, when its process was ended by somebody else, which otherwise is ⊥ too.
    """
    import multiprocessing

    context = multiprocessing.get_context("forkserver")
    files, home = user_files(), find_learner(name).__module__
    os.environ[PLUGIN_FILES] = os.pathsep.join(files)
    context.set_forkserver_preload(["numpy.random", "dpframe.runtime.preload", __name__, home])
    results: dict[int, Any] = {}
    running: deque[tuple[int, Any, Any, int | None]] = deque()
    for number, rows in blocks:
        if len(running) >= workers():
            _collect(running.popleft(), results, cpu)
        receiver, sender = context.Pipe(duplex=False)
        process = context.Process(
            target=_work, args=(sender, name, [home, *files], [seed, number], rows, cpu), daemon=True
        )
        with _STARTING, _no_main():
            process.start()
            server = _server()
        sender.close()
        running.append((number, process, receiver, server))
    while running:
        _collect(running.popleft(), results, cpu)
    for end, error in ((LIMIT, Limited), (LOST, Lost)):  # known by identity: an array equals nothing by itself
        ended = [number for number, result in results.items() if result is end]
        if strict and ended:
            raise error
        results |= dict.fromkeys(ended)
    return [results[number] for number, _ in blocks]


@contextlib.contextmanager
def _no_main() -> Iterator[None]:
    """Hide the running script from block processes: they must never execute it again.

    Python lets a daemon, as a worker of a cluster is, start no processes; here that is forgotten for a moment.
    """
    import multiprocessing

    script, here = sys.modules["__main__"], vars(multiprocessing.current_process())
    sys.modules["__main__"] = types.ModuleType("__main__")
    known = here.get("_config", {})
    here["_config"] = {**known, "daemon": False}
    try:
        yield
    finally:
        sys.modules["__main__"], here["_config"] = script, known


def _server() -> int | None:
    """The process that forks block processes, by its number."""
    from multiprocessing import forkserver

    running: Any = forkserver._forkserver
    found: int | None = running._forkserver_pid
    return found


def _gone(server: int | None) -> bool:
    """Whether the server has ended since then: Python then does not know how any of its children ended."""
    if server is None or server != _server():
        return True
    try:
        return os.waitid(os.P_PID, server, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:
        return True


def _collect(job: tuple[int, Any, Any, int | None], results: dict[int, Any], cpu: int) -> None:
    number, process, receiver, server = job
    heard: list[Any] = []
    late = False
    with contextlib.suppress(Exception):  # whatever a dying learner left in the pipe is ⊥
        while len(heard) < 2 and not late:
            late = not receiver.poll(STARTING_SECONDS + 3 * cpu)
            if not late:
                heard.append(receiver.recv())
    receiver.close()
    process.join(1)
    if process.is_alive():
        process.kill()
        process.join()
    results[number] = _result(heard, process.exitcode, late=late, gone=_gone(server))


def _result(heard: list[Any], code: int | None, *, late: bool, gone: bool) -> Any:
    """The result that a block process sent; of one that sent none, what the way it ended means."""
    if len(heard) == 2:
        return LIMIT if isinstance(heard[1], str) else heard[1]
    if late or code in (-signal.SIGXCPU, -signal.SIGKILL):
        return LIMIT
    return LOST if not heard or gone or -(code or 0) in OUTSIDE else None


def import_each(files: Iterable[str]) -> None:
    """Import plugin files. One that is gone or broken is left out: looking up a name of it fails with an error."""
    for file in files:
        with contextlib.suppress(DpframeError):
            import_file(Path(file))


def learner_of(name: str, home: str, *files: str) -> Any:
    """Find the learner in a child or a worker, which imports its module now if it was started without it."""
    with contextlib.suppress(SpecError):
        return find_learner(name)
    with contextlib.suppress(ImportError, SpecError):
        if getattr(sys.modules.get(home), "__file__", home) is None:
            del sys.modules[home]  # a folder of its name, which the server of these processes saw where it started
        importlib.import_module(home)
        return find_learner(name)
    import_each(files)
    return find_learner(name)


def _work(
    sender: Any,
    name: str,
    origin: list[str],
    stream: list[int],
    rows: np.ndarray[Any, np.dtype[np.float64]] | None,
    cpu: int,
) -> None:
    """Run the learner in the child process: in silence, within limits, with the block's own random stream."""
    import resource

    signal.signal(signal.SIGINT, signal.SIG_DFL)  # else it would be the learner's own error
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a learner that crashes leaves no file with its rows
    sender.send(STARTED)
    with _quiet():
        try:
            learner = learner_of(name, *origin)
            _limit(cpu)
            result = () if rows is None else learner(rows, np.random.default_rng(stream))
            arrays = tuple(np.array(part, dtype=np.float64) for part in result)
            answer: Any = arrays if all(np.isfinite(a).all() for a in arrays) else None
        except MemoryError:
            answer = "limit"
        except BaseException:  # noqa: BLE001  whatever a learner does is ⊥
            answer = None
    with contextlib.suppress(OSError):
        sender.send(answer)
    sender.close()
    os._exit(0)


def _limit(cpu: int) -> None:
    """Allow one thread, and limit what the learner itself uses: the time its import took does not count."""
    import resource

    os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"))
    one_thread()  # of what is loaded; the bits of a product may depend on the number
    used = resource.getrusage(resource.RUSAGE_SELF)
    cpu += math.ceil(used.ru_utime + used.ru_stime)
    resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Send a learner's output nowhere."""
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 1)
    os.dup2(null, 2)
    yield
