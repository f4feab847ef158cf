"""Calls that do not return: a limit of processor time for each, and a word to the parent of the call a fork is in.

A busy machine does not move that limit, and a call that is only slow is not taken for one without an end: what is quick
on an input of that size has :data:`LEAST` seconds on another, all else :data:`MOST`, and of large inputs on which it
was never quick nothing is said. What a limit in Python can't end (a loop in C, a function that catches all) the fork's
own does, and then the parent reads here which input it was given; so it does where the function ends its process.
"""

from __future__ import annotations

import contextlib
import mmap
import pickle
import resource
import signal
import struct
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

import attrs
import numpy as np

from dpframe.testing.battery.worlds import Lost

T = TypeVar("T")
LEAST, MOST, QUICK, TRY = 8.0, 30.0, 0.4, 2.0
"""Processor seconds of a call where others were quick, and elsewhere; up to how many a call is quick; of a try."""
ENDLESS = "it does not return"
SMALL = 400
"""Numbers of an input that is small: a function has an answer to it in :data:`MOST` seconds, or none."""
AGAIN = 1.0
"""Seconds after which what caught the first word is told again."""
ROOM, HEAD = 2**16, struct.Struct("<ddqq")
_CPU, _TIMER = time.process_time, signal.setitimer  # a world has others
_SET, _GET = signal.signal, signal.getsignal
_rooms: list[mmap.mmap] = []
"""Memory that a fork shares with its parent, the innermost last: when the call began, its limit, a key, a text."""


class TooLong(BaseException):  # no Exception: a function that catches those is to be ended too
    """A call had its seconds; ``surely`` if no function that ends takes as long for so little."""

    surely = True


class Stopped(Lost):
    """A fork ended in a call that is known.

    Attributes
    ----------
    words : str
        What is refuted by it; empty if nothing is.
    given : mapping
        What the function was given.
    """

    words = ""
    given: Mapping[str, Any] = {}


def in_words(seconds: float) -> str:
    """What is said of a call that did not return."""
    return f"{ENDLESS}: no answer after {seconds:.0f} s of processor time"


@attrs.define
class Calls:
    """Calls of one function in this process.

    Examples
    --------
    >>> Calls().ask(lambda: 3)
    3
    """

    quick: int = -1
    """Numbers of the largest input that was answered quickly."""
    trying: bool = False
    """Whether what is not known to be quick has :data:`TRY` seconds, from which nothing follows."""

    def ask(
        self,
        function: Callable[..., T],
        *arguments: Any,
        size: int = 1,
        key: int = 0,
        shown: Callable[[], Mapping[str, Any]] | None = None,
    ) -> T:
        """A call, ended when it had its seconds; of whatever else ends it the parent learns by ``key`` or ``shown``.

        Raises
        ------
        TooLong
        """
        known = size <= self.quick
        limit = LEAST if known else TRY if self.trying else MOST
        surely = known or (size <= SMALL and not self.trying)
        began = _CPU()
        _write(began, limit if surely else 0.0, key, _text(shown))
        with _limited(limit, surely):
            answer = function(*arguments)
        _write(0.0, 0.0, 0, b"")
        if _CPU() - began < QUICK:
            self.quick = max(self.quick, size)
        return answer


@contextlib.contextmanager
def followed(known: Iterable[Any] = (), label: Callable[[Any], Mapping[str, Any]] | None = None) -> Iterator[None]:
    """Around forks: one that is lost in a call says in which, as :class:`Stopped`.

    Parameters
    ----------
    known : iterable
        What a fork may ask about by the key :func:`id`.
    label : callable, optional
        What is shown of one of these.

    Raises
    ------
    Stopped
    """
    kept = [*known]
    with mmap.mmap(-1, ROOM) as room:
        _rooms.append(room)
        before = _of_children()
        try:
            yield
        except Lost as error:
            raise _stopped(error, room, _of_children() - before, kept, label) from None
        finally:
            _rooms.remove(room)


def size_of(value: Any) -> int:
    """How many numbers an input has."""
    if isinstance(value, np.ndarray):
        return value.size
    return sum(map(size_of, value)) if isinstance(value, (tuple, list)) else 1


def _stopped(
    error: Lost, room: mmap.mmap, used: float, known: list[Any], label: Callable[[Any], Mapping[str, Any]] | None
) -> Stopped:
    began, limit, key, length = HEAD.unpack_from(room)
    made = Stopped(error.message, fix=error.fix)
    made.ended = error.ended
    if began:
        text = room[HEAD.size : HEAD.size + length]
        found = next((value for value in known if id(value) == key), None)
        if text:
            made.given = pickle.loads(text)  # noqa: S301  written by our own fork
        elif found is not None:
            made.given = label(found) if label else {"input": found}
        if limit and not error.ended and used - began >= 0.9 * limit:  # it counts its own seconds a little later
            made.words = in_words(limit)
    return made


def _text(shown: Callable[[], Mapping[str, Any]] | None) -> bytes:
    if shown is None or not _rooms:
        return b""
    with contextlib.suppress(Exception):  # what can't be written is not told
        text = pickle.dumps(dict(shown()))
        return text if len(text) <= ROOM - HEAD.size else b""
    return b""


def _write(began: float, limit: float, key: int, text: bytes) -> None:
    if _rooms:
        room = _rooms[-1]
        HEAD.pack_into(room, 0, began, limit, key, len(text))
        room[HEAD.size : HEAD.size + len(text)] = text


@contextlib.contextmanager
def _limited(limit: float, surely: bool) -> Iterator[None]:
    """In the main thread, which signals reach."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def over(*_: Any) -> None:
        error = TooLong(in_words(limit))
        error.surely = surely
        raise error

    kept = _SET(signal.SIGPROF, over)
    _TIMER(signal.ITIMER_PROF, limit, AGAIN)
    try:
        yield
    finally:
        if _GET(signal.SIGPROF) is over:  # else the function has set one of its own, which other attacks ring
            _TIMER(signal.ITIMER_PROF, 0.0)
            _SET(signal.SIGPROF, kept if kept is not None else signal.SIG_DFL)


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
