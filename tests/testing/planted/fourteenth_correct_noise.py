# ruff: noqa: E501
"""That stranger's statistics, queries, mechanisms, distances and masks with nothing wrong."""

SOURCES = {
    "a_c_hindex": '''
# Statistic: h-index moves by one a row.
@dp.own_statistic("fourteenth.c_hindex", gives=1, sensitivity=lambda removed, added: {"linf": float(max(removed, added))}, source="none")
def f(rows):
    """Largest h such that h rows are at least h."""
    v = np.sort(np.clip(np.nan_to_num(rows[:, 0]), 0, 1e6))[::-1]
    return [float((v >= np.arange(1, len(v) + 1)).sum())]
''',
    "a_c_disjoint": '''
# Statistic: most disjoint intervals: moves by one a row.
import math
@dp.own_statistic("fourteenth.c_disjoint", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="none")
def f(rows):
    """Most bookings that a room can take, by end."""
    if rows.shape[1] < 2:
        return [float(len(rows))]
    count, end = 0, -math.inf
    for hi, lo in sorted((max(r[0], r[1]), min(r[0], r[1])) for r in rows.tolist()):
        if lo > end:
            count, end = count + 1, hi
    return [float(count)]
''',
    "a_c_overlap": '''
# Statistic: most overlapping intervals at once.
@dp.own_statistic("fourteenth.c_overlap", gives=1, sensitivity=lambda removed, added: {"linf": float(max(removed, added))}, source="none")
def f(rows):
    """Most rooms in use at once."""
    if not len(rows):
        return [0.0]
    lo, hi = np.minimum(rows[:, 0], rows[:, -1]), np.maximum(rows[:, 0], rows[:, -1])
    return [float(max(((lo <= t) & (hi >= t)).sum() for t in lo))]
''',
    "a_c_invfreq": '''
# Statistic: weights of one over the frequency add up to the number of distinct values.
@dp.own_statistic("fourteenth.c_invfreq", gives=1, sensitivity=lambda removed, added: {"linf": float(max(removed, added))}, source="none")
def f(rows):
    """Distinct values, by weights."""
    _, n = np.unique(rows[:, 0], return_counts=True)
    return [float(np.round(np.repeat(1 / n, n).sum()))]
''',
    "a_c_countmin": '''
# Statistic: count-min sketch, l1 claim 3.
@dp.own_statistic("fourteenth.c_countmin", gives=24, sensitivity=lambda removed, added: {"l1": 3.0 * (removed + added), "linf": float(max(removed, added))}, source="none")
def f(rows):
    """Three hash tables of eight cells."""
    v = np.floor(np.clip(np.abs(np.nan_to_num(rows[:, 0])), 0, 1e9)).astype(np.int64)
    counts = np.zeros(24)
    for t, a in enumerate((5, 11, 17)):
        np.add.at(counts, 8 * t + (v * a + t) % 13 % 8, 1.0)
    return counts
''',
    "a_c_bigrams": '''
# Statistic: transitions, l1 claim 3 a row.
@dp.own_statistic("fourteenth.c_bigrams", gives=9, sensitivity=lambda removed, added: {"l1": 3.0 * (removed + added)}, source="none")
def f(rows):
    """Counts of pairs of consecutive states, rows in the order of time."""
    state = (np.floor(np.abs(np.nan_to_num(rows[:, -1], posinf=0, neginf=0))) % 3).astype(int)
    counts = np.zeros(9)
    np.add.at(counts, 3 * state[:-1] + state[1:], 1.0)
    return counts
''',
    "a_c_xor": '''
# Statistic: parity bits, linf claim 1.
@dp.own_statistic("fourteenth.c_xor", gives=8, sensitivity=lambda removed, added: {"linf": 1.0}, source="none")
def f(rows):
    """Parity of each bit."""
    v = np.clip(np.nan_to_num(rows[:, 0]), 0, 255).astype(int)
    total = int(np.bitwise_xor.reduce(v)) if len(v) else 0
    return [float(total >> i & 1) for i in range(8)]
''',
    "a_c_lse": '''
# Query: logarithm of a sum of exponentials: 1-Lipschitz in linf.
@dp.own_query("fourteenth.c_lse", gives=lambda: 1, sensitivity=lambda distance: {"linf": distance["linf"]}, source="none", bits=20)
def f(value):
    """Soft maximum."""
    v = np.ravel(value).astype(float)
    return [float(v.max() + np.log(np.exp(np.maximum(v - v.max(), -700)).sum()))]
''',
    "a_c_soft": '''
# Query: soft threshold.
import math
@dp.own_query("fourteenth.c_soft", gives=lambda: 1, sensitivity=lambda distance: {"linf": distance["linf"]}, source="none")
def f(value):
    """Shrunk towards 0 by five."""
    v = float(np.ravel(value)[0])
    return [math.copysign(max(abs(v) - 5, 0.0), v) + 0.0]
''',
    "a_c_twogeom": '''
# Mechanism: difference of two geometrics is discrete Laplace.
@dp.own_mechanism("fourteenth.c_twogeom", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="none")
def f(value, scale, noise):
    """Laplace noise by two geometric draws."""
    a, b = noise.geometric(scale, 2)
    return np.ravel(value)[:1] + int(a) - int(b)
''',
    "a_c_halfbudget": '''
# Mechanism: two looks for half each.
@dp.own_mechanism("fourteenth.c_halfbudget", gives=2, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="none")
def f(value, scale, noise):
    """Two noisy copies with twice the scale."""
    return np.repeat(np.ravel(value)[:1], 2) + noise.laplace(2 * scale, 2)
''',
    "a_c_rr": '''
# Mechanism: randomised response by a categorical draw.
@dp.own_mechanism("fourteenth.c_rr", gives=dp.Index(2), takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(1.0 / scale)), source="none")
def f(value, scale, noise):
    """A bit by its odds."""
    bit = int(np.ravel(value)[0] > 0)
    return int(np.ravel(noise.categorical_exp(np.array([1 - bit, bit]), 1.0 / scale))[0])
''',
    "a_c_modulo": '''
# Mechanism: Laplace noise, then the last two digits.
@dp.own_mechanism("fourteenth.c_modulo", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="none")
def f(value, scale, noise):
    """Noisy count modulo 100."""
    return (np.ravel(value)[:1] + noise.laplace(scale, 1)) % 100
''',
    "a_c_canberra": '''
# Semimetric: Canberra distance is a metric.
@dp.semimetric("fourteenth.c_canberra", triangle=lambda r: 1.0)
def f(a, b):
    """Canberra distance."""
    s = np.abs(a) + np.abs(b)
    return float((np.abs(a - b) / np.where(s == 0, 1.0, s)).sum())
''',
    "a_c_cap": '''
# Semimetric: a metric capped at one is one.
@dp.semimetric("fourteenth.c_cap", triangle=lambda r: 1.0)
def f(a, b):
    """l1, at most 1."""
    return min(float(np.abs(a - b).sum()), 1.0)
''',
    "a_c_square": '''
# Semimetric: squared distance with triangle constant 2.
@dp.semimetric("fourteenth.c_square", triangle=lambda r: 2.0)
def f(a, b):
    """Squared distance."""
    return float(np.square(a - b).sum())
''',
    "a_c_clip": '''
# Mask: clipped after the noise, to a public box.
@dp.semimetric("fourteenth.c_clip", triangle=lambda r: 1.0, many=True)
def l2(a, b):
    """l2."""
    return np.sqrt(np.square(a - b).sum(axis=-1))
@dp.mask("fourteenth.c_clip.mask", semimetric="fourteenth.c_clip", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """Held in a box."""
    return np.clip(dp.lattice_gaussian(value, noise, normals), -100.0, 100.0)
''',
    "a_c_sortpost": '''
# Mask: noisy entries, sorted: order is forgotten.
@dp.semimetric("fourteenth.c_sortpost", triangle=lambda r: 1.0, many=True)
def l2(a, b):
    """l2."""
    return np.sqrt(np.square(a - b).sum(axis=-1))
@dp.mask("fourteenth.c_sortpost.mask", semimetric="fourteenth.c_sortpost", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """Sorted."""
    return np.sort(dp.lattice_gaussian(value, noise, normals))
''',
    "a_c_ksimplex": '''
# Mask: noisy values are made shares whatever the value was.
@dp.semimetric("fourteenth.c_ksimplex", triangle=lambda r: 1.0, many=True)
def l2(a, b):
    """l2."""
    return np.sqrt(np.square(a - b).sum(axis=-1))
@dp.mask("fourteenth.c_ksimplex.mask", semimetric="fourteenth.c_ksimplex", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """Shares."""
    made = np.maximum(dp.lattice_gaussian(value, noise, normals), 0.0)
    return made / made.sum() if made.sum() > 0 else np.full_like(made, 1 / len(made))
''',
    "a_c_dunit": '''
# Semimetric: angle of directions, whatever the lengths.
@dp.semimetric("fourteenth.c_dunit", triangle=lambda r: 1.0)
def f(a, b):
    """Half of l2 at most two, capped: a metric."""
    return min(float(np.sqrt(np.square(a - b).sum())), 2.0)
''',
    "a_c_mladder": '''
# Mechanism: full noise, rounded to even numbers afterwards.
@dp.own_mechanism("fourteenth.c_mladder", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="none", examples={"m": 3})
def f(value, scale, noise, *, m):
    """Noise, then the next even number below."""
    v = np.ravel(value) + noise.laplace(scale, m)
    return v - v % 2
''',
    "a_c_masksym": '''
# Mask: whatever was there, a symmetric matrix is made of the noisy one.
@dp.semimetric("fourteenth.c_masksym", triangle=lambda r: 1.0, many=True)
def l2(a, b):
    """l2."""
    return np.sqrt(np.square(a - b).sum(axis=-1))
@dp.mask("fourteenth.c_masksym.mask", semimetric="fourteenth.c_masksym", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """A two by two matrix, made symmetric."""
    made = dp.lattice_gaussian(value, noise, normals).copy()
    if len(made) == 4:
        made[1] = made[2] = (made[1] + made[2]) / 2
    return made
''',
}
