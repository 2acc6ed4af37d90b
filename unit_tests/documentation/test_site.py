"""The built pages: no requests to other sites, all formulas are typeset, links lead to existing
targets.

The pages are in docs/_build/html, or in the folder that SPATIAL_V2_SITE names; without pages the
tests are skipped.
"""

import os
import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

SITE = Path(
    os.environ.get("SPATIAL_V2_SITE", Path(__file__).parents[2] / "docs" / "_build" / "html")
).absolute()
PAGES = sorted(path for path in SITE.rglob("*.html") if "_static" not in path.parts)
WIDTHS = (1400, 400)

pytestmark = pytest.mark.skipif(
    not (SITE / "index.html").exists(), reason="needs the pages that sphinx-build makes"
)


LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "video": "src"}


class Page(HTMLParser):
    """Links of a page, the files that it loads, and its anchors."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.places: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.places |= {found[name] for name in ("id", "name") if name in found}
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        elif tag == "link" and found.get("rel") in ("stylesheet", "preload", "icon"):
            self.loads.append(found["href"])
        elif found.get(LOADED.get(tag, "")):
            self.loads.append(found[LOADED[tag]])


@cache
def page(path: Path) -> Page:
    return Page(path.read_text(encoding="utf-8"))


def missing(path: Path, address: str) -> bool:
    """True if an address in a page names a missing file or anchor."""
    parts = urlsplit(address)
    if parts.scheme or parts.netloc:
        return False
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if not target.exists():
        return True
    if not parts.fragment or target.suffix != ".html" or target.parent.name == "animations":
        return False
    return unquote(parts.fragment) not in page(target).places


def test_links_within_the_site_lead_somewhere() -> None:
    wrong = {
        str(path.relative_to(SITE)): broken
        for path in PAGES
        if (broken := [x for x in (*page(path).links, *page(path).loads) if missing(path, x)])
    }
    assert wrong == {}


def test_pages_name_nothing_elsewhere_to_load() -> None:
    loads = {x for path in PAGES for x in page(path).loads}
    assert [x for x in loads if urlsplit(x).scheme not in ("", "data")] == []


def test_broken_link_is_found(tmp_path: Path) -> None:
    there = tmp_path / "there.html"
    there.write_text('<p id="place"></p>', encoding="utf-8")
    wrong = [x for x in ("there.html#place", "there.html#", "#nowhere", "gone.html", "there.html#x")
             if missing(there, x)]  # fmt: skip
    assert wrong == ["#nowhere", "gone.html", "there.html#x"]


def test_the_site_is_small_enough_to_carry() -> None:
    """All files together, without the cache of the build, take less than 70 MB."""
    files = [x for x in SITE.rglob("*") if x.is_file() and ".doctrees" not in x.parts]
    assert sum(x.stat().st_size for x in files) < 70e6


def text_of(name: str) -> str:
    return (SITE / name).read_text(encoding="utf-8")


def test_every_identity_has_a_card_with_its_proof() -> None:
    from tensor_sva.identities import IDENTITIES, LEMMAS

    text = text_of("identities.html")
    assert text.count("Residual of this build") == len(IDENTITIES)
    assert text.count("both sides expand to the same") == 34
    assert text.count("derived in") == 25
    names = {name.lower() for name in (*IDENTITIES, *LEMMAS)}
    assert names <= page(SITE / "identities.html").places


def test_every_example_has_a_page_with_its_output_and_picture() -> None:
    for path in (Path(__file__).parents[2] / "examples").glob("*.py"):
        text = text_of(f"gallery/{path.stem}.html")
        assert "Not run here" not in text
        assert '<img class="chart"' in text or '<iframe loading="lazy"' in text
        assert (SITE / "_static" / "gallery" / f"{path.stem}.png").exists()


def test_the_landing_page_has_two_robots_to_pull_and_measured_numbers() -> None:
    text = text_of("index.html")
    assert text.count('<iframe class="hands-on') == text.count("<iframe") == 2
    numbers = re.findall(r"<p><strong>(.*?)</strong></p>", text)
    assert len(numbers) == 3 and all(re.match(r"\d", number) for number in numbers)


class Article(HTMLParser):
    """Links of a page by their text, without those of bars and menus, and all its text."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: dict[str, Path] = {}
        self.text = ""
        self._folder, self._within, self._link, self._words = path.parent, 0, "", ""
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        if tag == "article" and "bd-article" in found.get("class", ""):
            self._within = 1
        if tag == "a":
            self._link, self._words = found.get("href", ""), ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "article":
            self._within = 0
        if tag == "a" and self._within and ".html" in self._link:
            target = (self._folder / urlsplit(self._link).path).resolve()
            self.links[" ".join(self._words.split())] = target

    def handle_data(self, data: str) -> None:
        self._words += data
        if self._within:
            self.text += data


