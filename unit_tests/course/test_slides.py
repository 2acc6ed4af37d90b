"""Slides of the course: where chapters are divided, and what the slides show."""

import json
import re
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from command_line import refused, run

from spatial_v2.course import write_slides
from spatial_v2.course.formulas import FORMULA, mathml
from spatial_v2.course.named import exercises
from spatial_v2.course.notebook import as_notebook, plain_markdown, with_figures
from spatial_v2.course.slides import pieces, slides
from spatial_v2.course.text import cells, chapter, chapters
from spatial_v2.exceptions import SpatialError

KINDS = {"slide", "subslide", "fragment", "skip", "notes", "-"}
over_chapters = pytest.mark.parametrize("name", chapters())
needs_mathml = pytest.mark.skipif(not find_spec("latex2mathml"), reason="needs latex2mathml")


def pages(test: Any) -> Any:
    """Mark a test that makes pages of notebooks."""
    found = all(find_spec(x) for x in ("ipykernel", "nbclient", "nbconvert", "latex2mathml"))
    skips = pytest.mark.skipif(not found, reason="needs the extra notebooks")
    return pytest.mark.optional(skips(test))


def shown(name: str) -> list[tuple[str, str]]:
    """Return, for each cell of the slides, its kind of slide and its text."""
    found = json.loads(slides(name))["cells"]
    return [(x["metadata"]["slideshow"]["slide_type"], "".join(x["source"])) for x in found]


@over_chapters
def test_each_section_begins_a_slide(name: str) -> None:
    found = shown(name)
    assert {kind for kind, _ in found} <= KINDS
    prose = re.sub(r"^```.*?^```", "", chapter(name), flags=re.S | re.M)
    headings = re.findall(r"^#+ .*$", prose, re.M)
    assert [text.splitlines()[0] for kind, text in found if kind == "slide"] == headings


@over_chapters
def test_each_exercise_is_on_a_slide_of_its_own(name: str) -> None:
    """The question of an exercise begins a slide, or follows the heading.

    The solution appears on a key press, or on the next slide if it is long.
    """
    found = shown(name)
    own = re.findall(r"^\*\*(\d+\.\d+)\*\*", chapter(name), re.M)
    assert exercises().keys() > {*own} and len(own) >= 2
    for key in own:
        (at,) = (k for k, (_, text) in enumerate(found) if text.startswith(f"**{key}**"))
        assert found[at][0] == "subslide" or found[at - 1] == ("slide", "## Exercises")
    solutions = [kind for kind, text in found if text.startswith("```python\n")]
    assert len(solutions) == len(own) and set(solutions) <= {"fragment", "subslide"}


@over_chapters
def test_all_code_of_a_chapter_is_on_slides(name: str) -> None:
    """All code of a chapter is on slides, of which only imports and assertions are skipped, figures
    to move are cells of their own, and no code has more lines than fit.
    """
    found = json.loads(slides(name))["cells"]
    code = [x for x in found if x["cell_type"] == "code"]
    parts = with_figures(cells(chapter(name)))
    want = [x for x in parts if x.kind == "code" and x.tag != "solution"]
    joined = "".join("".join(x["source"]) for x in code)
    assert re.sub(r"\s", "", joined) == re.sub(r"\s", "", "".join(x.text for x in want))
    skipped = [x for x in code if x["metadata"]["slideshow"]["slide_type"] == "skip"]
    tags = [*(x["metadata"].get("tags", [""])[0] for x in skipped)]
    assert tags.count("") == 1 and set(tags) <= {"", "assertion"}
    assert not any("has a figure here" in text for _, text in shown(name))
    seen = [x for x in code if x["metadata"].get("tags") != ["picture"]]
    assert max(len(x["source"]) for x in seen) <= 30


def test_code_is_divided_between_functions() -> None:
    code = "\n\n".join(f"def f{k}():\n" + 12 * "    pass\n\n    pass\n" for k in range(3))
    assert len(found := pieces(code)) == 3 and all(x.startswith("def f") for x in found)
    assert pieces("a = 1\n\n\nb = 2") == ["a = 1\n\nb = 2"]


