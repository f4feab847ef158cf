"""Build a wheel, unpack it elsewhere, and check that what a clone has is there and imports.

An editable install sees the checkout, so it cannot notice a package or a data file that the wheel leaves out.
The wheel is built from a copy of the sources: setuptools leaves files of deleted modules in ``build/``.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = {"dpframe": "dpframe", "plugins": "dpframe_plugins", "specs": "dpframe_specs"}
SHIPPED = {".py", ".typed", ".toml", ".parquet"}
PROBE = """
import importlib, importlib.resources, pkgutil, sys
site = sys.argv[1]
sys.path.insert(0, site)
count = 0
for name in sys.argv[2:]:
    package = importlib.import_module(name)
    if not package.__file__.startswith(site):
        raise SystemExit(f"{name} was imported from {package.__file__}, not from the wheel")
    for module in pkgutil.walk_packages(package.__path__, name + "."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
            count += 1
print(f"{count} modules import")
"""


def expected(root: Path) -> set[str]:
    """The files of the checkout that a wheel must hold, by their name inside it."""
    return {
        f"{package}/{path.relative_to(root / folder).as_posix()}"
        for folder, package in PACKAGES.items()
        for path in (root / folder).rglob("*")
        if path.suffix in SHIPPED and path.is_file()
    }


def build(scratch: Path) -> Path:
    """Build the wheel from a clean copy of the sources and return its path."""
    source = scratch / "source"
    skip = shutil.ignore_patterns("__pycache__", "*.egg-info")
    for folder in PACKAGES:
        shutil.copytree(ROOT / folder, source / folder, ignore=skip)
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        if (ROOT / name).exists():
            shutil.copy(ROOT / name, source / name)
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps"]
    subprocess.run([*pip, "--wheel-dir", str(scratch), str(source)], check=True)
    return next(scratch.glob("*.whl"))


def main() -> int:
    """Print what is missing; 1 if anything is."""
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder).resolve()
        with zipfile.ZipFile(build(scratch)) as wheel:
            names = set(wheel.namelist())
            wheel.extractall(scratch / "site")
        missing = sorted(expected(ROOT) - names)
        for name in missing:
            print(f"not in the wheel: {name}")
        probe = [sys.executable, "-c", PROBE, str(scratch / "site"), *PACKAGES.values()]
        status = subprocess.run(probe, cwd=scratch, check=False).returncode
    print(f"{len(names)} files in the wheel, {len(missing)} missing")
    return int(bool(missing) or status != 0)


if __name__ == "__main__":
    raise SystemExit(main())
