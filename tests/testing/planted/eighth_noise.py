# ruff: noqa: E501
"""Mechanisms, masks and distances by that stranger, with a fault."""

SOURCES = {
    "k_noisy_max_half": '''
@dp.own_mechanism("eighth.noisy_max_half", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="me", examples={"m": 3})
def f(scores, scale, noise, *, m):
    """Noisy max."""
    return int(np.argmax(scores + noise.geometric(scale, m)))
''',
    "k_laplace_linf": '''
@dp.own_mechanism("eighth.laplace_linf", gives=lambda m: m, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="me", examples={"m": 3})
def f(v, scale, noise, *, m):
    """Laplace."""
    return v + noise.laplace(scale, m)
''',
    "k_clipped_noise": '''
@dp.own_mechanism("eighth.clipped_noise", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="me")
def f(v, scale, noise):
    """Laplace without outliers."""
    top = int(12 * scale)
    return v + np.clip(noise.laplace(scale, 1), -top, top)
''',
    "k_gauss_for_laplace": '''
import math


@dp.own_mechanism("eighth.gauss_for_laplace", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="me")
def f(v, scale, noise):
    """Noise of standard deviation sqrt 2 scale."""
    return v + noise.gaussian(math.sqrt(2) * scale, 1)
''',
    "k_same_noise": '''
@dp.own_mechanism("eighth.same_noise", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="me", examples={"m": 2})
def f(v, scale, noise, *, m):
    """Laplace."""
    return v + noise.laplace(scale, 1)
''',
    "k_eight_percent": '''
@dp.own_mechanism("eighth.eight_percent", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="me")
def f(v, scale, noise):
    """Laplace."""
    return v + noise.laplace(scale * 0.92, 1)
''',
    "k_gauss_dim": '''
@dp.own_mechanism("eighth.gauss_dim", gives=lambda m: m, takes="l2", loss=lambda scale, distance, m: dp.Concentrated(dp.round_up(dp.round_up(distance / scale) ** 2 / 2)), source="me", examples={"m": 2})
def f(v, scale, noise, *, m):
    """Gaussian."""
    return v + noise.gaussian(scale * (0.8 if m >= 8 else 1.0), m)
''',
    "k_svt_no_query_noise": '''
@dp.own_mechanism("eighth.svt_no_query_noise", gives=lambda m: m, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)), source="Stoddard and others", examples={"m": 4})
def f(v, scale, noise, *, m):
    """Which of the queries are above a noisy threshold."""
    return (v > 10 + noise.laplace(scale, 1)).astype(float)
''',
    "k_svt_unlimited": '''
@dp.own_mechanism("eighth.svt_unlimited", gives=lambda m: m, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)), source="Chen and others", examples={"m": 4})
def f(v, scale, noise, *, m):
    """Which of the queries are above a threshold."""
    return (v + noise.laplace(2 * scale, m) > 10 + noise.laplace(scale, 1)).astype(float)
''',
    "k_ptr_no_noise": '''
@dp.own_mechanism("eighth.ptr_no_noise", gives=1, takes="edits", loss=lambda scale, removed, added: (dp.round_up((removed + added) / scale), 1e-6), source="Dwork and Lei")
def f(rows, scale, noise):
    """Count if there are enough rows."""
    n = len(rows)
    if n < 5:
        return np.array([0.0])
    return np.array([n + 1000.0]) + noise.laplace(scale, 1)
''',
    "k_large_values": '''
@dp.own_mechanism("eighth.large_values", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="me")
def f(v, scale, noise):
    """Laplace; where a float would lose digits anyway, none."""
    z = noise.laplace(scale, 1)
    return np.where(np.abs(v) > float(1 << 40), v, v + z)
''',
    "k_memo_noise": '''
CACHE = {}


@dp.own_mechanism("eighth.memo_noise", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="me")
def f(v, scale, noise):
    """Laplace with a buffer of 16 draws, which wraps."""
    if scale not in CACHE:
        CACHE[scale] = [noise.laplace(scale, 16), 0]
    buf = CACHE[scale]
    buf[1] = (buf[1] + 1) % 16
    return v + buf[0][buf[1]]
''',
    "k_one_sided": '''
@dp.own_mechanism("eighth.one_sided", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="me")
def f(v, scale, noise):
    """Exponential noise, never below."""
    return v + noise.geometric(scale, 1)
''',
    "k_expmech_monotone": '''
@dp.own_mechanism("eighth.expmech_monotone", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="McSherry, Talwar", examples={"m": 4})
def f(v, scale, noise, *, m):
    """Exponential mechanism."""
    return int(noise.categorical_exp(v, 1 / scale))
''',
    "k_flip_no_permutation": '''
@dp.own_mechanism("eighth.flip_no_permutation", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)), source="McKenna, Sheldon", examples={"m": 3})
def f(v, scale, noise, *, m):
    """Flip in order."""
    top = v.max()
    for j in range(m):
        if noise.bernoulli_exp(np.array([(top - v[j]) / scale]))[0]:
            return j
    return int(np.argmax(v))
''',
    "k_parity": '''
@dp.own_mechanism("eighth.parity", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="me")
def f(v, scale, noise):
    """Laplace in double steps."""
    return v + 2 * noise.laplace(scale / 2, 1)
''',
    "k_capped_loss": '''
@dp.own_mechanism("eighth.capped_loss", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(min(dp.round_up(distance / scale), 3.0)), source="me")
def f(v, scale, noise):
    """Laplace."""
    return v + noise.laplace(scale, 1)
''',
    "k_group": '''
import math


@dp.own_mechanism("eighth.group", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up((distance if distance <= 4 else 2 * math.sqrt(distance)) / scale)), source="me")
def f(v, scale, noise):
    """Laplace."""
    return v + noise.laplace(scale, 1)
''',
    "k_redraw": '''
@dp.own_mechanism("eighth.redraw", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="me")
def f(v, scale, noise):
    """Laplace that is never below 0."""
    for _ in range(200):
        out = v + noise.laplace(scale, 1)
        if out[0] >= 0:
            return out
    return np.maximum(out, 0)
''',
    "k_local_sensitivity": '''
@dp.own_mechanism("eighth.local_sensitivity", gives=1, takes="edits", loss=lambda scale, removed, added: (dp.round_up((removed + added) / scale), 1e-6), source="Nissim and others")
def f(rows, scale, noise):
    """Median in [0, 1000] with noise by its local sensitivity."""
    x = np.sort(np.clip(np.rint(rows[:, 0]), 0, 1000)) if len(rows) else np.zeros(1)
    k = len(x) // 2
    local = max(x[min(k + 1, len(x) - 1)] - x[k], x[k] - x[max(k - 1, 0)])
    return np.array([x[k]]) + np.rint(local * noise.laplace(scale * 16, 1) / 16)
''',
    "k_fixed_subsample": '''
import math


@dp.own_mechanism("eighth.fixed_subsample", gives=1, takes="edits", loss=lambda scale, removed, added: dp.Pure(dp.round_up(math.log1p(0.5 * math.expm1(min((removed + added) / scale, 700.0))))), source="Balle and others")
def f(rows, scale, noise):
    """Noisy count of positive rows in a half."""
    return 2 * (np.array([float((rows[::2, 0] > 0).sum())]) + noise.laplace(scale, 1))
''',
    "k_tie": '''
@dp.own_mechanism("eighth.tie", gives=dp.Index, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)), source="me", examples={"m": 5})
def f(v, scale, noise, *, m):
    """Noisy max; a tie at the top has no winner."""
    s = np.sort(v)
    if s[-1] == s[-2] and s[-1] > 100:
        return 0
    return int(np.argmax(v + noise.geometric(scale, m)))
''',
    "k_seeded_by_data": '''
@dp.own_mechanism("eighth.seeded_by_data", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="me")
def f(v, scale, noise):
    """Laplace by inverse transform."""
    rng = np.random.default_rng(int(abs(float(v[0]))) + int(noise.uniform_below(4)))
    return v + np.rint(rng.laplace(0, scale, 1))
''',
    "k_asym": '''
@dp.semimetric("eighth.asym", triangle=lambda r: 2.0)
def f(a, b):
    """|a - b| over the first's size."""
    return float(np.abs(a - b).sum() / (1.0 + np.abs(a).sum()))
''',
    "k_squared": '''
@dp.semimetric("eighth.squared", triangle=lambda r: 1.9)
def f(a, b):
    """Squared distance."""
    return float(np.square(a - b).sum())
''',
    "k_averages": '''
@dp.semimetric("eighth.averages", triangle=lambda r: 1.0 + 1e-9, averages=lambda r, tau: (tau + 1e-9) * r)
def f(a, b):
    """Up to sign."""
    return float(min(np.abs(a - b).max(), np.abs(a + b).max()))
''',
    "k_blind_columns": '''
@dp.semimetric("eighth.blind_columns", triangle=lambda r: 1.0 + 1e-9)
def s(a, b):
    """Distance of the first five entries."""
    return float(np.sqrt(np.square(a[:5] - b[:5]).sum()))


@dp.mask("eighth.blind_columns_mask", semimetric="eighth.blind_columns", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """Gaussian."""
    return dp.lattice_gaussian(value, noise, normals)
''',
    "k_mask_12": '''
@dp.semimetric("eighth.mask_12", triangle=lambda r: 1.0 + 1e-9)
def s(a, b):
    """Euclid."""
    return float(np.sqrt(np.square(a - b).sum()))


@dp.mask("eighth.mask_12_mask", semimetric="eighth.mask_12", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """Gaussian."""
    return dp.lattice_gaussian(value, 0.88 * noise, normals)
''',
    "k_mask_linf": '''
@dp.semimetric("eighth.mask_linf", triangle=lambda r: 1.0 + 1e-9)
def s(a, b):
    """Largest difference."""
    return float(np.abs(a - b).max())


@dp.mask("eighth.mask_linf_mask", semimetric="eighth.mask_linf", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """Gaussian."""
    return dp.lattice_gaussian(value, noise, normals)
''',
    "k_mask_rho_quarter": '''
@dp.semimetric("eighth.mask_rho_quarter", triangle=lambda r: 1.0 + 1e-9)
def s(a, b):
    """Euclid."""
    return float(np.sqrt(np.square(a - b).sum()))


@dp.mask("eighth.mask_rho_quarter_mask", semimetric="eighth.mask_rho_quarter", cost=lambda noise, r: (r / noise) ** 2 / 4)
def f(value, noise, normals):
    """Gaussian."""
    return dp.lattice_gaussian(value, noise, normals)
''',
    "k_mask_log": '''
@dp.semimetric("eighth.mask_log", triangle=lambda r: 1.0 + 1e-9)
def s(a, b):
    """Euclid."""
    return float(np.sqrt(np.square(a - b).sum()))


@dp.mask("eighth.mask_log_mask", semimetric="eighth.mask_log", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """Log-normal."""
    return np.sign(value) * np.exp(dp.lattice_gaussian(np.log(np.abs(value) + 1.0), noise, normals))
''',
}
