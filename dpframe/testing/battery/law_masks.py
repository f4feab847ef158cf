"""Attacks on the kernel's masks: their definition on given Gaussians, and the exact law of coarse ones in their place.

A mask draws Gaussians of 1024 bits, which have too many values to enumerate. Two things take their place, below the
real ``release`` and the real rejection sampler:

- *given Gaussians* (none, one alone, far, tiny, in the last digit): what is released must be, to the last bit, what the
  proved mask makes of them in rational numbers, in the order that was drawn. So what scales and shapes of noise there
  are, which Gaussian goes where, and that none is looked at or drawn again, is compared with the definition itself.
- *Gaussians rounded to steps of 1 or 1/2*: these have few values, and the law of the whole release, random order
  included, is enumerated on neighbours whose components moved by whole steps, and compared with what such noise costs.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import attrs
import numpy as np

from dpframe.kernel.families.mixture_mask import BITS, COARSE, FINE, PARTS, MixtureMask, finished
from dpframe.kernel.families.registered_mask import Lift, OfMask, RegisteredMask
from dpframe.kernel.families.registering import find_mask
from dpframe.kernel.operations import Exact, Mechanism
from dpframe.proof.spaces import Array, Domain, Mixture, Vector
from dpframe.testing.battery.enumerator import Ask, Elsewhere, NoBits, Outcomes, Script, Unenumerable, drawn
from dpframe.testing.battery.exploring import Law, explore, hockey_stick
from dpframe.testing.battery.lab import Lab, fingerprint
from dpframe.testing.battery.law_profiles import of_gaussian_noise

MASKS = (MixtureMask, RegisteredMask, Lift)
EPSILONS = tuple(float(e) for e in np.linspace(0.0, 6.0, 25))
ABSOLUTE = 1e-9
MIXTURES = ((1, 1), (2, 1), (3, 2), (2, 3))
"""Components and dimensions whose definition is compared."""
UNIT = 1 << COARSE
NEAR = (UNIT, -UNIT, 3 * UNIT, -(9 * UNIT), 38 * UNIT, UNIT // 1000, 1, 5, (1 << 62) + (1 << 15) - 1)
"""Cells of a Gaussian: of one, of far ones, of tiny ones, and one below a border that it reaches as a float."""


class Strange(BaseException):  # must pass through whatever a release catches
    """Noise is asked for that a mask does not need."""


@attrs.define(eq=False)
class Fine(Script):
    """Stand-ins below :func:`~dpframe.kernel.families.mixture_mask.fine_gaussians`: cells are given, points accepted.

    Attributes
    ----------
    per : Fraction
        Values of a coarse Gaussian in one deviation.
    tape : tuple of int, optional
        Cells, in place of coarse Gaussians; zeros follow.
    offset : int
        Of a point in its cell.
    taken : int
        Cells that were asked for.
    gammas : list
        What the coins that accept points are told.
    pending : list
        Questions that were asked: what a release catches is asked again.
    """

    per: Fraction = Fraction(1)
    tape: tuple[int, ...] | None = None
    offset: int = 1 << (FINE - 1)
    taken: int = 0
    gammas: list[Fraction] = attrs.Factory(list)
    pending: list[BaseException] = attrs.Factory(list)

    def answer(self, name: str, scale: Any, count: int, outcomes: Callable[[], Outcomes]) -> Any:
        """The next value of the script."""
        try:
            return super().answer(name, scale, count, outcomes)
        except BaseException as question:
            self.pending.append(question)
            raise

    def _strange(self, words: str) -> Strange:
        self.pending.append(Strange(words))
        return Strange(words)

    def additive(self, name: str) -> Callable[..., Any]:
        """Cells: whole multiples of a coarse step, or as given."""

        def draw(source: Any, scale: Any, size: Any) -> Any:
            if name != "rounded_gaussian" or Fraction(scale) != UNIT:
                raise self._strange(f"{name} of scale {scale!r}")
            count = int(np.prod(size))
            self.taken += count
            if self.tape is not None:
                cells = (*self.tape[self.taken - count : self.taken], *((0,) * count))[:count]
                return np.array(cells, dtype=object)
            values = self.answer(name, scale, count, lambda: drawn(name, float(self.per), count, self.floor))
            return np.array([int(v * UNIT / self.per) for v in values], dtype=object)

        return draw

    def uniform(self, source: Any, bound: int, size: Any) -> Any:
        """The same point in every cell."""
        if bound != 1 << FINE:
            raise self._strange(f"a number below {bound}")
        return [self.offset] * int(np.prod(size))

    def biased(self, source: Any, gamma: Any) -> Any:
        """Every point is accepted."""
        self.gammas += [Fraction(g) for g in np.ravel(np.asarray(gamma, dtype=object))]
        return np.ones(np.shape(gamma), dtype=np.bool_)


def _released(operation: Mechanism, exact: Exact, calibration: Any, domain: Domain, scripts: list[Script]) -> Any:
    """A release; whatever it asks is asked, also where it would go on without an answer."""
    released = operation.release(exact, calibration, domain, NoBits())
    script: Fine = scripts[-1]  # type: ignore[assignment]
    if script.pending:
        raise script.pending[0]
    return released


def attack_mask_law(lab: Lab, operation: Mechanism, scripts: list[Script]) -> None:
    """The definition, then the laws."""
    try:
        for domain, exact in _values(operation):
            said = _by_definition(operation, domain, exact, scripts)
            if said:
                lab.fail("law", said, domain=str(domain), value=repr(exact.integers)[:200])
                return
        for pair in _pairs(operation):
            said = _dearer(operation, pair, scripts)
            if said:
                shown = {"first": repr(pair[2].integers)[:200], "second": repr(pair[3].integers)[:200]}
                lab.fail("law", said, domain=str(pair[0]), calibration=pair[1], **shown)
                return
    except Strange as strange:
        lab.fail("law", f"it draws {strange}, which its mask does not need")
    except Elsewhere:
        lab.fail("law", "it draws from the source past the exact samplers")
    except Exception as error:  # noqa: BLE001  the release broke on Gaussians that no attack had tried
        lab.fail("law", f"release gave {type(error).__name__}: {error}")


# --------------------------------------------------------------------------------------------- definition


def _values(operation: Mechanism) -> Iterator[tuple[Domain, Exact]]:
    """Values whose numbers all differ, of every size; one that is 0, where the last digits of noise are seen."""
    if isinstance(operation, MixtureMask):
        for k, d in MIXTURES:
            rng = np.random.default_rng(k + 10 * d)
            weights = np.array([0.5, 0.3125, 0.1875][:k]) if k > 1 else np.ones(1)
            weights[-1] += 1 - weights.sum()
            roots = np.tril(rng.integers(-7, 8, (k, d, d)) / 4.0)
            roots[:, range(d), range(d)] = 1 + np.arange(k * d).reshape(k, d) / 2
            yield Mixture(k, d), Exact((weights, rng.integers(-9, 10, (k, d)) / 2.0, roots))
            yield Mixture(k, d), Exact((weights, np.zeros((k, d)), np.array([np.eye(d)] * k)))
    elif isinstance(operation, Lift):
        for k, d in ((operation.k, 1), (operation.k, 3)):
            yield Array((k, d)), Exact(7 + 3 * np.arange(k * d, dtype=np.int64).reshape(k, d))
    else:
        for d in (1, 2, 7):
            yield Vector(d), Exact(5 - 2 * np.arange(d, dtype=np.int64))


def _tapes(count: int) -> Iterator[tuple[int, ...]]:
    """Cells of so many Gaussians: each alone, all alike, all different."""
    yield (0,) * count
    for i in range(min(count, 30)):
        for cell in NEAR[:2] if count > 8 else NEAR:
            yield tuple(cell if j == i else 0 for j in range(count))
    for cell in NEAR:
        yield (cell,) * count
    for seed in range(6):
        rng = np.random.default_rng(seed)
        yield tuple(
            int(z * UNIT) + int(e) for z, e in zip(rng.normal(0, 2, count), rng.integers(0, 99, count), strict=True)
        )


def _by_definition(operation: Mechanism, domain: Domain, exact: Exact, scripts: list[Script]) -> str:
    """Where a release is not what the mask makes of its Gaussians, if anywhere."""
    k, most = _sizes(operation, domain)
    calibration = _calibration(operation)
    orders = list(itertools.permutations(range(k)))
    alone = isinstance(operation, RegisteredMask)
    for i, tape in enumerate(_tapes(k * most)):
        order = orders[i % len(orders)]
        offset = (1 << (FINE - 1), 0, (1 << FINE) - 1)[i % 3]
        script = Fine(() if alone else (order,), tape=tape, offset=offset)
        scripts[:] = [script]
        try:
            released = _released(operation, exact, calibration, domain, scripts)
        except Ask:
            return "it asks for an order again"
        if len(script.asked) != (0 if alone else 1):
            return "its components are not in one random order"
        gaussians = _Given(tape, offset)
        wanted = _defined(operation, exact, calibration, gaussians, order)
        if script.taken != gaussians.taken:
            return f"it draws {script.taken} Gaussians, not {gaussians.taken}: they are shared, or drawn again"
        if script.gammas != gaussians.gammas:
            return "its Gaussians are not accepted by their density"
        if fingerprint(released) != fingerprint(wanted):
            shown = [float(Fraction(c, UNIT)) for c in tape][:12]
            return f"on Gaussians {shown} it releases {released!r:.200}, not {wanted!r:.200}"
    return ""


@attrs.define
class _Given:
    """The Gaussians of a tape, in units of 2^-1024, and what their acceptance asks."""

    tape: tuple[int, ...]
    offset: int
    taken: int = 0
    gammas: list[Fraction] = attrs.Factory(list)

    def next(self) -> int:
        """The next one."""
        cell = self.tape[self.taken] if self.taken < len(self.tape) else 0
        self.taken += 1
        self.gammas.append(_gamma(cell, self.offset))
        return (cell << FINE) + self.offset - (1 << (FINE - 1))


def _gamma(cell: int, offset: int) -> Fraction:
    """What a point loses against the largest density of its cell, in the exponent."""
    middle, half = Fraction(cell, UNIT), Fraction(1, 2 * UNIT)
    at = middle - half + Fraction(offset, 1 << BITS)
    least = max(abs(middle) - half, Fraction(0))
    return max((at * at - least * least) / 2, Fraction(0))


def _sizes(operation: Mechanism, domain: Any) -> tuple[int, int]:
    """Components, and Gaussians of each as a rule."""
    if isinstance(operation, MixtureMask):
        return domain.k, 1 + domain.d + domain.d**2
    return (domain.shape[0], domain.shape[1]) if isinstance(operation, Lift) else (1, domain.d)


def _calibration(operation: Mechanism) -> dict[str, Any]:
    """Noise that is a power of 2 in each part, so that whole steps of noise are numbers without rounding."""
    if isinstance(operation, OfMask):
        return {"noise": 1.0, "cost": operation.cost(1.0)}
    return {**{f"eta_{part}": 2.0 ** (-2 - i) for i, part in enumerate(PARTS)}, "delta": 2.0**-100}


def _defined(operation: Any, exact: Exact, calibration: dict[str, Any], given: _Given, order: Sequence[int]) -> Any:
    """What the proved mask makes of these Gaussians, in rational numbers; a plugin's function by itself."""
    if isinstance(operation, OfMask):
        whole = np.asarray(exact.integers, dtype=np.float64)
        if isinstance(operation, RegisteredMask):
            return _of_function(operation.mask, whole, calibration["noise"], given)
        return np.array([_of_function(operation.mask, whole[j], calibration["noise"], given) for j in order])
    weight, mean, covariance = (Fraction(calibration[f"eta_{part}"]) for part in PARTS)
    weights, means, covariances = [], [], []
    for j in order:
        w, m, root = (exact.integers[i][j] for i in range(3))
        d = len(m)
        g = [Fraction(given.next(), 1 << BITS) for _ in range(1 + d + d * d)]
        low = np.array([[Fraction(float(x)) for x in row] for row in root], dtype=object)
        spread = np.array(g[1 + d :], dtype=object).reshape(d, d) * covariance + np.eye(d, dtype=np.int64)
        half = low @ spread
        shift = mean * (low @ np.array(g[1 : 1 + d], dtype=object))
        weights.append(float(Fraction(float(w)) + weight * g[0]))
        means.append([float(Fraction(float(x)) + s) for x, s in zip(m, shift.tolist(), strict=True)])
        covariances.append([[float(x) for x in row] for row in (half @ half.T).tolist()])
    return finished(np.array(weights), np.array(means), np.array(covariances), float(covariance))


