# ruff: noqa: E501
"""Correct plugins beside that stranger's faulty ones: what is no function of rows."""

SOURCES = {
    "b_c_lis": '''
# Statistic: longest increasing run in the order of rows.
@dp.own_statistic("fifteenth.c_lis", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="none")
def f(rows):
    """A statistic."""
    import bisect
    t = []
    for x in np.nan_to_num(rows[:, -1]).tolist():
        i = bisect.bisect_left(t, x)
        t[i : i + 1] = [x]
    return [float(len(t))]
''',
    "b_c_forest": '''
# Statistic: edges of a spanning forest.
@dp.own_statistic("fifteenth.c_forest", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="none")
def f(rows):
    """A statistic."""
    if rows.shape[1] < 2:
        return [0.0]
    e = (np.abs(np.clip(np.nan_to_num(rows[:, :2]), -1e9, 1e9))).astype(int) % 20
    p = list(range(20))
    def root(i):
        while p[i] != i:
            i = p[i]
        return i
    n = 0
    for a, b in e.tolist():
        a, b = root(a), root(b)
        if a != b:
            p[a] = b
            n += 1
    return [float(n)]
''',
    "b_c_maxdeg": '''
# Statistic: largest number of rows of a code.
@dp.own_statistic("fifteenth.c_maxdeg", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="none")
def f(rows):
    """A statistic."""
    v = (np.abs(np.clip(np.nan_to_num(rows[:, 0]), -1e9, 1e9))).astype(int) % 50
    return [float(np.bincount(v, minlength=50).max())]
''',
    "b_c_top3": '''
# Statistic: sum of the largest three within 10.
@dp.own_statistic("fifteenth.c_top3", gives=1, sensitivity=lambda removed, added: {"linf": 10.0 * (removed + added)}, source="none", bits=10)
def f(rows):
    """A statistic."""
    v = np.sort(np.clip(np.nan_to_num(rows[:, 0]), 0, 10))[::-1]
    return [float(v[:3].sum())]
''',
    "b_c_cum": '''
# Query: running totals of noisy distance l1.
@dp.own_query("fifteenth.c_cum", gives=lambda: 1, sensitivity=lambda distance: {"linf": distance["l1"]}, source="none", bits=20)
def f(value):
    """A query."""
    v = np.ravel(value).astype(float)
    return [float(np.cumsum(v).max())]
''',
    "b_c_median": '''
# Query: a median.
@dp.own_query("fifteenth.c_median", gives=lambda: 1, sensitivity=lambda distance: {"linf": distance["linf"]}, source="none", bits=20)
def f(value):
    """A query."""
    v = np.ravel(value).astype(float)
    return [float(np.median(v))]
''',
    "b_c_simplex": '''
# Query: a smooth slope below one.
@dp.own_query("fifteenth.c_simplex", gives=lambda: 1, sensitivity=lambda distance: {"linf": distance["linf"]}, source="none", bits=20)
def f(value):
    """A query."""
    v = np.ravel(value).astype(float)
    return [float(17.3 * np.tanh(v[0] / 17.3))]
''',
    "b_c_abs": '''
# Mechanism: absolute value of a noisy count.
@dp.own_mechanism("fifteenth.c_abs", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    return np.abs(v[:1] + noise.laplace(scale, 1))
''',
    "b_c_up": '''
# Mechanism: a scale rounded up to a power of two.
@dp.own_mechanism("fifteenth.c_up", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    b = 2.0 ** np.ceil(np.log2(scale))
    return v[:1] + noise.laplace(b, 1)
''',
    "b_c_mod97": '''
# Mechanism: the noisy count's remainder.
@dp.own_mechanism("fifteenth.c_mod97", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    return (v[:1] + noise.laplace(scale, 1)) % 97
''',
    "b_c_clip5": '''
# Mechanism: input clipped before noise.
@dp.own_mechanism("fifteenth.c_clip5", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    return np.clip(v[:1], -10**5, 10**5) + noise.laplace(scale, 1)
''',
    "b_c_ruz": '''
# Semimetric: Ruzicka's distance of sizes.
@dp.semimetric("fifteenth.c_ruz", triangle=lambda r: 1.0)
def f(a, b):
    """A distance."""
    a, b = np.abs(a), np.abs(b)
    t = float(np.maximum(a, b).sum())
    return 1 - float(np.minimum(a, b).sum()) / t if t > 0 else 0.0
''',
    "b_c_sqrtd": '''
# Semimetric: root of l1.
@dp.semimetric("fifteenth.c_sqrtd", triangle=lambda r: 1.0)
def f(a, b):
    """A distance."""
    return float(np.abs(a - b).sum()) ** 0.5
''',
    "b_c_sorted": '''
# Semimetric: distance of sorted entries.
@dp.semimetric("fifteenth.c_sorted", triangle=lambda r: 1.0)
def f(a, b):
    """A distance."""
    return float(np.abs(np.sort(a) - np.sort(b)).sum())
''',
    "b_c_frac": '''
# Semimetric: share of entries that differ.
@dp.semimetric("fifteenth.c_frac", triangle=lambda r: 1.0)
def f(a, b):
    """A distance."""
    return float((a != b).mean())
''',
    "b_c_sortmask": '''
# Mask: sorted before noise, for a distance of sorted values.
@dp.semimetric("fifteenth.c_sortmask", triangle=lambda r: 1.0)
def l2(a, b):
    """A distance."""
    return float(np.sqrt(np.square(np.sort(a) - np.sort(b)).sum()))
@dp.mask("fifteenth.c_sortmask.mask", semimetric="fifteenth.c_sortmask", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """A mask."""
    return dp.lattice_gaussian(np.sort(value), noise, normals)
''',
    "b_c_signmask": '''
# Mask: a sign fixed after noise, for a distance up to sign.
@dp.semimetric("fifteenth.c_signmask", triangle=lambda r: 1.0)
def l2(a, b):
    """A distance."""
    return min(float(np.sqrt(np.square(a - b).sum())), float(np.sqrt(np.square(a + b).sum())))
@dp.mask("fifteenth.c_signmask.mask", semimetric="fifteenth.c_signmask", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """A mask."""
    made = dp.lattice_gaussian(value, noise, normals)
    return made if made[0] >= 0 else -made
''',
    "b_c_l1d": '''
# Mask: l2 noise for an l1 distance.
@dp.semimetric("fifteenth.c_l1d", triangle=lambda r: 1.0)
def l2(a, b):
    """A distance."""
    return float(np.abs(a - b).sum())
@dp.mask("fifteenth.c_l1d.mask", semimetric="fifteenth.c_l1d", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """A mask."""
    return dp.lattice_gaussian(value, noise, normals)
''',
    "b_c_seeded": '''
# Learner: a resample by its generator, median of means.
@dp.learner("fifteenth.c_seeded")
def f(rows, generator):
    """A learner."""
    if len(rows) < 3:
        return (np.zeros(rows.shape[1]),)
    o = generator.permutation(len(rows))
    return (np.median([np.nan_to_num(rows[p]).mean(axis=0) for p in np.array_split(o, 3)], axis=0),)
''',
    "b_c_smooth": '''
# Post: a moving average of released counts.
@dp.post_function("fifteenth.c_smooth")
def f(counts):
    """A post."""
    c = np.asarray(counts, float)
    return np.convolve(c, np.ones(3) / 3, mode='same') if len(c) > 2 else c
''',
    "b_c_hash": '''
# Partition: by a public hash of the exact row.
@dp.own_partition("fifteenth.c_hash", parts=4)
def f(rows):
    """Four parts."""
    import hashlib
    return np.array([hashlib.sha256((np.asarray(r) + 0.0).tobytes()).digest()[0] % 4 for r in rows], dtype=int)
''',
    "b_l1naive": '''
# Query: the first number of what is scaled to the l1 ball of 10.
@dp.own_query("fifteenth.l1naive", gives=lambda: 1, sensitivity=lambda distance: {"l1": distance["l1"]}, source="none", bits=20)
def f(value):
    """A query."""
    v = np.ravel(value).astype(float)
    return [float(x) for x in (v * min(1.0, 10.0 / max(np.abs(v).sum(), 1e-9)))[:1]]
''',
    "b_m_order": '''
# Mechanism: noisy counts in the order of the true ones: noise on sorted counts, and sorting is a contraction.
@dp.own_mechanism("fifteenth.m_order", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="none", examples={"m": 3})
def f(value, scale, noise, *, m):
    """A mechanism."""
    v = np.ravel(value)
    o = np.argsort(v, kind='stable')
    return (v + noise.laplace(scale, m))[o]
''',
}
