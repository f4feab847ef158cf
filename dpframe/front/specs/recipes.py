"""What a composite takes: its inputs are the tables of a spec, its parameters the keys.

Examples
--------
>>> from dpframe.front.specs import load_spec
>>> chosen = ["column=age", "q=0.5", "candidates=0:120:1", "epsilon=1", "adjacency=replace_one", "n=1000"]
>>> spec = load_spec("quantile", chosen)
>>> spec.columns, list(spec.plan().graph.outputs)
(('age',), [('quantile', Ref(node='quantile.value', part=None))])
"""

from __future__ import annotations

import enum
import inspect
import re
from collections.abc import Callable, Sequence
from typing import Any

import attrs

from dpframe.errors import DpframeError, SpecError
from dpframe.front.specs.docstrings import choices, described
from dpframe.front.specs.keys import BUILT_IN, LARGEST, Key
from dpframe.proof.spaces.checks import plain

Function = Callable[..., Any]
COLUMN = "column"
"""The parameter that is a column of the table: a name, or a position."""
_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
_SIMPLE = {"bool": "flag", "float": "number", "str": "text", "object": "any", "Any": "any"}
_SAID = re.compile(r"(int|float|bool)(?:, .*)?")
"""Types of a docstring that say what a parameter without an annotation is."""
_LISTS = {"float": "numbers", "int": "wholes", "str": "names"}
_LIST = re.compile(r"(?:Sequence|Iterable|list|tuple|List|Tuple)\[(.*?)(?:, \.\.\.)?\]")


def inputs_of(function: Function) -> list[inspect.Parameter]:
    """The handles a composite takes, ``*more`` of them last."""
    known = inspect.signature(function).parameters.values()
    return [p for p in known if p.kind is p.VAR_POSITIONAL or (p.kind in _POSITIONAL and not _is_value(p))]


def parameters_of(function: Function) -> dict[str, inspect.Parameter]:
    """The named parameters of a composite, without ``**more``."""
    known = inspect.signature(function).parameters.values()
    return {p.name: p for p in known if p.kind is p.KEYWORD_ONLY or (p.kind in _POSITIONAL and _is_value(p))}


def _is_value(parameter: inspect.Parameter) -> bool:
    """Whether a positional parameter is no handle: it has a default other than None, or says so."""
    if parameter.default not in (parameter.empty, None):
        return True
    return bool(_annotation(parameter)) and "Handle" not in _annotation(parameter)


def takes_more(function: Function) -> bool:
    """Whether a composite takes parameters that it does not name."""
    return any(p.kind is p.VAR_KEYWORD for p in inspect.signature(function).parameters.values())


def needed(function: Function) -> list[str]:
    """Parameters of a composite that have no default."""
    return [name for name, p in parameters_of(function).items() if p.default is p.empty]


# ----------------------------------------------------------------------------------------- inputs


def said_of_input(function: Function, name: str) -> str:
    """What the docstring says an input is, its first sentence; empty where it says nothing."""
    known = described(function)
    text = known[name].text if name in known else ""
    first = re.split(r"[.;:](?:\s|$)", text, maxsplit=1)[0]
    return first[:1].lower() + first[1:]


def is_table(function: Function, name: str) -> bool:
    """Whether an input can be a public table: its docstring tells of rows or of a table, or it has none.

    Examples
    --------
    >>> def pick(x, ball):
    ...     '''Pick.
    ...
    ...     Parameters
    ...     ----------
    ...     ball : Handle
    ...         A released ball. Rows outside are left out.
    ...     '''
    >>> said_of_input(pick, "ball"), is_table(pick, "ball")
    ('a released ball', False)
    """
    said = said_of_input(function, name)
    return not said or bool(re.search(r"\brows\b|\btable\b", said))


