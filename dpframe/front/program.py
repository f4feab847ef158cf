"""The probabilistic-programming front end: a Python function of handles, traced into a graph.

A handle stands for a value that does not exist yet. Each verb adds a node at once, so a wrong shape or a
private value in the wrong place is refused at the line that wrote it.

Examples
--------
>>> import dpframe as dp
>>> @dp.program
... def clipped_mean(x):
...     inside = dp.clip(x, dp.ball(centre=[0.0, 0.0], radius=10.0))
...     return dp.release("mean", dp.gaussian(share=1.0), dp.mean(inside))
>>> plan = dp.plan(clipped_mean, x=dp.rows(n=1000, d=2), adjacency=dp.REPLACE_ONE,
...                budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
>>> plan.verdict.accountant
'gdp'
"""

from __future__ import annotations

import inspect
import os
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Generic, Never, TypeVar, overload

import attrs

from dpframe.errors import DpframeError, PlanError
from dpframe.front.columns import Names, by_position
from dpframe.front.declarations import RowsDeclaration, check_declaration
from dpframe.front.handling import Handler, check_met, is_public, public
from dpframe.front.tracing import Composite, Handle, NameTakenError, R_co, Target, Tracer, tracer, tracing
from dpframe.kernel import registry
from dpframe.kernel.operations import Mechanism, Operation
from dpframe.kernel.shares import check_share
from dpframe.planning.frames import framed
from dpframe.planning.graph import Graph, Node
from dpframe.planning.plan import Plan, check_budget, make_plan
from dpframe.proof.losses import Budget
from dpframe.proof.spaces import Adjacency, Kind, Rows
from dpframe.proof.spaces import adjacency as find_adjacency
from dpframe.proof.spaces.checks import scalar
from dpframe.proof.typed import Input

__all__ = [
    "Composite",
    "Handle",
    "Program",
    "Target",
    "Tracer",
    "apply",
    "argument_names",
    "declared_inputs",
    "expand",
    "in_columns",
    "plan",
    "program",
    "release",
    "tracer",
]


R = TypeVar("R")


def apply(name: str, operation: Operation | Composite[Any] | Program[Any], *inputs: Any, finish: bool = True) -> Any:
    """Add an operation, or expand a composite or a program, under ``name``; partitions give a list of handles.

    Numbers, arrays and other public values may stand where a released or public input is asked for.

    A released statistic of clipped rows is put into the units of those rows by the statistic's own finishing post
    node. A spec, which writes every node out, adds that node itself: ``finish=False``.
    """
    t = tracer()
    if not isinstance(name, str):
        raise PlanError(f"the name of a node must be a text, not a {type(name).__name__}", fix='for example "mean"')
    for handler, known in t.told(t.full(name)):
        constant = handler.instead(known)
        if constant is not None:
            return t.add(name, constant, [], exact=True)[0]
    if isinstance(operation, Program):
        return expand(name, operation.called, inputs, {}, f"program {operation.name!r}")
    if isinstance(operation, Composite):
        function, given = registry.find_composite(operation.name), _checked(in_columns(operation.parameters, inputs))
        return expand(name, function, inputs, given, f"composite {operation.name!r}")
    asked: object = operation
    if not isinstance(asked, Operation):
        raise PlanError(
            f"node {name!r} needs an operation, a recipe or a program, not a {type(asked).__name__}",
            fix="give what a verb or dp.recipe makes, or dp.transform(NAME, ...)",
        )
    made = t.add(name, operation, _given(t, name, operation, inputs), exact=True)
    if isinstance(operation, Mechanism) and finish:
        return _finish(t, name, made[0])
    return made[0] if len(made) == 1 and made[0].ref.part is None else made


def _given(t: Tracer, name: str, operation: Operation, inputs: Sequence[Any]) -> list[Any]:
    """Inputs with public constants added as nodes, where a slot takes no private value."""
    slots, found = list(operation.slots), []
    first = inputs[0] if inputs and isinstance(inputs[0], Handle) else None
    d = first.edge.domain.d if first is not None and isinstance(first.edge.domain, Rows) else None
    for i, item in enumerate(inputs):
        slot = slots[min(i, len(slots) - 1)] if slots and (i < len(slots) or slots[-1].variadic) else None
        if slot is not None and Kind.PRIVATE not in slot.kinds and not isinstance(item, Handle) and is_public(item):
            constant = public(item, f"input {slot.name!r} of {name!r}", slot=slot.name, d=d)
            found.append(t.add(f"{name.rpartition('.')[2]}_{slot.name}", constant, [])[0])
        else:
            found.append(item)
    return found


def in_columns(parameters: Mapping[str, Any], inputs: Sequence[Any]) -> dict[str, Any]:
    """Parameters with columns by position: those of the first input, where it is rows."""
    first = inputs[0] if inputs and isinstance(inputs[0], Handle) else None
    return by_position(
        parameters, None if first is None else first.columns, "rows" if first is None else repr(str(first.ref))
    )


