"""Refusals of specs, each with the spec refused and the spec after its fix."""

from __future__ import annotations

import contextlib
import functools
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from dpframe.front.specs import load_spec, parse_spec
from tests.small_specs import SMALL

SIZES = ("n=1000", "d=2")
TESTED = """
[[node]]
name = "counted"
op = "count"
inputs = ["x"]

[[node]]
name = "test"
op = "truncated_laplace_test"
inputs = ["counted"]
share = 1.0
threshold = 5.0
delta_fraction = 0.1

[[node]]
name = "chosen"
op = "branch"
inputs = ["test", "x"]
"""
WAYS = ("then", "otherwise")
BODY = """
[node.{}]
inputs = ["rows"]
outputs = {{ value = "o" }}

[[node.{}.node]]
name = "c"
op = "count"
inputs = ["rows"]

[[node.{}.node]]
name = "o"
op = "laplace"
inputs = ["c"]
share = 1.0
"""


def s(*settings: str, changed: tuple[str, str] = ("", ""), base: str = SMALL, sizes: tuple[str, ...] = SIZES) -> Any:
    """A spec with one change in its text and some settings, planned."""
    old, new = changed
    assert old in base
    text = base.replace(old, new, 1) if old else base + new
    return lambda: parse_spec(text, "here").set([*sizes, *settings]).plan()


def e(old: str, new: str, *settings: str) -> Any:
    return s(*settings, changed=(old, new))


def key(text: str) -> Any:
    """The small spec with one more key."""
    return e("[tables.x]", f"[keys.more]\n{text}\n\n[tables.x]")


def with_nodes(text: str) -> Any:
    """The small spec with more nodes before its outputs."""
    return e("[outputs]", f"{text}\n[outputs]")


def bodies(*labels: str) -> str:
    return TESTED + "".join(BODY.format(*(label,) * 3) for label in labels)


BRANCH = bodies("then", "otherwise")
NO_NODE = "".join(f'{label} = {{ inputs = ["rows"], node = ["c"], outputs = {{ value = "o" }} }}\n' for label in WAYS)
MATRIX = """
[keys.start]
type = "matrix"
optional = true
"""


def file(name: str, content: bytes) -> str:
    """A file of its own folder, removed with the process."""
    path = Path(FOLDER.name) / name
    path.write_bytes(content)
    return str(path)


def piped() -> Any:
    """A pipe of a bare name, in the folder that the process is in."""
    with contextlib.chdir(FOLDER.name):
        if not Path("pipe").exists():
            os.mkfifo("pipe")
        return load_spec("pipe", SIZES).plan()


def npy(rows: int) -> str:
    path = str(Path(FOLDER.name) / f"{rows}.npy")
    np.save(path, np.zeros((rows, 2)))
    return path


def loaded(where: Any, *settings: str) -> Callable[[], Any]:
    return lambda: load_spec(where() if callable(where) else where, [*SIZES, *settings]).plan()


def with_matrix(where: Callable[[], str]) -> Callable[[], Any]:
    text = SMALL.replace("[tables.x]", MATRIX + "\n[tables.x]")
    return lambda: parse_spec(text).set([*SIZES, f"start={where()}"]).plan()


def located(parameter: str, inputs: str = '["x"]') -> Callable[[], Any]:
    """The ball is located by a composite."""
    text = f'name = "ball"\nop = "locate"\ninputs = {inputs}\n{parameter}'
    return e('name = "ball"\nop = "bounding_ball"\nd = "$d"\nbound = "$bound"', text)


