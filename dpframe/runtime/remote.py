"""What a worker of a cluster does: say what machine it is, fold a range of rows, merge what was folded.

Nothing here raises, warns or logs: what went wrong is one word, for an exception would carry its arguments to the
scheduler and into logs. Folds travel as bytes, which a merge cannot change, so that one that is computed twice gives
the same.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import io
import os
import pickle
import platform
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from dpframe.errors import ChangedError, DataError
from dpframe.kernel.exact.folds.base import block_rows, spans
from dpframe.kernel.graphs import plugins
from dpframe.kernel.operations import Batch
from dpframe.kernel.registry import user_files
from dpframe.kernel.silence import silent
from dpframe.proof.spaces import WeightedRows
from dpframe.runtime import blocks
from dpframe.runtime.sources.base import Chunk
from dpframe.runtime.sources.digest import UNIT_ROWS
from dpframe.runtime.threads import TOLD, keep_memory, one_thread
from dpframe.version import VERSION

Facts = tuple[tuple[str, str], ...]
Reply = tuple[str, Any]
"""What a worker answers: ``done`` and what was made, or what went wrong and, of ``unequal``, which facts differ.

What goes wrong is ``changed``, ``limit``, ``lost``, ``unequal`` or ``error``, and nothing else is told of it."""

PACKAGES = ("numpy", "scipy", "attrs", "pyarrow")


@attrs.frozen
class Folded:
    """The result of folding some rows: states of all statistics, digests of units by number, the number of rows."""

    states: list[Any]
    digests: dict[int, bytes]
    rows: int


def _text(file: str) -> bytes:
    """A plugin file's bytes after a 1; for a file that is gone, a 0."""
    try:
        return b"1" + Path(file).read_bytes()
    except OSError:
        return b"0"


