"""What stands between a program and its graph: handlers, told of each name before its node is added; public constants.

:mod:`dpframe.front.handlers` has the verbs.
"""

from __future__ import annotations

import abc
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import attrs
import numpy as np

from dpframe.errors import PlanError, SpecError, nearest
from dpframe.kernel.operations import Operation
from dpframe.kernel.post_processing import Post
from dpframe.kernel.posts.public import VALUES, Balls, Basis, fields_text
from dpframe.kernel.registry import build
from dpframe.kernel.shares import check_share
from dpframe.proof.spaces import AffineValue, BallValue, GaussianValue, MixtureValue

GIVE = (
    "give a handle, numbers, or what makes a public value: a ball as (centre, radius), a map as "
    "dict(shift=, matrix=, scale=), a Gaussian as dict(mean=, covariance=), a mixture as "
    "dict(weights=, means=, covariances=), a subspace as its basis, balls as a list of (centre, radius)"
)
INSTEAD = {
    "ball": "give a ball as (centre, radius), or its radius around 0",
    "map": "give a map as dict(shift=, matrix=, scale=): rows further than scale from shift saturate there",
}
"""What stands for an input that numbers alone don't make, by the input's name."""
_TYPES = {AffineValue: "affine_map", GaussianValue: "gaussian", MixtureValue: "mixture"}


class Handler(abc.ABC):
    """One way to change what a program adds to its graph. Names are those inside that program."""

    @abc.abstractmethod
    def fresh(self) -> Handler:
        """A handler for one tracing, which has met no node yet."""

    def instead(self, name: str) -> Post | None:
        """The public constant that replaces a node; None to leave the node as it is."""
        return None

    def changed(self, name: str, operation: Operation) -> Operation:
        """The operation as it is added."""
        return operation

    @abc.abstractmethod
    def unmet(self) -> Iterable[str]:
        """Names that the handler was given and that no traced node had."""


@attrs.define
class Substitution(Handler):
    """Public constants by name."""

    values: Mapping[str, Post]
    met: set[str] = attrs.Factory(set)

    def fresh(self) -> Handler:
        """A copy that has met no node yet."""
        return Substitution(self.values)

    def instead(self, name: str) -> Post | None:
        """The constant of that name."""
        if name in self.values:
            self.met.add(name)
        return self.values.get(name)

    def unmet(self) -> Iterable[str]:
        """Names that were given and that no traced node had."""
        return [name for name in self.values if name not in self.met]


@attrs.define
class Scaling(Handler):
    """Factors of shares: one for all, and one for each name and what stands under it."""

    every: float
    named: Mapping[str, float]
    met: set[str] = attrs.Factory(set)

    def fresh(self) -> Handler:
        """A copy that has met no node yet."""
        return Scaling(self.every, self.named)

    def changed(self, name: str, operation: Operation) -> Operation:
        """The operation with its share times the factors; one without a share as it is."""
        share = operation.parameters().get("share")
        if share is None:
            return operation
        found = [key for key in self.named if name == key or name.startswith(key + ".")]
        self.met.update(found)
        factor = self.every
        for key in found:
            factor *= self.named[key]
        changes: dict[str, Any] = {"share": share * factor}
        return attrs.evolve(operation, **changes)

    def unmet(self) -> Iterable[str]:
        """Names under which no share stands."""
        return [name for name in self.named if name not in self.met]


def check_met(handlers: Iterable[Handler], names: Iterable[str]) -> None:
    """Refuse a name that was given to a handler and that no node of the program has.

    Raises
    ------
    PlanError
    """
    known = list(names)
    for handler in handlers:
        for name in handler.unmet():
            what = "share" if isinstance(handler, Scaling) else "node"
            raise PlanError(
                f"the program has no {what} named {name!r}", fix=nearest(name, known, "dp.trace lists them", cutoff=0.0)
            )


def check_factor(name: str, value: Any) -> float:
    """A positive finite number.

    Raises
    ------
    PlanError
    """
    check_share(name, value)
    return float(value)


