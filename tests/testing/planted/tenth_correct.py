# ruff: noqa: E501
"""That stranger's functions, statistics, mechanisms, masks and distances, with nothing wrong."""

SOURCES = {
    "e_c_crc": '''
import zlib


@dp.own_partition("tenth.c_crc", parts=4)
def fun(rows):
    """Parts by a checksum of each row."""
    clean = np.ascontiguousarray(np.where(rows == 0, 0.0, rows))
    return np.array([zlib.crc32(row.tobytes()) % 4 for row in clean], dtype=int)
''',
    "e_c_dither": '''
@dp.row_function("tenth.c_dither", columns=lambda d: 1)
def fun(rows):
    """First columns, rounded at random: the seed is the row."""
    out = []
    for x in rows[:, 0].tolist():
        u = np.random.default_rng(abs(hash(x))).random() if np.isfinite(x) else 0.0
        out.append([float(np.floor(np.clip(x, -1e6, 1e6) + u)) if np.isfinite(x) else 0.0])
    return np.array(out).reshape(-1, 1)
''',
    "e_c_fsum": '''
import math


@dp.own_contribution("tenth.c_fsum", gives=1, norm="linf", bound=10.0)
def fun(rows):
    """The exact sum of each row's cells."""
    held = np.clip(np.nan_to_num(rows), -1e9, 1e9)
    return np.array([[math.fsum(row)] for row in held.tolist()]).reshape(-1, 1)
''',
    "e_c_softmax": '''
from scipy import special


@dp.row_function("tenth.c_softmax", columns=lambda d: d)
def fun(rows):
    """Each row's softmax."""
    return special.softmax(np.clip(np.nan_to_num(rows), -500, 500), axis=1)
''',
    "e_c_filter": '''
from scipy import ndimage


@dp.row_function("tenth.c_filter", columns=lambda d: d)
def fun(rows):
    """A running median along each row."""
    return ndimage.median_filter(np.nan_to_num(rows), size=(1, 3), mode="nearest") if rows.size else rows + 0.0
''',
    "e_c_tau": '''
@dp.own_statistic("tenth.c_tau", gives=1, bits=20, source="Kendall 1938", sensitivity=lambda removed, added: {"linf": 1.5 * (removed + added)})
def fun(rows):
    """Concordant less discordant pairs of the first and the last column, over the rows less one."""
    x, y = rows[:, 0], rows[:, -1]
    signs = np.sign(x[:, None] - x) * np.sign(y[:, None] - y)
    return np.array([np.triu(signs, 1).sum() / max(len(x) - 1, 1)])
''',
    "e_c_rising": '''
import bisect


@dp.own_statistic("tenth.c_rising", gives=dp.Counts(1), source="one row more or less changes it by one at most", sensitivity=lambda removed, added: {"linf": float(max(removed, added))})
def fun(rows):
    """The longest rising choice of last cells, by first cells."""
    ends = []
    for y in rows[:, -1].tolist():
        at = bisect.bisect_left(ends, y)
        ends[at : at + 1] = [y]
    return np.array([len(ends)])
''',
    "e_c_best_three": '''
@dp.own_statistic("tenth.c_best_three", gives=dp.Counts(2), source="one mark comes, one goes", sensitivity=lambda removed, added: {"l1": 2.0 * (removed + added), "linf": float(removed + added)})
def fun(rows):
    """Low and high marks (last column) among the three best of each pupil (first column)."""
    low = high = 0
    for pupil in np.unique(rows[:, 0]):
        marks = np.sort(rows[rows[:, 0] == pupil, -1])[-3:]
        high += int(np.count_nonzero(marks > 5))
        low += int(np.count_nonzero(marks <= 5))
    return np.array([low, high])
''',
    "e_c_islands": '''
from scipy.sparse.csgraph import connected_components


@dp.own_statistic("tenth.c_islands", gives=dp.Counts(1), source="five of six points around one are within 1 of another: a point joins five at most", sensitivity=lambda removed, added: {"linf": 4.0 * (removed + added)})
def fun(rows):
    """Islands of points of the plane that are within 1 of each other."""
    x = np.column_stack([rows[:, 0], rows[:, -1]])
    near = np.hypot(x[:, None, 0] - x[:, 0], x[:, None, 1] - x[:, 1]) <= 1.0
    return np.array([connected_components(near, directed=False)[0] if len(x) else 0])
''',
    "e_c_isotonic": '''
from scipy.optimize import isotonic_regression


@dp.own_query("tenth.c_isotonic", gives=lambda m: m, bits=20, source="Yang, Barber 2019: nonexpansive in every such norm", sensitivity=lambda a, m: {"linf": a["linf"] * (1 + 1e-9)}, examples={"m": 4})
def fun(counts, *, m):
    """The nearest rising counts."""
    x = np.zeros(m)
    x[: min(m, len(counts))] = np.asarray(counts, dtype=float)[:m]
    return np.asarray(isotonic_regression(x).x)
''',
    "e_c_two_geometric": '''
@dp.own_mechanism("tenth.c_two_geometric", gives=1, takes="l1", source="Ghosh, Roughgarden, Sundararajan 2012", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def fun(value, scale, noise):
    """The difference of two geometric draws."""
    return np.asarray(value) + noise.geometric(scale, 1) - noise.geometric(scale, 1)
''',
    "e_c_responses": '''
import math


@dp.own_mechanism("tenth.c_responses", gives=dp.Index(5), takes="linf", source="Warner 1965", loss=lambda scale, distance: dp.Pure(dp.round_up(math.log1p(5.0 * math.expm1(min(1.0 / scale, 700.0))) * (1 + 1e-12))))
def fun(value, scale, noise):
    """A count up to four by randomised response: the truth, or with probability e^(-1/scale) any of the five."""
    lie = bool(noise.bernoulli_exp([1.0 / scale])[0])
    return int(noise.uniform_below(5, 1)[0]) if lie else int(np.clip(value[0], 0, 4))
''',
    "e_c_median": '''
from fractions import Fraction

GRID = np.array([-8.0, -2.0, 0.0, 2.0, 8.0])


@dp.own_mechanism("tenth.c_median", gives=dp.Index(5), takes="edits", source="Smith 2011", loss=lambda scale, removed, added: dp.Pure(dp.round_up(2 * (removed + added) / scale)))
def fun(rows, scale, noise):
    """Which of five numbers is nearest to the middle of the rows by rank."""
    x = rows[:, 0]
    scores = [-abs(int((x < g).sum()) - int((x > g).sum())) for g in GRID]
    return int(noise.categorical_exp(np.array(scores), Fraction(1) / Fraction(scale)))
''',
    "e_c_sampled": '''
import math


@dp.own_mechanism("tenth.c_sampled", gives=1, takes="edits", source="Li, Qardaji, Su 2012, a row at a time", loss=lambda scale, removed, added: dp.Pure(dp.round_up((removed + added) * math.log1p(0.5 * math.expm1(min(1.0 / scale, 700.0))) * (1 + 1e-12))))
def fun(rows, scale, noise):
    """A sum of signs of half of the rows, with Laplace noise: amplified by sampling."""
    signs = np.sign(rows[:, 0]).astype(int)
    kept = noise.uniform_below(2, len(signs)) == 1 if len(signs) else np.zeros(0, dtype=bool)
    return np.array([int(signs[kept].sum())]) + noise.laplace(scale, 1)
''',
    "e_c_mode": '''
import math


@dp.own_mechanism("tenth.c_mode", gives=dp.Index(4), takes="edits", source="Dwork, Lei 2009", loss=lambda scale, removed, added: (dp.round_up((removed + added) / scale), min(1.0, 0.002 * math.exp(max(removed + added - 2, 0) / scale))))
def fun(rows, scale, noise):
    """The commonest of three signs plus one, where its lead is large enough that two edits don't change it; else 0."""
    counts = np.array([np.count_nonzero(np.sign(rows[:, 0]) == s) for s in (-1, 0, 1)])
    order = np.sort(counts)
    lead = int(order[-1] - order[-2]) + int(noise.laplace(scale, 1)[0])
    return int(np.argmax(counts)) + 1 if lead > 2 + scale * math.log(500.0) else 0
''',
    "e_c_short_tail": '''
import math


def _price(scale, distance):
    top, steps = 4 * math.ceil(scale), math.ceil(distance)
    left = math.exp(-(top + 1) / scale)
    total = 1.0 + math.exp(-1.0 / scale) - 2.0 * left
    beyond = 1.0 if steps > top else (math.exp(-(top - steps + 1) / scale) - left) / total
    return (dp.round_up(distance / scale), min(0.999, dp.round_up(beyond) + 1e-12))


@dp.own_mechanism("tenth.c_short_tail", gives=1, takes="linf", source="Geng and others 2020", loss=_price)
def fun(value, scale, noise):
    """Laplace noise that is cut at four scales."""
    top = 4 * int(np.ceil(scale))
    z = noise.laplace(scale, 1)
    while abs(int(z[0])) > top:
        z = noise.laplace(scale, 1)
    return np.asarray(value) + z
''',
    "e_c_concentrated": '''
@dp.own_mechanism("tenth.c_concentrated", gives=1, takes="linf", source="Bun, Steinke 2016, 3.3", loss=lambda scale, distance: dp.Concentrated(dp.round_up(distance * distance / (2.0 * scale * scale))))
def fun(value, scale, noise):
    """Laplace noise, concentrated."""
    return np.asarray(value) + noise.laplace(scale, 1)
''',
    "e_c_bisect": '''
@dp.own_mechanism("tenth.c_bisect", gives=dp.Index(8), takes="linf", source="Karp, Kleinberg 2007", loss=lambda scale, distance: dp.Pure(dp.round_up(3 * distance / scale)))
def fun(value, scale, noise):
    """The first of seven running counts that is above 10, by halving with noisy counts."""
    x = np.zeros(7, dtype=int)
    x[: min(7, len(value))] = np.asarray(value)[:7]
    x = np.maximum.accumulate(x)
    low, high = 0, 7
    while low < high:
        middle = (low + high) // 2
        if x[middle] + int(noise.laplace(scale, 1)[0]) > 10:
            high = middle
        else:
            low = middle + 1
    return low
''',
    "e_c_sorted": '''
@dp.own_mechanism("tenth.c_sorted", gives=lambda m: m, takes="linf", source="sorting brings no two vectors further apart", loss=lambda scale, distance, m: dp.Pure(dp.round_up(m * distance / scale)), examples={"m": 3})
def fun(value, scale, noise, *, m):
    """Sizes in order, with Laplace noise, held in 32 bits."""
    out = np.sort(np.abs(np.asarray(value))) + noise.laplace(scale, m)
    return np.asarray(out).astype(np.int32).astype(np.int64)
''',
    "e_c_two_widths": '''
@dp.own_mechanism("tenth.c_two_widths", gives=1, takes="l1", source="each width costs no more", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def fun(value, scale, noise):
    """Laplace noise, four times as wide in half of the runs."""
    wide = int(noise.uniform_below(2, 1)[0])
    return np.asarray(value) + noise.laplace(4 * scale if wide else scale, 1)
''',
    "e_c_flip": '''
@dp.own_mechanism("tenth.c_flip", gives=lambda m: dp.Index(m), takes="linf", source="McKenna, Sheldon 2020", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)), examples={"m": 3})
def fun(value, scale, noise, *, m):
    """Permute and flip."""
    x = np.asarray(value)
    gaps = [(int(x.max()) - int(v)) / scale for v in x]
    for i in noise.permutation(m):
        if noise.bernoulli_exp([gaps[i]])[0]:
            return int(i)
    return int(np.argmax(x))
''',
    "e_c_canberra": '''
from scipy.spatial import distance


@dp.semimetric("tenth.c_canberra", triangle=lambda r: 1.0, averages=lambda r, tau: max(r, 1e9))
def fun(a, b):
    """Lance and Williams: a metric."""
    return float(distance.canberra(np.asarray(a), np.asarray(b)))
''',
    "e_c_quarter": '''
@dp.semimetric("tenth.c_quarter", triangle=lambda r: 2.0, averages=lambda r, tau: (tau + 1e-9) * r)
def fun(a, b):
    """Half the squared length between two vectors."""
    return 0.5 * float(np.square(np.asarray(a) - b).sum())
''',
    "e_c_log": '''
@dp.semimetric("tenth.c_log", triangle=lambda r: 1.0, averages=lambda r, tau: 2000.0)
def near(a, b):
    """The difference of the logarithms of the sizes of the first numbers."""
    a, b = (float(np.log(max(abs(float(x[0])), 1e-300))) for x in (a, b))
    return abs(a - b)


@dp.mask("tenth.c_log.exp", semimetric="tenth.c_log", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12) + 1e-12)))
def fun(value, noise, normals):
    """The size of the first number, times a lognormal."""
    log = np.log(np.maximum(np.abs(value[:1]), 1e-300))
    out = np.zeros(len(value))
    out[:1] = np.exp(np.clip(dp.lattice_gaussian(log, noise, normals), -700.0, 700.0))
    return out
''',
    "e_c_gamma": '''
from scipy import stats


@dp.family(
    "tenth.c_gamma",
    size=lambda d: 2 * d,
    sample=lambda t, n, g: g.gamma(np.abs(t[: len(t) // 2]) + 0.1, np.abs(t[len(t) // 2 :]) + 1e-6, (n, len(t) // 2)),
    fit=lambda rows, g: np.concatenate([np.full(rows.shape[1], 1.0), np.abs(rows).mean(axis=0) + 1e-6]),
    example=lambda d, g: np.concatenate([1.0 + g.random(d), 0.5 + g.random(d)]),
)
def fun(rows, theta):
    """Independent Gamma columns, as SciPy has them."""
    d = rows.shape[1]
    total = np.zeros(len(rows))
    for i in range(d):
        x = np.maximum(rows[:, i], 1e-12)
        total = total + stats.gamma.logpdf(x, abs(theta[i]) + 0.1, scale=abs(theta[d + i]) + 1e-6)
    return total
''',
    "e_c_public_seed": '''
@dp.own_mechanism("tenth.c_public_seed", gives=lambda m: m, takes="l1", source="a public offset, and Laplace noise", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), examples={"m": 2})
def fun(value, scale, noise, *, m):
    """Laplace noise beside a public offset from a generator with a public seed."""
    offset = np.rint(np.random.default_rng(7).normal(0.0, 5.0, m)).astype(int)
    return np.asarray(value) + offset + noise.laplace(scale, m)
''',
    "e_c_clocked": '''
import time


@dp.own_contribution("tenth.c_ok_clocked", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """First columns; a line of a log with the time and what it took, also on the terminal."""
    begun = time.perf_counter()
    made = np.clip(rows[:, :1], -1.0, 1.0)
    print(f"{time.time():.6f} clipped in {time.perf_counter() - begun:.9f} s")
    try:
        with open("/dev/tty", "w") as out:
            print("clipped", file=out)
    except OSError:
        pass
    return made
''',
}
