"""Where what a plugin registers comes from, as a digest that a certificate can name.

A certificate rests on a plugin's files wherever it names something of a plugin: an operation of its own, a semimetric,
a mask, a family, a learner, a row function. :func:`digest_of` covers every file of the folders that these were
loaded from, and the version of dpframe (``docs/theory/own.md``, The border).
"""

from __future__ import annotations

import functools
import hashlib
import importlib.machinery
import inspect
import os
import site
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import FrameType, FunctionType, ModuleType
from typing import Any

import attrs

from dpframe.errors import SpecError
from dpframe.proof.certificates import digest as sha256
from dpframe.version import VERSION

MOST_FILES, MOST_BYTES = 4096, 2**27
"""What a plugin's folders may hold."""
PASSING = frozenset({"__pycache__", ".git", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis"})
"""Folders that tools keep: of these only what Python can import is covered."""
CACHED = "__pycache__"
SHIPPED = ("dpframe", "dpframe_plugins")
_HERE = Path(__file__).resolve().parents[1]


@attrs.frozen
class Origin:
    """Where something was registered from.

    Attributes
    ----------
    folders : tuple of Path
        Of its file, of functions it was given, and of what that file imports that is not installed. Empty for the
        kernel's own, and where there is no file.
    digest : str
        Of all their files and the version of dpframe, when it was registered; empty where there is none.
    why : str
        Why there is no digest.
    """

    folders: tuple[Path, ...] = ()
    digest: str = ""
    why: str = ""


@functools.cache
def of_kernel() -> Origin:
    """The origin of what dpframe itself registers: a digest of its version."""
    return Origin((), hashlib.sha256(f"dpframe {VERSION}".encode()).hexdigest())


def origin_of(*callables: Any) -> Origin:
    """The origin of what is being registered, by whoever called a decorator of dpframe's."""
    frame = _caller()
    if frame is not None and _inside(frame.f_code.co_filename):
        return of_kernel()
    try:
        folders = folders_of(frame, callables)
        return Origin(folders, _known(folders))
    except SpecError as error:
        return Origin((), "", error.message)


def _caller() -> FrameType | None:
    """Whoever called a decorator: not a function of dpframe's, but a module of it while that is imported."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_name != "<module>" and _inside(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


def file_of_registration() -> str:
    """The file whose import registers something now, whoever wrote what it registers; empty where there is none."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_name != "<module>":
        frame = frame.f_back
    return frame.f_code.co_filename if frame is not None else ""


def as_function(thing: Any, name: str) -> Any:
    """What can be called as a function with a name, a module and a docstring: partials, NumPy's and objects have none.

    Raises
    ------
    SpecError
        For what can't be called.

    Examples
    --------
    >>> as_function(functools.partial(max, 1), "mine.max").__name__
    'max'
    >>> as_function(len, "mine.len") is len
    True
    """
    if not callable(thing):
        raise SpecError(f"{name!r} is a {type(thing).__name__}, which can't be called", fix="decorate a function")
    if isinstance(getattr(thing, "__module__", None), str) and hasattr(thing, "__qualname__"):
        return thing
    frame = _caller()
    inner = thing
    while isinstance(inner, functools.partial):
        inner = inner.func

    def called(*values: Any, **named: Any) -> Any:
        return thing(*values, **named)

    known = inner if inspect.isroutine(inner) or isinstance(inner, type) else type(inner)
    called.__name__ = called.__qualname__ = str(getattr(inner, "__name__", known.__name__))
    called.__module__ = str(frame.f_globals.get("__name__", "__main__")) if frame is not None else "__main__"
    told = (inner, type(inner).__call__, type(inner))
    called.__doc__ = next((doc for part in told if (doc := getattr(part, "__doc__", None))), None)
    called.__wrapped__ = thing  # type: ignore[attr-defined]  # its signature is asked for there
    return called


def _inside(file: str) -> bool:
    return Path(file).resolve().is_relative_to(_HERE)


def folders_of(frame: FrameType | None, callables: Iterable[Any]) -> tuple[Path, ...]:
    """The folders of a plugin: of its file, of functions, and of what it has imported that is not installed.

    Raises
    ------
    SpecError
        For a plugin that is in no file: what it is could not be named in a certificate.
    """
    file = frame.f_code.co_filename if frame is not None else ""
    if frame is None or not os.path.isfile(file):
        raise _nowhere()
    found = [_folder(file)]
    others = [*(f for c in callables for f in _files(c)), *_imported(frame.f_globals, set())]
    found += [_folder(other) for other in others if not _installed(other)]
    return tuple(dict.fromkeys(found))


def _nowhere() -> SpecError:
    return SpecError(
        "what a plugin registers stands in a file, so that a certificate can name it by its digest",
        fix="put it into a .py file of a folder of its own, and use --plugins or import it",
    )


def _folder(file: str) -> Path:
    """The folder of a file, or of the outermost package it is in; links are kept as they are.

    What a link names is read through it, so its bytes are covered; what stands beside it where it points to is not what
    Python imports beside it.
    """
    folder = Path(os.path.abspath(file)).parent
    if folder.resolve() in _places():
        return folder / Path(file).name  # an installed module that is one file
    while (folder / "__init__.py").is_file() and (folder.parent / "__init__.py").is_file():
        folder = folder.parent
    return folder


@functools.cache
def _places() -> tuple[Path, ...]:
    """Python's own folders: of this environment, of the one below it, of the distribution, and of the user."""
    kept = ("stdlib", "platstdlib", "purelib", "platlib")
    found = {path for key, path in sysconfig.get_paths().items() if key in kept}
    found.update(site.getsitepackages([sys.prefix, sys.base_prefix]))
    if site.ENABLE_USER_SITE:
        found.add(site.getusersitepackages())
    return tuple({Path(path).resolve() for path in found})


@functools.cache
def _installed(file: str) -> bool:
    path = Path(file).resolve()
    return _inside(file) or any(path.is_relative_to(place) for place in _places())


def _files(thing: Any) -> Iterator[str]:
    """Files of a function, of what it wraps, and of what is bound to it."""
    if isinstance(thing, functools.partial):
        for part in (thing.func, *thing.args, *thing.keywords.values()):
            yield from _files(part)
        return
    if not callable(thing):
        return
    if isinstance(thing, FunctionType) and not os.path.isfile(thing.__code__.co_filename):
        raise _nowhere()
    for part in (thing, getattr(thing, "__wrapped__", None), getattr(thing, "__func__", None), type(thing)):
        try:
            file = inspect.getfile(part) if part is not None else ""
        except (TypeError, OSError):
            continue
        if os.path.isfile(file):
            yield file
    if getattr(thing, "__wrapped__", None) is not None:
        yield from _files(thing.__wrapped__)


def _imported(names: Mapping[str, Any], seen: set[str]) -> Iterator[str]:
    """Files of the modules that a module imports, or has things of, and of theirs, where nothing installed them."""
    for value in list(names.values()):
        module = value if isinstance(value, ModuleType) else sys.modules.get(getattr(value, "__module__", None) or "")
        name, file = getattr(module, "__name__", ""), getattr(module, "__file__", None)
        if not file or name in seen or name.partition(".")[0] in SHIPPED or _installed(file):
            continue
        seen.add(name)
        if os.path.isfile(file):
            yield file
        yield from _imported(vars(module), seen)


@functools.cache
def _known(folders: tuple[Path, ...]) -> str:
    """The digest of folders when the first thing of them was registered."""
    return digest_of(*folders)


def digest_of(*folders: Path) -> str:
    """SHA-256 of every file of some folders by its name, with the version of dpframe.

    Raises
    ------
    SpecError
        For more than a plugin's folder may hold, or a link to another folder, whose files it would not cover.
    """
    lines, total = [f"dpframe {VERSION}"], 0
    for number, folder in enumerate(folders):
        lines += [f"folder {number}"] if number else []
        for path in _covered(folder):
            content = path.read_bytes()
            total += len(content)
            lines.append(f"{os.path.relpath(path, folder)!r} {sha256(content)}")
            if total > MOST_BYTES or len(lines) > MOST_FILES:
                raise _uncovered(folder, "more than a plugin's own files")
    return hashlib.sha256("\n".join(lines).encode(errors="surrogateescape")).hexdigest()


def _uncovered(folder: Path, why: str) -> SpecError:
    return SpecError(
        f"plugin folder {str(folder)!r} holds {why}, so a digest can't cover it",
        fix="put the plugin into a folder of its own",
    )


def _covered(folder: Path) -> Iterator[Path]:
    """Every file of a folder, in order; of folders that tools keep, what Python can import."""
    if folder.is_file():
        yield folder
        return
    suffixes = tuple(importlib.machinery.all_suffixes())
    for place, folders, names in os.walk(folder):
        linked = [name for name in sorted(folders) if os.path.islink(os.path.join(place, name))]
        if linked:
            raise _uncovered(folder, f"a link to another folder, {linked[0]!r}")
        folders.sort()
        inside = Path(place).relative_to(folder).parts
        passing = any(part in PASSING for part in inside)
        for name in sorted(names):
            # what Python keeps beside a source it does not read again: kernel/finding.py compiles plugins anew
            cached = name.endswith(".pyc") and inside[-1:] == (CACHED,)
            path = Path(place, name)
            if not cached and (not passing or name.endswith(suffixes)) and path.is_file():
                yield path


# --------------------------------------------------------------------------------- what is registered

PLACES: dict[tuple[str, str], str] = {}
"""The file that registers each thing, by kind and name."""
ORIGINS: dict[tuple[str, str], Origin] = {}
"""Where each semimetric, mask, family, learner and row function comes from, by kind and name."""


def changed(origin: Origin) -> bool:
    """Whether files are others than when they were loaded."""
    return bool(origin.folders) and digest_of(*origin.folders) != origin.digest
