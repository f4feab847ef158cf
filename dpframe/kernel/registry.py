"""Names for operations, composites and learners, and how plugins are found.

A plugin is a module with decorated classes and functions; registering needs no edit elsewhere. Modules
are found in the kernel's own folders, in the installed ``dpframe_plugins``, through the entry-point
group ``dpframe.plugins``, and in a folder named explicitly. What an entry point names may say ``DPFRAME_API = 1``, the
version of :mod:`dpframe.plugin` it was written for: another version is refused by name, none is taken as 1.

Specs and certificates hold names and numbers only: a name that is not registered is refused, so reading a file never
runs code from it.

Examples
--------
>>> {"clip_ball", "gaussian"} <= set(operations())
True
>>> build("clip_ball", {"bits": 20}).parameters()
{'bits': 20}
"""

from __future__ import annotations

import difflib
import functools
import importlib
import importlib.util
import os
import pkgutil
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import attrs

from dpframe.errors import DpframeError, SpecError
from dpframe.kernel.operations import Operation
from dpframe.kernel.owned import OWNED, Own
from dpframe.proof.spaces.checks import plain
from dpframe.proof.theorems import DECLARATIONS, Declaration
from dpframe.proof.theorems.declaring import check_cited

__all__ = [
    "API",
    "API_NAME",
    "Mask",
    "Semimetric",
    "build",
    "composite",
    "composites",
    "discover",
    "find_composite",
    "find_either",
    "find_learner",
    "find_mask",
    "find_semimetric",
    "import_file",
    "import_folders",
    "is_registered",
    "learner",
    "mask",
    "operations",
    "others",
    "owners",
    "register",
    "semimetric",
    "user_files",
]

ENTRY_POINT_GROUP = "dpframe.plugins"
API = 1
"""Version of what plugins import, :mod:`dpframe.plugin`."""
API_NAME = "DPFRAME_API"
KERNEL = (
    "dpframe.kernel.transforms",
    "dpframe.kernel.statistics",
    "dpframe.kernel.queries",
    "dpframe.kernel.mechanisms",
    "dpframe.kernel.own",
    "dpframe.kernel.families",
    "dpframe.kernel.reductions",
    "dpframe.kernel.posts",
)
PLUGINS = "dpframe_plugins"
_DECORATOR = re.compile(
    r"""^[ ]*@?(?:\w+\.)*(?:register|composite|learner|semimetric|mask|own_\w+)\(\s*["']([^"'\n]+)["']""", re.MULTILINE
)
C = TypeVar("C", bound=type[Operation])
F = TypeVar("F", bound=Callable[..., Any])


@attrs.frozen
class Semimetric:
    """A distance with an approximate triangle inequality: d(a, c) <= z(r)·(d(a, b) + d(b, c)) for distances up to r.

    Attributes
    ----------
    name : str
    distance : callable
        ``(a, b) -> float`` of two vectors: symmetric, and a function of these two alone.
    triangle : callable
        ``r -> z``, at least 1.
    """

    name: str
    distance: Callable[[Any, Any], float]
    triangle: Callable[[float], float]


@attrs.frozen
class Mask:
    """Noise for values that are known to be within r of one another in a semimetric.

    Attributes
    ----------
    name, semimetric : str
    function : callable
        ``(value, noise, normals) -> vector``; ``normals(count)`` gives standard Gaussians.
    cost : callable
        ``(noise, r) -> rho`` of zCDP, decreasing in the noise.
    """

    name: str
    semimetric: str
    function: Callable[..., Any]
    cost: Callable[[float, float], float]


_operations: dict[str, type[Operation]] = {}
_composites: dict[str, Callable[..., Any]] = {}
_learners: dict[str, Callable[..., Any]] = {}
_semimetrics: dict[str, Semimetric] = {}
_masks: dict[str, Mask] = {}
_found: set[str] = set()


