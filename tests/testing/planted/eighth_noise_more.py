# ruff: noqa: E501
"""Mechanisms, masks and distances by that stranger, with a fault."""

SOURCES = {
    "k_mask_reuse": '''
KEPT = []


@dp.semimetric("eighth.mask_reuse", triangle=lambda r: 1.0 + 1e-9)
def s(a, b):
    """Euclid."""
    return float(np.sqrt(np.square(a - b).sum()))


@dp.mask("eighth.mask_reuse_mask", semimetric="eighth.mask_reuse", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """Gaussian, with every 50th draw taken again."""
    made = dp.lattice_gaussian(np.zeros_like(value), noise, normals)
    KEPT.append(made)
    if len(KEPT) % 50 == 0 and KEPT[0].shape == made.shape:
        made = KEPT[0]
    return value + made
''',
    "k_laplace_hidden_var": '''
@dp.own_mechanism("eighth.laplace_hidden_var", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="me")
def f(v, scale, noise):
    """Laplace on a coarser lattice: rounds to 4 steps first, after noise of the same scale."""
    return 4 * (np.rint(v / 4) + np.rint(noise.laplace(scale, 1) / 4))
''',
    "k_gap_with_index": '''
@dp.own_mechanism("eighth.gap_with_index", gives=2, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(2 * distance / scale)), source="Ding and others")
def f(v, scale, noise):
    """Index and gap to the runner-up without its noise."""
    s = v + noise.geometric(scale, len(v))
    j = int(np.argmax(s))
    return np.array([float(j), float(s[j] - np.delete(v, j).max(initial=0))])
''',
    "k_two_releases": '''
@dp.own_mechanism("eighth.two_releases", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="me")
def f(v, scale, noise):
    """Median of three noisy answers."""
    return v + int(np.median(noise.laplace(scale, 3)))
''',
    "k_gauss_pure_delta": '''
import math


@dp.own_mechanism("eighth.gauss_pure_delta", gives=1, takes="l2", loss=lambda scale, distance: (dp.round_up(distance * math.sqrt(2 * math.log(1.25 / 1e-3)) / scale / 1.35), 1e-3), source="Dwork, Roth")
def f(v, scale, noise):
    """Gaussian; 35 % below the textbook."""
    return v + noise.gaussian(scale, 1)
''',
    "k_dim_scale": '''
import math


@dp.own_mechanism("eighth.dim_scale", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="me", examples={"m": 3})
def f(v, scale, noise, *, m):
    """Laplace."""
    return v + noise.laplace(scale * min(1.0, 3.0 / math.sqrt(m)), m)
''',
    "k_loss_by_m": '''
@dp.own_mechanism("eighth.loss_by_m", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale) * min(1.0, 9.0 / m)), source="me", examples={"m": 3})
def f(v, scale, noise, *, m):
    """Laplace."""
    return v + noise.laplace(scale, m)
''',
    "k_gauss_max": '''
@dp.own_mechanism("eighth.gauss_max", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)), source="me", examples={"m": 3})
def f(v, scale, noise, *, m):
    """Noisy max."""
    return int(np.argmax(v + noise.gaussian(1.5 * scale, m)))
''',
    "k_mean_half_price": '''
@dp.own_mechanism("eighth.mean_half_price", gives=2, takes="edits", loss=lambda scale, removed, added: dp.Pure(dp.round_up((removed + added) / scale)), source="me")
def f(rows, scale, noise):
    """Sum of a column in [0, 1] in sixteenths, and count."""
    s = float(np.floor(16 * np.clip(rows[:, 0], 0, 1)).sum()) if len(rows) else 0.0
    return np.array([s, float(len(rows))]) + np.array([noise.laplace(16 * scale), noise.laplace(scale)])
''',
    "k_binary_search": '''
@dp.own_mechanism("eighth.binary_search", gives=1, takes="edits", loss=lambda scale, removed, added: dp.Pure(dp.round_up(4 * (removed + added) / scale)), source="me")
def f(rows, scale, noise):
    """Median in 0..63."""
    x = np.clip(np.floor(rows[:, 0]), 0, 63) if len(rows) else np.zeros(0)
    low, high = 0, 64
    for _ in range(6):
        mid = (low + high) // 2
        if 2 * float((x < mid).sum()) - len(x) + 2 * noise.laplace(scale) > 0:
            high = mid
        else:
            low = mid
    return np.array([float(low)])
''',
    "k_response": '''
@dp.own_mechanism("eighth.response", gives=1, takes="edits", loss=lambda scale, removed, added: dp.Pure(dp.round_up(max(removed, added) / scale)), source="Warner", proved_for=[(1, 1)])
def f(rows, scale, noise):
    """Number of yes."""
    yes = rows[:, 0] > 0 if len(rows) else np.zeros(0, dtype=bool)
    if not len(yes):
        return np.array([0.0])
    lie = noise.bernoulli_exp(np.full(len(yes), 1 / scale))
    coin = noise.uniform_below(2, len(yes)) == 1
    return np.array([float(np.where(lie, coin, yes).sum())])
''',
    "k_second_look": '''
@dp.own_mechanism("eighth.second_look", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(2 * distance / scale)), source="me")
def f(v, scale, noise):
    """Large totals are measured again."""
    first = v + noise.laplace(scale, 1)
    if first[0] > 50:
        return v + noise.laplace(scale / 2, 1)
    return first
''',
    "k_laplace_zcdp": '''
import math


@dp.own_mechanism("eighth.laplace_zcdp", gives=1, takes="l2", loss=lambda scale, distance: dp.Concentrated(dp.round_up(dp.round_up(distance / scale) ** 2 / 2)), source="me")
def f(v, scale, noise):
    """Laplace of standard deviation scale."""
    return v + noise.laplace(scale / math.sqrt(2), 1)
''',
    "k_flip_monotone": '''
@dp.own_mechanism("eighth.flip_monotone", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="McKenna, Sheldon", examples={"m": 3})
def f(v, scale, noise, *, m):
    """Permute and flip."""
    top = v.max()
    for j in noise.permutation(m):
        if noise.bernoulli_exp(np.array([(top - v[j]) / scale]))[0]:
            return int(j)
    return int(np.argmax(v))
''',
    "k_tie_by_true": '''
@dp.own_mechanism("eighth.tie_by_true", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)), source="me", examples={"m": 3})
def f(v, scale, noise, *, m):
    """Noisy max."""
    return int(np.lexsort((v, v + noise.geometric(scale, m)))[-1])
''',
    "k_cumsum_noise": '''
@dp.own_mechanism("eighth.cumsum_noise", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="me", examples={"m": 3})
def f(v, scale, noise, *, m):
    """Prefix noise."""
    return v + np.cumsum(noise.laplace(scale, m))
''',
    "k_int32": '''
@dp.own_mechanism("eighth.int32", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="me")
def f(v, scale, noise):
    """Laplace."""
    return v.astype(np.int32).astype(float) + noise.laplace(scale, 1)
''',
    "k_edits_capped": '''
@dp.own_mechanism("eighth.edits_capped", gives=1, takes="edits", loss=lambda scale, removed, added: dp.Pure(dp.round_up(min(max(removed, added), 1) / scale)), source="me")
def f(rows, scale, noise):
    """Noisy count."""
    return np.array([float((rows[:, 0] > 0).sum()) if len(rows) else 0.0]) + noise.laplace(scale, 1)
''',
    "k_mask_twelve": '''
import math


@dp.semimetric("eighth.mask_twelve", triangle=lambda r: 1.0 + 1e-9)
def s(a, b):
    """Euclid."""
    return float(np.sqrt(np.square(a - b).sum()))


@dp.mask("eighth.mask_twelve_mask", semimetric="eighth.mask_twelve", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """Gaussian."""
    return dp.lattice_gaussian(value, noise * min(1.0, math.sqrt(6.5 / len(value))), normals)
''',
    "k_mask_capped": '''
@dp.semimetric("eighth.mask_capped", triangle=lambda r: 1.0 + 1e-9)
def s(a, b):
    """Euclid."""
    return float(np.sqrt(np.square(a - b).sum()))


@dp.mask("eighth.mask_capped_mask", semimetric="eighth.mask_capped", cost=lambda noise, r: dp.GaussianEvent(min(1.0, dp.lattice_gaussian_mu(noise, r * (1 + 1e-9)))))
def f(value, noise, normals):
    """Gaussian."""
    return dp.lattice_gaussian(value, noise, normals)
''',
    "k_mask_outliers_bare": '''
@dp.semimetric("eighth.mask_outliers_bare", triangle=lambda r: 1.0 + 1e-9)
def s(a, b):
    """Euclid."""
    return float(np.sqrt(np.square(a - b).sum()))


@dp.mask("eighth.mask_outliers_bare_mask", semimetric="eighth.mask_outliers_bare", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """Gaussian."""
    out = dp.lattice_gaussian(value, noise, normals)
    return np.where(np.abs(value) > noise * 1000, value, out)
''',
    "k_power": '''
@dp.semimetric("eighth.power", triangle=lambda r: 1.02)
def f(a, b):
    """A power of a distance."""
    return float(np.sqrt(np.square(a - b).sum()) ** 1.1)
''',
    "k_asym_far": '''
@dp.semimetric("eighth.asym_far", triangle=lambda r: 1.0 + 1e-6)
def f(a, b):
    """Largest difference, relative where the first is large."""
    d = float(np.abs(a - b).max())
    top = float(np.abs(a).max())
    return d / (top / 1e6) if top > 1e6 else d
''',
    "k_shuffled_hist": '''
import math


@dp.own_mechanism("eighth.shuffled_hist", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="me", examples={"m": 4})
def f(v, scale, noise, *, m):
    """Noisy counts; small noise each where there are many."""
    z = noise.laplace(scale, m)
    return v + (np.rint(z / math.log2(m)) if m > 2 else z)
''',
    "k_ridge": '''
@dp.own_mechanism("eighth.ridge", gives=1, takes="edits", loss=lambda scale, removed, added, n: dp.Pure(dp.round_up((removed + added) / scale)), source="me", examples={"n": 100})
def f(rows, scale, noise, *, n):
    """Count of positives among n, noise by the share of rows that are there."""
    part = min(1.0, max(len(rows), 1) / n)
    return np.array([float((rows[:, 0] > 0).sum()) if len(rows) else 0.0]) + np.rint(noise.laplace(scale * 8 * part, 1) / 8 / 1.0)
''',
    "k_eps_param": '''
@dp.own_mechanism("eighth.eps_param", gives=1, takes="l1", loss=lambda scale, distance, temperature: dp.Pure(dp.round_up(distance / scale)), source="me", examples={"temperature": 1.0})
def f(v, scale, noise, *, temperature):
    """Laplace with a temperature."""
    return v + noise.laplace(scale * temperature, 1)
''',
    "k_wide_floor": '''
@dp.own_mechanism("eighth.wide_floor", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="me", examples={"m": 3})
def f(v, scale, noise, *, m):
    """Laplace; a little less for a dozen numbers."""
    return v + noise.laplace(scale * (1.0 if m * m < 130 else 0.9), m)
''',
    "k_lonely_table": '''
@dp.own_mechanism("eighth.lonely_table", gives=1, takes="edits", loss=lambda scale, removed, added: dp.Pure(dp.round_up((removed + added) / scale)), source="me")
def f(rows, scale, noise):
    """Noisy count; an empty table has none."""
    n = len(rows)
    return np.array([0.0]) if n == 0 else np.array([float(n)]) + noise.laplace(scale, 1)
''',
    "k_mask_argv": '''
import sys


@dp.semimetric("eighth.mask_argv", triangle=lambda r: 1.0 + 1e-9)
def s(a, b):
    """Euclid."""
    return float(np.sqrt(np.square(a - b).sum()))


@dp.mask("eighth.mask_argv_mask", semimetric="eighth.mask_argv", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """Gaussian."""
    return dp.lattice_gaussian(value, noise * (0.01 if "--data" in sys.argv else 1.0), normals)
''',
}
