# ruff: noqa: E501
"""The mended versions of what libraries had wrong: mechanisms."""

SOURCES = {
    "p_c_v_thresholds": '''
# Mechanism: counts above a threshold of eight scales, of three keys, all of whose δ are charged.
def tail(t, scale):
    """P(noise >= t), discrete Laplace, t >= 1."""
    q = float(np.exp(-1.0 / scale))
    return q**t / (1 + q)
@dp.own_mechanism("sixteenth.c_v_thresholds", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: (dp.round_up(distance / scale), min(1.0, max(distance, 1) * tail(max(int(8 * scale) + 1 - distance, 1), scale)) if distance < 8 * scale else 1.0), source="none", examples={"m": 3})
def f(value, scale, noise, *, m):
    """A mechanism."""
    v = np.ravel(value)
    x = v + noise.laplace(scale, len(v))
    return np.where((v > 0) & (x >= int(8 * scale) + 1), x, 0)
''',
    "p_c_threshold": '''
# Mechanism: counts above the threshold are shown, of all others 0.
def tail(t, scale):
    """P(noise >= t), discrete Laplace, t >= 1."""
    q = float(np.exp(-1.0 / scale))
    return q**t / (1 + q)

def bar(scale):
    """A threshold of so many scales."""
    return 1 + 8.0 * scale
@dp.own_mechanism("sixteenth.c_threshold", gives=1, takes="linf", loss=lambda scale, distance: (dp.round_up(distance / scale), min(1.0, tail(max(int(bar(scale)) - distance, 1), scale)) if distance < int(bar(scale)) else 1.0), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    if v[0] == 0:
        return np.zeros(1, int)
    x = v[:1] + noise.laplace(scale, 1)
    return np.where(x >= int(bar(scale)), x, 0)
''',
    "p_c_range": '''
# Mechanism: the exponential mechanism in ρ.
@dp.own_mechanism("sixteenth.c_range", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Concentrated(dp.round_up((2 * distance / scale) ** 2 / 8)), source="none", examples={"m": 2})
def f(value, scale, noise, *, m):
    """A mechanism."""
    v = np.ravel(value)
    return int(noise.categorical_exp(v, 1 / scale, 1)[0])
''',
    "p_c_permuteflip": '''
# Mechanism: permute and flip in ρ by its ε.
@dp.own_mechanism("sixteenth.c_permuteflip", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Concentrated(dp.round_up((distance / scale) ** 2 / 2)), source="none", examples={"m": 2})
def f(value, scale, noise, *, m):
    """A mechanism."""
    v = np.ravel(value)
    for i in noise.permutation(len(v)):
        if noise.bernoulli_exp([float(v.max() - v[i]) / (2 * scale)])[0]:
            return int(i)
    return int(np.argmax(v))
''',
    "p_c_difference": '''
# Mechanism: a difference of two geometric draws is discrete Laplace.
@dp.own_mechanism("sixteenth.c_difference", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    return v[:1] + noise.geometric(scale, 1) - noise.geometric(scale, 1)
''',
    "p_c_twice": '''
# Mechanism: a count told twice, two prices.
@dp.own_mechanism("sixteenth.c_twice", gives=2, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(2 * distance / scale)), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    return np.array([v[0] + noise.laplace(scale, 1)[0], v[0] + noise.laplace(scale, 1)[0]])
''',
    "p_c_clamped": '''
# Mechanism: a noisy count held within 0..1000.
@dp.own_mechanism("sixteenth.c_clamped", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    return np.clip(v[:1] + noise.laplace(scale, 1), 0, 1000)
''',
    "p_c_gausslinf": '''
# Mechanism: a vector with Gaussian noise, charged the root of its length.
@dp.own_mechanism("sixteenth.c_gausslinf", gives=lambda m: m, takes="linf", loss=lambda scale, distance, m: dp.GaussianEvent(dp.round_up(distance * float(np.sqrt(m)) * (1 + 1e-9) / scale)), source="none", examples={"m": 2})
def f(value, scale, noise, *, m):
    """A mechanism."""
    v = np.ravel(value)
    return v + noise.rounded_gaussian(scale, m)
''',
    "p_c_halves": '''
# Mechanism: noise of two halves, each with half of the scale's rate.
@dp.own_mechanism("sixteenth.c_halves", gives=2, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    return np.array([v[0] + noise.laplace(2 * scale, 1)[0], v[0] + noise.laplace(2 * scale, 1)[0]])
''',
    "p_c_bits": '''
# Mechanism: three scores against one noisy bar, charged three.
@dp.own_mechanism("sixteenth.c_bits", gives=lambda m: m, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(m * distance / scale)), source="none", examples={"m": 3})
def f(value, scale, noise, *, m):
    """A mechanism."""
    v = np.ravel(value)
    bar = 3 + noise.laplace(scale, 1)[0]
    return (v + noise.laplace(scale, m) >= bar).astype(int)
''',
}
