"""A composite as a spec: its inputs are the tables, its parameters the keys, its handles the outputs.

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
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import attrs

from dpframe.errors import DpframeError, PlanError, SpecError, nearest
from dpframe.front.program import Composite, Handle, apply
from dpframe.front.specs.docstrings import choices, described, summary
from dpframe.front.specs.keys import BUILT_IN, LARGEST, Key
from dpframe.proof.spaces import Kind
from dpframe.proof.spaces.checks import plain

if TYPE_CHECKING:
    from dpframe.front.specs.document import Spec

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


# ------------------------------------------------------------------------------------------- keys


def _annotation(parameter: inspect.Parameter) -> str:
    if parameter.annotation is parameter.empty:
        return ""
    text = parameter.annotation
    text = text if isinstance(text, str) else inspect.formatannotation(text)
    text = re.sub(r"\b(?:[a-z_]+\.)+(?=\w)", "", text).strip("'\"")
    noted = re.fullmatch(r"Annotated\[((?:[^\[\],]|\[.*?\])*),.*\](.*)", text, re.DOTALL)
    return f"{noted[1]}{noted[2]}" if noted else text


def _words_of(function: Function, parameter: inspect.Parameter) -> type[enum.Enum] | None:
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
        words = _words_of(function, parameter)
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
    """A composite that runs by itself.

    Attributes
    ----------
    name : str
    function : callable
    settings : mapping
        Parameters that ``function`` takes without naming them.
    """

    name: str
    function: Function = attrs.field(repr=False)

    def expand(self, spec: Spec, handles: Sequence[Handle]) -> dict[str, Handle]:
        """Its nodes in the program that is being traced; what it returns, by output name."""
        stem = re.sub(r"[^\w.\-]", "_", self.name)
        stem = stem if re.match(r"[A-Za-z_]", stem) else f"_{stem}"
        try:
            made = apply(stem, Composite(self.name, self.values(spec)), *handles)
        except DpframeError as error:
            if len(handles) < 2 or "not Rows(" not in error.message:
                raise
            raise self._no_table(error, [h.ref.node for h in handles[1:]]) from None
        return self._outputs(made)

    def _no_table(self, error: DpframeError, public: Sequence[str]) -> DpframeError:
        """The refusal of a composite whose second input is no table."""
        kept = type(error) if isinstance(error, (PlanError, SpecError)) else PlanError
        return kept(
            f"composite {self.name!r}, its input {public[0]!r} a public table: {error.message}",
            fix=f"{error.fix or 'check its inputs'}; what is no table is given in a program or a spec",
        )

    def values(self, spec: Spec) -> dict[str, Any]:
        """Its parameters: those that are set, and what it takes of the budget, the sizes and the adjacency."""
        found = {}
        for name, parameter in parameters_of(self.function).items():
            given = _built_in(spec, name) if name in BUILT_IN else spec.values.get(name)
            if given is not None:
                found[name] = given
            elif name in spec.keys and parameter.default is parameter.empty:
                found[name] = spec.value(name)  # a default that runs alone have, or the refusal
            elif parameter.default is parameter.empty:
                raise SpecError(f"composite {self.name!r} needs {name!r}", fix=f"--set {name}=...")
        for name, parameter in parameters_of(self.function).items():
            words = _words_of(self.function, parameter)
            if words is not None and isinstance(found.get(name), str):
                found[name] = words(found[name])
        if isinstance(found.get(COLUMN), str):
            found[COLUMN] = _position(found[COLUMN], spec)
        return {**found, **{k: v for k, v in spec.values.items() if k not in parameters_of(self.function)}}

    def _outputs(self, made: Any) -> dict[str, Handle]:
        if isinstance(made, Handle):
            return {self.name: made}
        if isinstance(made, Mapping):
            found = {str(name): value for name, value in made.items()}
        else:
            listed = list(made) if isinstance(made, (list, tuple)) else []
            names = [h.ref.node.rpartition(".")[2] if isinstance(h, Handle) else "" for h in listed]
            plain_names = names if len(set(names)) == len(names) else [f"{self.name}_{i}" for i in range(len(names))]
            found = dict(zip(plain_names, listed, strict=True))
        if not found or not all(isinstance(value, Handle) for value in found.values()):
            raise PlanError(
                f"composite {self.name!r} returns no handle, list of handles or dict of them",
                fix="return what dp.release gave",
            )
        return found


def _built_in(spec: Spec, name: str) -> Any:
    """A built-in key's value where it is known and public."""
    if name == "columns":
        return list(range(spec.width)) if spec.columns is not None and spec.width else None
    if name == "adjacency":
        return spec.relation.name
    known = {"d": spec.width, "n": spec.n, "unit": spec.unit, "unit_rows": spec.unit_rows, **spec.budget}
    return known.get(name)


def _position(name: str, spec: Spec) -> int:
    columns = spec.columns or ()
    if name not in columns:
        raise SpecError(f"there is no column {name!r} among those chosen", fix=nearest(name, columns))
    return columns.index(name)


def recipe_spec(name: str, function: Function, *, public: bool = False) -> Spec:
    """The spec of a composite: nothing but the composite.

    Parameters
    ----------
    name : str
    function : callable
    public : bool
        Whether a public table is given: for a second input that may be left out.

    Raises
    ------
    SpecError
        For a composite with other inputs than a private table and at most one more.
    """
    from dpframe.front.specs.document import Spec, Table

    handles = [p for p in inputs_of(function) if p.kind is not p.VAR_POSITIONAL]
    required = [p.name for p in handles if p.default is p.empty]
    names = [p.name for p in handles][: max(len(required), 1 + public)]
    if not names or len(required) > 2:
        listed = ", ".join(required) or "none"
        raise SpecError(
            f"composite {name!r} takes the inputs {listed}: a run has one private table and at most one public",
            fix=f'use it in a program, dp.recipe("{name}", ...), or as a node of a spec',
        )
    private, *others = names
    return Spec(
        name=name,
        title=summary(function),
        source="",
        keys=keys_of(function),
        tables=(Table(private, Kind.PRIVATE), *(Table(other, Kind.PUBLIC) for other in others)),
        adjacency=None,
        budget={},
        nodes=(),
        outputs={},
        values={},
        recipe=Recipe(name, function),
    )


def with_column(spec: Spec, changed: Mapping[str, Any]) -> Spec:
    """A recipe whose ``column`` was named: where no columns are chosen, that one is.

    So other columns' missing values empty no row, and the plan needs no table to know where the column stands.
    """
    column = changed.get(COLUMN)
    if not isinstance(column, str) or "columns" in changed or spec.recipe is None or COLUMN not in spec.keys:
        return spec
    return attrs.evolve(spec, columns=(column,)) if spec.columns is None else spec
