r"""Numerical composition of dominating pairs, rounded outward.

All Gaussians are first added up exactly in GDP. Every other distinct event is put on one lattice by connecting
the dots (:mod:`dpframe.proof.losses.lattice_pld`), tilted by :math:`e^{\theta x}` towards the region that decides
:math:`\delta`, transformed, raised to its multiplicity and multiplied. With :math:`K` the logarithm of the
composed tilted mass and :math:`\tilde p` its cyclic convolution in a window :math:`[B-W, B)`,

.. math:: \delta(\varepsilon) \le \sum_{B > x > \varepsilon} e^{K-\theta x}(\tilde p(x)+\tau)
          (1-e^{\varepsilon-x}) + p_\infty + e^{K-\theta B}.

Wrapping around only *adds* mass to the window, except for losses above :math:`B`, which the last term (Chernoff)
pays; :math:`\tau` bounds the round-off of the transforms. Where those terms exceed 1 % of :math:`\delta` the
composer gives up instead of being imprecise. Profiles are kept in units of the :math:`\delta` looked for, so
none underflows. The Rényi bound of the same core, which is always there, is answered where it is smaller or the
composer gave up. Proofs: docs/theory/losses.md, section 3.
"""

from __future__ import annotations

import functools
import math
from typing import final

import attrs
import numpy as np
from numpy.typing import NDArray

from dpframe.proof.losses import basic, renyi
from dpframe.proof.losses._numeric import FloatArray, U, power
from dpframe.proof.losses.basic import Events, pooled
from dpframe.proof.losses.event import Event
from dpframe.proof.losses.gaussian import gaussian_epsilon
from dpframe.proof.losses.lattice_pld import (
    LatticePLD,
    connect,
    convolve,
    fft_error,
    largest,
    spread,
    tail_profile,
    tilt,
    truncate,
)
from dpframe.proof.losses.smooth import Gaussian

ComplexArray = NDArray[np.complex128]

_TOLERANCE = 1e-6  # aim of the lattice: relative excess of epsilon
_WORK = 2**23  # lattice points times distinct events, unless that would be coarser than _COARSEST
_COARSEST = 1e-4
_LONGEST = 2**20
_RANGE = 600.0  # widest window in units of loss: exp() of it still fits a float
_SMALLEST = 1e-12
SLACK = 1e-2
_LEAST = 1e-300  # smallest delta the composer is asked for
_UNIT = 1 - 1e-12  # delta in units of the exponential of its logarithm, rounded down


@final
@attrs.frozen
class Grid:
    """Tilt, lattice step, number of points, top of the window (an index), tail mass that may be cut off.

    ``log_delta`` is the logarithm of the unit in which profiles are kept.
    """

    theta: float
    step: float
    size: int
    top: int
    cut: float
    log_delta: float = 0.0


@final
@attrs.frozen(eq=False)
class Curve:
    """Upper bounds of the composed profile on the lattice ``(first + k) * step``, and the numerical slack.

    In units of ``exp(log_delta)``.
    """

    step: float
    first: int
    values: FloatArray
    slack: FloatArray
    constant: float
    log_delta: float


def epsilon(events: Events, delta: float) -> float:
    """Epsilon of the composed core at ``delta`` in (0, 1), where some event has no dominating pair the Rényi bound.

    Formal guarantees
    -----------------
    The core is (result, delta)-DP; the result is never below the true epsilon.
    """
    if not all(event.dominated for event, _ in events):
        return renyi.epsilon(events, delta)[0]
    return min(pair_epsilon(events, delta), renyi.epsilon(events, delta)[0], basic.epsilon(events))


@functools.lru_cache(maxsize=1024)
def pair_epsilon(events: Events, delta: float) -> float:
    """Epsilon of the composed dominating pairs; ``inf`` where the composer gives up."""
    near, order = renyi.epsilon(events, delta)
    if near == 0:
        return 0.0
    grid = plan(events, delta, near, order)
    while grid is not None:
        curve = compose(events, grid)
        found = None if curve is None else _crossing(curve)
        if found is None or math.isfinite(found):
            return math.inf if found is None else found
        grid = widen(grid)
    return math.inf


