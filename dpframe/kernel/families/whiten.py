"""``whiten``: rows as seen by the components of a released mixture."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from typing import Any

import attrs
import numpy as np

from dpframe.kernel.exact import lattice
from dpframe.kernel.exact.folds.base import block_rows, spans
from dpframe.kernel.operations import Batch, Transform
from dpframe.kernel.registry import register
from dpframe.proof.spaces import WhiteningValue, lattice_bits

BITS = 18


@register("whiten")
@attrs.frozen
class Whiten(Transform):
    """Component j sees ``a_j = (s, P_c(z_j)) / √(s² + c²)``, ``z_j = (x − shift_j) @ matrix_j``, with weight γ_j.

    γ_j ∝ exp(log_weights_j − |z_j|²/2) are soft responsibilities; they sum to at most 1, in integers, so the
    joint contribution over components keeps the norm of one: soft costs no more than hard.

    Parameters
    ----------
    bits : int
        Lattice of the unit ball and of the weights.

    Formal guarantees
    -----------------
    Stability: edits are kept (``row_map``). ``Σ_j γ_j <= 1`` and ``|a_j| <= 1`` hold in integers for every row,
    whatever the released maps are; how precise z is, is decided by these alone.

    References
    ----------
    docs/theory/corrections.md#weighted.

    Examples
    --------
    >>> from dpframe.proof.spaces import AffineValue
    >>> maps = tuple(AffineValue(np.array([at]), np.eye(1), 10.0) for at in (-3.0, 3.0))
    >>> seen = WhiteningValue(maps, log_weights=np.log([0.5, 0.5]), clip=4.0, anchor=3.0)
    >>> batch = Whiten(bits=10).apply(Batch(0, np.array([[2.0], [0.0]]), np.ones(2, dtype=bool)), seen)
    >>> (batch.weights / 2**10).round(3).tolist()  # the first row is the second component's, the other lies between
    [[0.0, 0.999], [0.5, 0.5]]
    """

    bits: int = attrs.field(default=BITS, kw_only=True, validator=lattice_bits)

    def apply(self, batch: Batch, *params: Any) -> Batch:
        """Whiten, weigh and clip one batch; what a component sees of a column lies in a row, for long inner loops."""
        value: WhiteningValue = params[0]
        m, d = batch.values.shape
        size = float(np.hypot(value.anchor, value.clip))
        anchor = np.trunc(2.0**self.bits * (value.anchor / size) * (1 - 2.0**-40))
        room = np.floor(np.sqrt(4.0**self.bits - anchor * anchor)) * (1 - 2.0**-30)
        seen = np.empty((len(value.maps), d + 1, m))
        seen[:, 0] = np.where(batch.valid, anchor, 0.0)
        own = sight(batch, value, self.bits)
        for at, z, norms in own.blocks:
            factor = room / np.fmax(np.sqrt(norms), max(value.clip, _NEAREST))
            np.trunc(np.multiply(z, factor[:, None], out=None if batch.shared else z), out=seen[:, 1:, at])
        return attrs.evolve(batch, values=seen.transpose(0, 2, 1), weights=own.weights(self.bits), bits=self.bits)


@attrs.frozen(eq=False)
class Sight:
    """What k components see of a batch: the blocks of `whitened`, and log responsibilities (k, m).

    Where nothing else looks at the batch blocks are kept no longer than they are looked at, and ``logs`` filled by it.
    """

    valid: Any
    blocks: Iterable[tuple[slice, Any, Any]]
    logs: Any
    _weights: dict[int, Any] = attrs.field(factory=dict, init=False)

    def weights(self, bits: int) -> Any:
        """The responsibilities (m, k) on a lattice."""
        if bits not in self._weights:
            self._weights[bits] = lattice.responsibilities(self.logs.T, self.valid, bits)
        return self._weights[bits]


def sight(batch: Batch, value: WhiteningValue, bits: int) -> Sight:
    """What the components see, made once a batch for all that look through the same maps, as finely as bits ask for."""
    error = float(np.hypot(value.anchor, value.clip)) * 2.0 ** (_STEPS - bits)
    key, _ = _image(value, batch.values.shape[1], error)
    own: Sight | None = batch.seen.get(key)
    if own is None:
        logs = np.empty((len(value.maps), len(batch.valid)))
        blocks = _weighed(whitened(batch, value, error=error), value.log_weights, logs)
        own = Sight(batch.valid, [*blocks] if batch.shared else blocks, logs)
        if batch.shared:
            batch.seen[key] = own
    return own


def _weighed(blocks: Iterator[tuple[slice, Any, Any]], log_weights: Any, logs: Any) -> Iterator[tuple[slice, Any, Any]]:
    """The same blocks; puts down log responsibilities as they come by, made of norms when the last one has."""
    for at, z, norms in blocks:
        logs[:, at] = norms
        yield at, z, norms
    np.subtract(log_weights[:, None], np.multiply(logs, 0.5, out=logs), out=logs)


@lru_cache(maxsize=32)
def _image(value: WhiteningValue, d: int, error: float) -> tuple[Any, Callable[[Any, Any], Any]]:
    """What tells maps and log weights from others, and how finite rows and their flags become z (k·d, rows).

    By one product about a common shift, then one offset each; element by element where all are multiples of I.
    """
    factors = [_factor(item.matrix) for item in value.maps]
    limbs, make = (0, _scaled(value, factors)) if all(f is not None for f in factors) else _mapped(value, d, error)
    numbers = [(item.shift.tobytes(), item.matrix.tobytes(), float(item.scale).hex()) for item in value.maps]
    return (limbs, value.log_weights.tobytes(), *numbers), make


def whitened(batch: Batch, value: WhiteningValue, *, error: float = 0.0) -> Iterator[tuple[slice, Any, Any]]:
    """By block of rows: where it stands, ``z_j = (x − shift_j) @ matrix_j`` as (k, d, rows), and all |z_j|² (k, rows).

    The product has one limb instead of two, of the rows or of both factors, where public numbers say that this moves no
    number of z by more than ``error``.
    """
    k, d = len(value.maps), batch.values.shape[1]
    _, make = _image(value, d, error)
    full = bool(batch.valid.all())
    for at in spans(len(batch.valid), block_rows(k * d)):
        with np.errstate(all="ignore"):
            z = make(batch.values[at], batch.valid[at]).reshape(k, d, -1)
            if not full:
                z[..., ~batch.valid[at]] = 0.0
            norms = _norms(z)
            if not norms.max(initial=0.0) <= _FARTHEST**2 / 2:  # else no number is that far
                np.clip(np.nan_to_num(z, copy=False, nan=0.0), -_FARTHEST, _FARTHEST, out=z)
                norms = _norms(z)
        yield at, z, norms


def _norms(z: Any) -> Any:
    """Squared norms of each component's rows, summed in the order of `lattice.squared_norms`."""
    return lattice.column_norms(np.square(z).transpose(1, 0, 2))


