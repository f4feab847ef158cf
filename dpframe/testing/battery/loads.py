"""A busy machine: processes that take the processors, and short waits that are over before what they wait for.

What a function has after waiting for a while depends on how busy the machine is. How long a thread really takes there
is chance; that a wait of at most two seconds may be over first is not.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import threading
from collections.abc import Callable, Iterator
from time import sleep  # the clock of a fork is another's
from typing import Any

SHORT = 2.0
"""Seconds; waits that are given longer wait for what they wait for."""
MOST, SECONDS, ON_PARENTS_END = 4, 1, 1
"""Processes, CPU seconds of each, and what tells ``prctl`` how a process ends with its parent."""
LATE = 0.005
"""Seconds that a thread begins after it was started."""
_LIBRARY = ctypes.CDLL(None)


@contextlib.contextmanager
def busy() -> Iterator[None]:
    """The processors are taken meanwhile, for so many seconds at most."""
    made = [_spinning() for _ in range(min(MOST, 2 * (os.cpu_count() or 1)))]
    try:
        yield
    finally:
        for process in made:
            with contextlib.suppress(OSError):  # the function may have waited for it
                os.kill(process, signal.SIGKILL)
                os.waitpid(process, 0)


def _spinning() -> int:
    process = os.fork()
    if process:
        return process
    if (tell := getattr(_LIBRARY, "prctl", None)) is not None:
        tell(ON_PARENTS_END, signal.SIGKILL)
    signal.signal(signal.SIGXCPU, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    while True:
        pass


def hurry() -> None:
    """Threads begin late, and short waits for them, their results and events are over at once; only ever in a fork.

    Examples
    --------
    >>> from dpframe.testing.battery.worlds import elsewhere
    >>> def waited():
    ...     hurry()
    ...     go, done = threading.Event(), []
    ...     thread = threading.Thread(target=lambda: done.append(go.wait()))
    ...     thread.start()
    ...     thread.join(1.0)
    ...     early = list(done)
    ...     go.set()
    ...     thread.join()
    ...     return early, done
    >>> elsewhere(waited)
    ([], [True])
    """

    def hurried(wait: Callable[..., Any]) -> Callable[..., Any]:
        def waiting(self: Any, timeout: float | None = None) -> Any:
            return wait(self, 0.0 if timeout is not None and timeout <= SHORT else timeout)

        return waiting

    def starting(thread: threading.Thread) -> None:
        run: Any = thread.run

        def late() -> None:
            sleep(LATE)
            run()

        thread.run = late  # type: ignore[method-assign]
        start(thread)

    start = threading.Thread.start
    for home, name in ((threading.Condition, "wait"), (threading.Thread, "join")):
        setattr(home, name, hurried(getattr(home, name)))
    vars(threading)["Thread"].start = starting
