"""Accessibility of the page of an animation: dark mode, keyboard, reduced motion, legible names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
import zoo
from show_pages import motion_of

from spatial_v2 import planar, showmotion
from spatial_v2.show import Animation
from spatial_v2.show.labels import overlap

pytestmark = pytest.mark.browser

Opened = Callable[..., Any]


@pytest.fixture
def open_page(browser: Any, tmp_path: Path) -> Iterator[Opened]:
    """Return a function that opens an animation in a browser context with given options."""
    contexts = []

    def opened(animation: Animation, **options: Any) -> Any:
        size = {"width": 640, "height": 480}
        contexts.append(browser.new_context(offline=True, **{"viewport": size, **options}))
        page = contexts[-1].new_page()
        page.goto(animation.save(tmp_path / "motion.html").as_uri())
        page.wait_for_function("window.showmotion")
        return page

    yield opened
    for context in contexts:
        context.close()


def swinging(**options: Any) -> Animation:
    return showmotion(planar(2), [0, 5], [[0, 0], [1, 2]], **options)


def test_page_follows_the_colour_scheme(open_page: Opened) -> None:
    """Background and controls are dark if the browser prefers so, and change with this
    preference.
    """
    page = open_page(swinging(), color_scheme="dark")
    bar = "getComputedStyle(document.getElementById('bar')).backgroundColor"
    dark = page.evaluate("showmotion.background"), page.evaluate(bar)
    page.emulate_media(color_scheme="light")
    page.wait_for_function("showmotion.background > 0xc0c0c0")
    light = page.evaluate("showmotion.background"), page.evaluate(bar)
    assert dark[0] < 0x404040 and light[0] > 0xC0C0C0
    assert dark[1] != light[1] == "rgb(255, 255, 255)"


def test_frame_has_the_colours_of_the_page_around_it(open_page: Opened, tmp_path: Path) -> None:
    """An animation in a frame becomes dark if a message of the page around it says so; other
    messages change nothing.
    """
    page = open_page(swinging(), color_scheme="light")
    outer = tmp_path / "outer.html"
    outer.write_text('<iframe title="a" src="motion.html"></iframe>', encoding="utf-8")
    page.goto(outer.as_uri())
    page.frames[1].wait_for_function("window.showmotion")
    send = "message => document.querySelector('iframe').contentWindow.postMessage(message, '*')"
    for nothing in (None, "dark", {"theme": "blue"}, {"theme": "constructor"}):
        page.evaluate(send, nothing)
    page.evaluate(send, {"theme": "dark"})
    page.frames[1].wait_for_function("showmotion.background < 0x404040")
    page.evaluate(send, {"theme": "light"})
    page.frames[1].wait_for_function("showmotion.background > 0xc0c0c0")


@pytest.mark.parametrize(("motion", "plays"), [("reduce", False), ("no-preference", True)])
def test_animations_wait_where_readers_prefer_less_motion(
    open_page: Opened, motion: str, plays: bool
) -> None:
    page = open_page(swinging(), reduced_motion=motion)
    assert page.evaluate("showmotion.playing") is plays
    page.keyboard.press(" ")
    assert page.evaluate("showmotion.playing") is not plays


def test_space_presses_the_button_that_has_the_focus(open_page: Opened) -> None:
    """The space key opens the menu, toggles a checkbox or steps a frame, whichever has the focus,
    without starting to play.
    """
    page = open_page(swinging(), reduced_motion="reduce")
    page.focus("#menu-button")
    page.keyboard.press(" ")
    assert page.is_visible("#panel")
    page.focus("#overlay-frames")
    page.keyboard.press(" ")
    assert page.is_checked("#overlay-frames")
    page.focus("#forward")
    page.keyboard.press(" ")
    assert page.evaluate("showmotion.time") > 0
    assert not page.evaluate("showmotion.playing")
    page.focus("#play")
    page.keyboard.press(" ")
    assert page.evaluate("showmotion.playing")
    assert page.get_attribute("#play", "aria-label") == "Pause"


def test_every_control_has_a_name(open_page: Opened) -> None:
    page = open_page(swinging())
    page.click("#menu-button")
    for control in page.query_selector_all("button, input, select"):
        name = control.evaluate(
            "x => x.getAttribute('aria-label') || (x.labels && x.labels[0] || {}).textContent"
            " || (x.textContent.match(/\\w/) ? x.textContent : '')"
        )
        assert name.strip(), control.evaluate("x => x.outerHTML")


def test_no_name_covers_another(open_page: Opened) -> None:
    model = zoo.build("mixed")
    page = open_page(showmotion(model, *motion_of(model), overlays=["names", "com", "axes"]))
    for time in (0.3, 1.1):
        page.evaluate(f"showmotion.picture({time})")
        boxes = [plate["box"] for plate in page.evaluate("showmotion.names()") if plate["box"]]
        assert len(boxes) > model.NB / 2
        assert not any(overlap(a, b) for a, b in combinations(map(tuple, boxes), 2))


def test_notice_of_a_long_motion_is_on_the_page(open_page: Opened) -> None:
    import numpy as np

    t = np.linspace(0, 10, 200_000)
    animation = showmotion(planar(1), t, np.sin(t)[:, None])
    with pytest.warns(UserWarning, match="instants"):
        page = open_page(animation)
    assert "of 200000 instants" in page.inner_text("#note")
