"""The errors a user can meet. Each message names what, where and the fix.

Examples
--------
>>> raise PlanError("node 'mean': input is unbounded", fix="add dp.clip(...) before it")
Traceback (most recent call last):
    ...
dpframe.errors.PlanError: node 'mean': input is unbounded. Fix: add dp.clip(...) before it
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class DpframeError(Exception):
    """Base of every error dpframe raises on purpose.

    Parameters
    ----------
    message : str
        What is wrong and where (node, key, file and line).
    fix : str, optional
        The smallest change that mends it.
    """

    def __init__(self, message: str, *, fix: str | None = None) -> None:
        self.message = message
        self.fix = fix
        super().__init__(f"{message.rstrip('.')}. Fix: {fix}" if fix else message)


class DomainError(DpframeError):
    """A value is not in the domain it was declared to be in."""


class PlanError(DpframeError):
    """The graph does not pass a static check; nothing was read or spent."""


class BudgetError(PlanError):
    """The graph is sound but costs more than the budget."""


class SpecError(DpframeError):
    """A specification, a key or a parameter is malformed."""


class DataError(DpframeError):
    """A table is malformed or does not fit the plan; nothing was spent."""


class RunError(DpframeError):
    """A run failed after the reserved loss was put on record."""


class ChangedError(RunError):
    """A table is not what it was when it was checked, or when an earlier pass read it."""


class CertificateError(DpframeError):
    """A certificate is malformed, inconsistent or does not belong to its files."""


def nearest(word: str, known: Iterable[str], otherwise: str = "", *, cutoff: float = 0.6) -> str:
    """The hint for an unknown word: the nearest known one, if it is near enough, else ``otherwise`` or all of them.

    Examples
    --------
    >>> nearest("SUME", ["sum", "gram"]), nearest("x", ["sum", "gram"])
    ("did you mean 'sum'?", 'known: gram, sum')
    """
    names = sorted(known)
    folded = {name.casefold(): name for name in reversed(names)}
    near = difflib.get_close_matches(word.casefold(), folded, 1, cutoff)
    return f"did you mean {folded[near[0]]!r}?" if near else otherwise or f"known: {', '.join(names) or 'none'}"
