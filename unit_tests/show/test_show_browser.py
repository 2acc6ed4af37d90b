"""The page of an animation in a headless Chromium: poses, playing, overlays, and no requests."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zoo
from PIL import Image
from show_pages import assert_poses, contact_bodies, embedded, motion_of

from spatial_v2 import (
    autoTree,
    configurationDifference,
    forward_kinematics,
    planar,
    rollingdisc,
    rq,
    show,
    showmotion,
)
from spatial_v2.show.browser import chromium_found
from spatial_v2.show.rates import momenta
from spatial_v2.show.scene import OVERLAYS

pytestmark = pytest.mark.optional
SLOW = 120_000
"""Milliseconds that a program may take to light a hall, which a graphics processor does at once."""


@pytest.fixture
def open_page(browser: Any, tmp_path: Path) -> Iterator[Any]:
    """Return a function that opens an animation as a file; errors and requests for other files fail
    the test.
    """
    context = browser.new_context(viewport={"width": 640, "height": 480}, offline=True)
    requests: list[str] = []
    errors: list[str] = []

    def opened(animation: Any) -> Any:
        page = context.new_page()
        page.on("request", lambda request: requests.append(request.url))
        page.on("pageerror", lambda error: errors.append(str(error)))
        path = animation.save(tmp_path / "motion.html")
        page.goto(path.as_uri())
        page.wait_for_function("window.showmotion")
        return page

    yield opened
    context.close()
    assert errors == []
    fetched = {url for url in requests if not url.startswith(("data:", "blob:"))}
    assert fetched <= {(tmp_path / "motion.html").as_uri()}


@pytest.mark.parametrize("name", ["branched", "helical", "mixed", "SE3", "planar_tree", "massless"])
def test_browser_shows_forward_kinematics_at_any_time(name: str, open_page: Any) -> None:
    """Poses agree with forward kinematics at instants and between them, along the configuration
    space.
    """
    model = zoo.build(name)
    t, q = motion_of(model)
    animation = showmotion(model, t, q)
    page = open_page(animation)
    for time in [*t, *np.random.default_rng(1).uniform(t[0], t[-1], 5)]:
        page.evaluate(f"showmotion.seek({float(time)!r})")
        shown = np.array(
            page.evaluate("showmotion.bodies.map((_, i) => showmotion.pose(i))"), dtype=float
        )
        R = np.swapaxes(np.asarray(rq(shown[:, :4])), -1, -2)
        assert_poses(model, animation.configuration(time), R, shown[:, 4:])


def test_browser_shows_velocities_of_the_bodies(open_page: Any) -> None:
    model = zoo.build("mixed")
    t, q = motion_of(model, 2)
    animation = showmotion(model, t, q, overlays="velocities")
    page = open_page(animation)
    time = 0.3 * t[0] + 0.7 * t[1]
    page.evaluate(f"showmotion.seek({float(time)!r})")
    qd = np.asarray(configurationDifference(model, q[0], q[1])) / (t[1] - t[0])
    motion = forward_kinematics(model, animation.configuration(time), qd)
    for i in range(model.NB):
        R = np.kron(np.eye(2), motion.R[i])
        np.testing.assert_allclose(page.evaluate(f"showmotion.velocity({i})"), R @ motion.v[i],
                                   atol=1e-4)  # fmt: skip


def test_browser_shows_forces_at_any_time(open_page: Any) -> None:
    """Forces are linear in time between the given instants, also across key frames that were
    inserted.
    """
    model = zoo.build("planar_chain")
    t, q = motion_of(model)
    f = np.random.default_rng(2).normal(size=(4, 3, 3))
    page = open_page(showmotion(model, t, q, f_ext=f))
    page.evaluate(f"showmotion.seek({float(0.8 * t[1] + 0.2 * t[2])!r})")
    wanted = 0.8 * f[1] + 0.2 * f[2]
    for i in range(model.NB):
        n, fx, fy = wanted[i]
        shown = page.evaluate(f"showmotion.force({i})")
        np.testing.assert_allclose(shown, [0, 0, n, fx, fy, 0], atol=1e-6)


def test_browser_shows_momentum(open_page: Any) -> None:
    """The momentum agrees with the library at key frames and in the middle of two; between them it
    is close.
    """
    model = zoo.build("mixed")
    _, q = motion_of(model, 2)
    animation = showmotion(model, [0, 1], q, overlays="momentum")
    page = open_page(animation)
    keys = embedded(animation.html)["t"]
    qd = np.asarray(configurationDifference(model, q[0], q[1]))
    largest = np.linalg.norm(momenta(model, q[0], qd)[:2])
    for time, error in ((keys[1], 1e-4), (0.5 * keys[0] + 0.5 * keys[1], 1e-4), (0.37, 0.05)):
        page.evaluate(f"showmotion.seek({time!r})")
        h = momenta(model, animation.configuration(time), qd)
        shown = page.evaluate("showmotion.momentum()")
        np.testing.assert_allclose(shown, [*h.spin, *h.linear], atol=error * largest)


def test_browser_shows_contact_forces_at_any_time(open_page: Any) -> None:
    model = rollingdisc(5)
    n = len(contact_bodies(model))
    f = np.random.default_rng(4).normal(size=(2, n, 3))
    page = open_page(showmotion(model, [0, 1], np.zeros((2, 6)), f_contact=f))
    page.evaluate("showmotion.seek(0.25)")
    shown = page.evaluate(f"Array.from({{length: {n}}}, (_, i) => showmotion.contactForce(i))")
    np.testing.assert_allclose(shown, 0.75 * f[0] + 0.25 * f[1], atol=1e-6)


def test_browser_offers_what_the_scene_has(open_page: Any) -> None:
    page = open_page(showmotion(planar(1), [0, 1], [[0], [1]]))
    offered = set(page.evaluate("showmotion.offered"))
    assert offered == set(OVERLAYS) - {"contacts", "forces"}
    page.evaluate("showmotion.overlay('momentum', true)")
    assert page.is_checked("#overlay-momentum")
    page = open_page(show(planar(1)))
    offered = set(page.evaluate("showmotion.offered"))
    assert offered == set(OVERLAYS) - {"contacts", "forces", "velocities", "momentum"}


def test_browser_takes_the_pictures_of_files(tmp_path: Path) -> None:
    """A movie and a picture have the requested size, without the page's controls."""
    if not chromium_found():
        pytest.skip("needs playwright and a Chromium")
    animation = showmotion(planar(2), [0, 0.2], [[0, 0], [1, 1]])
    path = animation.save(tmp_path / "a.png", time=0.1, size=(200, 150), browser=True)
    taken = np.asarray(Image.open(path).convert("RGB")).astype(int)
    drawn = animation.image(0.1, (200, 150)).astype(int)
    assert taken.shape == (150, 200, 3)
    assert np.abs(taken - drawn).mean() < 12
    pytest.importorskip("imageio_ffmpeg", reason="needs the extra movies")
    path = animation.save(tmp_path / "a.mp4", size=(64, 48), fps=10, browser=True)
    assert path.read_bytes()[4:8] == b"ftyp"


