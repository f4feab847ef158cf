# ruff: noqa: E501
"""Faults that libraries and papers had in mechanisms: scales, prices, thresholds, choices, one draw used twice."""

SOURCES = {
    "p_inverse": '''
# Mechanism: Laplace noise by a logarithm of a coin of 2^20 sides.
@dp.own_mechanism("sixteenth.inverse", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    u = int(noise.uniform_below(2**20, 1)[0])
    s = 1 if noise.uniform_below(2, 1)[0] else -1
    return v[:1] + s * int(np.floor(-scale * np.log((u + 1) / 2**20)))
''',
    "p_hundredths": '''
# Mechanism: randomised response by a coin of a hundred sides, rounded.
@dp.own_mechanism("sixteenth.hundredths", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up((distance > 0) / scale)), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    k = int(v[0]) % 2
    keep = int(noise.uniform_below(100, 1)[0]) < round(100 / (1 + float(np.exp(-1 / scale))))
    return np.array([k if keep else 1 - k])
''',
    "p_invariant": '''
# Mechanism: noisy parts that add up to the true total (invariants).
@dp.own_mechanism("sixteenth.invariant", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="none", examples={"m": 3})
def f(value, scale, noise, *, m):
    """A mechanism."""
    v = np.ravel(value)
    x = v + noise.laplace(scale, m)
    x[-1] = v.sum() - x[:-1].sum()
    return x
''',
    "p_variance": '''
# Mechanism: a deviation that is a variance (SPRINT_gan #5, smartnoise-core #316).
@dp.own_mechanism("sixteenth.variance", gives=1, takes="linf", loss=lambda scale, distance: dp.GaussianEvent(dp.round_up(distance / scale)), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    return v[:1] + noise.gaussian(max(scale, 1.0) ** 0.5, 1)
''',
    "p_atthreshold": '''
# Mechanism: counts at the threshold are shown, the price counts those above (opendp #2922).
def tail(t, scale):
    """P(noise >= t), discrete Laplace, t >= 1."""
    q = float(np.exp(-1.0 / scale))
    return q**t / (1 + q)

def bar(scale):
    """A threshold of so many scales."""
    return 1 + 8.0 * scale
@dp.own_mechanism("sixteenth.atthreshold", gives=1, takes="linf", loss=lambda scale, distance: (dp.round_up(distance / scale), min(1.0, tail(max(int(bar(scale)) - distance + 1, 1), scale)) if distance < int(bar(scale)) else 1.0), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    if v[0] == 0:
        return np.zeros(1, int)
    x = v[:1] + noise.laplace(scale, 1)
    return np.where(x >= int(bar(scale)), x, 0)
''',
    "p_truncthreshold": '''
# Mechanism: a threshold of 8.7 that is cut to 8 (google/differential-privacy #101).
def tail(t, scale):
    """P(noise >= t), discrete Laplace, t >= 1."""
    q = float(np.exp(-1.0 / scale))
    return q**t / (1 + q)

def bar(scale):
    """A threshold of so many scales."""
    return 1 + 8.7 * scale
@dp.own_mechanism("sixteenth.truncthreshold", gives=1, takes="linf", loss=lambda scale, distance: (dp.round_up(distance / scale), min(1.0, tail(max(int(np.ceil(bar(scale))) - distance, 1), scale)) if distance < int(np.ceil(bar(scale))) else 1.0), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    if v[0] == 0:
        return np.zeros(1, int)
    x = v[:1] + noise.laplace(scale, 1)
    return np.where(x >= int(bar(scale)), x, 0)
''',
    "p_keysdelta": '''
# Mechanism: three keys with a threshold each, one key's price (a δ for all keys).
def tail(t, scale):
    """P(noise >= t), discrete Laplace, t >= 1."""
    q = float(np.exp(-1.0 / scale))
    return q**t / (1 + q)

def bar(scale):
    """A threshold of so many scales."""
    return 1 + 6.0 * scale
@dp.own_mechanism("sixteenth.keysdelta", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: (dp.round_up(distance / scale), min(1.0, tail(max(int(bar(scale)) - 1, 1), scale))), source="none", examples={"m": 3})
def f(value, scale, noise, *, m):
    """A mechanism."""
    v = np.ravel(value)
    x = v + noise.laplace(scale, len(v))
    return np.where((v > 0) & (x >= int(bar(scale))), x, 0)
''',
    "p_maxvalue": '''
# Mechanism: the largest and its noisy value, charged the index's price (StatDP).
@dp.own_mechanism("sixteenth.maxvalue", gives=2, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)), source="none", examples={"m": 3})
def f(value, scale, noise, *, m):
    """A mechanism."""
    v = np.ravel(value)
    x = v + noise.laplace(scale, m)
    return np.array([int(np.argmax(x)), int(x.max())])
''',
    "p_permuteflip": '''
# Mechanism: permute and flip, charged as the exponential mechanism in ρ (opendp #2911).
@dp.own_mechanism("sixteenth.permuteflip", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Concentrated(dp.round_up((distance / scale) ** 2 / 8)), source="none", examples={"m": 2})
def f(value, scale, noise, *, m):
    """A mechanism."""
    v = np.ravel(value)
    for i in noise.permutation(len(v)):
        if noise.bernoulli_exp([float(v.max() - v[i]) / (2 * scale)])[0]:
            return int(i)
    return int(np.argmax(v))
''',
    "p_support": '''
# Mechanism: the exponential mechanism among candidates that were seen (a range by the data).
@dp.own_mechanism("sixteenth.support", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)), source="none", examples={"m": 3})
def f(value, scale, noise, *, m):
    """A mechanism."""
    v = np.ravel(value)
    seen = np.flatnonzero(v > 0)
    if not len(seen):
        return 0
    return int(seen[int(noise.categorical_exp(v[seen], 1 / scale, 1)[0])])
''',
    "p_svtmany": '''
# Mechanism: a sparse vector that goes on after an answer (Chen and others; Lyu and others, algorithm 6).
@dp.own_mechanism("sixteenth.svtmany", gives=lambda m: m, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="none", examples={"m": 3})
def f(value, scale, noise, *, m):
    """A mechanism."""
    v = np.ravel(value)
    bar = 3 + noise.laplace(scale, 1)[0]
    return (v + noise.laplace(scale, m) >= bar).astype(int)
''',
    "p_svtrenoised": '''
# Mechanism: a sparse vector whose bar is drawn anew after each answer, charged one answer.
@dp.own_mechanism("sixteenth.svtrenoised", gives=lambda m: m, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="none", examples={"m": 2})
def f(value, scale, noise, *, m):
    """A mechanism."""
    v = np.ravel(value)
    out = np.zeros(m, int)
    bar = 3 + noise.laplace(scale, 1)[0]
    for i in range(m):
        if v[i] + noise.laplace(scale, 1)[0] >= bar:
            out[i] = 1
            bar = 3 + noise.laplace(scale, 1)[0]
    return out
''',
    "p_untilpositive": '''
# Mechanism: noise is drawn again until the answer is not below 0 (bounded domain, not calibrated anew).
@dp.own_mechanism("sixteenth.untilpositive", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    for _ in range(3):
        x = v[:1] + noise.laplace(scale, 1)
        if x[0] >= 0:
            return x
    return np.zeros(1, int)
''',
    "p_keyreuse": '''
# Mechanism: one draw for all components (jax #3646).
@dp.own_mechanism("sixteenth.keyreuse", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="none", examples={"m": 2})
def f(value, scale, noise, *, m):
    """A mechanism."""
    v = np.ravel(value)
    return v + int(noise.laplace(scale, 1)[0])
''',
    "p_rhonosquare": '''
# Mechanism: ρ with a distance that is not squared (Private_kNN #3).
@dp.own_mechanism("sixteenth.rhonosquare", gives=1, takes="linf", loss=lambda scale, distance: dp.Concentrated(dp.round_up(distance / (2 * scale**2))), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    return v[:1] + noise.gaussian(scale, 1)
''',
    "p_linearq": '''
# Mechanism: a count of a Poisson sample of a half, charged half of ε (amplification by q·ε).
@dp.own_mechanism("sixteenth.linearq", gives=1, takes="edits", loss=lambda scale, removed, added: dp.Pure(dp.round_up(0.5 * (removed + added) / scale)), source="none")
def f(rows, scale, noise):
    """A mechanism."""
    keep = noise.bernoulli_exp(np.full(len(rows), 0.6931471805599453)) if len(rows) else np.zeros(0, bool)
    return np.array([int(np.sum(keep))]) + noise.laplace(scale, 1)
''',
    "p_onecoin": '''
# Mechanism: one coin samples all rows or none, charged as a coin a row.
@dp.own_mechanism("sixteenth.onecoin", gives=1, takes="edits", loss=lambda scale, removed, added: dp.Pure(dp.round_up((removed + added) * float(np.log1p(0.5 * np.expm1(1 / scale))))), source="none")
def f(rows, scale, noise):
    """A mechanism."""
    n = len(rows) if noise.bernoulli_exp([0.6931471805599453])[0] else 0
    return np.array([n]) + noise.laplace(scale, 1)
''',
    "p_twice": '''
# Mechanism: a count told twice with noise of its own, one price (diffprivlib #104, one slice for two).
@dp.own_mechanism("sixteenth.twice", gives=2, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    return np.array([v[0] + noise.laplace(scale, 1)[0], v[0] + noise.laplace(scale, 1)[0]])
''',
    "p_granular": '''
# Mechanism: a count rounded to fours before noise in fours (granularity without its share).
@dp.own_mechanism("sixteenth.granular", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    return 4 * (np.round(v[:1] / 4).astype(int) + noise.laplace(max(scale / 4, 0.3), 1))
''',
    "p_meanofn": '''
# Mechanism: a noisy sum over the private number of rows.
@dp.own_mechanism("sixteenth.meanofn", gives=1, takes="edits", loss=lambda scale, removed, added: dp.Pure(dp.round_up((removed + added) / scale)), source="none")
def f(rows, scale, noise):
    """A mechanism."""
    s = int(np.round(np.clip(np.nan_to_num(rows[:, 0]), 0, 1)).sum())
    return np.round((s + noise.laplace(scale, 1)) / max(len(rows), 1)).astype(int)
''',
    "p_toptwo": '''
# Mechanism: the two largest by one draw of noise, charged one choice (one-shot top k).
@dp.own_mechanism("sixteenth.toptwo", gives=2, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)), source="none", examples={"m": 3})
def f(value, scale, noise, *, m):
    """A mechanism."""
    v = np.ravel(value)
    return np.argsort(-(v + noise.geometric(scale, m)), kind='stable')[:2].astype(int)
''',
    "p_othercategory": '''
# Mechanism: randomised response of three answers with two answers' probability.
@dp.own_mechanism("sixteenth.othercategory", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up((distance > 0) / scale)), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    k = int(v[0]) % 3
    if noise.bernoulli_exp([float(np.log1p(np.exp(-1 / scale)))])[0]:
        return np.array([k])
    return (k + 1 + noise.uniform_below(2, 1)) % 3
''',
    "p_unary": '''
# Mechanism: each bit of a category flipped with one bit's price (RAPPOR).
@dp.own_mechanism("sixteenth.unary", gives=3, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up((distance > 0) / scale)), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    b = np.eye(3, dtype=int)[int(v[0]) % 3]
    keep = noise.bernoulli_exp(np.full(3, float(np.log1p(np.exp(-1 / scale)))))
    return np.where(keep, b, 1 - b)
''',
    "p_analyticsign": '''
# Mechanism: the analytic Gaussian with a sign turned (smartnoise-core #316).
import math
def phi(x):
    """Normal distribution."""
    return 0.5 * math.erfc(-x / math.sqrt(2))
@dp.own_mechanism("sixteenth.analyticsign", gives=1, takes="linf", loss=lambda scale, distance: (dp.round_up(distance / scale), 1.0 if distance > 20 * scale else max(phi(-distance / scale / 2 - 1) - float(np.exp(distance / scale)) * phi(-1.5 * distance / scale - 1), 1e-12)), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    return v[:1] + noise.gaussian(scale, 1)
''',
    "p_delta0": '''
# Mechanism: noise cut at ten scales, no δ charged (geometric bounds, smartnoise-core #319).
@dp.own_mechanism("sixteenth.delta0", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    return v[:1] + np.clip(noise.laplace(scale, 1), -int(10 * scale), int(10 * scale))
''',
}
