# ruff: noqa: E501
"""Faults that people make in queries, distances, masks, families, learners and posts."""

SOURCES = {
    "p_d_rootaverage": '''
# Semimetric: the root of a distance, averages claimed as if it were convex.
@dp.semimetric("sixteenth.d_rootaverage", triangle=lambda r: 1.0, averages=lambda r, tau: tau * r)
def f(a, b):
    """A distance."""
    return float(np.sqrt(np.abs(a - b).sum()))
''',
    "p_q_weights": '''
# Query: a total with the weights of another value, which is private too.
@dp.own_query("sixteenth.q_weights", gives=lambda: 1, sensitivity=lambda one, two: {"linf": one["linf"] + two["linf"]}, source="none", bits=20)
def f(one, two):
    """A query."""
    return [float(np.ravel(one)[0]) * min(max(float(np.ravel(two)[0]), 0.0), 3.0)]
''',
    "p_v_sevens": '''
# Query: a sum of whole sevens, claimed one move.
@dp.own_query("sixteenth.v_sevens", gives=lambda: 1, sensitivity=lambda distance: {"linf": distance["linf"]}, source="none", bits=0)
def f(value):
    """A query."""
    v = np.ravel(value).astype(float)
    return [float(np.floor(v / 7).sum())]
''',
    "p_v_opposite": '''
# Query: how many of every second are above 10, less the others.
@dp.own_query("sixteenth.v_opposite", gives=lambda: 1, sensitivity=lambda distance: {"linf": distance["linf"]}, source="none", bits=0)
def f(value):
    """A query."""
    v = np.ravel(value).astype(float)
    return [float((v[::2] > 10).sum() - (v[1::2] > 10).sum())]
''',
    "p_entropyterm": '''
# Query: x log x within 100.
@dp.own_query("sixteenth.entropyterm", gives=lambda: 1, sensitivity=lambda distance: {"linf": distance["linf"]}, source="none", bits=20)
def f(value):
    """A query."""
    v = np.ravel(value).astype(float)
    x = min(max(v[0], 0.0), 100.0)
    return [float(x * np.log(x)) if x > 0 else 0.0]
''',
    "p_simplexlinf": '''
# Query: projected on a simplex, claimed by the largest component.
@dp.own_query("sixteenth.simplexlinf", gives=lambda: 1, sensitivity=lambda distance: {"linf": distance["linf"]}, source="none", bits=20)
def f(value):
    """A query."""
    v = np.ravel(value).astype(float)
    u = np.sort(v)[::-1]
    c = (np.cumsum(u) - 10.0) / np.arange(1, len(u) + 1)
    t = c[np.flatnonzero(u > c)[-1]]
    return [float(max(v[0] - t, 0.0))]
''',
    "p_above": '''
# Query: how many are above 10.
@dp.own_query("sixteenth.above", gives=lambda: 1, sensitivity=lambda distance: {"linf": distance["linf"]}, source="none", bits=0)
def f(value):
    """A query."""
    v = np.ravel(value).astype(float)
    return [float((v > 10).sum())]
''',
    "p_k_unitball": '''
# Mask: values beyond 1 are drawn back by a whole batch's factor after noise of the value's norm.
@dp.semimetric("sixteenth.k_unitball", triangle=lambda r: 1.0)
def near(a, b):
    """A distance."""
    return float(np.sqrt(np.square(a - b).sum()))
@dp.mask("sixteenth.k_unitball.mask", semimetric="sixteenth.k_unitball", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """A mask."""
    n = max(1.0, float(np.sqrt(np.square(value).sum())))
    return n * dp.lattice_gaussian(value / n, noise, normals)
''',
    "p_f_filled": '''
# Family: missing densities are the mean of the others.
@dp.family("sixteenth.f_filled", size=lambda d: d, sample=lambda theta, n, g: g.normal(theta, 1.0, (n, len(theta))), fit=lambda rows, g: rows.mean(axis=0), example=lambda d, g: g.normal(size=d))
def f(rows, theta):
    """Unit Gaussians."""
    out = -0.5 * np.square(rows - theta).sum(axis=1)
    k = np.isfinite(out)
    return np.where(k, out, out[k].mean() if k.any() else 0.0)
''',
    "p_l_momentum": '''
# Learner: an average that goes on from the block before (momentum).
STATE = [None]
@dp.learner("sixteenth.l_momentum")
def f(rows, generator):
    """A learner."""
    m = rows.mean(axis=0) if len(rows) else np.zeros(rows.shape[1])
    STATE[0] = m if STATE[0] is None or STATE[0].shape != m.shape else 0.9 * STATE[0] + 0.1 * m
    return (STATE[0].copy(),)
''',
    "p_o_sqrt": '''
# Post: a deviation of a variance that noise made negative (smartnoise-core #342).
@dp.post_function("sixteenth.o_sqrt", gives=lambda counts: dp.Vector(counts.m))
def f(counts):
    """Of released counts."""
    return np.sqrt(np.asarray(counts, float))
''',
    "p_o_kept": '''
# Post: answers get nearer the mean of those before.
KEPT = []
@dp.post_function("sixteenth.o_kept", gives=dp.Vector(1))
def f(counts):
    """Of released counts."""
    KEPT.append(float(np.asarray(counts, float)[0]))
    return np.array([float(np.mean(KEPT))])
''',
}
LATTICES = {
    "p_k_tenfold": '''
# Mask: a value's digits kept: tens without noise.
@dp.semimetric("sixteenth.k_tenfold", triangle=lambda r: 1.0)
def near(a, b):
    """A distance."""
    return float(np.sqrt(np.square(a - b).sum()))
@dp.mask("sixteenth.k_tenfold.mask", semimetric="sixteenth.k_tenfold", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """A mask."""
    tens = 10 * np.floor(value / 10)
    return tens + dp.lattice_gaussian(value - tens, noise, normals)
''',
}
