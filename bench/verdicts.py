"""How often the verdict of a mixture's run is right, on runs that its rules were not made on.

usage: python bench/verdicts.py [--half NAME]... [--base N] [--epsilon E]... [--columns LEAST] [--label TEXT]
           [--cache DIR] [--kept DIR [--again]] [--out FILE]

Tables of six kinds: draws of ``bench/random_mixtures.py``, the same with few rows, stretched clusters
(``bench/hard.py``), heavy tails and skew, far rows, tables that packages ship; each at two of ε = 0.3, 1, 4, 16,
δ=1e-6, replace-one, with simulated noise and a bound ten times too large, columns in units of their deviation. A fifth
of the rows is held out.

*bad*: held-out mean log-likelihood more than 0.2 nats below EM's best of ten starts, or one of EM's components
without a released mean of its own within one of its deviations; the first alone is counted as well, since where
tables are no mixtures EM's optimum is one of many as likely. *good*: within 0.05 nats, all components matched. The
rules of the verdict were made on the half ``tuning``; ``fresh`` has other seeds, and other packaged tables;
``unseen`` tables that no rule or constant of the learner was ever looked at on; ``others`` scikit-learn's other
generators, whose rows are mixtures of Gaussians in a few cases only, and more packaged tables. ``R tuning`` and ``R
untouched`` are R's tables as ``bench/packaged.py`` finds them, in packages apart, at ε = 1 and 16 for two and four
components; ``R wide`` the same with five and six columns; ``R ten`` all with ten to 24; ``R small`` those of 1,500 to
4,000 rows; ``R long`` those of 37,500 rows and more, whole (up to 1e5), for three components; ``laws`` clusters of nine
laws (``bench/laws.py``), at ε = 1 and 16; ``Python`` what other Python packages ship (``bench/python_tables.py``),
from 1e3 rows up, at the same ε and k as R's; ``strangers`` what other libraries draw (``bench/strangers.py``);
``generators`` 60 tables of scikit-learn's generators and of random mixtures (``bench/generators.py``), and ``scipy`` 48
of clusters of scipy's laws (``bench/scipy_laws.py``), at ε = 1 and 4, each with noise of its own.
With ``--epsilon`` and ``--columns`` only these runs, on tables of so many columns. A verdict of ``poor`` and a failed
run count as called. *visible*: bad, and not by so few far rows that no test which spends the whole budget (a Gaussian
mechanism's) calls 95 % of such tables and 3 % of those without them: m rows are m·μ-GDP apart, so that takes m·μ ≥
3.53. *unmatched, not behind*: a component of EM's is unmatched, but the result is at most 0.05 nats less likely, or
more likely: another optimum as good. *by single rows*: more than 0.2 nats behind, but not without the rows, one in a
thousand at either end, that speak most for one side. *no more than 0.05 nats behind*: whatever is matched.
With ``--kept`` what each verdict is made of (released values) is written to DIR, and with ``--again`` read from there:
then the rules as they are judge the same runs anew, without a run.
Results are merged into FILE by label and half.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import json
import math
import pickle
import warnings
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import attrs
import numpy as np
from scipy.optimize import brentq, linear_sum_assignment
from scipy.stats import norm, trim_mean
from sklearn import datasets
from sklearn.mixture import GaussianMixture

from dpframe_plugins.practical.averaging import Average

try:
    from bench import generators, hard, laws, packaged, python_tables, random_mixtures, scipy_laws, strangers
except ImportError:  # run as a script
    import generators
    import hard
    import laws
    import packaged
    import python_tables
    import random_mixtures
    import scipy_laws
    import strangers

Floats = hard.Floats
FAR, NEAR, BESIDE = 0.2, 0.05, 1.0
SEEN = float(norm.ppf(0.95) + norm.ppf(0.97))
MOST_ROWS, MOST_WORK = 20_000, 4e5
EPSILONS = ((1.0, 16.0), (0.3, 4.0), (1.0, 4.0), (0.3, 16.0))
OF_R = {"R tuning": ("tuning", False), "R untouched": ("untouched", False)}
BY_NAME = ("laws", "Python", "R ten", "R small", "R long", "strangers", "generators", "scipy")
OWN_NOISE = ("generators", "scipy")
LONG_ROWS = 37_500
"""Rows of a table of ``R long``, at least: four fifths of them are 3e4."""
OF_R |= {"R wide tuning": ("tuning", True), "R wide untouched": ("untouched", True)}
TABLES: dict[str, dict[str, tuple[str, str, tuple[str, ...], int]]] = {
    "tuning": {
        "weather": ("nycflights13", "weather", ("temp", "dewp", "humid", "wind_speed"), 3),
        "CPS1988": ("AER", "CPS1988", ("wage", "education", "experience"), 3),
        "clemson": ("stevedata", "clemson_temps", ("tmin", "tmax"), 3),
        "quakes": ("datasets", "quakes", ("lat", "long", "depth", "mag"), 3),
        "movies": ("ggplot2movies", "movies", ("year", "length", "rating", "votes"), 3),
        "NOx": ("robustbase", "NOxEmissions", ("LNOx", "LNOxEm", "sqrtWS"), 3),
        "faithful": ("datasets", "faithful", ("eruptions", "waiting"), 2),
    },
    "fresh": {
        "stops": ("carData", "MplsStops", ("lat", "long"), 4),
        "gss_wages": ("stevedata", "gss_wages", ("realrinc", "age", "prestg10"), 3),
        "SLID": ("carData", "SLID", ("wages", "education", "age"), 3),
        "storms": ("dplyr", "storms", ("lat", "long", "wind", "pressure"), 4),
        "computers": ("Ecdat", "Computers", ("price", "speed", "hd", "ram"), 3),
        "flchain": ("survival", "flchain", ("age", "kappa", "lambda", "futime"), 3),
        "geyser": ("MASS", "geyser", ("waiting", "duration"), 3),
    },
    "unseen": {
        "BudgetFood": ("Ecdat", "BudgetFood", ("wfood", "totexp", "age"), 3),
        "credit_cards": ("causaldata", "credit_cards", ("BillApril", "AGE"), 3),
        "Default": ("ISLR", "Default", ("balance", "income"), 2),
        "VietNamH": ("Ecdat", "VietNamH", ("age", "lntotal", "lnrlfood"), 3),
        "Birthdays": ("mosaicData", "Birthdays", ("year", "births"), 4),
        "CollegeDistance": ("AER", "CollegeDistance", ("score", "unemp", "wage", "distance"), 3),
        "Wages": ("plm", "Wages", ("exp", "wks", "lwage"), 3),
        "NMES1988": ("AER", "NMES1988", ("age", "school", "income"), 2),
    },
    "others": {
        "nlswork": ("sampleSelection", "nlswork", ("age", "ttl_exp", "tenure", "ln_wage"), 3),
        "ratdat": ("ratdat", "complete", ("hindfoot_length", "weight"), 4),
        "anes": ("stevedata", "anes_partytherms", ("therm_dem", "therm_gop", "age"), 3),
        "star": ("mlmRev", "star", ("read", "math"), 3),
        "nafld1": ("survival", "nafld1", ("weight", "height", "bmi"), 3),
    },
}
SMALL = {"tuning": ("wine",), "fresh": ("iris", "breast_cancer"), "unseen": ("diabetes",), "others": ()}


@attrs.frozen(eq=False)
class Case:
    """Rows in a public order, how many components are asked for, and how many rows were put far out."""

    kind: str
    name: str
    rows: Floats
    k: int
    far: int = 0


def drawn(seed: int, *, few: bool = False) -> Case:
    """A random mixture that is small enough to be measured in seconds."""
    rng = np.random.default_rng([seed, 41 + few])
    while True:
        found = random_mixtures.draw_instance(rng)
        n, k, d = found.made["n"], found.k, found.made["d"]
        if few:
            n = round(math.exp(rng.uniform(math.log(500), math.log(4000))))
            if k <= 5 and d <= 6:
                rows = found.table.rows[:n]
                return Case("few rows", f"k={k} d={d} n={n} {found.made['kind']} seed {seed}", rows, k)
        elif n * k * d <= MOST_WORK:
            least = np.bincount(found.table.labels, minlength=k).min()
            floor = random_mixtures.floor(found.table, seed, random_mixtures.BUDGET_MU) if least > d else math.inf
            if floor <= random_mixtures.LARGEST_FLOOR:
                return Case("random", f"k={k} d={d} n={n} {found.made['kind']} seed {seed}", found.table.rows, k)


def stretched(seed: int) -> Case:
    """Blobs through a matrix, elongated or parallel clusters."""
    rng = np.random.default_rng([seed, 43])
    n = round(math.exp(rng.uniform(math.log(3000), math.log(MOST_ROWS))))
    which = ("sheared", "elongated", "parallel")[seed % 3]
    if which == "sheared":
        rows, k = hard.sheared(seed, n=n)
    elif which == "elongated":
        rows, k = hard.elongated(seed, n=n)
    else:
        rows, k = hard.parallel(seed, condition=float(rng.uniform(9.0, 49.0)), d=int(rng.integers(2, 5)), n=n)
    return Case("stretched", f"{which} n={n} seed {seed}", rows, k)


def tailed(seed: int) -> Case:
    """Two or three clusters of t or exponential rows."""
    rng = np.random.default_rng([seed, 44])
    law = ("t(5)", "exponential", "t(3)")[seed % 3]
    n, d, k = round(math.exp(rng.uniform(math.log(5000), math.log(MOST_ROWS)))), int(rng.integers(1, 5)), 2 + seed % 2
    labels = rng.integers(0, k, n)
    centres = 14.0 * np.arange(k)[:, None] * hard.orthogonal(d, rng)[0]
    rows = hard.LAWS[law](rng, (n, d)) @ (rng.uniform(0.7, 1.5, d)[:, None] * hard.orthogonal(d, rng)) + centres[labels]
    return Case("tails", f"{law} k={k} d={d} n={n} seed {seed}", rows, k)


def outlying(seed: int) -> Case:
    """Clusters with a few rows in a thousand far out."""
    rng = np.random.default_rng([seed, 45])
    n, d, k = round(math.exp(rng.uniform(math.log(5000), math.log(MOST_ROWS)))), int(rng.integers(1, 5)), 2
    rows = rng.standard_normal((n, d)) + 10.0 * rng.integers(0, k, (n, 1))
    part, scale = float(rng.choice([0.003, 0.01, 0.03])), 10.0 ** rng.uniform(1.5, 3.0)
    out = rng.random(n) < part
    rows[out] = scale * rng.standard_normal((int(out.sum()), d))
    return Case("outliers", f"{part:g} at {scale:.0f} d={d} n={n} seed {seed}", rows, k, int(out[: n * 4 // 5].sum()))


def shaped(seed: int) -> Case:
    """What scikit-learn's other generators draw; most of it is no mixture of Gaussians."""
    rng = np.random.default_rng([seed, 77])
    n = round(math.exp(rng.uniform(math.log(3000), math.log(MOST_ROWS))))
    which = ("moons", "circles", "classification", "s_curve", "swiss_roll", "blobs")[seed % 6]
    k, d = int(rng.integers(2, 7)), int(rng.integers(3, 8))
    classes, apart = int(rng.integers(2, 4)), float(rng.uniform(1.0, 3.0))
    if which == "moons":
        rows = datasets.make_moons(n, noise=0.1, random_state=seed)[0]
    elif which == "circles":
        rows = datasets.make_circles(n, noise=0.05, factor=0.5, random_state=seed)[0]
    elif which == "classification":
        k, own = 2 * classes, {"n_informative": max(d - 1, 3), "n_redundant": 0, "n_clusters_per_class": 2}
        rows = datasets.make_classification(n, d, n_classes=classes, class_sep=apart, random_state=seed, **own)[0]
    elif which == "s_curve":
        rows = datasets.make_s_curve(n, noise=0.1, random_state=seed)[0]
    elif which == "swiss_roll":
        rows = datasets.make_swiss_roll(n, noise=0.5, random_state=seed)[0]
    else:
        spreads = rng.uniform(0.5, 2.5, k)
        rows = datasets.make_blobs(n, d, centers=k, cluster_std=spreads, random_state=seed)[0]
    return Case("shapes", f"{which} k={k} n={n} seed {seed}", rows[rng.permutation(n)], k)


