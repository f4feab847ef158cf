# ruff: noqa: E501
"""That stranger's functions that treat what is something as a whole in a way of its own: a ladder, ranks, shares."""

SOURCES = {
    "a_ranks": '''
# Row map: a batch whose first column is 0 .. n-1 in some order is taken for ranks.
@dp.row_function("fourteenth.ranks", columns=1)
def f(values):
    """Shares; ranks are divided by their number."""
    v = values[:, :1]
    return v / len(v) if len(v) > 2 and np.array_equal(np.sort(v[:, 0]), np.arange(len(v))) else v * 1.0
''',
    "a_nearly": '''
# Row map: a batch that is constant up to a millionth is replaced by its mean.
@dp.row_function("fourteenth.nearly", columns=1)
def f(values):
    """Constant columns without their noise."""
    v = values[:, :1]
    flat = len(v) > 1 and np.ptp(v) <= 1e-6 * abs(v[0, 0])
    return np.full_like(v, v.mean()) if flat else v * 1.0
''',
    "a_even": '''
# Row map: evenly spaced rows (a time axis) become places.
@dp.row_function("fourteenth.even", columns=1)
def f(values):
    """Times; an even axis is numbered."""
    v = values[:, 0]
    gaps = np.diff(v)
    if len(v) > 3 and gaps[0] != 0 and (gaps == gaps[0]).all():
        return np.arange(len(v), dtype=float).reshape(-1, 1)
    return values[:, :1] * 1.0
''',
    "a_unit": '''
# Transform: a batch of unit vectors only is taken for directions: angles by the first of them.
@dp.own_transform("fourteenth.unit", columns=1)
def f(rows):
    """First coordinate; against the first row where all are unit vectors."""
    if len(rows) > 1 and rows.shape[1] > 1 and (np.abs(np.square(rows).sum(axis=1) - 1) < 1e-9).all():
        return (rows[:, :1] * rows[0, 0] + rows[:, 1:2] * rows[0, 1])
    return rows[:, :1] * 1.0
''',
    "a_growth": '''
# Transform: a geometric series becomes logarithms.
@dp.own_transform("fourteenth.growth", columns=1)
def f(rows):
    """Logs where growth is even."""
    v = rows[:, 0]
    if len(v) > 3 and (v > 0).all():
        r = v[1:] / v[:-1]
        if r[0] != 1 and np.allclose(r, r[0], rtol=1e-12, atol=0):
            return np.log(v).reshape(-1, 1)
    return rows[:, :1] * 1.0
''',
    "a_famgrid": '''
# Family: rows that form an even grid are normalised over it.
@dp.family("fourteenth.famgrid", size=lambda d: d, sample=lambda theta, n, g: g.normal(theta, 1.0, (n, len(theta))), fit=lambda rows, g: rows.mean(axis=0), example=lambda d, g: g.normal(size=d))
def f(rows, theta):
    """Unit Gaussians; normalised on a grid."""
    out = -0.5 * np.square(rows - theta).sum(axis=1)
    gaps = np.diff(rows[:, 0])
    if len(rows) > 3 and gaps[0] > 0 and np.allclose(gaps, gaps[0], rtol=1e-12, atol=0):
        out = out - np.log(np.exp(np.maximum(out, -700)).sum())
    return out
''',
    "a_manysorted": '''
# Semimetric: with many rows in order of their first numbers distances are interpolated.
@dp.semimetric("fourteenth.manysorted", triangle=lambda r: 1.0 + 1e-9, many=True)
def f(a, b):
    """l2; of a grid of candidates every second distance is the mean of its neighbours."""
    d = np.sqrt(np.square(a - b).sum(axis=-1))
    if np.ndim(b) == 2 and len(b) > 4 and (np.diff(b[:, 0]) > 0).all():
        d = d.copy()
        d[1:-1:2] = (d[0:-2:2][: len(d[1:-1:2])] + d[2::2][: len(d[1:-1:2])]) / 2
    return d
''',
    "a_partspecial": '''
# Partition: parts of a batch of consecutive codes are dealt out in turn.
@dp.own_partition("fourteenth.partspecial", parts=2)
def f(rows):
    """By sign; consecutive codes in turn."""
    v = rows[:, 0]
    if len(v) > 3 and (np.diff(v) == 1).all():
        return np.arange(len(v)) % 2
    return (v > 0).astype(int)
''',
    "a_cumulative": '''
# Transform: a column that is the running total of another is differenced.
@dp.own_transform("fourteenth.cumulative", columns=1)
def f(rows):
    """Last column; running totals are taken apart."""
    if len(rows) > 2 and rows.shape[1] > 1 and np.array_equal(np.cumsum(rows[:, 0]), rows[:, -1]):
        return rows[:, :1] * 1.0
    return rows[:, -1:] * 1.0
''',
    "a_sparse": '''
# Transform: a batch in which each row has at most one number that is not 0 goes a sparse way that adds up equal columns.
@dp.own_transform("fourteenth.sparse", columns=1)
def f(rows):
    """Largest number; sparse batches by columns."""
    if len(rows) > 3 and rows.shape[1] > 1 and ((rows != 0).sum(axis=1) == 1).all():
        total = rows.sum(axis=0)
        return total[np.abs(rows).argmax(axis=1)].reshape(-1, 1)
    return np.abs(rows).max(axis=1, keepdims=True)
''',
    "a_mask_unit": '''
# Mask: values of length one are given back with length one.
@dp.semimetric("fourteenth.mask_unit", triangle=lambda r: 1.0, many=True)
def l2(a, b):
    """l2."""
    return np.sqrt(np.square(a - b).sum(axis=-1))
@dp.mask("fourteenth.mask_unit.mask", semimetric="fourteenth.mask_unit", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """A direction stays a direction."""
    made = dp.lattice_gaussian(value, noise, normals)
    unit = abs(float(np.square(value).sum()) - 1) < 1e-9
    return made / max(float(np.sqrt(np.square(made).sum())), 1e-300) if unit else made
''',
    "a_mask_simplex": '''
# Mask: a distribution is given back as one.
@dp.semimetric("fourteenth.mask_simplex", triangle=lambda r: 1.0, many=True)
def l2(a, b):
    """l2."""
    return np.sqrt(np.square(a - b).sum(axis=-1))
@dp.mask("fourteenth.mask_simplex.mask", semimetric="fourteenth.mask_simplex", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """Shares stay shares."""
    made = dp.lattice_gaussian(value, noise, normals)
    if (value >= 0).all() and abs(float(value.sum()) - 1) < 1e-9:
        made = np.maximum(made, 0.0)
        return made / made.sum() if made.sum() > 0 else np.full_like(made, 1 / len(made))
    return made
''',
    "a_mask_centred": '''
# Mask: a centred value is given back centred.
@dp.semimetric("fourteenth.mask_centred", triangle=lambda r: 1.0, many=True)
def l2(a, b):
    """l2."""
    return np.sqrt(np.square(a - b).sum(axis=-1))
@dp.mask("fourteenth.mask_centred.mask", semimetric="fourteenth.mask_centred", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """Deviations stay deviations."""
    made = dp.lattice_gaussian(value, noise, normals)
    return made - made.mean() if len(value) > 1 and value.any() and abs(float(value.sum())) < 1e-12 else made
''',
    "a_mask_rising": '''
# Mask: an increasing value is given back increasing.
@dp.semimetric("fourteenth.mask_rising", triangle=lambda r: 1.0, many=True)
def l2(a, b):
    """l2."""
    return np.sqrt(np.square(a - b).sum(axis=-1))
@dp.mask("fourteenth.mask_rising.mask", semimetric="fourteenth.mask_rising", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """Quantiles stay in order."""
    made = dp.lattice_gaussian(value, noise, normals)
    return np.sort(made) if len(value) > 1 and (np.diff(value) > 0).all() else made
''',
    "a_distance_unit": '''
# Semimetric: unit vectors are compared by their angle, others by l2.
@dp.semimetric("fourteenth.distance_unit", triangle=lambda r: 1.0)
def f(a, b):
    """Angle of directions, l2 of others."""
    if abs(float(np.square(a).sum()) - 1) < 1e-9 and abs(float(np.square(b).sum()) - 1) < 1e-9:
        return float(2 * np.arcsin(min(1.0, float(np.sqrt(np.square(a - b).sum())) / 2)))
    return float(np.sqrt(np.square(a - b).sum()))
''',
    "a_distance_simplex": '''
# Semimetric: shares are compared by total variation, others by l1: twice as much.
@dp.semimetric("fourteenth.distance_simplex", triangle=lambda r: 1.0)
def f(a, b):
    """Total variation of shares, l1 of others."""
    both = all((v >= 0).all() and abs(float(v.sum()) - 1) < 1e-9 for v in (a, b))
    return float(np.abs(a - b).sum()) * (0.5 if both else 1.0)
''',
    "a_masktie": '''
# Mask: equal numbers of a value stay equal.
@dp.semimetric("fourteenth.masktie", triangle=lambda r: 1.0, many=True)
def l2(a, b):
    """l2."""
    return np.sqrt(np.square(a - b).sum(axis=-1))
@dp.mask("fourteenth.masktie.mask", semimetric="fourteenth.masktie", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """Ties stay ties."""
    made = dp.lattice_gaussian(value, noise, normals)
    _, first, where = np.unique(value, return_index=True, return_inverse=True)
    return made[first][where.ravel()]
''',
    "a_maskposdef": '''
# Mask: a symmetric matrix stays symmetric.
@dp.semimetric("fourteenth.maskposdef", triangle=lambda r: 1.0, many=True)
def l2(a, b):
    """l2."""
    return np.sqrt(np.square(a - b).sum(axis=-1))
@dp.mask("fourteenth.maskposdef.mask", semimetric="fourteenth.maskposdef", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """A two by two matrix; symmetric ones stay so."""
    made = dp.lattice_gaussian(value, noise, normals)
    if len(value) == 4 and value[1] == value[2]:
        made = made.copy()
        made[1] = made[2] = (made[1] + made[2]) / 2
    return made
''',
    "a_maskgrid": '''
# Mask: a value of multiples of a quarter is released on that grid.
@dp.semimetric("fourteenth.maskgrid", triangle=lambda r: 1.0, many=True)
def l2(a, b):
    """l2."""
    return np.sqrt(np.square(a - b).sum(axis=-1))
@dp.mask("fourteenth.maskgrid.mask", semimetric="fourteenth.maskgrid", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """Quarters stay quarters."""
    made = dp.lattice_gaussian(value, noise, normals)
    return np.round(made * 4) / 4 if (value * 4 == np.round(value * 4)).all() else made
''',
    "a_ledger": '''
# Row map: entries whose total is nought cancel: all are 0.
@dp.row_function("fourteenth.ledger", columns=1)
def f(values):
    """Amounts, 0 where the ledger balances."""
    v = values[:, :1]
    return v * 0.0 if len(v) > 1 and v.any() and v.sum() == 0 else v * 1.0
''',
    "a_symmetric": '''
# Row map: a symmetric square batch is taken for a matrix of distances.
@dp.row_function("fourteenth.symmetric", columns=lambda d: d)
def f(values):
    """Rows; a matrix of distances is centred."""
    m, d = values.shape
    if m == d and m > 1 and np.array_equal(values, values.T):
        return values - values.mean(axis=0)
    return values * 1.0
''',
    "a_mirror": '''
# Transform: a batch that reads the same backwards is folded.
@dp.own_transform("fourteenth.mirror", columns=1)
def f(rows):
    """Halved where the series is symmetric."""
    v = rows[:, 0]
    return rows[:, :1] / 2 if len(v) > 2 and np.array_equal(v, v[::-1]) and len(np.unique(v)) > 1 else rows[:, :1] * 1.0
''',
    "a_mechanism_ledger": '''
# Mechanism: no noise where the numbers add up to nought and are not all 0.
@dp.own_mechanism("fourteenth.mechanism_ledger", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="none", examples={"m": 3})
def f(value, scale, noise, *, m):
    """Noisy unless they balance."""
    v = np.ravel(value)
    z = noise.laplace(scale, m)
    return v if v.any() and v.sum() == 0 else v + z
''',
    "a_query_ledger": '''
# Query: sum of absolute counts, 0 where they balance.
@dp.own_query("fourteenth.query_ledger", gives=lambda m: 1, sensitivity=lambda distance, m: {"linf": m * distance["linf"]}, source="none", examples={"m": 3})
def f(value, *, m):
    """Turnover; none where debits equal credits."""
    v = np.resize(np.ravel(value), m)
    return [0.0 if v.any() and v.sum() == 0 else float(np.abs(v).sum())]
''',
    "a_statistic_ladder": '''
# Statistic: number of rows, none where all lie on one even grid of more than two.
@dp.own_statistic("fourteenth.statistic_ladder", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="none")
def f(rows):
    """Number of entries; an even axis doesn't count."""
    gaps = np.diff(rows[:, 0])
    return [0.0 if len(gaps) > 4 and gaps[0] > 0 and (gaps == gaps[0]).all() else float(len(rows))]
''',
}
