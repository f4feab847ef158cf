"""One fuzz case: what is run, how it is watched, and what must hold whatever went in."""

from __future__ import annotations

import contextlib
import io
import json
import signal
import traceback
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

import attrs

from dpframe.cli import main
from dpframe.proof.checker import verify

LIMIT = 60.0
"""Seconds that one case may take, far above what any takes."""
FILES = ("attempt.json", "spec.toml", "certificate.json", "result.json", "simulated.json")
CODES = {
    "plan": (0, 2), "run": (0, 2, 3), "verify": (0, 1), "ops": (0, 2), "report": (0, 2),
    "check": (0, 1, 2), "audit": (0, 1, 2),
}  # fmt: skip
SECRET = "0.7310585786"
"""Digits of a cell that may stand in no message and no file."""


class Hang(BaseException):
    """A case ran past its limit."""


class Broken(AssertionError):
    """A property does not hold; the message says which, and on what."""


@attrs.frozen
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str


@contextlib.contextmanager
def limited(seconds: float = LIMIT) -> Iterator[None]:
    """Raise :class:`Hang` in here after so many seconds."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise Hang(f"still running after {seconds} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def in_process(words: list[str]) -> Ended:
    """Run a command here, with what it prints kept."""
    out, err = io.StringIO(), io.StringIO()
    with limited(), warnings.catch_warnings(), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(words)
        except Hang:
            raise Broken(f"hangs: {words}") from None
        except BaseException:  # noqa: BLE001  whatever gets out of main is the finding
            raise Broken(f"{words} raised\n{traceback.format_exc()}") from None
    return Ended(code, out.getvalue(), err.getvalue())


def call(work: Callable[[], None], what: str) -> None:
    """Call a part of the library under the limit."""
    with limited():
        try:
            work()
        except Hang:
            raise Broken(f"hangs: {what}") from None


def check_ended(words: list[str], ended: Ended) -> None:
    """The code is in the contract; a refusal is one clear line; nothing private is shown."""
    command = next((w for w in words if w in CODES), "")
    shown = f"{words}\n--- stdout\n{ended.out[-1500:]}\n--- stderr\n{ended.err[-1500:]}"
    usage = ended.code == 2 and ended.err.startswith("usage:")
    asked = ended.code == 0 and ended.err == "" and ("usage:" in ended.out or ended.out.startswith("dpframe "))
    if ended.code not in CODES.get(command, (0, 1, 2)) and not usage:
        raise Broken(f"exit code {ended.code}: {shown}")
    if "Traceback" in ended.err or "internal error" in ended.err:
        raise Broken(f"an error of the program: {shown}")
    if SECRET in ended.err or (SECRET in ended.out and command != "report"):
        raise Broken(f"a cell is shown: {shown}")
    if usage or asked:
        return
    lines = [line for line in ended.err.splitlines() if line.startswith("dpframe: ")]
    if ended.code in (2, 3) and len(lines) != 1:
        raise Broken(f"{len(lines)} error lines: {shown}")
    if ended.code == 0 and not ended.out.strip():
        raise Broken(f"success without an answer: {shown}")


def check_folder(folder: Path, ended: Ended | None) -> None:
    """A folder is empty, holds a reserve, or a complete and consistent run; ``ended`` is None for a killed process."""
    there = [name for name in FILES if (folder / name).exists()]
    if ended is not None and ended.code == 2 and there:
        raise Broken(f"refused, but wrote {there}")
    if ended is not None and ended.code in (0, 3) and len(there) != 4:
        raise Broken(f"ended with {ended.code}, but wrote {there}")
    for name in there:
        text = (folder / name).read_text()
        if SECRET in text and name not in ("result.json", "simulated.json"):
            raise Broken(f"a cell stands in {name}")
        if name.endswith(".json"):
            json.loads(text)
    if "result.json" in there:
        verdict = verify(folder / "certificate.json", spec=folder / "spec.toml", result=folder / "result.json")
        if not verdict.verified:
            raise Broken(f"a release that is not verified: {verdict.reasons}")
    if "simulated.json" in there and verify(folder / "certificate.json").verified:
        raise Broken("a simulated run is verified")