def register(name: str) -> Callable[[C], C]:
    """Class decorator: make an operation available under ``name``, with what is declared of that name.

    Raises
    ------
    SpecError
        For a name that is taken, or fields other than the declared parameters.
    PlanError
        For a theorem that nobody stated; the same holds of whatever is registered.
    """

    def keep(cls: C) -> C:
        _claim(_operations, name, cls, "operation")
        cls.name = name
        declared = DECLARATIONS.get(name)
        if declared is not None:
            _fit(cls, declared)
        return cls

    return keep


def _fit(cls: type[Operation], declared: Declaration) -> None:
    """Take over what is declared, once the class is a value with the declared parameters."""
    fields = {a.name for a in attrs.fields(cls) if a.init}
    if fields != set(declared.parameters):
        raise SpecError(
            f"operation {declared.name!r} has parameters {sorted(fields)}, declared {sorted(declared.parameters)}",
            fix="declare its parameters beside its theorem",
        )
    cls.theorem, cls.slots = declared.theorem, declared.takes


def composite(name: str) -> Callable[[F], F]:
    """Function decorator: a recipe that expands into nodes, available under ``name``."""
    return lambda function: _claim(_composites, name, function, "composite")


def learner(name: str) -> Callable[[F], F]:
    """Function decorator: a non-private learner for block reductions, available under ``name``."""
    return lambda function: _claim(_learners, name, function, "learner")


def semimetric(name: str, *, triangle: Callable[[float], float]) -> Callable[[F], F]:
    """Function decorator: a distance of two vectors for the populous estimator, available under ``name``.

    Examples
    --------
    >>> @semimetric("doctest.line", triangle=lambda r: 1.0)
    ... def line(a, b):
    ...     return abs(float(a[0] - b[0]))
    >>> find_semimetric("doctest.line").triangle(0.5)
    1.0
    """

    def keep(function: F) -> F:
        claim_of(_semimetrics, name, Semimetric(name, function, triangle), function, "semimetric")
        return function

    return keep


def mask(name: str, *, semimetric: str, cost: Callable[[float, float], float]) -> Callable[[F], F]:
    """Function decorator: noise for values that are within r of one another in ``semimetric``."""

    def keep(function: F) -> F:
        claim_of(_masks, name, Mask(name, semimetric, function, cost), function, "mask")
        return function

    return keep


def claim_of(table: dict[str, Any], name: str, made: Any, function: Callable[..., Any], what: str) -> None:
    """Claim a name for what was made of a function, which the same function may do again."""
    known = {n: getattr(thing, "function", getattr(thing, "distance", None)) for n, thing in table.items()}
    _claim(known, name, function, what)
    table[name] = made


def _claim(table: dict[str, Any], name: str, thing: Any, what: str) -> Any:
    check_cited(what, name, getattr(thing, "theorem", ""))
    if what == "operation" and name in DECLARATIONS:
        check_cited(what, name, DECLARATIONS[name].theorem)
    if thing.__module__.partition(".")[0] not in ("dpframe", PLUGINS):
        _import_owners(name)  # what is installed keeps its names, imported or not
    others: dict[str, dict[str, Any]] = {"operation": {**_composites, **OWNED}, "composite": {**_operations, **OWNED}}
    other = others.get(what, {}).get(name)
    if other is not None:
        raise SpecError(f"{what} {name!r} has the name of something else, of {other.__module__}", fix="rename one")
    old = table.get(name)
    if old is not None and (old.__module__, old.__qualname__) != (thing.__module__, thing.__qualname__):
        raise SpecError(
            f"{what} {name!r} is registered twice: in {old.__module__} and {thing.__module__}",
            fix="rename one",
        )
    table[name] = thing
    return thing


def discover(folders: Iterable[str | Path] = ()) -> None:
    """Import the kernel's operations, the installed plugins, entry points, and explicit folders once each."""
    for package in KERNEL:
        _import_tree(package)
    if importlib.util.find_spec(PLUGINS) is not None:
        _import_tree(PLUGINS)
    if "entry points" not in _found:
        from importlib.metadata import entry_points

        _found.add("entry points")
        try:
            for point in entry_points(group=ENTRY_POINT_GROUP):
                _check_api(point, point.load())
        except BaseException:
            _found.discard("entry points")  # refused again when asked again
            raise
    import_folders(folders)


