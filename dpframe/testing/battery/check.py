"""``dpframe check NAME_OR_FILE``: the contract battery from the command line.

Exit codes: 0 nothing was refuted · 1 refuted, with the smallest counterexample; with ``--strict`` also where something
was not attacked · 2 wrong usage, which the command line reports. What was not attacked is named with the reason.
"""

from __future__ import annotations

import argparse
import functools
import gc
import itertools
import json
import multiprocessing
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from dpframe.errors import DpframeError, SpecError
from dpframe.front.specs import load_spec, shipped
from dpframe.front.specs.finding import is_file
from dpframe.kernel import registry
from dpframe.kernel.own.base import owned
from dpframe.kernel.post_processing import Post
from dpframe.runtime.threads import one_thread
from dpframe.testing.battery.attacks import check_file, check_operation, check_posts, check_registered
from dpframe.testing.battery.reporting import Report
from dpframe.testing.battery.worlds import keep_memory

HOLDS, REFUTED, USAGE = 0, 1, 2
EVERYTHING = "*"
"""In the place of a name: all that is registered."""
LONG = ("mechanism", "mask")
"""Kinds that take longest, and are begun first, as are composites, own noise and the posts of a package."""


def main(name: str | None, *, as_json: bool = False, thorough: bool = False, strict: bool = False) -> int:
    """Attack what is named and print what was found.

    Parameters
    ----------
    name : str or None
        The path of a plugin's ``.py`` file or of a spec, a shipped spec, or a registered operation or function. Of a
        spec every operation and composite that it names is attacked. :data:`EVERYTHING` stands for all names.
    as_json : bool
        Print one JSON object.
    thorough : bool
        Search for up to half a minute an operation.
    strict : bool
        Count what was not attacked as refuted.

    Returns
    -------
    int
        0 if nothing was refuted, else 1.

    Raises
    ------
    SpecError
        For a name that nothing has, or a file that can't be imported or adds nothing.
    """
    if name is None:
        raise SpecError("nothing was named to check", fix="name an operation, a file or a spec, or say --all")
    keep_memory()
    with one_thread():  # threads of all processes would wait for each other; whoever calls this gets theirs back
        reports = _everything(thorough) if name == EVERYTHING else _reports(name, thorough)
    holds = all(r.holds for r in reports)
    sys.stdout.write(_json(name, holds, reports) if as_json else _text(reports))
    missed = strict and any(r.skipped for r in reports)
    return HOLDS if holds and not missed else REFUTED


def _reports(name: str, thorough: bool) -> list[Report]:
    """What is found in a plugin's file, a spec or a registered thing, looked up in this order."""
    spec = name.endswith(".toml") or (not name.endswith(".py") and not is_file(name) and name in shipped())
    if spec:
        return [check_operation(op, thorough=thorough) for op in dict.fromkeys(_named(load_spec(name).nodes))]
    if name.endswith(".py") or is_file(name):
        return check_file(Path(name), thorough=thorough)
    try:
        return _registered(name, thorough)
    except SpecError:
        if not os.path.isdir(name):
            raise
        fix = "name a .py file in it; the __init__.py of a package stands for all that it registers"
        raise SpecError(f"{name!r} is a folder", fix=fix) from None


def _registered(name: str, thorough: bool) -> list[Report]:
    kinds = [kind for other, kind, _ in registry.all_others() if other == name]
    if len(kinds) > 1:  # of several kinds: each is attacked
        return [check_registered(kind, name, thorough=thorough) for kind in kinds]
    return [check_operation(name, thorough=thorough)]


def _everything(thorough: bool) -> list[Report]:
    """All that is registered, in a process a processor: the names that take longest are begun first."""
    registry.discover()
    kinds = (registry.composites(), registry._learners, registry.others(), registry.operations(), owned())
    return _each(dict.fromkeys(name for kind in (*kinds, registry._row_functions) for name in kind), thorough)


def _tasks(names: Iterable[str]) -> list[list[str]]:
    """The posts of one package together, for they share simulated runs (:mod:`dpframe.testing.battery.traces`)."""
    known, tasks = registry.operations(), dict[str, list[str]]()
    for name in names:
        package = f"posts of {known[name].__module__.rpartition('.')[0]}" if _is_post(name) else name
        tasks.setdefault(package, []).append(name)
    kinds = itertools.chain(((n, cls.kind) for n, cls in known.items()), (o[:2] for o in registry.all_others()))
    long = {name for name, kind in kinds if kind in LONG} | {*registry.composites(), *owned()}
    return sorted(tasks.values(), key=lambda task: (len(task) > 1 or task[0] in long, len(task)), reverse=True)


def _is_post(name: str) -> bool:
    kind = registry.operations().get(name)
    return kind is not None and issubclass(kind, Post)


def _all_registered(names: Sequence[str], thorough: bool) -> list[Report]:
    if not thorough and _is_post(names[0]):
        return check_posts(names)
    return [report for name in names for report in _registered(name, thorough)]


def _each(names: Iterable[str], thorough: bool) -> list[Report]:
    workers = min(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1, 16)
    with ProcessPoolExecutor(workers, multiprocessing.get_context("fork"), gc.freeze) as pool:
        found = pool.map(functools.partial(_all_registered, thorough=thorough), _tasks(names))
        return sorted(itertools.chain.from_iterable(found), key=lambda report: report.name)


def _named(nodes: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """The operations and composites of nodes, those of their bodies too."""
    for node in nodes:
        yield str(node.get("op"))
        for body in node.values():
            if isinstance(body, Mapping) and isinstance(body.get("node"), list):
                yield from _named(body["node"])


def _json(name: str, holds: bool, reports: Sequence[Report]) -> str:
    missed = [{"name": r.name, "why": why} for r in reports for why in r.skipped]
    operations = [r.to_json() for r in reports]
    answer = {"checked": name, "holds": holds, "not_attacked": missed, "operations": operations}
    return json.dumps(answer, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _text(reports: Sequence[Report]) -> str:
    return "".join(f"{report}\n" for report in reports)


def command(words: Sequence[str] | None = None) -> int:
    """``python -m dpframe.testing.battery.check NAME_OR_FILE [--json] [--thorough] [--strict]``."""
    parser = argparse.ArgumentParser(prog="dpframe.testing.battery.check", allow_abbrev=False)
    parser.add_argument("name", metavar="NAME_OR_FILE")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--thorough", action="store_true")
    parser.add_argument("--strict", action="store_true")
    arguments = parser.parse_args(words)
    try:
        return main(arguments.name, as_json=arguments.json, thorough=arguments.thorough, strict=arguments.strict)
    except DpframeError as error:
        sys.stderr.write(f"dpframe: {error}\n")
        return USAGE


if __name__ == "__main__":
    sys.exit(command())
