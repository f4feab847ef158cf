"""What is done outside, and what is left to be done later, in forks; and stacks that look like a run's."""

from __future__ import annotations

import functools
import inspect
import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from dpframe.testing import check_file
from dpframe.testing.battery.disguise import disguised
from dpframe.testing.battery.sizes import numbers
from dpframe.testing.battery.watching import importing, watched
from dpframe.testing.battery.worlds import elsewhere

HOUR = 3600.0


def write(path: Path, *unused: Any) -> None:
    path.write_text("told")


def in_a_thread(path: Path) -> None:
    def later() -> None:
        time.sleep(HOUR)
        write(path)

    threading.Thread(target=later, daemon=True).start()


def by_a_timer(path: Path) -> None:
    timer = threading.Timer(HOUR, write, (path,))
    timer.daemon = True
    timer.start()


def by_a_signal(path: Path) -> None:
    signal.signal(signal.SIGALRM, functools.partial(write, path))
    signal.setitimer(signal.ITIMER_REAL, HOUR)


def in_a_process(path: Path) -> None:
    if os.fork() == 0:
        time.sleep(HOUR)
        write(path)
        os._exit(0)


@pytest.mark.parametrize("leave", [write, in_a_thread, by_a_timer, by_a_signal, in_a_process])
def test_what_is_left_for_later_is_seen(leave: Any, tmp_path: Path) -> None:
    """An hour later, in truth."""

    def task() -> list[str]:
        with watched() as watch:
            leave(tmp_path / "told")
            watch.settle()
        return watch.seen

    assert str(tmp_path / "told") in elsewhere(task)


def called_off(path: Path) -> None:
    timer = threading.Timer(HOUR, write, (path,))
    timer.start()
    timer.cancel()


def in_a_pool(path: Path) -> None:
    pool = ThreadPoolExecutor(2)
    assert list(pool.map(abs, [-1, -2])) == [1, 2]


@pytest.mark.parametrize("leave", [called_off, in_a_pool])
def test_what_is_called_off_or_waits_for_work_does_nothing(leave: Any, tmp_path: Path) -> None:
    def task() -> list[str]:
        with watched() as watch:
            leave(tmp_path / "told")
        return watch.seen

    assert elsewhere(task) == []


def test_a_file_that_was_open_already_is_seen_when_it_grows(tmp_path: Path) -> None:
    def task(words: bytes) -> list[str]:
        with importing(tmp_path):
            number = os.open(tmp_path / "log", os.O_CREAT | os.O_WRONLY | os.O_APPEND)
        with watched() as watch:
            os.write(number, words)
        return watch.seen

    assert elsewhere(lambda: task(b"told")) == [str(tmp_path / "log")]
    assert elsewhere(lambda: task(b"")) == []


LEAVES = '''
import dpframe.plugin as dp
import numpy as np
from multiprocessing import util

def tell():
    open({told!r}, "a").close()

{left}

@dp.row_function("watching.{name}", columns=lambda d: d)
def fun(values):
    """Tangents."""
    return np.tanh(values)
'''


def test_what_a_file_leaves_for_later_is_not_laid_at_the_next_ones_door(tmp_path: Path) -> None:
    def holds(name: str, left: str) -> bool:
        path = tmp_path / f"{name}.py"
        path.write_text(LEAVES.format(told=str(tmp_path / "told"), left=left, name=name))
        return all(report.holds for report in check_file(path))

    def one_after_the_other() -> list[bool]:
        leaves = "util.Finalize(None, tell, exitpriority=5)"
        return [holds("leaves", leaves), holds("after", ""), holds("leaves", leaves)]

    assert elsewhere(one_after_the_other) == [False, True, False]


def test_a_stack_can_look_like_a_runs() -> None:
    def files() -> list[str]:
        return [record.filename for record in inspect.stack(0)]

    def outside() -> bool:
        return any("testing" in file and "battery" in file for file in disguised(files))

    assert not elsewhere(outside)
    assert any("battery" in file for file in elsewhere(files))


class Limits:
    most = 2187


@functools.lru_cache
def kept(m: int) -> bool:
    return m == 1931


KNOWN = SimpleNamespace(far=1733.0)
SEVERAL, SCALAR, SHARE, EXACT = np.array([1637.0, 3.0]), np.int64(1511), Fraction(2999, 2), Decimal(1409)
PART = functools.partial(pow, 1301)


def test_numbers_are_found_where_code_keeps_them() -> None:
    def function(m: Any) -> Any:
        return m in (Limits.most, KNOWN.far, SCALAR, SHARE, EXACT, float("1201")) or kept(m) or PART(m) or m in SEVERAL

    wanted = {2187.0, 1931.0, 1733.0, 1637.0, 1511.0, 1499.5, 1409.0, 1301.0, 1201.0}
    assert wanted <= set(numbers(function))