def import_folders(folders: Iterable[str | Path]) -> None:
    """Import the plugins of folders that the user named explicitly, and nothing else."""
    for folder in folders:
        _import_folder(Path(folder))


@functools.cache
def owners() -> Mapping[str, tuple[str, ...]]:
    """The modules whose text registers a name, of those that need not be imported to know it.

    Examples
    --------
    >>> owners()["clip_ball"]
    ('dpframe.kernel.transforms.clip_ball',)
    """
    found: dict[str, list[str]] = {}
    for package in (*KERNEL, PLUGINS):
        spec = importlib.util.find_spec(package)
        for place in (spec.submodule_search_locations or ()) if spec is not None else ():
            for module, path in _modules(package, place):
                with open(path, encoding="utf-8", errors="replace") as file:
                    names = _DECORATOR.findall(file.read())
                for name in names:
                    found.setdefault(name, []).append(module)
    return {name: tuple(dict.fromkeys(modules)) for name, modules in found.items()}


def _modules(package: str, place: str) -> Iterator[tuple[str, str]]:
    """The modules of a package's folder and of the packages in it, with their files."""
    try:
        entries = sorted(os.scandir(place), key=lambda entry: entry.name)
    except OSError:  # an archive: its names are found by importing all of it
        return
    for entry in entries:
        if entry.name == "__init__.py":
            yield package, entry.path
        elif entry.name.endswith(".py"):
            yield f"{package}.{entry.name[:-3]}", entry.path
        elif entry.is_dir() and os.path.exists(os.path.join(entry.path, "__init__.py")):
            yield from _modules(f"{package}.{entry.name}", entry.path)


def _import_owners(name: str) -> None:
    for module in owners().get(name, ()):
        importlib.import_module(module)


def _sought(name: str, *tables: Mapping[str, Any]) -> Any:
    """What a table holds of that name, once the modules that may register it are imported; None if none does."""
    for search in (None, _import_owners, lambda _: discover()):
        if search is not None:
            search(name)
        for table in tables:
            if name in table:
                return table[name]
    return None


def _check_api(point: Any, loaded: object) -> None:
    """Refuse an entry point that was written for another version of :mod:`dpframe.plugin`.

    ``DPFRAME_API`` stands in what the entry point names, or in the module of a class or function it names.
    """
    module = sys.modules.get(str(getattr(loaded, "__module__", "")))
    declared = getattr(loaded, API_NAME, getattr(module, API_NAME, API))
    if type(declared) is not int or declared != API:
        package = point.dist.name if point.dist is not None else point.value
        raise SpecError(
            f"plugin {point.name!r} of {package} is written for {API_NAME} = {declared!r}; this dpframe has {API}",
            fix=f"install a version of {package} for {API_NAME} = {API}, or remove it",
        )


def _import_tree(package: str) -> None:
    if package in _found:
        return
    _found.add(package)
    module = importlib.import_module(package)
    for info in pkgutil.walk_packages(module.__path__, package + "."):
        importlib.import_module(info.name)


def _import_folder(folder: Path) -> None:
    if not folder.is_dir():
        raise SpecError(f"no plugin folder {str(folder)!r}", fix="give an existing folder with --plugins")
    for path in sorted(folder.glob("*.py")) + sorted(folder.glob("*/__init__.py")):
        import_file(path)


def import_file(path: Path) -> None:
    """Import one plugin file that the user named explicitly."""
    key = str(path.resolve())
    if key in _found:
        return
    stem = path.parent.name if path.name == "__init__.py" else path.stem
    name = f"dpframe_user_plugins_{abs(hash(key)):x}_{stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise SpecError(f"{str(path)!r} is not a Python file", fix="name a .py file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except DpframeError:
        raise
    except Exception as error:  # noqa: BLE001  whatever a user's file raises is named in one line
        del sys.modules[name]
        raise SpecError(f"plugin {str(path)!r} can't be imported: {type(error).__name__}: {error}") from None
    _found.add(key)