def by_names(what: str, given: Any) -> Mapping[str, Any]:
    """A mapping of names, empty where None is given.

    Raises
    ------
    PlanError
    """
    if given is not None and not isinstance(given, Mapping):
        raise PlanError(f"{what} is a {type(given).__name__}, no mapping of names", fix=f'{what}={{"group.ball": ...}}')
    return given or {}


# ------------------------------------------------------------------------------------ public constants


def is_public(value: Any) -> bool:
    """Whether a value is given where a handle is asked for, and can stand for one."""
    known = (int, float, list, tuple, Mapping, np.ndarray, np.number, BallValue, *_TYPES)
    return isinstance(value, known) and not isinstance(value, bool)


def public(value: Any, what: str, *, slot: str = "", d: int | None = None) -> Post:
    """The operation of a public constant.

    Parameters
    ----------
    value : number, array, value object or mapping of its fields
    what : str
        What it is for, in errors.
    slot : str
        Name of the input it is given for: for a ``ball`` a number is a radius around 0, for ``exponents`` it stands for
        every column, for a ``subspace`` an array is its basis, and ``balls`` are a list of (centre, radius).
    d : int, optional
        Columns of the rows beside it.

    Raises
    ------
    PlanError, SpecError
    """
    if isinstance(value, BallValue):
        value = {"centre": value.centre, "radius": value.radius}
    if isinstance(value, Mapping):
        return _of_fields(value, what)
    if type(value) in _TYPES:
        return _built("public_value", type=_TYPES[type(value)], fields=fields_text(value))
    if slot == "balls" and isinstance(value, (tuple, list)) and value:
        return _balls(value, what)
    pair = isinstance(value, (tuple, list)) and len(value) == 2 and np.ndim(_array(value[0])) == 1
    if pair and np.ndim(_array(value[1])) == 0:
        return _built("ball", centre=value[0], radius=value[1])
    array = _array(value)
    if array.dtype.kind not in "fiu" or not np.isfinite(array.astype(np.float64)).all():
        raise PlanError(f"{what} is given no public value", fix=GIVE)
    if slot == "ball" and array.ndim == 0 and d is not None:
        return _built("bounding_ball", d=d, bound=float(array))
    if slot in INSTEAD:
        raise PlanError(f"{what} is given an array", fix=INSTEAD[slot])
    if slot == "subspace" and array.ndim == 2:
        return _built("public_value", type="subspace", fields=fields_text(Basis(array)))
    if array.ndim == 0:
        array = np.full(d if slot == "exponents" and d is not None else 1, array)
    flat = array.astype(np.float64)
    return _built("constant", values=flat.ravel().tolist(), shape=list(flat.shape))


def _balls(value: Sequence[Any], what: str) -> Post:
    """Read a list of balls, each given as (centre, radius)."""
    pairs = [(v.centre, v.radius) if isinstance(v, BallValue) else v for v in value]
    try:
        made = Balls(*(np.asarray(part, dtype=np.float64) for part in zip(*pairs, strict=True)))
        return _built("public_value", type="balls", fields=fields_text(made))
    except (TypeError, ValueError):  # no pairs, no numbers, or centres of different lengths
        raise PlanError(
            f"{what} is given no list of balls", fix="give [(centre, radius), ...], centres of one length"
        ) from None


def _array(value: Any) -> Any:
    try:
        return np.asarray(value)
    except ValueError:  # lists of different lengths
        return np.asarray(None)


def _of_fields(value: Mapping[str, Any], what: str) -> Post:
    if set(value) == {"centre", "radius"}:
        return _built("ball", centre=value["centre"], radius=value["radius"])
    for name, kind in VALUES.items():
        if set(value) == {a.name for a in attrs.fields(kind)}:
            try:
                text = fields_text(kind(**value))
            except (TypeError, ValueError):
                raise PlanError(f"{what}: the fields of a {name} are finite numbers", fix=GIVE) from None
            return _built("public_value", type=name, fields=text)
    raise PlanError(f"{what} is given no public value: it has the fields {', '.join(map(str, value))}", fix=GIVE)


def _built(name: str, **parameters: Any) -> Post:
    made = build(name, parameters)
    if not isinstance(made, Post):
        raise SpecError(f"{name!r} is no post operation", fix=GIVE)
    return made
