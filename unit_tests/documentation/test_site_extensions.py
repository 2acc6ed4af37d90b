"""Extensions that build the site: counts of functions, verdicts by paper, a complete
search index.
"""

import importlib
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
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


@pytest.mark.slow
def test_every_page_has_its_text_in_markdown(tmp_path: Path) -> None:
    """``llms.txt`` lists all pages, and each has a file; included files are in their places."""
    conf = f"import sys\nsys.path.append({str(EXTENSIONS)!r})\nextensions = ['llms', 'myst_nb']\n"
    (tmp_path / "conf.py").write_text(conf + "project = 'P'\nsuppress_warnings = ['toc']\n")
    (tmp_path / "index.md").write_text("# Start\n\n```{toctree}\na\n```\n")
    (tmp_path / "a.md").write_text("# First\n\n```{include} b.txt\n```\n")
    (tmp_path / "b.txt").write_text("Text of b.\n")
    functions = tmp_path / "api" / "functions"
    functions.mkdir(parents=True)
    (functions / "spatial_v2.dynamics.ID.rst").write_text(":orphan:\n\nID\n==\n")
    command = [sys.executable, "-m", "sphinx", "-q", "-b", "html", str(tmp_path)]
    subprocess.run([*command, str(tmp_path / "out")], check=True, capture_output=True)
    listed = (tmp_path / "out" / "llms.txt").read_text()
    assert "## First\n\n- [First](a.md)\n" in listed and listed.startswith("# P\n")
    names = re.findall(r"\]\(([^)]+)\)", listed)
    assert names == ["a.md", "api/functions/spatial_v2.dynamics.ID.md"]
    texts = [(tmp_path / "out" / name).read_text() for name in names]
    assert texts[0] == "# First\n\nText of b.\n\n"
    assert "spatial_v2.dynamics.ID(model" in texts[1] and "\nParameters\n" in texts[1]


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


def test_pages_of_functions_say_how_to_import_them_and_where_they_are_used() -> None:
    from api_pages import documented, import_of, page, sources_of, used_in

    sources = sources_of(ROOT / "docs")
    assert import_of("spatial_v2.dynamics", "ID") == "from spatial_v2 import ID"
    for package, name in documented(ROOT / "docs"):
        names: dict[str, object] = {}
        exec(import_of(package, name), names)
        assert names[name] is getattr(importlib.import_module(package), name)
    used = used_in("ID", sources)
    assert all(x in used for x in ("/algorithms/inverse_dynamics`", "- Course: ", "- Examples: "))
    assert page("spatial_v2.dynamics", "ID", "x", "X", (), used).endswith(used)


def test_every_term_of_the_glossary_has_a_sentence_and_a_row_in_chinese() -> None:
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    terms, chinese = text.split("(chinese)=")
    rows = [x.split(" | ") for x in terms.splitlines() if x.startswith("| ") and " | " in x]
    meanings = [row[1] for row in rows if row[0] != "| term"]
    assert len(meanings) > 80 and all(len(x.split()) >= 3 for x in meanings)
    assert not any("\u4e00" <= x <= "\u9fff" for x in terms)
    assert chinese.count("\n| ") > 70


SECTIONS = ("tutorials", "howto", "explanation", "reference", "papers")
DRAWN = {"bodies", "constraints", "flow", "sweep", "tensor_storage"}
"""Pictures that the build draws, beside those of the studies."""


@pytest.mark.parametrize("section", SECTIONS)
def test_pages_of_a_section_have_a_card_with_a_picture_and_a_sentence(section: str) -> None:
    import cards

    text = (ROOT / "docs" / f"{section}.md").read_text(encoding="utf-8")
    rows = [
        [part.strip() for part in line.split("|")]
        for block in re.findall(r"^```\{cards\}\n(.*?)^```$", text, re.M | re.S)
        for line in block.splitlines()
    ]
    (pages,) = re.findall(r"^```\{toctree\}\n:hidden:\n\n(.*?)^```$", text, re.M | re.S)
    shown = {page for page, _, _ in rows}
    assert shown == {*pages.split()}
    assert all(sentence.endswith(".") and sentence[0].isupper() for _, _, sentence in rows)
    files = [ROOT / "docs" / "_static" / x for _, x, _ in rows if cards.FILE.fullmatch(x)]
    drawn = {x for x in files if x.stem in DRAWN or x.parent.name == "studies"}
    assert [x for x in files if x not in drawn and not x.exists()] == []


def test_a_picture_of_code_keeps_its_lines_and_fits() -> None:
    """Signs of XML are escaped, and the longest line is not wider than the picture."""
    import cards

    picture = cards.drawing(">> a & b / " + "x" * 60)
    assert "&gt;&gt; a &amp; b</text>" in picture and picture.count("<text") == 2
    (size,) = re.findall(r'font-size="([\d.]+)"', picture)
    assert 0.6 * float(size) * 60 <= cards.WIDTH


def test_the_heading_of_a_page_is_that_of_the_file_it_includes() -> None:
    import cards

    docs = ROOT / "docs"
    assert cards.heading(docs / "contributing.md") == "Contributing"
    assert cards.heading(docs / "howto.md") == "How-to guides"


def test_pages_lose_their_indentation_alone() -> None:
    """White space stays where it counts: in code, scripts, forms, pages in frames."""
    compact = importlib.import_module("compact").compact
    kept = (
        "<pre>a\n    b\n\n c</pre>", "<script>\n  // x\n  y\n</script>", "<p>a  b</p>",
        "<textarea>\n  x\n</textarea>", '<iframe srcdoc="&lt;pre&gt;\n  x"></iframe>',
    )  # fmt: skip
    for part in kept:
        assert compact(f"<div>\n    {part}\n\n    </div>\n") == f"<div>\n{part}\n</div>\n"
    assert compact("<p>one\n      two</p>") == "<p>one\ntwo</p>"
