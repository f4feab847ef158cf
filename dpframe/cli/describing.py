"""What ``dpframe ops NAME`` and ``dpframe specs NAME`` say of one thing: from declarations, signatures, docstrings."""

from __future__ import annotations

import inspect
import re
import shlex
import textwrap
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import attrs

from dpframe.errors import SpecError, nearest
from dpframe.front import api
from dpframe.front.specs import Spec, load_spec, shipped
from dpframe.front.specs.budgets import FORMS
from dpframe.front.specs.docstrings import Described, choices, described, section
from dpframe.front.specs.finding import PLUGINS, is_file, recipe_spec
from dpframe.front.specs.keys import BUILT_IN, Key
from dpframe.front.specs.recipes import inputs_of, keys_of, parameters_of
from dpframe.front.specs.units import declared, is_shipped, unit
from dpframe.front.verbs import NAMED
from dpframe.kernel import registry
from dpframe.kernel.operations import Operation
from dpframe.kernel.own.base import owned
from dpframe.kernel.owned import REQUIRED, Own
from dpframe.proof.spaces.checks import plain
from dpframe.proof.theorems import DECLARATIONS, THEOREMS

WIDTH = 100
NOTHING: Mapping[str, Any] = {"inputs": [], "parameters": {}, "theorem": None, "level": None, "example": ""}
ONE_OF = ("k", "edges")
"""Parameters without a default in whose place another may be given, as ``k_max``: one of the two is needed."""
SAMPLES = {"q": "0.5", "candidates": "0:120:1", "edges": "0:100:10", "column": "age", "bound": "1e6", "k": "3"}


@attrs.frozen
class Entries:
    """Makes the entries of the parameters of one thing: whose words its units are, is known of the thing."""

    name: str
    ours: bool

    def __call__(
        self, name: str, kind: str, default: Any, text: str, *, required: bool, choices: Iterable[str] = ()
    ) -> Any:
        """The entry of one parameter."""
        told = unit(name, self.name, kind, text, ours=self.ours)
        found = {"type": kind, "unit": told, "default": _json(default), "required": required, "help": text}
        return {**found, "choices": list(choices)} if choices else found


def _json(value: Any) -> Any:
    value = plain(value)
    if isinstance(value, (list, tuple)):
        return [_json(v) for v in value]
    return value if value is None or isinstance(value, (bool, int, float, str, dict)) else str(value)


# --------------------------------------------------------------------------------------------- ops


def describe(name: str, row: Callable[[str], Mapping[str, Any] | None]) -> dict[str, Any]:
    """All that is known of what is registered under a name.

    Parameters
    ----------
    name : str
    row : callable
        What the list of everything says of a name; None where it has none.

    Raises
    ------
    SpecError
        For an unknown name, with the nearest.
    """
    operations, recipes, others = registry.operations(), registry.composites(), registry.others()
    every: dict[str, Any] = {**operations, **owned(), **recipes, **{n: f for n, (_, f) in others.items()}}
    listed = row(name)
    if listed is None:
        raise SpecError(f"nothing is registered as {name!r}", fix=nearest(name, every, "see `dpframe ops`") + PLUGINS)
    if name in operations:
        return {**listed, **_operation(operations[name])}
    if name in owned():
        return {**listed, **_own(owned()[name])}
    if name in recipes and listed["kind"] == "composite":
        return {**listed, **_composite(name, recipes[name])}
    return {**listed, **_function(listed, registry.registered(str(listed["kind"]), name))}


def _operation(cls: type[Operation]) -> dict[str, Any]:
    entry = Entries(cls.name, is_shipped(cls))
    verb = getattr(api, NAMED.get(cls.name, cls.name), None)
    verb = verb if inspect.isfunction(verb) else None
    said = {**described(cls), **(described(verb) if verb else {})}
    inputs = [
        {"name": s.name, "kinds": [k.value for k in s.kinds], "optional": s.optional, "variadic": s.variadic}
        for s in cls.slots
    ]
    parameters = {}
    for a in attrs.fields(cls):
        if not a.init:
            continue
        told = said.get(a.name, Described("", ""))
        default = None if isinstance(a.default, attrs.Factory) or a.default is attrs.NOTHING else a.default  # type: ignore[arg-type]
        kind = told.type or str(a.type or "any")
        parameters[a.name] = entry(a.name, kind, default, told.text, required=a.default is attrs.NOTHING)
    example = (section(verb, "Examples") if verb else "") or section(cls, "Examples") or _node(cls, inputs, parameters)
    return {"inputs": inputs, "parameters": parameters, **_theorem(cls.theorem), "example": example}


