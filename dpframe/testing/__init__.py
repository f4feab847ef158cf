"""The verification kit: attacks on everything that is registered, ours or a plugin's.

:func:`check_operation` runs the contract battery on one operation, with no further files.
:func:`parametrize_registry` makes a pytest table of the whole registry. :func:`audit`, :func:`audit_plan` and
:func:`audit_canaries` bound the real loss of what is registered, of a plan, and of a plan on a table of yours;
:func:`audit_samples` and :func:`audit_sampler` that of anything, from its outcomes alone.
Hypothesis strategies are in :mod:`dpframe.testing.battery.strategies` and need ``dpframe[test]``; nothing else does.

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
    from dpframe.testing.audit.audits import audit
    from dpframe.testing.audit.canaries import Canary, audit_canaries
    from dpframe.testing.audit.plan_audit import audit_plan
    from dpframe.testing.audit.samples import audit_sampler, audit_samples
    from dpframe.testing.battery.attacks import check_file, check_operation, parametrize_registry
    from dpframe.testing.battery.case import Case
    from dpframe.testing.battery.findings import Finding
    from dpframe.testing.battery.reporting import Failure, Report

_HOMES = {
    "Canary": "dpframe.testing.audit.canaries",
    "Case": "dpframe.testing.battery.case",
    "Failure": "dpframe.testing.battery.reporting",
    "Finding": "dpframe.testing.battery.findings",
    "Report": "dpframe.testing.battery.reporting",
    "audit": "dpframe.testing.audit.audits",
    "audit_canaries": "dpframe.testing.audit.canaries",
    "audit_plan": "dpframe.testing.audit.plan_audit",
    "audit_sampler": "dpframe.testing.audit.samples",
    "audit_samples": "dpframe.testing.audit.samples",
    "check_file": "dpframe.testing.battery.attacks",
    "check_operation": "dpframe.testing.battery.attacks",
    "parametrize_registry": "dpframe.testing.battery.attacks",
}

__all__ = [
    "Canary",
    "Case",
    "Failure",
    "Finding",
    "Report",
    "audit",
    "audit_canaries",
    "audit_plan",
    "audit_sampler",
    "audit_samples",
    "check_file",
    "check_operation",
    "parametrize_registry",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
