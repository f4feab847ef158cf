"""Build a source distribution and a wheel from it, unpack both elsewhere, and check that all of a clone is there.

An editable install sees the checkout, so it cannot notice a package or a data file that a distribution leaves out.
Both are built from a copy of the sources, since setuptools leaves files of deleted modules in ``build/``, and the wheel
is built from the source distribution, as an installer does it. ``twine check --strict`` reads their metadata.
"""

from __future__ import annotations

import email
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = {"dpframe": "dpframe", "plugins": "dpframe_plugins", "specs": "dpframe_specs"}
SHIPPED = {".py", ".typed", ".toml", ".parquet"}
LEFT = shutil.ignore_patterns(
    ".git", ".venv*", "__pycache__", "*.egg-info", "build", "dist", "out", "_build", ".*_cache", ".hypothesis"
)
IN_SOURCE = (
    "CHANGELOG.md CITATION.cff CONTRIBUTING.md LICENSE Makefile README.md SECURITY.md pyproject.toml setup.py "
    ".ci/run docs/architecture.md tests/conftest.py"
).split()
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
JOB = "import sys; sys.path.insert(0, sys.argv.pop(1)); from dpframe.cli import main; raise SystemExit(main())"
"""The command line of the wheel alone, for README's first job on the table that ships."""
TABLE = "dpframe/data/flights.parquet"


def expected(root: Path) -> set[str]:
    """The files of the checkout that a wheel must hold, by their name inside it."""
    code = {
        f"{package}/{path.relative_to(root / folder).as_posix()}"
        for folder, package in PACKAGES.items()
        for path in (root / folder).rglob("*")
        if path.suffix in SHIPPED and path.is_file()
    }
    pages = {path.relative_to(root / "docs") for path in (root / "docs").rglob("*.md") if "_build" not in path.parts}
    return code | {f"dpframe_docs/{page.as_posix()}" for page in pages} | {"dpframe_plugins/practical/RECIPE.md"}


def build(scratch: Path) -> tuple[Path, Path]:
    """Build both from a clean copy of the sources; the paths of source distribution and wheel."""
    source = scratch / "source"
    shutil.copytree(ROOT, source, ignore=LEFT)
    command = [sys.executable, "-m", "build", "--outdir", str(scratch / "dist"), str(source)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stdout + done.stderr)
    return next((scratch / "dist").glob("*.tar.gz")), next((scratch / "dist").glob("*.whl"))


def missing(source: Path, wheel: Path) -> list[str]:
    """What either leaves out, and what the wheel's metadata does not say."""
    with tarfile.open(source) as archive:
        inside = {name.partition("/")[2] for name in archive.getnames()}
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        said = email.message_from_bytes(archive.read(next(n for n in names if n.endswith(".dist-info/METADATA"))))
    found = [f"not in the source distribution: {name}" for name in IN_SOURCE if name not in inside]
    found += [f"not in the wheel: {name}" for name in sorted(expected(ROOT) - names)]
    if not any(name.endswith(".dist-info/licenses/LICENSE") for name in names):
        found.append("not in the wheel: LICENSE")
    found += [
        f"not in the metadata: {key}" for key in ("License-Expression", "Description-Content-Type") if not said[key]
    ]
    return found


def main() -> int:
    """Print what is missing; 1 if anything is."""
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder).resolve()
        source, wheel = build(scratch)
        problems = missing(source, wheel)
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(scratch / "site")
        site = str(scratch / "site")
        commands = [
            [sys.executable, "-m", "twine", "check", "--strict", str(source), str(wheel)],
            [sys.executable, "-c", PROBE, site, *PACKAGES.values()],
            [sys.executable, "-c", JOB, site, "run", "flights", "--data", f"{site}/{TABLE}", "--out", "release"],
            [sys.executable, "-c", JOB, site, "verify", "release/certificate.json"],
        ]
        problems += [
            f"failed: {' '.join(command[3:])}"
            for command in commands
            if subprocess.run(command, cwd=scratch, check=False).returncode
        ]
    for problem in problems:
        print(problem)
    print(f"{source.name}, {wheel.name}: {len(problems)} problems")
    return int(bool(problems))


if __name__ == "__main__":
    raise SystemExit(main())