def user_files() -> list[str]:
    """Plugin files that were imported because a user named them."""
    return sorted(key for key in _found if key.endswith(".py"))


def operations() -> Mapping[str, type[Operation]]:
    """All registered operations."""
    discover()
    return _operations


def composites() -> Mapping[str, Callable[..., Any]]:
    """All registered composites."""
    discover()
    return _composites


def others() -> Mapping[str, tuple[str, Callable[..., Any]]]:
    """What else is registered: kind and function of each learner, semimetric and mask, by name."""
    discover()
    found = {name: ("learner", function) for name, function in _learners.items()}
    found |= {name: ("semimetric", known.distance) for name, known in _semimetrics.items()}
    return found | {name: ("mask", known.function) for name, known in _masks.items()}


def find_learner(name: str) -> Callable[..., Any]:
    """A registered learner by name; a path is never one."""
    return _lookup(_learners, name, "learner")  # type: ignore[no-any-return]


def find_semimetric(name: str) -> Semimetric:
    """A registered semimetric by name."""
    return _lookup(_semimetrics, name, "semimetric")  # type: ignore[no-any-return]


def find_mask(name: str) -> Mask:
    """A registered mask by name."""
    return _lookup(_masks, name, "mask")  # type: ignore[no-any-return]


def find_composite(name: str) -> Callable[..., Any]:
    """A registered composite by name."""
    return _lookup(_composites, name, "composite")  # type: ignore[no-any-return]


def find_either(name: str) -> type[Operation] | Callable[..., Any] | None:
    """The operation or composite of that name, if any; no name is both. Of a plugin's own: what runs it."""
    found = _sought(name, _operations, _composites, OWNED)
    return find_either(found.operation) if isinstance(found, Own) else found


def is_registered(operation: Operation) -> bool:
    """Whether an operation is of the very class that its name stands for."""
    return _operations.get(operation.name) is type(operation)


def _lookup(table: Mapping[str, Any], name: str, what: str) -> Any:
    thing = _sought(name, table)
    if thing is not None:
        return thing
    near = difflib.get_close_matches(str(name), list(table), 1)
    raise SpecError(f"unknown {what} {name!r}", fix=f"did you mean {near[0]!r}?" if near else "see `dpframe ops`")


def build(name: str, parameters: Mapping[str, Any]) -> Operation:
    """An operation from its registered name and JSON parameters.

    Raises
    ------
    SpecError
        For an unknown name, an unknown parameter (with the nearest known one), or one of a wrong type.
    """
    mine = OWNED.get(name) or (None if name in _operations else _sought(name, _operations, OWNED))
    if isinstance(mine, Own):
        return build(mine.operation, mine.given(parameters))
    cls: type[Operation] = _lookup(_operations, name, "operation")
    known = {a.name: a for a in attrs.fields(cls) if a.init}
    for key in parameters:
        if key not in known:
            near = difflib.get_close_matches(str(key), list(known), 1)
            hint = f"did you mean {near[0]!r}?" if near else f"it takes {', '.join(known) or 'no parameters'}"
            raise SpecError(f"operation {name!r} has no parameter {key!r}", fix=hint)
    missing = [k for k, a in known.items() if a.default is attrs.NOTHING and k not in parameters]
    if missing:
        raise SpecError(f"operation {name!r} needs {', '.join(missing)}", fix=f"give {missing[0]}")
    try:
        given = {k: plain(v) for k, v in parameters.items()}
        return cls(**{k: tuple(v) if isinstance(v, list) else v for k, v in given.items()})
    except DpframeError:
        raise
    except (TypeError, ValueError) as error:
        raise SpecError(f"operation {name!r}: {error}", fix="check the types of its parameters") from None
