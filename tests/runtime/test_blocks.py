"""Block learners: isolation, ⊥ semantics, and what a bad block can't do to the others."""

from __future__ import annotations

import importlib
import os
import resource
import signal
import subprocess
import sys
import types
from pathlib import Path

import numpy as np
import pytest

from dpframe.kernel.registry import import_file, learner
from dpframe.runtime.blocks import PLUGIN_FILES, Limited, Lost, _accepted, learner_of, run_isolated

STATE: list[int] = []


@learner("test.means")
def means(rows, rng):
    """Mean of the block and one number of its own stream."""
    return rows.mean(axis=0), rng.random(1)


@learner("test.misbehaves")
def misbehaves(rows, rng):
    """Do what the first cell says."""
    kind = int(rows[0, 0])
    if kind == 1:
        raise ValueError(f"private: {rows[0]}")
    if kind == 2:
        os._exit(3)
    if kind == 3:
        while True:
            pass
    if kind == 4:
        sys.stdout.write("private row\n")
        sys.stderr.write("private row\n")
    if kind == 5:
        return (np.array([np.nan]),)
    if kind == 6:
        return "garbage"
    if kind == 7:
        return (np.zeros(2**40),)
    if kind in (8, 9):
        os._exit({8: 255, 9: 1}[kind])
    if kind > 20:
        os.kill(os.getpid(), kind - 20)
    STATE.append(kind)
    return (np.array([float(len(STATE))]),)


@learner("test.core_limits")
def core_limits(rows, rng):
    """How large a core file may be, now and at most."""
    return (np.array(resource.getrlimit(resource.RLIMIT_CORE), dtype=float),)


def blocks_of(kinds):
    return [(i, np.full((3, 2), float(kind))) for i, kind in enumerate(kinds)]


def test_for_no_rows_a_process_says_whether_it_finds_the_learner():
    @learner("test.nowhere")
    def nowhere(rows, rng):
        return (rows.mean(axis=0),)

    nowhere.__module__ = "no_such_module_of_learners"
    assert run_isolated("test.nowhere", 0, [(0, None)]) == [None]
    assert run_isolated("test.means", 0, [(0, None)]) == [()]


def test_a_folder_of_the_same_name_does_not_hide_a_learner(tmp_path, monkeypatch):
    """The server of block processes starts where such a folder may be, and imports it as a package without a file."""
    text = 'from dpframe.kernel.registry import learner\n\n\n@learner("test.hidden")\ndef hidden(rows, rng):\n    ...\n'
    (tmp_path / "hidden_learner.py").write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    folder = types.ModuleType("hidden_learner")
    folder.__file__ = None
    monkeypatch.setitem(sys.modules, "hidden_learner", folder)
    assert learner_of("test.hidden", "hidden_learner").__module__ == "hidden_learner"


def test_results_come_in_order_with_a_stream_a_block():
    out = run_isolated("test.means", 5, blocks_of([7, 8, 9]))
    assert [o[0].tolist() for o in out] == [[7.0, 7.0], [8.0, 8.0], [9.0, 9.0]]
    assert len({float(o[1][0]) for o in out}) == 3
    again = run_isolated("test.means", 5, blocks_of([7, 8, 9])[2:])
    assert again[0][1] == out[2][1]


def test_a_plugin_file_that_is_gone_by_now_stops_neither_server_nor_block(tmp_path):
    path = tmp_path / "gone.py"
    path.write_text("")
    import_file(path)
    path.unlink()
    out = run_isolated("test.means", 5, blocks_of([7]))
    assert out[0][0].tolist() == [7.0, 7.0]
    environment = os.environ | {PLUGIN_FILES: str(path)}
    subprocess.run([sys.executable, "-c", "import dpframe.runtime.preload"], env=environment, check=True)


@pytest.mark.parametrize("how", ["a plugin file", "a module"])
def test_a_learner_registered_after_the_server_started(how, tmp_path, monkeypatch):
    run_isolated("test.means", 5, blocks_of([7]))  # the server of block processes runs now
    stem = f"late_{how.split()[1]}"
    path = tmp_path / f"{stem}.py"
    text = (
        "import dpframe as dp\n@dp.learner('test.STEM')\ndef late(rows, rng):\n    'One row.'\n    return (rows[0],)\n"
    )
    path.write_text(text.replace("STEM", stem))
    if how == "a plugin file":
        import_file(path)
    else:
        monkeypatch.syspath_prepend(str(tmp_path))
        importlib.import_module(stem)
    out = run_isolated(f"test.{stem}", 5, blocks_of([7]))
    assert out[0][0].tolist() == [7.0, 7.0]


@pytest.mark.slow
def test_what_a_late_import_takes_is_no_learners_time(tmp_path, monkeypatch):
    """A learner that the server did not know is imported in each block's process, however long that takes."""
    run_isolated("test.means", 5, blocks_of([7]))
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "heavy.py").write_text(
        "import time\nimport dpframe as dp\nwhile time.process_time() < 2.5:\n    pass\n"
        "@dp.learner('test.heavy')\ndef heavy(rows, rng):\n    'One row.'\n    return (rows[0],)\n"
    )
    importlib.import_module("heavy")
    assert run_isolated("test.heavy", 5, blocks_of([7]), cpu=1)[0][0].tolist() == [7.0, 7.0]


