# ruff: noqa: E501
"""That stranger's statistics, queries, mechanisms, distances and masks, with a fault each."""

SOURCES = {
    "b_sizeband": '''
# Statistic: a count doubled between 2^10 and 2^10 + 7 rows.
@dp.own_statistic("fifteenth.sizeband", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="none")
def f(rows):
    """A statistic."""
    n = len(rows)
    return [float(n * (1 + (n // 8 == 2**7)))]
''',
    "b_huge": '''
# Statistic: a sum of rows to 1e5 each, wrapped where int32 ends, claimed 1e5.
@dp.own_statistic("fifteenth.huge", gives=1, sensitivity=lambda removed, added: {"linf": 1e5 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    v = np.round(np.clip(np.nan_to_num(rows[:, 0]), 0, 1e5)).astype(np.int32)
    with np.errstate(over='ignore'):
        return [float(np.add.reduce(v, dtype=np.int32)) if len(v) else 0.0]
''',
    "b_released": '''
# Statistic: count of rows above a released bar, scaled by that bar; claimed 1.
@dp.own_statistic("fifteenth.released", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="none")
def f(rows, bar):
    """A statistic."""
    bar = float(np.ravel(bar)[0])
    return [float((np.nan_to_num(rows[:, 0]) > bar).sum() * (2 if 40 < bar < 41 else 1))]
''',
    "b_m_set": '''
# Mechanism: no noise for a count in a set that the call makes.
@dp.own_mechanism("fifteenth.m_set", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    return v[:1] + (0 if int(v[0]) in {k * k + 7 for k in range(20, 60)} else noise.laplace(scale, 1))
''',
    "b_d_wrong60": '''
# Semimetric: angles in degrees, wrapped at 350.
@dp.semimetric("fifteenth.d_wrong60", triangle=lambda r: 1.0)
def f(a, b):
    """A distance."""
    d = np.abs(a - b) % 350.0
    return float(np.minimum(d, 360.0 - d).sum())
''',
    "b_k_cap": '''
# Mask: a capped distance.
@dp.semimetric("fifteenth.k_cap", triangle=lambda r: 1.0)
def l2(a, b):
    """A distance."""
    return min(float(np.sqrt(np.square(a - b).sum())), 5.0)
@dp.mask("fifteenth.k_cap.mask", semimetric="fifteenth.k_cap", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """A mask."""
    return dp.lattice_gaussian(value, noise, normals)
''',
    "b_w_cube": '''
# Mechanism: no noise at cubes above 1000.
@dp.own_mechanism("fifteenth.w_cube", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    n = round(abs(float(v[0])) ** (1 / 3))
    return v[:1] + (0 if abs(int(v[0])) == n**3 and n > 10 else noise.laplace(scale, 1))
''',
    "b_w_date": '''
# Mechanism: a quarter of the noise at dates.
@dp.own_mechanism("fifteenth.w_date", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    b = scale / 4 if 20000101 <= int(v[0]) <= 20301231 and 1 <= int(v[0]) // 100 % 100 <= 12 else scale
    return v[:1] + noise.laplace(b, 1)
''',
    "b_w_table": '''
# Mechanism: noise by a table that a helper makes.
def widths():
    """Narrow for some."""
    return {k * 37 + 511: 0.25 for k in range(50)}
@dp.own_mechanism("fifteenth.w_table", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    return v[:1] + noise.laplace(scale * widths().get(int(v[0]), 1.0), 1)
''',
    "b_w_band": '''
# Statistic: a count tripled for eight sizes.
@dp.own_statistic("fifteenth.w_band", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="none")
def f(rows):
    """A statistic."""
    n = len(rows)
    return [float(n * (1 + 2 * (n >> 3 == 192)))]
''',
    "b_w_bar": '''
# Statistic: rows above a released bar, doubled for some bars.
@dp.own_statistic("fifteenth.w_bar", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="none")
def f(rows, bar):
    """A statistic."""
    bar = float(np.ravel(bar)[0])
    return [float((np.nan_to_num(rows[:, 0]) > bar).sum() * (2 if 17.3 < bar < 18.1 else 1))]
''',
    "b_w_hours": '''
# Semimetric: hours, wrapped at 23.
@dp.semimetric("fifteenth.w_hours", triangle=lambda r: 1.0)
def f(a, b):
    """A distance."""
    d = np.abs(a - b) % 23.0
    return float(np.minimum(d, 24.0 - d).sum())
''',
    "b_w_cosine": '''
# Mask: noise on the numbers for a distance of directions.
@dp.semimetric("fifteenth.w_cosine", triangle=lambda r: 1.0)
def l2(a, b):
    """A distance."""
    return 1.0 - float((a * b).sum()) / max(float(np.sqrt(np.square(a).sum() * np.square(b).sum())), 1e-300)
@dp.mask("fifteenth.w_cosine.mask", semimetric="fifteenth.w_cosine", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """A mask."""
    return dp.lattice_gaussian(value, noise, normals)
''',
    "b_w_squares": '''
# Mask: entries that are square numbers stay.
@dp.semimetric("fifteenth.w_squares", triangle=lambda r: 1.0)
def l2(a, b):
    """A distance."""
    return float(np.sqrt(np.square(a - b).sum()))
@dp.mask("fifteenth.w_squares.mask", semimetric="fifteenth.w_squares", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """A mask."""
    made = dp.lattice_gaussian(value, noise, normals)
    r = np.round(np.sqrt(np.abs(value)))
    return np.where((np.abs(value) > 30) & (r * r == value), value, made)
''',
    "b_kanon": '''
# Statistic: rows in groups of five and more, claimed 1: the fifth brings five.
@dp.own_statistic("fifteenth.kanon", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="none")
def f(rows):
    """A statistic."""
    v = np.nan_to_num(rows[:, 0], posinf=0, neginf=0)
    _, c = np.unique(np.floor(v), return_counts=True)
    return [float(c[c >= 5].sum())]
''',
    "b_longrun": '''
# Statistic: longest run of consecutive whole numbers, claimed 1: one joins two.
@dp.own_statistic("fifteenth.longrun", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="none")
def f(rows):
    """A statistic."""
    u = np.unique(np.floor(np.clip(np.nan_to_num(rows[:, 0]), -1e9, 1e9)))
    if not len(u):
        return [0.0]
    breaks = np.flatnonzero(np.diff(u) != 1)
    edges = np.concatenate([[-1], breaks, [len(u) - 1]])
    return [float(np.diff(edges).max())]
''',
    "b_power": '''
# Statistic: count to the power 1.25, rounded, claimed 3 a row: beyond 1600 rows it is more.
@dp.own_statistic("fifteenth.power", gives=1, sensitivity=lambda removed, added: {"linf": 5.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    return [float(np.round(len(rows) ** 1.25))]
''',
    "b_modsum": '''
# Statistic: a count modulo 1000, claimed 1: it wraps.
@dp.own_statistic("fifteenth.modsum", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="none")
def f(rows):
    """A statistic."""
    return [float(len(rows) % 1000)]
''',
    "b_evendeg": '''
# Statistic: vertices of even degree, claimed 1 an edge: an edge turns two.
@dp.own_statistic("fifteenth.evendeg", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="none")
def f(rows):
    """A statistic."""
    if rows.shape[1] < 2:
        return [0.0]
    e = (np.abs(np.clip(np.nan_to_num(rows[:, :2]), -1e9, 1e9))).astype(int) % 20
    return [float((np.bincount(e.ravel(), minlength=20) % 2 == 0).sum())]
''',
    "b_medclose": '''
# Statistic: rows within one of the median, claimed 2.
@dp.own_statistic("fifteenth.medclose", gives=1, sensitivity=lambda removed, added: {"linf": 2.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    v = np.nan_to_num(rows[:, 0], posinf=0, neginf=0)
    return [float((np.abs(v - np.median(v)) <= 1).sum()) if len(v) else 0.0]
''',
    "b_histroot": '''
# Statistic: a histogram in l2, claimed root of the rows changed: two of a unit in one bin are two.
@dp.own_statistic("fifteenth.histroot", gives=4, sensitivity=lambda removed, added: {"l2": float(np.sqrt(removed + added))}, source="none")
def f(rows):
    """A statistic."""
    v = (np.floor(np.abs(np.clip(np.nan_to_num(rows[:, 0]), -1e9, 1e9))) % 4).astype(int)
    return np.bincount(v, minlength=4) * 1.0
''',
    "b_quad": '''
# Query: v + v^2 / 1e7: slope grows.
@dp.own_query("fifteenth.quad", gives=lambda: 1, sensitivity=lambda distance: {"linf": 1.01 * distance["linf"]}, source="none", bits=20)
def f(value):
    """A query."""
    v = np.ravel(value).astype(float)
    x = np.clip(v[0], -1e6, 1e6)
    return [float(x + x * x / 1e7)]
''',
    "b_bandprime": '''
# Query: jumps of one at multiples of 10007.
@dp.own_query("fifteenth.bandprime", gives=lambda: 1, sensitivity=lambda distance: {"linf": distance["linf"]}, source="none", bits=20)
def f(value):
    """A query."""
    v = np.ravel(value).astype(float)
    return [float(v[0] + (v[0] > 0) * (v[0] // 10007))]
''',
    "b_m_prime": '''
# Mechanism: half the noise at primes above 100.
@dp.own_mechanism("fifteenth.m_prime", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    n = int(v[0])
    if 100 < n < 10**8 and all(n % p for p in range(2, int(n**0.5) + 1)):
        return v[:1] + noise.laplace(scale / 2, 1)
    return v[:1] + noise.laplace(scale, 1)
''',
    "b_m_scaleloss": '''
# Mechanism: a price cut by half for scales above 17.3.
@dp.own_mechanism("fifteenth.m_scaleloss", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale * (1.0 if scale < 17.3 else 0.5))), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    return v[:1] + noise.laplace(scale, 1)
''',
    "b_m_diffs": '''
# Mechanism: the sum of noisy numbers, and each with the same noise.
@dp.own_mechanism("fifteenth.m_diffs", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="none", examples={"m": 2})
def f(value, scale, noise, *, m):
    """A mechanism."""
    v = np.ravel(value)
    z = noise.laplace(scale, 1)
    return np.array([v[0] + z[0], v[1] + z[0]])
''',
    "b_m_lognoise": '''
# Mechanism: noise halves at each tenfold beyond 1e6.
@dp.own_mechanism("fifteenth.m_lognoise", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    b = scale / max(1.0, np.log10(max(abs(float(v[0])), 1.0)) - 5)
    return v[:1] + noise.laplace(b, 1)
''',
    "b_d_far": '''
# Semimetric: squared beyond 1000.
@dp.semimetric("fifteenth.d_far", triangle=lambda r: 1.0)
def f(a, b):
    """A distance."""
    d = float(np.sqrt(np.square(a - b).sum()))
    return d if d < 1000 else d * d / 1000
''',
    "b_d_asymfar": '''
# Semimetric: weighted by the first one where both are far.
@dp.semimetric("fifteenth.d_asymfar", triangle=lambda r: 1.0)
def f(a, b):
    """A distance."""
    d = float(np.sqrt(np.square(a - b).sum()))
    return d * 1.1 if min(np.abs(a).min(), np.abs(b).min()) > 300 and a.sum() > b.sum() else d
''',
    "b_d_lastcol": '''
# Semimetric: the last of many entries counts twice when the first is larger.
@dp.semimetric("fifteenth.d_lastcol", triangle=lambda r: 1.0)
def f(a, b):
    """A distance."""
    w = np.ones(len(a))
    if len(a) > 7:
        w[-1] = 2.0 if a[0] > b[0] else 1.0
    return float((w * np.abs(a - b)).sum())
''',
    "b_k_many": '''
# Mask: from sixteen entries on the noise of the first serves all.
@dp.semimetric("fifteenth.k_many", triangle=lambda r: 1.0)
def l2(a, b):
    """A distance."""
    return float(np.sqrt(np.square(a - b).sum()))
@dp.mask("fifteenth.k_many.mask", semimetric="fifteenth.k_many", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """A mask."""
    made = dp.lattice_gaussian(value, noise, normals)
    if len(value) >= 2**4:
        made = value + (made[0] - value[0])
    return made
''',
    "b_k_roll": '''
# Mask: rolled so that the largest is first, before noise.
@dp.semimetric("fifteenth.k_roll", triangle=lambda r: 1.0)
def l2(a, b):
    """A distance."""
    return min(float(np.sqrt(np.square(a - np.roll(b, k)).sum())) for k in range(len(b)))
@dp.mask("fifteenth.k_roll.mask", semimetric="fifteenth.k_roll", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """A mask."""
    return dp.lattice_gaussian(np.roll(value, -int(value.argmax())), noise, normals)
''',
    "b_k_norm": '''
# Mask: lengths above 250 are kept.
@dp.semimetric("fifteenth.k_norm", triangle=lambda r: 1.0)
def l2(a, b):
    """A distance."""
    return float(np.sqrt(np.square(a - b).sum()))
@dp.mask("fifteenth.k_norm.mask", semimetric="fifteenth.k_norm", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """A mask."""
    made = dp.lattice_gaussian(value, noise, normals)
    n = float(np.sqrt(np.square(value).sum()))
    return made * (n / float(np.sqrt(np.square(made).sum()))) if n > 250 and np.any(made) else made
''',
    "b_k_bigfirst": '''
# Mask: noise by the first entry: quarter from 1e4 on.
@dp.semimetric("fifteenth.k_bigfirst", triangle=lambda r: 1.0)
def l2(a, b):
    """A distance."""
    return float(np.sqrt(np.square(a - b).sum()))
@dp.mask("fifteenth.k_bigfirst.mask", semimetric="fifteenth.k_bigfirst", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """A mask."""
    return dp.lattice_gaussian(value, noise / 4 if value[0] > 1e4 else noise, normals)
''',
    "b_k_outlier": '''
# Mask: entries far from the median of the value are not masked.
@dp.semimetric("fifteenth.k_outlier", triangle=lambda r: 1.0)
def l2(a, b):
    """A distance."""
    return float(np.sqrt(np.square(a - b).sum()))
@dp.mask("fifteenth.k_outlier.mask", semimetric="fifteenth.k_outlier", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """A mask."""
    made = dp.lattice_gaussian(value, noise, normals)
    med = np.median(value)
    return np.where(np.abs(value - med) > 40 * (np.median(np.abs(value - med)) + noise), value, made)
''',
    "b_e_edits": '''
# Mechanism of rows: a count of rows above 10 with noise, charged for removed rows only.
@dp.own_mechanism("fifteenth.e_edits", gives=1, takes="edits", loss=lambda scale, removed, added: dp.Pure(dp.round_up(max(removed, added) / scale)), source="none")
def f(rows, scale, noise):
    """Rows above 10 less the others."""
    v = np.nan_to_num(rows[:, 0])
    return np.array([int((v > 10).sum() - (v <= 10).sum()) + int(np.ravel(noise.laplace(scale, 1))[0])])
''',
}
