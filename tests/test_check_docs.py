"""The documentation check finds what it is for: planted documents, right and wrong."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="module")
def check_docs() -> ModuleType:
    path = Path(__file__).parents[1] / ".ci" / "check_docs.py"
    spec = importlib.util.spec_from_file_location("check_docs", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def plant(root: Path, text: str) -> None:
    (root / "docs").mkdir()
    (root / "docs" / "other.md").write_text("# Other\n\n## A `b` & c\n\n## Again\n\n## Again\n")
    (root / "README.md").write_text(text)


@pytest.mark.parametrize(
    "text",
    [
        "[a](docs/other.md), [b](docs), [c](docs/other.md#a-b--c), [d](docs/other.md#again-1)",
        "[e](#here)\n\n# Here",
        "[a](https://example.org/x.md) ![x](docs/other.md) `[not](a-link.md)`\n\n[r]: docs/other.md",
        "```sh\n[not](a-link.md)\n```\n\n~~~\n```python\n~~~\n",
        "```python\nundefined_name()\n```\n",
        "```python run\nx = 1\n```\n\ntext\n\n```python run\nassert x == 1\n```\n",
        "```python run\nx = 1\n```\n```pycon\n>>> x\n1\n>>> y = 5\n```\n```python run\nassert y == 5\n```\n",
        "| a | b |\n|---|:-:|\n| 1 | \\|2\\| |\n\n|x| is no table\n",
        "- item\n\n  ```python\n  def f():\n      return 1\n  ```\n",
    ],
)
def test_right_documents_pass(check_docs: ModuleType, tmp_path: Path, text: str) -> None:
    plant(tmp_path, text)
    assert check_docs.check(tmp_path) == ([], 2)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("a\n\n[a](docs/absent.md)", "README.md:3: link to docs/absent.md: no such file"),
        ("[a](docs/other.md#absent)", "no such heading"),
        ("[a](#absent)", "no such heading"),
        ("[a][r]\n\n[r]: docs/absent.md", "no such file"),
        ("text\n\n```python\nx = = 1\n```\n", "README.md:4: "),
        ("```python run\nraise ValueError('planted')\n```\n", "ValueError: planted"),
        ("```python run\nimport warnings; warnings.warn('planted')\n```\n", "UserWarning: planted"),
        ("```pycon\n>>> 1 + 1\n3\n```\n", "Expected:"),
        ("```python\nx = 1\n", "never closed"),
        ("| a | b |\n|---|---|\n\n| 1 | 2 |\n| 3 | 4 |\n", "README.md:4: rows of a table without a header"),
        ("| a | b |\n|---|---|\n| 1 | |2| |\n", "README.md:3: a row of 4 cells in a table of 2"),
    ],
)
def test_planted_faults_are_found(check_docs: ModuleType, tmp_path: Path, text: str, complaint: str) -> None:
    plant(tmp_path, text)
    (failure,), _ = check_docs.check(tmp_path)
    assert complaint in failure


def test_a_mention_of_an_absent_document_is_found(check_docs: ModuleType, tmp_path: Path) -> None:
    plant(tmp_path, "")
    (tmp_path / "module.py").write_text('"""See docs/other.md.\n\nProof: docs/theory/absent.md\n"""\n')
    (failure,), _ = check_docs.check(tmp_path)
    assert "module.py:3: mentions docs/theory/absent.md" in failure


def test_nothing_to_check_is_a_failure(check_docs: ModuleType, tmp_path: Path) -> None:
    assert check_docs.main([str(tmp_path)]) == 1