def of_r(half: str) -> Iterator[Case]:
    """R's tables, found by rules."""
    name, wide = OF_R[half]
    for found, k in packaged.asked(name, wide=wide):
        yield of_table(found, k, "R wide" if wide else "R")


def of_table(found: packaged.Table, k: int, kind: str = "R ten", most: int | None = MOST_ROWS) -> Case:
    """One of R's tables."""
    package, item, columns = found
    hard.TABLES["found"] = (package, item, columns, k)
    return Case(kind, f"{package}.{item} k={k}", hard.table("found")[:most], k)


def long_tables() -> Iterator[Case]:
    """R's tables of many rows, of both halves, whole."""
    found = dict.fromkeys(table for half in packaged.HALVES for table, _ in packaged.asked(half, wide=False))
    every = (of_table(table, 3, "R long", None) for table in found)
    yield from (case for case in every if len(case.rows) >= LONG_ROWS)


def named(half: str) -> Iterator[Case]:
    """Tables of R's packages that are named above, and scikit-learn's small ones."""
    for name, (*_, k) in TABLES[half].items():
        hard.TABLES[name] = TABLES[half][name]
        yield Case("tables", name, hard.table(name)[:MOST_ROWS], k)
    for name in SMALL[half]:
        rows = getattr(datasets, f"load_{name}")().data[:, :4]
        yield Case("tables", name, rows[np.random.default_rng(0).permutation(len(rows))], 3)


