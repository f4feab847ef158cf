"""``registered_agreement`` and ``select_registered``: Algorithm 1 in a plugin's own semimetric (Thm 4.3.1).

The plugin's distance sees copies of two vectors at a time and nothing else; whatever it raises or returns that is
no number counts as far.
"""

from __future__ import annotations

import contextlib
import math
import warnings
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import attrs
import numpy as np

from dpframe.errors import PlanError
from dpframe.kernel.families.agreeing import agreement_of, agreement_step
from dpframe.kernel.families.block_mixtures import perfect_matchings
from dpframe.kernel.families.block_models import Floats, vectors
from dpframe.kernel.families.registering import Semimetric, find_semimetric, semimetric
from dpframe.kernel.operations import Exact, IntArray, Query, Steps, wants
from dpframe.kernel.registry import register
from dpframe.proof.families.registered import registered_radius
from dpframe.proof.spaces import Blocks, Domain, positive, positive_whole, whole

STEP = Fraction(1, 2**1074)
"""Every float64 is a whole number of these."""


MOST_RANGE = 2.0**30
"""Values farther from 0 than so many r take no part in an average in ``euclidean``: their rounding would count."""


def _euclidean_averages(r: float, tau: float) -> float:
    """τ·r, as a norm is jointly convex, and two roundings of a relative 2^−51 of at most 2^30·r each."""
    return (tau * r + 2.0**-20 * r) * (1 + 2.0**-40)


def _euclidean_usable(value: Any, r: float) -> bool:
    return float(np.abs(value).sum()) <= MOST_RANGE * r


@semimetric("euclidean", triangle=lambda r: 1.0, averages=_euclidean_averages, usable=_euclidean_usable)
def euclidean(a: Any, b: Any) -> float:
    """ℓ₂ distance, rounded up: the plainest semimetric.

    Differences and ``math.hypot``, which scales, are within 2^−52 each, and a step of the smallest float64 covers the
    subnormal ones.

    Examples
    --------
    >>> 5.0 <= euclidean(np.zeros(2), np.array([3.0, 4.0])) < 5.0001
    True
    """
    return math.nextafter(math.hypot(*(a - b).tolist()) * (1 + 2.0**-48), math.inf)


def read_values(results: list[Any], k: int, d: int) -> tuple[Floats, Any]:
    """Block results as components (t, max(k, 1), d), and which are not ⊥; k = 0 are plain vectors."""
    if not k:
        points, valid = vectors(results, d)
        return points[:, None], valid
    out, valid = np.zeros((len(results), k, d)), np.zeros(len(results), dtype=np.bool_)
    for i, result in enumerate(results):
        if isinstance(result, (tuple, list)) and len(result) == 1:
            value = np.asarray(result[0], dtype=np.float64)
            if value.shape == (k, d) and np.isfinite(value).all():
                out[i], valid[i] = value, True
    return out, valid


def distances(space: Semimetric, a: Any, rows: Any) -> Floats:
    """Distance of one vector to each row; infinite where the plugin's function raises or gives no number >= 0.

    A function of many rows at once is asked row by row where it fails, and then of all again with the vector itself in
    place of those that fail alone: what one row causes stays with it, and no other one is asked about beside fewer or
    more rows, by which the last digits of a product may differ.
    """
    found = _call(space.distance, a, rows, len(rows)) if space.many else None
    if found is None:
        asked = [_call(space.distance, a, row[None] if space.many else row, 1) for row in rows]
        fails = np.array([value is None for value in asked], dtype=np.bool_)
        if space.many:
            found = _call(space.distance, a, np.where(fails[:, None], a, rows), len(rows))
        if found is None:
            found = np.array([math.inf if value is None else value[0] for value in asked])
        found = np.where(fails, math.inf, found)
    clean: Floats = np.where(found >= 0, found, math.inf)
    return clean


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """What a plugin's functions warn of is not said: a warning could tell of a block."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _call(distance: Any, a: Any, b: Any, count: int) -> Floats | None:
    try:
        made = np.array(distance(a.copy(), b.copy()), dtype=np.float64)
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001  whatever a plugin's distance raises means far, for this pair
        return None
    return made.reshape(count) if made.size == count else None


def near_by(space: Semimetric, values: Any, valid: Any, radius: float) -> IntArray:
    """For each block the number of blocks within ``radius`` of it, itself included; ⊥ is near nothing.

    Values (t, k, d) are near when their components can be matched so that each pair is. A function of many rows at once
    is always asked about all t blocks, the vector itself standing in for ⊥: a product's last digits may depend on how
    many rows there are and where each stands, and which blocks are ⊥ may not decide whether two others are near.
    """
    t, k, d = values.shape
    hits = np.zeros((k, k, t, t), dtype=np.bool_)
    for i in np.flatnonzero(valid).tolist():
        rest = np.arange(t) if space.many else i + np.flatnonzero(valid[i:])
        for a in range(k):
            asked = np.where(valid[rest, None, None], values[rest], values[i, a])
            near = distances(space, values[i, a], asked.reshape(-1, d)).reshape(-1, k) <= radius
            hits[a, :, i, rest] = near & valid[rest, None]
    near = hits[0, 0] if k == 1 else perfect_matchings(hits)
    near = np.triu(near) | np.triu(near, 1).T
    counts: IntArray = near.sum(axis=1).astype(np.int64)
    return counts


def usable(space: Semimetric, values: Any, valid: Any, r: float) -> Any:
    """Which blocks take part: the plugin's word on each component by itself; one that raises takes no part."""
    if space.usable is None:
        return valid
    kept = valid.copy()
    for i in np.flatnonzero(valid).tolist():
        kept[i] = all(_said(space.usable, part, r) for part in values[i])
    return kept