@pytest.mark.parametrize(
    ("clicks", "answer"),
    [
        (["Install"], r"pip install \."),
        (["gravity compensation in a control loop"], r'load_model\("my_robot\.urdf"\)'),
        (["your own URDF file"], r"load_urdf"),
        (["gradients for your optimiser"], r"jax\.grad\(cost"),
        (["gradients for your optimiser", "CasADi and IPOPT"], r"solve_ipopt"),
    ],
)
def test_newcomers_find_answers_in_two_clicks(clicks: list[str], answer: str) -> None:
    """Links in the text of the landing page lead to answers: how to install the library, compensate
    the gravity of a robot of one's own, get gradients for an optimiser.
    """
    page = Article(SITE / "index.html")
    for text in clicks:
        page = Article(page.links[text])
    assert re.search(answer, page.text)


LARGEST = 2e6
"""Largest size of the landing page with all files that it loads [bytes].

The search index, which the theme loads with every page and which grows with the site, does not
count.
"""


@pytest.mark.optional
def test_the_landing_page_is_light_and_copies_commands(browser: Any) -> None:
    """The landing page with all that it loads is below the size limit, and the button beside a
    command copies it.
    """
    context = browser.new_context(viewport={"width": WIDTHS[0], "height": 900}, offline=True)
    context.set_default_timeout(TIMEOUT)
    tab, loaded = context.new_page(), set()
    tab.on("request", lambda request: loaded.add(urlsplit(request.url).path))
    tab.goto((SITE / "index.html").as_uri())
    for frame in tab.query_selector_all("iframe"):
        frame.scroll_into_view_if_needed()
        frame.content_frame().wait_for_function("window.figure")
    files = [Path(unquote(path)) for path in loaded if not path.endswith("searchindex.js")]
    assert len(files) > 10
    assert sum(path.stat().st_size for path in files if path.is_file()) < LARGEST
    button = tab.locator(".install button.copybtn")
    button.click()
    tab.locator(".install button.copybtn.success").wait_for()
    context.close()


def has_formulas(path: Path) -> bool:
    return re.search(r'class="[^"]*\bmath\b', path.read_text(encoding="utf-8")) is not None


def has_sources(path: Path) -> bool:
    return re.search(r'class="[^"]*\bside-by-side\b', path.read_text(encoding="utf-8")) is not None


OPENED = [
    path
    for path in PAGES
    if "_modules" not in path.parts and ("functions" not in path.parts or has_formulas(path))
]
"""All pages except listings of source code and pages of functions without formulas."""
TIMEOUT = 180_000
"""Time limit for a page with hundreds of formulas on a busy machine [ms]."""
LEFT = "net::ERR_ABORTED"
"""Message of a picture that is still loading when the page is left."""


READY = "window.MathJax && MathJax.startup && MathJax.startup.promise"
"""True when the formulas in sight are typeset."""
PRINTED = f"({READY}).then(() => dispatchEvent(new Event('beforeprint')))"
"""Typesets all formulas, as before a page is printed."""
UNSET = """() => [...document.querySelectorAll(".math")].filter(
    x => !x.querySelector("mjx-container") || x.querySelector("mjx-merror")).length"""
OVER = "document.documentElement.scrollWidth - window.innerWidth"
BESIDE = """() => [...document.querySelectorAll(".side-by-side .sd-row")].map(
    row => [...row.children].map(x => x.getBoundingClientRect()).map(r => [r.top, r.left]))"""
WIDER = """() => [...document.querySelectorAll("table")].filter(
    x => x.scrollWidth > x.parentElement.clientWidth).length"""
PARTS = 4
"""Number of parts of the pages, so that several processes can share them."""


