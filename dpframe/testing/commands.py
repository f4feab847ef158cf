"""The commands ``dpframe check`` and ``dpframe audit``, as the command line calls them."""

from __future__ import annotations

from argparse import Namespace
from importlib import import_module


def check(arguments: Namespace) -> int:
    """Attack an operation's contract: 0 holds, 1 refuted."""
    code: int = import_module("dpframe.testing.check").main(
        arguments.name, as_json=arguments.json, thorough=getattr(arguments, "thorough", False)
    )
    return code


def audit(arguments: Namespace) -> int:
    """Lower-bound the real loss: 0 within the claim, 1 above it."""
    code: int = import_module("dpframe.testing.audits").main(arguments.name, as_json=arguments.json)
    return code
