"""What each command does; the parser and the exit codes for errors are in :mod:`dpframe.cli`."""

from __future__ import annotations

import importlib.resources
import json
import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from dpframe.cli.saying import answer, complaint, flush, hush, say
from dpframe.errors import DpframeError, SpecError
from dpframe.front.specs.docstrings import summary
from dpframe.kernel import registry
from dpframe.kernel.operations import Operation

OK, NOT_VERIFIED, REFUSED, FAILED = 0, 1, 2, 3


# --------------------------------------------------------------------------------------------- ops


def ops(arguments: Namespace) -> int:
    """List what is registered, or say all that is known of one thing."""
    if arguments.name is not None:
        from dpframe.cli.describing import as_text, describe

        named = [row for row in _registered() if row["name"] == arguments.name]
        of = [row for row in named if arguments.kind in (None, row["kind"])]
        if named and not of:
            own = " and ".join(str(row["kind"]) for row in named)
            raise SpecError(f"{arguments.name!r} is no {arguments.kind}", fix=f"--kind {own}, or none")
        one = describe(arguments.name, lambda name: next(iter(of), None))
        one |= {"also": [row["kind"] for row in of[1:]]} if len(of) > 1 else {}
        answer(json.dumps(one, indent=1, ensure_ascii=False) if arguments.json else as_text(one))
        if not arguments.json:
            _where_pages_are(as_text(one))
        return OK
    found = [row for row in _registered() if arguments.kind in (None, row["kind"])]
    if not found:
        kinds = sorted({str(row["kind"]) for row in _registered()})
        raise SpecError(f"nothing is registered of kind {arguments.kind!r}", fix=f"use one of {', '.join(kinds)}")
    if arguments.json:
        answer(json.dumps(found, indent=1, ensure_ascii=False))
        return OK
    keys = ("name", "kind", "level", "adjacency", "theorem")
    table = [{**{key: key for key in keys}, "summary": "what it does"}, *found]
    widths = {k: max(len(str(row[k] or "-")) for row in table) for k in keys}
    for row in table:
        cells = [str(row[k] or "-").ljust(w) for k, w in widths.items()]
        answer("  ".join([*cells, str(row["summary"])]).rstrip())
    return OK


def _where_pages_are(text: str) -> None:
    """Where the pages of docs/ are, for a text that names one."""
    from dpframe.cli.describing import pages

    if "docs/" in text:
        say(f"docs/ is installed as {pages()}")


def specs(arguments: Namespace) -> int:
    """List the shipped specs, or the keys of one."""
    from dpframe.cli.describing import as_text, describe_spec, listed

    found: Any = listed() if arguments.name is None else describe_spec(arguments.name)
    if arguments.json:
        answer(json.dumps(found, indent=1, ensure_ascii=False))
    elif arguments.name is not None:
        answer(as_text(found))
        _where_pages_are(as_text(found))
    else:
        width = max(len(row["name"]) for row in found)
        for row in found:
            answer(f"{row['name'].ljust(width)}  {row['title']}")
    return OK


def _registered() -> Iterator[dict[str, Any]]:
    """What ``ops`` lists; a composite takes the edits that its parts take, which a plan tells."""
    from dpframe.kernel.own.base import owned
    from dpframe.proof.theorems import DECLARATIONS, THEOREMS

    for name, operation in sorted(registry.operations().items()):
        yield {
            "name": name,
            "kind": operation.kind,
            "level": THEOREMS[operation.theorem].level,
            "adjacency": _adjacency(operation),
            "theorem": operation.theorem or None,
            "summary": summary(operation),
        }
    none: dict[str, Any] = {"level": None, "adjacency": "any", "theorem": None}
    for name, own in sorted(owned().items()):
        edits = "replace_one" if own.proved_for == ((1, 1),) else "any"
        cited = DECLARATIONS[own.operation].theorem
        told = {"level": THEOREMS[cited].level, "adjacency": edits, "theorem": own.source or cited}
        yield {"name": name, "kind": own.kind, **told, "summary": summary(own.function)}
    for name, function in sorted(registry.composites().items()):
        yield {"name": name, "kind": "composite", **none, "adjacency": None, "summary": summary(function)}
    for name, kind, function in sorted(registry.all_others(), key=lambda entry: entry[:2]):
        yield {"name": name, "kind": kind, **none, "summary": summary(function)}


class _Anything(Mapping[str, Any]):
    """Parameters for asking a theorem which edits it takes: 1 whatever the name."""

    def __getitem__(self, key: str) -> Any:
        return 1

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


def _adjacency(operation: type[Operation]) -> str:
    """Which single-row adjacency the theorem of a row operation accepts: asked, not listed by hand."""
    from dpframe.proof.spaces import ADJACENCIES
    from dpframe.proof.theorems import THEOREMS

    if operation.theorem == "index_partition":
        return "replace_one"
    cited = THEOREMS.get(operation.theorem)
    if cited is None or cited.kind not in ("stability", "sensitivity"):
        return "any"

    def takes(name: str) -> bool:
        try:
            for edits in ADJACENCIES[name].edits:
                cited.rule(_Anything(), ((edits,),))
        except DpframeError:
            return False
        return True

    able = [name for name in ADJACENCIES if takes(name)]
    return able[0] if len(able) == 1 else "any"


# ---------------------------------------------------------------------------------- plan and run


