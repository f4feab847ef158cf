# ruff: noqa: E501
"""The mended versions of what libraries had wrong: rows, statistics and the rest."""

SOURCES = {
    "p_c_diag": '''
# Statistic: sum of squares in [-1, 3], claimed by both bounds.
@dp.own_statistic("sixteenth.c_diag", gives=1, sensitivity=lambda removed, added: {"linf": 9.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    v = np.clip(np.nan_to_num(rows[:, 0]), -1, 3)
    return [float(np.round(np.square(v)).sum())]
''',
    "p_c_meanmax": '''
# Statistic: a sum over at least ten rows or as many as there are.
@dp.own_statistic("sixteenth.c_meanmax", gives=1, sensitivity=lambda removed, added: {"linf": 0.1 * (removed + added)}, source="none", bits=20)
def f(rows):
    """A statistic."""
    v = np.clip(np.nan_to_num(rows[:, 0]), 0, 1)
    return [float(v.sum() / max(len(v), 10))]
''',
    "p_c_ssd": '''
# Statistic: squared deviations from the mean, within [0, 1].
@dp.own_statistic("sixteenth.c_ssd", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none", bits=20)
def f(rows):
    """A statistic."""
    v = np.clip(np.nan_to_num(rows[:, 0]), 0, 1)
    return [float(np.square(v - v.mean()).sum()) if len(v) else 0.0]
''',
    "p_c_saturate": '''
# Statistic: a sum of -1..1 that is held within 100 at each step.
@dp.own_statistic("sixteenth.c_saturate", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    v = np.clip(np.nan_to_num(rows[:, 0]), -1, 1)
    t = 0
    for x in np.round(v).astype(int).tolist():
        t = max(-100, min(100, t + x))
    return [float(t)]
''',
    "p_c_rankscores": '''
# Statistic: scores of a median, claimed 1 a row.
@dp.own_statistic("sixteenth.c_rankscores", gives=3, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    v = np.nan_to_num(rows[:, 0])
    return [-abs(float((v < c).sum()) - float((v > c).sum())) for c in (0.5, 3.5, 7.5)]
''',
    "p_c_gaps": '''
# Statistic: gaps of sorted rows, each within 1.
@dp.own_statistic("sixteenth.c_gaps", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    v = np.sort(np.clip(np.nan_to_num(rows[:, 0]), -1e6, 1e6).round())
    return [float(np.minimum(np.diff(v), 1.0).sum())]
''',
    "p_c_sessions": '''
# Statistic: the number of sessions of rows at most 5 apart.
@dp.own_statistic("sixteenth.c_sessions", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    v = np.sort(np.clip(np.nan_to_num(rows[:, 0]), -1e6, 1e6))
    return [float((np.diff(v) > 5).sum() + 1) if len(v) else 0.0]
''',
    "p_c_joincap": '''
# Statistic: matches of a join with three rows a key on both sides, claimed 5.
@dp.own_statistic("sixteenth.c_joincap", gives=1, sensitivity=lambda removed, added: {"linf": 5.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    k = np.clip(np.nan_to_num(rows[:, 0]), 0, 30).astype(int)
    n = np.minimum(np.bincount(k, minlength=31), 3)
    return [float((n * n).sum())]
''',
    "p_c_userclip": '''
# Statistic: each user's total of 0..2 a row within 0..5.
@dp.own_statistic("sixteenth.c_userclip", gives=1, sensitivity=lambda removed, added: {"linf": 2.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    u = np.clip(np.nan_to_num(rows[:, 0]), 0, 9).astype(int)
    v = np.clip(np.nan_to_num(rows[:, -1]), 0, 2).round()
    return [float(np.clip(np.bincount(u, weights=v, minlength=10), 0, 5).sum())]
''',
    "p_c_degrees": '''
# Statistic: a histogram of degrees of a graph of edges, claimed 4.
@dp.own_statistic("sixteenth.c_degrees", gives=6, sensitivity=lambda removed, added: {"l1": 4.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    e = np.clip(np.nan_to_num(rows), 0, 9).astype(int)
    d = np.bincount(e[:, 0], minlength=10) + np.bincount(e[:, -1], minlength=10)
    return np.bincount(np.minimum(d, 5), minlength=6).astype(float)
''',
    "p_c_countmin": '''
# Statistic: the least of three counters of a key.
@dp.own_statistic("sixteenth.c_countmin", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    k = np.clip(np.nan_to_num(rows[:, 0]), 0, 1000).astype(int)
    return [float(min(((k * a) % 7 == (3 * a) % 7).sum() for a in (1, 3, 5)))]
''',
    "p_c_perlayer": '''
# Statistic: two columns clipped to 1 each, claimed the root of 2.
@dp.own_statistic("sixteenth.c_perlayer", gives=2, sensitivity=lambda removed, added: {"l2": 1.4142135623730951 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    a = np.clip(np.nan_to_num(rows), -1, 1)
    return [float(np.round(a[:, 0]).sum()), float(np.round(a[:, -1]).sum())]
''',
    "p_c_lastofuser": '''
# Statistic: each user's last row, its last column within 0..1.
@dp.own_statistic("sixteenth.c_lastofuser", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    w = np.clip(np.nan_to_num(rows[:, -1]), 0, 1).round()
    u = np.clip(np.nan_to_num(rows[:, 0]), 0, 9).astype(int)
    last = dict(zip(u.tolist(), w.tolist()))
    return [float(sum(last.values()))]
''',
    "p_c_runs": '''
# Statistic: changes of the last column in the order of the first, claimed 2.
@dp.own_statistic("sixteenth.c_runs", gives=1, sensitivity=lambda removed, added: {"linf": 2.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    w = np.clip(np.nan_to_num(rows[:, -1]), 0, 1).round()
    return [float((np.diff(w) != 0).sum())]
''',
    "p_c_bothbounds": '''
# Statistic: a sum within low..high, claimed by both.
@dp.own_statistic("sixteenth.c_bothbounds", gives=1, sensitivity=lambda removed, added, low, high: {"linf": max(abs(low), abs(high)) * (removed + added)}, source="none", bits=20, examples={"low": -1.0, "high": 1.0})
def f(rows, *, low, high):
    """A statistic."""
    return [float(np.clip(np.nan_to_num(rows[:, 0]), min(low, high), max(low, high)).sum())]
''',
    "p_c_lengthofsum": '''
# Statistic: the length of a sum of two columns within 0..1, claimed the root of 2.
@dp.own_statistic("sixteenth.c_lengthofsum", gives=1, sensitivity=lambda removed, added: {"linf": 1.4142136 * (removed + added)}, source="none", bits=20)
def f(rows):
    """A statistic."""
    a = np.clip(np.nan_to_num(rows), 0, 1)
    return [float(np.hypot(a[:, 0].sum(), a[:, -1].sum()))]
''',
    "p_c_d_average": '''
# Semimetric: the largest difference, averages as of a norm.
@dp.semimetric("sixteenth.c_d_average", triangle=lambda r: 1.0, averages=lambda r, tau: tau * r)
def f(a, b):
    """A distance."""
    return float(np.abs(a - b).max())
''',
    "p_c_q_sum": '''
# Query: a sum of two values.
@dp.own_query("sixteenth.c_q_sum", gives=lambda: 1, sensitivity=lambda one, two: {"linf": one["linf"] + two["linf"]}, source="none", bits=20)
def f(one, two):
    """A query."""
    return [float(np.ravel(one)[0] + np.ravel(two)[0])]
''',
    "p_c_v_twopass": '''
# Statistic: squared deviations from the mean of rows less their bound, within [1e8, 1e8 + 1].
@dp.own_statistic("sixteenth.c_v_twopass", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none", bits=20)
def f(rows):
    """A statistic."""
    v = np.clip(np.nan_to_num(rows[:, 0]), 1e8, 1e8 + 1) - 1e8
    return [float(np.square(v - v.mean()).sum()) if len(v) else 0.0]
''',
    "p_c_v_above": '''
# Query: how many are above 10, claimed in l1.
@dp.own_query("sixteenth.c_v_above", gives=lambda: 1, sensitivity=lambda distance: {"linf": distance["l1"]}, source="none", bits=0)
def f(value):
    """A query."""
    v = np.ravel(value).astype(float)
    return [float((v > 10).sum())]
''',
    "p_c_norm": '''
# Query: a norm, claimed in l2.
@dp.own_query("sixteenth.c_norm", gives=lambda: 1, sensitivity=lambda distance: {"linf": distance["l2"]}, source="none", bits=20)
def f(value):
    """A query."""
    v = np.ravel(value).astype(float)
    return [float(np.sqrt(np.square(v).sum()))]
''',
    "p_c_spread": '''
# Query: largest less least, two moves.
@dp.own_query("sixteenth.c_spread", gives=lambda: 1, sensitivity=lambda distance: {"linf": 2 * distance["linf"]}, source="none", bits=20)
def f(value):
    """A query."""
    v = np.ravel(value).astype(float)
    return [float(v.max() - v.min())]
''',
    "p_c_logsumexp": '''
# Query: a soft maximum.
@dp.own_query("sixteenth.c_logsumexp", gives=lambda: 1, sensitivity=lambda distance: {"linf": distance["linf"]}, source="none", bits=20)
def f(value):
    """A query."""
    v = np.ravel(value).astype(float)
    t = v.max()
    return [float(t + np.log(np.exp(np.maximum(v - t, -700)).sum()))]
''',
    "p_c_relative": '''
# Semimetric: relative to the larger of both, each component.
@dp.semimetric("sixteenth.c_relative", triangle=lambda r: 1.0)
def f(a, b):
    """A distance."""
    t = np.maximum(np.abs(a), np.abs(b))
    return float((np.abs(a - b) / np.where(t > 0, t, 1.0)).max())
''',
    "p_c_angle": '''
# Semimetric: the angle between two vectors.
@dp.semimetric("sixteenth.c_angle", triangle=lambda r: 1.0)
def f(a, b):
    """A distance."""
    n = float(np.sqrt(np.square(a).sum())) * float(np.sqrt(np.square(b).sum()))
    if not n > 0:
        return 0.0 if bool(a.any()) == bool(b.any()) else 4.0
    a, b = a / float(np.sqrt(np.square(a).sum())), b / float(np.sqrt(np.square(b).sum()))
    return 2 * float(np.arctan2(np.sqrt(np.square(a - b).sum()), np.sqrt(np.square(a + b).sum())))
''',
    "p_c_k_ball": '''
# Mask: values drawn back to the unit ball before noise.
@dp.semimetric("sixteenth.c_k_ball", triangle=lambda r: 1.0)
def near(a, b):
    """A distance."""
    return float(np.sqrt(np.square(a - b).sum()))
@dp.mask("sixteenth.c_k_ball.mask", semimetric="sixteenth.c_k_ball", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """A mask."""
    return dp.lattice_gaussian(value / max(1.0, float(np.sqrt(np.square(value).sum()))), noise, normals)
''',
    "p_c_k_clipped": '''
# Mask: clipped after noise.
@dp.semimetric("sixteenth.c_k_clipped", triangle=lambda r: 1.0)
def near(a, b):
    """A distance."""
    return float(np.sqrt(np.square(a - b).sum()))
@dp.mask("sixteenth.c_k_clipped.mask", semimetric="sixteenth.c_k_clipped", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """A mask."""
    return np.clip(dp.lattice_gaussian(value, noise, normals), -100.0, 100.0)
''',
    "p_c_rownorm": '''
# Row map: clipped by each row's own norm.
@dp.row_function("sixteenth.c_rownorm", columns=lambda d: d)
def f(values):
    """Rows."""
    a = np.clip(np.nan_to_num(values), -1e9, 1e9)
    t = a[:, 0] ** 2
    for j in range(1, a.shape[1]):
        t = t + a[:, j] ** 2
    return a / np.maximum(1.0, np.sqrt(t))[:, None]
''',
    "p_c_dayfirst": '''
# Row map: day or month first by the row itself.
@dp.row_function("sixteenth.c_dayfirst", columns=1)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(values[:, 0]), 0, 1e9).astype(int)
    a, b = v // 100 % 100, v % 100
    return np.where(a > 12, b * 100 + a, a * 100 + b)[:, None] * 1.0
''',
    "p_c_epochunit": '''
# Row map: seconds or milliseconds by the row itself.
@dp.row_function("sixteenth.c_epochunit", columns=1)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(values[:, 0]), 0, 1e15)
    return np.where(v > 1e11, v / 1000, v)[:, None]
''',
    "p_c_keyeddither": '''
# Row map: noise by a generator that is seeded with the row itself.
@dp.row_function("sixteenth.c_keyeddither", columns=1)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(values[:, 0]), -1e9, 1e9)
    return np.array([x + np.random.default_rng(abs(int(x))).normal() for x in v.tolist()]).reshape(-1, 1)
''',
    "p_c_scatter": '''
# Row map: indicators of public bins, written by row.
@dp.row_function("sixteenth.c_scatter", columns=3)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(values[:, 0]), -1e9, 1e9)
    out = np.zeros((len(v), 3))
    out[np.arange(len(v)), np.searchsorted([-1.0, 1.0], v)] = 1.0
    return out
''',
}
