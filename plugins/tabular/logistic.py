"""Multinomial logistic regression: a linear discriminant of released moments, then Newton steps on noisy gradients.

Rows are whitened by the classes' released common covariance. A step's Hessian is that of the released Gaussians, a
function of released values, so that only gradients are paid for: sums of per-row gradients that the kernel clips. A far
row is weighted down by its features alone, whatever its label: that keeps its gradient within the clip and, unlike the
clip, moves the coefficients nowhere (E[p − e | x] = 0 at the true ones). The last two steps are averaged.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar

import attrs
import numpy as np
from numpy.typing import NDArray

import dpframe.plugin as dp
from dpframe.plugin import (
    PARAM,
    Above,
    Array,
    Domain,
    Expected,
    Failed,
    Handle,
    Post,
    Quality,
    Slot,
    Vector,
    composite,
    positive_whole,
    register,
)
from dpframe_plugins.classic.checks import few_rows

from .classes import by_class, check_classes
from .frame import find_frame
from .moments import ANCHORS, moments_of

STEPS, FIRST = (0.1, 0.15, 0.35, 0.4), 0.3
"""Parts of what is left for the Newton steps, and the part of the share of the classes' moments."""
DRAWS, SEED = 4096, 7
Floats = NDArray[np.float64]


def state_size(d: int, k: int) -> int:
    """Numbers of a state: shift (d), map (d, d), means (k, d), shares (k), coefficients (k, d + 1), rows (1)."""
    return d + d * d + k * d + k + k * (d + 1) + 1


@attrs.frozen(eq=False)
class State:
    """What is known so far: rows are seen as ``u = (x − shift) @ map``, and class j's logit is θ_j · (1, u)."""

    shift: Floats
    map: Floats
    means: Floats
    shares: Floats
    theta: Floats
    rows: float

    @classmethod
    def read(cls, values: Any, d: int, k: int) -> State:
        """From one vector."""
        flat = np.asarray(values, dtype=np.float64)
        cuts = np.cumsum([d, d * d, k * d, k, k * (d + 1)])
        shift, matrix, means, shares, theta, rows = np.split(flat, cuts)
        return cls(shift, matrix.reshape(d, d), means.reshape(k, d), shares, theta.reshape(k, d + 1), float(rows[0]))

    def flat(self) -> Floats:
        """As one vector."""
        parts = (self.shift, self.map, self.means, self.shares, self.theta)
        return np.concatenate([*(part.ravel() for part in parts), [self.rows]])

    def draws(self) -> Floats:
        """Rows (1, u) of the released Gaussians, the same at each call."""
        k, d = self.means.shape
        labels = np.searchsorted(np.cumsum(self.shares), (np.arange(DRAWS) + 0.5) / DRAWS).clip(0, k - 1)
        z = self.means[labels] + np.random.default_rng(SEED).standard_normal((DRAWS, d))
        return np.column_stack([np.ones(DRAWS), z])

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


def whitening(covariance: Floats, stds: Floats) -> Floats:
    """The map after which a noisy covariance is I, but for directions in which its noise could hide the variance.

    Parameters
    ----------
    covariance : (d, d)
    stds : (d, d)
        Standard deviations of the noise of its entries: ``s_i s_j`` on the diagonal, ``s_i s_j/√2`` beside it.

    Notes
    -----
    Of columns divided by ``s_i`` the noise has the spectral norm √(2d), nearly. A direction that shows less variance
    than that counts as one of as much. Taken for narrower than it is, it would have a Hessian that is too small, and
    Newton's steps along it would grow instead of settling.

    Examples
    --------
    >>> whitening(np.diag([4.0, 0.0]), np.full((2, 2), 1e-2)).round(3).tolist()
    [[0.0, 0.5], [7.071, 0.0]]
    """
    sizes = np.sqrt(np.diagonal(stds))
    found, vectors = np.linalg.eigh(covariance / np.outer(sizes, sizes))
    least = max(math.sqrt(2.0 * len(sizes)), 1e-9 * float(found[-1]))
    return np.asarray(vectors / sizes[:, None] / np.sqrt(np.maximum(found, least)))