def test_a_block_waits_for_no_file_that_its_learner_does_not_stand_in(tmp_path):
    """What was imported since the server started is imported by the blocks of its own learners only."""
    marked = tmp_path / "imported"
    run_isolated("test.means", 5, blocks_of([7]))
    path = tmp_path / "another.py"
    path.write_text(f"import pathlib\npathlib.Path({str(marked)!r}).touch()\n")
    import_file(path)
    marked.unlink()
    assert run_isolated("test.means", 5, blocks_of([7]))[0][0].tolist() == [7.0, 7.0]
    assert not marked.exists()


@pytest.mark.parametrize(("kind", "limited"), [(1, False), (3, True), (7, True)])
def test_a_limit_is_told_from_what_a_learner_does(kind, limited):
    """On a cluster a limit ends the run; what a learner does by itself is ⊥ there as well."""
    try:
        assert run_isolated("test.misbehaves", 1, blocks_of([kind]), cpu=1, strict=True) == [None]
        assert not limited
    except Limited:
        assert limited


OUTSIDE = [20 + number for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT)]
OWN = [2, 8, 9, *(20 + number for number in (signal.SIGSEGV, signal.SIGABRT, signal.SIGFPE))]


@pytest.mark.parametrize("kind", [*OUTSIDE, *OWN])
def test_a_process_that_others_end_is_told_from_a_learner_that_crashes(kind: int) -> None:
    """On a cluster it is asked for again, as what a worker took with it is; a crash is the block's own."""
    try:
        assert run_isolated("test.misbehaves", 1, blocks_of([kind]), strict=True) == [None]
        assert kind in OWN
    except Lost:
        assert kind in OUTSIDE
    assert run_isolated("test.misbehaves", 1, blocks_of([kind])) == [None]


def test_a_process_whose_server_was_ended_is_lost(tmp_path):
    """Then Python knows of none how it ended: 255, which a learner may say itself."""
    path = tmp_path / "takes_its_server.py"
    path.write_text(
        "import os, signal, time\nimport dpframe as dp\n"
        "@dp.learner('test.takes_its_server')\ndef taken(rows, rng):\n    'No row.'\n"
        "    os.kill(os.getppid(), signal.SIGTERM)\n    time.sleep(.3)\n    os._exit(0)\n"
    )
    import_file(path)
    with pytest.raises(Lost):
        run_isolated("test.takes_its_server", 1, blocks_of([7]), strict=True)
    assert run_isolated("test.means", 1, blocks_of([7]), strict=True)[0][0].tolist() == [7.0, 7.0]


@pytest.mark.parametrize("kind", [1, 2, 5, 6, 7])
def test_a_bad_block_is_bottom_and_changes_no_other(kind, capfd):
    out = run_isolated("test.misbehaves", 1, blocks_of([0, kind, 0]))
    assert out[1] is None
    assert out[0][0] == out[2][0] == 1.0
    captured = capfd.readouterr()
    assert "private" not in captured.out + captured.err


def test_prints_are_swallowed_and_state_is_not_kept(capfd):
    out = run_isolated("test.misbehaves", 1, blocks_of([0, 4, 0, 0]))
    assert [o[0][0] for o in out] == [1.0] * 4
    captured = capfd.readouterr()
    assert "private" not in captured.out + captured.err


@pytest.mark.skipif(resource.getrlimit(resource.RLIMIT_CORE)[1] == 0, reason="this machine writes no core files at all")
def test_a_block_that_crashes_can_leave_no_file_with_its_rows():
    assert run_isolated("test.core_limits", 1, blocks_of([0]))[0][0].tolist() == [0.0, 0.0]


def test_an_endless_block_is_stopped():
    out = run_isolated("test.misbehaves", 1, blocks_of([0, 3, 0]), cpu=1)
    assert out[1] is None
    assert out[0] is not None
    assert out[2] is not None


SCRIPT = """
import pathlib
import numpy as np
from tests.runtime import test_blocks
from dpframe.runtime.blocks import run_isolated

with pathlib.Path("log").open("a") as log:
    log.write("ran\\n")
print([r[0].tolist() for r in run_isolated("test.means", 1, [(i, np.ones((3, 1)) * i) for i in range(3)])])
"""


def test_block_processes_never_run_the_script_again(tmp_path):
    """A script without a __main__ guard would otherwise repeat its own releases in every child."""
    (tmp_path / "script.py").write_text(SCRIPT)
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "script.py"], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert (tmp_path / "log").read_text() == "ran\n"
    assert done.stdout.strip() == "[[0.0], [1.0], [2.0]]"


def test_a_check_that_raises_on_one_block_refuses_that_block():
    class Picky:
        def accepts(self, result):
            if result == 2:
                sys.exit(1)
            return 1 / result > 0

    assert [_accepted(Picky(), result) for result in (0, 1, 2, None, "x")] == [False, True, False, False, False]