def _of_function(name: str, part: Any, noise: float, given: _Given) -> Any:
    """The plugin's mask on one vector, given these Gaussians, rounded down."""

    def normals(count: int) -> Any:
        return np.array([_down(given.next() >> FINE) for _ in range(int(count))])

    try:
        with np.errstate(all="ignore"):
            made = np.array(find_mask(name).function(part.copy(), noise, normals), dtype=float)
    except Exception:  # noqa: BLE001  as the kernel does
        return np.zeros(part.shape)
    return made if made.shape == part.shape and np.isfinite(made).all() else np.zeros(part.shape)


def _down(cell: int) -> float:
    """The largest float that is not above."""
    near = cell / UNIT
    return near if Fraction(near) <= Fraction(cell, UNIT) else math.nextafter(near, -math.inf)


# --------------------------------------------------------------------------------------------------- laws

Pair = tuple[Domain, dict[str, Any], Exact, Exact, int, Fraction]
"""Domain, noise, two values, the square of their distance in coarse steps, and coarse steps in one deviation."""


def _pairs(operation: Mechanism) -> Iterator[Pair]:
    """Neighbours whose components moved by whole coarse steps; matched in another order where there are several."""
    calibration, one = _calibration(operation), Fraction(1)
    if isinstance(operation, MixtureMask):
        weight, mean = calibration["eta_weight"], calibration["eta_mean"]
        alone, root, at = np.ones(1), np.array([[[3.0]]]), np.array([[5.0]])
        first, second = Exact((alone, at, root)), Exact((alone, at + 3 * mean, root))
        yield Mixture(1, 1), calibration, first, second, 1, one
        step, roots = 2, np.array([[[3.0]], [[1.0]]])
        first = Exact((np.array([0.5, 0.5]), np.array([[5.0], [-2.0]]), roots))
        for moves in ((1, 0, 0), (0, 1, 0), (1, 1, 1)):
            w, m, other = (step * s for s in moves)
            weights = np.array([0.5 - w * weight, 0.5])
            means = np.array([[-2.0 + m * mean], [5.0 + 3 * other * mean]])
            yield Mixture(2, 1), calibration, first, Exact((weights, means, roots[::-1].copy())), sum(moves), one / step
    elif getattr(operation, "mask", "") == "euclidean.gaussian":
        made: Any = (lambda *v: Exact(np.array(v)[:, None])) if isinstance(operation, Lift) else _vector
        two: Domain = Array((2, 1)) if isinstance(operation, Lift) else Vector(2)
        values = (made(5, -2), made(-1, 6)) if isinstance(operation, Lift) else (made(3, 0), made(4, -1))
        yield two, calibration, *values, 2, one
        values = (made(5, -2), made(-2, 6)) if isinstance(operation, Lift) else (made(3, 0), made(3, 1))
        yield two, calibration, *values, 1, one


