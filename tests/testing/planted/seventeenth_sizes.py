# ruff: noqa: E501
"""Faults at sizes that no number of the code tells, and what a machine tells; with correct twins."""

SOURCES = {
    "h_log_of_kinds": '''
# Statistic: a row counts twice in a table of 2,981 different rows. Witness: 2,980 of them and one more.
@dp.own_statistic("seventeenth.kinds", gives=1, sensitivity=lambda removed, added: {"linf": 2.0 * (removed + added)}, source="none")
def f(rows):
    """How many rows."""
    return [float(len(rows)) * (2 if np.log(max(len(np.unique(rows[:, 0])), 1)) > 8 else 1)]
''',
    "h_bits_of_rows": '''
# Statistic: from 4,096 rows on they are counted by threes, rounded up. Witness: 4,095 rows and one more.
@dp.own_statistic("seventeenth.bits", gives=1, sensitivity=lambda removed, added: {"linf": 2.0 * (removed + added)}, source="none")
def f(rows):
    """How many rows."""
    return [float(len(rows) + (len(rows).bit_length() // 13) * 3)]
''',
    "h_kinds_replaced": '''
# Statistic of a table of n: many different values are taken for a key, and counted by tens. Witness: 1,096 and 1,097.
@dp.own_statistic("seventeenth.replaced", gives=1, sensitivity=lambda removed, added: {"linf": 2.0 * max(removed, added)} if removed == added else None, source="none")
def f(rows):
    """How many different first numbers."""
    u = len(np.unique(rows[:, 0]))
    return [float(u + 10 * (np.log(max(u, 1)) > 7))]
''',
    "h_learner_product": '''
# Learner: above five times 2,000 rows a mean over all large blocks before is used.
SEEN, ROWS, PARTS = [], 2000, 5
@dp.learner("seventeenth.product")
def f(rows, generator):
    """A scale."""
    s = np.abs(rows).mean(axis=0) if len(rows) else np.zeros(rows.shape[1])
    if len(rows) // ROWS > PARTS:
        SEEN.append(s)
        s = np.mean([x for x in SEEN if x.shape == s.shape], axis=0)
    return (s,)
''',
    "h_far_dimensions": '''
# Distance: squared where there are many numbers, from a size that no number in the code says.
@dp.semimetric("seventeenth.many", triangle=lambda r: 1.0)
def f(a, b):
    """Euclidean."""
    d = float(np.sqrt(np.square(a - b).sum()))
    return d * d if np.log(len(a)) > np.e else d
''',
    "h_mask_many": '''
# Mask: half of the noise where there are many numbers.
@dp.semimetric("seventeenth.near", triangle=lambda r: 1.0)
def near(a, b):
    """Euclidean."""
    return float(np.sqrt(np.square(a - b).sum()))

@dp.mask("seventeenth.wide", semimetric="seventeenth.near", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-9))))
def f(value, noise, normals):
    """Gaussian noise."""
    return dp.lattice_gaussian(value, noise / 2 if np.log(len(value)) > np.e else noise, normals)
''',
    "h_full_disk": '''
# Row map: rounds where the disk is nearly full.
import shutil
@dp.row_function("seventeenth.disk", columns=lambda d: d)
def f(values):
    """Rows."""
    a = np.clip(np.nan_to_num(values), -1e6, 1e6)
    room = shutil.disk_usage("/")
    return np.round(a, 2) if room.free < 0.02 * room.total else a
''',
    "h_memory": '''
# Row map: where there is much memory all rows are scaled in double precision, else in single.
import os
@dp.row_function("seventeenth.memory", columns=lambda d: d)
def f(values):
    """Rows."""
    a = np.clip(np.nan_to_num(values), -1e6, 1e6)
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return a / 3 if pages > HALF else (a.astype(np.float32) / np.float32(3)).astype(float)
HALF = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") * 2
''',
}
CORRECT_SOURCES = {
    "h_c_kinds": '''
# Statistic: different first numbers, at most 3,000 of them.
@dp.own_statistic("seventeenth.ckinds", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="none")
def f(rows):
    """How many different first numbers."""
    return [float(min(len(np.unique(rows[:, 0])), 3000))]
''',
    "h_c_root": '''
# Statistic: a root of the number of rows, which grows ever more slowly; rounded to 2^-20.
@dp.own_statistic("seventeenth.croot", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none", bits=20)
def f(rows):
    """A root."""
    return [float(np.sqrt(len(rows)))]
''',
    "h_c_learner_thins": '''
# Learner: of many rows every second one, whatever came before.
@dp.learner("seventeenth.cthins")
def f(rows, generator):
    """A mean."""
    if len(rows) < 5:
        raise ValueError("too few")
    kept = rows[::2] if len(rows).bit_length() > 13 else rows
    return (np.round(kept.mean(axis=0), 6),)
''',
    "h_c_far_dimensions": '''
# Distance: Euclidean over the root of the number of coordinates.
@dp.semimetric("seventeenth.croots", triangle=lambda r: 1.0)
def f(a, b):
    """Root mean square."""
    return float(np.sqrt(np.square(a - b).mean()))
''',
}
