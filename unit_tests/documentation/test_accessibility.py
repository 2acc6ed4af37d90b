"""No page of any kind has a serious fault of accessibility, in light and dark mode, in wide and
narrow windows; axe checks this.
"""

from pathlib import Path
from typing import Any

import pytest
from test_site import PRINTED, SITE

from spatial_v2 import puma560, showmotion

checker = pytest.importorskip("axe_playwright_python.base", reason="needs the extra browser")

pytestmark = pytest.mark.optional
of_the_site = pytest.mark.skipif(
    not (SITE / "index.html").exists(), reason="needs the pages that sphinx-build makes"
)
KINDS = (
    "index", "first_robot", "quickstart", "howto", "control_loops", "show", "performance",
    "measured", "glossary", "identities", "search", "course/index", "course/01_vectors",
    "gallery/index", "gallery/tennis_racket", "algorithms/index", "algorithms/coriolis",
    "api/index", "api/dynamics", "api/functions/spatial_v2.dynamics.ID", "studies",
    "studies/second_derivatives",
)  # fmt: skip
"""A page of every kind."""
SETTINGS = [("light", 1400), ("dark", 400), ("dark", 1400), ("light", 400)]
"""Scheme of colours and width of the window."""
OTHERS = sorted(
    name
    for path in SITE.rglob("*.html")
    if not {"_static", "_modules"} & {*path.relative_to(SITE).parts}
    if (name := path.relative_to(SITE).with_suffix("").as_posix()) not in KINDS
)
OF_THE_THEME = {"label-content-name-mismatch"}
"""Faults of the search button, which the theme of the site makes."""


def findings(browser: Any, path: Path, scheme: str, width: int) -> list[tuple[str, Any, str]]:
    """Return the serious findings of a page: what is wrong, and the first place where it is."""
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.goto(path.as_uri(), timeout=120_000)
    page.wait_for_function("!window.MathJax || MathJax.startup?.promise !== undefined")
    page.evaluate(f"window.MathJax && {PRINTED}")
    page.wait_for_timeout(1000)
    page.evaluate(checker.AXE_SCRIPT)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    page.close()
    serious = [x for x in found if x["impact"] in ("serious", "critical")]
    told = [(x["id"], x["nodes"][0]["target"], x["nodes"][0]["html"][:100]) for x in serious]
    return [x for x in told if x[0] not in OF_THE_THEME]


@of_the_site
@pytest.mark.parametrize(("scheme", "width"), SETTINGS)
@pytest.mark.parametrize("name", KINDS)
def test_pages_have_no_serious_finding(browser: Any, name: str, scheme: str, width: int) -> None:
    assert findings(browser, SITE / f"{name}.html", scheme, width) == []


@of_the_site
@pytest.mark.slow
@pytest.mark.parametrize("name", OTHERS)
def test_other_pages_have_no_serious_finding(browser: Any, name: str) -> None:
    """All other pages of the site, in one setting each."""
    scheme, width = SETTINGS[len(name) % len(SETTINGS)]
    assert findings(browser, SITE / f"{name}.html", scheme, width) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_animations_have_no_serious_finding(browser: Any, tmp_path: Path, scheme: str) -> None:
    """The page of an animation, with its menu open."""
    path = showmotion(puma560(), [0, 1], [[0.0] * 6, [1.0] * 6], overlays="axes").save(
        tmp_path / "motion.html"
    )
    page = browser.new_page(viewport={"width": 400, "height": 700}, color_scheme=scheme)
    page.goto(path.as_uri())
    page.wait_for_function("window.showmotion")
    page.evaluate("showmotion.pause()")
    page.click("#menu-button")
    page.evaluate(checker.AXE_SCRIPT)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    page.close()
    assert [(x["id"], x["nodes"][0]["html"][:100]) for x in found] == []
