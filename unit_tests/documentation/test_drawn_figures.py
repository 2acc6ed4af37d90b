"""Figures that the documentation draws when it is built are those that its pages show."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.figures import WITHOUT
from benchmarks.studies import STUDIES

ROOT = Path(__file__).parents[2]
PAGES = [x for x in (ROOT / "docs").rglob("*.md") if "_build" not in x.parts]


@pytest.mark.slow
def test_figures_of_studies_are_those_that_pages_show(tmp_path: Path) -> None:
    shown = {
        x for page in PAGES for x in re.findall(r"_static/studies/(\w+\.svg)", page.read_text())
    }
    command = [sys.executable, "-m", "benchmarks.figures", "--figures", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert {x.name for x in tmp_path.iterdir()} == shown


def test_studies_without_figures_are_studies() -> None:
    assert STUDIES.keys() > WITHOUT


def test_figures_of_scripts_are_not_under_version_control() -> None:
    """Git ignores figures that the build draws, and the scripts that say so draw them."""
    text = (ROOT / "docs" / "_ext" / "drawings.py").read_text()
    ignored = (ROOT / ".gitignore").read_text()
    table = text.partition("SCRIPTS = {")[2].partition("\n}")[0]
    for line in table.strip().splitlines():
        script, *names = re.findall(r'"(\w+)"', line)
        source = (ROOT / "docs" / "figures" / f"{script}.py").read_text()
        for name in names:
            assert re.search(rf"\b{name}\b", source), name
            assert f"docs/_static/{name}.svg" in ignored
