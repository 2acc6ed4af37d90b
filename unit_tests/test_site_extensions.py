"""Extensions that build the site: counts of functions, verdicts by paper, a complete
search index.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
EXTENSIONS = ROOT / "docs" / "_ext"
pytest.importorskip("sphinx", reason="needs the extra docs")
sys.path.append(str(EXTENSIONS))


def index_entries(folder: Path) -> dict[str, list[int]]:
    """Build a site, and return the entries of its search index with the numbers of their pages."""
    command = [sys.executable, "-m", "sphinx", "-q", "-b", "html", str(folder), str(folder / "out")]
    subprocess.run(command, check=True, capture_output=True)
    text = (folder / "out" / "searchindex.js").read_text(encoding="utf-8")
    data = json.loads(text.removeprefix("Search.setIndex(").removesuffix(")"))
    return {key: [row[0] for row in rows] for key, rows in data["indexentries"].items()}


@pytest.mark.slow
@pytest.mark.parametrize("completed", [True, False])
def test_pages_that_are_not_built_again_keep_their_search_entries(
    tmp_path: Path, completed: bool
) -> None:
    """An incremental build has the search entries of a clean one, but only with the extension.

    Without it this version of Sphinx loses entries, so that the extension is needed.
    """
    names = ["search_entries"] * completed
    conf = f"import sys\nsys.path.append({str(EXTENSIONS)!r})\nextensions = {names}\n"
    (tmp_path / "conf.py").write_text(conf, encoding="utf-8")
    (tmp_path / "index.rst").write_text("Start\n=====\n\n.. toctree::\n\n   page\n")
    page = "Page\n====\n\n.. index:: ! mass matrix, single: torque; of a joint\n\nText.\n"
    (tmp_path / "page.rst").write_text(page)
    clean = index_entries(tmp_path)
    assert "mass matrix" in clean
    with (tmp_path / "index.rst").open("a") as file:
        file.write("\nMore.\n")
    again = index_entries(tmp_path)
    assert (again == clean) == completed


def test_counts_are_those_of_pages_and_of_the_parity_table() -> None:
    """Rows that name a function are counted; rows that only say what replaces it are not."""
    from api_pages import documented
    from counts import of_matlab

    table = {"folder": {"a": "spatial_v2.a", "b": "replaced: by c", "d": ["x.d"], "e": {}}}
    assert of_matlab(table) == 3
    found = documented(ROOT / "docs")
    assert ("spatial_v2.dynamics", "ID") in found
    assert len(found) == len(set(found)) > 300


@pytest.mark.parametrize(("signs", "overall"), [("✓✓", "✓"), ("✓✗", "✗"), ("?✗", "✗"), ("✓?", "?")])
def test_a_claim_holds_if_all_its_conditions_do(signs: str, overall: str) -> None:
    import studies

    assert studies.overall(signs) == overall


def test_items_are_on_the_page_of_their_paper_or_linked() -> None:
    import studies

    from benchmarks.papers import Item

    assert studies.place(Item("x", ("trees",))) == "above, `trees`"
    assert studies.place(Item("x", page="docs/tensor_sva.md")) == "{doc}`/tensor_sva`"
