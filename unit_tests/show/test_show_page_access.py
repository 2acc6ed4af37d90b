"""Accessibility of the page of an animation: dark mode, keyboard, reduced motion, legible names."""

from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zoo
from show_pages import assert_poses, motion_of

from spatial_v2 import planar, puma560, rq, show, showmotion
from spatial_v2.show import Animation
from spatial_v2.show.labels import overlap

pytestmark = pytest.mark.optional

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


def test_a_click_says_what_a_body_is(open_page: Opened) -> None:
    """A click on a body shows its name, its mass and the place of its frame; beside it, nothing."""
    page = open_page(show(puma560(), [0.0] * 6))
    page.wait_for_timeout(300)
    points = page.evaluate("showmotion.bodies.map((_, i) => showmotion.screen(i)).concat([[3, 3]])")
    seen = [page.evaluate(f"showmotion.pick({x}, {y})") for x, y in points]
    assert seen[-1] == -1 and len({x for x in seen if x >= 0}) >= 2
    x, y = points[seen.index(max(seen))]
    page.mouse.click(x, y)
    said = page.locator("#picked").text_content()
    assert said.startswith(f"{max(seen)} {puma560().body_names[max(seen)]}: ")
    assert " kg, frame at (" in said
    page.mouse.click(3, 3)
    assert page.locator("#picked").is_hidden()


@pytest.mark.parametrize("name", ["branched", "helical", "planar_tree", "mixed"])
def test_sliders_move_the_joints_of_a_robot_at_rest(open_page: Opened, name: str) -> None:
    """Each slider adds to the position of its joint; poses are those of forward kinematics."""
    model = zoo.build(name)
    q = motion_of(model)[1][0]
    page = open_page(show(model, q))
    moved = q.copy()
    for i in range(model.NB):
        slider = page.locator(f"#joint-{i}")
        if not slider.count():
            continue
        at = model.qinds[i].start
        moved[at] += 0.1
        value = f"{moved[at]!r}".replace("np.float64(", "").rstrip(")")
        slider.evaluate(f"x => {{ x.max = 10; x.min = -10; x.value = {value};"
                        " x.dispatchEvent(new Event('input')); }")  # fmt: skip
    assert (moved != q).any()
    shown = np.array([page.evaluate(f"showmotion.pose({i})") for i in range(model.NB)])
    R = np.swapaxes(np.asarray(rq(shown[:, :4])), -1, -2)
    assert_poses(model, moved, R, shown[:, 4:])


def test_the_wheel_scrolls_the_page_around_a_frame(open_page: Opened, tmp_path: Path) -> None:
    """In a frame, the wheel zooms only after a click on the picture; on its own page, at once."""
    page = open_page(swinging())
    before = page.evaluate("showmotion.camera()")
    page.mouse.move(300, 200)
    page.mouse.wheel(0, 300)
    page.wait_for_function(f"showmotion.camera().join() !== {before!r}.join()")
    outer = tmp_path / "outer.html"
    frame = '<iframe title="a" src="motion.html" height="300"></iframe>'
    outer.write_text(f'<body style="height: 4000px">{frame}', encoding="utf-8")
    page.goto(outer.as_uri())
    page.frames[1].wait_for_function("window.showmotion")
    before = page.frames[1].evaluate("showmotion.camera()")
    page.mouse.move(150, 100)
    page.mouse.wheel(0, 200)
    page.wait_for_function("window.scrollY > 0")
    after = page.frames[1].evaluate("showmotion.camera()")
    np.testing.assert_allclose(after, before, atol=1e-9)


@pytest.mark.slow
def test_a_film_is_recorded(open_page: Opened) -> None:
    page = open_page(swinging())
    page.locator("#menu-button").click()
    page.locator("#record").click()
    assert page.evaluate("showmotion.recording()")
    page.wait_for_timeout(1500)
    with page.expect_download() as film:
        page.locator("#record").click()
    assert film.value.suggested_filename.endswith(".webm")
    assert film.value.path().stat().st_size > 1000
