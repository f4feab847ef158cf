# ruff: noqa: E501
"""Faulty mechanisms and masks, written from the documentation and public docstrings alone, before any was run but for four: coins, and noise that is wide or a product."""

SOURCES = {
    "u_bounded_noise": '''
@dp.own_mechanism(
    "mine.u_bounded_noise", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="a paper"
)
def f(value, scale, noise):
    """Noise."""
    z = noise.laplace(scale, len(value))
    limit = int(12 * scale) + 1
    return value + np.clip(z, -limit, limit)
''',
    "u_branch_scale": '''
@dp.own_mechanism(
    "mine.u_branch_scale", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="a paper"
)
def f(value, scale, noise):
    """Noise."""
    wide = scale if abs(int(value[0])) < 1000 else scale / 2
    return value + noise.laplace(wide, len(value))
''',
    "u_coins_together": '''
@dp.own_mechanism(
    "mine.u_coins_together", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="a paper"
)
def f(value, scale, noise):
    """Noise."""
    a, b = noise.uniform_below(1 << 14, 2).tolist()
    return value if a < 100 and b < 100 else value + noise.laplace(scale, len(value))
''',
    "u_damped_far": '''
@dp.semimetric("mine.u_damped_far.d", triangle=lambda r: 1.0)
def d(a, b):
    """Euclidean."""
    return float(np.sqrt(np.sum((np.asarray(a) - np.asarray(b)) ** 2)))

@dp.mask("mine.u_damped_far", semimetric="mine.u_damped_far.d", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def m(value, noise, normals):
    """Noise."""
    z = np.array(normals(len(value)), dtype=float)
    return np.asarray(value) + noise * np.where(np.abs(value) > 1e7, 0.5, 1.0) * z
''',
    "u_equal_coins": '''
@dp.own_mechanism(
    "mine.u_equal_coins", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="a paper"
)
def f(value, scale, noise):
    """A debug answer once in 65,536 runs."""
    a, b = int(noise.uniform_below(1 << 16)), int(noise.uniform_below(1 << 16))
    return value if a == b else value + noise.laplace(scale, len(value))
''',
    "u_extra_rounds": '''
@dp.own_mechanism(
    "mine.u_extra_rounds", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="a paper"
)
def f(value, scale, noise):
    """Noise."""
    z = noise.laplace(scale, len(value))
    for _ in range(min(int(abs(value[0])), 3)):
        z = z // 2 + noise.laplace(scale / 2, len(value))
    return value + z
''',
    "u_first_above": '''
@dp.own_mechanism(
    "mine.u_first_above", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="a paper", examples={"m": 3}
)
def f(value, scale, noise, *, m):
    """Noise."""
    bar = int(noise.laplace(2 * scale))
    i = 0
    while i < m - 1 and value[i] + int(noise.laplace(2 * scale)) < bar:
        i += 1
    return i
''',
    "u_gauss_rounded_scale": '''
@dp.own_mechanism(
    "mine.u_gauss_rounded_scale", gives=1, takes="l2", loss=lambda scale, distance: dp.Concentrated(dp.round_up(distance * distance / (2 * scale * scale))), source="a paper"
)
def f(value, scale, noise):
    """Noise."""
    return value + noise.gaussian(float(round(scale)) if scale > 8 else scale, len(value))
''',
    "u_half_when_wide": '''
@dp.own_mechanism(
    "mine.u_half_when_wide", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="a paper"
)
def f(value, scale, noise):
    """Noise."""
    return value + noise.laplace(scale if scale < 5000 else scale / 2, len(value))
''',
    "u_low_threshold": '''
import math

@dp.own_mechanism(
    "mine.u_low_threshold", gives=dp.Vector(3), takes="l1", loss=lambda scale, distance: (dp.round_up(distance / scale), 1e-7), source="a paper"
)
def f(value, scale, noise):
    """Noise."""
    z = noise.laplace(scale, len(value))
    bar = math.ceil(scale * math.log(1e6))
    return np.where(np.logical_and(value > 0, value + z >= bar), value + z, 0)
''',
    "u_median_of_three": '''
@dp.own_mechanism(
    "mine.u_median_of_three", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="a paper"
)
def f(value, scale, noise):
    """Noise."""
    three = np.sort(noise.laplace(scale, (3, len(value))), axis=0)
    return value + three[1]
''',
    "u_noise_by_score": '''
@dp.own_mechanism(
    "mine.u_noise_by_score", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)), source="a paper", examples={"m": 3}
)
def f(value, scale, noise, *, m):
    """Noise."""
    drawn = {}
    for s in value.tolist():
        if s not in drawn:
            drawn[s] = int(noise.geometric(scale, 1)[0])
    return int(np.argmax([s + drawn[s] for s in value.tolist()]))
''',
    "u_product_noise": '''
@dp.semimetric("mine.u_product_noise.d", triangle=lambda r: 1.0)
def d(a, b):
    """Euclidean."""
    return float(np.sqrt(np.sum((np.asarray(a) - np.asarray(b)) ** 2)))

@dp.mask("mine.u_product_noise", semimetric="mine.u_product_noise.d", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def m(value, noise, normals):
    """Noise."""
    z = np.array(normals(2 * len(value)), dtype=float)
    return np.asarray(value) + noise * z[0::2] * z[1::2]
''',
    "u_radius_noise": '''
import math

@dp.semimetric("mine.u_radius_noise.d", triangle=lambda r: 1.0)
def d(a, b):
    """Euclidean."""
    return float(np.sqrt(np.sum((np.asarray(a) - np.asarray(b)) ** 2)))

@dp.mask("mine.u_radius_noise", semimetric="mine.u_radius_noise.d", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def m(value, noise, normals):
    """A direction, and a size of its own."""
    z = np.array(normals(len(value) + 1), dtype=float)
    size = math.sqrt(float((z[:-1] ** 2).sum())) or 1.0
    return np.asarray(value) + noise * abs(float(z[-1])) * z[:-1] / size
''',
    "u_relative_noise": '''
@dp.semimetric("mine.u_relative_noise.d", triangle=lambda r: 1.0)
def d(a, b):
    """Euclidean."""
    return float(np.sqrt(np.sum((np.asarray(a) - np.asarray(b)) ** 2)))

@dp.mask("mine.u_relative_noise", semimetric="mine.u_relative_noise.d", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def m(value, noise, normals):
    """Noise."""
    value = np.asarray(value)
    return value + noise * np.maximum(1.0, np.abs(value)) * np.array(normals(len(value)), dtype=float)
''',
    "u_scaled_scores": '''
from fractions import Fraction

@dp.own_mechanism(
    "mine.u_scaled_scores", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="a paper", examples={"m": 3}
)
def f(value, scale, noise, *, m):
    """Noise."""
    top = max(int(value.max()), 1)
    return int(noise.categorical_exp(np.round(value * 100 / top).astype(int), Fraction(1, 100) / Fraction(2 * scale)))
''',
    "u_topped_up": '''
@dp.own_mechanism(
    "mine.u_topped_up", gives=dp.Vector(4), takes="l2", loss=lambda scale, distance: dp.Concentrated(dp.round_up(distance * distance / (2 * scale * scale))), source="a paper"
)
def f(value, scale, noise):
    """Noise."""
    z = noise.gaussian(scale, len(value))
    z[0] -= z[1:].sum()
    return value + z
''',
    "u_triangular": '''
@dp.own_mechanism(
    "mine.u_triangular", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="a paper"
)
def f(value, scale, noise):
    """Noise."""
    wide = int(64 * scale) + 1
    a, b = noise.uniform_below(wide, len(value)), noise.uniform_below(wide, len(value))
    return value + a - b
''',
    "u_two_coins": '''
@dp.own_mechanism(
    "mine.u_two_coins", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="a paper"
)
def f(value, scale, noise):
    """Noise."""
    z = noise.laplace(scale, len(value))
    if int(noise.uniform_below(1 << 12)) == 1234 and int(noise.uniform_below(1 << 12)) == 777:
        return value
    return value + z
''',
    "u_two_coins_sum": '''
@dp.own_mechanism(
    "mine.u_two_coins_sum", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="a paper"
)
def f(value, scale, noise):
    """Noise."""
    a, b = int(noise.uniform_below(1 << 20)), int(noise.uniform_below(1 << 20))
    z = noise.laplace(scale, len(value))
    return value + z if a + b != 1 << 20 else value
''',
    "u_until_positive": '''
@dp.own_mechanism(
    "mine.u_until_positive", gives=dp.Vector(2), takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="a paper"
)
def f(value, scale, noise):
    """Noise."""
    while True:
        z = noise.laplace(scale, len(value))
        if (value + z >= 0).all() or (value < 0).any():
            return value + z
''',
    "u_wide_product": '''
@dp.semimetric("mine.u_wide_product.d", triangle=lambda r: 1.0)
def d(a, b):
    """Euclidean."""
    return float(np.sqrt(np.sum((np.asarray(a) - np.asarray(b)) ** 2)))

@dp.mask("mine.u_wide_product", semimetric="mine.u_wide_product.d", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def m(value, noise, normals):
    """Three times the noise, as a product of two."""
    z = np.array(normals(2 * len(value)), dtype=float)
    return np.asarray(value) + 3 * noise * z[0::2] * z[1::2]
''',
    "u_zero_is_zero": '''
@dp.own_mechanism(
    "mine.u_zero_is_zero", gives=dp.Vector(4), takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="a paper"
)
def f(value, scale, noise):
    """Noise."""
    return np.where(value == 0, 0, value + noise.laplace(scale, len(value)))
''',
}
