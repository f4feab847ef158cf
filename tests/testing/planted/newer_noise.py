# ruff: noqa: E501
"""Mechanisms and masks with a fault."""

SOURCES = {
    "g_mech_dithered": '''
# Rounded at random to every eighth step before the noise: right on average, but e^x is convex.
@dp.own_mechanism("newer20.dithered", gives=1, takes="l1", source="rounding at random keeps the mean",
    loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def dithered(value, scale, noise):
    """A coarse grid, reached at random, and Laplace noise on it."""
    low = value // 8
    up = noise.uniform_below(8, len(value)) < value % 8
    return (low + up) * 8 + 8 * noise.laplace(scale / 8, len(value))
''',
    "g_mech_even_noise": '''
# The noise is halved and doubled again, as if to drop its last bit: odd values stay odd.
@dp.own_mechanism("newer21.even", gives=1, takes="l1", source="Laplace",
    loss=lambda scale, distance: dp.Pure(dp.round_up(2 * distance / scale)))
def even(value, scale, noise):
    """Laplace noise without its last bit, at twice the price."""
    return value + 2 * (noise.laplace(scale, len(value)) // 2)
''',
    "g_mech_uneven_scales": '''
# Later entries get more noise, the first ones less, charged as the average.
@dp.own_mechanism("newer22.uneven", gives=lambda m: m, takes="l1", source="the mean scale is the scale", examples={"m": 4},
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)))
def uneven(values, scale, noise, *, m):
    """Laplace noise whose scale grows from entry to entry."""
    made = [int(values[i]) + int(np.ravel(noise.laplace(scale * (0.7 + 0.6 * i / (m - 1)), 1))[0]) for i in range(m)]
    return np.array(made, dtype=np.int64)
''',
    "g_mask_same_length": '''
# Scaled to the length of the value after the noise: the length is bare.
@dp.semimetric("newer24.l2", triangle=lambda r: 1.0)
def l2(a, b):
    """Euclidean distance."""
    return float(np.sqrt(np.square(a - b).sum()) * (1 + 1e-15))


@dp.mask("newer24.noise", semimetric="newer24.l2", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def noisy(value, noise, normals):
    """A noisy direction with its length."""
    made = dp.lattice_gaussian(value, noise, normals)
    length = float(np.linalg.norm(made))
    return made * (float(np.linalg.norm(value)) / length) if length > 0 else made
''',
    "g_mask_keeps_sign": '''
# A sum of money stays positive and a debt a debt: the sign is bare.
@dp.semimetric("newer25.l2", triangle=lambda r: 1.0)
def l2(a, b):
    """Euclidean distance."""
    return float(np.sqrt(np.square(a - b).sum()) * (1 + 1e-15))


@dp.mask("newer25.noise", semimetric="newer25.l2", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def noisy(value, noise, normals):
    """Noise that leaves signs."""
    return np.copysign(dp.lattice_gaussian(value, noise, normals), value)
''',
    "g_mask_guarded": '''
# Beyond a million it gives the value itself, "to be safe".
@dp.semimetric("newer26.l2", triangle=lambda r: 1.0)
def l2(a, b):
    """Euclidean distance."""
    return float(np.sqrt(np.square(a - b).sum()) * (1 + 1e-15))


@dp.mask("newer26.noise", semimetric="newer26.l2", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def noisy(value, noise, normals):
    """Noise for values of a common size."""
    made = dp.lattice_gaussian(value, noise, normals)
    return made if np.abs(value).max() < 1e6 else np.array(value)
''',
    "g_mask_floor_of_positives": '''
# Positive values stay above 0, others may be anything; written when the attack on both sides of 0 was.
@dp.semimetric("newer27.l2", triangle=lambda r: 1.0)
def l2(a, b):
    """Euclidean distance."""
    return float(np.sqrt(np.square(a - b).sum()) * (1 + 1e-15))


@dp.mask("newer27.noise", semimetric="newer27.l2", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def noisy(value, noise, normals):
    """Noise with a floor."""
    return np.maximum(dp.lattice_gaussian(value, noise, normals), np.where(value > 0, 0.0, -np.inf))
''',
}
