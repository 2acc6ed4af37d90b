"""No page of any kind has a serious fault of accessibility, in light and dark mode; axe checks
this.
"""

from __future__ import annotations

from typing import Any

import pytest
from test_site import SITE

checker = pytest.importorskip("axe_playwright_python.base", reason="needs the extra browser")

pytestmark = [
    pytest.mark.optional,
    pytest.mark.skipif(
        not (SITE / "index.html").exists(), reason="needs the pages that sphinx-build makes"
    ),
]
KINDS = (
    "index", "quickstart", "howto", "course/01_vectors", "gallery/index", "algorithms/coriolis",
    "api/index", "studies", "studies/second_derivatives",
)  # fmt: skip
OF_THE_THEME = {"label-content-name-mismatch"}
"""Faults of the search button, which the theme of the site makes."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", KINDS)
def test_pages_have_no_serious_finding(browser: Any, name: str, scheme: str) -> None:
    page = browser.new_page(viewport={"width": 1400, "height": 900}, color_scheme=scheme)
    page.goto((SITE / f"{name}.html").as_uri(), timeout=120_000)
    page.wait_for_function("!window.MathJax || MathJax.startup?.promise !== undefined")
    page.wait_for_timeout(1000)
    page.evaluate(checker.AXE_SCRIPT)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    page.close()
    serious = [x for x in found if x["impact"] in ("serious", "critical")]
    told = [(x["id"], x["nodes"][0]["target"], x["nodes"][0]["html"][:100]) for x in serious]
    assert [x for x in told if x[0] not in OF_THE_THEME] == []
