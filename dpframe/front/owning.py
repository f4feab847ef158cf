"""How a plugin declares operations of its own: one decorator a kind, beside the function that computes.

The keyword-only parameters of the function are those of the operation. What a decorator is told is a number, or a
function of these parameters where it depends on them. ``docs/extending.md`` shows each. Decorators hand on a plugin's
words, as verbs do a program's: what is kept of them, checked and enforced is :mod:`dpframe.kernel.own`'s affair.
"""

from __future__ import annotations

import inspect
import json
import math
from collections.abc import Callable, Mapping, Sequence
from numbers import Integral, Real
from typing import Any, TypeAlias, TypeVar

from dpframe.errors import SpecError
from dpframe.front.calls import check_called
from dpframe.kernel import registry
from dpframe.kernel.claiming import DISTANCES
from dpframe.kernel.formulas import write
from dpframe.kernel.origins import as_function
from dpframe.kernel.own.base import keep
from dpframe.kernel.owned import EXPRESSED, Own
from dpframe.proof.losses import Event
from dpframe.proof.spaces import Counts, Domain, Vector
from dpframe.proof.spaces.checks import MOST_BITS, is_whole, plain
from dpframe.proof.theorems import up
from dpframe.proof.theorems.own import NORMS
from dpframe.proof.theorems.shaping.expressions import formula_of

F = TypeVar("F", bound=Callable[..., Any])
Number: TypeAlias = float | Callable[..., float]
"""A number, or a function of the operation's parameters that gives it."""
Size: TypeAlias = int | Callable[..., int]
"""A number of things, or a function of the operation's parameters that gives it."""
Made: TypeAlias = int | Domain | Callable[..., int | Domain]
"""How many numbers are made, or their domain, or a function of the operation's parameters that gives either."""
Sensitivity: TypeAlias = Mapping[str, float] | Callable[..., Mapping[str, float]]
"""Bounds by norm, or a function that gives them."""
Charged: TypeAlias = Callable[..., Event | float | tuple[float, float]]
"""An event, ε, or (ε, δ)."""
Examples: TypeAlias = Mapping[str, object] | None
MOST_ROUNDED = 52
"""Bits of a lattice on which floats still tell neighbours apart: whole numbers of steps are held within 2^53."""
WHOLE_BITS = 20
"""Of contributions that are said to be whole numbers: exact where the bound is a power of two."""


def own_contribution(
    name: str,
    *,
    gives: Made,
    norm: str,
    bound: Number,
    nonnegative: bool = False,
    bits: int = 20,
    expressed: bool = False,
    examples: Examples = None,
) -> Callable[[F], F]:
    """An *enforced* statistic: a sum of contributions ``function(rows, *released, **parameters)`` (m, numbers).

    Parameters
    ----------
    name : str
        Registered name, ``package.word``.
    gives : int or Domain
        How many numbers a row contributes, or the domain of the sum (``Vector``, ``Counts``, ``Array``).
    norm : {"l1", "l2", "linf"}
        The kernel clips each contribution to ``bound`` in this norm.
    bound : float
        Positive, in the units of the contributions.
    nonnegative : bool
        Whether contributions are cut at 0 too: the sum then moves by less.
    bits : int
        Contributions are rounded toward zero to multiples of bound·2^−bits. 0, which says of statistics that they are
        whole numbers, is 20 here: the kernel sums no coarser ones.
    expressed : bool
        Whether the function writes a formula, ``function(row, *released, **parameters)`` for one row that is not there
        (docs/extending.md): the kernel evaluates it, and no hypothesis is left.
    examples : mapping, optional
        Parameters to attack it with, where some have no default.

    Formal guarantees
    -----------------
    Level: enforced; one hypothesis, that a row's contribution depends on that row and released values alone.
    Expressed: proved.
    """
    if norm not in NORMS:
        raise SpecError(f"{name!r} is bounded in one of {', '.join(NORMS)}, not {norm!r}", fix='say norm="l2", say')
    _check_bound(name, bound)
    _check_bits(name, bits, 0, MOST_BITS)
    _check_size(name, "gives", gives)

    def fields(settings: Mapping[str, Any]) -> dict[str, Any]:
        made = _domain(_at(gives, settings), Vector)
        enforced = {"norm": norm, "bound": float(_at(bound, settings)), "nonnegative": nonnegative}
        more = {**enforced, "bits": int(bits) or WHOLE_BITS}
        return {"gives": made, **more}

    told = {"gives": gives, "bound": bound}
    return keeping(name, "statistic", "own_contribution", fields, told, expressed=expressed, examples=examples)


