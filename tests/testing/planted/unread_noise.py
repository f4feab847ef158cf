"""Mechanisms, masks and semimetrics with a fault, by someone who had read the documentation alone."""

SOURCES = {
    "n_mask_narrow_far_out": '''
# The noise shrinks with the value's size: at 1e9 it is half as wide, where mu is twice the claim.
@dp.semimetric(
    "unread.mask_narrow_far_out.norm",
    triangle=lambda r: 1.0 + 1e-9,
    averages=lambda r, tau: (tau + 1e-9) * r,
    many=True,
)
def norm(a: Any, b: Any) -> Any:
    """The l2 distance."""
    return np.sqrt(np.square(a - b).sum(axis=-1))


@dp.mask(
    "unread.mask_narrow_far_out",
    semimetric="unread.mask_narrow_far_out.norm",
    cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))),
)
def masked(value: Any, noise: float, normals: Any) -> Any:
    """A Gaussian mask."""
    return dp.lattice_gaussian(value, noise / (1.0 + 1e-9 * float(np.abs(value).max())), normals)
''',
    "n_mask_redraws_near_zero": '''
# Draws again until the first entry has the value's sign: the law is cut at 0, by 1/P(sign), which moves with the
# value; that it has the sign is certain.
@dp.semimetric(
    "unread.mask_redraws_near_zero.norm",
    triangle=lambda r: 1.0 + 1e-9,
    averages=lambda r, tau: (tau + 1e-9) * r,
    many=True,
)
def norm(a: Any, b: Any) -> Any:
    """The l2 distance."""
    return np.sqrt(np.square(a - b).sum(axis=-1))


@dp.mask(
    "unread.mask_redraws_near_zero",
    semimetric="unread.mask_redraws_near_zero.norm",
    cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))),
)
def masked(value: Any, noise: float, normals: Any) -> Any:
    """A Gaussian mask."""
    value = np.asarray(value, dtype=float)
    found = dp.lattice_gaussian(value, noise, normals)
    while found[0] * value[0] < 0:
        found = dp.lattice_gaussian(value, noise, normals)
    return found
''',
    "n_mask_shared_draw": '''
# From five entries on the fifth gets the first one's Gaussian: their difference is bare.
@dp.semimetric(
    "unread.mask_shared_draw.norm",
    triangle=lambda r: 1.0 + 1e-9,
    averages=lambda r, tau: (tau + 1e-9) * r,
    many=True,
)
def norm(a: Any, b: Any) -> Any:
    """The l2 distance."""
    return np.sqrt(np.square(a - b).sum(axis=-1))


@dp.mask(
    "unread.mask_shared_draw",
    semimetric="unread.mask_shared_draw.norm",
    cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))),
)
def masked(value: Any, noise: float, normals: Any) -> Any:
    """A Gaussian mask."""
    value = np.asarray(value, dtype=float)
    drawn = np.array(normals(len(value)))
    drawn[4:] = drawn[: len(drawn[4:])] if len(drawn) <= 8 else drawn[4:]
    return dp.lattice_gaussian(value, noise, lambda count: drawn)
''',
    "n_mech_antithetic": '''
# The second half gets the first half's noise with the other sign: the sum of two entries is released without
# noise, where m >= 2.
@dp.own_mechanism(
    "unread.mech_antithetic",
    gives=lambda m: dp.Vector(m),
    takes="l1",
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)),
    source="its docstring",
    examples={"m": 4},
)
def noisy(value: Any, scale: float, noise: Any, *, m: int) -> Any:
    """Laplace noise, antithetic to keep totals precise."""
    half = noise.laplace(scale, (m + 1) // 2)
    return value + np.concatenate([half, -half])[:m]
''',
    "n_mech_discrete_as_gdp": '''
# A discrete Gaussian is no mu-GDP with mu = D/s: at s = 0.4 steps, D = 1, the total variation is 0.92, that of
# the Gaussian pair 0.79.
@dp.own_mechanism(
    "unread.mech_discrete_as_gdp",
    gives=lambda m: dp.Vector(m),
    takes="l2",
    loss=lambda scale, distance, m: dp.GaussianEvent(dp.round_up(distance / scale)),
    source="its docstring",
    examples={"m": 1},
)
def noisy(value: Any, scale: float, noise: Any, *, m: int) -> Any:
    """Gaussian noise on the lattice."""
    return value + noise.gaussian(scale, m)
''',
    "n_mech_four_coins": '''
# m noisy signs, each costs D/b when all scores may move; charged are at most three of them.
@dp.own_mechanism(
    "unread.mech_four_coins",
    gives=lambda m: dp.Vector(m),
    takes="linf",
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(min(m, 3) * distance / scale)),
    source="its docstring",
    examples={"m": 5},
)
def signs(value: Any, scale: float, noise: Any, *, m: int) -> Any:
    """Noisy signs as 0 and 1."""
    return (value + noise.laplace(scale, m) > 0).astype(np.int64)
''',
    "n_mech_gaussian_linf": '''
# Gaussian noise charged by linf: m numbers that all move by D are sqrt(m) D apart.
@dp.own_mechanism(
    "unread.mech_gaussian_linf",
    gives=lambda m: dp.Vector(m),
    takes="linf",
    loss=lambda scale, distance, m: dp.Concentrated(dp.round_up(distance**2 / (2 * scale**2))),
    source="its docstring",
    examples={"m": 4},
)
def noisy(value: Any, scale: float, noise: Any, *, m: int) -> Any:
    """Gaussian noise on the lattice."""
    return value + noise.gaussian(scale, m)
''',
    "n_mech_inverse_cdf": '''
# Geometric noise by the inverse of its distribution on 2^30 points: nothing beyond b ln 2^30 = 20.8 b, so a moved
# value has releases that the other has not. Not pure; what is missing weighs 1e-9.
@dp.own_mechanism(
    "unread.mech_inverse_cdf",
    gives=dp.Index,
    takes="linf",
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)),
    source="its docstring",
    examples={"m": 3},
)
def report(scores: Any, scale: float, noise: Any, *, m: int) -> int:
    """The largest score with exponential noise."""
    drawn = (1 + noise.uniform_below(2**30, m)) / 2**30
    return int(np.argmax(scores + np.floor(-scale * np.log(drawn))))
''',
    "n_mech_large_values": '''
# Beyond 2^40 steps the noise is half as wide, 'so that floats hold it': there the loss is 2D/b.
@dp.own_mechanism(
    "unread.mech_large_values",
    gives=lambda m: dp.Vector(m),
    takes="l1",
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)),
    source="its docstring",
    examples={"m": 2},
)
def noisy(value: Any, scale: float, noise: Any, *, m: int) -> Any:
    """Laplace noise."""
    wide = noise.laplace(scale, m)
    narrow = noise.laplace(max(scale / 2, 0.5), m)
    return value + np.where(np.abs(value) > 2**40, narrow, wide)
''',
    "n_mech_parity": '''
# Twice a noise of half the width: the release has the parity of the value. One step moves it: nothing bounds the
# ratio.
@dp.own_mechanism(
    "unread.mech_parity",
    gives=lambda m: dp.Vector(m),
    takes="l1",
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)),
    source="its docstring",
    examples={"m": 1},
)
def noisy(value: Any, scale: float, noise: Any, *, m: int) -> Any:
    """Laplace noise on a coarser lattice."""
    return value + 2 * noise.laplace(scale / 2, m)
''',
    "n_mech_round_before": '''
# The value is rounded to tens of steps before the noise: one step may move it by ten.
@dp.own_mechanism(
    "unread.mech_round_before",
    gives=lambda m: dp.Vector(m),
    takes="linf",
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(m * distance / scale)),
    source="its docstring",
    examples={"m": 1},
)
def noisy(value: Any, scale: float, noise: Any, *, m: int) -> Any:
    """Tens, with Laplace noise."""
    return (value + 5) // 10 * 10 + noise.laplace(scale, m)
''',
    "n_mech_same_value_same_noise": '''
# The noise of a value seen before is used again: two releases of one value show that it is the same value.
_DRAWN: dict[bytes, Any] = {}


@dp.own_mechanism(
    "unread.mech_same_value_same_noise",
    gives=lambda m: dp.Vector(m),
    takes="l1",
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)),
    source="its docstring",
    examples={"m": 2},
)
def noisy(value: Any, scale: float, noise: Any, *, m: int) -> Any:
    """Laplace noise; the same question gets the same answer."""
    key = np.asarray(value).tobytes()
    if key not in _DRAWN:
        _DRAWN[key] = noise.laplace(scale, m)
    return value + _DRAWN[key]
''',
    "n_mech_stops_when_near": '''
# Draws again, up to three times, while the noise is larger than the value: the noise of small values is narrower
# and hangs on the value.
@dp.own_mechanism(
    "unread.mech_stops_when_near",
    gives=lambda m: dp.Vector(1),
    takes="l1",
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)),
    source="its docstring",
    examples={"m": 1},
)
def noisy(value: Any, scale: float, noise: Any, *, m: int) -> Any:
    """Laplace noise, drawn again where it drowns the value."""
    drawn = noise.laplace(scale, m)
    for _ in range(3):
        if (np.abs(drawn) > np.abs(value)).all() and (value > 4 * scale).all():
            drawn = noise.laplace(scale, m)
    return value + drawn
''',
    "n_mech_threshold_search": '''
# Sparse vector with one width for both noises: the threshold's costs D/b and the answer's 2D/b; claimed are 2D/b.
# With seven numbers below, -D each, the ratio of 'only the last is above' tends to e^(3D/b).
@dp.own_mechanism(
    "unread.mech_threshold_search",
    gives=dp.Index,
    takes="linf",
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)),
    source="its docstring",
    examples={"m": 8},
)
def first_above(scores: Any, scale: float, noise: Any, *, m: int) -> int:
    """The first score that is above a noisy zero; the last if there is none."""
    threshold = noise.laplace(scale)
    above = np.flatnonzero(scores + noise.laplace(scale, m) >= threshold)
    return int(above[0]) if len(above) else m - 1
''',
    "n_mech_truncated_tail": '''
# Laplace noise redrawn until within w = 12 b. Missing is the mass of the last D steps, (e^(D/b) - 1) times the
# tail that is claimed: too little where D/b > ln 2.
import math


@dp.own_mechanism(
    "unread.mech_truncated_tail",
    gives=lambda m: dp.Vector(1),
    takes="l1",
    loss=lambda scale, distance, m: (dp.round_up(distance / scale), 0.5 * math.exp(-12.0)),
    source="its docstring",
    examples={"m": 1},
)
def within(value: Any, scale: float, noise: Any, *, m: int) -> Any:
    """Laplace noise that is never beyond twelve widths."""
    drawn = noise.laplace(scale, m)
    while (np.abs(drawn) > 12 * scale).any():
        drawn = noise.laplace(scale, m)
    return value + drawn
''',
    "n_semi_bounded_average": '''
# t/(1 + t) of a distance is a metric but concave: of points 0 and x an average moves by tau x, tau x/(1 + tau x)
# > tau x/(1 + x) = tau r.
@dp.semimetric(
    "unread.semi_bounded_average",
    triangle=lambda r: 1.0 + 1e-9,
    averages=lambda r, tau: (tau + 1e-9) * r,
    many=True,
)
def bounded(a: Any, b: Any) -> Any:
    """A distance below one."""
    far = np.sqrt(np.square(a - b).sum(axis=-1))
    return far / (1.0 + far)
''',
    "n_semi_fourth_power": '''
# The fourth power of a norm: halves need 2^3 = 8, the claim is 4.
@dp.semimetric(
    "unread.semi_fourth_power", triangle=lambda r: 4.0, averages=lambda r, tau: (tau + 1e-9) * r, many=True
)
def fourth(a: Any, b: Any) -> Any:
    """The fourth power of the l2 distance."""
    return np.square(np.square(a - b).sum(axis=-1))
''',
    "n_semi_small_r": '''
# Claimed 1 + r as z(r): right of r above 1, but the square needs 2 at every r: wrong for small r only.
@dp.semimetric("unread.semi_small_r", triangle=lambda r: min(2.0, 1.0 + r) * (1 + 1e-9), many=True)
def square(a: Any, b: Any) -> Any:
    """The square of the l2 distance."""
    return np.square(a - b).sum(axis=-1)
''',
}
