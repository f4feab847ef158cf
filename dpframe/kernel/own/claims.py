"""``own_statistic``, ``own_query``, ``own_mechanism``: a plugin's, at the price it asserts; ``all_rows``."""

from __future__ import annotations

import copy
import functools
import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import attrs
import numpy as np

from dpframe.errors import DpframeError, PlanError
from dpframe.kernel.exact.integers import to_floats
from dpframe.kernel.mechanisms.additive import lattice_scale
from dpframe.kernel.operations import Batch, Exact, Mechanism, Query, Statistic, Steps, lattice_step
from dpframe.kernel.own.base import Floats, Owned, agree, array_of, quiet, shape_of, value_domain
from dpframe.kernel.own.sampler import Sampler
from dpframe.kernel.registry import register
from dpframe.proof.losses import Event, Loss, Pure
from dpframe.proof.roots import boundary
from dpframe.proof.spaces import L1, L2, Domain, Edits, Index, LInf, Metric, Table, whole
from dpframe.proof.theorems import Metrics

DISTANCES: Mapping[str, type[Any]] = {"l1": L1, "l2": L2, "linf": LInf, "edits": Edits}
"""What a claim may be a function of, or give."""
NORMED = (("l1", L1), ("l2", L2), ("linf", LInf))
LARGEST = 2.0**53
LEAST_POWER, MOST_POWER = -80.0, 80.0


def read_metrics(said: Any, what: str) -> Metrics:
    """A sensitivity as a plugin gives it: bounds by norm, or metrics.

    Examples
    --------
    >>> read_metrics({"l1": 2, "linf": 1}, "example")
    (L1(bound=2.0), LInf(bound=1.0))
    """
    items = list(said.items()) if isinstance(said, Mapping) else list(said) if isinstance(said, (list, tuple)) else []
    found: list[Metric] = []
    for item in items:
        if isinstance(item, tuple) and len(item) == 2 and item[0] in ("l1", "l2", "linf"):
            found.append(DISTANCES[item[0]](float(item[1])))
        elif isinstance(item, (L1, L2, LInf)):
            found.append(item)
    if not found or len(found) < len(items):
        raise PlanError(f"{what}: a sensitivity is given by norm, not as {said!r}", fix='return {"l2": 1.0}, say')
    return tuple(found)


def check_edits(operation: Any, e: Edits) -> None:
    """Refuse edits that the plugin's claim is not proved for.

    Raises
    ------
    PlanError
    """
    wanted = operation.known.proved_for
    if wanted and (e.removed, e.added) not in wanted:
        listed = " or ".join(f"{r} out, {a} in" for r, a in wanted)
        raise PlanError(
            f"{operation.of!r} is proved for {listed} only, not for {e.removed} out, {e.added} in",
            fix="use it on the table's own rows, before any filter or part, under the adjacency of its proof",
        )


def asked(operation: Any, *about: Any) -> Any:
    """What the plugin's claim says; an error of its own is a refusal that names it."""
    claim = operation.known.claim
    try:
        return claim(*about, **operation.keywords)
    except DpframeError:
        raise
    except Exception as error:  # noqa: BLE001  nothing was read: what the plugin raised is the reason of the refusal
        raise PlanError(
            f"{operation.of!r}: its claim fails: {type(error).__name__}: {error}", fix="mend the plugin"
        ) from None


def on_lattice(made: Any, shape: tuple[int, ...], bits: int) -> Any:
    """A plugin's numbers rounded to the nearest lattice point, 0 for what is none, held within 2^53 steps.

    Whole numbers beyond 2^53 are not all floats: there rounding could move two of them apart by more than a step.
    Holding both within brings nothing further apart.
    """
    array = array_of(made, shape)
    if array is None:
        return np.zeros(shape, dtype=np.int64)
    with np.errstate(all="ignore"):
        scaled = np.nan_to_num(np.rint(np.ldexp(array, bits)), nan=0.0, posinf=LARGEST, neginf=-LARGEST)
    return np.clip(scaled, -LARGEST, LARGEST).astype(np.int64)


def seen_as_floats(exact: Exact) -> Floats:
    """A private value as a query of a plugin's own sees it: floats, held within 2^53 steps.

    Beyond, neighbours one step apart would be the same float or two steps apart. Holding brings nothing further apart.
    """
    within = int(LARGEST)
    return to_floats(np.clip(exact.integers, -within, within), exact.step)


class Collected:
    """Batches of non-empty rows, put in an order that their values decide."""

    def __init__(self) -> None:
        self.parts: list[Floats] = []

    def update(self, batch: Batch) -> None:
        """Keep the rows."""
        self.parts.append(batch.values[batch.valid] + 0.0)  # −0 is 0: no row is two

    def merge(self, other: Collected) -> None:
        """Keep the other's."""
        self.parts += other.parts

    def rows(self, d: int) -> Floats:
        """All of them, sorted: a function of the multiset."""
        every = np.concatenate([np.zeros((0, d)), *self.parts])
        return np.ascontiguousarray(every[np.lexsort(every.T[::-1])])


