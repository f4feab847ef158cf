"""How plugins are found: the kernel's own folders, the installed ``dpframe_plugins``, entry points, explicit folders.

What an entry point names, or a file in a folder, may say ``DPFRAME_API = 1``, the version of :mod:`dpframe.plugin` it
was written for: another version is refused by name, none is taken as 1.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import importlib.util
import os
import pkgutil
import re
import sys
import traceback
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import Any

import numpy as np

from dpframe.errors import DpframeError, SpecError

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
USER = "dpframe_user_plugins_"
"""Begins the names of modules of plugins that a user named explicitly."""
PLUGINS, SPECS = "dpframe_plugins", "dpframe_specs"
_WORDS = "register|composite|learner|row_function|post_function|semimetric|mask|family|own_\\w+"
_DECORATOR = re.compile(rf"""^[ ]*@?(?:\w+\.)*(?:{_WORDS})\(\s*["']([^"'\n]+)["']""", re.MULTILINE)
_found: set[str] = set()


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


@functools.cache
def spec_names() -> frozenset[str]:
    """Names of the shipped specs. Nothing that a user registers may have one of them, since runs look up names."""
    spec = importlib.util.find_spec(SPECS)
    places = (spec.submodule_search_locations or ()) if spec is not None else ()
    return frozenset(path.stem for place in places for path in Path(place).glob("*.toml"))


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


def import_owners(name: str) -> None:
    """Import the modules whose text registers a name."""
    for module in owners().get(name, ()):
        importlib.import_module(module)


def _check_api(point: Any, loaded: object) -> None:
    """Refuse an entry point that was written for another version of :mod:`dpframe.plugin`.

    ``DPFRAME_API`` stands in what the entry point names, or in the module of a class or function it names.
    """
    module = sys.modules.get(str(getattr(loaded, "__module__", "")))
    declared = getattr(loaded, API_NAME, getattr(module, API_NAME, API))
    package = point.dist.name if point.dist is not None else point.value
    _check_written_for(declared, f"plugin {point.name!r} of {package}", package)


def _check_written_for(declared: object, plugin: str, source: str) -> None:
    if type(declared) is not int or declared != API:
        raise SpecError(
            f"{plugin} is written for {API_NAME} = {declared!r}; this dpframe has {API}",
            fix=f"install a version of {source} for {API_NAME} = {API}, or remove it",
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


class _FromSource(SourceFileLoader):
    """Compiles a plugin from its source, not from what is kept beside it: what a digest covers is what runs."""

    def get_code(self, fullname: str) -> CodeType:
        """Compile the file as it stands now; Python's cached bytecode is not looked at."""
        path = self.get_filename(fullname)
        code: CodeType = self.source_to_code(self.get_data(path), path)
        return code


class _Beside:
    """Finds what a plugin's package imports of itself, to be compiled from source too."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: Any = None) -> ModuleSpec | None:
        """Find a module inside the package of a plugin that a user named explicitly; of any other say None."""
        if path is None or not name.startswith(USER):
            return None
        for place in path:
            found = FileFinder(place, (_FromSource, SOURCE_SUFFIXES)).find_spec(name)
            if found is not None and found.loader is not None:
                return found
        return None


def import_file(path: Path) -> None:
    """Import one plugin file that the user named explicitly; of a package whose modules import one another, as such."""
    key = str(path.resolve())
    if key in _found:
        return
    name = _user_name(path)
    loader = _FromSource(name, os.path.abspath(path)) if path.suffix in SOURCE_SUFFIXES else None
    spec = importlib.util.spec_from_file_location(name, path, loader=loader) if loader is not None else None
    if loader is None or spec is None or spec.loader is None:
        raise SpecError(f"{str(path)!r} is not a Python file", fix="name a .py file")
    if _Beside not in sys.meta_path:
        sys.meta_path.insert(0, _Beside)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        with np.errstate(), contextlib.redirect_stdout(sys.stderr):  # what it tells NumPy, and prints, ends here
            spec.loader.exec_module(module)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001  whatever a user's file raises is named in one line
        sys.modules.pop(name, None)
        if isinstance(error, ImportError) and "relative import" in str(error) and _import_inside(path):
            _found.add(key)
            return
        raise _refused(path, error, loader.path) from None
    _check_written_for(getattr(module, API_NAME, API), f"plugin {str(path)!r}", "it")
    _found.add(key)


def _refused(path: Path, error: BaseException, file: str) -> DpframeError:
    """What a user is told of a plugin file whose import raised an error: the file, the line and the error."""
    place = f"{str(path)!r}{_line(error, file)}"
    if isinstance(error, DpframeError):
        return type(error)(f"plugin {place}: {error.message}", fix=error.fix)
    absent = isinstance(error, ModuleNotFoundError)
    fix = "install it, or put it where Python finds it (PYTHONPATH)" if absent else None
    return SpecError(f"plugin {place} can't be imported: {_told(error)}", fix=fix)


def _user_name(path: Path) -> str:
    """The name of the module of a plugin's file."""
    stem = path.parent.name if path.name == "__init__.py" else path.stem
    return f"{USER}{abs(hash(str(path.resolve()))):x}_{stem}"


def _import_inside(path: Path) -> bool:
    """Import a file as a module of the outermost package it is in, if it is in one."""
    home, inside = path.absolute().parent, [path.stem]
    if not (home / "__init__.py").is_file() or path.name == "__init__.py":
        return False
    while (home.parent / "__init__.py").is_file():
        inside.insert(0, home.name)
        home = home.parent
    import_file(home / "__init__.py")
    module = ".".join((_user_name(home / "__init__.py"), *inside))
    try:
        importlib.import_module(module)
    except (DpframeError, KeyboardInterrupt):
        raise
    except BaseException as error:  # noqa: BLE001  as above
        raise SpecError(f"plugin {str(path)!r} can't be imported: {_told(error)}") from None
    return True


def _line(error: BaseException, file: str) -> str:
    """The line of a file at which an error was raised, in words; empty where it is none of its lines."""
    lines = [line for frame, line in traceback.walk_tb(error.__traceback__) if frame.f_code.co_filename == file]
    return f", line {lines[-1]}" if lines else ""


def _told(error: BaseException) -> str:
    """Type and text of what a plugin raised; the type alone where its text can't be made."""
    try:
        if isinstance(error, SystemExit):
            return f"it ended Python with {error.code!r}"
        return f"{type(error).__name__}: {error}"
    except Exception:  # noqa: BLE001  its words are a plugin's code too
        return type(error).__name__


def user_files() -> list[str]:
    """Plugin files that were imported because a user named them."""
    return sorted(key for key in _found if key.endswith(".py"))