DRAWN: dict[str, Callable[[int], Iterable[tuple[str, Floats, int]]]] = {
    "laws": lambda base: map(laws.clusters, range(base, base + 54)),
    "strangers": strangers.tables,
    "generators": lambda base: map(generators.drawn, range(base, base + 60)),
    "scipy": lambda base: map(scipy_laws.clusters, range(base, base + 48)),
}


def cases(half: str, base: int) -> Iterator[Case]:
    """All tables of a half."""
    if half in OF_R:
        yield from of_r(half)
        return
    if half in DRAWN:
        for name, rows, k in DRAWN[half](base):
            yield Case(half, f"{name} k={k} d={rows.shape[1]} n={len(rows)}", rows, k)
        return
    if half == "R ten":
        every = (of_table(found, k) for found in packaged.ten() for k in (2, 4))
        yield from (case for case in every if not packaged.is_determined(case.rows))
        return
    if half == "R long":
        yield from long_tables()
        return
    if half == "R small":
        yield from (of_table(found, k, half) for found in packaged.small() for k in (2, 4))
        return
    if half == "Python":
        for name, rows in python_tables.tables(MOST_ROWS):
            yield from (Case("Python", f"{name} k={k} d={rows.shape[1]} n={len(rows)}", rows, k) for k in (2, 4))
        return
    base += 1000 * list(TABLES).index(half)
    if half == "others":
        yield from (shaped(base + i) for i in range(18))
        yield from named(half)
        return
    yield from (drawn(base + i) for i in range(8))
    yield from (drawn(base + i, few=True) for i in range(5))
    yield from (stretched(base + i) for i in range(6))
    yield from (tailed(base + i) for i in range(4))
    yield from (outlying(base + i) for i in range(4))
    yield from named(half)