@attrs.frozen(eq=False)
class _Fold:
    """Rows with what goes with them."""

    rows: Collected
    d: int
    params: tuple[Any, ...]

    def merge(self, other: _Fold) -> None:
        """Merge the rows."""
        self.rows.merge(other.rows)


@attrs.frozen
class _Collecting(Statistic):
    """A statistic that needs all rows at once."""

    def start(self, domain: Domain, *params: Any) -> Any:
        """No row yet."""
        return _Fold(Collected(), shape_of(domain)[0], params)

    def update(self, fold: Any, batch: Batch, *params: Any) -> None:
        """Keep the rows."""
        fold.rows.update(batch)


@register("all_rows")
@attrs.frozen
class AllRows(_Collecting):
    """All non-empty rows as one private value, for a mechanism of one's own that needs them at once.

    They are held in memory, sorted by their values: neither index nor order of the table is left.

    Formal guarantees
    -----------------
    Level: proved. The edits are kept, without a common index (``all_rows``).

    Examples
    --------
    >>> from dpframe.proof.spaces import Rows
    >>> rows = AllRows()
    >>> fold = rows.start(Rows(1))
    >>> rows.update(fold, Batch(0, np.array([[3.0], [0.0], [1.0]]), np.array([True, False, True])))
    >>> rows.value(fold).integers.tolist()  # sorted, without the empty one
    [[1.0], [3.0]]
    """

    def value(self, fold: Any) -> Exact:
        """The rows."""
        return Exact(fold.rows.rows(fold.d))


@register("own_statistic")
@attrs.frozen
class OwnStatistic(Owned, _Collecting):
    """A plugin's function of all non-empty rows, ``function(rows, *params) -> numbers``, rounded to a lattice.

    The rows come sorted by their values: the statistic is a function of their multiset. What is no array of
    the declared shape, or raises, counts as zeros, which the claim must cover.

    Parameters
    ----------
    of, settings, plugin, assumes
        See :class:`~dpframe.kernel.own.base.Owned`.
    gives : str
        Domain of the value, as JSON text.
    bits : int
        Values are multiples of 2^−bits; of 1 with 0.

    Formal guarantees
    -----------------
    Level: asserted. Sensitivity as the plugin says for each (removed, added), widened by the rounding
    (``own_statistic``).
    """

    gives: str = attrs.field(kw_only=True)
    bits: int = attrs.field(kw_only=True, validator=whole)

    def claims(self, domains: tuple[Domain, ...], inputs: tuple[Metrics, ...]) -> Metrics:
        """What the plugin says for these edits."""
        e = next((m for m in inputs[0] if isinstance(m, Edits)), None)
        if e is None:
            raise PlanError("needs rows", fix="apply it to a table or a part of one")
        check_edits(self, e)
        return read_metrics(asked(self, e.removed, e.added), repr(self.of))

    def step(self) -> Fraction:
        """2^−bits."""
        return lattice_step(self.bits)

    def value(self, fold: Any) -> Exact:
        """Call the function once."""
        made = quiet(self.known.function, fold.rows.rows(fold.d), *copy.deepcopy(fold.params), **self.keywords)
        return Exact(on_lattice(made, shape_of(value_domain(self)), self.bits), self.step())


@register("own_query")
@attrs.frozen
class OwnQuery(Owned, Query):
    """A plugin's function of private values, ``function(*values) -> numbers``, rounded to a lattice.

    Released inputs come as they are. What is no array of the declared shape, or raises, counts as zeros, which the
    claim must cover.

    Parameters
    ----------
    of, settings, plugin, assumes
        See :class:`~dpframe.kernel.own.base.Owned`.
    gives : str
        Domain of the value, as JSON text.
    bits : int
        Values are multiples of 2^−bits; of 1 with 0.

    Formal guarantees
    -----------------
    Level: asserted. Sensitivity as the plugin says for the distances of its inputs, widened by the rounding
    (``own_query``).
    """

    gives: str = attrs.field(kw_only=True)
    bits: int = attrs.field(kw_only=True, validator=whole)

    def claims(self, domains: tuple[Domain, ...], inputs: tuple[Metrics, ...]) -> Metrics:
        """What the plugin says for these distances: it is told one mapping of bounds by norm for each private input."""
        told = [{name: m.bound for m in metrics for name, kind in NORMED if type(m) is kind} for metrics in inputs]
        return read_metrics(asked(self, *told), repr(self.of))

    def step(self, steps: Steps, *inputs: Domain) -> Fraction | None:
        """2^−bits."""
        return lattice_step(self.bits)

    def evaluate(self, *values: Any) -> Exact:
        """Call the function once."""
        plain = [seen_as_floats(v) if isinstance(v, Exact) else copy.deepcopy(v) for v in values]
        made = quiet(self.known.function, *plain, **self.keywords)
        return Exact(on_lattice(made, shape_of(value_domain(self)), self.bits), lattice_step(self.bits))


