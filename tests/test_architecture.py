"""The rules of docs/architecture.md that a parser can check, each with planted offenders it must catch."""

from __future__ import annotations

import ast
import importlib.resources
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MAX_LINES, MAX_TEST_LINES = 450, 400

# Imports go one way: a module may import from its own layer and from those before it.
LAYERS: tuple[frozenset[str], ...] = tuple(
    frozenset(layer.split())
    for layer in (
        "errors version hints shown proof kernel front",  # the last three are empty: modules follow
        "proof.roots proof.readers",
        "proof.spaces",
        "proof.losses",
        "proof.certificates",
        "proof.theorems",
        "proof.families",
        "proof.typed",
        "proof.checker",
        "kernel.indexing kernel.noise kernel.expected kernel.formulas kernel.shares kernel.proposals kernel.claiming",
        "kernel.exact kernel.silence",
        "kernel.operations kernel.post_processing",
        "kernel.finding kernel.foreign kernel.origins kernel.owned",
        "kernel.registry",
        "kernel.graphs kernel.quality",
        "kernel.mechanisms kernel.transforms kernel.statistics kernel.queries kernel.posts kernel.reductions",
        "kernel.families kernel.own",
        "runtime",
        "planning",
        "front.operators front.declarations front.delimiting front.columns front.handling front.constants",
        "front.tracing",
        "front.program",
        "front.bodies",
        "front.verbs",
        "front.files front.advisories front.signing front.handlers front.functions front.composites "  # noqa: ISC004
        "front.owning front.calls",
        "front.ledger front.pages front.pictures",
        "front.panels front.api",
        "plugin",
        "front.specs",
        "testing.learned testing.limits testing.ratios",
        "testing.estimation",
        "testing.battery",
        "testing.audit",
        "testing",
        "front.estimators front.report front.sizing",
        "cli __main__",
    )
)
RANK = {name: rank for rank, layer in enumerate(LAYERS) for name in layer}
# Names that others import, for the modules they stand for.
THIN = {
    "api": "front.api",
    "estimators": "front.estimators",
    "operations": "kernel.operations",
    "registry": "kernel.families",
    "spaces": "proof.spaces",
    "verification": "proof.checker",
}
# The checker recomputes a proof without the code that made it: numbers only.
PROOF = frozenset({"errors", "shown", *(name for name in RANK if name.startswith("proof."))})
ONLY = {"proof.checker": PROOF}
# Modules are found when one of their names is asked for: only here do lower modules name higher ones.
BY_NAME = frozenset({"kernel.finding"})
# `dpframe` itself names everything, so only what nothing else imports may import it.
FRONT_DOOR_FROM = RANK["testing"]

# A plugin is built from kernel operations: it draws no noise, runs nothing and touches no file. Of dpframe it imports
# one module, which says what stays.
PLUGIN_FACE = "dpframe.plugin"
FILE_MODULES = frozenset(
    "io os pathlib shutil tempfile glob fileinput mmap pickle marshal shelve sqlite3 csv logging subprocess "
    "multiprocessing socket urllib http requests pandas polars pyarrow joblib".split()
)
FILE_CALLS = frozenset("open exec eval compile __import__ print input".split())
FILE_METHODS = frozenset(
    "load save savez savez_compressed savetxt loadtxt genfromtxt fromfile tofile memmap open_memmap "
    "read_text read_bytes write_text write_bytes".split()
)

# What a test may not read: how long something takes is the machine's affair. `time.sleep` is none of them.
CLOCKS = frozenset(
    "perf_counter perf_counter_ns monotonic monotonic_ns process_time process_time_ns thread_time thread_time_ns "
    "time_ns clock_gettime clock_gettime_ns default_timer getrusage now utcnow today".split()
)

CLOCK_WORDS = re.compile(rf"\b({'|'.join(sorted({*CLOCKS, 'time', 'timeit'}))})\b")  # cheaper than a syntax tree