def plan(arguments: Namespace) -> int:
    """Check and price a spec; reads no data."""
    from dpframe.front.specs import load_spec
    from dpframe.planning.explain import doubts, plan_json, refusal_json

    try:
        spec = load_spec(arguments.spec, arguments.set)
        planned = spec.plan(allow_asserted=arguments.allow_asserted)
        if arguments.draw is not None:
            from dpframe.front.pages import draw_plan

            draw_plan(planned, arguments.draw, title=spec.title or spec.name, full=arguments.full or None)
    except DpframeError as error:
        if not arguments.json:
            raise
        answer(json.dumps(refusal_json(error), indent=1, ensure_ascii=False))
        say(complaint(error))
        return REFUSED
    told = json.dumps(plan_json(planned), indent=1, ensure_ascii=False) if arguments.json else None
    answer(planned.explain(full=arguments.full) if told is None else told)
    for doubt in doubts(planned):
        say(f"dpframe: {doubt}")
    return OK


def size(arguments: Namespace) -> int:
    """How many rows, or which ε, for an error; reads no data."""
    from dpframe.front.sizing import size as least
    from dpframe.front.specs import load_spec

    output, sign, text = arguments.error.partition("=")
    try:
        error = float(text)
    except ValueError:
        error = float("nan")
    if not sign or not output.strip():
        raise SpecError("--error takes OUTPUT=VALUE", fix="for example --error mixture=0.05")
    found = least(load_spec(arguments.spec, arguments.set), output.strip(), error, solve=arguments.solve)
    if arguments.json:
        answer(json.dumps(found.to_json(), indent=1, ensure_ascii=False))
        return OK
    expected = found.expected
    answer(
        f"{found.solve} = {found.value:.6g}: {expected.what} {expected.error:.4g}, predicted for {expected.instance}"
    )
    return OK


def run(arguments: Namespace) -> int:
    """Plan, then run into a folder."""
    from dpframe.cli.releasing import check_folder, named_folder, release
    from dpframe.front.ledger import open_ledger
    from dpframe.front.signing import signer as read_signer
    from dpframe.front.specs import load_spec, prepare, separated, tables_of
    from dpframe.planning.documents import as_spent
    from dpframe.planning.explain import doubts

    folder = named_folder(arguments.out)
    check_folder(folder)
    signer = None if arguments.sign is None else read_signer(arguments.sign)
    ledger = None if arguments.ledger is None else open_ledger(arguments.ledger)
    spec = load_spec(arguments.spec, arguments.set, public=arguments.public is not None)
    data, public = separated(arguments.data, arguments.public, delimiter=arguments.delimiter)
    tables_of(spec, data, public)
    spec, planned = prepare(spec, data, allow_asserted=arguments.allow_asserted)
    passes = max(planned.passes.values(), default=0)
    counted = "1 pass" if passes == 1 else f"{passes} passes"
    say(f"{spec.name}: will spend {_words(as_spent(planned.spent))}; {counted}")
    for doubt in (*doubts(planned), *planned.warnings):
        say(f"dpframe: {doubt}")
    done = release(
        spec,
        folder,
        data,
        public=public,
        simulate=arguments.simulate,
        planned=planned,
        ledger=ledger,
        signer=signer,
        on=arguments.on,
        debug=arguments.debug,
    )
    result = done.result
    try:
        if done.booking is not None:
            say(_booked(done.booking))
        if result.status == "failed":
            say(f"dpframe: the run failed after spending: {result.reason}. Advice: {result.advice}")
        else:
            word = "simulated (no release)" if result.simulated else "released"
            answer(f"{word}: {', '.join(result.outputs)} -> {done.result_file}")
            flush()
            if result.quality.verdict == "poor":
                say(f"dpframe: the result is poor: {result.quality.why}")
            elif result.quality.verdict in {judged.verdict for judged in result.judged.values()} - {"good"}:
                say(f"dpframe: whether the result is good is open: {result.quality.why}")
    except (OSError, ValueError):  # nobody listens: what was written stands
        hush(sys.stdout)
    return FAILED if result.status == "failed" else OK


def _booked(booking: Any) -> str:
    from dpframe.front.ledger import LedgerError

    try:
        return str(booking.words())
    except LedgerError as error:  # the run is done, and its reservation stands
        return complaint(error)


def _words(loss: Mapping[str, Any]) -> str:
    numbers = ", ".join(f"{k}={v:.6g}" for k, v in loss.items() if isinstance(v, float))
    unit = f" of a unit (rows of one {loss['unit']!r})" if "unit" in loss else ""
    return f"{numbers} under {loss['adjacency']}{unit}, by {loss['accountant']}"


# -------------------------------------------------------------------------------- data and report


def data(arguments: Namespace) -> int:
    """The public tables that ship with dpframe: their names, or where one of them is."""
    folder = Path(str(importlib.resources.files("dpframe") / "data"))
    tables = {path.stem: str(path) for path in sorted(folder.glob("*.parquet"))}
    if arguments.name is None:
        listed = "\n".join(f"{name}  {path}" for name, path in tables.items())
        answer(json.dumps(tables, indent=1, ensure_ascii=False) if arguments.json else listed)
        return OK
    if arguments.name not in tables:
        raise SpecError(f"no table {arguments.name!r} ships with dpframe", fix=f"use one of {', '.join(tables)}")
    path = tables[arguments.name]
    answer(json.dumps({arguments.name: path}, ensure_ascii=False) if arguments.json else path)
    return OK


def report(arguments: Namespace) -> int:
    """Draw what a run released and write a page about it, beside its files."""
    from dpframe.front.report import Files, write

    written = write(arguments.folder)
    for path in written:
        answer(str(path))
    if len(written) == 1 and Files.read(arguments.folder).model is not None:
        say("dpframe: no picture was drawn, matplotlib is not installed. Fix: pip install 'dpframe[report]'")
    return OK