def _factor(matrix: Any) -> float | None:
    """The factor of a multiple of I; None for other matrices."""
    factor, d = float(matrix[0, 0]), len(matrix)
    if not factor or (d > 1 and matrix[0, 1]) or np.count_nonzero(matrix) != d:
        return None
    return factor if bool((np.diagonal(matrix) == factor).all()) else None


def _scaled(value: WhiteningValue, factors: Any) -> Callable[[Any, Any], Any]:
    """``(x − shift_j)·factor_j``: two roundings an element, the same wherever a row stands."""
    shifts = np.stack([item.shift for item in value.maps])[:, :, None]
    scale = np.array(factors)[:, None, None]

    def make(rows: Any, alive: Any) -> Any:
        z = np.ascontiguousarray(rows.T) - shifts
        return np.multiply(z, scale, out=z)

    return make


def _mapped(value: WhiteningValue, d: int, error: float) -> tuple[float, Callable[[Any, Any], Any]]:
    """How many limbs the product has, 1.5 where the matrix alone has two, and the product with its offset."""
    shift = np.mean([item.shift for item in value.maps], axis=0)
    if not np.isfinite(shift).all():  # any common point will do, but it must be one
        shift = value.maps[0].shift
    matrix = np.hstack([item.matrix for item in value.maps])
    scale = max(item.scale for item in value.maps)
    offset = 0.0 + np.concatenate([(shift - item.shift) @ item.matrix for item in value.maps])[:, None]
    for limbs in (1, 1.5):
        image = lattice.AffineColumns(shift, matrix, d=d, scale=scale, limbs=1, uneven=limbs > 1)
        if image.coarse <= error:
            return limbs, partial(image.of, offset=offset)
    return 2, partial(lattice.AffineColumns(shift, matrix, d=d, scale=scale).of, offset=offset)


_FARTHEST, _NEAREST = 1e100, 2.0**-960
_STEPS = 3
"""The product may err by 2^3 lattice steps at worst; truncation, which follows, takes up to one of each number."""