def clip_of(d: int) -> float:
    """The norm that a row's gradient is clipped to, which weighted rows never exceed: ‖p − e‖ <= √2."""
    return math.sqrt(2.0 * (d + 1.0))


@dp.own_contribution(
    "tabular.gradient",
    gives=lambda d, classes: Vector(classes * (d + 1)),
    norm="l2",
    bound=lambda d, classes: clip_of(d),
    examples={"d": 1, "classes": 2},
)
def gradient(rows: Any, state: Any, *, d: int, classes: int) -> Any:
    """Weighted gradient of the logistic loss of each row: (p − e_y) ⊗ (1, u); 0 for rows of no class."""
    now = State.read(state, d, classes)
    seen = np.einsum("md,de->me", np.clip(rows[:, :d] - now.shift, -1e150, 1e150), now.map)
    z = np.column_stack([np.ones(len(rows)), np.clip(np.nan_to_num(seen), -1e6, 1e6)])
    wrong = softmax(np.einsum("md,kd->mk", z, now.theta))
    codes = np.rint(rows[:, d])
    known = (codes >= 0) & (codes < classes)
    wrong -= codes[:, None] == np.arange(classes)
    wrong[~known] = 0.0
    wrong *= weights_of(z)[:, None]
    return np.asarray(wrong[:, :, None] * z[:, None, :]).reshape(len(rows), -1)


READINGS = ("coefficients", "noise", "sampling")
MOMENTS = ("count", "mean", "covariance", "covariance_noise")
"""What the start is told of each class."""
APART, MOST, CLEAR = 2.0, 0.5, 0.25
POOR = 1.0 / 3.0
"""Of the spread of logits over rows, what noise may move one by before the result is poor."""
INSTANCE = "classes of equal size, N(m, I), two deviations apart on a line"


@composite("tabular.logistic")
def logistic(
    x: Handle, *, classes: int, bound: float, tight: bool = False, seed: int = 0, share: float = 1.0
) -> dict[str, Handle]:
    """Multinomial logistic regression of the last column, which holds the codes 0, 1, … of the classes.

    Parameters
    ----------
    x : Handle
        The private table: features, and last the codes. Rows of another code count for nothing.
    classes : int
        How many there are, declared; at least 2.
    bound : float
        ℓ₂ radius around 0 that rows are promised to lie in, codes included; generous is fine.
    tight : bool
        The bound is about as small as it can be: no budget is spent on finding where rows lie.
    seed : int
        Public seed of the pairs of rows that tell the columns' units.
    share : float
        Share of ρ.

    Returns
    -------
    dict of Handle
        ``coefficients`` (classes, d + 1), the intercept first, in the units of the table and summing to 0 over classes;
        ``noise`` and ``sampling`` (classes, d + 1), their standard errors.

    Formal guarantees
    -----------------
    The classes' moments as in ``tabular.classes``; then four Gaussian releases of sums of per-row gradients, clipped
    by the kernel (``own_contribution``, level enforced): twice the clip norm in ℓ₂ under replace-one, once under
    add/remove.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     return dp.release("l", dp.recipe("tabular.logistic", classes=2, bound=1e6), x)["coefficients"]
    >>> dp.plan(example, x=dp.rows(d=3), adjacency=dp.ADD_REMOVE, budget=dp.zcdp(0.5)).verdict.holds
    True
    """
    check_classes(x, classes)
    if classes < 2:
        raise dp.SpecError("a regression of classes needs two of them: one class is no choice", fix="give classes=2")
    d = x.d - 1
    frame = find_frame(x, bound=bound, share=share, tight=tight, power=2, seed=seed)
    told = []
    for j, part in enumerate(by_class(x, frame, classes)):
        how = {"share": FIRST * frame.share, "drop": 1, "lenient": True}
        seen = moments_of(part, frame, name=f"class_{j}", **how)  # type: ignore[arg-type]
        told += [seen[what] for what in MOMENTS]
    state = dp.post("tabular.logistic_start", *told, d=d, classes=classes, name="start")
    known = []
    for t, weight in enumerate(STEPS):
        total = dp.own("tabular.gradient", x, state, d=d, classes=classes)
        slope = dp.release(f"step_{t}", dp.gaussian(share=(1.0 - FIRST) * weight * frame.share), total)
        state = dp.post("tabular.logistic_step", state, slope, d=d, classes=classes, name=f"state_{t}")
        known += [state, slope]
    return {
        what: dp.post("tabular.logistic_read", *known[-4:], d=d, classes=classes, what=what, name=what)
        for what in READINGS
    }