def _theorem(name: str) -> dict[str, Any]:
    known = THEOREMS.get(name)
    if known is None:
        return {}
    return {"statement": known.statement, "source": known.source, "hypotheses": list(known.hypotheses)}


def _node(cls: type[Operation], inputs: Iterable[Mapping[str, Any]], parameters: Mapping[str, Any]) -> str:
    """A node of a spec, for what no program names."""
    refs = ", ".join(f'"{slot["name"]}"' for slot in inputs if not slot["optional"])
    lines = ["[[node]]", 'name = "result"', f'op = "{cls.name}"', *([f"inputs = [{refs}]"] if refs else [])]
    return "\n".join([*lines, *(f"{key} = ..." for key, entry in parameters.items() if entry["required"])])


def _own(known: Own) -> dict[str, Any]:
    entry = Entries(known.name, is_shipped(known.function))
    said = described(known.function)
    positional = [p.name for p in inspect.signature(known.function).parameters.values() if p.kind is not p.KEYWORD_ONLY]
    first = [n for n in positional if not (known.kind == "mechanism" and n in ("scale", "noise"))]
    inputs = [
        {"name": n, "kinds": ["private"] if i == 0 else ["released", "public"], "optional": False, "variadic": False}
        for i, n in enumerate(first)
    ]
    parameters = {}
    for name, default in known.parameters.items():
        told, required = said.get(name, Described("any", "")), default is REQUIRED
        shown = None if required else default
        parameters[name] = entry(name, told.type or "any", shown, told.text, required=required)
    given = ", ".join(f"{k}={v!r}" for k, v in known.examples.items())
    call = f'dp.{"parts" if known.kind == "partition" else "own"}("{known.name}"{", " * bool(given)}{given})'
    if known.kind == "mechanism":
        example = f'dp.release("result", {call[:-1]}, share=1.0), value)'
    else:
        example = f"{call[:-1].replace(known.name + chr(34), known.name + chr(34) + ', x', 1)})"
    cited = _theorem(DECLARATIONS[known.operation].theorem)
    told_of = {**cited, "source": known.source or cited["source"], "assumes": list(known.assumes)}
    return {"inputs": inputs, "parameters": parameters, **told_of, "example": example}


def _composite(name: str, function: Callable[..., Any]) -> dict[str, Any]:
    entry, said = Entries(name, is_shipped(function)), described(function)
    inputs = [
        {
            "name": p.name,
            "kinds": ["private"] if i == 0 else ["released", "public"],
            "optional": p.default is not p.empty,
            "variadic": p.kind is p.VAR_POSITIONAL,
        }
        for i, p in enumerate(inputs_of(function))
    ]
    own = keys_of(function)
    parameters = {}
    for key, parameter in parameters_of(function).items():
        found = own[key] if key in own else BUILT_IN[key]
        required = parameter.default is parameter.empty
        default = None if required else getattr(parameter.default, "value", parameter.default)  # of enumerations
        told = entry(key, found.wanted, default, found.help, required=required, choices=found.choices)
        unit_said = declared(said.get(key, Described("", "")).type, "")
        parameters[key] = told if unit_said is None else {**told, "unit": unit_said}
    return {
        "inputs": inputs,
        "parameters": parameters,
        "level": "as its nodes: see `dpframe plan`",
        "theorem": "of each node: see `dpframe plan`",
        "guarantees": section(function, "Formal guarantees"),
        "returns": section(function, "Returns"),
        "references": section(function, "References"),
        "command": _command(name, function),
        "example": section(function, "Examples") or _recipe(name, function),
    }


