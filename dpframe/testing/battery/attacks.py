"""The contract battery: one call on an operation, a class, or a plugin's file.

All an operation declares is attacked: see ``dpframe.testing.battery.reporting.LAYERS``. Every search has the same
seed, whatever the name of what is attacked, so that the same operation gives the same report, up to the deadline.
"""

from __future__ import annotations

import _thread
import copy
import inspect
import math
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from dpframe.errors import SpecError
from dpframe.kernel import registry
from dpframe.kernel.operations import Control, Operation
from dpframe.kernel.own.base import Owned, find_own, owned
from dpframe.kernel.post_processing import Post
from dpframe.planning.records import keep_record
from dpframe.testing.battery import attack_declarations as declarations
from dpframe.testing.battery import folders, random_uses, shared_memory
from dpframe.testing.battery.attack_composites import attack_composite
from dpframe.testing.battery.attack_exact import attack_statistic
from dpframe.testing.battery.attack_families import attack_family
from dpframe.testing.battery.attack_learners import attack_learner
from dpframe.testing.battery.attack_masks import attack_mask
from dpframe.testing.battery.attack_mechanisms import attack_mechanism
from dpframe.testing.battery.attack_own import check_own
from dpframe.testing.battery.attack_posts import attack_past, attack_pasts, attack_post
from dpframe.testing.battery.attack_queries import attack_query
from dpframe.testing.battery.attack_rows import attack_gather, attack_partition, attack_transform
from dpframe.testing.battery.attack_semimetrics import attack_semimetric
from dpframe.testing.battery.case import Case, check_drawable
from dpframe.testing.battery.cases import all_names, cases_of
from dpframe.testing.battery.endless import ENDLESS, followed
from dpframe.testing.battery.fresh import compared
from dpframe.testing.battery.lab import Lab
from dpframe.testing.battery.registered import registers
from dpframe.testing.battery.replacing import USER_MODULE
from dpframe.testing.battery.reporting import Failure, Report
from dpframe.testing.battery.sizes import wider
from dpframe.testing.battery.stand_ins import cases_for
from dpframe.testing.battery.together import LEARNED, claims_moved, moved_by_others, refuted
from dpframe.testing.battery.watching import importing
from dpframe.testing.battery.worlds import CPU_SECONDS, Lost, elsewhere

SEED = 20
"""Of every search, so that no verdict hangs on a name."""
FAST, THOROUGH = (8, 0.35), (60, 25.0)
"""Tries of an attack and seconds of an operation's random attacks."""
LONG_SHIPPED = 1.0
"""CPU seconds after which a post that ships with dpframe, and has tests of its own, is attacked on no further case."""
OF_SPACES = {"family": "log_density", "semimetric": "distance"}
"""The function of what is registered with others."""
THREADS = (
    "with the threads that its file starts when it is imported: the forks that attack it have none; start them later"
)
ATTACKS: Mapping[str, Callable[[Lab, Case], None]] = {
    "transform": attack_transform,
    "partition": attack_partition,
    "gather": attack_gather,
    "statistic": attack_statistic,
    "query": attack_query,
    "mechanism": attack_mechanism,
    "post": attack_post,
}


def check_operation(
    what: str | type[Operation] | Path, *, thorough: bool = False, cases: list[Case] | None = None
) -> Report:
    """Attack one operation with the whole battery.

    Parameters
    ----------
    what : str, class or path
        A registered name, an operation's class, or a plugin file that adds exactly one operation or function.
    thorough : bool
        Search for up to half a minute instead of a second.
    cases : list of Case, optional
        Parameters and inputs to attack it with, instead of those that are found.

    Returns
    -------
    Report
        What ran, and every refuted property with the smallest counterexample found.

    Raises
    ------
    SpecError
        For a name that nothing has, or a file that does not add exactly one thing.

    Examples
    --------
    >>> report = check_operation("clip_ball")
    >>> report.holds, "rowwise" in report.layers
    (True, True)
    """
    if isinstance(what, type):
        return _checked(what, thorough, cases)
    if isinstance(what, Path) or what.endswith(".py"):
        reports = check_file(Path(what), thorough=thorough)
        if len(reports) != 1:
            raise SpecError(f"{str(what)!r} adds {len(reports)} operations", fix="use check_file")
        return reports[0]
    known = registry.operations()
    if what in known:
        return _checked(known[what], thorough, cases)
    if what in owned():
        return _owned(what, thorough)
    if what in registry._row_functions:
        return _function(what, registry.find_row_function(what), thorough)
    if what in registry._learners:
        return _function(what, registry.find_learner(what), thorough)
    if what in registry.composites():
        return _composite(what, thorough)[0]
    if what not in registry.others():
        registry.build(what, {})  # raises, naming the nearest known one
    return _space(what, thorough)


