"""Specs: algorithms as TOML, so that a reader sees what runs; and the spec of any plan as it runs.

A spec holds names and numbers only; operations and composites are looked up by their registered names, so
reading a spec never runs code from it.

Examples
--------
>>> spec = load_spec("practical_gmm", {"k": 2, "d": 3, "n": 20_000, "bound": 1000.0})
>>> plan = spec.plan()
>>> text = spec.written(plan)
>>> again = parse_spec(text)
>>> again.written(again.plan()) == text
True
"""

from dpframe.front.specs.building import program_of
from dpframe.front.specs.document import Table
from dpframe.front.specs.dumping import dump
from dpframe.front.specs.finding import load_spec, shipped
from dpframe.front.specs.keys import Key, split_setting
from dpframe.front.specs.parsing import parse_spec
from dpframe.front.specs.spec import Spec
from dpframe.front.specs.tables import prepare, separated, tables_of
from dpframe.front.specs.toml import dumps

__all__ = [
    "Key",
    "Spec",
    "Table",
    "dump",
    "dumps",
    "load_spec",
    "parse_spec",
    "prepare",
    "program_of",
    "separated",
    "shipped",
    "split_setting",
    "tables_of",
]
