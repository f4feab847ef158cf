"""What shapes are built from: a domain of some kind, rows of some bound, equal dimensions.

Messages begin with a verb: :class:`~dpframe.proof.theorems.declaring.Declaration` puts the operation's name in front.
"""

from __future__ import annotations

from typing import Any

from dpframe.errors import PlanError
from dpframe.proof.spaces import Array, Counts, Domain, Index, Rows, Scores, Symmetric, Table, Vector, domain_from_json
from dpframe.proof.spaces.documents import parse_text
from dpframe.proof.theorems.base import Params, whole
from dpframe.proof.theorems.declaring import Claims, Domains, Shape

MADE = ("affine_map", "ball", "list_of", "subspace")
"""Domains that a post function must say it gives."""
CLIPS = {"unit_ball": "clip", "unit_box": "clip_box"}


def is_kind(domain: Domain, *kinds: type[Domain]) -> Any:
    """The domain, if it is of one of the kinds."""
    if not isinstance(domain, kinds):
        names = " or ".join(kind.__name__ for kind in kinds)
        made = f", say of @dp.post_function(gives=dp.{kinds[0].__name__}(...))" if kinds[0].type in MADE else ""
        raise PlanError(f"takes {names}, not {domain}", fix=f"give it a value of {names}{made}")
    return domain


def domain_in(text: Any, *kinds: type[Domain]) -> Any:
    """The domain that an operation declares as JSON text, if it is of one of the kinds."""
    return is_kind(domain_from_json(parse_text(text)), *kinds)


def shape_of(domain: Domain) -> tuple[int, ...]:
    """Shape of the numbers that a value is; (1,) of a value of another kind."""
    if isinstance(domain, (Array, Symmetric)):
        return domain.shape
    if isinstance(domain, (Counts, Scores, Index)):
        return (domain.m,)
    return (domain.d,) if isinstance(domain, (Vector, Rows, Table)) else (1,)


def table_rows(domain: Domain) -> Any:
    """Rows in the units of the table; clipped ones are refused."""
    rows = is_kind(domain, Rows)
    if rows.bound != "any":
        raise PlanError(f"takes rows in the units of the table, not {rows}", fix="put it before the clip")
    return rows


def clipped_rows(domain: Domain, bound: str) -> Any:
    """Rows that a clip has put into this bound: every sum's input is bounded by an explicit clip."""
    rows = is_kind(domain, Rows)
    if rows.bound != bound:
        have = "unbounded" if rows.bound == "any" else f"bounded as {rows.bound}"
        raise PlanError(
            f"takes rows of the {bound}, these are {have}", fix=f"put dp.{CLIPS[bound]}(rows, ball) before it"
        )
    return rows


def alike(a: int, b: int) -> None:
    """Raise where two dimensions differ."""
    if a != b:
        raise PlanError(f"takes inputs of one dimension, these have {a} and {b}", fix="give both as many columns")


def beside(inputs: Domains, kind: type[Domain]) -> Any:
    """What is given beside rows of the table, if it is of the kind and of as many columns."""
    rows, other = table_rows(inputs[0]), is_kind(inputs[1], kind)
    alike(rows.d, other.d)
    return other


def room(listed: Any, most: int, what: str, key: str = "size") -> None:
    """Raise where a released list may be longer than what is declared for it."""
    if listed.max_length > most:
        raise PlanError(f"has room for {most} {what}, and up to {listed.max_length} may come", fix=f"raise {key}=")


def shaped(domain: Domain, shape: tuple[int, ...], what: str) -> None:
    """Raise unless the domain is an array of that shape."""
    found = is_kind(domain, Array).shape
    if found != shape:
        raise PlanError(f"takes {what} of shape {shape}, not {found}", fix=f"give {what} of that shape")


def keeps(*kinds: type[Domain]) -> Shape:
    """The input's own domain, of one of the kinds."""
    return lambda params, inputs: is_kind(inputs[0], *kinds)


def extremum(params: Params, inputs: Domains) -> Domain:
    """One number from several scores."""
    if not inputs:
        raise PlanError("takes at least one input", fix="give it scores")
    for domain in inputs:
        is_kind(domain, Counts)
    return Counts(1)


def groups_of(params: Params, inputs: Domains) -> Domain:
    """One number a group of scores; the groups follow one another and are of one size."""
    m, groups = is_kind(inputs[0], Counts).m, whole(params, "groups")
    if m % groups:
        raise PlanError(f"can't cut {m} scores into {groups} groups of one size", fix="use a divisor of their number")
    return Counts(groups)


def told(**more: Any) -> Claims:
    """Tell a theorem the declared parameters, and these constants besides."""
    return lambda params, inputs: {**params, **more}


def told_of(name: str, key: str) -> Claims:
    """Tell a theorem the declared parameters, and the one called ``key`` under another name too."""
    return lambda params, inputs: {**params, name: params[key]}
