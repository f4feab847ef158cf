"""What a little public data is worth: the figure of BKS22's Appendix A, and a Gaussian nobody has a bound for.

    python bench/bks22.py [--runs 100] [--far] [--out FILE]

Writes bks22.json, bks22.md and bks22.png. *Mean* (Appendix A): rows of N(κ·1, I) in d = 50 columns, ρ = 0.5; 10 %
trimmed mean and standard deviation of the ℓ₂ error over the runs of ``bks22_mean`` with one public row, of
``coinpress_mean`` with the bound R = κ√d and no public row, of the public row alone, and of the mean without privacy;
five panels, the last two cut to the rows where the curves are close. *Gaussian*: d = 10, condition number 1e6, mean at
distance 1e6; median error of the covariance, in its own metric, over that without privacy, for 0 to 40 public rows.
*Far*: the same with 15 public rows of a distribution that is 0.9 in total variation away, its mean 3.29 deviations off;
``--far`` measures this alone, into the file.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import dpframe as dp

RESULTS = Path(__file__).parent / "results" / "bks22.json"
D, RHO, KAPPAS = 50, 0.5, (10, 100, 1000)
SIZES = (500, 1000, 2000, 4272, 8000)
PUBLIC = (0, 11, 12, 15, 20, 30, 40)
WIDE = 10
SEEDS = 10


def trimmed(values: Any) -> list[float]:
    """10 % trimmed mean and standard deviation."""
    kept = np.sort(values)[len(values) // 10 : len(values) - len(values) // 10]
    return [round(float(kept.mean()), 4), round(float(kept.std()), 4)]


@dp.program
def with_public(x: Any, public: Any) -> Any:
    return dp.release("gaussian", dp.recipe("bks22_mean", beta=0.01), x, public)


def without(bound: float) -> Callable[..., Any]:
    @dp.program
    def program(x: Any) -> Any:
        return dp.release("mean", dp.recipe("coinpress_mean", bound=bound, scale=1.0), x)

    return program


def means(kappa: float, n: int, runs: int) -> dict[str, list[float]]:
    """Errors of all four at one n."""
    shared: dict[str, Any] = {"adjacency": dp.REPLACE_ONE, "budget": dp.zcdp(RHO)}
    one = dp.plan(with_public, x=dp.rows(n=n, d=D), public=dp.public_rows(d=D), **shared)
    none = dp.plan(without(kappa * D**0.5), x=dp.rows(n=n, d=D), **shared)
    found: dict[str, list[float]] = {
        "one public row": [],
        "no public row": [],
        "public row alone": [],
        "not private": [],
    }
    for seed in range(runs):
        rng = np.random.default_rng([seed, n, int(kappa)])
        rows, public = kappa + rng.normal(size=(n, D)), kappa + rng.normal(size=(1, D))
        estimates = {
            "one public row": one.run(x=rows, public=public, simulate=seed)["gaussian"].mean,
            "no public row": none.run(x=rows, simulate=seed)["mean"],
            "public row alone": public[0],
            "not private": rows.mean(axis=0),
        }
        for name, value in estimates.items():
            found[name].append(float(np.linalg.norm(value - kappa)))
    return {name: trimmed(values) for name, values in found.items()}


def gaussians(n: int, rho: float) -> dict[str, list[float]]:
    """Median errors of mean and covariance over those without privacy, by number of public rows."""

    @dp.program
    def public_too(x: Any, public: Any) -> Any:
        return dp.release("gaussian", dp.recipe("bks22_gaussian"), x, public)

    @dp.program
    def alone(x: Any) -> Any:
        return dp.release("gaussian", dp.recipe("coinpress_gaussian"), x)

    shared: dict[str, Any] = {"adjacency": dp.REPLACE_ONE, "budget": dp.zcdp(rho)}
    plans = {
        True: dp.plan(public_too, x=dp.rows(n=n, d=WIDE), public=dp.public_rows(d=WIDE), **shared),
        False: dp.plan(alone, x=dp.rows(n=n, d=WIDE), **shared),
    }
    found = {}
    for m in PUBLIC:
        errors = []
        for seed in range(SEEDS):
            rng = np.random.default_rng(seed)
            root = np.linalg.qr(rng.normal(size=(WIDE, WIDE)))[0] * np.logspace(0, 3, WIDE)
            centre = rng.normal(size=WIDE)
            centre *= 1e6 / np.linalg.norm(centre)
            rows, public = (centre + rng.normal(size=(size, WIDE)) @ root.T for size in (n, max(m, 1)))
            tables = {"x": rows, "public": public} if m else {"x": rows}
            result = plans[m > 0].run(**tables, simulate=seed)
            if result.status == "failed":
                errors.append([np.inf] * 3)
                continue
            fitted = result["gaussian"]
            free = error(rows.mean(axis=0), np.cov(rows.T), root, centre)
            own = error(public.mean(axis=0), np.cov(public.T), root, centre) if m else (np.inf, np.inf)
            private = error(fitted.mean, fitted.covariance, root, centre)
            errors.append([private[0] / free[0], private[1] / free[1], own[1] / free[1]])
        found[str(m)] = [float(v) for v in np.round(np.median(errors, axis=0), 3)]
        print(f"gaussian n={n} rho={rho} public={m}: {found[str(m)]}", flush=True)
    return found


def far(n: int, rho: float) -> list[float]:
    """Median errors of mean and covariance over those without privacy, told γ = 0.9, public rows being as far away."""

    @dp.program
    def program(x: Any, public: Any) -> Any:
        return dp.release("gaussian", dp.recipe("bks22_gaussian", gamma=0.9), x, public)

    tables = {"x": dp.rows(n=n, d=WIDE), "public": dp.public_rows(d=WIDE)}
    plan = dp.plan(program, adjacency=dp.REPLACE_ONE, budget=dp.zcdp(rho), **tables)
    errors = []
    for seed in range(SEEDS):
        rng = np.random.default_rng(seed)
        root = np.linalg.qr(rng.normal(size=(WIDE, WIDE)))[0] * np.logspace(0, 3, WIDE)
        centre = np.full(WIDE, 1e6)
        rows = centre + rng.normal(size=(n, WIDE)) @ root.T
        public = centre + (rng.normal(size=(15, WIDE)) + 3.29 * np.eye(WIDE)[0]) @ root.T
        fitted = plan.run(x=rows, public=public, simulate=seed)["gaussian"]
        private = error(fitted.mean, fitted.covariance, root, centre)
        free = error(rows.mean(axis=0), np.cov(rows.T), root, centre)
        errors.append([a / b for a, b in zip(private, free, strict=True)])
    return [float(v) for v in np.round(np.median(errors, axis=0), 3)]


def error(mean: Any, covariance: Any, root: Any, centre: Any) -> tuple[float, float]:
    """Mahalanobis distance of the mean, and Frobenius distance of the whitened covariance from I."""
    inverse = np.linalg.inv(root)
    spread = inverse @ covariance @ inverse.T
    return float(np.linalg.norm(inverse @ (mean - centre))), float(np.linalg.norm(spread - np.eye(len(centre))))


def table(found: dict[str, Any]) -> str:
    """In Markdown."""
    names = ("one public row", "no public row", "public row alone", "not private")
    lines = ["| κ | n | " + " | ".join(names) + " |", "|---" * 6 + "|"]
    for kappa, sizes in found["mean"].items():
        for n, errors in sizes.items():
            cells = " | ".join(f"{errors[name][0]:.3f} ± {errors[name][1]:.3f}" for name in names)
            lines.append(f"| {kappa} | {n} | {cells} |")
    lines += ["", "| n, ρ | public rows | mean | covariance | covariance from public rows alone |", "|---" * 5 + "|"]
    for case, rows in found["gaussian"].items():
        lines += [f"| {case} | {m} | {a:.3g} | {b:.3g} | {c:.3g} |" for m, (a, b, c) in rows.items()]
    if "far" in found:
        lines += ["", "| n, ρ; public rows 0.9 away | mean | covariance |", "|---" * 3 + "|"]
        lines += [f"| {case} | {a:.3g} | {b:.3g} |" for case, (a, b) in found["far"].items()]
    return "\n".join(lines) + "\n"


def draw(found: dict[str, Any], path: Path) -> None:
    """The five panels, and the Gaussian beside them."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    panels = [(str(k), 0) for k in KAPPAS] + [(str(k), 2) for k in KAPPAS[1:]]
    figure, axes = plt.subplots(2, 3, figsize=(14, 8), layout="constrained")
    for axis, (kappa, first) in zip(axes.flat, panels, strict=False):
        for name in ("one public row", "no public row", "not private"):
            points = list(found["mean"][kappa].items())[first:]
            middle, bars = zip(*(errors[name] for _, errors in points), strict=True)
            axis.errorbar([int(n) for n, _ in points], middle, bars, label=name, capsize=3)
        axis.set(title=f"κ = {kappa}" + (" (detail)" if first else ""), xlabel="rows", ylabel="ℓ₂ error, trimmed")
        axis.legend()
    last = axes.flat[-1]
    for case, rows in found["gaussian"].items():
        last.plot([int(m) for m in rows], [v[1] for v in rows.values()], marker="o", label=case)
    last.set(title="Gaussian: covariance", xlabel="public rows", ylabel="error over that without privacy", yscale="log")
    last.legend()
    figure.savefig(path, dpi=110)