def check_posts(names: Sequence[str], *, thorough: bool = False) -> list[Report]:
    """As :func:`check_operation` of posts that ship with dpframe; with many in each process that has another past."""
    kinds: list[type[Any]] = [registry.operations()[name] for name in names]
    found = [cases_of(cls) for cls in kinds]
    every = list(zip(names, kinds, found, strict=True))
    held = attack_pasts(_lab(thorough), {name: _usable(cls, cases)[:2] for name, cls, cases in every})
    return [_attacked(cls, thorough, cases, past=name not in held) for name, cls, cases in every]


def check_file(path: Path, *, thorough: bool = False) -> list[Report]:
    """Import a plugin's file that was named explicitly, and attack every operation and function it adds.

    Raises
    ------
    SpecError
        When it can't be imported or adds nothing.
    """
    if not path.is_file():
        raise SpecError(f"there is no file {str(path)!r}", fix="name a registered operation or a .py file")
    registry.discover()
    whole = path.absolute()  # a plugin may change the folder when it is imported
    with folders.imported() as done:
        threads = _thread._count()
        with importing(path):
            registry.import_file(path)
        done()
        return _check_imported(whole, _thread._count() - threads, thorough)


def _check_imported(path: Path, started: int, thorough: bool) -> list[Report]:
    """What is found of all that a file added, which started so many threads."""
    operations = [cls for name, cls in registry.operations().items() if registers(path, "operation", name, cls)]
    tables = {"learner": registry._learners, "row function": registry._row_functions}
    named = [(kind, name, f) for kind, table in tables.items() for name, f in table.items()]
    functions = {name: f for kind, name, f in named if registers(path, kind, name, f)}
    others = ((name, kind, f) for name, kind, f in registry.all_others() if kind not in tables)
    spaces = [(name, kind) for name, kind, f in others if registers(path, kind, name, f)]
    own = [name for name, known in owned().items() if registers(path, "own operation", name, known.function)]
    recipes = [name for name, f in registry.composites().items() if registers(path, "composite", name, f)]
    if not operations and not functions and not spaces and not recipes and not own:
        fix = 'decorate it, @dp.composite("package.word"), say, or name the file that does'
        raise SpecError(f"{str(path)!r} registers no operation", fix=fix)
    shared = shared_memory.contents()
    moved, learned = moved_by_others(path), claims_moved(path)
    reports = [_checked(cls, thorough, None) for cls in operations]
    reports += [_function(name, f, thorough) for name, f in functions.items()]
    reports += [_owned(name, thorough) for name in own]
    reports += [_space(name, thorough, kind) for name, kind in spaces]
    for name in recipes:
        report, parts = _composite(name, thorough)
        reports.append(report)
        done = {r.name for r in reports}
        reports += [check_operation(part, thorough=thorough) for part in parts if part not in done and _of_a_user(part)]
    writes = frozenset(r.name for r in reports if shared_memory.written(shared))
    found = compared(path, refuted(writes, refuted(learned, refuted(moved, reports), LEARNED), shared_memory.WORDS))
    return [attrs.evolve(report, skipped=(*report.skipped, THREADS)) for report in found] if started > 0 else found


def parametrize_registry(
    argument: str = "operation", *, kind: str | None = None, modules: tuple[str, ...] = ("",)
) -> Any:
    """A pytest decorator: one test for each registered operation, by name.

    Parameters
    ----------
    argument : str
        The test's argument.
    kind : str, optional
        Only operations of this kind.
    modules : tuple of str
        Only operations of modules whose name starts with one of these; all by default.

    Examples
    --------
    ::

        @parametrize_registry("name")
        def test_contract(name):
            report = check_operation(name)
            assert report.holds, str(report)
    """
    try:
        import pytest
    except ImportError:
        raise SpecError("parametrize_registry needs pytest", fix="pip install 'dpframe[test]'") from None
    table = registry.operations()
    names = [n for n in all_names() if kind in (None, table[n].kind) and table[n].__module__.startswith(modules)]
    return pytest.mark.parametrize(argument, names)


