"""What is shipped beside the code says what is so: versions, advisories, licence."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import dpframe
from dpframe.front.advisories import PUBLISHED, advisories
from dpframe.version import VERSION

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
REQUIREMENT = re.compile(r"([A-Za-z0-9-]+)(?:\[[a-z,]+\])?>=([\d.]+)")


def test_one_version() -> None:
    assert dpframe.__version__ == VERSION
    assert PROJECT["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "dpframe.version.VERSION"}
    assert re.search(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text(), re.M)[1] == VERSION  # type: ignore[index]


def test_metadata_in_code_is_asked_for_nowhere() -> None:
    """Installed metadata may be another version's, or absent: certificates carry the version of the code.

    A cluster's workers are asked for the versions of what dpframe imports.
    """
    found = [p for p in (ROOT / "dpframe").rglob("*.py") if re.search(r"metadata(\.| import )version", p.read_text())]
    found.remove(ROOT / "dpframe/runtime/remote.py")
    assert found == []


def test_the_lowest_versions_are_the_declared_ones() -> None:
    parts = PROJECT["project"]
    lists = [parts["dependencies"], *(parts["optional-dependencies"][k] for k in ("report", "sign", "test"))]
    found = [REQUIREMENT.fullmatch(line) for listed in lists for line in listed]
    declared = {m[1]: m[2] for m in found if m is not None}
    assert len(declared) == sum(map(len, lists))
    lines = (ROOT / ".ci/lowest.txt").read_text().splitlines()
    pinned = dict(line.partition("  #")[0].split("==") for line in lines if "==" in line)
    assert pinned.keys() - declared.keys() == {"pyparsing"}
    assert {name: re.sub(r"(\.0)+$", "", pinned[name]) for name in declared} == {
        name: re.sub(r"(\.0)+$", "", version) for name, version in declared.items()
    }


def test_what_ci_runs_is_there() -> None:
    """A file that moved is no test that ran: pytest refuses it, but only when CI comes to it."""
    named = re.findall(r"\b(?:tests|bench|docs)/[\w/]+(?:\.py|\b)", (ROOT / ".ci/versions").read_text())
    assert len(named) >= 10
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_classifiers_name_the_python_that_ci_runs() -> None:
    constraints = (ROOT / ".ci/constraints.txt").read_text()
    ran = re.search(r"\(Python (3\.\d+), Linux\)", constraints)
    listed = [c for c in PROJECT["project"]["classifiers"] if re.search(r":: 3\.", c)]
    assert ran is not None
    assert listed == [f"Programming Language :: Python :: {ran[1]}"]
    assert PROJECT["project"]["license"] == "Apache-2.0"
    assert "Apache License" in (ROOT / "LICENSE").read_text()[:200]


def test_security_lists_every_advisory() -> None:
    listed = re.findall(r"^\| (DPF-\d+) \| ([^|]+) \|", (ROOT / "SECURITY.md").read_text(), re.M)
    assert listed == [(a.id, ", ".join(a.versions)) for a in PUBLISHED]
    assert f"advisories DPF-1 to {PUBLISHED[-1].id})" in " ".join((ROOT / "CHANGELOG.md").read_text().split())
    assert all("\n" not in a.text and a.touches in ("release", "verify") for a in PUBLISHED)


@pytest.mark.parametrize("version", [VERSION, "0.1.0.post1", "0.1", "", "0.1.0 "])
def test_another_version_has_no_advisory(version: str) -> None:
    assert advisories(version) == ()
    assert advisories("0.1.0") == PUBLISHED