def _finish(t: Tracer, name: str, released: Handle) -> Handle:
    """Undo the frame of a released sum, mean or the like, where its statistic names how."""
    frame = framed(t.typed, t.edges, released.ref)
    if frame is None or not frame.finish:
        return released
    if frame.ball is None:
        raise PlanError(
            f"{name!r} is in the units of a frame that is not at hand: its rows were clipped outside",
            fix="clip in this body, or say dp.release(..., frame=True)",
        )
    ball = Handle(frame.ball, t.edges[frame.ball], t)
    return t.add(name + ".value", registry.build(frame.finish, {}), [released, ball], exact=True)[0]


def _checked(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters of a composite: its share is a number, and so is a bound where it is no list of them."""
    given = {key: scalar(value) for key, value in parameters.items()}
    if "share" in given:
        check_share("share", given["share"])
    bound = given.get("bound")
    if isinstance(bound, (bool, str, int, float)) or (isinstance(bound, (list, tuple)) and not bound):
        check_share("bound", bound)
    return given


def expand(
    name: str,
    function: Callable[..., Any],
    inputs: Sequence[Any],
    parameters: Mapping[str, Any],
    shown: str,
    *,
    own: bool = False,
) -> Any:
    """Call a function of handles, its nodes' names under ``name``; ``shown`` names it in errors.

    ``own`` says that ``name`` is a full one, as ``Tracer.fresh`` gives it.
    """
    t = tracer()
    t.check_own(shown, [item for item in inputs if item is not None])
    outer = t.scope
    t.scope = (name,) if own else (*outer, name)
    try:
        return function(*inputs, **parameters)
    except DpframeError:
        raise
    except (TypeError, ValueError, ArithmeticError) as error:  # of what it was told; no data is there
        raise PlanError(f"{shown}: {error}{_place(error)}", fix=_takes(function, inputs, parameters)) from None
    except RecursionError:
        raise PlanError(
            f"{shown} uses itself without end", fix="break the circle; dp.recurse divides a table"
        ) from None
    finally:
        t.scope = outer


def _takes(function: Callable[..., Any], inputs: Sequence[Any], parameters: Mapping[str, Any]) -> str:
    """What a function of handles takes, where it was called otherwise."""
    signature = inspect.signature(function)
    try:
        signature.bind(*inputs, **parameters)
    except TypeError:
        return f"it takes {', '.join(signature.parameters)}"
    return "check its parameters and inputs"


def _place(error: Exception) -> str:
    """The line of a function of handles that raised; empty where the call itself did not fit."""
    frames = traceback.extract_tb(error.__traceback__)[1:]
    return f", at {os.path.basename(frames[0].filename)}:{frames[0].lineno}" if frames else ""


@overload
def release(name: str, mechanism: Mechanism, value: Handle, *, frame: bool = False) -> Handle: ...
@overload
def release(
    name: str, mechanism: Composite[R] | Program[R], value: Handle, *more: Handle, frame: bool = False
) -> R: ...
def release(
    name: str, mechanism: Mechanism | Composite[Any] | Program[Any], value: Handle, *more: Handle, frame: bool = False
) -> Any:
    """Release a private value through a mechanism, or expand a composite or a program, under ``name``.

    A sum, Gram matrix or sum of squares of clipped rows comes back about the centre of the clip's ball and in the units
    of the rows that were clipped, a mean as a mean; the array's ``centre`` says about what. With ``frame`` it stays in
    the units of the unit ball, with the noise that the plan shows.
    """
    if not isinstance(mechanism, (Mechanism, Composite, Program)):
        raise PlanError(
            f"release {name!r} needs a mechanism or a composite, not {type(mechanism).__name__}",
            fix="use dp.gaussian(share=...) or another mechanism",
        )
    return apply(name, mechanism, value, *more, finish=not frame)


# ------------------------------------------------------------------------------- programs and plans


@attrs.frozen
class Program(Generic[R_co]):
    """A traced-on-demand function of handles; called with handles inside another program it is a part of that.

    Its nodes keep their names there, and stand under the program's own name, numbered, where one of them is taken;
    ``dp.release("first", program, x)`` puts them under a name of one's choice. Handlers (``dp.substitute``,
    ``dp.scale_shares``) hear of the names within the program.
    """

    function: Callable[..., R_co] = attrs.field()
    handlers: tuple[Handler, ...] = ()

    @function.validator
    def _callable(self, attribute: attrs.Attribute[Any], value: object) -> None:
        if not callable(value) or isinstance(value, Handle):
            raise PlanError(f"a program is a function of handles, not a {type(value).__name__}", fix="give a function")

    def __call__(self, *handles: Handle, **parameters: Any) -> R_co:
        """The program as a part of the one that is being traced."""
        t = tracer()
        t.check_own("a program", handles)
        before = t.mark()
        try:
            return self.called(*handles, **parameters)
        except NameTakenError:  # under a name of its own, then
            t.back_to(before)
            shown = f"program {self.name!r}"
            made: R_co = expand(t.fresh(self.name), self.called, handles, parameters, shown, own=True)
            return made

    @property
    def name(self) -> str:
        """Name of its function, or ``program`` where that is no identifier."""
        name = str(getattr(self.function, "__name__", "program"))
        return name if name.isidentifier() else "program"

    def called(self, *handles: Handle, **parameters: Any) -> R_co:
        """What its function returns for these handles, with its handlers told of every node."""
        t = tracer()
        base, taken = t.full(""), len(t.nodes)
        mine = [handler.fresh() for handler in self.handlers]
        outer = t.handlers
        t.handlers = [*((base, handler) for handler in mine), *outer]
        try:
            made = self.function(*handles, **parameters)
        finally:
            t.handlers = outer
        check_met(mine, [(t.path + name)[len(base) :] for n in t.nodes[taken:] for name in _with_bodies(n, "")])
        return made

    def graph(
        self, inputs: Sequence[Input], *, target: Target | None = None, columns: Mapping[str, Names] | None = None
    ) -> Graph:
        """Trace the function with these inputs, for a known adjacency and budget, and names of columns, if given."""
        active = Tracer(inputs, target, columns)
        with tracing(active):
            result = self.called(*(active.handle(i.name) for i in inputs))
        return active.graph(result)


def _with_bodies(node: Node, base: str) -> Iterator[str]:
    """The name of a node, and of those of its bodies as handlers know them."""
    yield base + node.name
    for _, body in node.bodies:
        for inner in body.nodes:
            yield from _with_bodies(inner, f"{base}{node.name}.")


def argument_names(function: Callable[..., Any]) -> list[str]:
    """Names of the arguments that handles are given to: those that have no default and take a position."""
    function = function.function if isinstance(function, Program) else function
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    try:
        known = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        raise PlanError(f"{function!r} has no arguments that can be read", fix="wrap it in a function") from None
    return [p.name for p in known if p.kind in positional and p.default is p.empty]


def program(function: Callable[..., R] | None = None) -> Program[R]:
    """Decorator: make a function of handles a program."""
    if function is None:
        raise PlanError("dp.program is given no function", fix="write @dp.program without brackets")
    return Program(function)


def declared_inputs(what: Program[Any], tables: Mapping[str, RowsDeclaration]) -> tuple[list[Input], dict[str, Names]]:
    """The inputs of a program with these tables, and the names of their columns.

    Raises
    ------
    PlanError
        Unless each argument is declared once.
    """
    for name, table in tables.items():
        check_declaration(name, table)
    names = argument_names(what.function)
    if set(names) != set(tables):
        fix = f"give {', '.join(f'{name}=dp.rows(n=..., d=...)' for name in names)}, and no others"
        raise PlanError(
            f"the program takes the tables {names}, but {sorted(tables)} are declared",
            fix=fix if names else "give it an argument for each table: one that has no default",
        )
    inputs = [Input(n, tables[n].kind, Rows(tables[n].d), tables[n].n) for n in names]
    return inputs, {n: table.columns for n, table in tables.items() if table.columns is not None}


def plan(
    what: Program[Any] | Graph | Callable[..., Any],
    *declared: Never,
    adjacency: Adjacency | str,
    budget: Budget,
    allow_asserted: bool = False,
    optimize: str | Sequence[str] | None = None,
    **tables: RowsDeclaration,
) -> Plan:
    """Trace, check and price a program; reads no data.

    Parameters
    ----------
    what : Program, function of handles, or Graph
    adjacency : Adjacency, Edits or str
        ``dp.REPLACE_ONE``, ``dp.ADD_REMOVE``, ``Edits(m, m)``. No default.
    budget : ApproxDP, PureDP, ZCDP or GDP
        No default.
    allow_asserted : bool
        Whether operations may be used whose price is a plugin's word (``dpframe ops`` shows each level).
    optimize : str or sequence of str, optional
        Names of outputs. Shares are then those for which the predicted error of these outputs is least, where that is
        less than with the program's own; what only other outputs need keeps a quarter of its part of ρ or more. Each
        must have an error model (``plan.predict()``); several are weighed by the product of their errors.
    **tables
        One declaration (:func:`rows`, :func:`public_rows`) for each argument of the program.

    Raises
    ------
    PlanError, BudgetError
    """
    relation = find_adjacency(adjacency)
    check_budget(budget)
    if declared:
        raise PlanError("tables are declared by name", fix="write x=dp.rows(...) for the program's argument x")
    if not isinstance(what, Graph):
        what = what if isinstance(what, Program) else Program(what)
        inputs, columns = declared_inputs(what, tables)
        what = what.graph(inputs, target=Target(relation, budget), columns=columns)
        how: dict[str, Any] = {"allow_asserted": allow_asserted, "columns": columns, "optimize": optimize}
        return make_plan(what, adjacency=relation, budget=budget, **how)
    if tables:
        raise PlanError("a graph declares its own inputs", fix="leave the table declarations out")
    return make_plan(what, adjacency=relation, budget=budget, allow_asserted=allow_asserted, optimize=optimize)
