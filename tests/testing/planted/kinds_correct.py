"""Correct plugins that look odd: none may be refuted."""

CORRECT = {
    "c_mask_negative": '''
@dp.mask("mine.{name}", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def {name}(value, noise, normals):
    """A mask."""
    return -dp.lattice_gaussian(value, noise, normals)
''',
    "c_mask_rotated": '''
@dp.mask("mine.{name}", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def {name}(value, noise, normals):
    """A mask."""
    return dp.lattice_gaussian(value, noise, lambda count: normals(count)[::-1])
''',
    "c_mask_more_noise_small": '''
@dp.mask("mine.{name}", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def {name}(value, noise, normals):
    """A mask."""
    return dp.lattice_gaussian(value, noise * (2.0 if len(value) > 3 else 1.0), normals)
''',
    "c_mask_extra_draw": '''
@dp.mask("mine.{name}", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def {name}(value, noise, normals):
    """A mask."""
    normals(3)
    return dp.lattice_gaussian(value, noise, normals)
''',
    "c_mask_scalar_loop": '''
@dp.mask("mine.{name}", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def {name}(value, noise, normals):
    """A mask."""
    return np.array([dp.lattice_gaussian([v], noise, normals)[0] for v in value])
''',
    "c_mask_clip_tiny": '''
@dp.mask("mine.{name}", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def {name}(value, noise, normals):
    """A mask."""
    return np.clip(dp.lattice_gaussian(value, noise, normals), -1e-3, 1e-3)
''',
    "c_mask_orthogonal": '''
@dp.mask("mine.{name}", semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2)
def {name}(value, noise, normals):
    """A mask."""
    u = np.ones(len(value)) / np.sqrt(len(value))
    g = normals(len(value))
    made, step = value + noise * (g - 2 * u * (u * g).sum()), noise * 2.0**-20
    return np.round(made / step) * step
''',
    "c_semi_lorentz": '''
@dp.semimetric("mine.{name}", triangle=lambda r: 1.0)
def {name}(a, b):
    """A distance."""
    return float(np.log1p(np.abs(a - b)).sum())
''',
    "c_semi_sqrt": '''
@dp.semimetric("mine.{name}", triangle=lambda r: 1.0)
def {name}(a, b):
    """A distance."""
    return float(np.sqrt(np.abs(a - b).max()))
''',
    "c_semi_sum_then_max": '''
@dp.semimetric("mine.{name}", triangle=lambda r: 1.0)
def {name}(a, b):
    """A distance."""
    return max(float(np.abs(a - b).sum()) / len(a), float(np.abs(a - b).max()))
''',
    "c_semi_chord": '''
@dp.semimetric("mine.{name}", triangle=lambda r: 1.0)
def {name}(a, b):
    """A distance."""
    d = np.linalg.norm(a - b)
    return float(d / np.sqrt((1 + (a * a).sum()) * (1 + (b * b).sum())))
''',
    "c_semi_weighted": '''
@dp.semimetric("mine.{name}", triangle=lambda r: 1.0, averages=lambda r, tau: tau * r)
def {name}(a, b):
    """A distance."""
    w = 1.0 / np.arange(1, len(a) + 1)
    return float((w * np.abs(a - b)).sum())
''',
    "c_semi_many": '''
@dp.semimetric("mine.{name}", triangle=lambda r: 1.0, many=True, averages=lambda r, tau: tau * r)
def {name}(a, b):
    """A distance."""
    return np.abs(a - b).max(axis=1)
''',
    "c_semi_only_even": '''
@dp.semimetric("mine.{name}", triangle=lambda r: 1.0)
def {name}(a, b):
    """A distance."""
    if len(a) % 2: raise ValueError('pairs')
    return float(np.abs(a - b).sum())
''',
    "c_semi_hellinger": '''
@dp.semimetric("mine.{name}", triangle=lambda r: 1.0)
def {name}(a, b):
    """A distance."""
    if min(a.min(), b.min()) < 0: return np.inf
    return float(np.linalg.norm(np.sqrt(a) - np.sqrt(b)))
''',
    "c_semi_bures": '''
@dp.semimetric("mine.{name}", triangle=lambda r: 1.0)
def {name}(a, b):
    """A distance."""
    return abs(float(np.linalg.norm(a)) - float(np.linalg.norm(b)))
''',
    "c_semi_p_adic": '''
@dp.semimetric("mine.{name}", triangle=lambda r: 1.0)
def {name}(a, b):
    """A distance."""
    return float((np.abs(a - b) > 1e-3 * 0).any())
''',
    "c_row_mod": '''
@dp.learner("mine.{name}")
def {name}(values):
    """A row map."""
    return np.mod(values, 7.0)
''',
    "c_row_nan_out": '''
@dp.learner("mine.{name}")
def {name}(values):
    """A row map."""
    return np.where(values > 0, values, np.nan)
''',
    "c_row_sentinel": '''
@dp.learner("mine.{name}")
def {name}(values):
    """A row map."""
    return np.where(values == -999.0, 0.0, values)
''',
    "c_row_any_per_row": '''
@dp.learner("mine.{name}")
def {name}(values):
    """A row map."""
    return np.where((values < 0).any(axis=1, keepdims=True), 0.0, values)
''',
    "c_row_cumsum_columns": '''
@dp.learner("mine.{name}")
def {name}(values):
    """A row map."""
    return np.cumsum(values, axis=1)
''',
    "c_row_chunks": '''
@dp.learner("mine.{name}")
def {name}(values):
    """A row map."""
    return np.concatenate([values[i : i + 100] ** 2 for i in range(0, max(len(values), 1), 100)])
''',
    "c_row_poly": '''
@dp.learner("mine.{name}")
def {name}(values):
    """A row map."""
    x = values[:, :1]
    return np.hstack([x, x * x, x * x * x])
''',
    "c_row_einsum_columns": '''
@dp.learner("mine.{name}")
def {name}(values):
    """A row map."""
    out = np.zeros(len(values))
    for c in values.T: out = out + c * c
    return out[:, None]
''',
    "c_row_string_codes": '''
@dp.learner("mine.{name}")
def {name}(values):
    """A row map."""
    codes = {{'a': 0.0}}
    return values + codes['a']
''',
    "c_row_vectorize": '''
@dp.learner("mine.{name}")
def {name}(values):
    """A row map."""
    import math
    return np.vectorize(lambda v: math.atan(v), otypes=[float])(values)
''',
    "c_row_empty_ok": '''
@dp.learner("mine.{name}")
def {name}(values):
    """A row map."""
    if len(values) == 0: return values
    return values / np.maximum(1.0, np.abs(values).max(axis=1, keepdims=True))
''',
    "c_row_requires_positive_width": '''
@dp.learner("mine.{name}")
def {name}(values):
    """A row map."""
    a, b = values[:, 0], values[:, -1]
    return np.column_stack([a - b, a + b])
''',
    "c_learner_sorts": '''
@dp.learner("mine.{name}")
def {name}(rows, generator):
    """A learner."""
    rows = np.sort(rows, axis=0)
    return (rows[len(rows) // 2],)
''',
    "c_learner_bootstrap": '''
@dp.learner("mine.{name}")
def {name}(rows, generator):
    """A learner."""
    pick = generator.integers(0, len(rows), len(rows))
    return (rows[pick].mean(axis=0),)
''',
    "c_learner_raises_ties": '''
@dp.learner("mine.{name}")
def {name}(rows, generator):
    """A learner."""
    if len(np.unique(rows[:, 0])) < 2: raise ValueError('ties')
    return (rows.mean(axis=0),)
''',
    "c_learner_seeded_local": '''
@dp.learner("mine.{name}")
def {name}(rows, generator):
    """A learner."""
    rng = np.random.default_rng(7)
    return (rows[rng.integers(len(rows))],)
''',
    "c_learner_two_columns": '''
@dp.learner("mine.{name}")
def {name}(rows, generator):
    """A learner."""
    a, b = rows.T
    return (np.array([a.mean(), b.mean()]),)
''',
    "c_learner_recursive": '''
@dp.learner("mine.{name}")
def {name}(rows, generator):
    """A learner."""
    def go(x, k): return x.mean(axis=0) if k == 0 or len(x) < 4 else go(x[: len(x) // 2], k - 1)
    return (go(rows, 3),)
''',
    "c_learner_nan": '''
@dp.learner("mine.{name}")
def {name}(rows, generator):
    """A learner."""
    return (np.full(rows.shape[1], np.nan),)
''',
}
SOURCES = {name: source.format(name=name) for name, source in CORRECT.items()}
