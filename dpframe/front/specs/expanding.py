"""A composite that runs by itself, as nodes of a program: its parameters are a spec's keys, its handles the outputs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from dpframe.errors import DpframeError, PlanError, SpecError, nearest
from dpframe.front.program import Composite, Handle, apply
from dpframe.front.specs.document import Document
from dpframe.front.specs.keys import BUILT_IN
from dpframe.front.specs.recipes import COLUMN, Recipe, no_table, parameters_of, words_of


def expand(recipe: Recipe, spec: Document, handles: Sequence[Handle]) -> dict[str, Handle]:
    """The nodes of a recipe in the program that is being traced; what it returns, by output name."""
    stem = re.sub(r"[^\w.\-]", "_", recipe.name)
    stem = stem if re.match(r"[A-Za-z_]", stem) else f"_{stem}"
    try:
        made = apply(stem, Composite(recipe.name, _values(recipe, spec)), *handles)
    except DpframeError as error:
        if len(handles) < 2 or "Rows(" not in error.message:
            raise
        raise no_table(recipe.name, recipe.function, [table.name for table in spec.tables], error) from None
    return _outputs(recipe.name, made)


def _values(recipe: Recipe, spec: Document) -> dict[str, Any]:
    """The parameters of a recipe: those that are set, and what it takes of the budget, the sizes and the adjacency."""
    found = {}
    for name, parameter in parameters_of(recipe.function).items():
        given = _built_in(spec, name) if name in BUILT_IN else spec.values.get(name)
        if given is not None:
            found[name] = given
        elif name in spec.keys and parameter.default is parameter.empty:
            found[name] = spec.value(name)  # a default that runs alone have, or the refusal
        elif parameter.default is parameter.empty:
            raise SpecError(f"composite {recipe.name!r} needs {name!r}", fix=f"--set {name}=...")
    for name, parameter in parameters_of(recipe.function).items():
        words = words_of(recipe.function, parameter)
        if words is not None and isinstance(found.get(name), str):
            found[name] = words(found[name])
    if isinstance(found.get(COLUMN), str):
        found[COLUMN] = _position(found[COLUMN], spec)
    return {**found, **{k: v for k, v in spec.values.items() if k not in parameters_of(recipe.function)}}


def _outputs(name: str, made: Any) -> dict[str, Handle]:
    if isinstance(made, Handle):
        return {name: made}
    if isinstance(made, Mapping):
        found = {str(name): value for name, value in made.items()}
    else:
        listed = list(made) if isinstance(made, (list, tuple)) else []
        names = [h.ref.node.rpartition(".")[2] if isinstance(h, Handle) else "" for h in listed]
        plain_names = names if len(set(names)) == len(names) else [f"{name}_{i}" for i in range(len(names))]
        found = dict(zip(plain_names, listed, strict=True))
    if not found or not all(isinstance(value, Handle) for value in found.values()):
        raise PlanError(
            f"composite {name!r} returns no handle, list of handles or dict of them", fix="return what dp.release gave"
        )
    return found


def _built_in(spec: Document, name: str) -> Any:
    """A built-in key's value where it is known and public."""
    if name == "columns":
        return list(range(spec.width)) if spec.columns is not None and spec.width else None
    if name == "adjacency":
        return spec.relation.name
    known = {"d": spec.width, "n": spec.n, "unit": spec.unit, "unit_rows": spec.unit_rows, **spec.budget}
    return known.get(name)


def _position(name: str, spec: Document) -> int:
    columns = spec.columns or ()
    if name not in columns:
        raise SpecError(f"there is no column {name!r} among those chosen", fix=nearest(name, columns))
    return columns.index(name)