@needs_mathml
@over_chapters
def test_all_formulas_become_mathml(name: str) -> None:
    """Formulas become MathML, without commands or alignment marks of TeX."""
    text = plain_markdown("\n\n".join(x.text for x in cells(chapter(name)) if x.kind == "markdown"))
    found = [x[0] for x in FORMULA.finditer(text) if not x["code"]]
    assert found
    for formula in found:
        page = mathml(formula)
        rest = re.sub(r"<[^>]*>", "", page)
        assert page.startswith("<math") and "\\" not in rest and "&#92;" not in rest, formula
        assert "<mi>&" not in page.replace("<mi>&#", ""), formula


def test_slides_that_were_changed_are_kept(tmp_path: Path) -> None:
    (path,) = write_slides(tmp_path, ["01_vectors"], pages=False)
    path.write_text("mine")
    assert write_slides(tmp_path, ["01_vectors"], pages=False) == [path]
    assert path.read_text() == "mine"
    write_slides(tmp_path, ["01_vectors"], pages=False, force=True)
    assert path.read_text(encoding="utf-8") == slides("01_vectors")


def test_unknown_chapters_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SpatialError, match="no chapter '99'; there are 01_vectors"):
        write_slides(tmp_path, ["99"])
    message = refused("course", tmp_path, "--slides", "--chapter", 99)
    assert "no chapter 99; there are 1, 2" in message
    assert "only slides" in refused("course", tmp_path, "--chapter", 1)
    assert not any(tmp_path.iterdir())


def test_the_command_writes_notebooks_where_pages_cannot_be_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    said = run("course", tmp_path, "--slides", "--chapter", 7, "--chapter", 1)
    assert "pip install" in said
    assert {x.name for x in tmp_path.iterdir()} == {"01_vectors.ipynb", "07_inverse.ipynb"}


def sample(tmp_path: Path, code: str) -> Path:
    """Write a notebook of slides: more text than fits, a formula, a table, code and its result."""

    def cell(kind: str, text: str, slide: str) -> dict[str, Any]:
        meta: dict[str, Any] = {"slideshow": {"slide_type": slide}}
        extra = {"execution_count": None, "outputs": []} if kind == "code" else {}
        return {"cell_type": kind, "id": slide, "metadata": meta, "source": text, **extra}

    text = (
        "# A title\n\n" + "A sentence that is repeated. " * 150 + "\n\n$$\n\\dot q = a_{ij}^T\n$$"
    )
    book = [cell("markdown", text, "slide"), cell("code", code, "subslide")]
    path = tmp_path / "sample.ipynb"
    path.write_text(as_notebook(book), encoding="utf-8")
    return path


FRAME = """\
from IPython.display import HTML
HTML('<iframe srcdoc="<p>moving</p>"></iframe>')"""


def test_pictures_are_described_and_animations_wait() -> None:
    """A picture has the description of its chapter, and an animation is loaded only when it is
    shown.
    """
    from spatial_v2.course.slide_page import adapt

    data = {"image/svg+xml": "<?xml?><svg><path/></svg>", "text/plain": "Picture"}
    adapt(data, 'a "bar"')
    assert 'aria-label="a &quot;bar&quot;"><svg><path/></svg></div>' in data["text/html"]
    data = {"text/html": '<iframe srcdoc="x"></iframe>', "text/latex": "$x$"}
    adapt(data)
    assert data["text/html"] == '<iframe data-srcdoc="x"></iframe>'
    for name in chapters():
        pictures = [x for x in cells(chapter(name)) if x.tag == "picture"]
        found = [x["metadata"].get("alt") for x in json.loads(slides(name))["cells"]]
        assert [x for x in found if x] == [x.alt for x in pictures]