def _installed(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:  # pyarrow, where tables are arrays and text
        return "not installed"


@functools.cache
def _facts(files: tuple[str, ...]) -> Facts:
    from threadpoolctl import threadpool_info

    root = Path(__file__).parents[1]
    code = hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        code.update(b"%s\0%d\0" % (str(path.relative_to(root)).encode(), path.stat().st_size) + path.read_bytes())
    own = hashlib.sha256(b"".join(_text(file) for file in files))
    blas = [info for info in threadpool_info() if info["user_api"] == "blas"]
    blas = [info for info in blas if "numpy" in info["filepath"]] or blas  # others are loaded here and not there
    found = np.show_config(mode="dicts")["SIMD Extensions"]  # type: ignore[call-overload,index,unused-ignore]
    return (
        ("dpframe", f"{VERSION} {code.hexdigest()[:16]}"),
        ("plugins", own.hexdigest()[:16]),
        ("Python", platform.python_version()),
        *((name, _installed(name)) for name in PACKAGES),
        ("BLAS", ", ".join(sorted({f"{i['internal_api']} {i['version']} {i.get('architecture')}" for i in blas}))),
        ("CPU", " ".join([platform.machine(), sys.byteorder, *found.get("found", ())])),
        # Its sine, say, has other last digits where it is told to leave out instructions that the processor has.
        ("C library", " ".join([*platform.libc_ver(), os.environ.get("GLIBC_TUNABLES", "")]).strip()),
    )


def facts(files: Sequence[str] | None = None) -> Facts:
    """All that the bits of a result may depend on besides plan, rows and seed: versions, code, processor."""
    return _facts(tuple(user_files() if files is None else files))


class _Pickler(pickle.Pickler):
    """Pickles everything but one object."""

    absent: Any = None

    def persistent_id(self, obj: Any) -> str | None:
        return "absent" if self.absent is not None and obj is self.absent else None


class _Unpickler(pickle.Unpickler):
    """Puts None in the place of the object that was left out."""

    def persistent_load(self, pid: Any) -> None:
        return None


def packed(what: Any, absent: Any = None, certified: Sequence[Any] = ()) -> bytes:
    """A job for workers: what it needs, the plugin files a user named, and the client's facts; not rows left out.

    ``certified`` holds operations, each with the digests of the plugins that it names, and the home of its learner.
    """
    pickler = _Pickler(file := io.BytesIO())
    pickler.absent = absent
    pickler.dump((list(certified), what))
    return pickle.dumps((user_files(), facts(), file.getvalue()))


@functools.cache
def _settled() -> None:
    """Set BLAS to one thread for good: threads of one worker would undo each other's limits. Keep freed memory.

    A library that a plugin's function loads later is told so, too: a row has one image on all workers
    (:func:`.threads.reading`).
    """
    os.environ.update(dict.fromkeys(TOLD, "1"))
    one_thread("blas")
    keep_memory()


@functools.lru_cache(maxsize=1)
def _unpacked(job: bytes) -> tuple[Any, list[str]]:
    """What a job needs, or the facts that differ here; unpacked once for all parts of a pass, which only read it."""
    _settled()
    files, wanted, inner = pickle.loads(job)  # noqa: S301  the client's
    blocks.import_each(files)
    mine = dict(facts(files))
    differing = [f"{name}: {mine.get(name)}, not {value}" for name, value in wanted if mine.get(name) != value]
    if differing:
        return None, differing
    certified, found = _Unpickler(io.BytesIO(inner)).load()
    for operation, digests, home in certified:
        if home is not None:
            blocks.learner_of(*home)
        if plugins(operation) != digests:
            return None, ["the files of a plugin that the plan names"]
    return found, []


def _replying(work: Callable[..., Any]) -> Callable[..., Reply]:
    """Do work on what a job needs, and reply how it ended in one word: the text of an error could hold a row."""

    @functools.wraps(work)
    def replied(job: bytes, *given: Any) -> Reply:
        try:
            with silent():
                found, differing = _unpacked(job)
                return ("unequal", differing) if differing else ("done", work(found, *given))
        except ChangedError:
            return "changed", None
        except blocks.Limited:
            return "limit", None
        except blocks.Lost:
            return "lost", None
        except BaseException:  # noqa: BLE001  its text could hold a row
            return "error", None

    return replied


@_replying
def probe(found: Any) -> None:
    """Check, before anything is spent, that this worker is like the client and sees the same files."""
    for source in found:
        source.check_unchanged(source.mark)


@_replying
def learn(found: Any, number: int, sent: bytes) -> bytes:
    """Run a learner on one block, in a process of its own: the result is that of the client's machine."""
    (name, home), seed = found
    blocks.learner_of(name, home)
    rows = pickle.loads(sent)  # noqa: S301  the client's
    return pickle.dumps(blocks.run_isolated(name, seed, [(number, rows)], strict=True)[0])


@_replying
def count(found: Any, part: int) -> bytes:
    """Check some of a table's files, or parts of them, and count their rows, before anything is spent."""
    source, cuts = found
    source.check_unchanged(source.mark)
    counts = [check() for check in source.checks()[cuts[part] : cuts[part + 1]]]
    source.check_unchanged(source.mark)
    if not source.plain:
        raise DataError("this copy reads the table in another way", fix="count on the client")
    return np.array(counts, dtype=np.int64).tobytes()


@_replying
def fold(found: Any, part: int, sent: bytes | None = None) -> bytes:
    """Fold one part of the table. The job says which rows those are; they are sent where workers can't read them."""
    requests, cuts, rows, keys = found
    start, stop = cuts[part : part + 2]
    digests = None if keys is None else keys.anew()
    if sent is None:
        chunks = requests[0].view.base.source.part(start, stop, rows, digests)
    else:
        values, valid = pickle.loads(sent)  # noqa: S301  the client's
        chunks = _chunks(values, valid, start, rows)
    made = folded(requests, chunks)
    units = range(start // UNIT_ROWS, -(-stop // UNIT_ROWS))
    known = dict.fromkeys(units, b"") if digests is None else digests.numbered(start)
    return pickle.dumps(Folded(made, known, stop - start))


def _chunks(values: Any, valid: Any, start: int, rows: int) -> Iterator[Chunk]:
    """Rows that were sent with their flags, from row ``start`` on; the client has digested them."""
    for at in range(0, len(values), rows):
        yield Chunk(start + at, values[at : at + rows], valid[at : at + rows])


def folded(requests: Sequence[Any], chunks: Any) -> list[Any]:
    """Fold the rows of some chunks for all requests, from nothing."""
    states = [request.start() for request in requests]
    for chunk in chunks:
        update(requests, states, Batch(chunk.start, chunk.values, chunk.valid))
    return states


def update(requests: Sequence[Any], states: Sequence[Any], batch: Batch) -> None:
    """Add one batch of a table to all folds, some rows at a time; each view of these rows is evaluated once."""
    wide = [r.domain.k * r.domain.d for r in requests if type(r.domain) is WeightedRows]
    # What components see of a few rows is still in the cache when it is folded.
    size = block_rows(max(wide)) if wide else len(batch.valid) or 1
    with np.errstate(all="ignore"):  # a floating-point warning would tell of a row
        for at in spans(len(batch.valid), size):
            done: dict[int, Any] = {}
            part = Batch(batch.start + at.start, batch.values[at], batch.valid[at], shared=len(requests) > 1)
            for request, state in zip(requests, states, strict=True):
                request.statistic.update(state, request.view.batch(part, done), *request.params)


def merge(*replies: Reply) -> Reply:
    """Join what was folded from parts of the table."""
    try:
        wrong = next((reply for reply in replies if reply[0] != "done"), None)
        if wrong is not None:
            return wrong
        with silent():
            joined = _joined([pickle.loads(reply[1]) for reply in replies])  # noqa: S301  other workers'
        return ("error", None) if joined is None else ("done", pickle.dumps(joined))
    except BaseException:  # noqa: BLE001  its text could hold a private number
        return "error", None


def _joined(folds: Sequence[Folded]) -> Folded | None:
    """The folds as one, None where two hold rows of one unit."""
    first, *others = folds
    digests, rows = dict(first.digests), first.rows
    for other in others:
        for mine, theirs in zip(first.states, other.states, strict=True):
            mine.merge(theirs)
        if digests.keys() & other.digests.keys():
            return None
        digests |= other.digests
        rows += other.rows
    return Folded(first.states, digests, rows)