def main() -> None:
    """Measure, write, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--far", action="store_true")
    parser.add_argument("--out", type=Path, default=RESULTS)
    arguments = parser.parse_args()
    cases = ((5000, 0.0244), (20_000, 0.5))
    away = {f"{n}, {rho}": far(n, rho) for n, rho in cases}
    if arguments.far:
        known = json.loads(arguments.out.read_text()) | {"far": away}
        arguments.out.write_text(json.dumps(known, indent=1) + "\n")
        arguments.out.with_suffix(".md").write_text(table(known))
        return
    found: dict[str, Any] = {"load": os.getloadavg()[0], "runs": arguments.runs, "mean": {}, "gaussian": {}}
    for kappa in KAPPAS:
        for n in SIZES:
            errors = means(kappa, n, arguments.runs)
            found["mean"].setdefault(str(kappa), {})[str(n)] = errors
            print(f"mean kappa={kappa} n={n}: {errors}", flush=True)
    found["far"] = away
    for n, rho in cases:
        found["gaussian"][f"{n}, {rho}"] = gaussians(n, rho)
    arguments.out.write_text(json.dumps(found, indent=1) + "\n")
    arguments.out.with_suffix(".md").write_text(table(found))
    draw(found, arguments.out.with_suffix(".png"))
    print(table(found))


if __name__ == "__main__":
    main()