def faults(tab: Any, path: Path) -> list[str]:
    """Open a page, in a window as narrow as a phone and then in a wide one, and return its
    faults.
    """
    found = []
    tab.set_viewport_size({"width": min(WIDTHS), "height": 800})
    tab.goto(path.as_uri(), wait_until="load")
    if has_formulas(path):
        tab.wait_for_function(READY)
        tab.evaluate(PRINTED)
    for width in sorted(WIDTHS):
        tab.set_viewport_size({"width": width, "height": 800})
        tab.wait_for_function(f"window.innerWidth === {width}")
        if (over := tab.evaluate(OVER)) > 0:
            found.append(f"{over} px wider than a window of {width} px")
    if has_formulas(path) and (unset := tab.evaluate(UNSET)):
        found.append(f"{unset} formulas are not typeset")
    if path.parent.name == "algorithms":
        rows = tab.evaluate(BESIDE)
        if has_sources(path) and not rows:
            found.append("no row of sources")
        for places in rows:
            tops, lefts = zip(*places, strict=True)
            if len(set(tops)) > 1 or len(set(lefts)) < len(lefts):
                found.append("sources are not side by side")
        if tab.evaluate(WIDER):
            found.append("columns of a table are hidden")
    return found


@pytest.mark.optional
@pytest.mark.parametrize("part", range(PARTS))
def test_pages_are_complete_in_narrow_and_wide_windows(browser: Any, part: int) -> None:
    """While the network is off, no page sends a request or writes an error to the console, and
    every formula is typeset without an error. No page is wider than the window; wide tables and
    lines of code have scroll bars of their own. In a wide window the two sources on a page of an
    algorithm are side by side, and all columns of its tables are visible.
    """
    context = browser.new_context(offline=True)
    context.set_default_timeout(TIMEOUT)
    tab, requests, errors = context.new_page(), [], []
    tab.on("request", lambda request: requests.append(request.url))
    tab.on("requestfailed", lambda r: r.failure == LEFT or errors.append(f"{tab.url}: {r.url}"))
    tab.on("pageerror", lambda error: errors.append(f"{tab.url}: {error}"))
    tab.on("console", lambda m: m.type != "error" or errors.append(f"{tab.url}: {m.text}"))
    wrong = [f"{x.relative_to(SITE)}: {y}" for x in OPENED[part::PARTS] for y in faults(tab, x)]
    context.close()
    elsewhere = [x for x in requests if urlsplit(x).scheme not in ("file", "data", "blob")]
    assert wrong + errors + [f"asked for {x}" for x in elsewhere] == []


def test_pages_of_algorithms_have_two_sources() -> None:
    """Many pages of algorithms have a row for two sources, which the test above looks at."""
    assert sum(map(has_sources, (SITE / "algorithms").glob("*.html"))) > 10


SECTIONS = ["Tutorials", "How-to guides", "Explanation", "Reference", "Papers"]


