"""Random mixtures from a published generator: does the private learner find every component that EM finds?

usage: python bench/random_mixtures.py [--named] [--seeds N] [--base N] [--pick SEED...] [--noise N] [--epsilon E]
           [--most N] [--starts N] [--label TEXT]
       python bench/random_mixtures.py --redraw [--seeds N] [--base N] [--label TEXT]

`instance` makes the table of a seed: k 2 to 16, d 1 to 64, condition number to 100, weights down to 0.02, scales to
1:10, centres 3 to 12 of the larger deviation apart, general, elongated (apart across, not along) or parallel
clusters, n from 5e3 up, shifted, rotated, columns stretched. A seed counts where the floor of ``bench/mixtures.py`` at
the planner's own budget is at most 0.5 (else the next draw of the same stream is taken) and EM with ten starts finds
every component (largest Mahalanobis error at most 1). The learner is the estimator at (ε, 1e-6), replace-one, with a
bound ten times too large and simulated noise. *found*: each true mean has a released mean of its own within
max(1, 3 floors). ``--pick`` takes these seeds in place of a range, ``--noise`` other noise on the same tables: what is
lost by its luck alone changes. With ``--named`` the hard tables of `NAMED` are run in place of random ones, and EM is
not. The floor is one draw of its noise; ``--redraw`` runs no learner and says what luck alone makes of errors over it.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import numpy as np
from scipy.optimize import linear_sum_assignment

try:
    from bench.mixtures import BUDGET_MU, Floats, Table, benchmark_g, draw, floor, random_mixture, rotation
except ImportError:  # run as a script
    from mixtures import BUDGET_MU, Floats, Table, benchmark_g, draw, floor, random_mixture, rotation

SHAPES = ("general", "elongated", "parallel")
LARGEST_FLOOR, FARTHEST = 0.5, 1.0
LEAST_ROWS, MOST_ROWS = 5_000, 200_000


@attrs.frozen(eq=False)
class Instance:
    """A table and how it was made."""

    table: Table
    k: int
    made: dict[str, Any]


def _shapes(kind: str, k: int, d: int, condition: float, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Axes (k, d, d) and deviations (k, d) of the components, the largest 1."""
    sd = np.exp(-0.5 * math.log(condition) * rng.random((k, d)))
    if d > 1:
        sd[:, 0], sd[:, 1] = 1.0, condition**-0.5
    else:
        sd[:] = 1.0
    if kind == "parallel":
        sd[:] = sd[0]
        return np.repeat(rotation(d, rng)[None], k, axis=0), sd
    return np.array([rotation(d, rng) for _ in range(k)]), sd


def _apart(means: Floats, covariances: Floats, kind: str) -> float:
    """Smallest distance of two centres: of the larger deviation, or in the metric of their mean covariance."""
    k = len(means)
    least = math.inf
    for i in range(k):
        for j in range(i):
            gap = means[i] - means[j]
            if kind == "general":
                largest = max(np.linalg.eigvalsh(covariances[[i, j]])[:, -1])
                least = min(least, float(gap @ gap / largest))
            else:
                least = min(least, float(gap @ np.linalg.solve(0.5 * (covariances[i] + covariances[j]), gap)))
    return math.sqrt(least)


def draw_instance(rng: np.random.Generator) -> Instance:
    """One draw; whether n rows carry k components is left to the floor."""
    k = int(rng.integers(2, 17))
    d = round(math.exp(rng.uniform(0.0, math.log(64.0))))
    n = round(math.exp(rng.uniform(math.log(LEAST_ROWS), math.log(MOST_ROWS))))
    condition = 1.0 if d == 1 else math.exp(rng.uniform(0.0, math.log(100.0)))
    kind = "general" if d == 1 else SHAPES[int(rng.integers(3))]
    sep = rng.uniform(3.0, 12.0)
    scales = np.exp(rng.uniform(0.0, math.log(rng.uniform(1.0, 10.0)), k))
    least = rng.uniform(0.02, 1.0 / k)
    weights = least + (1.0 - k * least) * rng.dirichlet(np.ones(k))
    axes, sd = _shapes(kind, k, d, condition, rng)
    sd = sd * scales[:, None]
    covariances = np.array([(q * s**2) @ q.T for q, s in zip(axes, sd, strict=True)])
    spread = sep * scales.max() / math.sqrt(2.0 * d)
    for attempt in range(1, 10_000):
        means = spread * rng.standard_normal((k, d))
        if _apart(means, covariances, kind) >= sep:
            break
        spread *= 1.1 if attempt % 20 == 0 else 1.0
    shift = math.exp(rng.uniform(0.0, math.log(1e4)))
    direction = rng.standard_normal(d)
    means = means + shift * direction / np.linalg.norm(direction)
    units = np.exp(rng.uniform(0.0, math.log(rng.uniform(1.0, 100.0)), d))
    means, covariances = means * units, covariances * units[:, None] * units
    table = draw(weights, means, covariances, n, rng)
    made = {"kind": kind, "k": k, "d": d, "n": n, "sep": round(sep, 2), "condition": round(condition, 1)}
    made |= {"least weight": round(float(weights.min()), 3), "scales": round(float(scales.max() / scales.min()), 2)}
    return Instance(table, k, made)


