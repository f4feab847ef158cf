"""Ledgers: what all runs on one table cost together, kept so that the total is never exceeded.

:mod:`~dpframe.front.ledger.filters` is the arithmetic and :mod:`~dpframe.front.ledger.store` the file. Proof of both:
``docs/theory/ledger.md``. The guarantee of one run does not rest on anything here; that of all runs together does.
"""

from dpframe.front.ledger.booking import Booking
from dpframe.front.ledger.filters import Charge, Filter, make_filter
from dpframe.front.ledger.session import Session
from dpframe.front.ledger.state import Entry, State
from dpframe.front.ledger.store import Ledger, LedgerError, create_ledger, new_key, open_ledger

__all__ = [
    "Booking",
    "Charge",
    "Entry",
    "Filter",
    "Ledger",
    "LedgerError",
    "Session",
    "State",
    "create_ledger",
    "make_filter",
    "new_key",
    "open_ledger",
]
