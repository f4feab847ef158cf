# ruff: noqa: E501
"""Masks of several numbers with Laplace noise for each, priced as if one number alone could move."""

SOURCES = {
    "corner_l2": '''
# Laplace noise in each coordinate for values that are near in l2: sqrt(d) is missing.
@dp.semimetric("corner.l2_distance", triangle=lambda r: 1.0)
def distance(a, b):
    """The Euclidean distance."""
    return float(np.sqrt(np.square(a - b).sum()))


@dp.mask("corner.l2", semimetric="corner.l2_distance", cost=lambda noise, r: dp.Pure(1.0 * r / noise * (1 + 1e-6) + 1e-5))
def fun(value, noise, normals):
    """Laplace noise of four Gaussians a number, on a public grid."""
    d = len(value)
    g = np.reshape(normals(4 * d), (4, d))
    made = 0.5 * noise * (g[0] ** 2 + g[1] ** 2 - g[2] ** 2 - g[3] ** 2)
    step = noise * 2.0 ** -(20 + d.bit_length())
    return np.round((np.round(value / step) * step + made) / step) * step
''',
    "corner_root_two": '''
# The same with the sqrt(d) of a plane, where there are more coordinates than two.
@dp.semimetric("corner.root_two_distance", triangle=lambda r: 1.0)
def distance(a, b):
    """The Euclidean distance."""
    return float(np.sqrt(np.square(a - b).sum()))


@dp.mask("corner.root_two", semimetric="corner.root_two_distance", cost=lambda noise, r: dp.Pure(np.sqrt(2.0) * r / noise * (1 + 1e-6) + 1e-5))
def fun(value, noise, normals):
    """Laplace noise of four Gaussians a number, on a public grid."""
    d = len(value)
    g = np.reshape(normals(4 * d), (d, 4))
    made = noise * (g[:, 0] * g[:, 1] + g[:, 2] * g[:, 3])
    step = noise * 2.0 ** -(20 + d.bit_length())
    return np.round((np.round(value / step) * step + made) / step) * step
''',
    "corner_root_eight": '''
# The same with the sqrt(d) of eight coordinates, where there may be thirty.
@dp.semimetric("corner.root_eight_distance", triangle=lambda r: 1.0)
def distance(a, b):
    """The Euclidean distance."""
    return float(np.sqrt(np.square(a - b).sum()))


@dp.mask("corner.root_eight", semimetric="corner.root_eight_distance", cost=lambda noise, r: dp.Pure(np.sqrt(8.0) * r / noise * (1 + 1e-6) + 1e-5))
def fun(value, noise, normals):
    """Laplace noise of four Gaussians a number, on a public grid."""
    d = len(value)
    g = np.reshape(normals(4 * d), (4, d))
    made = 0.5 * noise * (g[0] ** 2 + g[1] ** 2 - g[2] ** 2 - g[3] ** 2)
    step = noise * 2.0 ** -(20 + d.bit_length())
    return np.round((np.round(value / step) * step + made) / step) * step
''',
    "corner_linf": '''
# Laplace noise in each coordinate where each may differ by r: d is missing.
@dp.semimetric("corner.linf_distance", triangle=lambda r: 1.0)
def distance(a, b):
    """The largest difference."""
    return float(np.abs(a - b).max())


@dp.mask("corner.linf", semimetric="corner.linf_distance", cost=lambda noise, r: dp.Pure(1.0 * r / noise * (1 + 1e-6) + 1e-5))
def fun(value, noise, normals):
    """Laplace noise of four Gaussians a number, on a public grid."""
    d = len(value)
    g = np.reshape(normals(4 * d), (d, 4))
    made = noise * (g[:, 0] * g[:, 1] + g[:, 2] * g[:, 3])
    step = noise * 2.0 ** -(20 + d.bit_length())
    return np.round((np.round(value / step) * step + made) / step) * step
''',
    "corner_half_sum": '''
# Noise for the sum of the differences, and the distance is half of it.
@dp.semimetric("corner.half_sum_distance", triangle=lambda r: 1.0)
def distance(a, b):
    """Half of the sum of the differences, as of two distributions."""
    return 0.5 * float(np.abs(a - b).sum())


@dp.mask("corner.half_sum", semimetric="corner.half_sum_distance", cost=lambda noise, r: dp.Pure(1.0 * r / noise * (1 + 1e-6) + 1e-5))
def fun(value, noise, normals):
    """Laplace noise of four Gaussians a number, on a public grid."""
    d = len(value)
    g = np.reshape(normals(4 * d), (4, d))
    made = 0.5 * noise * (g[0] ** 2 + g[1] ** 2 - g[2] ** 2 - g[3] ** 2)
    step = noise * 2.0 ** -(20 + d.bit_length())
    return np.round((np.round(value / step) * step + made) / step) * step
''',
    "corner_mean": '''
# Noise for the sum of the differences, and the distance is their mean.
@dp.semimetric("corner.mean_distance", triangle=lambda r: 1.0)
def distance(a, b):
    """The mean difference."""
    return float(np.abs(a - b).mean())


@dp.mask("corner.mean", semimetric="corner.mean_distance", cost=lambda noise, r: dp.Pure(1.0 * r / noise * (1 + 1e-6) + 1e-5))
def fun(value, noise, normals):
    """Laplace noise of four Gaussians a number, on a public grid."""
    d = len(value)
    g = np.reshape(normals(4 * d), (d, 4))
    made = noise * (g[:, 0] * g[:, 1] + g[:, 2] * g[:, 3])
    step = noise * 2.0 ** -(20 + d.bit_length())
    return np.round((np.round(value / step) * step + made) / step) * step
''',
}
CORRECT_SOURCES = {
    "corner_c_sum": '''
# Laplace noise for the sum of the differences.
@dp.semimetric("corner.c_sum_distance", triangle=lambda r: 1.0)
def distance(a, b):
    """The sum of the differences."""
    return float(np.abs(a - b).sum())


@dp.mask("corner.c_sum", semimetric="corner.c_sum_distance", cost=lambda noise, r: dp.Pure(1.0 * r / noise * (1 + 1e-6) + 1e-5))
def fun(value, noise, normals):
    """Laplace noise of four Gaussians a number, on a public grid."""
    d = len(value)
    g = np.reshape(normals(4 * d), (4, d))
    made = 0.5 * noise * (g[0] ** 2 + g[1] ** 2 - g[2] ** 2 - g[3] ** 2)
    step = noise * 2.0 ** -(20 + d.bit_length())
    return np.round((np.round(value / step) * step + made) / step) * step
''',
    "corner_c_half_sum": '''
# Half of the sum, for twice the price.
@dp.semimetric("corner.c_half_sum_distance", triangle=lambda r: 1.0)
def distance(a, b):
    """Half of the sum of the differences, as of two distributions."""
    return 0.5 * float(np.abs(a - b).sum())


@dp.mask("corner.c_half_sum", semimetric="corner.c_half_sum_distance", cost=lambda noise, r: dp.Pure(2.0 * r / noise * (1 + 1e-6) + 1e-5))
def fun(value, noise, normals):
    """Laplace noise of four Gaussians a number, on a public grid."""
    d = len(value)
    g = np.reshape(normals(4 * d), (d, 4))
    made = noise * (g[:, 0] * g[:, 1] + g[:, 2] * g[:, 3])
    step = noise * 2.0 ** -(20 + d.bit_length())
    return np.round((np.round(value / step) * step + made) / step) * step
''',
    "corner_c_four": '''
# The l2 distance of four numbers, for sqrt(4) times the price, and no other vectors.
@dp.semimetric("corner.c_four_distance", triangle=lambda r: 1.0)
def distance(a, b):
    """The Euclidean distance."""
    return float(np.sqrt(np.square(a - b).sum()))


@dp.mask("corner.c_four", semimetric="corner.c_four_distance", cost=lambda noise, r: dp.Pure(2.0 * r / noise * (1 + 1e-6) + 1e-5))
def fun(value, noise, normals):
    """Laplace noise of four Gaussians a number, on a public grid."""
    if len(value) != 4:
        raise ValueError("it masks four numbers")
    d = len(value)
    g = np.reshape(normals(4 * d), (4, d))
    made = 0.5 * noise * (g[0] ** 2 + g[1] ** 2 - g[2] ** 2 - g[3] ** 2)
    step = noise * 2.0 ** -(20 + d.bit_length())
    return np.round((np.round(value / step) * step + made) / step) * step
''',
    "corner_c_clipped": '''
# What is released of four numbers whose largest difference counts is clipped.
@dp.semimetric("corner.c_clipped_distance", triangle=lambda r: 1.0)
def distance(a, b):
    """The largest difference."""
    return float(np.abs(a - b).max())


@dp.mask("corner.c_clipped", semimetric="corner.c_clipped_distance", cost=lambda noise, r: dp.Pure(4.0 * r / noise * (1 + 1e-6) + 1e-5))
def fun(value, noise, normals):
    """Laplace noise of four Gaussians a number, on a public grid."""
    if len(value) != 4:
        raise ValueError("it masks four numbers")
    d = len(value)
    g = np.reshape(normals(4 * d), (d, 4))
    made = noise * (g[:, 0] * g[:, 1] + g[:, 2] * g[:, 3])
    step = noise * 2.0 ** -(20 + d.bit_length())
    return np.clip(np.round((np.round(value / step) * step + made) / step) * step, -1e3, 1e3)
''',
}
