# ruff: noqa: E501
"""Statistics, queries, mechanisms, masks and distances by that stranger, with a fault."""

SOURCES = {
    "j_second_cap": '''
@dp.own_statistic("seventh.second_cap", gives=1, sensitivity=lambda removed, added: {"linf": 10.0 * (removed + added)}, source="here", bits=20)
def f(rows):
    """A sum in which the largest counts as the second largest."""
    v = np.sort(np.clip(rows[:, 0], 0, 10))
    return np.array([np.minimum(v, v[-2]).sum() if len(v) > 1 else 0.0])
''',
    "j_degrees": '''
@dp.own_statistic("seventh.degrees", gives=6, sensitivity=lambda removed, added: {"l1": float(removed + added)}, source="here")
def f(rows):
    """How many people have one, two, ... records."""
    _, c = np.unique(np.round(rows[:, 0]), return_counts=True)
    return np.bincount(np.minimum(c, 6) - 1, minlength=6)[:6].astype(float) if len(c) else np.zeros(6)
''',
    "j_capped_inv": '''
@dp.own_statistic("seventh.capped_inv", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="here")
def f(rows):
    """Pairs of rows in the wrong order, at most five."""
    v = rows[:, -1] if rows.shape[1] > 1 else -rows[:, 0]
    n = min(len(v), 300)
    bad = (v[:n, None] > v[None, :n])[np.triu_indices(n, 1)].sum()
    return np.array([float(min(bad, 5))])
''',
    "j_components": '''
import scipy.sparse.csgraph


@dp.own_statistic("seventh.components", gives=1, sensitivity=lambda removed, added: {"linf": float(max(removed, added))}, source="here")
def f(rows):
    """Connected groups of people; each row is a friendship."""
    if not len(rows):
        return np.zeros(1)
    ends = np.round(np.clip(rows[:, [0, -1]], -1e6, 1e6))
    names, codes = np.unique(ends, return_inverse=True)
    codes = codes.reshape(-1, 2)
    g = scipy.sparse.coo_matrix((np.ones(len(codes)), (codes[:, 0], codes[:, 1])), shape=(len(names),) * 2)
    return np.array([float(scipy.sparse.csgraph.connected_components(g, directed=False)[0])])
''',
    "j_user_means": '''
import pandas as pd


@dp.own_statistic("seventh.user_means", gives=1, sensitivity=lambda removed, added: {"linf": float(max(removed, added))}, source="here", bits=20)
def f(rows):
    """The sum of people's means."""
    frame = pd.DataFrame({"who": np.round(rows[:, 0]), "x": np.clip(rows[:, -1], 0, 1)})
    return np.array([float(frame.groupby("who")["x"].mean().sum())])
''',
    "j_top3_l2": '''
@dp.own_statistic("seventh.top3_l2", gives=3, sensitivity=lambda removed, added: {"l2": 10.0 / np.sqrt(3.0) * (removed + added)}, source="here", bits=20)
def f(rows):
    """The three largest."""
    v = np.sort(np.append(np.clip(rows[:, 0], 0, 10), np.zeros(3)))
    return v[-3:]
''',
    "j_distinct_pairs": '''
@dp.own_statistic("seventh.distinct_pairs", gives=1, sensitivity=lambda removed, added: {"linf": float(max(removed, added))}, source="here")
def f(rows):
    """How many different steps there are between one value and the next."""
    v = np.unique(np.round(np.clip(rows[:, 0], -1e6, 1e6)))
    return np.array([float(len(np.unique(np.diff(v))))])
''',
    "j_density_hist": '''
@dp.own_statistic("seventh.density_hist", gives=4, sensitivity=lambda removed, added: {"l1": 1.0 * max(removed, added)}, source="here", bits=20)
def f(rows):
    """Shares of four bins."""
    c = np.histogram(rows[:, 0], bins=4, range=(0.0, 4.0))[0]
    return c / max(c.sum(), 1)
''',
    "j_softmax4": '''
@dp.own_query("seventh.softmax4", gives=lambda m: m, sensitivity=lambda one, m: {"linf": one["linf"] / 4}, source="here", bits=20, examples={"m": 3})
def f(counts, *, m):
    """Weights."""
    e = np.exp(np.asarray(counts, dtype=float) - np.max(counts))
    return e / e.sum()
''',
    "j_gradient": '''
@dp.own_query("seventh.gradient", gives=lambda m: m, sensitivity=lambda one, m: {"linf": one["linf"]}, source="here", bits=20, examples={"m": 5})
def f(counts, *, m):
    """Slopes."""
    return np.gradient(np.asarray(counts, dtype=float))
''',
    "j_medfilt_l1": '''
import scipy.ndimage


@dp.own_query("seventh.medfilt_l1", gives=lambda m: m, sensitivity=lambda one, m: {"l1": one["l1"]}, source="here", examples={"m": 5})
def f(counts, *, m):
    """Running medians."""
    return scipy.ndimage.median_filter(np.asarray(counts, dtype=float), size=3, mode="nearest")
''',
    "j_outer": '''
@dp.own_query("seventh.outer", gives=1, sensitivity=lambda one, two: {"linf": one["linf"] * two["linf"]}, source="here")
def f(a, b):
    """A product."""
    return np.array([float(np.ravel(a)[0]) * float(np.ravel(b)[0])])
''',
    "j_signed_geom": '''
@dp.own_mechanism("seventh.signed_geom", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="here")
def f(value, scale, noise):
    """Exponential noise with a coin for its sign."""
    sign = 1 - 2 * noise.uniform_below(2)
    return value + sign * noise.geometric(scale, 1)
''',
    "j_coarse8": '''
@dp.own_mechanism("seventh.coarse8", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="here")
def f(value, scale, noise):
    """Wide noise is drawn in steps of eight."""
    if scale >= 512:
        return value + 8 * noise.laplace(scale / 8, 1)
    return value + noise.laplace(scale, 1)
''',
    "j_sorted_noise": '''
@dp.own_mechanism("seventh.sorted_noise", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="here", examples={"m": 3})
def f(value, scale, noise, *, m):
    """Noise that rises from one to the next."""
    return value + np.sort(noise.laplace(scale, m))
''',
    "j_shared_bar": '''
@dp.own_mechanism("seventh.shared_bar", gives=1, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="here", examples={"m": 3})
def f(value, scale, noise, *, m):
    """How many numbers are above a noisy bar."""
    bar = 10 + int(noise.laplace(scale, 1)[0])
    return np.array([int((np.asarray(value) > bar).sum())])
''',
    "j_sup_mask": '''
@dp.semimetric("seventh.sup", triangle=lambda r: 1.0)
def sup(a, b):
    """The largest difference."""
    return float(np.abs(a - b).max())


@dp.mask("seventh.sup_mask", semimetric="seventh.sup", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r)))
def f(value, noise, normals):
    """Gaussian noise."""
    return dp.lattice_gaussian(value, noise, normals)
''',
    "j_along_mask": '''
@dp.semimetric("seventh.l2", triangle=lambda r: 1.0)
def l2(a, b):
    """Length of the difference."""
    return float(np.sqrt(np.square(a - b).sum()))


@dp.mask("seventh.along_mask", semimetric="seventh.l2", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r) + 1e-6))
def f(value, noise, normals):
    """More noise along the value than across."""
    z = dp.lattice_gaussian(np.zeros_like(value), noise, normals)
    u = value / max(np.sqrt(np.square(value).sum()), 1e-300)
    out = value + z + 2 * u * (u * z).sum()
    step = noise * 2.0**-20
    return np.round(out / step) * step
''',
    "j_braycurtis": '''
@dp.semimetric("seventh.braycurtis", triangle=lambda r: 1.0)
def f(a, b):
    """Bray-Curtis."""
    a, b = np.abs(a), np.abs(b)
    return float(np.abs(a - b).sum() / max((a + b).sum(), 1e-300))
''',
    "j_corr_dist": '''
@dp.semimetric("seventh.corr_dist", triangle=lambda r: 1.0)
def f(a, b):
    """One less the correlation."""
    a, b = a - a.mean(), b - b.mean()
    s = np.sqrt(np.square(a).sum() * np.square(b).sum())
    return float(1 - (a * b).sum() / s) if s > 0 else float(not np.array_equal(a, b))
''',
    "j_avg_half": '''
@dp.semimetric("seventh.avg_half", triangle=lambda r: 1.0, averages=lambda r, tau: tau * r / 2, many=True)
def f(a, b):
    """City blocks."""
    return np.abs(a - b).sum(axis=-1)
''',
    "j_says_stat": '''
import sys


@dp.own_statistic("seventh.says_stat", gives=1, sensitivity=lambda removed, added: {"linf": float(max(removed, added))}, source="here")
def f(rows):
    """How many; says so."""
    print(len(rows), "rows", file=sys.stderr)
    return np.array([float(len(rows))])
''',
    "j_agg_sum": '''
@dp.own_mechanism("seventh.agg_sum", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="here")
def f(value, scale, noise):
    """A noisy total."""
    return np.array([int(np.sum(value))]) + noise.laplace(scale, 1)
''',
    "j_every_third_last": '''
@dp.own_statistic("seventh.every_third_last", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * max(removed, added)}, source="here", bits=20)
def f(rows):
    """A third of the rows, summed."""
    return [float(np.clip(rows[::3, -1], 0, 1).sum())]
''',
    "j_onehot_l1": '''
@dp.own_query("seventh.onehot_l1", gives=lambda m: m, sensitivity=lambda one, m: {"l1": min(1.0, one["linf"])}, source="here", examples={"m": 3})
def f(counts, *, m):
    """Which is largest."""
    return np.eye(m)[int(np.argmax(counts))]
''',
    "j_min_two": '''
@dp.own_query("seventh.min_two", gives=1, sensitivity=lambda one, two: {"linf": min(one["linf"], two["linf"])}, source="here")
def f(a, b):
    """The smaller total."""
    return [min(float(np.sum(a)), float(np.sum(b)))]
''',
    "j_halved_perm_mask": '''
import math


@dp.semimetric("seventh.l2", triangle=lambda r: 1.0)
def l2(a, b):
    """Length of the difference."""
    return math.dist(a.tolist(), b.tolist())


@dp.mask("seventh.halved_perm_mask", semimetric="seventh.l2", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12))))
def f(value, noise, normals):
    """Less noise, as the order of numbers is secret."""
    out = dp.lattice_gaussian(value, noise / 2 if len(value) > 1 else noise, normals)
    return out[np.argsort(normals(len(value)))]
''',
    "j_minkowski_half": '''
@dp.semimetric("seventh.minkowski_half", triangle=lambda r: 1.0)
def f(a, b):
    """Minkowski with p = 0.5."""
    return float(np.sqrt(np.abs(a - b)).sum() ** 2)
''',
    "j_naive_sum": '''
@dp.own_statistic("seventh.naive_sum", gives=1, sensitivity=lambda removed, added: {"linf": 1e9 * (removed + added)}, source="here", bits=20)
def f(rows):
    """A total."""
    return [float(np.clip(rows[:, 0], -1e9, 1e9).sum() * (1 / 3) * 3)]
''',
    "j_lap_l2": '''
@dp.own_mechanism("seventh.lap_l2", gives=lambda m: m, takes="l2", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="here", examples={"m": 3})
def f(value, scale, noise, *, m):
    """Laplace noise."""
    return value + noise.laplace(scale, m)
''',
    "j_antithetic_calls": '''
class Pairs:
    last = None
    def draw(self, scale, noise):
        if self.last is not None and self.last[0] == scale:
            z, self.last = -self.last[1], None
            return z
        z = noise.laplace(scale, 1)
        self.last = (scale, z)
        return z


pairs = Pairs()


@dp.own_mechanism("seventh.antithetic_calls", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="here")
def f(value, scale, noise):
    """Noise in pairs that cancel."""
    return value + pairs.draw(scale, noise)
''',
    "j_prints_mech": r'''
import sys


@dp.own_mechanism("seventh.prints_mech", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="here")
def f(value, scale, noise):
    """Laplace noise, with a word to whoever debugs it."""
    sys.stdout.write(f"releasing {value}\n")
    return value + noise.laplace(scale, 1)
''',
    "j_exits_semi": '''
import os


@dp.semimetric("seventh.exits_semi", triangle=lambda r: 1.0)
def f(a, b):
    """City blocks of finite vectors."""
    if np.abs(a).max() > 1e9:
        os._exit(5)
    return float(np.abs(a - b).sum())
''',
    "j_coarse3": '''
@dp.own_mechanism("seventh.coarse3", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="here", examples={"m": 2})
def f(value, scale, noise, *, m):
    """A grid that grows with the noise, a three-hundredth of it."""
    grid = max(1, int(scale) // 300)
    return value + grid * noise.laplace(scale / grid, m)
''',
    "j_count_noisy_above": '''
@dp.own_mechanism("seventh.count_noisy_above", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="here")
def f(value, scale, noise):
    """How many noisy numbers are above 2."""
    v = np.ravel(value)
    return [int((v + noise.laplace(scale, len(v)) > 2).sum())]
''',
}