def best_em(case: Case, train: Floats, cache: Path | None) -> GaussianMixture:
    """EM's best of ten starts, from the cache where it is there."""
    file = None if cache is None else cache / f"em {case.kind} {case.name}.pickle"
    if file is not None and file.exists():
        return pickle.loads(file.read_bytes())
    model = GaussianMixture(case.k, n_init=10, random_state=0, reg_covar=1e-6).fit(train)
    if file is not None:
        file.write_bytes(pickle.dumps(model))
    return model


def unmatched(em: GaussianMixture, means: Floats) -> int:
    """How many of EM's components have no released mean of their own within `BESIDE` of their deviations."""
    roots = np.linalg.inv(np.linalg.cholesky(em.covariances_))
    gaps = np.einsum("iab,ijb->ija", roots, means[None] - em.means_[:, None])
    far = np.linalg.norm(gaps, axis=2) > BESIDE
    return int(far[linear_sum_assignment(far)].sum())


def is_visible(far: int, epsilon: float) -> bool:
    """Whether so many far rows are enough for some test within the budget; none at all are no reason to be hidden."""

    def excess(mu: float) -> float:
        delta = norm.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * norm.cdf(-mu / 2 - epsilon / mu)
        return float(delta) - hard.DELTA

    return far == 0 or far * float(brentq(excess, 1e-2, 20.0)) >= SEEN