@attrs.frozen
class _Sized(Post):
    """A post of d features and a number of classes."""

    d: int = attrs.field(kw_only=True, validator=positive_whole)
    classes: int = attrs.field(kw_only=True, validator=positive_whole)

    def output(self, *inputs: Domain) -> Domain:
        """A state."""
        return Vector(state_size(self.d, self.classes))


@register("tabular.logistic_start")
@attrs.frozen
class LogisticStart(_Sized):
    """The linear discriminant of the classes' released moments.

    Parameters
    ----------
    d, classes : int
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("moments", PARAM, variadic=True),)

    def output(self, *inputs: Domain) -> Domain:
        """A state, of four moments a class."""
        if len(inputs) != len(MOMENTS) * self.classes:
            raise dp.PlanError(
                f"{self.name} takes {', '.join(MOMENTS)} of each class", fix="give it four values a class"
            )
        return super().output(*inputs)

    def expects_answer(self, rows: int, noise: Above) -> bool:
        """Whether the noise of each class's covariance is small beside it."""
        wide = max([ball.radius for ball in noise.balls if ball is not None], default=math.inf)
        std = max(noise.of("weighted_grams"), default=0.0) * (1.0 + ANCHORS[2] ** 2) * math.sqrt(self.d)
        return wide**2 * std <= CLEAR * rows / self.classes

    def apply(self, *values: Any) -> Any:
        """Whiten by the pooled covariance; logits follow from means and shares."""
        d = self.d
        counts = np.maximum([float(np.asarray(v)[0]) for v in values[0::4]], 1.0)
        means = np.array([np.asarray(v, dtype=np.float64)[:d] for v in values[1::4]])
        spreads, stds = (np.array([np.asarray(v, dtype=np.float64)[:d, :d] for v in values[i::4]]) for i in (2, 3))
        widths, known = (np.diagonal(each, axis1=1, axis2=2) for each in (spreads, stds))
        if np.allclose(widths, known, rtol=1e-9, atol=0.0):
            return few_rows()  # each class has the frame's own centre and width (`TableMoment.lenient`)
        shares = counts / counts.sum()
        pooled = np.tensordot(shares, spreads, 1)
        if not (pooled.any() and all((np.diagonal(one) > 0.0).all() for one in stds)):
            return Failed("the released moments show no spread", "use more rows or a larger budget")
        largest = float(stds.max())  # in its units squares are within float64
        noise = largest * np.sqrt(np.tensordot(shares**2, (stds / largest) ** 2, 1))
        shift, matrix = shares @ means, whitening(pooled, noise)
        seen = (means - shift) @ matrix
        theta = np.column_stack([np.log(shares) - 0.5 * (seen**2).sum(axis=1), seen])
        return State(shift, matrix, seen, shares, theta - theta.mean(axis=0), float(counts.sum())).flat()


@register("tabular.logistic_step")
@attrs.frozen
class LogisticStep(_Sized):
    """A Newton step on a noisy gradient, as short as its noise advises.

    Parameters
    ----------
    d, classes : int
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("state", PARAM), Slot("gradient", PARAM))

    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """Solve with the released Gaussians' Hessian and a ridge of the size of the noise."""
        now = State.read(values[0], self.d, self.classes)
        inverse = inverse_of(now, noise[1])
        step = (inverse @ np.asarray(values[1], dtype=np.float64)).reshape(now.theta.shape)
        length = float(np.abs(step).max())
        theta = now.theta - step * min(1.0, 4.0 / max(length, 1e-300))
        return attrs.evolve(now, theta=theta - theta.mean(axis=0)).flat()


def inverse_of(now: State, noise: float) -> Floats:
    """Inverse of the Hessian of all rows, with a ridge."""
    hessian = now.rows * now.hessian()
    return np.asarray(np.linalg.inv(hessian + np.eye(len(hessian)) * max(noise, 1e-6 * now.rows)))


