"""What every test shares: one thread, a reproducible generator, hypothesis without a clock."""

from __future__ import annotations

import os
import zlib

# Before NumPy is imported: the suite runs in parallel, and BLAS reads these only once.
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")
os.environ.setdefault("MPLBACKEND", "Agg")

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

# Deadlines measure the machine's load, not the code.
settings.register_profile("dev", deadline=None)
settings.register_profile(
    "ci",
    deadline=None,
    derandomize=True,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("ci" if os.environ.get("CI") else "dev")


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> np.random.Generator:
    """A generator seeded by the test's own name: the same in every run, another one in every test."""
    return np.random.default_rng(zlib.crc32(request.node.nodeid.encode()))
