"""A tour in a minute: ``python -m dpframe.cli.demo --out DIR``.

Plans the shipped spec ``flights``, prints its ledger, learns four kinds of flights from the packaged public table,
verifies the certificate and draws the released model.
"""

from __future__ import annotations

import argparse
import importlib.resources
import sys
from collections.abc import Sequence
from pathlib import Path


def main(words: Sequence[str] | None = None) -> int:
    """Run the tour; 0 done, 1 not verified, 2 refused, 3 failed after spending."""
    parser = argparse.ArgumentParser(prog="python -m dpframe.cli.demo", description="A tour of dpframe in a minute.")
    parser.add_argument("--out", required=True, metavar="DIR", help="where the files go; must hold no earlier attempt")
    parser.add_argument("--set", action="append", metavar="K=V", default=[], help="set a key of the spec flights")
    arguments = parser.parse_args(words)
    from dpframe.cli.saying import complaint, say
    from dpframe.errors import DpframeError

    try:
        return tour(Path(arguments.out), arguments.set)
    except DpframeError as error:
        say(complaint(error))
        return 2


def tour(folder: Path, settings: Sequence[str] = ()) -> int:
    """Plan, run, verify, draw; everything is printed and written into ``folder``."""
    from dpframe.cli.releasing import check_folder, release
    from dpframe.front.specs import load_spec, prepare

    check_folder(folder)
    with importlib.resources.as_file(importlib.resources.files("dpframe") / "data" / "flights.parquet") as table:
        spec, plan = prepare(load_spec("flights", settings), table)
        _head(f"1. The plan: {spec.n} flights, columns {', '.join(spec.columns or ())}. No row was read yet.")
        _tell(plan.explain())
        _head(f"2. The run: {max(plan.passes.values(), default=0)} passes over the table")
        done = release(spec, folder, table, planned=plan)
    if done.result.status == "failed":
        _tell(f"failed after spending: {done.result.reason}. Advice: {done.result.advice}")
        return 3
    return _show(folder)


def _show(folder: Path) -> int:
    from dpframe.front.report import Files, table, write

    files = Files.read(folder)
    model = files.model
    if model is not None:
        _tell(table(model, files.columns(model.d)))
    _head("3. The certificate")
    _tell("verified" if files.verdict.verified else "not verified: " + "; ".join(files.verdict.reasons))
    drawn = write(folder)
    if not any(path.suffix == ".png" for path in drawn):
        _tell("no picture: it needs matplotlib, pip install 'dpframe[report]'")
    _head("4. The files")
    for path in sorted(folder.iterdir()):
        _tell(f"{path}  {_WHAT.get(path.name, '')}".rstrip())
    return 0 if files.verdict.verified else 1


_WHAT = {
    "attempt.json": "the loss reserved, written before the first pass",
    "spec.toml": "the spec as it ran, every number written out",
    "certificate.json": "the proof: dpframe verify recomputes it",
    "result.json": "the released model",
    "model.png": "the released model, drawn",
    "report.html": "ledger, model and picture on one page",
}


def _head(text: str) -> None:
    _tell(f"\n{text}\n")


def _tell(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    raise SystemExit(main())