def _command(name: str, function: Callable[..., Any]) -> str:
    """The run of a composite by its name; empty where its inputs are no tables."""
    try:
        spec = recipe_spec(name, function)
    except SpecError:
        return ""
    second = spec.tables[1].name if len(spec.tables) > 1 else ""
    told = described(function).get(second, Described("", ""))
    if second and second != "public" and "rows" not in told.text:
        return ""  # a ball, a scale: no table
    plugin = [] if is_shipped(function) else ["--plugins", "DIR"]
    words = ["dpframe", *plugin, "run", name, "--data", "table.parquet"]
    words += ["--public", "public.parquet"] if second else []
    wanted = [k for k, key in spec.keys.items() if spec.lacks(key)]
    unset = [k for k in ONE_OF if k in wanted or (k in spec.keys and parameters_of(function)[k].default is None)]
    wanted = [*dict.fromkeys([*wanted, *unset, *(["column"] if "column" in spec.keys else [])])]
    sets = [*(f"{k}={SAMPLES.get(k, '...')}" for k in wanted), "epsilon=1", "delta=1e-6", "adjacency=replace_one"]
    return " ".join([*map(shlex.quote, words), "--out", "DIR", *(f"--set {text}" for text in sets)])


def _recipe(name: str, function: Callable[..., Any]) -> str:
    given = "".join(f", {k}=..." for k, p in parameters_of(function).items() if p.default is p.empty)
    handles = ", ".join(p.name for p in inputs_of(function) if p.default is p.empty and p.kind is not p.VAR_POSITIONAL)
    return f'dp.release("result", dp.recipe("{name}"{given}), {handles})'


USES = {
    "row function": 'dp.row_map(x, function="{}", p=d)',
    "learner": 'dp.block_learner(x, learner="{}", t=100, item="mixture", size=[k, d])',
    "semimetric": 'dp.registered_agreement(blocks, semimetric="{}", r=1.0, d=d)',
    "mask": 'dp.recipe("arbas23.anywhere", mask="{}", semimetric=..., learner=..., size=d, r=1.0)',
    "family": 'dp.recipe("families.mixture", family="{}", ...)',
}
"""How what is no operation is used in a program."""


def _function(listed: Mapping[str, Any], function: Callable[..., Any]) -> dict[str, Any]:
    """A learner, a distance or a mask: what it is called with."""
    entry = Entries(str(listed["name"]), is_shipped(function))
    said = described(function)
    inputs, parameters = [], {}
    for p in inspect.signature(function).parameters.values():
        told = said.get(p.name, Described("", ""))
        if p.kind is p.KEYWORD_ONLY:
            default = None if p.default is p.empty else p.default
            parameters[p.name] = entry(
                p.name, told.type, default, told.text, required=p.default is p.empty, choices=choices(told.type)
            )
        else:
            optional, variadic = p.default is not p.empty, p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
            inputs.append({"name": p.name, "kinds": [told.type or "value"], "optional": optional, "variadic": variadic})
    return {
        "inputs": inputs,
        "parameters": parameters,
        "guarantees": section(function, "Formal guarantees"),
        "example": section(function, "Examples") or USES.get(listed["kind"], "").format(listed["name"]),
    }


# ------------------------------------------------------------------------------------------- specs


def listed() -> list[dict[str, Any]]:
    """The shipped specs in a line each."""
    return [{"name": n, "title": s.title, "source": s.source} for n, s in ((n, load_spec(n)) for n in shipped())]


def describe_spec(name: str) -> dict[str, Any]:
    """The keys, tables and outputs of a shipped spec or a file.

    Raises
    ------
    SpecError
        For an unknown name, with the nearest.
    """
    path = is_file(name) or "/" in name or name.endswith(".toml")
    if not path and name not in shipped():
        composite = name in registry.composites()
        near = f"it is a composite: `dpframe ops {name}`" if composite else nearest(name, shipped(), "`dpframe specs`")
        raise SpecError(f"there is no spec {name!r}", fix=near)
    spec = load_spec(name)
    return {
        "name": spec.name,
        "title": spec.title,
        "source": spec.source,
        "adjacency": None if spec.adjacency is None else spec.adjacency.name,
        "budget": dict(spec.budget),
        "columns": None if spec.columns is None else list(spec.columns),
        "tables": {t.name: {"kind": t.kind.value, "d": t.d, "n": t.n} for t in spec.tables},
        "keys": {**_keys(spec, spec.keys.values()), **_keys(spec, BUILT_IN.values())},
        "outputs": list(spec.outputs),
        "errors": dict(spec.errors),
    }