@contextlib.contextmanager
def heard() -> Iterator[list[Any]]:
    """What verdicts are asked of in here: the operation, its released values and their noise."""
    found: list[Any] = []
    judged = Average.judged
    Average.judged = lambda *given: found.append(given) or judged(*given)  # type: ignore[func-returns-value,method-assign]
    try:
        yield found
    finally:
        Average.judged = judged  # type: ignore[method-assign]


def again(folder: Path, half: str, base: int) -> Iterator[dict[str, Any]]:
    """The half's runs that were kept, judged by the rules as they are."""
    for file in sorted(folder.glob(f"{half} {base} *.pickle.gz")):
        record, asked = pickle.loads(gzip.decompress(file.read_bytes()))
        if asked is not None:
            average, *given = asked
            judged = average.judged(*given)
            record |= {"verdict": judged.verdict, "why": judged.why}
        yield record


def run(case: Case, epsilon: float, seed: int, cache: Path | None, keep: Path | None = None) -> dict[str, Any]:
    """One run beside EM; what its verdict is made of is written to a file."""
    with heard() as asked:
        record = beside(case, epsilon, seed, cache)
    if keep is not None:
        keep.write_bytes(gzip.compress(pickle.dumps((record, asked[-1] if asked else None)), 1))
    return record


def beside(case: Case, epsilon: float, seed: int, cache: Path | None) -> dict[str, Any]:
    """One run beside EM."""
    x = (case.rows - case.rows.mean(axis=0)) / case.rows.std(axis=0)
    part = len(x) * 4 // 5
    train, test = x[:part], x[part:]
    em = best_em(case, train, cache)
    record: dict[str, Any] = {"kind": case.kind, "table": case.name, "epsilon": epsilon}
    record["visible"] = is_visible(case.far, epsilon)
    model = hard.fitted(train, case.k, epsilon, seed)
    if model is None:
        return record | {"behind": None, "unmatched": case.k, "verdict": "failed", "why": ""}
    gaps = em.score_samples(test) - model.score_samples(test)
    record |= {"behind": round(float(gaps.mean()), 4), "trimmed": round(float(trim_mean(gaps, 1e-3)), 4)}
    return record | {"unmatched": unmatched(em, model.means_), **model.quality_}


def is_bad(record: dict[str, Any]) -> bool:
    """See above."""
    return record["behind"] is None or record["behind"] > FAR or record["unmatched"] > 0


def is_good(record: dict[str, Any]) -> bool:
    """See above; results between the two count for neither rate."""
    return not is_bad(record) and record["behind"] <= NEAR


