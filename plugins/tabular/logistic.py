"""Multinomial logistic regression: a linear discriminant of released moments, then Newton steps on noisy gradients.

Rows are whitened by the classes' released common covariance. A step's Hessian is that of the released Gaussians, a
function of released values, so that only gradients are paid for: sums of per-row gradients that the kernel clips. A far
row is weighted down by its features alone, whatever its label: that keeps its gradient within the clip and, unlike the
clip, moves the coefficients nowhere (E[p − e | x] = 0 at the true ones). All gradients are averaged (`.newton`).
"""

from __future__ import annotations

import math
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
from .newton import State, Trail, softmax, state_size, together, weights_of, with_ridge

STEPS, FIRST = (0.06, 0.08, 0.12, 0.18, 0.24, 0.32), 0.3
"""Parts of what is left for the Newton steps, and the part of the share of the classes' moments."""
Floats = NDArray[np.float64]


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


def widths_of(covariance: Floats, stds: Floats, pooled: Floats, matrix: Floats) -> Floats:
    """Root of a class's covariance in whitened units, drawn to I by as much of what tells it from I as may be noise.

    Where the map holds a direction that noise hides at the noise's size, so are rows in this one.
    """
    d = len(matrix)
    excess = matrix.T @ (covariance - pooled) @ matrix
    noise = float(np.linalg.norm(matrix.T @ np.diag(np.diagonal(stds)) @ matrix, 2)) ** 2 * d * (d + 1) / 2.0
    kept = max(1.0 - noise / max(float((excess**2).sum()), 1e-300), 0.0)
    found, vectors = np.linalg.eigh(np.eye(d) + kept * excess)
    return np.asarray((vectors * np.sqrt(np.maximum(found, 0.0))) @ vectors.T)


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
    The classes' moments as in ``tabular.classes``; then six Gaussian releases of sums of per-row gradients, clipped
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
    for j, part in enumerate(by_class(frame, classes)):
        how = {"share": FIRST * frame.share, "drop": 1, "lenient": True}
        seen = moments_of(part, frame, name=f"class_{j}", **how)  # type: ignore[arg-type]
        told += [seen[what] for what in MOMENTS]
    state = dp.post("tabular.logistic_start", *told, d=d, classes=classes, name="start")
    known = []
    for t, weight in enumerate(STEPS):
        total = dp.own("tabular.gradient", x, state, d=d, classes=classes)
        slope = dp.release(f"step_{t}", dp.gaussian(share=(1.0 - FIRST) * weight * frame.share), total)
        known += [state, slope]
        if t < len(STEPS) - 1:
            state = dp.post("tabular.logistic_step", *known, d=d, classes=classes, name=f"state_{t}")
    return {
        what: dp.post("tabular.logistic_read", *known, d=d, classes=classes, what=what, name=what) for what in READINGS
    }