def plan(events: Events, delta: float, epsilon: float, order: float) -> Grid | None:
    """Choose tilt, step and window near ``(epsilon, delta)``; ``None`` where there is nothing to choose from.

    Nothing here needs to be exact: a poor choice costs tightness or leads to a refusal.
    """
    spread = math.sqrt(float(basic.rdp(events, np.array([2.0]))[0]))
    scale = max(epsilon, spread / 4)
    if not (_SMALLEST < scale < _RANGE and _SMALLEST < spread < math.inf and delta >= _LEAST):
        return None
    theta = min(max(order - 1, 1 / spread), (50 - 20 * math.log(delta)) / scale)
    log_mass = theta * float(basic.rdp(events, np.array([1 + theta]))[0])
    top = (log_mass + math.log(1e5 / delta)) / theta
    width = (math.log(1e5 / delta) + math.log1p(theta) + 8) / theta
    count = _count(events)
    step = math.sqrt(12 * _TOLERANCE * scale / ((theta + 1) * count))
    most = min(max(_WORK / len(events), width / step * math.sqrt(_TOLERANCE / _COARSEST)), _LONGEST)
    size = 1 << max(10, math.ceil(math.log2(min(width / step, most))))
    return _grid(theta, width / size, size, top, max(1e-6 * delta / count, 1e-306), math.log(delta))


def _grid(theta: float, step: float, size: int, top: float, cut: float, log_delta: float = 0.0) -> Grid | None:
    mantissa, exponent = math.frexp(step)
    step = math.ldexp(math.ceil(mantissa * 2**20), exponent - 20)  # multiples of it are exact
    if not 0 < step * size < _RANGE or not top / step < 2**31:
        return None
    return Grid(theta, step, size, math.ceil(top / step), cut, log_delta)


def widen(grid: Grid) -> Grid | None:
    """The same lattice with a window twice as wide, or ``None`` when that is too long."""
    if 2 * grid.size > 4 * _LONGEST or 2 * grid.size * grid.step > _RANGE:
        return None
    return attrs.evolve(grid, size=2 * grid.size)


def discretise(event: Event, grid: Grid) -> LatticePLD | None:
    """Put one event on the lattice; ``None`` where its losses reach too far."""
    if event.alternatives:
        parts = [_join(events, grid) for events in event.alternatives]
        known = [part for part in parts if part is not None]
        return largest(known, grid.cut) if len(known) == len(parts) else None
    event = event.simpler
    atoms = event.atoms()
    if atoms is not None:
        return spread(grid.step, *atoms) if abs(atoms[0][0]) < _RANGE else None
    reach = gaussian_epsilon(event.mu, grid.cut) if isinstance(event, Gaussian) else event.reach(grid.cut)
    if not reach < _RANGE or reach / grid.step > 4 * _LONGEST:
        return None
    points: FloatArray = np.arange(math.ceil(reach / grid.step) + 1, dtype=np.float64) * grid.step
    bounds = event.enclosure(points)
    return None if bounds is None else connect(grid.step, *bounds)


def _join(events: Events, grid: Grid) -> LatticePLD | None:
    """Compose an alternative of a worst allocation on the lattice, without wrapping around."""

    def multiply(one: LatticePLD, two: LatticePLD) -> LatticePLD:
        return truncate(convolve(one, two, grid.theta), grid.cut)

    total = LatticePLD(grid.step, np.ones(1), 0.0)
    for event, times in _units(events):
        pld = discretise(event, grid)
        if pld is None:
            return None
        reach = total.reach + pld.reach * times
        if reach > 4 * _LONGEST or reach * grid.step > _RANGE:
            return None
        total = multiply(total, power(pld, times, multiply))
    return total


def _units(events: Events) -> list[tuple[Event, int]]:
    """The events to discretise: all Gaussians are one."""
    mu, rest = pooled(events)
    return [*([(Gaussian(mu), 1)] if mu else []), *rest]


def _count(events: Events) -> int:
    """How many events are put on the lattice in all, one for all Gaussians of a composition."""
    count = 0
    for event, times in _units(events):
        inner = max(map(_count, event.alternatives)) if event.alternatives else 1
        count += times * max(inner, 1)
    return count