def _keys(spec: Spec, keys: Iterable[Key]) -> dict[str, Any]:
    found = {}
    for key in keys:
        entry = Entries(spec.name, key.name in BUILT_IN or spec.name in shipped())
        default, required = key.default, spec.lacks(key)
        if key.name in BUILT_IN:
            default, required = _built_in(spec, key.name)
        told = entry(key.name, key.type, default, key.help, required=required, choices=key.choices)
        limits = {word: value for word, value in (("min", key.min), ("max", key.max)) if value is not None}
        found[key.name] = {**told, **limits, "wanted": key.wanted, "built_in": key.name in BUILT_IN}
    return found


def _built_in(spec: Spec, name: str) -> tuple[Any, bool]:
    if name in FORMS:
        return spec.budget.get(name), not spec.budget and name == "epsilon"
    if name == "adjacency":
        return None if spec.adjacency is None else spec.adjacency.name, spec.adjacency is None
    found = getattr(spec, name)
    return list(found) if isinstance(found, tuple) else found, False


# -------------------------------------------------------------------------------------------- text


def pages() -> Path:
    """Where the pages of ``docs/`` are: installed beside the package, or in the sources."""
    here = Path(__file__).parents[2]
    return next((place for place in (here / "dpframe_docs", here / "docs") if place.is_dir()), here / "docs")


def as_text(found: Mapping[str, Any]) -> str:
    """What was found, for a reader: at most 100 columns."""
    title = found.get("summary") or found.get("title") or ""
    lines = _filled(f"{found['name']}: ", title)
    for word in ("kind", "level", "adjacency", "theorem", "statement", "source", "guarantees", "returns", "references"):
        if found.get(word):
            lines += _filled(f"{word}: ", str(found[word]))
    if found.get("also"):
        lines += _filled("also: ", f"{', '.join(found['also'])} (dpframe ops {found['name']} --kind ...)")
    for word in ("hypotheses", "assumes"):
        lines += [line for text in found.get(word, ()) for line in _filled("  if ", text)]
    if "budget" in found:
        lines += _filled("budget: ", ", ".join(f"{k}={v:g}" for k, v in found["budget"].items()) or "to be set")
        lines += _filled("tables: ", ", ".join(f"{n} ({t['kind']})" for n, t in found["tables"].items()))
        lines += _filled("outputs: ", ", ".join(found["outputs"]))
    lines += ["inputs:"] * bool(found.get("inputs"))
    for slot in found.get("inputs", ()):
        more = ", may be left out" * slot["optional"] + ", any number" * slot["variadic"]
        lines += _filled(f"  {slot['name']}: ", f"{' or '.join(slot['kinds'])}{more}")
    for word in ("parameters", "keys"):
        lines += [f"{word}:"] * bool(found.get(word))
        for name, entry in found.get(word, {}).items():
            lines += _filled(f"  {name}: ", _words(entry))
    if found.get("command"):
        lines += ["command:", *_command_lines(found["command"])]
    if found.get("example"):
        lines += ["example:", textwrap.indent(found["example"], "  ")]
    return "\n".join(lines)


def _words(entry: Mapping[str, Any]) -> str:
    default = entry["default"]
    shown = "needed" if entry["required"] else "default: none" if default is None else f"default: {default}"
    kind = entry.get("wanted") or entry["type"]
    return "; ".join(part for part in (kind, entry["unit"], shown, entry["help"]) if part)


def _command_lines(command: str) -> list[str]:
    """A command, broken where an option begins."""
    lines: list[str] = []
    for word in re.split(r" (?=--)", command):
        if lines and len(lines[-1]) + len(word) < WIDTH - 4:
            lines[-1] += f" {word}"
        else:
            lines.append(word if not lines else f"    {word}")
    return [f"  {line} \\" for line in lines[:-1]] + [f"  {lines[-1]}"]


def _filled(head: str, text: str) -> list[str]:
    text = re.sub(r":\w+:`~?(?:[\w.]*\.)?(\w+)`", r"`\1`", text).replace("``", "`")
    return textwrap.wrap(
        head + " ".join(text.split()), WIDTH, subsequent_indent=" " * 4, break_long_words=False, break_on_hyphens=False
    )
