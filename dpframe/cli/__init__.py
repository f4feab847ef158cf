"""The command line: ``ops``, ``specs``, ``plan``, ``run``, ``verify``, ``report``, ``data``, ``ledger``, ``size``.

The testing room adds ``check`` and ``audit``.

Exit codes: 0 done · 1 not verified, or an error inside the program with nothing spent · 2 refused or wrong usage,
nothing spent · 3 failed after spending, for whatever cause · 130 interrupted.
"""

from __future__ import annotations

import argparse
import codecs
import contextlib
import errno
import importlib
import importlib.machinery
import importlib.util
import io
import math
import os
import sys
import traceback
import warnings
from collections.abc import Callable, Sequence
from typing import TypeVar

N = TypeVar("N", int, float)
INTERNAL, REFUSED, INTERRUPTED = 1, 2, 130
MODULES = {
    "check": "dpframe.testing.commands",
    "audit": "dpframe.testing.commands",
    "ledger": "dpframe.cli.ledgers",
    "verify": "dpframe.cli.verifying",
}
"""Where a command is, unless it is in ``dpframe.cli.commands``."""
PRIVATE = (
    "the private table: .npy, .csv, .csv.gz, .tsv, .parquet or .feather, a folder of .parquet files, or a quoted glob; "
    "a row with a missing or non-finite value in any column used is empty and counts for nothing, so choose "
    "columns with --set columns=a,b"
)
FULL = "dpframe: no space is left where it writes. Fix: make room there, or write elsewhere\n"
POSITIONAL = {f"--{name}" for name in ("command", "action", "given", "spec", "name", "certificate", "folder", "file")}
"""What a namespace holds besides options."""
LEAST_RUNS, MOST_RUNS, MOST_CANARIES = 10, 10**8, 1000


