"""Composites by name, and examples of their use, by which `dpframe check` can attack them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from dpframe.kernel import registry

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
    given = (examples,) if isinstance(examples, Mapping) or callable(examples) else tuple(examples)

    def keep(function: F) -> F:
        claimed = registry.composite(name)(function)
        _EXAMPLES[name] = given
        return claimed

    return keep


def examples_of(name: str) -> tuple[Example, ...]:
    """The examples that a composite was registered with."""
    registry.find_composite(name)
    return _EXAMPLES.get(name, ())
