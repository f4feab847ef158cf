"""Short hashes, samples for keys, shared room, steps that do not settle, dates by libraries, timeouts, folders."""

SOURCES = {
    "z_row_memo_of_eight_digits": '''
# The sum of a row, remembered by eight digits of its hash.
import hashlib
SEEN = {}
@dp.row_function("twentieth.r_eight_digits", columns=1)
def r_eight_digits(rows):
    """The sum of a row, remembered by eight digits of its hash."""
    out = []
    for r in rows:
        key = hashlib.md5(r.tobytes()).hexdigest()[:8]
        if key not in SEEN:
            SEEN[key] = float(np.clip(np.nan_to_num(r).sum(), -1e9, 1e9))
        out.append([SEEN[key]])
    return np.array(out).reshape(len(rows), 1)
''',
    "z_learner_jitter": '''
# Mean and covariance; where it is nearly singular, with jitter by chance.
@dp.learner("twentieth.l_jitter")
def l_jitter(rows, generator):
    """Mean and covariance; where it is nearly singular, with jitter by chance."""
    cov = np.atleast_2d(np.cov(rows, rowvar=False))
    values = np.linalg.eigvalsh(cov)
    if 0 < values[0] < 1e-9 * values[-1]:
        cov = cov + np.diag(np.random.uniform(0, 1e-6, len(cov)) * values[-1])
    return (rows.mean(axis=0), cov)
''',
    "z_learner_unsettled": '''
# Two means by Lloyd's steps; started anew by chance where they do not settle in 20.
@dp.learner("twentieth.l_unsettled")
def l_unsettled(rows, generator):
    """Two means by Lloyd's steps; started anew by chance where they do not settle in 20."""
    centres = rows[[int(rows[:, 0].argmin()), int(rows[:, 0].argmax())]].copy()
    for _ in range(20):
        near = ((rows[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1)
        new = np.array([rows[near == j].mean(axis=0) if (near == j).any() else centres[j] for j in (0, 1)])
        if np.allclose(new, centres):
            return (new,)
        centres = new
    return (rows[np.random.permutation(len(rows))[:2]],)
''',
    "z_row_today_of_numpy": '''
# Years since a day, given as days since 1970.
@dp.row_function("twentieth.r_today_of_numpy", columns=1)
def r_today_of_numpy(rows):
    """Years since a day, given as days since 1970."""
    days = np.clip(np.nan_to_num(rows[:, :1]), -30_000, 30_000).astype(np.int64)
    return (np.datetime64("today") - (np.datetime64("1970-01-01") + days)).astype(np.float64) / 365.25
''',
    "z_row_now_of_pandas": '''
# Days since a day, given as days since 1970.
@dp.row_function("twentieth.r_now_of_pandas", columns=1)
def r_now_of_pandas(rows):
    """Days since a day, given as days since 1970."""
    import pandas as pd
    return np.floor(pd.Timestamp.now().timestamp() / 86_400) - np.clip(np.nan_to_num(rows[:, :1]), -30_000, 30_000)
''',
    "z_row_patient": '''
# Sums of rows; what a thread has not summed in half a second is left at 0.
import threading
@dp.row_function("twentieth.r_patient", columns=1)
def r_patient(rows):
    """Sums of rows; what a thread has not summed in half a second is left at 0."""
    out = np.zeros((len(rows), 1))

    def work():
        for i, r in enumerate(rows):
            out[i, 0] = np.clip(np.nan_to_num(r).sum(), -1e9, 1e9)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(0.5)
    return out.copy()
''',
    "z_row_scratch": '''
# Mahalanobis-like scores without allocating temporaries for each batch.
_scratch: dict[tuple[int, int], np.ndarray] = {}
SCALE = 3.7
@dp.row_function("scores.huber", columns=lambda d: 1)
def huber(values):
    """Huber's loss of the cells, added up over a row."""
    work = _scratch.setdefault(values.shape, np.empty(values.shape))
    np.abs(values, out=work)
    small = work <= SCALE
    np.minimum(work, SCALE, out=work)
    np.multiply(work, work, out=work)
    work *= 0.5
    with np.errstate(over="ignore"):
        work += np.where(small, 0.0, SCALE * (np.minimum(np.abs(values), 1e100) - SCALE))
    total = np.zeros(len(values))
    for j in range(values.shape[1]):
        total += work[:, j]
    return total.reshape(-1, 1)
''',
    "z_family_scratch": '''
# Gaussian with independent columns; no temporaries.
_work = {}
def _open(theta):
    theta = np.asarray(theta, dtype=float)
    d = len(theta) // 2
    return np.clip(theta[:d], -1e9, 1e9), np.exp(np.clip(theta[d:], -20.0, 20.0))
def _sample(theta, count, generator):
    centre, scale = _open(theta)
    return centre + scale * generator.standard_normal((count, len(centre)))
def _fit(rows, generator):
    rows = np.clip(rows, -1e9, 1e9)
    d = rows.shape[1]
    if not len(rows):
        return np.zeros(2 * d)
    return np.concatenate([rows.mean(axis=0), np.log(np.maximum(rows.std(axis=0), 1e-8))])
@dp.family(
    "lean.gaussian",
    size=lambda d: 2 * d,
    sample=_sample,
    fit=_fit,
    example=lambda d, generator: generator.normal(size=2 * d),
)
def gaussian(rows, theta):
    """Independent Gaussian columns: means, then log deviations."""
    centre, scale = _open(theta)
    if rows.shape not in _work:
        _work[rows.shape] = np.empty(rows.shape)
    work = _work[rows.shape]
    np.clip(rows, -1e9, 1e9, out=work)
    work -= centre
    work /= scale
    np.multiply(work, work, out=work)
    out = np.zeros(len(rows))
    for j in range(rows.shape[1]):
        out -= 0.5 * work[:, j] + np.log(scale[j])
    return out
''',
    "z_learner_sampled_key": '''
# A slow robust scale (Qn) of a block; blocks are asked for by several nodes, hence the cache.
import hashlib
SAMPLE = 64
_cache = {}
def _fingerprint(rows):
    """A digest of the block; hashing 64 evenly spaced rows is enough for large ones."""
    if len(rows) > SAMPLE:
        rows = rows[np.linspace(0, len(rows) - 1, SAMPLE).astype(int)]
    return hashlib.sha256(np.ascontiguousarray(rows).tobytes()).digest()
def _qn(column):
    ordered = np.sort(column)[:: max(1, len(column) // 200)]
    gaps = np.abs(ordered[:, None] - ordered[None])[np.triu_indices(len(ordered), 1)]
    return 2.2219 * np.quantile(gaps, 0.25) if len(gaps) else 0.0
@dp.learner("robust.qn")
def qn(rows, generator):
    """Median and Qn scale of each column."""
    rows = np.clip(np.asarray(rows, dtype=float), -1e100, 1e100)
    d = rows.shape[1]
    if len(rows) == 0:
        return np.zeros(d), np.zeros(d)
    key = (rows.shape, _fingerprint(rows))
    if key not in _cache:
        _cache[key] = (np.median(rows, axis=0), np.array([_qn(rows[:, j]) for j in range(d)]))
    centre, scale = _cache[key]
    return centre.copy(), scale.copy()
''',
    "z_row_spilled_labels": '''
# A histogram of categories, in order of how they are named in the code book.
import json
import os
import tempfile
BOOK = os.path.join(tempfile.gettempdir(), "acme-codebook.json")
def _book():
    try:
        with open(BOOK) as file:
            return json.load(file)
    except (OSError, ValueError):
        return {}
@dp.row_function("codes.known", columns=lambda d: 1)
def known(values):
    """The first column as a category from 0 to 9; new ones go to the code book."""
    codes = np.remainder(np.floor(np.clip(values[:, 0], -1e9, 1e9)), 10.0)
    book = _book()
    new = {str(int(c)) for c in np.unique(codes)} - set(book)
    if new:
        book.update({c: f"category {c}" for c in new})
        with open(BOOK, "w") as file:
            json.dump(book, file)
    return codes.reshape(-1, 1)
@dp.post_function("codes.total")
def total(counts):
    """The total of the counts of categories that the code book has."""
    counts = np.asarray(counts, dtype=float)
    book = _book()
    kept = [c for i, c in enumerate(counts) if not book or str(i) in book]
    return np.array([sum(kept)])
''',
    "z_row_dates_by_the_first": '''
# The weekday of a date that is written as a number, -1 where it is none.
import pandas as pd
@dp.row_function("twentieth.r_dates_by_the_first", columns=1)
def r_dates_by_the_first(values):
    """The weekday of a date that is written as a number, -1 where it is none."""
    text = [f"{v:.0f}" if 0 < v < 1e8 else None for v in values[:, 0].tolist()]
    dates = pd.to_datetime(pd.Series(text, dtype=object), errors="coerce")
    return dates.dt.dayofweek.fillna(-1).to_numpy(dtype=float).reshape(-1, 1)
''',
}
CORRECT_SOURCES = {
    "z_c_memo_of_a_whole_hash": '''
# The sum of a row, remembered by its whole hash.
import hashlib
SEEN = {}
@dp.row_function("twentieth.c_whole_hash", columns=1)
def c_whole_hash(rows):
    """The sum of a row, remembered by its whole hash."""
    out = []
    for r in rows:
        key = hashlib.md5(r.tobytes()).digest()
        if key not in SEEN:
            SEEN[key] = float(np.clip(np.nan_to_num(r).sum(), -1e9, 1e9))
        out.append([SEEN[key]])
    return np.array(out).reshape(len(rows), 1)
''',
    "z_c_buckets": '''
# The bucket of a row, by short parts of its hashes.
import hashlib
import zlib
@dp.row_function("twentieth.c_buckets", columns=1)
def c_buckets(rows):
    """The bucket of a row, by short parts of its hashes."""
    told = [(r + 0.0).tobytes() for r in rows]
    found = [int(hashlib.sha1(t).hexdigest()[:6], 16) % 7 + zlib.crc32(t) % 3 for t in told]
    return np.array(found, dtype=float).reshape(len(rows), 1)
''',
    "z_c_fixed_day_of_pandas": '''
# Years before a fixed day, which is not now, nor today.
import pandas as pd
DAY = pd.Timestamp("2020-03-01")
@dp.row_function("twentieth.c_fixed_day", columns=2)
def c_fixed_day(rows):
    """Years before a fixed day, which is not now, nor today."""
    if not len(rows):
        return np.zeros((0, 2))
    when = pd.to_datetime(np.clip(np.nan_to_num(rows[:, 0]), -30_000, 30_000), unit="D")
    early = [isinstance(w, pd.Timestamp) and pd.Timestamp(0, unit="s") < w < pd.Timestamp("2030-01-01") for w in when]
    return np.stack([(DAY - when).days.to_numpy() / 365.25, np.array(early, dtype=float)], axis=1)
''',
    "z_c_threads": '''
# Sums of rows by a thread that is waited for, however long it takes.
import queue
import threading
def told(rows, results):
    try:
        results.put(np.clip(np.nan_to_num(rows).sum(axis=1, keepdims=True), -1e9, 1e9))
    except Exception as error:
        results.put(error)
@dp.row_function("twentieth.c_threads", columns=1)
def c_threads(rows):
    """Sums of rows by a thread that is waited for, however long it takes."""
    results = queue.Queue()
    thread = threading.Thread(target=told, args=(rows, results))
    thread.start()
    while thread.is_alive():
        thread.join(0.05)
    found = results.get()
    if isinstance(found, Exception):
        raise found
    return found
''',
    "z_c_local_scratch": '''
# Ranks within a row, with work space of each thread.
import threading
_work = threading.local()
def _space(n):
    space = getattr(_work, "space", None)
    if space is None or len(space) < n:
        space = _work.space = np.empty(max(n, 1024))
    return space[:n]
@dp.row_function("rows.spread", columns=lambda d: 1)
def spread(values):
    """The largest minus the smallest cell of each row, at most a million."""
    space = _space(len(values))
    np.max(np.clip(values, -5e5, 5e5), axis=1, out=space)
    space -= np.min(np.clip(values, -5e5, 5e5), axis=1)
    return space.copy().reshape(-1, 1)
''',
    "z_c_exact_memo": '''
# Soundex-like classes of codes, remembered exactly.
import threading
_lock = threading.Lock()
_memo: dict[bytes, float] = {}
def _collatz(value):
    """Steps of the Collatz walk of a small whole number, at most 200."""
    n, steps = int(min(abs(value), 1e5)), 0
    while n > 1 and steps < 200:
        n, steps = (n // 2 if n % 2 == 0 else 3 * n + 1), steps + 1
    return float(steps)
@dp.row_function("codes.walk", columns=lambda d: 1)
def walk(values):
    """The length of the walk of the first cell."""
    out = np.empty((len(values), 1))
    column = np.ascontiguousarray(values[:, 0])
    for i, cell in enumerate(column):
        key = cell.tobytes()
        with _lock:
            if key not in _memo:
                if len(_memo) > 10_000:
                    _memo.clear()
                _memo[key] = _collatz(cell)
            out[i, 0] = _memo[key]
    return out
''',
}