def together(stds: Sequence[float]) -> float:
    """Noise of what gradients of this noise say together, each weighted by its precision."""
    return 1.0 / math.sqrt(sum(1.0 / max(one, 1e-100) ** 2 for one in stds))


@register("tabular.logistic_read")
@attrs.frozen
class LogisticRead(_Sized):
    """Coefficients in the units of the table, or their standard errors.

    Parameters
    ----------
    d, classes : int
    what : {"coefficients", "noise", "sampling"}
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("steps", PARAM, variadic=True),)
    what: str = attrs.field(kw_only=True, validator=attrs.validators.in_(READINGS))

    def output(self, *inputs: Domain) -> Domain:
        """Numbers (classes, d + 1)."""
        return Array((self.classes, self.d + 1))

    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """Average the steps' results by the precision of their gradients, and undo the whitening."""
        states = [State.read(value, self.d, self.classes) for value in values[0::2]]
        precisions = np.array([1.0 / max(std, 1e-100) ** 2 for std in noise[1::2]])
        now, std = states[-1], math.sqrt(1.0 / float(precisions.sum()))
        undo = np.zeros((self.d + 1, self.d + 1))  # θ of (1, u) to coefficients of (1, x)
        undo[0, 0], undo[1:, 1:], undo[1:, 0] = 1.0, now.map.T, -(now.shift @ now.map)
        if self.what == "coefficients":
            parts = precisions / precisions.sum()
            return sum(part * state.theta for part, state in zip(parts, states, strict=True)) @ undo
        return self._errors(now, std, undo, self.what)

    def quality(self, values: tuple[Any, ...], noise: tuple[float, ...], result: Any) -> Quality | None:
        """Poor by noise; never good: that logits are linear is not looked at."""
        if self.what != "coefficients":
            return None
        now, k = State.read(values[-2], self.d, self.classes), self.classes
        std = together(noise[1::2])
        centre, z = np.kron(np.eye(k) - 1.0 / k, np.eye(self.d + 1)), now.draws()
        inverse = centre @ inverse_of(now, std) * std
        each = (inverse @ inverse.T).reshape(k, self.d + 1, k, self.d + 1)
        off = math.sqrt(max(float(np.einsum("iaib,ab->", each, z.T @ z / len(z))) / k, 0.0))
        logits = z @ now.theta.T
        part = off / max(float(np.sqrt(((logits - logits.mean(axis=0)) ** 2).mean())), 1e-300)
        why = f"noise moves a logit by {part:.2g} of their spread (root mean square)"
        if not part <= POOR:
            return Quality("poor", f"{why}, poor above {POOR:.2g}: more rows or a larger budget make it better")
        return Quality("unchecked", f"{why}; what clipping far rows took off is not looked at")

    def _errors(self, now: State, std: float, undo: Floats, what: str) -> Floats:
        inverse = inverse_of(now, std)
        inner = inverse @ inverse * std**2 if what == "noise" else inverse @ (now.rows * now.hessian(2)) @ inverse
        k = self.classes
        centre = np.kron(np.eye(k) - 1.0 / k, undo.T)
        return np.asarray(np.sqrt(np.maximum(np.diagonal(centre @ inner @ centre.T), 0.0)).reshape(k, -1))

    def predicted_error(self, result: Domain, rows: int, noise: Above) -> Expected | None:
        """The standard errors of a run, at the truth of the reference instance."""
        if self.what != "coefficients" or not rows:
            return None
        k, d = self.classes, self.d
        means = np.zeros((k, d))
        means[:, 0] = APART * (np.arange(k) - 0.5 * (k - 1))
        theta = np.column_stack([-0.5 * (means**2).sum(axis=1), means])
        now = State(np.zeros(d), np.eye(d), means, np.full(k, 1.0 / k), theta - theta.mean(axis=0), float(rows))
        std = together(noise.stds[1::2])
        both = [self._errors(now, std, np.eye(d + 1), what) for what in ("noise", "sampling")]
        error = math.sqrt(float(sum((found**2).sum() for found in both)))
        what = "distance of all coefficients, per standard deviation of a feature within its class (root mean square)"
        return Expected(error, what, INSTANCE, most=MOST)