def instance(seed: int) -> Instance:
    """The seed's table: the first draw with a floor of at most 0.5 at the planner's own budget."""
    rng = np.random.default_rng([seed, 20_261_122])
    while True:
        found = draw_instance(rng)
        least = np.bincount(found.table.labels, minlength=found.k).min()
        if least > found.made["d"] and floor(found.table, seed, BUDGET_MU) <= LARGEST_FLOOR:
            return found


def distances(table: Table, means: Floats) -> Floats:
    """Mahalanobis distances (true, released), in the true components' metrics."""
    gaps = np.einsum("iab,ijb->ija", np.linalg.inv(table.roots), means[None] - table.means[:, None])
    return np.asarray(np.minimum(np.linalg.norm(gaps, axis=2), 1e12))


def worst_error(table: Table, means: Floats) -> float:
    """Largest Mahalanobis error after the matching that makes the largest small."""
    all_of_them = distances(table, means)
    own, other = linear_sum_assignment(np.minimum(all_of_them, 100.0) ** 2)
    return float(all_of_them[own, other].max())


def is_found(table: Table, means: Floats, within: float) -> bool:
    """Whether each true mean has a released mean of its own within so much."""
    far = distances(table, means) > within
    own, other = linear_sum_assignment(far)
    return not bool(far[own, other].any())


def redrawn(seed: int, draws: int = 3) -> list[float]:
    """Floors of other draws of their noise over the seed's floor."""
    table = instance(seed).table
    others = [floor(table, 1_000_000 + seed + 1000 * i, BUDGET_MU) for i in range(draws)]
    return [other / floor(table, seed, BUDGET_MU) for other in others]


def spread(seeds: range | list[int]) -> dict[str, Any]:
    """Median and 95 % quantile of floors of other draws over floors."""
    over = [ratio for seed in seeds for ratio in redrawn(seed)]
    high = float(np.quantile(over, 0.95))
    median = round(statistics.median(over), 3)
    return {"seeds": len(seeds), "median over floor": median, "95 % over floor": round(high, 3)}


def em(rows: Floats, k: int, starts: int) -> Any:
    """scikit-learn's best of so many starts on columns of unit variance, in the units of the rows."""
    from sklearn.mixture import GaussianMixture

    centre, unit = rows.mean(axis=0), rows.std(axis=0)
    model = GaussianMixture(k, n_init=starts, random_state=0).fit((rows - centre) / unit)
    return centre + unit * model.means_


def pancakes(seed: int) -> Table:
    """Three parallel clusters, ten times as wide as they are thick, eight thicknesses apart."""
    rng = np.random.default_rng([seed, 31])
    turn, sd = rotation(5, rng), np.array([1.0, 10.0, 10.0, 10.0, 10.0])
    means = np.array([-8.0, 0.0, 8.0])[:, None] * turn[:, 0]
    return draw(np.full(3, 1 / 3), means, np.repeat(((turn * sd**2) @ turn.T)[None], 3, axis=0), 30_000, rng)


def light(seed: int) -> Table:
    """A component of 5 % that is also the smallest."""
    how: dict[str, Any] = {"n": 100_000, "d": 10, "k": 4, "sep": 6.0, "condition": 10.0, "shift": 100.0}
    return random_mixture(seed, **how, weights=(0.05, 0.25, 0.3, 0.4), scales=(1.0, 3.0, 6.0, 10.0))


def wide(seed: int) -> Table:
    """Deviations of 1, 1, 10, 30 in 64 columns."""
    return random_mixture(seed, n=100_000, d=64, k=4, sep=8.0, scales=(1.0, 1.0, 10.0, 30.0))


NAMED: dict[str, Callable[[int], Table]] = {
    "5 %, smallest": light,
    "d=2 sep 4, n=1e4": lambda seed: benchmark_g(seed, n=10_000, d=2, sep=4.0),
    "d=2 sep 4, n=1e5": lambda seed: benchmark_g(seed, n=100_000, d=2, sep=4.0),
    "pancakes": pancakes,
    "n=1e3, d=2 sep 8": lambda seed: benchmark_g(seed, n=1_000, d=2, sep=8.0),
    "n=3e3, d=2 sep 8": lambda seed: benchmark_g(seed, n=3_000, d=2, sep=8.0),
    "n=3e3, d=5 sep 8": lambda seed: benchmark_g(seed, n=3_000, d=5, sep=8.0),
    "d=64, 1 1 10 30": wide,
}


