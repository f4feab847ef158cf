"""Private k-means against scikit-learn's on R's tables: the mean squared distance to the nearest centre, as a ratio.

usage: python bench/clusters.py [--half tuning|untouched] [--every N] [--epsilon E] [--seeds S] [--out FILE]

Every N-th table of a half of ``bench/packaged.py``, columns in units of their deviation, at most 40,000 rows in a
public order; three and six clusters; δ=1e-6, replace-one, simulated noise, a bound ten times too large. ``before`` has
the means of the first mixture for starts, paired by noise. ``one`` is what a single centre would cost.
"""

from __future__ import annotations

import argparse
import json
import statistics
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.cluster import KMeans

import dpframe_plugins.tabular.clusters as tabular
from dpframe.estimators import PrivateKMeans

try:
    from bench import packaged
except ImportError:  # run as a script
    import packaged

MOST_ROWS, CLUSTERS, DEAR = 40_000, (3, 6), 1.5


def means(mixture: Any, seed: int) -> tuple[Any, Any]:
    """Starts as they were before."""
    return mixture.means, np.sqrt(np.trace(mixture.covariances, axis1=1, axis2=2))


def cost(rows: Any, centres: Any) -> float:
    """Mean squared distance to the nearest centre."""
    return float(np.min([np.square(rows - centre).sum(axis=1) for centre in centres], axis=0).mean())


def ratios(rows: Any, k: int, best: float, how: dict[str, Any], seeds: int) -> list[float]:
    """Costs of private centres over the best."""
    found = [PrivateKMeans(k, **how, simulate=seed).fit(rows).cluster_centers_ for seed in range(seeds)]
    return [round(cost(rows, centres) / best, 3) for centres in found]


def measured(table: packaged.Table, k: int, epsilon: float, seeds: int) -> dict[str, Any]:
    """One table."""
    package, item, columns = table
    rows = packaged.numbers(package, item)[list(columns)].dropna().to_numpy(float)
    rows = (rows / rows.std(axis=0))[np.random.default_rng(0).permutation(len(rows))[:MOST_ROWS]]
    best = cost(rows, KMeans(k, n_init=4, random_state=0).fit(rows).cluster_centers_)
    bound = 10.0 * float(np.linalg.norm(rows, axis=1).max())
    how = {"epsilon": epsilon, "delta": 1e-6, "adjacency": "replace_one", "bound": bound}
    found = {"table": f"{package}/{item}", "rows": len(rows), "columns": rows.shape[1], "k": k}
    found |= {"one": round(cost(rows, rows.mean(axis=0)[None]) / best, 2), "now": ratios(rows, k, best, how, seeds)}
    now, tabular.parted = tabular.parted, means
    found["before"] = ratios(rows, k, best, how, seeds)
    tabular.parted = now
    return found


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", choices=packaged.HALVES, default="untouched")
    parser.add_argument("--every", type=int, default=3)
    parser.add_argument("--epsilon", type=float, default=1.0)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / "clusters.json")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    tables = packaged.halves()[packaged.HALVES.index(asked.half)][:: asked.every]
    records = [measured(table, k, asked.epsilon, asked.seeds) for table in tables for k in CLUSTERS]
    summary = {
        which: {
            "runs": len(values := [value for record in records for value in record[which]]),
            "median": statistics.median(values),
            f"above {DEAR}": sum(value > DEAR for value in values),
        }
        for which in ("now", "before")
    }
    known = json.loads(asked.out.read_text()) if asked.out.exists() else {}
    known[f"{asked.half}, every {asked.every}, epsilon {asked.epsilon:g}"] = summary | {"records": records}
    asked.out.write_text(json.dumps(known, indent=1) + "\n")
    print(json.dumps(summary, indent=1))


if __name__ == "__main__":
    main()
