"""Figures that the build draws: those of the studies, and those of ``docs/figures`` in SVG.

They are written below ``docs/_static`` before the pages are read, and again after an edit of what
they are drawn from.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.util import logging

ROOT = Path(__file__).parents[2]
STATIC, FIGURES = ROOT / "docs" / "_static", ROOT / "docs" / "figures"
SCRIPTS = {
    "constraints": ["constraints"],
    "second_order": ["bodies", "flow", "sweep"],
    "tensor_storage": ["tensor_storage"],
}
"""Figures that each script of ``docs/figures`` draws."""


def newest(paths: Iterable[Path]) -> float:
    return max((path.stat().st_mtime for path in paths), default=0.0)


def oldest(paths: Iterable[Path]) -> float:
    """Return the time of the oldest file; 0 if one is missing, or if there is none."""
    return min((x.stat().st_mtime if x.exists() else 0.0 for x in paths), default=0.0)


def run(command: list[str]) -> None:
    """Run Python in the root of the project."""
    folders = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, "PYTHONPATH": folders, "MPLBACKEND": "Agg"}
    done = subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr[-2000:]}")


def draw(app: Sphinx) -> None:
    """Draw what is missing, or older than its sources, by two programs at a time."""
    benchmarks, programs = ROOT / "benchmarks", list[list[str]]()
    sources = [*benchmarks.rglob("*.py"), *(benchmarks / "results").glob("*.json")]
    if oldest((STATIC / "studies").glob("*.svg")) < newest(sources):
        programs.append(["-m", "benchmarks.figures"])
    for script, names in SCRIPTS.items():
        source = FIGURES / f"{script}.py"
        if oldest(STATIC / f"{name}.svg" for name in names) < newest([source]):
            programs.append([str(source)])
    logging.getLogger(__name__).info("drawings: %s", programs)
    with ThreadPoolExecutor(2) as pool:
        for _ in pool.map(run, programs):
            pass  # a program that failed raises its error here


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("builder-inited", draw)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