@attrs.frozen
class _Sized(Post):
    """A post of d features and a number of classes."""

    d: int = attrs.field(kw_only=True, validator=positive_whole)
    classes: int = attrs.field(kw_only=True, validator=positive_whole)

    def output(self, *inputs: Domain) -> Domain:
        """A state."""
        return Vector(state_size(self.d, self.classes))

    def trail(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Trail:
        """States and gradients in turn, as the steps took them."""
        states = [State.read(value, self.d, self.classes) for value in values[0::2]]
        return Trail.of(states, values[1::2], noise[1::2])


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
            none = f"rows without a class, a code from 0 to {self.classes - 1} in the last column, count for nothing"
            found = few_rows()  # each class has the frame's own centre and width (`TableMoment.lenient`)
            return Failed(found.reason, f"{found.advice}; {none}")
        shares = counts / counts.sum()
        pooled = np.tensordot(shares, spreads, 1)
        if not (pooled.any() and all((np.diagonal(one) > 0.0).all() for one in stds)):
            return Failed("the released moments show no spread", "use more rows or a larger budget")
        largest = float(stds.max())  # in its units squares are within float64
        noise = largest * np.sqrt(np.tensordot(shares**2, (stds / largest) ** 2, 1))
        shift, matrix = shares @ means, whitening(pooled, noise)
        seen = (means - shift) @ matrix
        theta = np.column_stack([np.log(shares) - 0.5 * (seen**2).sum(axis=1), seen])
        widths = np.array([widths_of(one, level, pooled, matrix) for one, level in zip(spreads, stds, strict=True)])
        shown = np.einsum("de,df,fe->e", matrix, pooled, matrix)
        shown = np.where(shown < 0.999, shown, 1.0)
        theta -= theta.mean(axis=0)
        return State(shift, matrix, shown, seen, widths, shares, theta, float(counts.sum())).flat()


@register("tabular.logistic_step")
@attrs.frozen
class LogisticStep(_Sized):
    """A Newton step on a noisy gradient, as short as its noise advises.

    Parameters
    ----------
    d, classes : int
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("steps", PARAM, variadic=True),)

    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """From the best of the points so far, by the curvature that all gradients show."""
        trail = self.trail(values, noise)
        theta = trail.end()
        return attrs.evolve(trail.now, theta=theta - theta.mean(axis=0)).flat()


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
        """What all gradients say together, with the whitening undone."""
        trail = self.trail(values, noise)
        now = trail.now
        undo = np.zeros((self.d + 1, self.d + 1))  # θ of (1, u) to coefficients of (1, x)
        undo[0, 0], undo[1:, 1:], undo[1:, 0] = 1.0, now.map.T, -(now.shift @ now.map)
        if self.what == "coefficients":
            end = trail.end()
            return (end - end.mean(axis=0)) @ undo
        found = self._errors(now, trail.inverse, trail.noise(), undo, self.what)
        if self.what == "sampling":
            return found
        hidden = now.hidden().reshape(found.shape) @ undo**2
        return np.sqrt(found**2 + (trail.left() @ undo) ** 2 + trail.scatter(undo, found) + hidden)

    def quality(self, values: tuple[Any, ...], noise: tuple[float, ...], result: Any) -> Quality | None:
        """Poor by noise; never good: that logits are linear is not looked at."""
        if self.what != "coefficients":
            return None
        trail, k = self.trail(values, noise), self.classes
        now = trail.now
        centre, z = np.kron(np.eye(k) - 1.0 / k, np.eye(self.d + 1)), now.draws()
        inverse = centre @ trail.inverse * trail.noise()
        each = (inverse @ inverse.T).reshape(k, self.d + 1, k, self.d + 1)
        off = math.sqrt(max(float(np.einsum("iaib,ab->", each, z.T @ z / len(z))) / k, 0.0))
        spread = max(now.spread(), 1e-300)
        part, left = off / spread, now.spread(trail.left()) / spread
        why = f"noise moves a logit by {part:.2g} of their spread (root mean square), missing steps by up to {left:.2g}"
        if not part <= POOR:
            return Quality("poor", f"{why}, poor above {POOR:.2g}: more rows or a larger budget make it better")
        if not left <= POOR:
            last, level = trail.last()
            seen = f"the last gradient is {last:.3g} a row, where noise explains {level:.2g}"
            return Quality("poor", f"{why}, poor above {POOR:.2g}: {seen}. Columns less skewed or clustered may help")
        if hidden := int((now.shown < 1.0).sum()):
            why += f"; directions of the features that noise hides, along which errors may be large: {hidden}"
        return Quality("unchecked", f"{why}; what clipping far rows took off is not looked at")

    def _errors(self, now: State, inverse: Floats, std: float, undo: Floats, what: str) -> Floats:
        inner = inverse @ inverse * std**2 if what == "noise" else inverse @ (now.rows * now.hessian(2)) @ inverse
        k = self.classes
        centre = np.kron(np.eye(k) - 1.0 / k, undo.T)
        return np.asarray(np.sqrt(np.maximum(np.diagonal(centre @ inner @ centre.T), 0.0)).reshape(k, -1))

    def predicted_error(self, result: Domain, rows: int, noise: Above) -> Expected | None:
        """The standard errors of a run, at the truth of the reference instance."""
        if not rows:
            return None
        k, d = self.classes, self.d
        means = np.zeros((k, d))
        means[:, 0] = APART * (np.arange(k) - 0.5 * (k - 1))
        theta = np.column_stack([-0.5 * (means**2).sum(axis=1), means])
        theta -= theta.mean(axis=0)
        now = State(
            np.zeros(d),
            np.eye(d),
            np.ones(d),
            means,
            np.array([np.eye(d)] * k),
            np.full(k, 1.0 / k),
            theta,
            float(rows),
        )
        std = together(noise.stds[1::2])
        inverse = with_ridge(now.rows * now.hessian(), std, now.rows)
        kinds = READINGS[1:] if self.what == "coefficients" else (self.what,)
        both = [self._errors(now, inverse, std, np.eye(d + 1), what) for what in kinds]
        error = math.sqrt(float(sum((found**2).sum() for found in both)))
        alone = f" by {self.what} alone" if self.what != "coefficients" else ""  # what is released is this part's size
        what = f"distance of all coefficients{alone}, per standard deviation of a feature within its class"
        most = math.inf if alone else MOST
        return Expected(error, f"{what} (root mean square)", INSTANCE, most=most)
