"""Composites by name, and examples of their use, by which `dpframe check` can attack them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from dpframe.errors import SpecError, nearest
from dpframe.kernel import registry
from dpframe.kernel.origins import as_function

F = TypeVar("F", bound=Callable[..., Any])
Example = Mapping[str, Any] | Callable[[Any], Any]
"""Parameters of a composite; or a function of a private table's handle that releases something by it."""
_EXAMPLES: dict[str, tuple[Example, ...]] = {}


def composite(name: str, *, examples: Example | Sequence[Example] = ()) -> Callable[[F], F]:
    """Function decorator: a recipe that expands into nodes, available under ``name``.

    Parameters
    ----------
    name : str
        Registered name, ``package.word``.
    examples : mapping, function, or sequence of these, optional
        How ``dpframe check`` calls it, where guesses would not fit: parameters that have no default, of which ``n``
        and ``d`` may be left out; or ``function(x)``, given a handle of 600 or more private rows, in the units of the
        table, which makes what else the composite takes and returns what is released.

    Returns
    -------
    Callable
        The decorator; the function stays as it is.

    Raises
    ------
    SpecError
        Where the name is taken or none.

    Formal guarantees
    -----------------
    Those of the graph it expands into: the planner prices each node.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.composite("example.trimmed_mean", examples={"radius": 5.0})
    ... def trimmed_mean(x, *, radius, share=1.0):
    ...     inside = dp.clip(x, dp.bounding_ball(d=x.d, bound=radius))
    ...     return dp.release("mean", dp.gaussian(share=share), dp.mean(inside))
    """
    registry.check_name(name, "composite")
    given = (examples,) if isinstance(examples, Mapping) or callable(examples) else examples
    if not isinstance(given, (list, tuple)):
        check_examples(name, given, ())

    def keep(function: F) -> F:
        named = _keywords(function)
        for one in given:
            if named is not None and not callable(one):
                check_examples(name, one, named)
        claimed = registry.composite(name)(function)
        _EXAMPLES[name] = tuple(given)
        return claimed

    return keep


def _keywords(function: Any) -> list[str] | None:
    """Names of the keyword parameters of a composite; None where it takes any."""
    known = inspect.signature(as_function(function, "composite")).parameters.values()
    return None if any(p.kind is p.VAR_KEYWORD for p in known) else [p.name for p in known]


def check_examples(name: str, examples: object, parameters: Iterable[str]) -> None:
    """Refuse examples that name no parameter of what is registered.

    Raises
    ------
    SpecError
    """
    known = list(parameters)
    if not isinstance(examples, Mapping):
        raise SpecError(
            f"{name!r} is told examples={examples!r}, which is no mapping of parameters", fix='say examples={"m": 3}'
        )
    for key in examples:
        if key not in known:
            hint = nearest(str(key), known, f"it takes {', '.join(known) or 'no parameters'}")
            raise SpecError(f"examples= of {name!r} name {key!r}, which is no parameter of it", fix=hint)


def examples_of(name: str) -> tuple[Example, ...]:
    """The examples that a composite was registered with."""
    registry.find_composite(name)
    return _EXAMPLES.get(name, ())
