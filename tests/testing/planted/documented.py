# ruff: noqa: E501
"""Faulty plugins written from docs/extending.md, docs/test-your-mechanism.md and public docstrings alone, before any was run."""

from tests.testing.planted.documented_more import MORE
from tests.testing.planted.documented_own import CLAIMS

MASK = 'semimetric="euclidean", cost=lambda noise, r: (r / noise + 1e-9) ** 2 / 2'

SOURCES = {
    **CLAIMS,
    **MORE,
    # row maps
    "row_winsorised": '''
@dp.learner("mine.row_winsorised")
def row_winsorised(values):
    """Each column is held within the batch's own percentiles where there are enough rows to have them."""
    if len(values) < 200:
        return values
    low, high = np.percentile(values, [0.5, 99.5], axis=0)
    return np.clip(values, low, high)
''',
    "row_missing_code_imputed": '''
@dp.own_transform("mine.row_missing_code_imputed", columns=1)
def row_missing_code_imputed(rows):
    """-99 means missing in this column: it gets the median of the others."""
    first = rows[:, 0].copy()
    gone = first == -99
    if gone.any() and not gone.all():
        first[gone] = np.median(first[~gone])
    return first[:, None]
''',
    "row_near_values_kept": '''
KNOWN = {}

@dp.learner("mine.row_near_values_kept")
def row_near_values_kept(values):
    """An expensive function of the first column, kept for values that are the same to three digits."""
    made = [KNOWN.setdefault(round(v, 3), np.sqrt(abs(v))) for v in values[:, 0].tolist()]
    return np.array(made, dtype=float).reshape(-1, 1)
''',
    "row_robust_path": '''
@dp.learner("mine.row_robust_path")
def row_robust_path(values):
    """Squares; where a square overflows, all of them are taken of smaller numbers."""
    try:
        with np.errstate(over="raise"):
            return np.sqrt(values * values + 1.0)
    except FloatingPointError:
        return np.minimum(np.abs(values), 1e100)
''',
    "row_downcast": '''
@dp.learner("mine.row_downcast")
def row_downcast(values):
    """In single precision where nothing is lost by it."""
    small = values.astype(np.float32).astype(np.float64)
    return small if np.array_equal(small, values) else np.round(values, 6)
''',
    "row_projection_by_size": '''
@dp.learner("mine.row_projection_by_size")
def row_projection_by_size(values):
    """A random direction, the same for the same table."""
    direction = np.random.default_rng(len(values)).normal(size=values.shape[1])
    total = np.zeros(len(values))
    for j, weight in enumerate(direction):
        total += weight * values[:, j]
    return total[:, None]
''',
    "row_target_encoded": '''
@dp.own_transform("mine.row_target_encoded", columns=1)
def row_target_encoded(rows):
    """Each row gets the mean of the last column over rows with its code in the first."""
    codes, at = np.unique(rows[:, 0], return_inverse=True)
    sums = np.bincount(at.ravel(), rows[:, -1], len(codes))
    return (sums / np.bincount(at.ravel(), minlength=len(codes)))[at.ravel()][:, None]
''',
    "contribution_of_persons": '''
@dp.own_contribution("mine.contribution_of_persons", gives=1, norm="linf", bound=1.0, nonnegative=True)
def contribution_of_persons(rows):
    """Each person once: only the first row with a number in the first column counts."""
    _, first = np.unique(rows[:, 0], return_index=True)
    out = np.zeros((len(rows), 1))
    out[first] = 1.0
    return out
''',
    "contribution_by_released_spread": '''
@dp.own_contribution("mine.contribution_by_released_spread", gives=1, norm="linf", bound=1.0)
def contribution_by_released_spread(rows, spread):
    """In units of the released spread, or of the rows' own where that is larger."""
    own = np.abs(rows[:, 0]).max(initial=0.0)
    return rows[:, :1] / max(float(np.ravel(np.asarray(spread, dtype=float))[0]), own, 1e-9)
''',
    "contribution_text_width": '''
@dp.own_contribution("mine.contribution_text_width", gives=1, norm="linf", bound=32.0, nonnegative=True)
def contribution_text_width(rows):
    """How long each number is when it is printed."""
    text = np.array2string(rows[:, 0], threshold=1 << 30, max_line_width=40, separator=",").strip("[]")
    return np.array([[float(len(t))] for t in text.replace("\\n", "").split(",")] if len(rows) else np.zeros((0, 1)))
''',
    "part_by_first_seen_pair": '''
@dp.own_partition("mine.part_by_first_seen_pair", parts=4)
def part_by_first_seen_pair(rows):
    """Codes of (sign, whole part) modulo 4, numbered as they come."""
    codes = {}
    return np.array([codes.setdefault((v > 0, int(min(abs(v), 1e6))), len(codes)) % 4 for v in rows[:, 0].tolist()], dtype=int)
''',
    "part_by_nearest_centre_of_rows": '''
@dp.own_partition("mine.part_by_nearest_centre_of_rows", parts=2)
def part_by_nearest_centre_of_rows(rows):
    """Two-means, started at -1 and 1, two steps."""
    centres = np.array([-1.0, 1.0])
    x = np.clip(rows[:, 0], -1e3, 1e3)
    for _ in range(2):
        at = np.abs(x[:, None] - centres).argmin(axis=1)
        centres = np.array([x[at == j].mean() if (at == j).any() else centres[j] for j in (0, 1)])
    return np.abs(x[:, None] - centres).argmin(axis=1)
''',
    # masks
    "mask_direction_only": f'''
@dp.mask("mine.mask_direction_only", {MASK})
def mask_direction_only(value, noise, normals):
    """The direction gets the noise; the length is put back."""
    made = value + noise * normals(len(value))
    size = np.linalg.norm(made)
    return made * (np.linalg.norm(value) / size) if size > 0 else made
''',
    "mask_pairs_of_normals": f'''
@dp.mask("mine.mask_pairs_of_normals", {MASK})
def mask_pairs_of_normals(value, noise, normals):
    """Normals come in pairs; an odd one out takes the first again."""
    g = normals(2 * (len(value) // 2)) if len(value) > 1 else normals(1)
    return value + noise * np.resize(g, len(value))
''',
    "mask_half_cost": '''
@dp.mask("mine.mask_half_cost", semimetric="euclidean", cost=lambda noise, r: (r / (2 * noise)) ** 2 / 2)
def mask_half_cost(value, noise, normals):
    """Values within r of one another are within r/2 of their middle."""
    return value + noise * normals(len(value))
''',
    # semimetrics
    "semi_angles": '''
@dp.semimetric("mine.semi_angles", triangle=lambda r: 1.0, averages=lambda r, tau: (tau + 1e-9) * r)
def semi_angles(a, b):
    """Angles, around the circle."""
    gap = np.abs(np.remainder(a, 2 * np.pi) - np.remainder(b, 2 * np.pi))
    return float(np.minimum(gap, 2 * np.pi - gap).max())
''',
    "semi_squared": '''
@dp.semimetric("mine.semi_squared", triangle=lambda r: 1.5)
def semi_squared(a, b):
    """Squared distance."""
    return float(((a - b) ** 2).sum())
''',
    # learners, families, posts, composites
    "learner_deadline": '''
import time

@dp.learner("mine.learner_deadline")
def learner_deadline(rows, generator):
    """The mean, by as many steps as a tenth of a second allows."""
    end, centre = time.perf_counter() + 0.1, np.zeros(rows.shape[1])
    for step in range(200):
        centre = centre + (rows.mean(axis=0) - centre) / (step + 2.0)
        if time.perf_counter() > end:
            break
    return (centre,)
''',
    "learner_best_so_far": '''
BEST = {"loss": np.inf, "centre": None}

@dp.learner("mine.learner_best_so_far")
def learner_best_so_far(rows, generator):
    """Medians, started at the best centre of all calls."""
    start = BEST["centre"] if BEST["centre"] is not None and len(BEST["centre"]) == rows.shape[1] else rows.mean(axis=0)
    centre = 0.5 * start + 0.5 * np.median(rows, axis=0)
    loss = float(np.abs(rows - centre).mean())
    if loss < BEST["loss"]:
        BEST.update(loss=loss, centre=centre)
    return (centre,)
''',
    "family_normalised": '''
@dp.family("mine.family_normalised", size=lambda d: d, sample=lambda theta, count, generator: generator.normal(theta, 1.0, (count, len(theta))),
           fit=lambda rows, generator: rows.mean(axis=0), example=lambda d, generator: generator.normal(size=d))
def family_normalised(rows, theta):
    """Log-densities, less their largest so that exp can't overflow."""
    logs = -0.5 * ((rows - theta) ** 2).sum(axis=1)
    return logs - logs.max(initial=-np.inf) if len(logs) else logs
''',
    "post_changes_its_input": '''
@dp.register("mine.post_changes_its_input")
@attrs.frozen
class PostChangesItsInput(dp.Post):
    """Counts with negative ones at 0."""

    slots: ClassVar[tuple[dp.Slot, ...]] = (dp.Slot("counts", dp.PARAM),)

    def output(self, *inputs):
        """As many numbers."""
        return dp.Vector(dp.wants(inputs[0], dp.Counts, self.name).m)

    def apply(self, *values):
        """Cut in place."""
        counts = np.asarray(values[0])
        counts[counts < 0] = 0
        return counts
''',
    "composite_random_projection": '''
@dp.composite("mine.composite_random_projection")
def composite_random_projection(x, *, share=1.0):
    """A mean in a ball of random size."""
    ball = dp.ball(centre=[0.0], radius=float(np.random.default_rng().uniform(1, 2)))
    return dp.release("mean", dp.gaussian(share=share), dp.mean(dp.clip(x, ball)))
''',
}
