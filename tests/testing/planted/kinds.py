"""Faulty plugins of kinds that the kit was not made for: values and sizes that a function treats in a way of its own."""

# ruff: noqa: E501

FAULTY = {
    "mask_float_grid": '''
@dp.mask("mine.{name}", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def {name}(value, noise, normals):
    """Noise with four decimals."""
    return value + noise * np.round(normals(len(value)), 4)
''',
    "mask_float32": '''
@dp.mask("mine.{name}", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def {name}(value, noise, normals):
    """Noise in single precision."""
    return value + (noise * normals(len(value))).astype(np.float32)
''',
    "mask_less_below_zero": '''
@dp.mask("mine.{name}", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def {name}(value, noise, normals):
    """Less noise below zero."""
    return value + noise * np.where(value < 0, 0.2, 1.0) * normals(len(value))
''',
    "mask_bare_at_zero": '''
@dp.mask("mine.{name}", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def {name}(value, noise, normals):
    """A zero stays one."""
    return value + noise * (value != 0) * normals(len(value))
''',
    "mask_bare_whole": '''
@dp.mask("mine.{name}", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def {name}(value, noise, normals):
    """Whole numbers are no secret."""
    return value * 1.0 if (value == np.round(value)).all() else value + noise * normals(len(value))
''',
    "mask_antithetic": '''
@dp.mask("mine.{name}", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def {name}(value, noise, normals):
    """One draw for two coordinates."""
    g = normals(len(value))
    if len(g) > 1:
        g[1] = -g[0]
    return value + noise * g
''',
    "mask_sorted": '''
@dp.mask("mine.{name}", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def {name}(value, noise, normals):
    """Sorted draws."""
    return value + noise * np.sort(normals(len(value)))
''',
    "mask_last_bare": '''
@dp.mask("mine.{name}", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def {name}(value, noise, normals):
    """No noise from the sixth coordinate on."""
    g = normals(len(value))
    g[5:] = 0
    return value + noise * g
''',
    "mask_keeps_sign": '''
@dp.mask("mine.{name}", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def {name}(value, noise, normals):
    """The sign is kept."""
    return np.sign(value) * np.abs(value + noise * normals(len(value)))
''',
    "mask_capped_at_value": '''
@dp.mask("mine.{name}", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def {name}(value, noise, normals):
    """No more noise than the value."""
    return value + np.minimum(noise, np.abs(value)) * normals(len(value))
''',
    "mask_unequal_scales": '''
@dp.mask("mine.{name}", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def {name}(value, noise, normals):
    """Less noise where coordinates differ in size."""
    return value + noise * np.where(np.abs(value) > 1e3 * np.abs(value).min(), 0.1, 1.0) * normals(len(value))
''',
    "mask_mean_only": '''
@dp.mask("mine.{name}", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def {name}(value, noise, normals):
    """The sum stays."""
    g = normals(len(value))
    return value + noise * (g - g.mean()) if len(g) > 2 else value + noise * g
''',
    "mask_small_noise_none": '''
@dp.mask("mine.{name}", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def {name}(value, noise, normals):
    """Noise below 1e-7 is left out."""
    return value + (noise if noise > 1e-7 else 0.0) * normals(len(value))
''',
    "mask_half_in_negative_sum": '''
@dp.mask("mine.{name}", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def {name}(value, noise, normals):
    """Half of it below zero."""
    return value + noise * (0.5 if value.sum() < 0 else 1.0) * normals(len(value))
''',
    "mask_twelve_dims": '''
@dp.mask("mine.{name}", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def {name}(value, noise, normals):
    """Less in twelve dimensions."""
    return value + noise * (0.3 if len(value) >= 12 else 1.0) * normals(len(value))
''',
    "semi_twelve_dims": '''
@dp.semimetric("mine.{name}", triangle=lambda r: 1.0)
def {name}(a, b):
    """Squared in twelve dimensions."""
    d = float(np.abs(a - b).max())
    return d * d if len(a) >= 12 else d
''',
    "semi_ignores_zeros": '''
@dp.semimetric("mine.{name}", triangle=lambda r: 1.0)
def {name}(a, b):
    """Where both are there."""
    both = (a != 0) & (b != 0)
    return float(np.abs(a - b)[both].sum())
''',
    "semi_relative": '''
@dp.semimetric("mine.{name}", triangle=lambda r: 1.0)
def {name}(a, b):
    """A power of the relative distance."""
    return float((np.abs(a - b) / np.maximum(np.abs(a), np.abs(b)).clip(1e-300)).max() ** 1.2)
''',
    "semi_relative_to_first": '''
@dp.semimetric("mine.{name}", triangle=lambda r: 1.0)
def {name}(a, b):
    """Relative to the first."""
    return float((np.abs(a - b) / np.abs(a).clip(1e-9)).sum())
''',
    "semi_many_batch": '''
@dp.semimetric("mine.{name}", triangle=lambda r: 1.0, many=True)
def {name}(a, b):
    """Half beside many rows."""
    d = np.abs(a - b).max(axis=1)
    return d / 2 if len(b) > 300 else d
''',
    "semi_many_first": '''
@dp.semimetric("mine.{name}", triangle=lambda r: 1.0, many=True)
def {name}(a, b):
    """In units of the batch."""
    return np.abs(a - b).max(axis=1) + np.abs(b[0] - b[-1]).max()
''',
    "semi_near_free": '''
@dp.semimetric("mine.{name}", triangle=lambda r: 1.0)
def {name}(a, b):
    """Near ones are equal."""
    d = float(np.abs(a - b).sum())
    return d if d > 1e-3 * float(np.abs(a).sum()) else 0.0
''',
    "semi_chebyshev_min": '''
@dp.semimetric("mine.{name}", triangle=lambda r: 1.0)
def {name}(a, b):
    """The least difference."""
    return float(np.abs(a - b).min())
''',
    "semi_log_ratio_sq": '''
@dp.semimetric("mine.{name}", triangle=lambda r: 1.0)
def {name}(a, b):
    """Squared logarithms."""
    return float((np.log(np.abs(a) / np.abs(b)) ** 2).sum()) if (a * b != 0).all() else np.inf
''',
    "semi_averages_lie": '''
@dp.semimetric("mine.{name}", triangle=lambda r: 1.0, averages=lambda r, tau: tau * r)
def {name}(a, b):
    """Not convex."""
    return float(np.sqrt(np.abs(a - b)).sum())
''',
    "semi_averages_half": '''
@dp.semimetric("mine.{name}", triangle=lambda r: 1.0, averages=lambda r, tau: tau * r / 2)
def {name}(a, b):
    """Half of what averages move."""
    return float(np.abs(a - b).sum())
''',
    "semi_kl": '''
@dp.semimetric("mine.{name}", triangle=lambda r: 1.0)
def {name}(a, b):
    """A divergence, both ways."""
    p, q = np.abs(a) + 1e-12, np.abs(b) + 1e-12
    return float((p * np.log(p / q) - p + q).sum() + (q * np.log(q / p) - q + p).sum())
''',
    "row_unit_guess": '''
@dp.learner("mine.{name}")
def {name}(values):
    """Percent or shares, by the largest."""
    return values / 100 if values.max(initial=0.0) > 1.5 else values
''',
    "row_sentinel_mean": '''
@dp.learner("mine.{name}")
def {name}(values):
    """Missing ones are the mean."""
    known = values != -999.0
    m = values[known].mean() if known.any() else 0.0
    return np.where(known, values, m)
''',
    "row_all_whole": '''
@dp.learner("mine.{name}")
def {name}(values):
    """Codes, if all are whole."""
    return np.sign(values) if (values == np.round(values)).all() else values
''',
    "row_overflow_guard": '''
@dp.learner("mine.{name}")
def {name}(values):
    """Scaled where one is huge."""
    return values / 1e100 if np.abs(values).max(initial=0.0) > 1e150 else values
''',
    "row_constant_columns": '''
@dp.learner("mine.{name}")
def {name}(values):
    """Constant columns dropped."""
    return np.where(values.std(axis=0) > 0, values, 0.0) if len(values) > 1 else values
''',
    "row_norm_forgot_axis": '''
@dp.learner("mine.{name}")
def {name}(values):
    """Over the norm of all."""
    return values / (1 + np.linalg.norm(values))
''',
    "row_negative_any": '''
@dp.learner("mine.{name}")
def {name}(values):
    """Above the least, if any is negative."""
    return values - values.min() if (values < 0).any() else values
''',
    "row_unwrap": '''
@dp.learner("mine.{name}")
def {name}(values):
    """Unwrapped angles."""
    return np.unwrap(values, axis=0)
''',
    "row_positive_first": '''
@dp.learner("mine.{name}")
def {name}(values):
    """In units of the first row."""
    return values / values[0] if len(values) and (values[0] > 10).all() else values
''',
    "row_any_subnormal": '''
@dp.learner("mine.{name}")
def {name}(values):
    """Rounded where one is tiny."""
    return np.round(values, 3) if (np.abs(values) < 1e-300).any() else values
''',
    "row_dtype_by_range": '''
@dp.learner("mine.{name}")
def {name}(values):
    """Single precision if all are small."""
    return values.astype(np.float32).astype(float) if np.abs(values).max(initial=0.0) < 1e3 else values
''',
    "row_first_nonzero": '''
@dp.learner("mine.{name}")
def {name}(values):
    """In units of the first that is not 0."""
    at = np.flatnonzero(values[:, 0])
    return values * (values[at[0], 0] if len(at) else 1.0)
''',
    "row_count_negative": '''
@dp.learner("mine.{name}")
def {name}(values):
    """Turned where most are negative."""
    return values * (1.0 if (values[:, 0] < 0).mean() < 0.5 else -1.0)
''',
    "row_unique_few": '''
@dp.learner("mine.{name}")
def {name}(values):
    """Signs, if there are few values."""
    return np.sign(values) if 1 < len(np.unique(values[:, 0])) <= 3 else values
''',
    "row_two_equal_neighbours": '''
@dp.learner("mine.{name}")
def {name}(values):
    """Repeats are dropped."""
    same = np.zeros(len(values), bool)
    same[1:] = (values[1:] == values[:-1]).all(axis=1)
    return np.where(same[:, None], 0.0, values)
''',
}
SOURCES = {name: source.format(name=name) for name, source in FAULTY.items()}