def own_transform(name: str, *, columns: Size, expressed: bool = False, examples: Examples = None) -> Callable[[F], F]:
    """An *enforced* transform: ``function(rows, *released, **parameters)`` gives each row ``columns`` numbers.

    ``columns`` is a number, or a function of the parameters; as many as the rows have are told by one, ``d=x.d``.

    Formal guarantees
    -----------------
    Level: enforced; one hypothesis, that a row's image depends on that row and released values alone. Expressed
    (see :func:`own_contribution`): proved.
    """
    _check_size(name, "columns", columns, domains=False)
    return keeping(
        name,
        "transform",
        "own_transform",
        lambda settings: {"p": int(_at(columns, settings))},
        {"columns": columns},
        expressed=expressed,
        examples=examples,
    )


def own_partition(name: str, *, parts: Size, expressed: bool = False, examples: Examples = None) -> Callable[[F], F]:
    """An *enforced* partition: ``function(rows, *released, **parameters)`` numbers each row's part; others are dropped.

    Formal guarantees
    -----------------
    Level: enforced; one hypothesis, that a row's part depends on that row and released values alone. Edits fall
    into the parts by the worst allocation. Expressed (see :func:`own_contribution`): proved.
    """
    _check_size(name, "parts", parts, domains=False)
    return keeping(
        name,
        "partition",
        "own_partition",
        lambda settings: {"count": int(_at(parts, settings))},
        {"parts": parts},
        expressed=expressed,
        examples=examples,
    )


def own_statistic(
    name: str,
    *,
    gives: Made,
    sensitivity: Sensitivity,
    source: str,
    proved_for: Sequence[tuple[int, int]] = (),
    assumes: Sequence[str] = (),
    bits: int = 0,
    examples: Examples = None,
) -> Callable[[F], F]:
    """An *asserted* statistic: ``function(rows, *released, **parameters)`` of all non-empty rows at once.

    Parameters
    ----------
    name : str
    gives : int or Domain
        How many numbers it makes, or their domain.
    sensitivity : mapping or callable
        ``{"l1": ..., "l2": ..., "linf": ...}``, bounds where at most one row is taken out and one put in; one norm is
        enough. Or ``(removed, added, **parameters)`` that gives them for neighbours so many rows apart. Where a mapping
        is given, k rows cost k times as much.
    source : str
        Where the proof stands: a citation, or a page of the plugin's own.
    proved_for : sequence of (removed, added)
        The only edits it is proved for; all others are refused. Empty: all that ``sensitivity`` answers.
    assumes : sequence of str
        Hypotheses of the proof: each is counted.
    bits : int
        Values are rounded to multiples of 2^−bits, and the sensitivity is widened by that. 0 is for whole numbers:
        others are rounded to such, and nothing is widened.
    examples : mapping, optional

    Formal guarantees
    -----------------
    Level: asserted. Plans only with ``allow_asserted=True``.
    """

    def fields(settings: Mapping[str, Any]) -> dict[str, Any]:
        return {"gives": _domain(_at(gives, settings), Counts if bits == 0 else Vector), "bits": bits}

    _check_size(name, "gives", gives)
    _check_bits(name, bits, 0, MOST_ROUNDED)
    return keeping(
        name,
        "statistic",
        "own_statistic",
        fields,
        {"gives": gives},
        claim=_sensitivity(name, sensitivity),
        source=source,
        proved_for=proved_for,
        assumes=assumes,
        examples=examples,
    )


def own_query(
    name: str,
    *,
    gives: Made,
    sensitivity: Callable[..., Mapping[str, float]],
    source: str,
    assumes: Sequence[str] = (),
    bits: int = 0,
    examples: Examples = None,
) -> Callable[[F], F]:
    """An *asserted* query: ``function(*values, **parameters)`` of private values, released ones among them.

    Parameters
    ----------
    name, gives, source, assumes, bits, examples
        As for :func:`own_statistic`.
    sensitivity : callable
        ``(*distances, **parameters) -> {"linf": ...}``, told a mapping of bounds by norm for each private input.

    Formal guarantees
    -----------------
    Level: asserted. Plans only with ``allow_asserted=True``.
    """

    def fields(settings: Mapping[str, Any]) -> dict[str, Any]:
        return {"gives": _domain(_at(gives, settings), Counts if bits == 0 else Vector), "bits": bits}

    _check_size(name, "gives", gives)
    _check_bits(name, bits, 0, MOST_ROUNDED)
    if not callable(sensitivity):
        raise SpecError(
            f"{name!r} is told sensitivity={sensitivity!r}; a query moves as its inputs do",
            fix='say sensitivity=lambda distance: {"l1": 2 * distance["linf"]}, say',
        )
    return keeping(
        name,
        "query",
        "own_query",
        fields,
        {"gives": gives},
        claim=sensitivity,
        source=source,
        assumes=assumes,
        examples=examples,
    )