# ------------------------------------------------------------------------------------------- inside


def _of_a_user(name: str) -> bool:
    """Whether a file that a user named registers it: what is installed is checked for itself."""
    kind = registry.operations().get(name) or registry.others().get(name, ("", None))[1]
    return str(getattr(kind, "__module__", "")).startswith(USER_MODULE)


def _composite(name: str, thorough: bool) -> tuple[Report, tuple[str, ...]]:
    started, lab, function = time.monotonic(), _lab(thorough), registry.find_composite(name)
    parts = attack_composite(lab, name, function, brief=not function.__module__.startswith(USER_MODULE))
    lab.notes += random_uses.noted(lab.failures, "composite", function)
    return _report(name, "composite", lab, started), parts


def _lab(thorough: bool) -> Lab:
    trials, seconds = THOROUGH if thorough else FAST
    return Lab(np.random.default_rng(SEED), trials, seconds, time.process_time() + seconds)


def _checked(cls: type[Operation], thorough: bool, given: list[Case] | None) -> Report:
    """Everything that calls a user's class runs in forks, so that its first call is its first in each of them."""
    if not cls.__module__.startswith(USER_MODULE):
        return _attacked(cls, thorough, given)
    started, post = time.monotonic(), issubclass(cls, Post)

    def attacked() -> tuple[Report, list[Case]]:  # the cases as they were before the attacks; to find them takes long
        cases = cases_of(cls) if given is None and post else given
        kept = copy.deepcopy(cases or []) if post else []
        return _attacked(cls, thorough, cases, past=False), kept

    try:
        with followed():
            report, found = elsewhere(attacked, cpu=CPU_SECONDS)
    except Lost as error:
        lab = _lab(thorough)
        lab.lost(error)
        return _report(cls.name, cls.kind, lab, started)
    lab = _lab(thorough)
    if found and not any(f.message.startswith(ENDLESS) for f in report.failures):
        brief = not thorough and not cls.__module__.startswith(USER_MODULE)
        attack_past(lab, [c for c in found if check_drawable(c)][:3], brief=brief)
    known = {f.layer for f in report.failures}
    new = tuple(f for f in lab.failures if f.layer not in known)
    failures, skipped = report.failures + new, (*report.skipped, *lab.skipped)
    method = getattr(cls, "apply", None)
    of = inspect.getclosurevars(method).nonlocals.get("function", method) if inspect.isfunction(method) else method
    notes = report.notes + random_uses.noted(failures, cls.kind, of)
    return attrs.evolve(report, failures=failures, notes=notes, skipped=skipped, seconds=time.monotonic() - started)


def _attacked(cls: type[Operation], thorough: bool, given: list[Case] | None, *, past: bool = True) -> Report:
    started = time.monotonic()
    name = cls.name or cls.__name__
    own = given is None and issubclass(cls, Owned)
    if issubclass(cls, Control):
        found = [Case(_control(cls), ())]
    else:
        found = given if given is not None else cases_for(name) if own else cases_of(cls)
    lab = _lab(thorough)
    declarations.attack_registration(lab, cls, found[0] if found else None)
    declarations.attack_docstring(lab, cls)
    lab.ran("case")
    if not found:
        lab.skip(
            "no parameters and input domains were found that it accepts; give them by a static examples(), or use it in"
            " a composite of the file, with examples= where its parameters have no default"
        )
    attack = ATTACKS.get(cls.kind)
    usable = _usable(cls, found) if attack else []
    users = issubclass(cls, Post) and cls.__module__.startswith(USER_MODULE)
    if users:  # first: one that does not return does not either when it is asked for a shape
        _run(lab, attack, usable, math.inf)
        if any(f.message.startswith(ENDLESS) for f in lab.failures):
            return _report(name, cls.kind, lab, started)
    for i, case in enumerate(found if thorough else found[:2]):
        declarations.attack_theorem_inputs(lab, case)
        if not issubclass(cls, Control):
            declarations.attack_shapes(lab, case)
        if cls.name and (thorough or i == 0):
            declarations.attack_roundtrip(lab, case)
    if issubclass(cls, Post) and past:
        attack_past(lab, usable[:2], brief=True)
    brief = issubclass(cls, Post) and not thorough and not cls.__module__.startswith(USER_MODULE)
    if not users:
        _run(lab, attack, usable, LONG_SHIPPED if brief else math.inf)
    return _report(name, cls.kind, lab, started)


