"""Libraries that a function imports when it is called first, which would be timed with it in every fork."""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
import sysconfig
from collections.abc import Callable, Iterable
from typing import Any

from dpframe.testing.battery import sizes
from dpframe.testing.battery.worlds import Lost, elsewhere

HOMES = tuple(
    os.path.join(os.path.realpath(path), "")
    for path in {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    if path
)
"""Where modules of Python and of what is installed lie."""


def load_libraries(function: Callable[..., Any], calls: Iterable[Callable[[], Any]]) -> list[str]:
    """Import here what these calls import in a fork, so that no fork pays for it again; the names of these modules.

    Python's own modules and installed ones only, and none of a package that the function's code stands in: what a
    plugin's own modules do when they are imported is part of a first call. What a library prints or starts when it is
    imported, it does in this process.

    Examples
    --------
    >>> load_libraries(len, [lambda: __import__("this_is_no_module")])
    []
    """
    try:
        names = elsewhere(lambda: _new(calls))
    except Lost:
        return []  # what ends its process is told by the attacks
    own = _own(function)
    loaded = [name for name in names if name.partition(".")[0] not in own]
    for name in loaded:
        with contextlib.suppress(Exception, SystemExit):
            importlib.import_module(name)
    return loaded


def _new(calls: Iterable[Callable[[], Any]]) -> list[str]:
    """Libraries that the calls import, in the order in which they came."""
    known = {*sys.modules}
    for call in calls:
        with contextlib.suppress(Exception, SystemExit):
            call()
    new = [(name, module) for name, module in [*sys.modules.items()] if name not in known]
    return [name for name, module in new if _installed(module)]


def _installed(module: Any) -> bool:
    file = getattr(module, "__file__", None)
    return isinstance(file, str) and os.path.realpath(file).startswith(HOMES)


def _own(function: Any) -> set[str]:
    """The outermost packages in whose files the function's code stands."""
    files = sizes.files(function)
    every = [*sys.modules.items()]
    homes = {name.partition(".")[0] for name, module in every if getattr(module, "__file__", None) in files}
    return homes | {str(getattr(function, "__module__", "")).partition(".")[0]}