def test_browser_plays_pauses_steps_and_changes_speed(open_page: Any) -> None:
    page = open_page(showmotion(planar(2), [0, 100], [[0, 0], [1, 1]]))

    def time() -> float:
        return float(page.evaluate("showmotion.time"))

    page.wait_for_function("showmotion.time > 0.05")
    page.click("#play")
    rest = time()
    page.wait_for_timeout(200)
    assert time() == rest
    page.click("#forward")
    assert time() == pytest.approx(rest + 1 / 30)
    page.click("#back")
    assert time() == pytest.approx(rest)
    for key, speed in (("Comma", 0.1), ("Period", 10.0)):
        for _ in range(30):
            page.keyboard.press(key)
        assert page.evaluate("showmotion.speed") == pytest.approx(speed)
    page.focus("#stage")
    page.keyboard.press("Space")
    page.wait_for_function(f"showmotion.time > {rest + 2}")
    page.fill("#time", "5000")
    assert time() == pytest.approx(50)
    assert page.inner_text("#clock") == "50.000 s"
    assert not page.evaluate("showmotion.playing")


def test_browser_draws_the_robot_and_everything_on_top(open_page: Any) -> None:
    """Every overlay changes the picture, and switching it off restores it."""
    model = rollingdisc(8)
    q, f = np.outer([0, 1], [0.1, 0, 0.05, 0.3, 0.4, 2]), np.zeros((2, 6, 6))
    f[:, 5, 5] = 1.0
    pushes = np.ones((2, len(contact_bodies(model)), 3))
    page = open_page(showmotion(model, [0, 1], q, f_ext=f, f_contact=pushes))
    page.evaluate("['forces', 'contacts'].forEach((x) => showmotion.overlay(x, false))")
    page.evaluate("showmotion.seek(0.5)")
    picture = "[...document.querySelectorAll('canvas')].map((x) => x.toDataURL()).join()"

    def drawn() -> str:
        page.wait_for_timeout(300)
        return str(page.evaluate(picture))

    bare = drawn()
    for name in OVERLAYS:
        page.evaluate(f"showmotion.overlay('{name}', true)")
        assert drawn() != bare, name
        page.evaluate(f"showmotion.overlay('{name}', false)")
    assert drawn() == bare