def _usable(cls: type[Operation], found: Sequence[Case]) -> list[Case]:
    """Cases whose inputs can be drawn; wider ones of a post, too."""
    usable = [c for c in found if check_drawable(c)]
    more = wider(usable[0], [cls.apply]) if issubclass(cls, Post) and usable else ()
    return usable + [c for c in more if check_drawable(c)]


def _run(lab: Lab, attack: Callable[[Lab, Case], None] | None, usable: list[Case], most: float) -> None:
    """Every case in turn, each with its share of the time; an attack that breaks is itself a finding.

    A case is not begun after ``most`` CPU seconds.
    """
    end = time.process_time() + most
    for case in usable:
        if time.process_time() > end or any(f.message.startswith(ENDLESS) for f in lab.failures):
            break
        lab.deadline = time.process_time() + lab.seconds / len(usable)
        if attack is not None:
            try:
                attack(lab, case)
            except Exception as error:  # noqa: BLE001  the operation broke where no attack expected it to
                lab.fail("totality", f"raised {type(error).__name__}: {error}", case=case.text)


def _control(cls: type[Operation]) -> Operation:
    extras = {"share": 1.0, "max_length": 3, "max_depth": 2, "max_leaves": 4, "categories": 3}
    return registry.build(cls.name, {a.name: extras[a.name] for a in _needed(cls)})


def _needed(cls: type[Operation]) -> list[Any]:
    import attrs

    return [a for a in attrs.fields(cls) if a.init and a.default is attrs.NOTHING]


def _function(name: str, function: Callable[..., Any], thorough: bool) -> Report:
    started = time.monotonic()
    lab = _lab(thorough)
    brief = not thorough and not str(function.__module__).startswith(USER_MODULE)
    kind = attack_learner(lab, name, function, thorough=thorough, brief=brief)
    known = "row function" if name in registry._row_functions else "learner"
    lab.notes += random_uses.noted(lab.failures, kind, function)
    return _recorded(known, _report(name, kind, lab, started))


def _owned(name: str, thorough: bool) -> Report:
    """An operation of a plugin's own; that it held is put on record, for a run to ask for."""
    report = check_own(name, thorough=thorough)
    if report.holds and not report.skipped:
        keep_record(name, find_own(name).digest)
    return report


def check_registered(kind: str, name: str, *, thorough: bool = False) -> Report:
    """Attack a semimetric, a mask, a family, a learner or a row function; that it held is put on record."""
    if kind in ("learner", "row function"):
        return _function(name, registry.registered(kind, name), thorough)
    return _space(name, thorough, kind)


def _space(name: str, thorough: bool, what: str = "") -> Report:
    """A semimetric, a mask or a family of a plugin."""
    started, lab = time.monotonic(), _lab(thorough)
    what = what or registry.others()[name][0]
    if what == "semimetric":
        kind = attack_semimetric(lab, registry.find("semimetric", name), thorough=thorough)
    elif what == "family":
        kind = attack_family(lab, registry.find("family", name), thorough=thorough)
    else:
        kind = attack_mask(lab, registry.find("mask", name), thorough=thorough)
    of = registry.find(what, name)
    lab.notes += random_uses.noted(lab.failures, what, getattr(of, OF_SPACES.get(what, "function")))
    return _recorded(what, _report(name, kind, lab, started))


def _recorded(kind: str, report: Report) -> Report:
    """That it held is put on record, for a run to ask for."""
    origin = registry.origin(kind, report.name)
    if report.holds and not report.skipped and origin.digest:
        keep_record(f"{kind} {report.name}", origin.digest)
    return report


def _report(name: str, kind: str, lab: Lab, started: float) -> Report:
    failures: tuple[Failure, ...] = tuple(lab.failures)
    seconds = time.monotonic() - started
    return Report(name, kind, failures, tuple(lab.layers), tuple(lab.notes), seconds, tuple(lab.skipped))