def main(words: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    Parameters
    ----------
    words : sequence of str, optional
        The arguments, those of the process by default.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # started with it closed
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115  for the process's life
    if isinstance(sys.stdout, io.TextIOWrapper):
        codecs.register_error("dpframe.spelt", _spelt)
        sys.stdout.reconfigure(errors="dpframe.spelt")
    try:
        parser = build_parser()
        arguments, rest = parser.parse_known_args(words)
        if rest:
            parser.error(_unknown(rest, arguments))
        return _guarded(arguments)
    except SystemExit as stop:  # argparse has said why
        return int(stop.code or 0)
    except KeyboardInterrupt:
        sys.stderr.write("dpframe: interrupted; a loss that attempt.json records counts as spent\n")
        return INTERRUPTED


def _unknown(words: Sequence[str], known: argparse.Namespace) -> str:
    """The message for words that no option takes, with the nearest option of the command."""
    import difflib

    options = {f"--{name.replace('_', '-')}" for name in vars(known)} - POSITIONAL
    near = [found for word in words for found in difflib.get_close_matches(word.partition("=")[0], options, 1)]
    return f"unrecognized arguments: {' '.join(words)}" + (f"; did you mean {near[0]}?" if near else "")


def _spelt(error: UnicodeError) -> tuple[str, int]:
    """Signs that stdout's encoding does not have, as JSON writes them, so that JSON stays what it was."""
    import json

    if not isinstance(error, UnicodeEncodeError):
        raise error
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end


def _guarded(arguments: argparse.Namespace) -> int:
    from dpframe.cli.saying import complaint, flush, hush, say
    from dpframe.errors import DpframeError

    if not arguments.debug:  # what NumPy remarks on may depend on private rows
        warnings.simplefilter("ignore")
    try:
        code = _command(arguments.command)(arguments)
        flush()
    except DpframeError as error:
        say(complaint(error))
        return REFUSED
    except BrokenPipeError:
        hush(sys.stdout)
        return INTERNAL
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # noqa: BLE001  the message could quote a private value, so only the type is shown
        full = isinstance(error, OSError) and error.errno == errno.ENOSPC
        if full:
            hush(sys.stdout)
        with contextlib.suppress(OSError):
            sys.stderr.write(FULL if full else _internal(error))
        if arguments.debug:
            traceback.print_exc()
        return INTERNAL
    return code


def _internal(error: BaseException) -> str:
    """Where it went wrong: in a plugin that was named, or in what calls it. No message of the error is quoted."""
    from dpframe.kernel.finding import USER

    frames = [(frame, line) for frame, line in traceback.walk_tb(error.__traceback__)]
    theirs = [place for place in frames if place[0].f_globals.get("__name__", "").startswith(USER)]
    frame, line = (theirs or frames)[-1]
    where = f"{type(error).__name__} at {os.path.basename(frame.f_code.co_filename)}:{line}"
    what = f"error in your plugin, {where}, in {frame.f_code.co_name}" if theirs else f"internal error, {where}"
    return f"dpframe: {what}; --debug shows more and may quote the table\n"


def _command(name: str) -> Callable[[argparse.Namespace], int]:
    def run(arguments: argparse.Namespace) -> int:
        from dpframe.kernel import registry

        if name not in ("verify", "report", "ledger"):
            registry.import_folders(arguments.plugins or ())
        module = MODULES.get(name, "dpframe.cli.commands")
        code: int = getattr(importlib.import_module(module), name)(arguments)
        return code

    return run


# ------------------------------------------------------------------------------------------ parser


class _Once(argparse.Action):
    """An option that may be given once only: of two tables or folders it would not be clear which was meant."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: object, option: str | None = None
    ) -> None:
        given = vars(namespace).setdefault("given", set())
        if option in given:
            parser.error(f"{option} is given twice; give it once")
        given.add(option)
        setattr(namespace, self.dest, values)


def build_parser() -> argparse.ArgumentParser:
    """The parser of all commands."""
    common = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS, allow_abbrev=False)
    _general(common, argparse.SUPPRESS)
    parser = argparse.ArgumentParser(
        prog="dpframe",
        description="Differentially private estimators, checked and priced before any data is read.",
        allow_abbrev=False,
    )
    _general(parser, None)
    parser.add_argument("--version", action="version", version=_version())
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def add(name: str, text: str) -> argparse.ArgumentParser:
        made = commands.add_parser(name, help=text, description=text, parents=[common], allow_abbrev=False)
        made.register("action", None, _Once)
        return made

    ops = _json(add("ops", "list what is registered, or describe one of it"))
    ops.add_argument("--kind", default=None, help="list one kind only: composite, mechanism, statistic, ...")
    ops.add_argument("name", metavar="NAME", nargs="?", default=None, help="an operation, a composite, a learner")
    specs = _json(add("specs", "list the shipped specs, or the keys of one"))
    specs.add_argument("name", metavar="NAME", nargs="?", default=None, help="a shipped spec, or a path")
    plan = _asserted(_spec(_json(add("plan", "check and price a spec; reads no data"))))
    plan.add_argument("--full", action="store_true", help="every step with its sensitivity and theorem; wide")
    plan.add_argument("--draw", default=None, metavar="FILE", help="also draw it: a .svg, .mmd (Mermaid) or .html file")
    _run(_asserted(_spec(add("run", "plan, then run into a folder"))))
    size = _spec(_json(add("size", "how many rows, or which epsilon, for an error; reads no data")))
    size.add_argument("--error", required=True, metavar="OUTPUT=VALUE", help="the error an output may have")
    size.add_argument("--solve", choices=("n", "epsilon"), default="n", help="what to find the least of")
    verify = _json(add("verify", "recompute a certificate's proof and digests"))
    verify.add_argument("certificate", metavar="CERT")
    verify.add_argument("--spec", metavar="S", help="the spec.toml of the run")
    verify.add_argument("--result", metavar="R", help="the result.json of the run")
    verify.add_argument("--strict", action="store_true", help="refuse what holds given assertions only")
    verify.add_argument("--key", metavar="PUB", help="a public Ed25519 key that certificate.sig beside it must fit")
    verify.add_argument("--replan", action="store_true", help="plan the spec again too, and compare the proofs")
    report = add("report", "draw what a run released, and write a page about it")
    report.add_argument("folder", metavar="DIR", help="the --out of a finished run")
    shipped = _json(add("data", "the public tables that ship with dpframe; with a name, the path of one"))
    shipped.add_argument("name", metavar="NAME", nargs="?", default=None)
    _ledger(add("ledger", "keep account of all runs on one table"), common)
    if _has_testing():
        check = _json(add("check", "attack an operation's contract"))
        check.add_argument("name", metavar="NAME_OR_FILE", nargs="?", default=None)
        check.add_argument("--all", action="store_true", help="everything that is registered, in a process a processor")
        check.add_argument("--thorough", action="store_true", help="more cases, more draws")
        check.add_argument("--strict", action="store_true", help="exit 1 where something was not attacked, too")
        _audit(_json(add("audit", "lower-bound the real loss")))
    return parser


def _general(parser: argparse.ArgumentParser, default: object) -> None:
    parser.add_argument(
        "--plugins", action="append", metavar="DIR", default=default, help="a folder of plugins; may be repeated"
    )
    parser.add_argument(
        "--debug",
        action="store_true",
        default=argparse.SUPPRESS if default is argparse.SUPPRESS else False,
        help="show tracebacks of internal errors; they may quote the table",
    )


def _json(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    parser.add_argument("--json", action="store_true", default=False, help="answer in JSON")
    return parser


def _spec(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    parser.add_argument("spec", metavar="SPEC", help="a path, or the name of a shipped spec or a composite")
    parser.add_argument("--set", action="append", metavar="K=V", default=[], help="set a key; may be repeated")
    return parser


def _asserted(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    parser.add_argument(
        "--allow-asserted",
        action="store_true",
        help="allow operations whose price is a plugin's word: see `dpframe ops`",
    )
    return parser


def _run(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", required=True, metavar="FILE", help=PRIVATE)
    parser.add_argument("--public", default=None, metavar="FILE", help="a public table, where the spec takes one")
    parser.add_argument(
        "--delimiter",
        default=None,
        metavar="SIGN",
        help="what separates the cells of .csv tables: comma, semicolon, tab or pipe",
    )
    parser.add_argument(
        "--on", default=None, metavar="ADDRESS", help="a Dask cluster that takes the passes: the same bits for a seed"
    )
    parser.add_argument("--out", required=True, metavar="DIR", help="where the files go; must hold no earlier attempt")
    parser.add_argument(
        "--ledger", default=None, metavar="FILE", help="the table's ledger, in which the run is entered"
    )
    parser.add_argument(
        "--sign", default=None, metavar="KEY", help="a private Ed25519 key: signs the certificate, in certificate.sig"
    )
    parser.add_argument(
        "--simulate",
        type=_seed,
        default=None,
        metavar="SEED",
        help="noise from a seed: for trying out, never a release",
    )


def _ledger(parser: argparse.ArgumentParser, common: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")

    def action(name: str, text: str) -> argparse.ArgumentParser:
        made = actions.add_parser(name, help=text, description=text, parents=[common], allow_abbrev=False)
        made.register("action", None, _Once)
        made.add_argument("file", metavar="FILE", help="the ledger")
        return made

    create = action("create", "make a ledger for one table; an existing file is refused")
    create.add_argument("--table", required=True, metavar="NAME", help="what you call the table")
    create.add_argument("--adjacency", required=True, choices=("replace_one", "add_remove"))
    create.add_argument(
        "--unit", default=None, metavar="COLUMN", help="protect a unit's rows together, not single ones"
    )
    create.add_argument("--epsilon", type=float, default=None, metavar="E")
    create.add_argument("--delta", type=float, default=None, metavar="D", help="beside --epsilon; 0 is pure DP")
    create.add_argument("--rho", type=float, default=None, metavar="R", help="a zCDP budget instead")
    create.add_argument(
        "--own-delta", type=float, default=None, metavar="D", help="the part of delta kept for mechanisms' own deltas"
    )
    more = action("add", "book what another tool spends on the table")
    more.add_argument("--event", required=True, metavar="JSON", help="an event as certificates write it")
    more.add_argument("--name", default="another tool", metavar="TEXT", help="what it is called in the ledger")
    _json(action("show", "what was booked, is spent and remains"))
    _json(action("verify", "check every entry against its certificate, and the total against the budget"))


def _audit(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME_OR_SPEC", nargs="+", help="a mechanism, a reduction, or a spec")
    parser.add_argument("--set", action="append", metavar="K=V", default=[], help="set a key; may be repeated")
    parser.add_argument("--data", default=None, metavar="FILE", help="a table of yours, in which canaries are put")
    parser.add_argument("--public", default=None, metavar="FILE", help="a public table, where the spec takes one")
    parser.add_argument(
        "--canaries", type=_whole(1, MOST_CANARIES), default=None, metavar="M", help="how many canaries to try"
    )
    parser.add_argument(
        "--runs", type=_whole(LEAST_RUNS, MOST_RUNS), default=None, metavar="R", help="samples or runs on each side"
    )
    parser.add_argument("--seconds", type=_duration, default=None, metavar="S", help="limit of a plan's runs on a side")
    parser.add_argument("--seed", type=_seed, default=0, metavar="SEED", help="of the simulated noise")
    parser.add_argument("--on", default=None, metavar="ADDRESS", help="a Dask cluster that takes a spec's runs' passes")
    parser.add_argument("--out", default=None, metavar="DIR", help="where a table and a picture go")


def _whole(least: int, most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        value = _number(int, text)
        if value is None or not least <= value <= most:
            raise argparse.ArgumentTypeError(f"a whole number from {least} to {most}, not {text!r}")
        return value

    return read


def _duration(text: str) -> float:
    value = _number(float, text)
    if value is None or not 0 < value < math.inf:
        raise argparse.ArgumentTypeError(f"a positive number of seconds, not {text!r}")
    return value


def _seed(text: str) -> int:
    value = _number(int, text)
    if value is None or value < 0:
        raise argparse.ArgumentTypeError(f"a seed is a whole number of at least 0, not {text!r}")
    return value


def _number(kind: Callable[[str], N], text: str) -> N | None:
    """A number written in plain digits, else None: argparse would only say "invalid" and name a function."""
    if "_" in text or not text.isascii():
        return None
    try:
        return kind(text)
    except ValueError:
        return None


def _version() -> str:
    from dpframe.version import VERSION

    return f"dpframe {VERSION}"


def _has_testing() -> bool:
    """Whether the testing room is there and has commands; found without importing it."""
    room = importlib.util.find_spec("dpframe.testing")
    if room is None or room.submodule_search_locations is None:
        return False
    inside = importlib.machinery.PathFinder.find_spec("dpframe.testing.commands", room.submodule_search_locations)
    return inside is not None
