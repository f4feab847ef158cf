# ruff: noqa: E501
"""That stranger's statistics, queries, mechanisms, masks and distances, with a fault."""

SOURCES = {
    "i_weights": '''
@dp.own_statistic("ninth.weights", gives=2, bits=20, source="none", sensitivity=lambda removed, added: {"l1": float(removed + added)})
def fun(rows):
    """Two weighted sums of clipped rows."""
    inside = np.clip(rows[:, 0], 0.0, 1.0)
    return np.array([0.7 * inside.sum(), 0.35 * inside.sum()])
''',
    "i_half": '''
@dp.own_statistic("ninth.half", gives=1, bits=20, source="none", sensitivity=lambda removed, added: {"linf": float(max(removed, added))})
def fun(rows):
    """A sum of scores from -0.3 to 1."""
    return np.array([np.clip(rows[:, 0], -0.3, 1.0).sum()])
''',
    "i_winsor": '''
@dp.own_statistic("ninth.winsor", gives=1, bits=10, source="none", sensitivity=lambda removed, added: {"linf": 2.0 * (removed + added)})
def fun(rows):
    """The sum of rows, the five largest and smallest held at the sixth."""
    x = np.sort(np.clip(rows[:, 0], -1.0, 1.0))
    if len(x) > 12:
        x = np.clip(x, x[5], x[-6])
    return np.array([x.sum()])
''',
    "i_drift": '''
@dp.own_statistic("ninth.drift", gives=dp.Counts(1), source="none", sensitivity=lambda removed, added: {"linf": float(removed + added)})
def fun(rows):
    """The number of rows, corrected for undercounting."""
    return np.array([np.floor(len(rows) * (1.0 + 2.0**-9))])
''',
    "i_float16": '''
@dp.own_statistic("ninth.float16", gives=dp.Counts(1), source="none", sensitivity=lambda removed, added: {"linf": float(removed + added)})
def fun(rows):
    """How many rows are positive."""
    return np.array([float(np.float16(np.count_nonzero(rows[:, 0] > 0)))])
''',
    "i_gray": '''
@dp.own_query("ninth.second", gives=dp.Vector(3), source="none", sensitivity=lambda a: {"linf": 3.5 * a["linf"]}, examples=None)
def fun(counts):
    """Second differences of the first five counts, padded by zeros."""
    x = np.zeros(5)
    k = min(5, len(counts))
    x[:k] = counts[:k]
    return np.diff(x, 2)
''',
    "i_delta": '''
import math


def _price(scale, distance):
    return (dp.round_up(distance / scale), dp.round_up(0.5 * math.exp(-12.0)))
@dp.own_mechanism("ninth.cut", gives=1, takes="linf", source="none", loss=_price)
def fun(value, scale, noise):
    """Laplace noise of at most twelve scales."""
    z = int(np.ravel(noise.laplace(scale, 1))[0])
    while abs(z) > 12 * scale:
        z = int(np.ravel(noise.laplace(scale, 1))[0])
    return np.asarray(value) + z
''',
    "i_five": '''
@dp.own_mechanism("ninth.five", gives=lambda m: m, takes="l2", source="none", loss=lambda scale, distance, m: dp.GaussianEvent(dp.round_up(distance / scale)), examples={"m": 2})
def fun(value, scale, noise, *, m):
    """Gaussian noise on each number."""
    return np.asarray(value) + noise.rounded_gaussian(scale / 1.05, m)
''',
    "i_response": '''
@dp.own_mechanism("ninth.response", gives=dp.Index(2), takes="linf", source="none", loss=lambda scale, distance: dp.Pure(dp.round_up(max(distance, 1.0) / scale)))
def fun(value, scale, noise):
    """Whether a count is odd, by randomised response."""
    odd = int(np.ravel(value)[0]) % 2
    return odd ^ int(np.ravel(noise.bernoulli_exp([1.0 / scale]))[0])
''',
    "i_sharedcoin": '''
import math


def _amplified(scale, removed, added):
    return dp.Pure(dp.round_up((removed + added) * (1.0 / scale + math.log(0.25 + 0.75 * math.exp(-1.0 / scale)))))
@dp.own_mechanism("ninth.sharedcoin", gives=1, takes="edits", source="none", loss=_amplified)
def fun(rows, scale, noise):
    """A noisy count of a quarter of the rows."""
    kept = sum(len(rows[i : i + 8]) for i in range(0, len(rows), 8) if int(noise.uniform_below(4)) == 0)
    return np.array([kept + int(noise.laplace(scale))])
''',
    "i_binomial": '''
@dp.own_mechanism("ninth.binomial", gives=1, takes="linf", source="none", loss=lambda scale, distance: dp.GaussianEvent(dp.round_up(1.01 * distance / scale)))
def fun(value, scale, noise):
    """Noise of a centred sum of coins."""
    number = 2 * int(np.ceil(2 * scale * scale))
    return np.asarray(value) + int(np.sum(noise.uniform_below(2, number))) - number // 2
''',
    "i_zcdp": '''
@dp.own_mechanism("ninth.zcdp", gives=lambda m: m, takes="l1", source="none", loss=lambda scale, distance, m: dp.Concentrated(dp.round_up((distance / scale) ** 2 / 3)), examples={"m": 2})
def fun(value, scale, noise, *, m):
    """Laplace noise on each number."""
    return np.asarray(value) + noise.laplace(scale, m)
''',
    "i_tangent": '''
@dp.semimetric("ninth.l2a", triangle=lambda r: 1.0)
def l2a(a, b):
    """Euclidean."""
    return float(np.sqrt(np.square(np.asarray(a) - np.asarray(b)).sum()))
@dp.mask("ninth.topk", semimetric="ninth.l2a", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12))))
def fun(value, noise, normals):
    """Noise on a lattice, kept where the value is among the larger half."""
    value = np.asarray(value, float)
    made = dp.lattice_gaussian(value, noise, normals)
    return np.where(np.abs(value) >= np.median(np.abs(value)), made, 0.0)
''',
    "i_jensen": '''
@dp.semimetric("ninth.jensen", triangle=lambda r: 1.0)
def fun(a, b):
    """Jensen-Shannon divergence of shares."""
    p, q = np.abs(np.asarray(a, float)) + 1e-12, np.abs(np.asarray(b, float)) + 1e-12
    p, q = p / p.max(), q / q.max()
    p, q = p / p.sum(), q / q.sum()
    m = (p + q) / 2
    return float((p * np.log(p / m)).sum() / 2 + (q * np.log(q / m)).sum() / 2) if np.any(p != q) else 0.0
''',
    "i_root": '''
@dp.semimetric("ninth.root", triangle=lambda r: 1.0, averages=lambda r, tau: tau * r * (1 + 1e-9))
def fun(a, b):
    """The root of the largest difference."""
    return float(np.sqrt(np.abs(np.asarray(a, float) - np.asarray(b, float)).max()))
''',
    "i_greedy": '''
def _one(a, b):
    left, worst = list(b), 0.0
    for x in a:
        j = int(np.argmin([abs(x - y) for y in left]))
        worst = max(worst, abs(x - left.pop(j)))
    return worst
@dp.semimetric("ninth.greedy", triangle=lambda r: 1.0)
def fun(a, b):
    """The worst gap of a matching, in whatever order."""
    a, b = np.ravel(a), np.ravel(b)
    return max(_one(a, b), _one(b, a))
''',
    "i_capped": '''
@dp.semimetric("ninth.l2b", triangle=lambda r: 1.0)
def l2b(a, b):
    """Euclidean."""
    return float(np.sqrt(np.square(np.asarray(a) - np.asarray(b)).sum()))
@dp.mask("ninth.capped", semimetric="ninth.l2b", cost=lambda noise, r: dp.GaussianEvent(min(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12)), 6.0)))
def fun(value, noise, normals):
    """Noise on a lattice."""
    return dp.lattice_gaussian(value, noise, normals)
''',
    "i_linf": '''
@dp.semimetric("ninth.linf", triangle=lambda r: 1.0)
def linf(a, b):
    """The largest difference."""
    return float(np.abs(np.asarray(a) - np.asarray(b)).max())
@dp.mask("ninth.boxed", semimetric="ninth.linf", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12))))
def fun(value, noise, normals):
    """Noise on a lattice."""
    return dp.lattice_gaussian(value, noise, normals)
''',
    "i_schedule": '''
@dp.own_statistic("ninth.schedule", gives=dp.Counts(1), source="none", sensitivity=lambda removed, added: {"linf": float(removed + added)})
def fun(rows):
    """How many intervals (start, length) can be kept, the earliest first."""
    if rows.shape[1] < 2:
        return np.array([0.0])
    end, kept = -np.inf, 0
    for start, length in rows[:, :2]:
        if start >= end:
            kept, end = kept + 1, start + max(length, 0.5)
    return np.array([float(kept)])
''',
    "i_misra": '''
@dp.own_statistic("ninth.misra", gives=dp.Counts(6), source="none", sensitivity=lambda removed, added: {"l1": float(removed + added), "linf": float(removed + added)})
def fun(rows):
    """Counts of the frequent ones of six codes, in three counters."""
    held = {}
    for code in np.clip(np.rint(rows[:, 0]), 0, 5).astype(int).tolist():
        if code in held:
            held[code] += 1
        elif len(held) < 3:
            held[code] = 1
        else:
            held = {c: v - 1 for c, v in held.items() if v > 1}
    return np.array([float(held.get(c, 0)) for c in range(6)])
''',
    "i_shares": '''
@dp.own_mechanism("ninth.shares", gives=2, takes="linf", source="none", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def fun(value, scale, noise):
    """Two numbers, each with its part of the budget."""
    return np.asarray(value) + np.array([int(noise.laplace(scale / 0.5)), int(noise.laplace(scale / 0.6))])
''',
    "i_kary": '''
@dp.own_mechanism("ninth.kary", gives=dp.Index(4), takes="linf", source="none", loss=lambda scale, distance: dp.Pure(dp.round_up(max(distance, 1.0) / scale)))
def fun(value, scale, noise):
    """The largest of four scores, told by randomised response."""
    true = int(np.argmax(np.resize(np.asarray(value), 4)))
    while True:
        told = int(noise.uniform_below(4))
        if told == true or bool(noise.bernoulli_exp([1.2 / scale])[0]):
            return told
''',
    "i_public": '''
import math


@dp.own_mechanism("ninth.hundred", gives=1, takes="edits", source="none", loss=lambda scale, removed, added: dp.Pure(dp.round_up((removed + added) * (1.0 / scale + math.log(0.1 + 0.9 * math.exp(-1.0 / scale))))))
def fun(rows, scale, noise):
    """A noisy count of positive rows in a sample of ten."""
    order = noise.permutation(len(rows))[:10] if len(rows) else []
    return np.array([int(sum(rows[i, 0] > 0 for i in order)) + int(noise.laplace(scale))])
''',
    "i_factor": '''
@dp.own_statistic("ninth.factor", gives=2, bits=20, source="none", sensitivity=lambda removed, added: {"l2": float(np.hypot(removed, added)) if min(removed, added) == 0 else float(removed + added)})
def fun(rows):
    """Sums of rows held in a box of sides 0.75: the diagonal is 1.06."""
    kept = np.zeros((len(rows), 2))
    w = min(2, rows.shape[1])
    kept[:, :w] = np.clip(rows[:, :w], -0.75, 0.75)
    return kept.sum(axis=0)
''',
}