def compose(events: Events, grid: Grid) -> Curve | None:
    """Compose a core on a grid; ``None`` where some event cannot be put on it."""
    spectrum: ComplexArray = np.ones(grid.size // 2 + 1, dtype=np.complex128)
    log_mass, infinite, excess, errors = 0.0, 0.0, 0.0, _Errors(grid)
    for event, times in _units(events):
        pld = discretise(event, grid)
        if pld is None:
            return None
        masses = pld.full()
        log_norm, tilted = tilt(masses, grid.theta * grid.step, -pld.reach)
        factor = np.fft.rfft(_wrap(tilted, -pld.reach, grid.size))
        errors.add(factor, times, len(tilted))
        spectrum *= power(factor, times, np.multiply)
        log_mass += times * log_norm
        infinite += times * pld.infinite
        excess += times * max(float(masses.sum()) - 1, 0.0)  # rounding up made masses sum to more than 1
    infinite *= math.exp(min(excess, 1.0))
    relative = errors.relative + 16 * U * (abs(log_mass) + grid.theta * abs(grid.top) * grid.step + grid.size + 700)
    if not (relative < SLACK and excess < 1):
        return None
    cyclic = np.fft.irfft(spectrum, grid.size)
    error = errors.absolute()
    return _curve(cyclic, grid, log_mass=log_mass, infinite=infinite, error=error, relative=relative)


class _Errors:
    """Running bounds of round-off: of tilted masses, relatively, and of transforms, at every frequency.

    With computed factors ``c`` off by at most ``e``, the product is off by at most ``B - prod |c|`` with
    ``B = prod (|c| + e)``, which is at most ``B min(1, sum e / (|c| + e))``; products add ``6 u B`` a factor.
    """

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self.unit = fft_error(grid.size)
        self.logs = np.zeros(grid.size // 2 + 1)
        self.shares = np.zeros(grid.size // 2 + 1)
        self.relative = 0.0

    def add(self, factor: ComplexArray, times: int, length: int) -> None:
        """Count one factor that occurs ``times`` times and was made from ``length`` masses."""
        magnitude = np.abs(factor) + self.unit
        self.logs += times * np.log(magnitude)
        self.shares += times * (self.unit / magnitude + 6 * U)
        self.relative += 16 * U * times * (length * (1 + self.grid.theta * self.grid.step) + 16)

    def absolute(self) -> float:
        """Bound of the error of every entry of the inverse transform."""
        bound = np.exp(self.logs) * (np.minimum(self.shares, 1.0) + 2 * self.unit)
        return float(bound.sum()) * 2 / self.grid.size * (1 + 1e-6)


def _wrap(masses: FloatArray, first: int, size: int) -> FloatArray:
    """Add up masses whose indices agree modulo ``size``; entry 0 is index 0."""
    start = first % size
    padded = np.zeros(-(-(start + len(masses)) // size) * size)
    padded[start : start + len(masses)] = masses
    result: FloatArray = padded.reshape(-1, size).sum(axis=0)
    return result


def _curve(cyclic: FloatArray, grid: Grid, *, log_mass: float, infinite: float, error: float, relative: float) -> Curve:
    """Undo the tilt in the window and add every bound of what is missing."""
    first = grid.top - grid.size
    index = np.arange(first, grid.top)
    with np.errstate(over="ignore"):  # far below the target the profile is infinitely many units
        weight = np.exp(log_mass - grid.log_delta - grid.theta * (index * grid.step)) * (1 + relative)
        masses = (np.maximum(np.roll(cyclic, -(first % grid.size)), 0.0) + error) * weight
        beyond = float(np.exp(log_mass - grid.log_delta - grid.theta * (grid.top * grid.step))) * (1 + relative)
        constant = infinite * math.exp(-grid.log_delta) * (1 + 1e-12 + relative) + beyond
        wrapped = math.exp(-grid.theta * grid.step * grid.size - grid.log_delta)
        values = tail_profile(grid.step, masses) * (1 + 16 * U * grid.size) + constant
        slack = tail_profile(grid.step, weight * error) + constant + 2 * wrapped
    return Curve(grid.step, first, values, slack, constant, grid.log_delta)


def _crossing(curve: Curve) -> float | None:
    """Where the profile falls to its unit: ``inf`` below the window, ``None`` where the slack is too large."""
    below = curve.values <= _UNIT
    if not below[-1]:
        return None
    k = int(np.argmax(below))
    if curve.slack[k] > SLACK:
        return None
    if k == 0:
        return math.inf if curve.first > 0 else 0.0
    return max(_between(curve, k, _UNIT), 0.0)


def _between(curve: Curve, k: int, delta: float) -> float:
    """Solve on the chord, linear in ``exp(epsilon)``, that ends at index ``k``."""
    high, low = curve.values[k - 1], curve.values[k]
    rise = math.expm1(curve.step)
    if not math.isfinite(high):
        return (curve.first + k) * curve.step
    share = (high - delta + 4 * U * high) / (high - low)  # from 0 at the left end to 1 at the right end
    left = (curve.first + k - 1) * curve.step
    return min(left + math.log1p(share * rise) * (1 + 1e-12), left + curve.step) + 4 * U * abs(left)
