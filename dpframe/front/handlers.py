"""Handlers over programs, as numpyro has them: what a program does, seen, changed and tried without editing it.

Each takes a program and gives a program, a trace or a simulated result, so that they can be nested.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import attrs

from dpframe.errors import PlanError, nearest
from dpframe.front.declarations import RowsDeclaration, public_rows, rows
from dpframe.front.handling import Scaling, Substitution, by_names, check_factor, public
from dpframe.front.program import Program, declared_inputs, plan
from dpframe.front.tracing import Handle, Target
from dpframe.kernel.graphs import Planned
from dpframe.kernel.operations import Operation
from dpframe.planning.plan import Plan
from dpframe.planning.results import RunResult
from dpframe.proof.losses import Budget
from dpframe.proof.spaces import Adjacency, Domain
from dpframe.proof.spaces import adjacency as find_adjacency
from dpframe.proof.typed import Ref
from dpframe.runtime.sources import open_source

R = TypeVar("R")
Model = Program[Any] | Callable[..., Any]
"""A program, or the function of one."""


@attrs.frozen
class Site:
    """One input or node of a traced program.

    Attributes
    ----------
    name : str
    operation : str
        Its registered name; ``input`` for a table.
    kind : str
        Of its value: ``private``, ``released`` or ``public``.
    domain : Domain
        What its value may be.
    inputs : tuple of str
        What it is made of.
    share : float or None
        Its weight of ρ, where it has one.
    parameters : mapping
        Its declared parameters.
    """

    name: str
    operation: str
    kind: str
    domain: Domain
    inputs: tuple[str, ...]
    share: float | None
    parameters: Mapping[str, Any]


def trace(
    program: Model, *, adjacency: Adjacency | str | None = None, budget: Budget | None = None, **tables: RowsDeclaration
) -> dict[str, Site]:
    """The inputs and nodes of a program by name, in their order; nothing is priced, and no data is read.

    Parameters
    ----------
    program : Program, or function of handles
    adjacency : Adjacency or str, optional
    budget : Budget, optional
        Both are needed by a program whose steps follow the budget.
    **tables
        One declaration for each argument.

    Returns
    -------
    dict
        :class:`Site` by name: those of groups are ``group.node``, and so are those in the bodies of a branch or a loop.
        What two bodies call the same is told once, as the first has it.

    Raises
    ------
    PlanError
        Where the program can't be traced.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def mean(x):
    ...     ball = dp.release("ball", dp.locate(share=0.3, bound=1e6), x)
    ...     return dp.release("mean", dp.gaussian(share=0.7), dp.mean(dp.clip(x, ball)))
    >>> sites = dp.trace(dp.substitute(mean, ball=([0.0, 0.0], 10.0)), x=dp.rows(d=2, n=1000))
    >>> [(site.name, site.operation, site.kind) for site in sites.values()][:3]
    [('x', 'input', 'private'), ('ball', 'ball', 'public'), ('clip_1', 'clip_ball', 'private')]
    """
    if (adjacency is None) != (budget is None):
        raise PlanError("a program is traced for an adjacency and a budget, or for neither", fix="give both")
    target = None if adjacency is None or budget is None else Target(find_adjacency(adjacency), budget)
    known = _program(program)
    inputs, columns = declared_inputs(known, tables)
    sites: dict[str, Site] = {}

    def watched(*handles: Handle, **parameters: Any) -> Any:
        result = known.called(*handles, **parameters)
        t = handles[0].tracer if handles else None
        for item in t.inputs if t is not None else ():
            sites[item.name] = Site(item.name, "input", item.kind.value, item.domain, (), None, {})
        for node in t.nodes if t is not None else ():
            for name, made in _with_bodies(t.typed[node.name], "") if t is not None else ():
                kind, domain = made.output.kind.value, made.output.domain
                sites.setdefault(name, _site(name, made.operation, kind, domain, made.inputs))
        return result

    Program(watched).graph(inputs, target=target, columns=columns)
    return sites


def _with_bodies(node: Planned, base: str) -> Iterator[tuple[str, Planned]]:
    """A node and those of its bodies, by the names that handlers know."""
    yield base + node.name, node
    for body in node.bodies.values():
        for inner in body.nodes:
            yield from _with_bodies(inner, f"{base}{node.name}.")


def _site(name: str, operation: Operation, kind: str, domain: Domain, inputs: Sequence[Ref]) -> Site:
    given = operation.parameters()
    return Site(name, operation.name, kind, domain, tuple(map(str, inputs)), given.get("share"), given)


def substitute(
    program: Program[R] | Callable[..., R], values: Mapping[str, Any] | None = None, **named: Any
) -> Program[R]:
    """A program in which some released or public values are public constants: their nodes are not run.

    What a substituted mechanism would have cost goes to the others. The values must be public: the certificate says so
    of every constant.

    Parameters
    ----------
    program : Program, or function of handles
    values : mapping, optional
        For names that are no words of Python, such as ``"group.ball"``: a node of a group, of a program that is called
        under a name, or of the bodies of a branch or a loop.
    **named
        By the name that the program gives: of a mechanism, a composite or any named node. Numbers and arrays; a ball as
        ``(centre, radius)`` or a mapping of its fields; maps, Gaussians and mixtures as values or mappings.

    Returns
    -------
    Program

    Raises
    ------
    PlanError
        For what is no public value; when the program is traced, for a name that it has not, with the nearest.

    Formal guarantees
    -----------------
    None rests on the values: what is clipped by a substituted ball is clipped. That they are public is a hypothesis of
    the certificate.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def mean(x):
    ...     ball = dp.release("ball", dp.locate(share=0.3), x)
    ...     return dp.release("mean", dp.gaussian(share=0.7), dp.mean(dp.clip(x, ball)))
    >>> known = dp.substitute(mean, ball=([0.0, 0.0], 10.0))
    >>> plan = dp.plan(known, x=dp.rows(d=2, n=1000), adjacency=dp.REPLACE_ONE, budget=dp.zcdp(rho=0.5))
    >>> [node.name for node in plan.graph.nodes]
    ['ball', 'clip_1', 'mean_1', 'mean', 'mean.value']
    """
    given = {**by_names("values", values), **named}
    if not given:
        raise PlanError("dp.substitute is given no value", fix="for example ball=([0.0, 0.0], 10.0)")
    made = {name: public(value, f"dp.substitute: {name!r}") for name, value in given.items()}
    return _handled(program, Substitution(made))


def scale_shares(
    program: Program[R] | Callable[..., R],
    factor: float = 1.0,
    named: Mapping[str, float] | None = None,
    **factors: float,
) -> Program[R]:
    """A program whose shares are multiplied: all by ``factor``, and those of what is named by their own.

    Only ratios of shares count, so one factor for all matters where the program is a part of another one.

    Parameters
    ----------
    program : Program, or function of handles
    factor : float
        Of every share. Positive.
    named : mapping, optional
        Factors for names that are no words of Python.
    **factors
        By name of a mechanism, a branch, a loop or a group of nodes: of all shares in it. Inside a loop only their
        ratios count; the loop's own is what it is given.

    Returns
    -------
    Program

    Raises
    ------
    PlanError
        For a factor that is not positive; when the program is traced, for a name that has no share.

    Formal guarantees
    -----------------
    The planner prices whatever shares come out, within the same budget.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def two(x):
    ...     first = dp.release("first", dp.laplace(share=1.0), dp.count(x))
    ...     return first, dp.release("second", dp.laplace(share=1.0), dp.count(x))
    >>> sites = dp.trace(dp.scale_shares(two, second=3.0), x=dp.rows(d=1))
    >>> sites["first"].share, sites["second"].share
    (1.0, 3.0)
    """
    every = check_factor("factor", factor)
    given = {name: check_factor(name, value) for name, value in {**by_names("named", named), **factors}.items()}
    return _handled(program, Scaling(every, given))


def simulate(
    model: Model | Plan,
    *,
    seed: int,
    adjacency: Adjacency | str | None = None,
    budget: Budget | None = None,
    public: Sequence[str] = (),
    allow_asserted: bool = False,
    **tables: Any,
) -> RunResult:
    """Run a program, or a plan, with noise from a seed: for trying out, never a release.

    Parameters
    ----------
    model : Program, function of handles, or Plan
    seed : int
        The same one gives the same result.
    adjacency : Adjacency or str
    budget : Budget
        Of a program, which is planned first; a plan has them.
    public : sequence of str
        Which of the tables are public.
    allow_asserted : bool
        As for ``dp.plan``.
    **tables
        A table for each argument: arrays, paths, data frames. Their sizes and names of columns are taken from them.

    Returns
    -------
    RunResult
        Marked as simulated.

    Raises
    ------
    PlanError, BudgetError, DataError

    Formal guarantees
    -----------------
    None: whoever knows the seed knows the noise.

    Examples
    --------
    >>> import numpy as np
    >>> import dpframe as dp
    >>> @dp.program
    ... def rows_of(x):
    ...     return dp.release("rows", dp.laplace(share=1.0), dp.count(x))
    >>> result = dp.simulate(rows_of, seed=0, adjacency=dp.ADD_REMOVE, budget=dp.pure_dp(100.0), x=np.zeros((50, 2)))
    >>> result["rows"].tolist(), result.simulated
    ([50.0], True)
    """
    if isinstance(model, Plan):
        if adjacency is not None or budget is not None or public:
            raise PlanError("a plan has its adjacency and its budget", fix="leave them out")
        return model.run(simulate=seed, **tables)
    if adjacency is None or budget is None:
        raise PlanError("a program is simulated under an adjacency and a budget", fix="give adjacency= and budget=")
    with_n, public = find_adjacency(adjacency).n_is_public, _publics(public, tables)
    declared = {name: _declared(table, name in public, with_n=with_n) for name, table in tables.items()}
    planned = plan(model, adjacency=adjacency, budget=budget, allow_asserted=allow_asserted, optimize=None, **declared)
    return planned.run(simulate=seed, **tables)


def _publics(given: object, tables: Mapping[str, Any]) -> Sequence[str]:
    """Which tables are public, by name."""
    names = [given] if isinstance(given, str) else given
    if not isinstance(names, (list, tuple)) or not all(isinstance(name, str) for name in names):
        raise PlanError(f"public tables are named, not {given!r}", fix='for example public=["prices"]')
    for name in names:
        if name not in tables:
            raise PlanError(f"there is no table {name!r} to be public", fix=nearest(name, tables))
    return names


def _declared(table: Any, is_public: bool, *, with_n: bool) -> RowsDeclaration:
    source = open_source(table)
    make = public_rows if is_public else rows
    n = source.count_rows() if with_n or is_public else None
    return make(columns=source.columns, n=n) if source.named else make(d=source.d, n=n)


def _program(model: Program[R] | Callable[..., R]) -> Program[R]:
    return model if isinstance(model, Program) else Program(model)


def _handled(model: Program[R] | Callable[..., R], handler: Substitution | Scaling) -> Program[R]:
    known = _program(model)
    return attrs.evolve(known, handlers=(*known.handlers, handler))