def test_browser_shows_the_animation_within_a_notebook(browser: Any, tmp_path: Path) -> None:
    """The result of `_repr_html_` is animated within another page."""
    model = planar(2)
    animation = showmotion(model, [0, 1], [[0, 0], [1, 2]])
    path = tmp_path / "notebook.html"
    path.write_text(f"<!doctype html><h1>Cell</h1>{animation._repr_html_()}", encoding="utf-8")
    page = browser.new_page()
    page.goto(path.as_uri())
    frame = page.frames[1]
    frame.wait_for_function("window.showmotion")
    frame.evaluate("showmotion.seek(0.25)")
    shown = np.array([frame.evaluate(f"showmotion.pose({i})") for i in range(2)])
    R = np.swapaxes(np.asarray(rq(shown[:, :4])), -1, -2)
    assert_poses(model, np.array([0.25, 0.5]), R, shown[:, 4:])
    page.close()


def test_browser_camera_follows_a_body(open_page: Any) -> None:
    page = open_page(showmotion(zoo.build("one_P"), [0, 1], [[0], [3]]))
    page.evaluate("showmotion.seek(0)")
    before, at = (page.evaluate(x) for x in ("showmotion.camera()", "showmotion.pose(0)"))
    page.evaluate("showmotion.follow(0)")
    page.evaluate("showmotion.seek(1)")
    after, there = (page.evaluate(x) for x in ("showmotion.camera()", "showmotion.pose(0)"))
    gone = np.subtract(there[4:6], at[4:6])
    assert np.linalg.norm(gone) > 0.5
    np.testing.assert_allclose(np.subtract(after, before), [*gone, 0, *gone, 0], atol=1e-5)


def calls_of(page: Any) -> int:
    """Return how many calls of the graphics library draw a picture."""
    page.evaluate("showmotion.picture(0.5)")
    number: int = page.evaluate("showmotion.parts.renderer.info.render.calls")
    return number


def test_one_call_draws_all_shapes_of_a_kind(open_page: Any) -> None:
    """The number of calls does not grow with the number of bodies, which all are where they should
    be: the picture of a chain has the colours of its last link at the place of this link.
    """
    found = []
    for count in (4, 40):
        page = open_page(showmotion(planar(count), [0, 1], np.zeros((2, count)), overlays=()))
        found.append(calls_of(page))
        last = page.evaluate(
            f"showmotion.parts.bodies[{count - 1}].children[0].matrixWorld.elements"
        )
        drawn = page.evaluate(
            """() => {
              const all = [];
              showmotion.parts.bodies[0].parent.parent.traverse((x) => {
                if (x.isInstancedMesh) all.push([...x.instanceMatrix.array]);
              });
              return all.flatMap((m) => Array.from({ length: m.length / 16 },
                (_, k) => m.slice(16 * k, 16 * k + 16)));
            }"""
        )
        gaps = np.abs(np.array(drawn) - np.array(last)).max(axis=1)
        assert gaps.min() < 1e-6
    assert found[0] == found[1] <= 12


def test_trees_of_500_bodies_take_few_calls_and_little_of_a_frame(open_page: Any) -> None:
    """Placing all bodies takes a part of the thirtieth of a second that a picture has, and a few
    calls draw them, so that a graphics processor shows thirty pictures a second.
    """
    t, count = np.linspace(0, 2, 31), 500
    motion = 0.3 * np.sin(t[:, None] + np.arange(count))
    page = open_page(showmotion(autoTree(count, 2, 0.3), t, motion, overlays=()))
    page.evaluate("showmotion.pause()")
    spent = page.evaluate(
        """() => Array.from({ length: 40 }, (_, k) => {
          const begin = performance.now();
          showmotion.seek(0.04 * k);
          return performance.now() - begin;
        })"""
    )
    assert min(spent) < 1000 / 30 / 3
    assert calls_of(page) <= 12
    assert page.evaluate("showmotion.parts.renderer.info.render.triangles") < 50_000


def test_small_trees_keep_their_facets(open_page: Any) -> None:
    """A picture of a cylinder with 40 facets has 160 triangles for it, and again for its shadow."""
    found = []
    for facets in (4.0, 40.0):
        link = ["facets", facets, "cyl", [[0.0, 0, 0], [1.0, 0, 0]], 0.1]
        page = open_page(show(autoTree(1).replace(appearance={"base": [], "body": [link]})))
        calls_of(page)
        found.append(page.evaluate("showmotion.parts.renderer.info.render.triangles"))
    assert found[1] - found[0] == 2 * 4 * 36