@needs_mathml
def test_formulas_of_results_become_mathml() -> None:
    """A formula in the HTML of a result becomes MathML; the code of an animation is not changed."""
    from spatial_v2.course.slide_page import adapt
    from tensor_sva.identities import IDENTITIES

    data = {"text/html": IDENTITIES["M5"]._repr_html_()}
    assert "$$" in data["text/html"]
    adapt(data)
    assert "<math" in data["text/html"] and "$" not in data["text/html"]
    assert "\\" not in data["text/html"] and "displaystyle" in data["text/html"]
    data = {"text/html": '<iframe srcdoc="$a$"></iframe>'}
    adapt(data)
    assert "$a$" in data["text/html"]


@pages
@pytest.mark.parametrize("text", ["mine", "[]", "3", "{}"])
def test_a_file_that_is_no_notebook_is_refused(tmp_path: Path, text: str) -> None:
    (path,) = write_slides(tmp_path, "01_vectors", pages=False)
    path.write_text(text)
    with pytest.raises(SpatialError, match="01_vectors.ipynb: want a notebook"):
        write_slides(tmp_path, ["01_vectors"])


@needs_mathml
@pytest.mark.parametrize("formula", ["x^", "a_b_c", r"\left( x"])
def test_a_formula_that_cannot_be_set_is_told(formula: str) -> None:
    with pytest.raises(SpatialError, match="mathml: "):
        mathml(f"The ${formula}$.")


def test_prices_are_no_formulas() -> None:
    assert mathml(r"from $5 to $6, or \$7 and \$8") == r"from $5 to $6, or \$7 and \$8"


@pages
def test_an_error_in_a_notebook_is_told(tmp_path: Path) -> None:
    from spatial_v2.course.slide_page import slide_page

    with pytest.raises(SpatialError, match=r"a cell fails: ZeroDivisionError"):
        slide_page(sample(tmp_path, "1 / 0"))


@pages
@pytest.mark.optional
def test_every_slide_fits_and_needs_no_network(browser: Any, tmp_path: Path) -> None:
    """At 1400 by 900 pixels every slide fits the window, nothing is requested, and animations run
    only when shown.
    """
    from spatial_v2.course.slide_page import slide_page

    page = tmp_path / "sample.html"
    page.write_text(slide_page(sample(tmp_path, FRAME)), encoding="utf-8")
    boxes, requests, frames = measured(browser, page)
    assert len(boxes) == 2 and requests == []
    assert all(top >= 0 and bottom <= 900 and right <= 1400 for top, bottom, right in boxes)
    assert frames == [0, 1]


@pages
def test_a_key_shows_the_notes_of_a_slide(browser: Any, tmp_path: Path) -> None:
    from spatial_v2.course.slide_page import slide_page

    given = [("# A title", "slide"), ("A sentence of the notes.", "notes"), ("Shown.", "-")]
    book = [
        {"cell_type": "markdown", "id": kind, "metadata": {"slideshow": {"slide_type": kind}},
         "source": text}
        for text, kind in given
    ]  # fmt: skip
    path = tmp_path / "sample.ipynb"
    path.write_text(as_notebook(book), encoding="utf-8")
    page = tmp_path / "sample.html"
    page.write_text(slide_page(path), encoding="utf-8")
    tab = browser.new_page(viewport={"width": 1400, "height": 900})
    tab.goto(page.as_uri())
    tab.wait_for_function("window.Reveal && Reveal.isReady()")
    notes = tab.get_by_text("A sentence of the notes.")
    seen = []
    for _ in range(3):
        seen.append(any(x.is_visible() for x in notes.all()))
        tab.keyboard.press("t")
    assert seen == [False, True, False] and tab.get_by_text("Shown.", exact=True).is_visible()
    tab.close()


@pages
@pytest.mark.slow
@pytest.mark.optional
@over_chapters
def test_every_slide_of_a_chapter_fits(name: str, browser: Any, tmp_path: Path) -> None:
    (page,) = write_slides(tmp_path, [name])
    boxes, requests, _ = measured(browser, page)
    assert len(boxes) >= 10 and requests == []
    assert all(top >= 0 and bottom <= 900 and right <= 1400 for top, bottom, right in boxes)


