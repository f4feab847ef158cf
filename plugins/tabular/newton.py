"""Newton's steps on noisy gradients: a model of the rows gives the curvature, and released gradients correct it.

A Hessian of released Gaussians is wrong where rows are no such Gaussians, and steps by it can miss for ever. Two
gradients show the curvature between their points: where that differs from the model's by more than noise explains, the
Hessian is mended by a damped BFGS update. A step starts at the point whose gradient is least, so that one too many is
taken back; and what the gradients say together is an average of all, each weighted by its noise and by how far it was.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import attrs
import numpy as np
from numpy.typing import NDArray

DRAWS, SEED = 4096, 7
FAR = 1.0
"""What a step is taken to err by, over its length: a gradient far from the end says less of it."""
DAMPED = 0.1
"""Of the model's curvature along a step, the least that is kept in one update."""
LONGEST = 4.0
LEAST = 0.02
CLEAR, SLOWEST = 2.0, 0.98
"""Times the noise's mean that a square counts as noise; the largest ratio of a step to the one before that counts."""
Floats = NDArray[np.float64]


def state_size(d: int, k: int) -> int:
    """Numbers of a state: shift, map, shown (d), means, widths (k, d, d), shares, coefficients (k, d + 1), rows."""
    return d + d * d + d + k * d + k * d * d + k + k * (d + 1) + 1


@attrs.frozen(eq=False)
class State:
    """What is known so far: rows are seen as ``u = (x − shift) @ map``, and class j's logit is θ_j · (1, u).

    ``shown`` is the variance that released moments show of each column of u; below 1, noise may hide it.
    """

    shift: Floats
    map: Floats
    shown: Floats
    means: Floats
    widths: Floats
    shares: Floats
    theta: Floats
    rows: float

    @classmethod
    def read(cls, values: object, d: int, k: int) -> State:
        """Read a state from one vector."""
        flat = np.asarray(values, dtype=np.float64)
        cuts = np.cumsum([d, d * d, d, k * d, k * d * d, k, k * (d + 1)])
        shift, matrix, shown, means, widths, shares, theta, rows = np.split(flat, cuts)
        parts = (means.reshape(k, d), widths.reshape(k, d, d), shares, theta.reshape(k, d + 1))
        return cls(shift, matrix.reshape(d, d), shown, *parts, float(rows[0]))

    def flat(self) -> Floats:
        """The state as one vector."""
        parts = (self.shift, self.map, self.shown, self.means, self.widths, self.shares, self.theta)
        return np.concatenate([*(part.ravel() for part in parts), [self.rows]])

    def draws(self) -> Floats:
        """Rows (1, u) of the released Gaussians, the same at each call."""
        k, d = self.means.shape
        labels = np.searchsorted(np.cumsum(self.shares), (np.arange(DRAWS) + 0.5) / DRAWS).clip(0, k - 1)
        normal = np.random.default_rng(SEED).standard_normal((DRAWS, d))
        z = self.means[labels] + np.einsum("md,mde->me", normal, self.widths[labels])
        return np.column_stack([np.ones(DRAWS), z])

    def gradient(self, theta: Floats) -> Floats:
        """E[p ⊗ z], without the labels' part, in which two points do not differ; z = (1, u) of the draws."""
        z = self.draws()
        p = softmax(z @ theta.T) * weights_of(z)[:, None]
        return np.asarray((p.T @ z / DRAWS).ravel())

    def spread(self, theta: Floats | None = None) -> float:
        """Root mean square of the logits over the draws, less their means."""
        logits = self.draws() @ (self.theta if theta is None else theta).T
        return math.sqrt(float(((logits - logits.mean(axis=0)) ** 2).mean()))

    def hidden(self) -> Floats:
        """Variances of coefficients (k(d+1),): along a column that noise hides, as if it told what all others tell.

        Of such a column little more than its noise's size is known: the variance is taken as shown, or for a 50th.
        """
        each = self.spread() * (self.shown < 1.0) / np.sqrt(np.maximum(self.shown, LEAST))
        return np.asarray(np.tile(np.append(0.0, each) ** 2, len(self.means)))

    def hessian(self, power: int = 1) -> Floats:
        """E[(diag p − ppᵀ) ⊗ zzᵀ] of z = (1, u) under the released Gaussians, (k(d+1), k(d+1)); by fixed draws.

        Each draw counts as a row does, by the given power of its weight.
        """
        k, d = self.means.shape
        z = self.draws()
        p, heavy = softmax(z @ self.theta.T), weights_of(z) ** power
        total = np.zeros((k, d + 1, k, d + 1))
        for i in range(k):
            for j in range(k):
                weight = p[:, i] * ((i == j) - p[:, j]) * heavy
                total[i, :, j] = (z * weight[:, None]).T @ z / DRAWS
        return total.reshape(k * (d + 1), -1)


def softmax(logits: Floats) -> Floats:
    """Probabilities, row by row."""
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))


def weights_of(z: Floats) -> Floats:
    """min(1, √(d + 1)/‖z‖) of rows z = (1, u): a typical one counts whole."""
    return np.asarray(np.minimum(1.0, math.sqrt(z.shape[1]) / np.linalg.norm(z, axis=1)))


def with_ridge(hessian: Floats, noise: float, rows: float) -> Floats:
    """Inverse of the Hessian of all rows, with a ridge of the size of the noise."""
    return np.asarray(np.linalg.inv(hessian + np.eye(len(hessian)) * max(noise, 1e-6 * rows)))


def together(stds: Sequence[float]) -> float:
    """Noise of what gradients of this noise say together, each weighted by its precision."""
    return 1.0 / math.sqrt(sum(1.0 / max(one, 1e-100) ** 2 for one in stds))


