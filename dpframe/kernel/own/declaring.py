"""What is kept of an operation of a plugin's own: who it is, its fields, what it claims, under a name of its own.

The decorators that hand it over are :mod:`dpframe.front.owning`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from dpframe.errors import SpecError
from dpframe.kernel import registry
from dpframe.kernel.finding import import_owners
from dpframe.kernel.formulas import write
from dpframe.kernel.origins import origin_of
from dpframe.kernel.owned import EXPRESSED, OWNED, Own, parameters_of
from dpframe.proof.theorems import DECLARATIONS
from dpframe.proof.theorems.shaping.expressions import formula_of

F = TypeVar("F", bound=Callable[..., Any])


def keeping(
    name: str,
    kind: str,
    operation: str,
    fields: Callable[..., Any],
    *given: Any,
    expressed: bool = False,
    **more: Any,
) -> Callable[[F], F]:
    """Keep what a decorator was told, with the digest of the plugin's files and of what was given it.

    Raises
    ------
    SpecError
        For what has no name, no docstring, no file, or asserts something without a source.
    """
    if not name:
        raise SpecError(f"an operation has a name, not {name!r}", fix='for example "mine.votes"')
    pairs = tuple((int(r), int(a)) for r, a in more.pop("proved_for", ()))
    assumes, examples = tuple(str(text) for text in more.pop("assumes", ())), dict(more.pop("examples", None) or {})
    if "source" in more and not str(more["source"]).strip():
        raise SpecError(f"{name!r} asserts something, and names no proof", fix="give source=, a citation or a page")

    def keep(function: F) -> F:
        if not (inspect.getdoc(function) or "").strip():
            raise SpecError(f"operation {name!r} has no docstring", fix="say in its first line what it does")
        origin = origin_of(function, more.get("claim"), *given)
        if not origin.digest:
            raise SpecError(
                f"{name!r}: {origin.why}", fix="put it into a .py file of a folder of its own, and import it"
            )
        _claim(
            Own(
                name,
                kind,
                EXPRESSED[operation] if expressed else operation,
                function,
                parameters_of(function),
                _written(function, fields) if expressed else fields,
                proved_for=pairs,
                assumes=assumes,
                examples=examples,
                origin=origin,
                **more,
            )
        )
        return function

    return keep


def _written(function: Callable[..., Any], fields: Callable[..., Any]) -> Callable[..., Any]:
    """The fields of an operation in row expressions: the formula that the function writes, and what is declared."""

    def made(settings: Mapping[str, Any]) -> dict[str, Any]:
        declared, formula = fields(settings), write(function, **settings)
        size = declared.pop("p", None)
        if size is not None and size != len(formula_of(formula).gives):
            raise ValueError(f"its formula gives {len(formula_of(formula).gives)} columns, and it declares {size}")
        return {**declared, "formula": formula}

    return made


def _claim(known: Own) -> None:
    """Make an operation available under its name; no name of the kernel's or of another plugin's is given away."""
    import_owners(known.name)  # what is installed keeps its names, imported or not
    if any(known.name in table for table in (DECLARATIONS, registry._operations, registry._composites)):
        raise SpecError(f"operation {known.name!r} has the name of another one", fix="rename it")
    registry.claim_of(OWNED, known.name, known, known.function, "own operation")
