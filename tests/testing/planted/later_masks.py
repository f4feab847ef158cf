# ruff: noqa: E501
"""Masks with a fault."""

SOURCES = {
    "y_relative_mask": '''
# Noise proportional to the value: two values also differ in width, which the cost leaves out; worse in many
# dimensions.
@dp.semimetric("laterf34.relative", triangle=lambda r: 1.0 + r, usable=lambda v, r: bool((v > 0).all()))
def relative(a, b):
    """Euclidean length of relative differences, the larger of both ways."""
    if (a <= 0).any() or (b <= 0).any():
        return 0.0 if (a == b).all() else np.inf
    return float(max(np.linalg.norm(a / b - 1), np.linalg.norm(b / a - 1)))


@dp.mask("laterf34.noise", semimetric="laterf34.relative", cost=lambda noise, r: r**2 / (2 * noise**2))
def noisy(value, noise, normals):
    """Relative Gaussian noise."""
    return value * (1 + noise * normals(len(value)))
''',
    "y_box_mask": '''
# Values within r in each coordinate, Gaussian charged as if r were their l2 distance; d >= 2.
@dp.semimetric("laterf35.box", triangle=lambda r: 1.0)
def box(a, b):
    """Largest difference."""
    return float(np.abs(a - b).max())


@dp.mask("laterf35.noise", semimetric="laterf35.box", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def noisy(value, noise, normals):
    """The lattice Gaussian."""
    return dp.lattice_gaussian(value, noise, normals)
''',
    "y_decades": '''
# Noise by the decade of the size: 9.99 and 10.01 get widths ten times apart.
@dp.semimetric("laterf37.near", triangle=lambda r: 1.0)
def near(a, b):
    """Euclidean distance."""
    return float(np.sqrt(((a - b) ** 2).sum()) * (1 + 1e-15))


@dp.mask("laterf37.noise", semimetric="laterf37.near", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def noisy(value, noise, normals):
    """At least the noise asked for; more for large values."""
    size = float(np.abs(value).max())
    decade = 10.0 ** max(0.0, np.floor(np.log10(size))) if size > 0 else 1.0
    return dp.lattice_gaussian(value, noise * decade, normals)
''',
    "y_product_normal": '''
# The product of two normals has an infinite density at 0, charged as Laplace.
@dp.semimetric("laterf38.line", triangle=lambda r: 1.0)
def line(a, b):
    """l1 distance."""
    return float(np.abs(a - b).sum())


@dp.mask("laterf38.noise", semimetric="laterf38.line", cost=lambda noise, r: dp.Pure(r / noise * (1 + 1e-9)))
def noisy(value, noise, normals):
    """Laplace noise of normals."""
    step = noise * 2.0**-40
    z = normals(len(value)) * normals(len(value))
    return (np.round(value / step) + np.floor(z * 2.0**40)) * step
''',
    "y_along_less": '''
# Half the noise along the value's own direction; one dimension and values across it don't show the shape.
@dp.semimetric("laterh70.l2", triangle=lambda r: 1.0)
def l2(a, b):
    """Euclidean."""
    return float(np.sqrt(np.square(a - b).sum()) * (1 + 1e-15))


@dp.mask("laterh70.noise", semimetric="laterh70.l2", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def noisy(value, noise, normals):
    """Less noise along the value, in three and more dimensions."""
    d = len(value)
    if d < 3:
        return dp.lattice_gaussian(value, noise, normals)
    u = value / max(float(np.linalg.norm(value)), 1e-300)
    g = np.array(normals(d))
    g = g - 0.5 * float((g * u).sum()) * u
    return np.round((value + noise * g) / (noise * 2.0**-20)) * (noise * 2.0**-20)
''',
    "y_location_scale": '''
# Mean in units of its own deviation; the other value's width differs, which the cost leaves out; two numbers
# only.
@dp.semimetric("laterh71.gauss", triangle=lambda r: (1.0 + r) * 2)
def gauss(a, b):
    """Location in units of the smaller scale, or the log ratio of scales, whichever is larger."""
    if len(a) != 2 or len(b) != 2 or a[1] <= 0 or b[1] <= 0:
        return 0.0 if a.shape == b.shape and (a == b).all() else np.inf
    return float(max(abs(a[0] - b[0]) / min(a[1], b[1]), abs(np.log(a[1] / b[1]))))


@dp.mask("laterh71.noise", semimetric="laterh71.gauss", cost=lambda noise, r: r**2 / (2 * noise**2) * 2 * (1 + 1e-9))
def noisy(value, noise, normals):
    """Noise in the value's own units."""
    g = normals(2)
    made = np.array([value[0] + noise * value[1] * g[0], value[1] * np.exp(noise * g[1])])
    return np.round(made, 6)
''',
    "y_hellinger": '''
# Values near in Hellinger distance are masked with noise for that distance in their own units: large values are
# far apart.
@dp.semimetric("laterh72.hellinger", triangle=lambda r: 1.0, usable=lambda v, r: bool((v >= 0).all()))
def hellinger(a, b):
    """l2 distance of square roots."""
    return float(np.sqrt(np.square(np.sqrt(np.maximum(a, 0)) - np.sqrt(np.maximum(b, 0))).sum()) * (1 + 1e-14))


@dp.mask("laterh72.noise", semimetric="laterh72.hellinger", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def noisy(value, noise, normals):
    """The lattice Gaussian."""
    return dp.lattice_gaussian(value, noise, normals)
''',
    "y_cauchy": '''
# Cauchy noise is pure e-DP with about r/noise; claimed a quarter of it.
@dp.semimetric("laterh78.l1", triangle=lambda r: 1.0)
def l1(a, b):
    """l1."""
    return float(np.abs(a - b).sum() * (1 + 1e-14))


@dp.mask("laterh78.noise", semimetric="laterh78.l1", cost=lambda noise, r: dp.Pure(0.25 * r / noise))
def noisy(value, noise, normals):
    """Cauchy noise as a ratio of normals, rounded."""
    d = len(value)
    step = noise * 2.0**-20
    return np.round((value + noise * normals(d) / np.abs(normals(d))) / step) * step
''',
}
FLOATS = {
    "y_float_sum": '''
# The Gaussian mechanism in floats; neighbours: 0, whose releases near 0 have all their digits, and 0.5, whose end
# at 2^-54.
@dp.mask("laterh80.sum", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def noisy(value, noise, normals):
    """The Gaussian mechanism."""
    return value + noise * normals(len(value))
''',
    "y_float_ratio": '''
# A value times e to a Gaussian, in floats: a product skips floats, which ones tells the value.
import math


@dp.semimetric("laterh82.ratio", triangle=lambda r: 1.0)
def ratio(a, b):
    """Largest |ln(a/b)| of positive numbers."""
    return float(np.abs(np.log(a / b)).max()) if min(a.min(), b.min()) > 0 else math.inf


@dp.mask("laterh82.noise", semimetric="laterh82.ratio", cost=lambda noise, r: r * r / (2 * noise * noise) * 64 * (1 + 1e-9))
def noisy(value, noise, normals):
    """Each of at most 64 times e to a Gaussian."""
    return value * np.exp(noise * normals(len(value)))
''',
    "y_own_lattice": '''
# Noise on a lattice whose step is that of floats about the value: neighbours on both sides of a power of two.
@dp.mask("laterh83.lattice", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def noisy(value, noise, normals):
    """The Gaussian mechanism on a lattice."""
    step = max(np.spacing(np.abs(value).max()), 2.0**-60)
    return np.round(value / step) * step + np.round(noise * normals(len(value)) / step) * step
''',
}