def one(seed: int, epsilon: float, most: int, starts: int, noise: int = 0) -> dict[str, Any]:
    """A seed: floor, EM and the private fit, with the noise of ``seed + 1000 noise``."""
    made = instance(seed)
    table, n = made.table, made.made["n"]
    record: dict[str, Any] = {"seed": seed, **made.made}
    if n * made.k * made.made["d"] > most:
        return record | {"counts": None}
    record["floor"] = round(floor(table, seed, BUDGET_MU), 4)
    if starts:
        record["em"] = round(worst_error(table, em(table.rows, made.k, starts)), 4)
        record["counts"] = record["em"] <= FARTHEST
        if not record["counts"]:
            return record
    return record | fitted(table, seed + 1000 * noise, epsilon, record["floor"])


def named(name: str, seed: int, epsilon: float) -> dict[str, Any]:
    """A hard table: floor and the private fit."""
    table = NAMED[name](seed)
    least = round(floor(table, seed, BUDGET_MU), 4)
    return {"name": name, "seed": seed, "floor": least, **fitted(table, seed, epsilon, least)}


def fitted(table: Table, seed: int, epsilon: float, least: float) -> dict[str, Any]:
    """The private fit: its largest error, whether it found everything, its verdict."""
    from dpframe.errors import RunError
    from dpframe.front.estimators import PrivateGaussianMixture

    bound = 10.0 * float(np.linalg.norm(table.rows, axis=1).max())
    learner = PrivateGaussianMixture(
        len(table.means), epsilon=epsilon, delta=1e-6, adjacency="replace_one", bound=bound, simulate=seed
    )
    try:
        learner.fit(table.rows)
    except RunError:
        return {"error": 1e12, "found": False, "verdict": "failed"}
    return {
        "error": round(worst_error(table, learner.means_), 4),
        "found": is_found(table, learner.means_, max(1.0, 3.0 * least)),
        "verdict": learner.quality_["verdict"],
    }


def summary(records: list[dict[str, Any]]) -> dict[str, Any]:
    """Found, and errors over the floor and over EM's."""
    ours = [r for r in records if "error" in r]
    over = [r["error"] / r["floor"] for r in ours]
    result = {
        "seeds": len(records),
        "counted": len(ours),
        "found": sum(r["found"] for r in ours),
        "lost, said good": sum(not r["found"] and r["verdict"] == "good" for r in ours),
        "found, said poor": sum(r["found"] and r["verdict"] != "good" for r in ours),
        "median over floor": round(statistics.median(over), 3),
        "95 % over floor": round(float(np.quantile(over, 0.95)), 3),
        "lost": [r["seed"] for r in ours if not r["found"]],
    }
    if "em" in ours[0]:
        result["median over EM"] = round(statistics.median(r["error"] / r["em"] for r in ours), 3)
    return result


def main() -> int:
    """Run the seeds and merge the records into the file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--base", type=int, default=0)
    parser.add_argument("--pick", type=int, nargs="+", metavar="SEED", help="these seeds")
    parser.add_argument("--noise", type=int, default=0, help="number of the noise, on the same tables")
    parser.add_argument("--epsilon", type=float, default=1.0)
    parser.add_argument("--most", type=float, default=math.inf, help="skip tables of more than this many n*k*d")
    parser.add_argument("--starts", type=int, default=10, help="of EM; 0: all seeds count")
    parser.add_argument("--label", default="now")
    parser.add_argument("--named", action="store_true", help="the hard tables, so many seeds of each")
    parser.add_argument("--redraw", action="store_true", help="floors of other draws over floors, no learner")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / "random_mixtures.json")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    seeds = asked.pick or range(asked.base, asked.base + asked.seeds)
    if asked.redraw:
        write(asked.out, asked.label, spread(seeds))
        return 0
    records = []
    for name in NAMED if asked.named else [""]:
        for seed in seeds:
            tried = (asked.epsilon, asked.most, asked.starts, asked.noise)
            found = named(name, seed, asked.epsilon) if name else one(seed, *tried)
            records.append(found)
            print(json.dumps(records[-1]), flush=True)
    found = {"epsilon": asked.epsilon, "most": asked.most, "starts": asked.starts, **summary(records)}
    write(asked.out, asked.label, found, {"noise": asked.noise, "records": records})
    return 0


def write(file: Path, label: str, found: dict[str, Any], more: dict[str, Any] | None = None) -> None:
    """Print what was found and merge it, with more, into the file."""
    print(json.dumps(found, indent=1))
    results = json.loads(file.read_text()) if file.exists() else {}
    results[label] = found | (more or {})
    file.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    raise SystemExit(main())
