"""``dpframe check NAME_OR_FILE``: the contract battery from the command line.

Exit codes: 0 nothing was refuted · 1 refuted, with the smallest counterexample; with ``--strict`` also where something
was not attacked · 2 wrong usage, which the command line reports. What was not attacked is named with the reason.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from dpframe.errors import DpframeError
from dpframe.testing.battery.attacks import check_file, check_operation
from dpframe.testing.battery.reporting import Report

HOLDS, REFUTED, USAGE = 0, 1, 2


def main(name: str, *, as_json: bool = False, thorough: bool = False, strict: bool = False) -> int:
    """Attack what is named and print what was found.

    Parameters
    ----------
    name : str
        A registered operation or function, or the path of a plugin's ``.py`` file.
    as_json : bool
        Print one JSON object.
    thorough : bool
        Search for up to half a minute an operation.
    strict : bool
        Count what was not attacked as refuted.

    Returns
    -------
    int
        0 if nothing was refuted, else 1.

    Raises
    ------
    SpecError
        For a name that nothing has, or a file that can't be imported or adds nothing.
    """
    is_file = name.endswith(".py") or _there(name)
    reports = check_file(Path(name), thorough=thorough) if is_file else [check_operation(name, thorough=thorough)]
    holds = all(r.holds for r in reports)
    sys.stdout.write(_json(name, holds, reports) if as_json else _text(reports))
    missed = strict and any(r.skipped for r in reports)
    return HOLDS if holds and not missed else REFUTED


def _there(name: str) -> bool:
    try:
        return Path(name).is_file()
    except OSError:  # too long for a name
        return False


def _json(name: str, holds: bool, reports: Sequence[Report]) -> str:
    missed = [{"name": r.name, "why": why} for r in reports for why in r.skipped]
    operations = [r.to_json() for r in reports]
    answer = {"checked": name, "holds": holds, "not_attacked": missed, "operations": operations}
    return json.dumps(answer, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _text(reports: Sequence[Report]) -> str:
    return "".join(f"{report}\n" for report in reports)


def command(words: Sequence[str] | None = None) -> int:
    """``python -m dpframe.testing.battery.check NAME_OR_FILE [--json] [--thorough] [--strict]``."""
    parser = argparse.ArgumentParser(prog="dpframe.testing.battery.check", allow_abbrev=False)
    parser.add_argument("name", metavar="NAME_OR_FILE")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--thorough", action="store_true")
    parser.add_argument("--strict", action="store_true")
    arguments = parser.parse_args(words)
    try:
        return main(arguments.name, as_json=arguments.json, thorough=arguments.thorough, strict=arguments.strict)
    except DpframeError as error:
        sys.stderr.write(f"dpframe: {error}\n")
        return USAGE


if __name__ == "__main__":
    sys.exit(command())
