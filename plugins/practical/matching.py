"""Moment matching: undo overlap and clipping at once, by simulating the released model.

A pass evaluates the statistics ``T_q`` with the responsibilities of the *current* mixture ``q``. Where
components overlap, EM's next mixture moves only part of the way (a factor ``1 - J``, with ``J`` near 0.85 at
four standard deviations), and many private passes would be spent on convergence. But what a pass would
see if the truth were ``theta``,

    h(theta) = E_{x ~ theta} T_q(x),

is known without touching a row, so solve ``h(theta) = observed`` instead. ``h(q)`` is exact (``g_j q = w_j N_j``
gives ``w_j``, 0 and ``w_j f I``), and the difference ``h(theta) - h(q)`` is simulated with common random
numbers, so that the simulation's error vanishes with the step. Post-processing; the seed is public.
"""

from __future__ import annotations

import attrs
import numpy as np

from .local import Local, invert
from .records import Floats, Mixture
from .truncation import response

SAMPLES, BLOCK = 4000, 1000
"""Rows that are simulated, and how many at once: what is made of these stays in the cache."""
STEPS = 12
TOLERANCE, GROWTH = 1e-4, 1.5


@attrs.frozen(eq=False)
class Simulator:
    """Expected soft moments under mixtures near ``model``, by common random numbers.

    Parameters
    ----------
    model : Mixture
        The mixture ``q`` whose responsibilities and whitening the pass used.
    clip : float
    seed : int
        Public.
    """

    model: Mixture
    clip: float
    normals: Floats
    reference: tuple[Floats, Floats, Floats]

    @classmethod
    def create(cls, model: Mixture, clip: float, seed: int, samples: int = SAMPLES) -> Simulator:
        """Draw the normals (in antithetic pairs) and simulate the reference ``h(q)``."""
        d = model.means.shape[1]
        half = np.random.default_rng(seed).standard_normal((samples // 2, d))
        normals = np.concatenate([half, -half])
        here = Local.identity(model.weights, d)
        return cls(model, clip, normals, simulate(model, here, clip, normals))

    def moments(self, local: Local) -> tuple[Floats, Floats, Floats]:
        """Counts (k,), sums (k, d), Grams (k, d, d) per row, if the truth were ``local``."""
        counts, sums, grams = simulate(self.model, local, self.clip, self.normals)
        d = sums.shape[1]
        weights = self.model.weights
        exact = weights[:, None, None] * (response(d, self.clip).second * np.eye(d))
        return (counts - self.reference[0] + weights, sums - self.reference[1], grams - self.reference[2] + exact)


def simulate(model: Mixture, local: Local, clip: float, normals: Floats) -> tuple[Floats, Floats, Floats]:
    """Mean soft moments of rows drawn from ``local`` (whitened coordinates of ``model``), per row."""
    k, d = model.means.shape
    m = normals.shape[0]
    inverse = np.linalg.inv(model.cholesky)
    roots = model.cholesky @ np.linalg.cholesky(local.covariances)
    centers = model.means + (model.cholesky @ local.means[:, :, None])[:, :, 0]
    with np.errstate(divide="ignore"):
        offsets = np.log(model.weights) - np.log(np.diagonal(model.cholesky, axis1=1, axis2=2)).sum(axis=1)
    counts, sums, grams = np.zeros(k), np.zeros((k, d)), np.zeros((k, d, d))
    rows = np.vstack([normals.T, np.ones(m)])  # they lie in a row, for long inner loops
    for i in range(k):
        shifts = inverse @ (centers[i] - model.means)[:, :, None]
        maps = np.concatenate([inverse @ roots[i], shifts], axis=2)
        for start in range(0, m, BLOCK):
            whitened = maps @ rows[:, start : start + BLOCK]
            squares = np.einsum("kdm,kdm->km", whitened, whitened)
            logs = offsets[:, None] - 0.5 * squares
            shares = np.exp(logs - logs.max(axis=0))
            shares *= local.weights[i] / m / shares.sum(axis=0)
            inside = np.minimum(1.0, clip / np.sqrt(np.maximum(squares, 1e-300)))
            counts += shares.sum(axis=1)
            shares *= inside
            sums += (whitened @ shares[:, :, None])[:, :, 0]
            shares *= inside
            grams += (whitened * shares[:, None]) @ np.swapaxes(whitened, 1, 2)
    return counts, sums, grams


def match(model: Mixture, observed: Local, clip: float, seed: int, *, steps: int = STEPS) -> Local:
    """Solve ``h(theta) = observed`` by ``theta <- theta + observed - invert(h(theta))``.

    The first step is EM's. At most ``steps`` more are taken, so that noise along directions which the data
    hardly determine is not blown up; the iterate with the smallest residual is kept, and growth of the residual
    stops the iteration.
    """
    simulator = Simulator.create(model, clip, seed)
    theta = best = observed.repaired()
    smallest = np.inf
    for _ in range(steps + 1):
        residual = observed.minus(invert(*simulator.moments(theta), clip))
        size = residual.size()
        if size < smallest:
            best, smallest = theta, size
        if size < TOLERANCE or size > GROWTH * smallest:
            break
        theta = theta.plus(residual).repaired()
    return best