def _said(question: Any, value: Any, r: float) -> bool:
    try:
        return bool(question(value.copy(), r))
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001  it is a plugin's, and sees one block
        return False


@attrs.frozen
class OfSemimetric(Query):
    """Parameters of all queries that compare blocks in a registered semimetric.

    Parameters
    ----------
    semimetric : str
        Registered name (:func:`dpframe.kernel.families.registering.semimetric`).
    r : float
        What is selected is within r of its twin's; a block's neighbourhood has radius r/2z.
    z : float
        The constant of the r-restricted triangle inequality, at least the registered ``triangle(r)``.
    d : int
        Numbers in a block's vector, or in each of its components.
    k : int
        Components of a block's result, compared in the best of their matchings; 0 for plain vectors.
    """

    semimetric: str = attrs.field(kw_only=True)
    r: float = attrs.field(kw_only=True, validator=positive)
    z: float = attrs.field(default=1.0, kw_only=True, validator=positive)
    d: int = attrs.field(kw_only=True, validator=positive_whole)
    k: int = attrs.field(default=0, kw_only=True, validator=whole)

    def admit(self, *inputs: Domain) -> None:
        """A registered semimetric whose triangle constant is declared."""
        least = float(find_semimetric(self.semimetric).triangle(self.r))
        if not self.z >= least >= 1:
            raise PlanError(
                f"{self.semimetric!r} has a triangle constant of {least!r} at r={self.r!r}, not {self.z!r}",
                fix=f"use z={max(least, 1.0)!r}",
            )

    def _near(self, exact: Exact) -> IntArray:
        values, valid = read_values(list(exact.integers), self.k, self.d)
        with quiet():
            return near_by(find_semimetric(self.semimetric), values, valid, registered_radius(self.r, self.z))


def exact_floats(value: Any) -> Exact:
    """Float64 numbers as exact private values."""
    shape = np.shape(value)
    whole_ = [int(Fraction(float(x)) / STEP) for x in np.ravel(value)]
    return Exact(np.array(whole_, dtype=object).reshape(shape), STEP)


@register("registered_agreement")
@attrs.frozen
class RegisteredAgreement(OfSemimetric):
    """Q = mean over blocks i of the share of blocks within r/2z of block i.

    Formal guarantees
    -----------------
    Sensitivity: 2/t for one changed block (``registered_agreement``). Hypothesis in the certificate: the plugin's
    semimetric is one.

    References
    ----------
    Arbas23 Alg 1, Thm 4.3.1.

    Examples
    --------
    >>> blocks = Exact([(np.array([0.0]),), (np.array([0.1]),), (np.array([9.0]),), None])
    >>> share = RegisteredAgreement(semimetric="euclidean", r=1.0, d=1).evaluate(blocks)
    >>> int(share.integers[0]) * share.step  # two blocks see two of four near, one sees itself
    Fraction(5, 16)
    """

    def step(self, steps: Steps, *inputs: Domain) -> Fraction | None:
        """1/t²."""
        return agreement_step(wants(inputs[0], Blocks, self.name).t)

    def evaluate(self, *values: Any) -> Exact:
        """Pairs of near blocks, in steps of 1/t²."""
        return agreement_of(self._near(values[0]))


@register("select_registered")
@attrs.frozen
class SelectRegistered(OfSemimetric):
    """The result of the first block that more than ``majority`` blocks are near. It exists if the test passed.

    Parameters
    ----------
    majority : int
        At least t/2.
    test_threshold : float
        What the test asks of Q at least, above majority/t.

    Formal guarantees
    -----------------
    Given the passed test, two neighbours' selections are within r in the plugin's semimetric (``close_registered``),
    which is a hypothesis in the certificate.

    References
    ----------
    Arbas23 Thm 4.3.1; docs/theory/populous.md.

    Examples
    --------
    >>> blocks = Exact([(np.array([9.0]),), (np.array([0.25]),), (np.array([0.5]),), (np.array([0.0]),)])
    >>> select = SelectRegistered(semimetric="euclidean", r=2.0, d=1, majority=2, test_threshold=0.6)
    >>> select.evaluate(blocks).floats.tolist()
    [0.25]
    """

    majority: int = attrs.field(kw_only=True, validator=positive_whole)
    test_threshold: float = attrs.field(kw_only=True, validator=positive)

    def step(self, steps: Steps, *inputs: Domain) -> Fraction | None:
        """The finest that float64 has."""
        return STEP

    def evaluate(self, *values: Any) -> Exact:
        """The selected vector as exact floats; zeros where no block qualifies, which a passed test excludes."""
        qualified = np.flatnonzero(self._near(values[0]) > self.majority)
        shape = (self.k, self.d) if self.k else (self.d,)
        if not len(qualified):
            return exact_floats(np.zeros(shape))
        return exact_floats(np.asarray(values[0].integers[int(qualified[0])][0], dtype=np.float64))
