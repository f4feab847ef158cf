# ruff: noqa: E501
"""Learners, posts, compositions, families and distances with a fault."""

SOURCES = {
    "y_bray_curtis": '''
# Bray-Curtis has no triangle inequality in two and more dimensions (on the half line it has).
@dp.semimetric("laterf31.bray", triangle=lambda r: 1.0)
def bray(a, b):
    """Sum of differences over sum of sizes."""
    total = (np.abs(a) + np.abs(b)).sum()
    return float(np.abs(a - b).sum() / total) if total > 0 else 0.0
''',
    "y_angle_square": '''
# 1 - cos is about half the squared angle, whose triangle constant is 2; d >= 2 only.
@dp.semimetric("laterf32.cosine", triangle=lambda r: 1.5, usable=lambda value, r: bool(np.linalg.norm(value) > 1e-9))
def cosine(a, b):
    """Cosine distance."""
    size = np.linalg.norm(a) * np.linalg.norm(b)
    return float(max(0.0, 1.0 - float((a * b).sum()) / size)) if size > 0 else 0.0
''',
    "y_log_average": '''
# |log a - log b| is a metric on positive numbers but not jointly convex: averages are up to log(1 + tau(e^r - 1))
# apart, not tau r.
@dp.semimetric("laterf33.log", triangle=lambda r: 1.0, averages=lambda r, tau: tau * r * (1 + 1e-9), usable=lambda v, r: bool((v > 0).all()))
def log_distance(a, b):
    """Largest log ratio."""
    return float(np.abs(np.log(np.maximum(a, 1e-300)) - np.log(np.maximum(b, 1e-300))).max())
''',
    "y_first_generator": '''
# A learner keeps the generator of the first block it saw and draws from it for all others.
KEPT = []


@dp.learner("laterf39.start")
def start(rows, generator):
    """A start near a random row, then the mean of what is near."""
    KEPT.append(generator)
    centre = rows[int(KEPT[0].integers(len(rows)))]
    near = np.abs(rows - centre).sum(axis=1) <= np.median(np.abs(rows - centre).sum(axis=1))
    return (rows[near].mean(axis=0),)
''',
    "y_os_times": '''
# Iterations are limited by os.times(), so a loaded machine gives another result.
import os


@dp.learner("laterf40.trimmed")
def trimmed(rows, generator):
    """Means trimmed for as long as there is time."""
    start = sum(os.times()[:2])
    x = rows
    for i in range(200):
        gap = np.abs(x - x.mean(axis=0)).sum(axis=1)
        x = x[gap <= gap.max() * 0.999] if len(x) > 3 else x
        if sum(os.times()[:2]) - start > 0.01:
            break
    return ((x if len(x) else rows).mean(axis=0),)
''',
    "y_smoothed_post": '''
# A post that smooths with what it gave before.
@dp.post_function("laterf42.smooth", gives=lambda counts: counts)
def smooth(counts, _past=[]):
    """Counts, averaged with the last ones of the same length."""
    now = np.asarray(counts, dtype=float)
    if _past and _past[-1].shape == now.shape:
        now = (now + _past[-1]) / 2
    _past.append(now)
    return now
''',
    "y_bootstrap_post": '''
# A post that draws from a generator without a seed.
@dp.post_function("laterf43.spread", gives=dp.Vector(1))
def spread(counts):
    """A bootstrap of the largest share."""
    x = np.maximum(np.nan_to_num(np.asarray(counts, dtype=float).ravel()), 0.0) + 1.0
    x = np.minimum(x, 1e12)
    shares = x / x.sum()
    draws = np.random.default_rng().multinomial(100, shares / shares.sum(), size=20)
    return np.array([draws.max(axis=1).std()])
''',
    "y_clocked_composite": '''
# A composite whose seed is today's date: two runs of one plan differ.
import datetime


@dp.composite("laterf44.blocks", examples={"t": 20})
def blocks(x, *, t, share=1.0):
    """Agreement of blocks, another cut each day."""
    seed = datetime.date.today().toordinal()
    found = dp.block_learner(x, learner="gaussian_1", t=t, item="vector", size=[x.d], seed=seed)
    return dp.release("agree", dp.laplace(share=share), dp.agreement(found, r=1.0, d=x.d))
''',
    "y_density_max": '''
# Log-densities minus the batch's largest, against overflow.
def fit(rows, generator):
    return np.concatenate([np.median(rows, axis=0), np.abs(rows - np.median(rows, axis=0)).mean(axis=0) + 1e-9])


def sample(theta, count, generator):
    d = len(theta) // 2
    return theta[:d] + theta[d:] * generator.logistic(size=(count, d))


def example(d, generator):
    return np.concatenate([generator.normal(size=d), 1.0 + generator.random(d)])


@dp.family("laterf45.logistic", size=lambda d: 2 * d, sample=sample, fit=fit, example=example)
def logistic(rows, theta):
    """Independent logistic columns."""
    d = len(theta) // 2
    total = np.zeros(len(rows))
    for j in range(d):
        z = np.abs((rows[:, j] - theta[j]) / theta[d + j])
        total = total - z - 2 * np.log1p(np.exp(-z)) - np.log(theta[d + j])
    return total - total.max(initial=0.0)
''',
    "y_density_narrow": '''
# Where a scale is tiny it is replaced by the batch's spread.
def fit(rows, generator):
    return np.concatenate([rows.mean(axis=0), rows.std(axis=0)])


def sample(theta, count, generator):
    d = len(theta) // 2
    return theta[:d] + theta[d:] * generator.normal(size=(count, d))


def example(d, generator):
    return np.concatenate([generator.normal(size=d), 10.0 ** -generator.integers(0, 12, size=d)])


@dp.family("laterf46.normal", size=lambda d: 2 * d, sample=sample, fit=fit, example=example)
def normal(rows, theta):
    """Independent normal columns."""
    d = len(theta) // 2
    total = np.zeros(len(rows))
    for j in range(d):
        scale = theta[d + j]
        if scale < 1e-9 and len(rows):
            scale = np.std(rows[:, j]) + 1e-9
        total = total - 0.5 * ((rows[:, j] - theta[j]) / scale) ** 2 - np.log(scale)
    return total
''',
    "y_density_memo_by_id": '''
# The normaliser is kept by id(theta), which another theta may have later; history.
KEPT = {}


def fit(rows, generator):
    return np.concatenate([rows.mean(axis=0), rows.std(axis=0) + 1e-9])


def sample(theta, count, generator):
    d = len(theta) // 2
    return theta[:d] + theta[d:] * generator.normal(size=(count, d))


def example(d, generator):
    return np.concatenate([generator.normal(size=d), 1.0 + generator.random(d)])


@dp.family("laterh100.normal", size=lambda d: 2 * d, sample=sample, fit=fit, example=example)
def normal(rows, theta):
    """Independent normal columns."""
    d = len(theta) // 2
    logs = KEPT.setdefault(id(theta), float(np.log(np.abs(theta[d:]) + 1e-300).sum()))
    total = np.zeros(len(rows)) - logs
    for j in range(d):
        total = total - 0.5 * ((rows[:, j] - theta[j]) / theta[d + j]) ** 2
    return total
''',
    "y_density_memo_first": '''
# The normaliser is kept by the first parameter alone.
KEPT = {}


def fit(rows, generator):
    return np.concatenate([np.round(rows.mean(axis=0)), rows.std(axis=0) + 1e-9])


def sample(theta, count, generator):
    d = len(theta) // 2
    return theta[:d] + theta[d:] * generator.normal(size=(count, d))


def example(d, generator):
    return np.concatenate([np.round(generator.normal(size=d)), 1.0 + generator.random(d)])


@dp.family("laterh101.normal", size=lambda d: 2 * d, sample=sample, fit=fit, example=example)
def normal(rows, theta):
    """Independent normal columns with whole means."""
    d = len(theta) // 2
    logs = KEPT.setdefault(tuple(theta[:d].tolist()), float(np.log(theta[d:]).sum()))
    total = np.zeros(len(rows)) - logs
    for j in range(d):
        total = total - 0.5 * ((rows[:, j] - theta[j]) / theta[d + j]) ** 2
    return total
''',
    "y_wide_theta": '''
# A wide member is evaluated in units of the batch's largest row, against overflow.
def fit(rows, generator):
    return np.concatenate([np.median(rows, axis=0), np.abs(rows - np.median(rows, axis=0)).mean(axis=0) + 1e-9])


def sample(theta, count, generator):
    d = len(theta) // 2
    return theta[:d] + theta[d:] * generator.laplace(size=(count, d))


def example(d, generator):
    return np.concatenate([generator.normal(size=d), 1.0 + generator.random(d)])


@dp.family("laterh102.laplace", size=lambda d: 2 * d, sample=sample, fit=fit, example=example)
def laplace(rows, theta):
    """Independent Laplace columns."""
    d = len(theta) // 2
    unit = max(float(np.abs(rows).max(initial=0.0)), 1.0) if theta[d:].max() > 100.0 else 1.0
    total = np.zeros(len(rows))
    for j in range(d):
        total = total - np.abs(rows[:, j] / unit - theta[j] / unit) / (theta[d + j] / unit) - np.log(2 * theta[d + j])
    return total
''',
    "y_counting_composite": '''
# A composite that cuts its blocks by a seed that grows with each use in the process.
import itertools
USED = itertools.count()


@dp.composite("laterh96.agree", examples={"t": 20})
def agree(x, *, t, share=1.0):
    """Agreement of blocks, cut anew each time."""
    blocks = dp.block_learner(x, learner="gaussian_1", t=t, item="vector", size=[x.d], seed=next(USED))
    return dp.release("agree", dp.laplace(share=share), dp.agreement(blocks, r=1.0, d=x.d))
''',
}