CLOCK = """let now = 0;
window.pace = %g;
window.requestAnimationFrame = (f) => setTimeout(() => f(now += window.pace), 1);"""


@pytest.mark.parametrize(("rate", "kept"), [(60, True), (10, False)])
def test_slow_machines_leave_out_shadows_and_pixels(
    browser: Any, tmp_path: Path, rate: float, kept: bool
) -> None:
    """While pictures come late, a motion has no shadows, and fewer pixels; names stay sharp. A
    picture at rest has all, and so has a motion again if pictures come early.
    """
    path = showmotion(planar(2), [0, 1], [[0, 0], [1, 2]]).save(tmp_path / "motion.html")
    page = browser.new_page(viewport={"width": 160, "height": 120}, reduced_motion="no-preference")
    page.set_default_timeout(SLOW)
    page.add_init_script(CLOCK % (1000 / rate))
    page.goto(path.as_uri())
    page.wait_for_function("window.showmotion && showmotion.time > 0")
    page.wait_for_timeout(3000)
    ratio, wide = page.evaluate(
        "[showmotion.parts.renderer.getPixelRatio(), showmotion.parts.sheet.width]"
    )
    assert page.evaluate("showmotion.shadows") is kept
    assert (ratio, wide) == (1.0 if kept else 0.5, 160)
    page.evaluate("showmotion.pause()")
    now = "[showmotion.shadows, showmotion.parts.renderer.getPixelRatio()]"
    assert page.evaluate(now) == [True, 1.0]
    page.evaluate("showmotion.play()")
    assert page.evaluate(now) == [kept, ratio]
    page.evaluate("window.pace = 1000 / 60")
    more = f"showmotion.parts.renderer.getPixelRatio() > {ratio - kept}"
    page.wait_for_function(more, polling=200)
    page.close()


def test_light_of_a_room_is_for_graphics_processors(browser: Any, tmp_path: Path) -> None:
    """A program that draws has no environment; where it is asked for, the picture is another."""
    path = show(planar(2)).save(tmp_path / "still.html")
    pictures = {}
    for asked in ("", "?light=room", "?light=plain"):
        page = browser.new_page(viewport={"width": 320, "height": 240})
        page.set_default_timeout(SLOW)
        page.goto(path.as_uri() + asked)
        page.wait_for_function("window.showmotion")
        assert page.evaluate("showmotion.room") == (asked == "?light=room")
        pictures[asked] = page.evaluate("showmotion.picture(0)")
        page.close()
    assert pictures[""] == pictures["?light=plain"] != pictures["?light=room"]


def test_corners_are_dark_in_a_room(browser: Any, tmp_path: Path) -> None:
    """Ambient occlusion darkens parts of a picture and lightens none, by day and by night; devices
    with a small screen, which are touched, do without it.
    """
    path = show(planar(2), [0.0, 2.5]).save(tmp_path / "still.html")
    for scheme, touched in (("light", False), ("dark", False), ("light", True)):
        context = browser.new_context(
            viewport={"width": 320, "height": 240}, color_scheme=scheme,
            is_mobile=touched, has_touch=touched,
        )  # fmt: skip
        page = context.new_page()
        page.set_default_timeout(SLOW)
        page.goto(path.as_uri() + "?light=room")
        page.wait_for_function("window.showmotion")
        assert page.evaluate("showmotion.occlusion") is not touched
        pictures = []
        for _ in range(2):
            pictures.append(_pixels(page.evaluate("showmotion.picture(0)")))
            page.evaluate("showmotion.occlusion = false")
        darker = pictures[1].astype(int) - pictures[0]
        assert darker.min() >= -1
        assert (darker.max(axis=-1) > 10).mean() > 0.002 or touched
        context.close()


@pytest.mark.slow
def test_occlusion_adds_few_calls_to_large_trees(browser: Any, tmp_path: Path) -> None:
    path = show(autoTree(500, 2, 0.3), np.zeros(500), overlays=()).save(tmp_path / "still.html")
    page = browser.new_page(viewport={"width": 320, "height": 240})
    page.set_default_timeout(SLOW)
    page.goto(path.as_uri() + "?light=room")
    page.wait_for_function("window.showmotion")
    assert page.evaluate("showmotion.occlusion") and calls_of(page) <= 20
    page.close()


def _pixels(url: str) -> np.ndarray:
    image = Image.open(io.BytesIO(base64.b64decode(url.partition(",")[2])))
    return np.asarray(image.convert("RGB"))