MEASURE = """() => {
  const slide = Reveal.getCurrentSlide(), box = slide.getBoundingClientRect();
  const seen = [...slide.querySelectorAll("*")].map((x) => x.getBoundingClientRect());
  return [box.top, box.bottom, Math.max(...seen.filter((x) => x.width).map((x) => x.right))];
}"""


def measured(browser: Any, page: Path) -> tuple[list[Any], list[str], list[int]]:
    """Return top, bottom and right edge of every slide, requests, and numbers of running frames."""
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    tab, requests = context.new_page(), []
    tab.on("request", lambda x: requests.append(x.url) if x.url.startswith("http") else None)
    tab.goto(page.as_uri())
    tab.wait_for_function("window.Reveal && Reveal.isReady()")
    places = tab.evaluate(
        "Reveal.getSlides().map((x) => [Reveal.getIndices(x).h, Reveal.getIndices(x).v || 0])"
    )
    boxes, frames = [], []
    for h, v in places:
        tab.evaluate(f"Reveal.slide({h}, {v}, 99)")
        boxes.append(tab.evaluate(MEASURE))
        frames.append(tab.evaluate("document.querySelectorAll('iframe[srcdoc]').length"))
    context.close()
    return boxes, requests, frames


@pages
@pytest.mark.parametrize("hidden", [True, False])
@pytest.mark.parametrize("lines", [3, 30])
def test_long_code_and_its_picture_are_on_two_slides(hidden: bool, lines: int) -> None:
    """Only code that is long, shown and above a picture is divided; its picture comes without it on
    the slide below.
    """
    import nbformat

    from spatial_v2.course.slide_page import parts

    picture = nbformat.v4.new_output("display_data", {"image/svg+xml": "<svg/>"})
    cell = nbformat.v4.new_code_cell("x = 1\n" * lines, outputs=[picture])
    cell.metadata = nbformat.from_dict({"jupyter": {"source_hidden": hidden}})
    found = parts(cell)
    assert len(found) == (2 if lines > 20 and not hidden else 1)
    assert found[-1].outputs == [picture]
    assert found[-1].metadata["transient"] == {"remove_source": hidden or lines > 20}
    if len(found) == 2:
        assert not found[0].outputs and "transient" not in found[0].metadata
        assert found[1].metadata["slideshow"] == {"slide_type": "subslide"}
        assert found[0].id != found[1].id
    plain = nbformat.v4.new_code_cell("x = 1\n" * lines)
    assert parts(plain) == [plain] and parts(nbformat.v4.new_markdown_cell("a"))[0].source == "a"


@over_chapters
def test_no_slide_is_empty(name: str) -> None:
    """Every slide shows prose, or code, that is neither skipped nor notes."""
    found: list[list[str]] = []
    for kind, text in shown(name):
        if kind in ("slide", "subslide"):
            found.append([])
        if kind not in ("skip", "notes"):
            found[-1].append(text.strip())
    assert found and all(any(texts) for texts in found)


@over_chapters
def test_no_word_of_a_chapter_is_lost(name: str) -> None:
    """Slides and notes together have all words of the prose."""
    prose = [x.text for x in with_figures(cells(chapter(name))) if x.kind == "markdown"]
    want = Counter(plain_markdown("\n\n".join(prose)).split())
    found = [x for x in json.loads(slides(name))["cells"] if x["cell_type"] == "markdown"]
    text = "\n\n".join("".join(x["source"]) for x in found)
    lost = want - Counter(re.sub(r"^```python\n.*?^```", "", text, flags=re.S | re.M).split())
    assert want and not lost


def test_slides_show_half_of_the_text() -> None:
    """Of the prose without the questions of exercises, at most half is on slides; the rest is in
    notes.
    """
    words = Counter[bool]()
    for name in chapters():
        for cell in json.loads(slides(name))["cells"]:
            text, kind = "".join(cell["source"]), cell["metadata"]["slideshow"]["slide_type"]
            if cell["cell_type"] == "markdown" and not re.match(r"\*\*\d+\.\d+\*\*|#|```", text):
                words[kind == "notes"] += len(text.split())
    assert words[True] > 5000
    assert words[False] <= words[True]