def is_another(record: dict[str, Any]) -> bool:
    """Bad by a component alone: another optimum, at most 0.05 nats less likely than EM's or more likely."""
    return is_bad(record) and record["behind"] is not None and record["behind"] <= NEAR


def is_by_single_rows(record: dict[str, Any]) -> bool:
    """Behind by so few rows that they are none of those that are left when one in a thousand is."""
    return record["behind"] is not None and record["behind"] > FAR >= record.get("trimmed", record["behind"])


def summary(records: list[dict[str, Any]]) -> dict[str, Any]:
    """Rates, in all and by kind."""

    def counts(some: list[dict[str, Any]]) -> dict[str, int]:
        called = [r["verdict"] != "good" for r in some]
        behind = [c for r, c in zip(some, called, strict=True) if r["behind"] is None or r["behind"] > FAR]
        alone = [c for r, c in zip(some, called, strict=True) if is_by_single_rows(r)]
        near = [c for r, c in zip(some, called, strict=True) if r["behind"] is not None and r["behind"] <= NEAR]
        return {
            "bad": sum(is_bad(r) for r in some),
            "bad, called": sum(is_bad(r) and c for r, c in zip(some, called, strict=True)),
            "bad, visible": sum(is_bad(r) and r["visible"] for r in some),
            "bad, visible, called": sum(is_bad(r) and r["visible"] and c for r, c in zip(some, called, strict=True)),
            "good": sum(is_good(r) for r in some),
            "good, called bad": sum(is_good(r) and c for r, c in zip(some, called, strict=True)),
            "between": sum(not is_bad(r) and not is_good(r) for r in some),
            "more than 0.2 nats behind": len(behind),
            "these, called": sum(behind),
            "by single rows": len(alone),
            "these by single rows, called": sum(alone),
            "no more than 0.05 nats behind": len(near),
            "these near ones, called": sum(near),
            "unmatched, not behind": sum(is_another(r) for r in some),
            "these others, called": sum(is_another(r) and c for r, c in zip(some, called, strict=True)),
        }

    kinds = sorted({r["kind"] for r in records})
    found = {"all": counts(records)} | {kind: counts([r for r in records if r["kind"] == kind]) for kind in kinds}
    epsilons = sorted({r["epsilon"] for r in records})
    return found | {f"epsilon={e:g}": counts([r for r in records if r["epsilon"] == e]) for e in epsilons}


def main() -> int:
    """Measure the halves asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--half", action="append", choices=sorted({*TABLES, *OF_R, *BY_NAME}))
    parser.add_argument("--base", type=int, default=0)
    parser.add_argument("--epsilon", type=float, action="append", help="these alone")
    parser.add_argument("--columns", type=int, default=1, help="the least")
    parser.add_argument("--label", default="now")
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--kept", type=Path)
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / "verdicts.json")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    results = json.loads(asked.out.read_text()) if asked.out.exists() else {}
    for half in asked.half or ("tuning", "fresh"):
        records = list(again(asked.kept, half, asked.base)) if asked.again else []
        for at, case in enumerate(() if asked.again else cases(half, asked.base)):
            own = half in OWN_NOISE or half not in (*OF_R, *BY_NAME)
            place = at if own else 0  # of the others all have the base's noise
            pair = EPSILONS[2] if half in OWN_NOISE else EPSILONS[place % len(EPSILONS)]
            epsilons = pair if case.rows.shape[1] >= asked.columns else ()
            for epsilon in [e for e in epsilons if e in (asked.epsilon or epsilons)]:
                name = f"{half} {asked.base} {at:03} {epsilon:g}.pickle.gz"
                records.append(run(case, epsilon, asked.base + place, asked.cache, asked.kept and asked.kept / name))
                print(json.dumps(records[-1]), flush=True)
        found = summary(records)
        print(half, json.dumps(found, indent=1))
        results.setdefault(asked.label, {})[half] = {"base": asked.base, **found, "records": records}
        asked.out.write_text(json.dumps(results, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
