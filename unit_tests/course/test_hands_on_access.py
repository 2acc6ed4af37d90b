"""Hands-on figures can be used by keyboard, with a screen reader, and on a phone."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hands_on_pages import CHAPTERS, FIGURES, Figure, hands_on

from spatial_v2.course.hands_on_page import FLAT

pytestmark = pytest.mark.optional

NAMELESS = """() => [...document.querySelectorAll("button, input, select, svg, table, [role]")]
    .filter((x) => !(x.getAttribute("aria-label") || (x.labels && x.labels.length)
        || x.tagName === "BUTTON" && x.textContent.trim() || x.querySelector(":scope > caption")))
    .map((x) => x.outerHTML)"""
WIDER = """() => [document.documentElement, document.getElementById("side")]
    .filter((x) => x.scrollWidth > x.clientWidth)
    .map((x) => `${x.id} ${x.scrollWidth} ${x.clientWidth}`)"""


def test_chapters_1_to_12_have_a_figure_each() -> None:
    shown = {int(name[:2]) for name, figures in CHAPTERS.items() if figures}
    assert set(range(1, 13)) <= shown
    assert set(FIGURES) <= set(hands_on.TITLES)


@pytest.mark.parametrize("name", FIGURES)
def test_figure_has_names_and_fits_and_follows_keys(
    browser: Any, tmp_path: Path, name: str
) -> None:
    """Controls, tables and pictures have names, everything fits the window, and arrow keys work.

    The window may be as narrow as a phone. Arrow keys move a handle, and the camera if the picture
    has the focus.
    """
    page = Figure(browser, tmp_path, name, color_scheme="dark")
    assert page.tab.title() == hands_on.TITLES[name]
    assert page.tab.evaluate(NAMELESS) == []
    for width in (900, 380):
        page.tab.set_viewport_size({"width": width, "height": 680})
        assert page.tab.evaluate(WIDER) == []
    assert page.tab.evaluate("document.getElementById('side').offsetWidth") == width
    if name not in FLAT:
        where = "stage.handles()[0]?.toArray()"
        before = page.tab.evaluate(where)
        if before:
            page.tab.locator("button.handle").first.focus()
            page.tab.keyboard.press("ArrowRight")
            page.tab.keyboard.press("ArrowUp")
            assert np.abs(np.subtract(page.tab.evaluate(where), before)).max() > 1e-3
        page.tab.locator("#stage").focus()
        view = page.tab.evaluate("stage.eye()")
        page.tab.keyboard.press("ArrowLeft")
        page.tab.keyboard.press("+")
        assert np.abs(np.subtract(page.tab.evaluate("stage.eye()"), view)).max() > 0.01
    page.close()


def test_wheel_scrolls_the_page_that_has_the_figure(browser: Any, tmp_path: Path) -> None:
    page = Figure(browser, tmp_path, "screw")
    view = page.tab.evaluate("stage.eye()")
    page.tab.mouse.move(200, 200)
    page.tab.mouse.wheel(0, 300)
    assert page.tab.evaluate("stage.eye()") == view
    page.close()


def test_a_finger_moves_a_handle_upwards(browser: Any, tmp_path: Path) -> None:
    """A vertical stroke of a finger that begins on a handle moves it, and does not
    scroll the page.
    """
    page = Figure(browser, tmp_path, "robot", width=380, has_touch=True)
    x, y, _ = page.tab.evaluate("stage.onScreen(figure.handle.position)")
    touch = page.context.new_cdp_session(page.tab)
    for k in range(12):
        kind = "touchMove" if k else "touchStart"
        points = [{"x": x, "y": y - 5 * k}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    after = page.tab.evaluate("stage.onScreen(figure.handle.position)")
    np.testing.assert_allclose(after[:2], [x, y - 55], atol=2)
    page.close()


def test_figure_in_a_frame_follows_the_page_and_rests_out_of_sight(
    browser: Any, tmp_path: Path
) -> None:
    """A figure in a frame takes the colours of the page, which sends them, and stops when it is out
    of sight.

    A page opened as a file has no access to its frames, so it has to send messages.
    """
    figure = Figure(browser, tmp_path, "motion")
    outer = tmp_path / "outer.html"
    outer.write_text(
        '<div id="above" style="height: 3000px"></div>'
        '<iframe src="motion.html" style="width: 700px; height: 400px"></iframe>'
    )
    tab = figure.tab
    tab.goto(outer.as_uri())
    (frame,) = tab.main_frame.child_frames
    frame.wait_for_function("window.figure")
    for theme in ("dark", "light"):
        tab.evaluate(f"frames[0].postMessage({{ theme: '{theme}' }}, '*')")
        frame.wait_for_function(f"document.documentElement.dataset.theme === '{theme}'")
    frame.get_by_role("button", name="Run").evaluate("(x) => x.click()")
    tab.wait_for_timeout(1000)
    before = frame.evaluate("figure.state().time")
    tab.wait_for_timeout(1500)
    assert frame.evaluate("figure.state().time") == before
    tab.evaluate("scrollTo(0, 3000)")
    frame.wait_for_function(f"figure.state().time > {before} + 0.05", timeout=120_000)
    figure.close()