def own_mechanism(
    name: str,
    *,
    gives: Made,
    takes: str,
    loss: Charged,
    source: str,
    proved_for: Sequence[tuple[int, int]] = (),
    assumes: Sequence[str] = (),
    examples: Examples = None,
) -> Callable[[F], F]:
    """An *asserted* mechanism: ``function(value, scale, noise, **parameters)`` gives what is released.

    Of a statistic ``value`` is whole numbers of lattice steps, ``scale`` is in steps too, and so is what a mechanism
    with numbers returns. Of ``dp.all_rows(x)`` it is rows of floats. ``noise`` draws exactly
    (:class:`dpframe.kernel.own.sampler.Sampler`); nothing else may be random.

    Parameters
    ----------
    name : str
    gives : int or Domain
        ``Index(m)``, or how many numbers it releases, or their domain.
    takes : {"l1", "l2", "linf", "edits"}
        The distance of its input that the loss is a function of; ``edits`` for rows.
    loss : callable
        ``(scale, distance, **parameters)``, with ``edits`` ``(scale, removed, added, **parameters)``: an event
        (``dp.Pure(...)``), ε, or (ε, δ). It must fall as the scale grows, or not depend on it.
    source : str
        Where the proof stands.
    proved_for : sequence of (removed, added)
        With ``edits``: the only ones it is proved for. ``[(1, 1)]`` is refused in parts, after filters and under
        add/remove.
    assumes : sequence of str
        Hypotheses of the proof: each is counted.
    examples : mapping, optional

    Formal guarantees
    -----------------
    Level: asserted. Plans only with ``allow_asserted=True``, and not in a loop that shares a total.
    """
    if takes not in DISTANCES:
        raise SpecError(f"{name!r} takes one of {', '.join(DISTANCES)}, not {takes!r}", fix='say takes="linf", say')
    if proved_for and takes != "edits":
        raise SpecError(
            f"{name!r}: its loss is no function of edits", fix='say proved_for in the statistic, or takes="edits"'
        )
    _check_size(name, "gives", gives)
    return keeping(
        name,
        "mechanism",
        "own_mechanism",
        lambda settings: {"gives": _domain(_at(gives, settings), Vector)},
        {"gives": gives},
        claim=loss,
        takes=takes,
        source=source,
        proved_for=proved_for,
        assumes=assumes,
        examples=examples,
    )


def _at(value: object, settings: Mapping[str, Any]) -> Any:
    return value(**settings) if callable(value) else value


def _check_size(name: str, what: str, value: object, *, domains: bool = True) -> None:
    """Refuse a size that is wrong whatever the parameters are; a function of them is checked when they are known."""
    whole = type(value) is not bool and isinstance(value, Integral) and int(value) >= 1
    if not (whole or callable(value) or (domains and isinstance(value, Domain))):
        fix = f"say {what}=2, for example"
        raise SpecError(f"{name!r} is told {what}={value!r}, not a whole number above 0", fix=fix)


def _check_bound(name: str, value: object, what: str = "bound") -> None:
    """Refuse a bound that is neither a positive number nor a function that gives one."""
    positive = type(value) is not bool and isinstance(value, Real) and 0 < float(value) < math.inf
    if not (positive or callable(value)):
        raise SpecError(f"{name!r} is told {what}={value!r}, not a positive number", fix=f"say {what}=1.0, for example")


def _check_bits(name: str, bits: object, least: int, most: int) -> None:
    """Refuse bits of a lattice that are out of range."""
    if type(bits) is bool or not isinstance(bits, Integral) or not least <= int(bits) <= most:
        raise SpecError(f"{name!r} is told bits={bits!r}, not {least} to {most}", fix="say bits=20, for example")