class Words(HTMLParser):
    """Parser that finds pictures and frames without a text that describes them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.silent: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        said = {"img": found.get("alt", ""), "iframe": found.get("title", "")}.get(tag)
        if said is not None and (not said.strip() or said.endswith((".svg", ".png", ".gif"))):
            self.silent.append(found.get("src", tag))


def test_pictures_and_frames_say_what_they_show() -> None:
    """Every picture has a describing text other than its file's name, and every frame
    has a title.
    """
    silent = {
        str(path.relative_to(SITE)): found
        for path in PAGES
        if (found := Words(path.read_text(encoding="utf-8")).silent)
    }
    assert silent == {}


def test_silent_pictures_are_found() -> None:
    text = '<img src="a"><img src="b" alt="a/b.svg"><img src="c" alt="words"><iframe src="d">'
    assert Words(text).silent == ["a", "b", "d"]


def test_every_page_has_the_same_five_sections() -> None:
    """The navigation bar of every page leads to the same five sections, and to nothing else."""
    item = re.compile(r'<li class="nav-item[^"]*">\s*<a class="nav-link[^>]*>\s*(.*?)\s*</a>', re.S)
    for path in PAGES:
        assert list(dict.fromkeys(item.findall(path.read_text(encoding="utf-8")))) == SECTIONS, path


def test_pages_of_functions_have_a_sidebar() -> None:
    """The sidebar of a function's page lists the packages and the functions of its own, this one as
    current, as the bar at the top does with its section. The page names other functions.
    """
    for path in (SITE / "api" / "functions").glob("*.html"):
        text = path.read_text(encoding="utf-8")
        side = text.split('aria-label="Functions"', 1)[1].split("</nav>", 1)[0]
        name = path.stem.rsplit(".", 1)[1]
        assert re.search(rf'class="reference internal current"[^>]*>{name}</a>', side), path
        assert side.count("toctree-l1") > 20
        lit = re.search(r'nav-item current active"[^<]*<a [^>]*href="([^"]*)"', text)
        assert lit and lit[1].endswith("reference.html"), path
        assert "See also " in text, path


@pytest.mark.optional
@pytest.mark.parametrize(
    ("query", "pages"),
    [
        ("install", ["install"]),
        ("mass matrix", ["dynamics.HandC", "dynamics.CRBA", "algorithms/equation_of_motion"]),
        ("inverse dynamics", ["dynamics.ID", "algorithms/inverse_dynamics"]),
        ("RNEA", ["dynamics.ID", "algorithms/inverse_dynamics"]),
        ("ABA", ["dynamics.FDab", "algorithms/forward_dynamics"]),
        ("CRBA", ["dynamics.CRBA", "algorithms/equation_of_motion"]),
        ("Jacobian", ["BodyJacobian", "FrameJacobian", "frames"]),
        ("Hessian", ["ID_SO_derivatives", "choose"]),
        ("gravity compensation", ["dynamics.ID", "control_loops"]),
        ("payload", ["attach", "robots"]),
        ("GPU", ["choose"]),
    ],
)
def test_search_finds_what_the_glossary_names(browser: Any, query: str, pages: list[str]) -> None:
    """The function and the guide are among the first six results of a search for a term, on the
    page of results and while it is typed.
    """
    context = browser.new_context(offline=True)
    tab = context.new_page()
    tab.goto(f"{(SITE / 'search.html').as_uri()}?q={query}")
    first = "x => x.slice(0, 6).map((a) => a.getAttribute('href'))"
    for place in ("#search-results", "#pst-search-dialog"):
        if place == "#pst-search-dialog":
            tab.goto((SITE / "index.html").as_uri())
            tab.keyboard.press("Control+k")
            tab.keyboard.type(query)
        tab.wait_for_selector(f"{place} li a")
        tab.wait_for_timeout(500)
        links = tab.eval_on_selector_all(f"{place} li > a", first)
        assert all(any(page in link for link in links) for page in pages), links
    context.close()


@pytest.mark.optional
def test_the_page_of_times_is_short(browser: Any) -> None:
    context = browser.new_context(viewport={"width": WIDTHS[0], "height": 900}, offline=True)
    tab = context.new_page()
    tab.goto((SITE / "performance.html").as_uri())
    tab.evaluate(READY)
    assert tab.evaluate("document.documentElement.scrollHeight") <= 2000
    context.close()


@pytest.mark.optional
def test_wide_formulas_scroll_with_the_keyboard(browser: Any) -> None:
    """On a phone, a formula that is wider than the page can have the focus, and arrow keys scroll
    it.
    """
    context = browser.new_context(viewport={"width": WIDTHS[1], "height": 800}, offline=True)
    tab = context.new_page()
    tab.goto((SITE / "course" / "16_coriolis.html").as_uri())
    tab.evaluate(PRINTED)
    tab.wait_for_selector("div.math.wide[tabindex='0']")
    tab.focus("div.math.wide")
    for _ in range(5):
        tab.keyboard.press("ArrowRight")
    tab.wait_for_timeout(500)
    assert tab.evaluate("document.activeElement.scrollLeft") > 0
    context.close()


TYPESET = "x => x.querySelector('mjx-container') !== null"


@pytest.mark.optional
def test_a_page_with_hundreds_of_formulas_loads_within_two_seconds(browser: Any) -> None:
    """The page of all identities takes less than two seconds of its process until it is loaded and
    the formulas in sight are typeset. Others are typeset when they come into sight, also those in
    a derivation that is unfolded; a figure comes when it is unfolded.
    """
    context = browser.new_context(viewport={"width": WIDTHS[0], "height": 900}, offline=True)
    context.set_default_timeout(TIMEOUT)
    tab = context.new_page()
    session = context.new_cdp_session(tab)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    tab.goto((SITE / "identities.html").as_uri(), wait_until="load")
    tab.wait_for_function(READY)
    tab.evaluate(READY)
    found = {x["name"]: x["value"] for x in session.send("Performance.getMetrics")["metrics"]}
    assert 0 < found["TaskDuration"] < 2
    assert tab.eval_on_selector("div.math", TYPESET)
    assert tab.evaluate(UNSET) > 400
    assert len(tab.frames) == 1
    for title in ("Derivation", "Move its arguments"):
        part = tab.locator("details", has_text=title).last
        part.scroll_into_view_if_needed()
        part.locator("summary").click()
    formula = tab.locator("details[open] div.math mjx-container").first
    formula.wait_for()
    tab.wait_for_selector("details[open] iframe")
    assert len(tab.frames) == 2
    context.close()