def mended(hessian: Floats, step: Floats, change: Floats, trust: float) -> Floats:
    """The Hessian after a BFGS update by a part ``trust`` of what it missed of a change of gradient; damped.

    Examples
    --------
    >>> mended(np.eye(2), np.array([1.0, 0.0]), np.array([0.5, 0.0]), 1.0).tolist()
    [[0.5, 0.0], [0.0, 1.0]]
    >>> mended(np.eye(2), np.array([1.0, 0.0]), np.array([-9.0, 0.0]), 1.0).tolist()
    [[0.1, 0.0], [0.0, 1.0]]
    """
    seen = hessian @ step
    curved = float(step @ seen)
    if trust <= 0.0 or not curved > 0.0:
        return hessian
    change = seen + trust * (change - seen)
    along = float(step @ change)
    if along < DAMPED * curved:
        part = (1.0 - DAMPED) * curved / (curved - along)
        change, along = seen + part * (change - seen), DAMPED * curved
    return np.asarray(hessian - np.outer(seen, seen) / curved + np.outer(change, change) / along)


@attrs.frozen(eq=False)
class Trail:
    """What released gradients at several points say: the best of these points, and the curvature there."""

    now: State
    thetas: Floats
    slopes: Floats
    stds: Floats
    inverse: Floats
    gains: Floats

    @classmethod
    def of(cls, states: Sequence[State], slopes: Sequence[Floats], stds: Sequence[float]) -> Trail:
        """From states, gradients there, and their noise."""
        k, d1 = states[-1].theta.shape
        thetas = np.array([state.theta.ravel() for state in states])
        each = np.asarray(slopes, dtype=np.float64).reshape(len(states), k, d1)
        told = (each - each.mean(axis=1, keepdims=True)).reshape(len(states), -1)
        known = np.asarray(stds, dtype=np.float64)
        trail = cls._at(len(states) - 1, states, thetas, told, known)
        best = trail.best
        return trail if best == len(states) - 1 else cls._at(best, states, thetas, told, known)

    @classmethod
    def _at(cls, place: int, states: Sequence[State], thetas: Floats, told: Floats, stds: Floats) -> Trail:
        now = states[place]
        k, d1 = now.theta.shape
        hessian = now.rows * now.hessian()
        model = [now.rows * now.gradient(theta.reshape(k, d1)) for theta in thetas]
        for one in range(1, len(thetas)):
            step, change = thetas[one] - thetas[one - 1], told[one] - told[one - 1]
            missed = change - (model[one] - model[one - 1])
            noise = float(stds[one] ** 2 + stds[one - 1] ** 2) * (k - 1) * d1
            hessian = mended(hessian, step, change, 1.0 - CLEAR * noise / max(float(missed @ missed), 1e-300))
        inverse = with_ridge(hessian, float(stds[place]), now.rows)
        noises = stds**2 * float(np.trace(inverse)) * (k - 1) / k
        gains = np.maximum(np.einsum("ti,ij,tj->t", told, inverse, told) - noises, 0.0)
        return cls(now, thetas, told, stds, inverse, gains)

    @property
    def best(self) -> int:
        """The point whose gradient says most."""
        return int(np.argmax(self.weights()))

    def _after(self, place: int) -> Floats:
        step = self.inverse @ self.slopes[place]
        return np.asarray(self.thetas[place] - step * min(1.0, LONGEST / max(float(np.abs(step).max()), 1e-300)))

    def weights(self) -> Floats:
        """Of the points' steps in their average: by the noise, and by how far off the points were."""
        bare = self.stds**2 * max(float(np.trace(self.inverse)), 1e-300)
        inverse = 1.0 / np.maximum(bare + FAR**2 * self.gains, 1e-200)
        return np.asarray(inverse / inverse.sum())

    def end(self) -> Floats:
        """What all gradients say together."""
        each = np.array([self._after(one) for one in range(len(self.thetas))])
        return np.asarray((self.weights() @ each).reshape(self.now.theta.shape))

    def scatter(self, undo: Floats, noise: Floats) -> Floats:
        """Variances of coefficients by which the gradients contradict one another, beyond what this noise explains."""
        each = np.array([self._after(one) for one in range(len(self.thetas))]).reshape(-1, *self.now.theta.shape)
        off = np.tensordot(self.weights(), ((each - self.end()) @ undo) ** 2, 1)
        return np.asarray(np.maximum(off - CLEAR * (len(each) - 1) * noise**2, 0.0))

    def noise(self) -> float:
        """Noise of the gradient in that average."""
        return math.sqrt(float(self.weights() ** 2 @ self.stds**2))

    def left(self) -> Floats:
        """How far the end may be from where steps would settle, beyond what noise explains.

        Of the last step from the best point, as much as is to come if steps go on getting shorter as they did.
        """
        best = self.best
        noise = float((self.stds[best] ** 2 + self.stds[max(best - 1, 0)] ** 2) * np.trace(self.inverse))
        extra = max(1.0 - CLEAR * noise / max(float(self.gains[best]), 1e-300), 0.0)
        rate = (float(self.gains[best]) / max(float(self.gains[0]), 1e-300)) ** (0.5 / max(best, 1))
        rate = min(rate, SLOWEST) if best else SLOWEST
        step = self.thetas[best] - self._after(best)
        return np.asarray((math.sqrt(extra) * rate / (1.0 - rate) * step).reshape(self.now.theta.shape))

    def last(self) -> tuple[float, float]:
        """Length of the last gradient for each row, and its noise's."""
        size = self.slopes.shape[1] * (1.0 - 1.0 / len(self.now.theta))
        rows = max(self.now.rows, 1.0)
        return float(np.linalg.norm(self.slopes[-1])) / rows, float(self.stds[-1]) * math.sqrt(size) / rows