def _pairs(name: str, said: object) -> tuple[tuple[int, int], ...]:
    """The edits (removed, added) that a proof covers."""
    given: list[Any] = [plain(pair) for pair in said] if isinstance(said, (list, tuple)) else [None]
    if not all(isinstance(p, (list, tuple)) and len(p) == 2 and all(is_whole(n, 0) for n in p) for p in given):
        raise SpecError(
            f"{name!r} is told proved_for={said!r}, which is no list of pairs (removed, added)",
            fix="say proved_for=[(1, 1)], for example",
        )
    return tuple((removed, added) for removed, added in given)


def _texts(name: str, said: object) -> tuple[str, ...]:
    """Hypotheses as a tuple of texts; a single text is refused, since it would be read letter by letter."""
    if not isinstance(said, (list, tuple)) or not all(isinstance(text, str) and text.strip() for text in said):
        raise SpecError(f"{name!r} is told assumes={said!r}, which is no list of texts", fix='say assumes=["..."]')
    return tuple(said)


def _sensitivity(name: str, said: object) -> Callable[..., Mapping[str, float]]:
    """What a plugin says of its statistic: bounds by norm are those of one row out and one in, and add over more."""
    if callable(said):
        return said
    bounds = dict(said) if isinstance(said, Mapping) else {}
    if not bounds or set(bounds) - set(NORMS):
        raise SpecError(
            f"{name!r} is told sensitivity={said!r}, which is no mapping of bounds by norm ({', '.join(NORMS)})",
            fix='say sensitivity={"l2": 1.0}, say, or a function of (removed, added) that gives one',
        )
    for norm, bound in bounds.items():
        _check_bound(name, bound, f"sensitivity={{{norm!r}: ...}}")

    def claimed(removed: int, added: int, **parameters: object) -> Mapping[str, float]:
        steps = max(removed, added)
        return {norm: float(bound) if steps <= 1 else up(steps * float(bound)) for norm, bound in bounds.items()}

    return claimed


def _domain(made: Any, usual: type[Any]) -> str:
    """A domain as JSON text; a number of numbers is one of the usual kind."""
    domain = made if isinstance(made, Domain) else usual(made)
    return json.dumps(domain.to_json(), sort_keys=True)


def keeping(
    name: str,
    kind: str,
    operation: str,
    fields: Callable[..., Any],
    told: Mapping[str, object],
    *,
    expressed: bool = False,
    **more: Any,
) -> Callable[[F], F]:
    """Hand what a decorator was told to the kernel, which keeps it with the digest of the plugin's files.

    Raises
    ------
    SpecError
        For what has no name, no docstring, no file, or asserts something without a source.
    """
    registry.check_name(name, "operation")
    pairs, assumes = _pairs(name, more.pop("proved_for", ())), _texts(name, more.pop("assumes", ()))
    examples = more.pop("examples", None) or {}
    if "source" in more and not str(more["source"]).strip():
        raise SpecError(f"{name!r} asserts something, and names no proof", fix="give source=, a citation or a page")

    def kept(given_function: F) -> F:
        function = as_function(given_function, name)
        if not (inspect.getdoc(function) or "").strip():
            raise SpecError(f"operation {name!r} has no docstring", fix="say in its first line what it does")
        made = Own(
            name,
            kind,
            EXPRESSED[operation] if expressed else operation,
            function,
            _parameters_of(function),
            _written(function, fields) if expressed else fields,
            proved_for=pairs,
            assumes=assumes,
            examples=examples,
            **more,
        )
        check_called(made, told)
        keep(made, *told.values())
        return given_function

    return kept


def _written(function: Callable[..., Any], fields: Callable[..., Any]) -> Callable[..., Any]:
    """The fields of an operation in row expressions: the formula that the function writes, and what is declared."""

    def made(settings: Mapping[str, Any]) -> dict[str, Any]:
        declared, formula = fields(settings), write(function, **settings)
        size = declared.pop("p", None)
        if size is not None and size != len(formula_of(formula).gives):
            raise ValueError(f"its formula gives {len(formula_of(formula).gives)} columns, and it declares {size}")
        return {**declared, "formula": formula}

    return made


def _parameters_of(function: Callable[..., Any]) -> dict[str, Any]:
    """The keyword-only parameters of a function with their defaults."""
    known = inspect.signature(function).parameters.values()
    return {p.name: p.default for p in known if p.kind is p.KEYWORD_ONLY}
