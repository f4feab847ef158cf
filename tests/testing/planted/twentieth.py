# ruff: noqa: E501
"""Short hashes, blocks in which steps do not settle or columns are nearly equal, today's date by libraries, timeouts."""

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
}
