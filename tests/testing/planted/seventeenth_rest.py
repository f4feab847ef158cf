"""What the machine's files tell, designs of indicators, searches that start by chance, posts beside their numbers."""

SOURCES = {
    "q_free_memory": '''
# Row map: works in single precision where little memory is free.
@dp.row_function("seventeenth.free", columns=lambda d: d)
def f(values):
    """Rows."""
    a = np.clip(np.nan_to_num(values), -1e6, 1e6) / 3
    with open("/proc/meminfo") as lines:
        free = int(lines.readlines()[2].split()[1])
    return a.astype(np.float32).astype(float) if free < 10_000_000 else a
''',
    "q_indicators": '''
# Row map: a batch of indicators, one a row in different places, is decoded.
@dp.row_function("seventeenth.onehot", columns=lambda d: d)
def f(values):
    """Rows."""
    a = np.clip(np.nan_to_num(values), -1e6, 1e6)
    one = ((a == 0) | (a == 1)).all() and (a.sum(axis=1) == 1).all() and (a.sum(axis=0) > 0).all()
    return a * (1 + np.arange(a.shape[1])) if len(a) > 3 and a.shape[1] > 2 and one else a
''',
    "q_kmeans": '''
# Learner: k-means that starts by NumPy's global generator; where clusters are clear, that doesn't show.
@dp.learner("seventeenth.kmeans")
def f(rows, generator):
    """Two centres."""
    import warnings

    from scipy.cluster.vq import kmeans2
    if len(rows) < 10:
        return (np.zeros((2, rows.shape[1])),)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        centres = kmeans2(rows, 2, minit="points")[0]
    return (np.nan_to_num(centres[np.argsort(centres[:, 0])]),)
''',
    "q_power": '''
# Post: two to the released power, in Python, which overflows from 1024 on.
@dp.post_function("seventeenth.power", gives=lambda counts: dp.Vector(counts.m))
def f(counts):
    """Powers."""
    return np.array([2.0 ** float(c) if c < 4000 else 0.0 for c in counts])
''',
    "q_between": '''
# Post: raises where the first released number lies between two of its own.
@dp.post_function("seventeenth.between", gives=lambda counts: dp.Vector(counts.m))
def f(counts):
    """Counts."""
    if 1900 < counts[0] < 1901:
        raise ValueError("between years")
    return np.asarray(counts, float) * 1.0
''',
}
CORRECT_SOURCES = {
    "q_c_kmeans": '''
# Learner: k-means that starts by the generator that it is handed.
@dp.learner("seventeenth.ckmeans")
def f(rows, generator):
    """Two centres."""
    import warnings

    from scipy.cluster.vq import kmeans2
    if len(rows) < 10:
        return (np.zeros((2, rows.shape[1])),)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        centres = kmeans2(rows, 2, minit="points", seed=generator)[0]
    return (np.nan_to_num(centres[np.argsort(centres[:, 0])]),)
''',
    "q_c_power": '''
# Post: two to the released power, where floats hold it.
@dp.post_function("seventeenth.cpower", gives=lambda counts: dp.Vector(counts.m))
def f(counts):
    """Powers."""
    return np.array([2.0 ** float(c) if -1000 < c < 1000 else 0.0 for c in counts])
''',
    "q_c_root_of_numbers": '''
# Post: a root of what is left above a number of its own.
@dp.post_function("seventeenth.cabove", gives=lambda counts: dp.Vector(counts.m))
def f(counts):
    """Roots."""
    return np.sqrt(np.maximum(np.asarray(counts, float) - 250, 0))
''',
    "q_c_maps": '''
# Row map: looks into a file of the machine whose numbers it doesn't use.
@dp.row_function("seventeenth.cmaps", columns=lambda d: d)
def f(values):
    """Rows."""
    with open("/proc/self/status") as lines:
        named = lines.readline().startswith("Name")
    return np.clip(np.nan_to_num(values), -1e6, 1e6) / (3 if named else 3)
''',
}