def _vector(*values: int) -> Exact:
    return Exact(np.array(values))


def _dearer(operation: Mechanism, pair: Pair, scripts: list[Script]) -> str:
    """Where the law of coarse Gaussians costs more than these do, if anywhere."""
    domain, calibration, first, second, squared, per = pair
    claims = of_gaussian_noise("gaussian", per * per, min(squared, 3), squared, np.array(EPSILONS))
    several = isinstance(domain, Mixture) and domain.k > 1

    def law_of(exact: Exact) -> Law:
        return explore(
            lambda: _released(operation, exact, calibration, domain, scripts),
            scripts,
            most=1500 if several else 3000,
            floor=1e-7 if several else 1e-9,
            make=functools.partial(Fine, per=per),
        )

    try:
        laws = [law_of(first), law_of(second)]
    except Unenumerable:
        return "it draws noise of too many values"
    for one, other in (laws, laws[::-1]):
        for epsilon, claim in zip(EPSILONS, claims or [], strict=True):
            found, worst = hockey_stick(one, other, epsilon)
            if found > claim * (1 + 1e-9) + ABSOLUTE:
                words = f"δ({epsilon:.3g}) is at least {found:.6g}, not {claim:.6g}"
                shown = repr(one.shown.get(worst))[:160]
                return f"its law on coarse Gaussians costs more than they do: {words}; most from {shown}"
    return ""