@register("own_mechanism")
@attrs.frozen
class OwnMechanism(Owned, Mechanism):
    """A plugin's mechanism: ``function(value, scale, noise) -> released``, drawing from the kernel's samplers only.

    Of a statistic the value is whole numbers of lattice steps, the scale is in steps too, and so is what is released:
    the kernel puts it into the units of the value. Of ``all_rows`` the value is rows of floats. What is not of the
    declared domain, or raises, is released as 0 or zeros, which the claim must cover.

    Parameters
    ----------
    of, settings, plugin, assumes
        See :class:`~dpframe.kernel.own.base.Owned`.
    gives : str
        Domain of the released value, as JSON text.
    share, noise_multiplier : float
        A share of ρ buys the least scale whose asserted loss is within it.

    Formal guarantees
    -----------------
    Level: asserted. Loss as the plugin says for the scale and the distance of its input (``own_mechanism``).
    """

    gives: str = attrs.field(kw_only=True)

    def __attrs_post_init__(self) -> None:
        Mechanism.__attrs_post_init__(self)
        agree(self)

    def calibrate(self, rho: float, delta: float, worst: Metrics, domain: Domain) -> dict[str, Any]:
        """The least scale, to some 2^−40 of it, at which the asserted loss is at most ρ; 1 where no scale matters."""

        def cost(power: float) -> float:
            loss = self.loss({"scale": 2.0**power}, worst, domain)
            return loss.rho if loss.rho < math.inf else loss.epsilon**2 / 2

        least, most = cost(LEAST_POWER), cost(MOST_POWER)
        if least == most:
            return {"scale": 1.0}
        if not most <= rho:
            raise PlanError(f"{self.of!r} can't cost as little as {rho:.3g} at any scale", fix="raise the budget")
        return {"scale": 2.0 ** boundary(lambda p: cost(p) <= rho, MOST_POWER, LEAST_POWER, steps=64)[0]}

    def loss(self, calibration: Mapping[str, Any], metrics: Metrics, domain: Domain) -> Loss:
        """What the plugin says for this scale at this distance."""
        kind = DISTANCES[self.known.takes]
        found = next((m for m in metrics if isinstance(m, kind)), None)
        if found is None:
            have = ", ".join(type(m).__name__ for m in metrics) or "none"
            raise PlanError(
                f"{self.of!r} costs by the {self.known.takes} distance of its input, which has: {have}",
                fix="give it dp.all_rows(x)" if kind is Edits else "use a statistic or a mechanism that fits",
            )
        if isinstance(found, Edits):
            check_edits(self, found)
        about = (found.removed, found.added) if isinstance(found, Edits) else (found.bound,)
        return read_loss(asked(self, float(calibration["scale"]), *about), repr(self.of))

    def scale(self, calibration: Mapping[str, Any], domain: Domain) -> float:
        """The scale, for values on a lattice."""
        return 0.0 if isinstance(domain, Table) else float(calibration["scale"])

    def release(self, exact: Exact, calibration: Mapping[str, Any], domain: Domain, source: Any) -> Any:
        """Call the function once."""
        rows, scale = isinstance(domain, Table), float(calibration["scale"])
        value = np.array(exact.integers)
        function = functools.partial(self.known.function, value, scale if rows else lattice_scale(scale, exact.step))
        made, wanted = quiet(function, Sampler(source), **self.keywords), value_domain(self)
        if isinstance(wanted, Index):
            index = made is not None and isinstance(made, (int, np.integer)) and 0 <= made < wanted.m
            return int(made) if index else 0
        shape = shape_of(wanted)
        if rows:
            array = array_of(made, shape)
            return array if array is not None and np.isfinite(array).all() else np.zeros(shape)
        return to_floats(_steps(made, shape), exact.step)


def _steps(made: Any, shape: tuple[int, ...]) -> Any:
    """Whole numbers of lattice steps, or zeros."""
    array = quiet(np.asarray, made)
    if array is None or array.shape != shape or array.dtype.kind not in "iuO":
        return np.zeros(shape, dtype=np.int64)
    return (
        array if array.dtype.kind != "O" or all(type(v) is int for v in array.flat) else np.zeros(shape, dtype=np.int64)
    )


def read_loss(said: Any, what: str) -> Loss:
    """A loss as a plugin gives it: a loss, an event, ε, or (ε, δ).

    Examples
    --------
    >>> read_loss(0.5, "example"), read_loss((0.5, 1e-6), "example").delta
    (Loss(events=((Pure(epsilon=0.5), 1),), delta=0.0), 1e-06)
    """
    pair = tuple(said) if isinstance(said, (tuple, list)) and len(said) == 2 else (said, 0.0)
    if isinstance(said, Loss):
        return said
    if isinstance(said, Event):
        return Loss.of(said)
    if all(isinstance(v, (int, float)) and not isinstance(v, bool) and 0 <= v < math.inf for v in pair):
        return Loss.of(Pure(float(pair[0])), delta=float(pair[1]))
    raise PlanError(f"{what}: a loss is given as an event, as ε or as (ε, δ), not as {said!r}", fix="return ε, say")