FOLDER = tempfile.TemporaryDirectory()
OK = functools.cache(s())
FLAG = 'type = "flag"\noptional = true'
TITLE = 'title = "A clipped mean"'
SHIPPED = ("bound=9", "n=100000")
OWN_D = ('d = "$d"\nn = "$n"', 'd = 3\nn = "$n"')
GOOD = functools.cache(loaded(lambda: file("good.toml", SMALL.encode())))
BUDGET = "epsilon = 1.0\ndelta = 1e-6"
REPLACED = 'adjacency = "replace_one"'
QUANTILE = ("q=0.5", "candidates=0:9:1", "epsilon=1", "adjacency=replace_one")
CASES: list[tuple[str, Callable[[], Any], Callable[[], Any]]] = [
    # ------------------------------------------------------------------------------------------- by name
    ("a name that nothing has", loaded("quantil", *QUANTILE), loaded("quantile", *QUANTILE)),
    ("an operation that does not run by itself", loaded("gaussian"), OK),
    ("a composite of more tables than a run has", loaded("practical.seed"), loaded("quantile", *QUANTILE)),
    ("a list that leads nowhere", loaded("quantile", *QUANTILE, "candidates=9:0:1"), loaded("quantile", *QUANTILE)),
    # ------------------------------------------------------------------------------------------- reading
    ("a table that is none", e("[tables.x]", "[[settings]]\n\n[tables.x]"), OK),
    ("a title that is none", e(TITLE, "title = 3"), e(TITLE, 'title = "t"')),
    ("a built-in key", e("[keys.bound]", '[keys.epsilon]\ntype = "positive"\n\n[keys.bound]'), OK),
    ("a key that is no table", e("[keys.bound]", "[keys]\nmore = 1\n\n[keys.bound]"), key(FLAG)),
    ("a key without a type", key("optional = true"), key(FLAG)),
    (
        "choices that are no texts",
        key('type = "choice"\nchoices = [1]\noptional = true'),
        key('type = "choice"\nchoices = ["a"]\noptional = true'),
    ),
    (
        "a choice without choices",
        key('type = "choice"\noptional = true'),
        key('type = "choice"\nchoices = ["a", "b"]\noptional = true'),
    ),
    ("a number of 400 digits", e("default = 10.0", f"default = {'9' * 400}"), OK),
    ("a number of 5000 digits", e("default = 10.0", f"default = {'9' * 5000}"), OK),
    ("a width that is no number", e('d = "$d"\nn =', "d = 0\nn ="), OK),
    ("a mu that is none", e(BUDGET, "mu = 0"), e(BUDGET, "mu = 1.0")),
    ("a key's word of a wrong type", key('type = "flag"\noptional = 3'), key(FLAG)),
    (
        "a key's default that it may not have",
        key('type = "probability"\ndefault = "$more"'),
        key('type = "probability"\ndefault = 0.5'),
    ),
    (
        "a key's infinite bound",
        key('type = "number"\nmax = inf\noptional = true'),
        key('type = "number"\noptional = true'),
    ),
    ("an unknown entry", e("[tables.x]", "[nodes]\n[tables.x]"), OK),
    ("no private table", e('kind = "private"', 'kind = "public"'), OK),
    ("a table of a wrong form", s(base=SMALL.replace("[tables.x]", "[tables]\ny = 1\n\n[tables.x]")), OK),
    ("a table of no kind", e('kind = "private"\n', ""), OK),
    ("no nodes", s(base=SMALL[: SMALL.index("[[node]]")] + '[outputs]\nmean = "mean"\n'), OK),
    ("an output in units of the frame", e('mean = "mean"', 'mean = "noisy"'), OK),
    ("errors of no output", e("[outputs]", '[errors]\nlost = "one Gaussian"\n\n[outputs]'), OK),
    ("no outputs", s(base=SMALL[: SMALL.index("[outputs]")]), OK),
    ("a frame that is no list", e(TITLE, 'frame = "mean"'), e(TITLE, 'frame = ["mean"]')),
    ("not TOML", s(base="[[[["), OK),
    # --------------------------------------------------------------------------------------------- files
    ("no such spec", loaded("coinpress_gausian", *SHIPPED), loaded("coinpress_gaussian", *SHIPPED)),
    ("too large", loaded(lambda: file("large.toml", b" " * (2**24 + 1))), GOOD),
    ("no such file", loaded("no/such.toml"), GOOD),
    ("a byte order mark", loaded(lambda: file("marked.toml", b"\xef\xbb\xbf" + SMALL.encode())), GOOD),
    ("a pipe that nobody writes to", piped, GOOD),
    ("a device", loaded("/dev/null"), GOOD),
    ("no text", loaded(lambda: file("binary.toml", b"\xff")), GOOD),
    ("no path", loaded("a\0b.toml"), GOOD),
    # ---------------------------------------------------------------------------------------------- keys
    ("an unknown key", s("epsilonn=2"), s("epsilon=2")),
    ("a setting without a value", s("epsilon"), s("epsilon=1")),
    ("a wrong value", s("share=6"), s("share=5")),
    ("a matrix that is too large", with_matrix(lambda: npy(10**6)), with_matrix(lambda: npy(3))),
    ("a matrix that is not there", with_matrix(lambda: "no.npy"), with_matrix(lambda: npy(3))),
    # ---------------------------------------------------------------------------- adjacency, sizes, budget
    ("no adjacency", e(REPLACED, ""), e(REPLACED, "", "adjacency=add_remove")),
    ("a key that has no default", e("default = 10.0", ""), e("default = 10.0", "", "bound=3")),
    ("no width", s(sizes=("n=1000",)), s("d=2", sizes=("n=1000",))),
    ("a width that is not the columns'", s("columns=a,b,c"), s("columns=a,b,c", sizes=("n=1000",))),
    ("no number of rows", s(sizes=("d=2",)), s("n=1000", sizes=("d=2",))),
    ("a unit without its number of rows", s("unit=id"), s("unit=id", "unit_rows=5")),
    (
        "a unit that is a column of data",
        s("unit=b", "unit_rows=5", "columns=a,b", sizes=("n=1000",)),
        s("unit=b", "unit_rows=5", "columns=a", sizes=("n=1000",)),
    ),
    ("units that are no whole number of rows", s("unit=id", "unit_rows=3"), s("unit=id", "unit_rows=3", "n=999")),
    ("a width of its own", e(*OWN_D), s(changed=OWN_D, sizes=("n=1000",))),
    ("two forms of a budget", e(BUDGET, BUDGET + "\nrho = 1.0"), e(BUDGET, "rho = 1.0")),
    ("several keys are missing", s(sizes=()), s()),
    ("half a budget", e(BUDGET, "rho = 1.0", "epsilon=1"), e(BUDGET, "rho = 1.0", "epsilon=1", "delta=1e-6")),
    ("no budget", e(BUDGET, ""), e(BUDGET, "", "epsilon=1", "delta=1e-6")),
    ("no budget, in zCDP", e(BUDGET, ""), e(BUDGET, "", "rho=1")),
    # --------------------------------------------------------------------------------------------- nodes
    ("a reference to a later node", e('inputs = ["inside"]', 'inputs = ["noisy"]'), OK),
    ("a reference to nothing", e('inputs = ["inside"]', 'inputs = ["insid"]'), OK),
    ("a node without an operation", e('op = "mean"', ""), OK),
    ("inputs that are no list", e('inputs = ["inside"]', 'inputs = "inside"'), OK),
    ("an unknown operation", e('op = "mean"', 'op = "maen"'), OK),
    ("no bodies", with_nodes(TESTED), with_nodes(BRANCH)),
    ("half the bodies", with_nodes(bodies("then")), with_nodes(BRANCH)),
    ("a body of a wrong form", with_nodes(TESTED + "then = 1\notherwise = 1\n"), with_nodes(BRANCH)),
    ("a body without outputs", with_nodes(BRANCH.replace('outputs = { value = "o" }', "", 1)), with_nodes(BRANCH)),
    ("a body whose output is no text", with_nodes(BRANCH.replace('value = "o"', "value = 1", 1)), with_nodes(BRANCH)),
    ("a body's inputs that are no list", with_nodes(BRANCH.replace('["rows"]', '"rows"', 1)), with_nodes(BRANCH)),
    ("a body's node that is no table", with_nodes(TESTED + NO_NODE), with_nodes(BRANCH)),
    ("a composite's parameter of a wrong type", located('share = 0.5\nbound = "x"'), located("share = 0.5\nbound = 9")),
    ("a composite's unknown parameter", located("shares = 0.5"), located("share = 0.5")),
    ("a composite without its parameter", located(""), located("share = 0.5")),
    ("a composite of too many inputs", located("share = 0.5", '["x", "x"]'), located("share = 0.5")),
]  # fmt: skip
