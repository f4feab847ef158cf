"""Names for operations, composites, learners, semimetrics, masks and families.

A plugin is a module with decorated classes and functions; registering needs no edit elsewhere. Modules are found in the
kernel's own folders, in the installed ``dpframe_plugins``, through the entry-point group ``dpframe.plugins``, and in a
folder named explicitly (:mod:`dpframe.kernel.finding`).

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

import os
import re
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import attrs

from dpframe.errors import DpframeError, SpecError, nearest
from dpframe.kernel.finding import API as API
from dpframe.kernel.finding import API_NAME as API_NAME
from dpframe.kernel.finding import PLUGINS, USER, import_owners, spec_names
from dpframe.kernel.finding import discover as discover
from dpframe.kernel.finding import import_file as import_file
from dpframe.kernel.finding import import_folders as import_folders
from dpframe.kernel.finding import owners as owners
from dpframe.kernel.finding import user_files as user_files
from dpframe.kernel.operations import Operation
from dpframe.kernel.origins import ORIGINS, PLACES, Origin, as_function, file_of_registration, origin_of
from dpframe.kernel.owned import OWNED, Own
from dpframe.proof.spaces.checks import plain
from dpframe.proof.theorems import DECLARATIONS, Declaration
from dpframe.proof.theorems.declaring import check_cited

C = TypeVar("C", bound=type[Operation])
F = TypeVar("F", bound=Callable[..., Any])


NAME = re.compile(r"\w+([.-]\w+)*")
_operations: dict[str, type[Operation]] = {}
_composites: dict[str, Callable[..., Any]] = {}
_learners: dict[str, Callable[..., Any]] = {}
_row_functions: dict[str, Callable[..., Any]] = {}
_values: dict[str, dict[str, Any]] = {"learner": _learners, "row function": _row_functions}


def table(kind: str) -> dict[str, Any]:
    """Registered functions, or values that were made of them, by name: all of one kind, such as ``mask``."""
    return _values.setdefault(kind, {})


def function_of(value: Any) -> Callable[..., Any]:
    """The function that a registered value is, or was made of: the first one that it holds."""
    return _functions_of(value)[0]


def _functions_of(value: Any) -> list[Callable[..., Any]]:
    return [part for part in ([value] if callable(value) else attrs.astuple(value, recurse=False)) if callable(part)]


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
        given: Any = cls
        if not (isinstance(given, type) and issubclass(given, Operation)):
            raise SpecError(
                f"{name!r} is registered for what is no class of an operation",
                fix="register a subclass of dpframe.plugin.Post, say",
            )
        _claim(_operations, name, cls, "operation")
        cls.name = name
        declared = DECLARATIONS.get(name)
        if declared is not None:
            _fit(cls, declared)
        return cls

    return keep


def _fit(cls: type[Operation], declared: Declaration) -> None:
    """Give the class its declared theorem and slots; refuse one whose fields are not the declared parameters."""
    fields = {a.name for a in attrs.fields(cls) if a.init}
    if fields != set(declared.parameters):
        raise SpecError(
            f"operation {declared.name!r} has parameters {sorted(fields)}, declared {sorted(declared.parameters)}",
            fix="declare its parameters beside its theorem",
        )
    cls.theorem, cls.slots = declared.theorem, declared.takes


def composite(name: str) -> Callable[[F], F]:
    """Function decorator: a recipe that expands into nodes, available under ``name``."""
    return _available(_composites, name, "composite")


def learner(name: str) -> Callable[[F], F]:
    """Function decorator: a non-private learner for block reductions, available under ``name``.

    It is called as ``(rows (m, d), generator) -> tuple of arrays``, on each block in a process of its own.
    """
    return _available(_learners, name, "learner")


def row_function(name: str) -> Callable[[F], F]:
    """Function decorator: a vectorised function of rows, each by itself, for ``row_map``, available under ``name``."""
    keep = _available(_row_functions, name, "row function")
    if name in _learners:
        raise SpecError(f"row function {name!r} has the name of a learner", fix="rename one")
    return keep


def _available(table: dict[str, Any], name: str, what: str) -> Callable[[F], F]:
    check_name(name, what)

    def keep(function: F) -> F:
        _claim(table, name, as_function(function, name), what)
        if what != "composite":
            ORIGINS[what, name] = origin_of(function)
        return function

    return keep


def forget_row_function(name: str) -> None:
    """Take a row function away that was registered for one run."""
    _row_functions.pop(name, None)


def find_row_function(name: str) -> Callable[..., Any]:
    """A registered row function by name; one that is registered as a learner is found too."""
    found = _sought(name, _row_functions, _learners)
    return _lookup(_row_functions, name, "row function") if found is None else found  # type: ignore[no-any-return]


def claim_of(table: dict[str, Any], name: str, made: Any, function: Callable[..., Any], what: str) -> None:
    """Register under a name what was made of a function. The same function may be registered again."""
    _claim({known: function_of(value) for known, value in table.items()}, name, function, what)
    table[name] = made
    ORIGINS[what, name] = origin_of(*_functions_of(made))


def check_name(name: Any, what: str) -> None:
    """Refuse what is no name: the function itself, where a decorator was given none, or what no node can be called.

    Raises
    ------
    SpecError
    """
    if not isinstance(name, str) or not NAME.fullmatch(name):
        shown = repr(name) if isinstance(name, str) else f"a {type(name).__name__}"
        article = "an" if what[0] in "aeio" else "a"
        raise SpecError(
            f"{article} {what} is registered under a name, not {shown}",
            fix='give one of letters, digits and _, joined by "." or "-", in quotes: "package.word"',
        )


def _claim(table: dict[str, Any], name: str, thing: Any, what: str) -> Any:
    check_name(name, what)
    check_cited(what, name, getattr(thing, "theorem", ""))
    if what == "operation" and name in DECLARATIONS:
        check_cited(what, name, DECLARATIONS[name].theorem)
    if str(thing.__module__).partition(".")[0] not in ("dpframe", PLUGINS):
        import_owners(name)  # what is installed keeps its names, imported or not
        if what in ("operation", "composite", "own operation") and name in spec_names():
            raise SpecError(f"{what} {name!r} has the name of a shipped spec", fix="rename it")
    if what in _values and name in DECLARATIONS:
        raise SpecError(f"{what} {name!r} has the name of a kernel operation", fix='rename it: "package.word"')
    others: dict[str, dict[str, Any]] = {"operation": {**_composites, **OWNED}, "composite": {**_operations, **OWNED}}
    other = others.get(what, {}).get(name)
    if other is not None:
        raise SpecError(f"{what} {name!r} has the name of something else, of {other.__module__}", fix="rename one")
    old = table.get(name)
    if old is not None and (old.__module__, old.__qualname__) != (thing.__module__, thing.__qualname__):
        raise SpecError(
            f"{what} {name!r} is registered twice: in {_place(what, name, old)} and {_place('', '', thing)}",
            fix="rename one; a plugin that is installed is found without --plugins",
        )
    if lines := _lines_of_both(old, thing):
        raise SpecError(
            f"{what} {name!r} is registered twice in {_place(what, name, old)}, lines {lines[0]} and {lines[1]}",
            fix="rename one, or take it out",
        )
    table[name] = thing
    PLACES[what, name] = file_of_registration()
    return thing


def _lines_of_both(old: Any, thing: Any) -> list[int]:
    """First lines of two functions that one reading of a user's file defines under one name; empty where it does not.

    A module that is read again, say after an error, has other globals, and notebooks may define a function again.
    """
    if getattr(old, "__globals__", None) is not getattr(thing, "__globals__", 0):
        return []
    lines = [function.__code__.co_firstlineno for function in (old, thing)]
    return lines if str(thing.__module__).startswith(USER) and lines[0] != lines[1] else []


def _place(what: str, name: str, thing: Any) -> str:
    """Where something was registered: a module's name, of a file that a user named the file's."""
    module = str(thing.__module__)
    if not module.startswith(USER):
        return module
    file = PLACES.get((what, name), "") or file_of_registration()
    return f"{os.path.basename(file)} ({thing.__qualname__})"


def _sought(name: str, *tables: Mapping[str, Any]) -> Any:
    """What some table holds under a name, after importing the modules that may register it; None where none does."""
    for search in (None, import_owners, lambda _: discover()):
        if search is not None:
            search(name)
        for table in tables:
            if name in table:
                return table[name]
    return None


def operations() -> Mapping[str, type[Operation]]:
    """All registered operations."""
    discover()
    return _operations


def composites() -> Mapping[str, Callable[..., Any]]:
    """All registered composites."""
    discover()
    return _composites


def all_others() -> list[tuple[str, str, Callable[..., Any]]]:
    """What else is registered: name, kind and function of each learner, row function, semimetric, family and mask.

    A name may be of several kinds: each is an entry.
    """
    discover()
    return [(name, kind, function_of(made)) for kind, known in _values.items() for name, made in known.items()]


def others() -> Mapping[str, tuple[str, Callable[..., Any]]]:
    """What else is registered, by name: its kind and function, of several kinds the last."""
    return {name: (kind, function) for name, kind, function in all_others()}


def _found(kind: str, name: str) -> tuple[str, Callable[..., Any]]:
    """Kind and function of what is registered; a row function may be registered as a learner."""
    if kind == "row function":
        function = find_row_function(name)
        return kind if name in _row_functions else "learner", function
    return kind, function_of(find(kind, name))


def registered(kind: str, name: str) -> Callable[..., Any]:
    """The function of a registered semimetric, mask, family, learner or row function."""
    return _found(kind, name)[1]


def origin(kind: str, name: str) -> Origin:
    """Where a registered semimetric, mask, family, learner or row function comes from."""
    return ORIGINS[_found(kind, name)[0], name]


def find_learner(name: str) -> Callable[..., Any]:
    """A registered learner by name; a path is never one."""
    return _lookup(_learners, name, "learner")  # type: ignore[no-any-return]


def find(kind: str, name: str) -> Any:
    """A registered value of one of the kinds of :func:`table`, by name."""
    return _lookup(table(kind), name, kind)


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
    known = nearest(str(name), table, "see `dpframe ops`")
    raise SpecError(f"unknown {what} {name!r}", fix=f"{known} (of a plugin: name its folder with --plugins DIR)")


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
            hint = nearest(str(key), known, f"it takes {', '.join(known) or 'no parameters'}")
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
        told = error.args[0] if error.args else error  # a validator of attrs adds the field itself
        raise SpecError(f"operation {name!r}: {told}", fix="check the types of its parameters") from None
