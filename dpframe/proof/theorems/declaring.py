"""What an operation on private values takes, makes and may cite: declared once, beside its theorem.

A declaration is what the planner and the checker know of an operation. The operation's own file adds only what
runs. A certificate names its operations; their declarations say what a name may stand for, so that no file can give
a statistic a bounded domain that no clip made, or tell a theorem of fewer histograms than there are. An operation
that is not declared is post-processing and may read released and public values only.

Examples
--------
>>> from dpframe.proof.spaces import Ball, Rows
>>> from dpframe.proof.theorems import DECLARATIONS
>>> DECLARATIONS["clip_ball"].output({}, (Rows(3), Ball(3)))
Rows(d=3, bound='unit_ball')
>>> DECLARATIONS["box_sum"].theorem_inputs({"bits": 20}, (Rows(3, "unit_box"),))
{'bits': 20, 'd': 3}
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import attrs

from dpframe.errors import PlanError
from dpframe.proof.spaces import Domain, Kind, finite_number
from dpframe.proof.spaces.checks import LEAST_NOISE, MOST_BITS, MOST_NOISE, is_whole, shown
from dpframe.proof.theorems.base import THEOREMS, Params

Domains = tuple[Domain, ...]
Shape = Callable[[Params, Domains], Domain]
Claims = Callable[[Params, Domains], dict[str, Any]]
Released = Mapping[str, Mapping[str, Domain]]
"""Domains that the bodies of a control node release: by label, then by name."""
KINDS = ("transform", "gather", "partition", "blocks", "statistic", "query", "mechanism", "control")
FREE = (Kind.RELEASED, Kind.PUBLIC)
ANY = (Kind.PRIVATE, Kind.RELEASED, Kind.PUBLIC)


@attrs.frozen
class Slot:
    """One input of an operation: its name, the edge kinds it takes, and whether it may be left out."""

    name: str
    kinds: tuple[Kind, ...] = (Kind.PRIVATE,)
    variadic: bool = False
    optional: bool = False


ROWS = Slot("rows")
VALUE = Slot("value")
BLOCKS = Slot("blocks")


def free(name: str, *, variadic: bool = False, optional: bool = False) -> Slot:
    """A released or public input."""
    return Slot(name, FREE, variadic, optional)


def check_inputs(name: str, takes: Sequence[Slot], kinds: Sequence[Kind], refs: Sequence[str]) -> None:
    """Number and kinds of inputs; that a private value goes only where a slot takes one is decided here.

    Raises
    ------
    PlanError
        Naming the operation, the input and the fix.
    """
    slots = list(takes)
    if slots and slots[-1].variadic:
        slots += [slots[-1]] * (len(kinds) - len(slots))
    least = sum(1 for slot in slots if not (slot.optional or slot.variadic))
    if not least <= len(kinds) <= len(slots):
        names = ", ".join(slot.name for slot in takes) or "none"
        raise PlanError(f"{name} takes inputs ({names}), not {len(kinds)} of them", fix="give it those inputs")
    for slot, kind, ref in zip(slots, kinds, refs, strict=False):
        if kind not in slot.kinds:
            allowed = " or ".join(k.value for k in slot.kinds)
            private = kind is Kind.PRIVATE
            raise PlanError(
                f"input {slot.name!r} takes a {allowed} value; {ref!r} is {kind.value}",
                fix="release it through a mechanism first" if private else "give the private table, or a part of it",
            )


def _as_declared(params: Params, inputs: Domains) -> dict[str, Any]:
    return dict(params)


def _words(names: str | tuple[str, ...]) -> tuple[str, ...]:
    return tuple(names.split()) if isinstance(names, str) else names


def _numbers(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and all(map(finite_number, value))


def _increasing(value: Any) -> bool:
    return _numbers(value) and [*value] == sorted(set(value))


FITS: Mapping[str, Callable[[Any], bool]] = {
    "bits": lambda v: is_whole(v, 1) and v <= MOST_BITS,
    **dict.fromkeys(("t", "rows"), lambda v: is_whole(v, 1)),
    **dict.fromkeys(("seed", "max_pairs"), lambda v: is_whole(v, 0)),
    **dict.fromkeys(("share", "noise_multiplier"), lambda v: finite_number(v) and LEAST_NOISE <= v <= MOST_NOISE),
    **dict.fromkeys(("learner", "function", "mask", "family"), lambda v: isinstance(v, str)),
    **dict.fromkeys(("ratio", "c"), lambda v: finite_number(v) and v > 1),
    **dict.fromkeys(("edges", "candidates", "values"), lambda v: is_whole(v, 1) or _increasing(v)),
    "delta_fraction": lambda v: finite_number(v) and 0 < v < 1,
    "threshold": finite_number,
    "nonnegative": lambda v: isinstance(v, bool),
    "spread": lambda v: v is None or (_numbers(v) and len(v) == 3 and min(v) > 0),
}
"""What parameters may be that no theorem is told of, or none refuses, by name: what their operations take."""
READ = ("own_statistic", "own_query", "block_average")
"""Their theorems read the bits, which are of other lattices."""


@attrs.frozen
class Condition:
    """What a value rests on that exists only if a test passed.

    Attributes
    ----------
    tested : str
        The operation whose value the test must have looked at, computed from the very same input. The test is one that
        is declared to fail for sure.
    check : callable
        Told the declared parameters of the three nodes (the value's, the test's, the tested one's); raises
        :class:`~dpframe.errors.PlanError` where the test could pass although the value need not exist.
    """

    tested: str
    check: Callable[[Params, Params, Params], None]


@attrs.frozen
class Declaration:
    """One operation on private values.

    Attributes
    ----------
    name, theorem : str
        The registered name, and the theorem it cites.
    kind : str
        One of ``KINDS``.
    takes : tuple of Slot
        Its inputs, in order.
    parameters : tuple of str
        Names of the declared parameters, given as one string.
    shape : callable
        Domain of the output (of each part) from the declared parameters and input domains. Of a control operation:
        from the domains that its bodies release.
    tells : callable
        What the theorem is told, from the declared parameters and input domains.
    calibration : tuple of str
        The noise parameters of a mechanism.
    optional : tuple of str
        Noise parameters that it may have besides.
    parts : callable, optional
        Number of parts of a partition.
    bodies : tuple of str
        Labels of the subgraphs of a control operation.
    check_bodies : callable, optional
        Told the input domains of a control node and what its bodies release; raises where they don't fit.
    rests_on : Condition, optional
        Where the result exists only if a test passed, its second input: which test.
    public_n : bool
        Whether it goes by the row index, which needs a public number of rows: refused under add/remove.
    own_rows : {"", "index", "private n", "table"}
        Whether it takes the table's own rows only. ``private n``: only where the number of rows is private, and their
        images by row maps as well, of which there are as many (:func:`dpframe.proof.typed.made_of`). ``table``:
        the program's table itself, in no body.
        A control operation hands it to its bodies as a table of their own.
        ``index``: or parts of them whose rows have the table's index (:func:`dpframe.proof.typed.indexed_rows`).
    draws : bool
        Whether it draws secret labels once a run.
    finish : str, optional
        Of a value in the units of a clip's frame: the post-processing that takes the released value and the ball and
        gives it in the units of the rows, which ``dp.release`` adds; empty where there is none. None where the value
        is in no frame's units.
    fails_surely : bool
        Of a test: whether it fails for sure where the value is below its parameter ``threshold``, so that there may be
        values that exist only if it passed.
    decides : bool
        Of a control operation: whether its first input is a test that chooses a body, and no body takes it.
    hands : callable, optional
        Of a control operation: the domain of what a body takes for its first input, where that is not this itself.
    names : tuple of str
        Parameters that name what a plugin registers (a semimetric, a mask, a family, a learner, a row function): a
        certificate gives the digest of the plugin of each.
    """

    name: str
    kind: str = attrs.field(validator=attrs.validators.in_(KINDS))
    theorem: str
    takes: tuple[Slot, ...]
    parameters: tuple[str, ...] = attrs.field(converter=_words)
    shape: Shape
    tells: Claims = _as_declared
    calibration: tuple[str, ...] = attrs.field(default="", converter=_words)
    optional: tuple[str, ...] = attrs.field(default="", converter=_words)
    parts: Callable[[Params], int] | None = None
    bodies: tuple[str, ...] = attrs.field(default="", converter=_words)
    check_bodies: Callable[[Domains, Released], None] | None = None
    rests_on: Condition | None = None
    public_n: bool = False
    own_rows: str = ""
    draws: bool = False
    finish: str | None = None
    fails_surely: bool = False
    decides: bool = False
    hands: Callable[[Domain], Domain] | None = None
    names: tuple[str, ...] = attrs.field(default="", converter=_words)

    def check(self, params: Params) -> None:
        """Refuse parameters that no operation of this name has; a mechanism has a share or a multiplier."""
        absent = [name for name in ("share", "noise_multiplier") if self.kind == "mechanism" and params[name] is None]
        if self.kind == "mechanism" and len(absent) != 1:
            raise PlanError("must have exactly one of share and noise_multiplier", fix="give one")
        for name in [name for name in params if name in FITS and name not in absent and self.name not in READ]:
            if not FITS[name](params[name]):
                raise PlanError(f"its parameter {name!r} can't be {shown(params[name])}", fix="give what it takes")

    def output(self, params: Params, inputs: Domains) -> Domain:
        """Domain of the result; a refusal names the operation, what it was given and the fix."""
        with self._named():
            return self.shape(params, inputs)

    def result(self, params: Params, inputs: Domains, released: Released) -> Domain:
        """Domain of a control node, from what its bodies release."""
        with self._named():
            if self.check_bodies is not None:
                self.check_bodies(inputs, released)
        return self.output(params, tuple(next(iter(released[label].values())) for label in self.bodies))

    def theorem_inputs(self, params: Params, inputs: Domains) -> dict[str, Any]:
        """What the theorem is told of this use of the operation."""
        with self._named():
            return self.tells(params, inputs)

    @contextlib.contextmanager
    def _named(self) -> Iterator[None]:
        """A refusal begins with the operation's name."""
        try:
            yield
        except PlanError as error:
            raise PlanError(f"{self.name} {error.message}", fix=error.fix) from None


DECLARATIONS: dict[str, Declaration] = {}


def is_test(operation: str) -> bool:
    """Whether values may rest on this operation's passing; a name that is not declared is post-processing."""
    return operation in DECLARATIONS and DECLARATIONS[operation].fails_surely


def captured(operation: str) -> int:
    """Place of the first input that the bodies of a control operation take."""
    return int(operation in DECLARATIONS and DECLARATIONS[operation].decides)


def check_cited(what: str, name: str, theorem: Any) -> None:
    """Whatever is registered and names a theorem names a stated one; the empty text names none.

    Raises
    ------
    PlanError
        Naming the thing and the theorem.
    """
    if theorem != "" and (not isinstance(theorem, str) or theorem not in THEOREMS):
        raise PlanError(f"{what} {name!r} cites the unknown theorem {theorem!r}", fix="state the theorem first")


WEIGHTS = ("share", "noise_multiplier", "delta_fraction", "size", "assumes")
"""Parameters that are no constants of a computation on rows."""


def constant_hypotheses(kind: str, parameters: Params, inputs: int) -> tuple[str, ...]:
    """What a node assumes of the constants it holds: a program may have read them from anywhere.

    A post without inputs is a constant; of other nodes, numbers with a fraction and lists are taken for one: edges of
    bins, thresholds, centres. So are those in the text of a formula, or of the settings of a plugin's operation.

    Examples
    --------
    >>> constant_hypotheses("statistic", {"edges": [0.0, 1.5]}, 1)
    ('public, not computed from the table: edges',)
    >>> constant_hypotheses("statistic", {"bits": 20, "assumes": []}, 1)
    ()
    """
    if kind == "post" and not inputs:
        return (PUBLIC,)
    held = [k for k, v in sorted(parameters.items()) if k not in WEIGHTS and _holds_a_constant(k, v)]
    return (f"{PUBLIC}: {', '.join(held)}",) if held else ()


_CONSTANTS_IN_TEXT = {"formula": re.compile(r'"number"|\\'), "settings": re.compile(r"[.\[]|\d[eE]|.\{", re.DOTALL)}
"""In JSON text: a name that may be spelled with a backslash; numbers with a fraction or an exponent, lists, objects."""


def _holds_a_constant(key: str, value: Any) -> bool:
    if isinstance(value, str):
        return key in _CONSTANTS_IN_TEXT and _CONSTANTS_IN_TEXT[key].search(value) is not None
    return isinstance(value, float) or (isinstance(value, (list, tuple, dict)) and len(value) > 0)


PUBLIC = "public, not computed from the table"
"""The hypothesis on constants."""


def declare(name: str, kind: str, theorem: str, takes: tuple[Slot, ...], shape: Shape, **more: Any) -> None:
    """Declare an operation of the kernel, beside its theorem.

    Raises
    ------
    PlanError
        For a theorem that does not exist, or a name that is declared already.
    """
    check_cited("operation", name, theorem)
    if name in DECLARATIONS:
        raise PlanError(f"operation {name!r} is declared twice", fix="rename one")
    parameters = more.pop("parameters", "")
    DECLARATIONS[name] = Declaration(name, kind, theorem, takes, parameters, shape, **more)


def declare_statistic(name: str, theorem: str, shape: Shape, *more_inputs: Slot, **more: Any) -> None:
    """Declare a statistic: of rows, and of what else it takes."""
    declare(name, "statistic", theorem, (ROWS, *more_inputs), shape, **more)


def declare_mechanism(
    name: str, theorem: str, shape: Shape, *, calibration: str, parameters: str = "", **more: Any
) -> None:
    """Declare a mechanism: one private value, noise by share or multiplier."""
    own = f"share noise_multiplier {parameters}"
    declare(name, "mechanism", theorem, (VALUE,), shape, parameters=own, calibration=calibration, **more)


def citing(theorem: str) -> tuple[str, ...]:
    """The only operations that may cite a theorem."""
    return tuple(name for name, known in DECLARATIONS.items() if known.theorem == theorem)