HEAVY = tuple("scipy.stats sklearn pandas polars matplotlib pyarrow dask cryptography hypothesis pytest".split())


NAMED = ".*"
DOCSTRING = re.compile(r'(#.*\n|\s)*r?"""\s*\S')
MODULE = re.compile(r"dpframe\.[a-z_]+(\.[a-z_]+)*")


def label(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def python_files(folder: str) -> list[Path]:
    return sorted(p for p in (ROOT / folder).rglob("*.py") if "/planted/" not in label(p.parent))


KERNEL, PLUGINS, TESTS = python_files("dpframe"), python_files("plugins"), python_files("tests")


def imports(tree: ast.AST, package: str) -> Iterator[tuple[int, str]]:
    """Every import of a module that lives in ``package``, wherever it stands, as (line, dotted name).

    ``from a import b`` gives ``a.b``, whether b is a module or not: layers look at the first parts only.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parents = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*parents, *filter(None, [node.module])])
            yield from ((node.lineno, f"{base}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and MODULE.fullmatch(node.value):
            yield node.lineno, f"{node.value}{NAMED}"  # the name of a module is there to be imported by


def room(dotted: str) -> str | None:
    """The room of dpframe a dotted name belongs to: "" for the front door, None outside dpframe."""
    first, _, rest = dotted.partition(".")
    if first != "dpframe":
        return None
    parts = rest.split(".")
    name = THIN.get(parts[0], parts[0])
    for known in (".".join(parts[:2]), name):
        if known in RANK:
            return known
    inside = ROOT / "dpframe" / parts[0]
    return rest if inside.is_dir() or inside.with_suffix(".py").exists() else ""


def wrong_imports(source: str, module: str, *, is_package: bool = False) -> list[str]:
    """What a module of dpframe imports against the order of the layers."""
    own = room(module)
    if own not in RANK:
        return [f"{module}: belongs to no layer; place it in LAYERS"] if own else []
    package = module if is_package else module.rpartition(".")[0]
    wrong = []
    for line, name in imports(ast.parse(source), package):
        target = room(name)
        if own in BY_NAME and name.endswith(NAMED):
            continue
        if name.partition(".")[0] in {"dpframe_plugins", "plugins"}:
            wrong.append(f"{module}:{line}: the kernel imports {name}")
        elif target == "" and RANK[own] < FRONT_DOOR_FROM:
            wrong.append(f"{module}:{line}: imports the front door ({name})")
        elif target and own in ONLY and target not in ONLY[own]:
            wrong.append(f"{module}:{line}: {own} may import only {sorted(ONLY[own])}, not {name}")
        elif target and RANK.get(target, len(LAYERS)) > RANK[own]:
            wrong.append(f"{module}:{line}: {own} imports {name}, which comes later")
    return wrong


def plugin_trespasses(source: str, module: str, *, is_package: bool = False) -> list[str]:
    """What a plugin imports or calls that only the kernel may."""
    tree, wrong = ast.parse(source), []
    for line, name in imports(tree, module if is_package else module.rpartition(".")[0]):
        kernel = room(name) is not None and not f"{name}.".startswith(f"{PLUGIN_FACE}.")
        if kernel or name.partition(".")[0] in FILE_MODULES:
            wrong.append(f"{module}:{line}: imports {name}")
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Name) and node.func.id in FILE_CALLS:
            wrong.append(f"{module}:{node.lineno}: calls {node.func.id}")
        elif isinstance(node.func, ast.Attribute) and node.func.attr in FILE_METHODS:
            wrong.append(f"{module}:{node.lineno}: calls {ast.unparse(node.func)}")
    return wrong


def assertions(source: str) -> list[int]:
    if "assert" not in source:
        return []
    return [node.lineno for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Assert)]


def clocks(source: str) -> list[int]:
    """Lines that read a clock, by whatever name it was imported."""
    if not CLOCK_WORDS.search(source):
        return []
    tree = ast.parse(source)
    read = {node.lineno for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr in CLOCKS}
    for line, name in imports(tree, ""):
        module, _, last = name.rpartition(".")
        if name.partition(".")[0] == "timeit" or (module == "time" and last in {*CLOCKS, "time", "*"}):
            read.add(line)
    aliases = {"time"} | {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.name == "time"
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr == "time" and ast.unparse(node.value) in aliases:
            read.add(node.lineno)
    return sorted(read)


def dotted(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    parts = ("dpframe_plugins", *parts[1:]) if parts[0] == "plugins" else parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@pytest.mark.parametrize("path", KERNEL, ids=label)
def test_imports_go_one_way(path: Path) -> None:
    assert wrong_imports(path.read_text(), dotted(path), is_package=path.stem == "__init__") == []


@pytest.mark.parametrize("path", PLUGINS, ids=label)
def test_plugins_are_built_from_kernel_operations(path: Path) -> None:
    assert plugin_trespasses(path.read_text(), dotted(path), is_package=path.stem == "__init__") == []


@pytest.mark.parametrize("path", [p for p in KERNEL + PLUGINS if "testing" not in p.parts], ids=label)
def test_no_check_vanishes_under_optimisation(path: Path) -> None:
    assert assertions(path.read_text()) == []


@pytest.mark.parametrize("path", TESTS, ids=label)
def test_no_test_reads_a_clock(path: Path) -> None:
    assert clocks(path.read_text()) == [], "count steps (tests/steps.py), or measure in bench/"


@pytest.mark.parametrize("path", KERNEL + PLUGINS + TESTS, ids=label)
def test_files_are_short_and_say_what_they_are(path: Path) -> None:
    text = path.read_text()
    assert len(text.splitlines()) <= (MAX_TEST_LINES if path in TESTS else MAX_LINES), "split it by subject"
    assert DOCSTRING.match(text), "no module docstring"


@pytest.mark.parametrize("folder", ["dpframe", "plugins"])
def test_every_folder_of_modules_is_a_package(folder: str) -> None:
    """Setuptools finds packages by ``__init__.py``: a folder without one is missing from the wheel."""
    folders = {path.parent for path in python_files(folder)}
    assert sorted(label(f) for f in folders if not (f / "__init__.py").exists()) == []


def test_every_file_was_seen() -> None:
    assert {"dpframe/errors.py", "dpframe/__init__.py"} <= {label(p) for p in KERNEL}
    assert "plugins/__init__.py" in {label(p) for p in PLUGINS}


@pytest.mark.parametrize("statement", ["import dpframe", "import dpframe.cli"])
def test_import_stays_light(statement: str) -> None:
    code = f"{statement}\nimport sys\nprint(*sorted(set({HEAVY!r}) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd="/")
    assert (done.returncode, done.stdout.split()) == (0, []), done.stderr


def test_data_and_specs_are_found_through_the_installed_packages() -> None:
    files = importlib.resources.files
    assert (files("dpframe") / "data" / "flights.parquet").is_file()
    shipped = {entry.name for entry in files("dpframe_specs").iterdir() if entry.name.endswith(".toml")}
    assert shipped == {path.name for path in (ROOT / "specs").glob("*.toml")}


@pytest.mark.parametrize(
    ("module", "source", "complaint"),
    [
        ("dpframe.proof.losses", "from dpframe.planning.checks import check", "comes later"),
        ("dpframe.proof.losses", "from dpframe import planning", "comes later"),
        ("dpframe.proof.losses", "def f():\n    import dpframe.planning", "comes later"),
        ("dpframe.proof.losses", "from ..planning import check", "comes later"),
        ("dpframe.kernel.mechanisms.gaussian", "from ...planning import check", "comes later"),
        ("dpframe.kernel.mechanisms.gaussian", "from ...runtime.folds import Fold", "comes later"),
        ("dpframe.kernel.posts", "import_module('dpframe.planning')", "comes later"),
        ("dpframe.proof.losses", "import dpframe as dp", "front door"),
        ("dpframe.proof.losses", "from dpframe import Plan", "front door"),
        ("dpframe.planning.graph", "import dpframe_plugins.practical", "the kernel imports"),
        ("dpframe.proof.checker", "from dpframe.planning.graph import Graph", "may import only"),
        ("dpframe.proof.checker", "from dpframe import planning", "may import only"),
        ("dpframe.proof.checker", "import dpframe.kernel.operations", "may import only"),
    ],
)
def test_planted_imports_are_caught(module: str, source: str, complaint: str) -> None:
    (found,) = wrong_imports(source, module)
    assert complaint in found


def test_a_module_without_a_layer_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(RANK, "errors")
    assert "belongs to no layer" in wrong_imports("", "dpframe.errors")[0]


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("dpframe.planning.checks", "from dpframe.planning.graph import Graph\nfrom . import ledger\nimport numpy"),
        (
            "dpframe.kernel.mechanisms.gaussian",
            "from dpframe.kernel.transforms import clip\nfrom ...proof.losses import Loss",
        ),
        ("dpframe.proof.checker", "from dpframe.proof.theorems import cite\nimport json"),
        ("dpframe.cli", "import dpframe as dp\nfrom dpframe import plan"),
        ("dpframe", "from dpframe.planning import plan"),
    ],
)
def test_rightful_imports_pass(module: str, source: str) -> None:
    assert wrong_imports(source, module, is_package=module == "dpframe") == []


@pytest.mark.parametrize(
    "source",
    [
        "import dpframe.runtime",
        "import dpframe as dp",
        "import dpframe.front.api as dp",
        "from dpframe import plugin_helpers",
        "from dpframe.kernel.operations import Post",
        "from dpframe.proof.families.populous import closeness",
        "import dpframe.plugins",
        "from dpframe.runtime.sources import open_source",
        "from dpframe import noise",
        "import pathlib",
        "from os import open as f",
        "import pyarrow.parquet as pq",
        "open('x.csv')",
        "np.load('x.npy')",
        "np.savetxt('x.txt', rows)",
        "rows.tofile('x')",
        "print(rows)",
        "def f():\n    return eval('1')",
    ],
)
def test_planted_trespasses_are_caught(source: str) -> None:
    assert len(plugin_trespasses(source, "dpframe_plugins.practical.gmm")) == 1


def test_a_rightful_plugin_passes() -> None:
    source = textwrap.dedent(
        """
        import numpy as np
        import dpframe.plugin as dp
        from dpframe.plugin import Handle, register
        from dpframe import plugin
        from . import records

        def run(x):
            return dp.release("mean", dp.gaussian(share=1.0), dp.mean(x))
        """
    )
    assert plugin_trespasses(source, "dpframe_plugins.practical.gmm") == []


def test_planted_assertions_are_caught() -> None:
    assert assertions("def f(x):\n    assert x > 0\n") == [2]
    assert assertions("'assert'  # assert\n") == []


@pytest.mark.parametrize(
    "source",
    [
        "start = time.perf_counter()",
        "import time as t\nt.time()",
        "time.time()",
        "clock = time.monotonic_ns",
        "from time import process_time",
        "from time import time",
        "from time import *",
        "import timeit",
        "from timeit import timeit",
        "def f():\n    from timeit import default_timer as clock",
        "datetime.datetime.now()",
        "datetime.date.today()",
        "resource.getrusage(resource.RUSAGE_SELF)",
    ],
)
def test_planted_clocks_are_caught(source: str) -> None:
    assert len(clocks(source)) == 1


def test_waiting_is_no_clock() -> None:
    assert clocks("import time\ntime.sleep(0.1)\nprocess.wait(timeout=60)\nframe.time\n'time.time()'") == []


def test_layers_are_disjoint() -> None:
    assert sum(map(len, LAYERS)) == len(RANK)
    assert all(re.fullmatch(r"\w+(\.\w+)?", name) for name in RANK)
