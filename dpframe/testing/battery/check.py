"""``dpframe check NAME_OR_FILE``: the contract battery from the command line.

Exit codes: 0 holds · 1 refuted, with the smallest counterexample · 2 wrong usage, which the command line reports.
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


def main(name: str, *, as_json: bool = False, thorough: bool = False) -> int:
    """Attack what is named and print what was found.

    Parameters
    ----------
    name : str
        A registered operation or function, or the path of a plugin's ``.py`` file.
    as_json : bool
        Print one JSON object.
    thorough : bool
        Search for up to half a minute an operation.

    Returns
    -------
    int
        0 if everything holds, else 1.

    Raises
    ------
    SpecError
        For a name that nothing has, or a file that can't be imported or adds nothing.
    """
    is_file = name.endswith(".py") or _there(name)
    reports = check_file(Path(name), thorough=thorough) if is_file else [check_operation(name, thorough=thorough)]
    holds = all(r.holds for r in reports)
    sys.stdout.write(_json(name, holds, reports) if as_json else _text(reports))
    return HOLDS if holds else REFUTED


def _there(name: str) -> bool:
    try:
        return Path(name).is_file()
    except OSError:  # too long for a name
        return False


def _json(name: str, holds: bool, reports: Sequence[Report]) -> str:
    answer = {"checked": name, "holds": holds, "operations": [r.to_json() for r in reports]}
    return json.dumps(answer, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _text(reports: Sequence[Report]) -> str:
    return "".join(f"{report}\n" for report in reports)


def command(words: Sequence[str] | None = None) -> int:
    """``python -m dpframe.testing.battery.check NAME_OR_FILE [--json] [--thorough]``."""
    parser = argparse.ArgumentParser(prog="dpframe.testing.battery.check", allow_abbrev=False)
    parser.add_argument("name", metavar="NAME_OR_FILE")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--thorough", action="store_true")
    arguments = parser.parse_args(words)
    try:
        return main(arguments.name, as_json=arguments.json, thorough=arguments.thorough)
    except DpframeError as error:
        sys.stderr.write(f"dpframe: {error}\n")
        return USAGE


if __name__ == "__main__":
    sys.exit(command())