def no_table(name: str, function: Function, tables: Sequence[str], why: DpframeError | None = None) -> SpecError:
    """The refusal of a composite by its name where its second input is no table, saying what it is.

    Parameters
    ----------
    name : str
    function : callable
    tables : sequence of str
        Its inputs, by the names it has for them.
    why : DpframeError, optional
        How it refused a table; said where its docstring does not tell what the input is.
    """
    given = tables[1]
    said = said_of_input(function, given)
    said = said if said and not is_table(function, given) else "" if why is None else why.message
    listed = ", ".join(f'"{table}"' for table in tables)
    return SpecError(
        f"the input {given!r} of composite {name!r} is no table{': ' * bool(said)}{said}",
        fix=f'make {given!r} in a program and call dp.recipe("{name}", ...) with it; or in a spec, by a node before '
        f'one with op = "{name}" and inputs = [{listed}]',
    )


# ------------------------------------------------------------------------------------------- keys


def _annotation(parameter: inspect.Parameter) -> str:
    if parameter.annotation is parameter.empty:
        return ""
    text = parameter.annotation
    text = text if isinstance(text, str) else inspect.formatannotation(text)
    text = re.sub(r"\b(?:[a-z_]+\.)+(?=\w)", "", text).strip("'\"")
    noted = re.fullmatch(r"Annotated\[((?:[^\[\],]|\[.*?\])*),.*\](.*)", text, re.DOTALL)
    return f"{noted[1]}{noted[2]}" if noted else text


def words_of(function: Function, parameter: inspect.Parameter) -> type[enum.Enum] | None:
    """The enumeration of texts that a parameter is annotated with, if it is."""
    known: Any = parameter.annotation
    if isinstance(known, str):
        known = getattr(inspect.unwrap(function), "__globals__", {}).get(known.partition(" |")[0])
    if not (isinstance(known, type) and issubclass(known, enum.Enum)):
        return None
    return known if all(isinstance(member.value, str) for member in known) else None


def _type(annotation: str, default: Any, said: str = "") -> tuple[str, tuple[str, ...]]:
    """The type of key for an annotation, and its choices; without one what the docstring and the default say."""
    if not annotation:
        known = _SAID.fullmatch(said)
        annotation = known[1] if known else type(default).__name__ if isinstance(default, (bool, float, str)) else ""
        if not annotation and isinstance(default, int):  # a whole default, and nothing said: any number may be meant
            return "any_number", ()
    text = re.sub(r"^Optional\[(.*)\]$", r"\1", annotation)
    texts = [part for part in map(str.strip, text.split("|")) if part != "None"] if "[" not in text else [text]
    text = re.sub(r" \| None$", "", texts[0]) if len(texts) == 1 else ""
    if text.startswith("Literal["):
        return "choice", tuple(re.findall(r"[\"']([^\"']*)[\"']", text))
    if text.startswith(("Mapping", "dict", "Dict")):
        return "json", ()
    listed = _LIST.fullmatch(text)
    if listed:
        return ("matrix" if _LIST.fullmatch(listed[1]) else _LISTS.get(listed[1], "any")), ()
    return ("whole" if text == "int" else _SIMPLE.get(text, "any")), ()


def keys_of(function: Function) -> dict[str, Key]:
    """The keys of a composite run by itself, of its own and without the built-in ones.

    ``share`` need not be set: of what runs alone it is the whole.
    """
    said = described(function)
    found: dict[str, Key] = {}
    for name, parameter in parameters_of(function).items():
        if name in BUILT_IN:
            continue
        default = None if parameter.default is parameter.empty else parameter.default
        text = said[name].text if name in said else ""
        kind, listed = _type(_annotation(parameter), default, said[name].type if name in said else "")
        listed = listed or (choices(said[name].type) if name in said and kind in ("text", "any") else ())
        words = words_of(function, parameter)
        if words is not None:
            listed, default = tuple(member.value for member in words), getattr(default, "value", default)
        kind = "choice" if listed else "positive" if name == "share" else "column" if name == COLUMN else kind
        if name == "share" and default is None:
            default = 1.0
        plainly = default if isinstance(default, (bool, int, float, str, tuple, list)) else None
        found[name] = Key(
            name,
            kind,
            default=plain(plainly),
            optional=parameter.default is not parameter.empty and plainly is None,
            min=-LARGEST if kind == "whole" else None,
            choices=listed,
            help=text,
        )
    return found


# ------------------------------------------------------------------------------------- the composite


@attrs.frozen
class Recipe:
    """A composite that runs by itself: its name and its function."""

    name: str
    function: Function = attrs.field(repr=False)
