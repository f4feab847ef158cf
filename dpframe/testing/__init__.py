"""The verification kit: attacks on everything that is registered, ours or a plugin's.

:func:`check_operation` runs the contract battery on one operation, with no further files.
:func:`parametrize_registry` makes a pytest table of the whole registry. Hypothesis strategies are in
:mod:`dpframe.testing.strategies` and need ``dpframe[test]``; nothing else here does.

Examples
--------
>>> from dpframe import testing
>>> testing.check_operation("count").holds
True
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dpframe.testing.battery import check_file, check_operation, parametrize_registry
    from dpframe.testing.cases import Case
    from dpframe.testing.reporting import Failure, Report

_HOMES = {
    "Case": "dpframe.testing.cases",
    "Failure": "dpframe.testing.reporting",
    "Report": "dpframe.testing.reporting",
    "check_file": "dpframe.testing.battery",
    "check_operation": "dpframe.testing.battery",
    "parametrize_registry": "dpframe.testing.battery",
}

__all__ = ["Case", "Failure", "Report", "check_file", "check_operation", "parametrize_registry"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
