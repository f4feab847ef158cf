"""What all fits of an estimator and of its clones have spent, together."""

from __future__ import annotations

import math
import threading
from collections.abc import Mapping, Sequence
from typing import Any

from dpframe.front.ledger import Ledger, Session, open_ledger

NOTE = "covers the fits, not the selection or the scores"
ELSEWHERE = "copies went to other processes, whose fits are not counted here: give ledger=FILE, which counts them"
NUMBERS = ("epsilon", "delta", "rho", "mu")


def as_ledger(given: Any) -> Ledger | None:
    """A ledger from what ``ledger=`` was given: a path, a ledger or a session's."""
    if given is None or isinstance(given, Ledger):
        return given
    return given.ledger if isinstance(given, Session) else open_ledger(given)


class Account:
    """The fits of a family: an estimator, its clones and copies. Entries are added and never taken back.

    Notes
    -----
    *Formal guarantees.* The total adds up ε and δ (or ρ) of all entries: basic composition, which holds however each
    fit was chosen, for as many fits as were made. A tighter total, and a limit, are what a ledger is for.
    """

    def __init__(self, entries: Sequence[dict[str, Any]] = (), *, family: bool = False, apart: bool = False) -> None:
        self.entries = list(entries)
        self.family = family
        self.apart = apart
        self._lock = threading.Lock()

    def enter(self, spent: Mapping[str, Any]) -> None:
        """Add a fit. From here on it counts, whatever happens."""
        with self._lock:
            self.entries.append(dict(spent))

    def __deepcopy__(self, memo: Any) -> Account:
        self.family = True
        return self

    __copy__ = lambda self: self.__deepcopy__(None)  # noqa: E731

    def __reduce__(self) -> Any:
        self.family = self.apart = True
        return _read, (list(self.entries),)

    @property
    def total(self) -> dict[str, Any]:
        """Adjacency, accountant and the loss of all fits together."""
        if len(self.entries) == 1:
            found = dict(self.entries[0])
        else:
            first = self.entries[0]
            alike = all(e.keys() == first.keys() and _whom(e) == _whom(first) for e in self.entries)
            found = {**(_whom(first) if alike else {"adjacency": "mixed"}), "accountant": "basic"}
            forms = [name for name in NUMBERS if name in first] if alike and "mu" not in first else ["epsilon"]
            found |= {name: _sum([e[name] for e in self.entries]) if alike and name in first else math.inf
                      for name in forms}  # fmt: skip
        notes = [NOTE] * (self.family or len(self.entries) > 1) + [ELSEWHERE] * self.apart
        return found | {"fits": len(self.entries)} | ({"note": "; ".join(notes)} if notes else {})


def _whom(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Whom an entry protects: the adjacency, and the unit where that is not the row."""
    return {name: entry[name] for name in ("adjacency", "unit", "unit_rows") if name in entry}


def _read(entries: list[dict[str, Any]]) -> Account:
    return Account(entries, family=True, apart=True)


def _sum(values: Sequence[float]) -> float:
    """A sum, rounded up."""
    return math.nextafter(math.fsum(values), math.inf)
