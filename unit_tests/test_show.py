"""Laws of `showmotion`: what is shown is what forward kinematics say, in one file, on the group."""

from __future__ import annotations

import base64
import json
import re
import shutil
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zoo
from command_line import TREE, refused, run
from scipy.io import savemat

import spatial_v2.models
from spatial_v2 import (
    ArrayShapeError,
    Model,
    ModelError,
    SpatialError,
    autoTree,
    configurationAddition,
    configurationDifference,
    floatbase,
    forward_kinematics,
    gfxExample,
    load_model,
    neutral,
    planar,
    random_configuration,
    rollingdisc,
    rq,
    show,
    showmotion,
)
from spatial_v2.show.bones import bones
from spatial_v2.show.instructions import COLOURS, drawings_of
from spatial_v2.show.meshes import facets_of
from spatial_v2.show.scene import OVERLAYS
from spatial_v2.show.shapes import Box, Cylinder, Line, Sphere, Triangles, extent

BUILT_IN: dict[str, Model] = {}
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    for _name, _arguments in {
        "autoTree": (4, 1.5), "planar": (3,), "rollingdisc": (8,), "doubleElbow": (), "vee": (),
        "gfxExample": (True,), "scissor": (), "singlebody": (), "puma560": (), "Panda_model": (),
        "TX40_model": (), "Scara_model": (), "Puma560_model": (), "CheetahLeg_model": (),
        "build_quadruped_model": (),
    }.items():  # fmt: skip
        BUILT_IN[_name] = getattr(spatial_v2.models, _name)(*_arguments)


def motion_of(model: Model, n: int = 4) -> tuple[np.ndarray, np.ndarray]:
    """Large steps, that a joint of one freedom takes by several turns."""
    rng = np.random.default_rng(3)
    t = np.cumsum(rng.uniform(0.2, 1.0, n))
    q = random_configuration(model, rng, (n,))
    steps = np.array([4.0 if k == 1 else 0.4 for k in model.nv for _ in range(k)])
    for k in range(1, n):
        q[k] = configurationAddition(model, q[k - 1], steps * rng.uniform(-1, 1, model.NV))
    return t, q


def embedded(page: str) -> dict[str, Any]:
    """The scene that a page holds."""
    found = re.search(r'<script type="application/json" id="scene">(.*?)</script>', page, re.S)
    assert found
    scene: dict[str, Any] = json.loads(found[1])
    return scene


def world_poses(scene: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """R (N, NB, 3, 3) and p (N, NB, 3) by the tree and the local poses of a page."""
    n = len(scene["bodies"])
    numbers = np.frombuffer(base64.b64decode(scene["poses"]), "<f4").astype(float)
    local = numbers.reshape(-1, n, 7)
    turn, p = np.swapaxes(np.asarray(rq(local[..., :4])), -1, -2), local[..., 4:].copy()
    for i, body in enumerate(scene["bodies"]):
        if body["parent"] >= 0:
            j = body["parent"]
            p[:, i] = p[:, j] + (turn[:, j] @ p[:, i, :, None])[..., 0]
            turn[:, i] = turn[:, j] @ turn[:, i]
    return turn, p


def assert_poses(model: Model, q: np.ndarray, R: np.ndarray, p: np.ndarray) -> None:
    wanted = forward_kinematics(model, q)
    n = wanted.R.shape[-1]
    np.testing.assert_allclose(R[..., :n, :n], wanted.R, atol=1e-5)
    np.testing.assert_allclose(p[..., :n], wanted.p, atol=1e-5)


@pytest.mark.parametrize("name", zoo.NAMES)
def test_poses_in_the_page_are_those_of_forward_kinematics(name: str) -> None:
    model = zoo.build(name)
    t, q = motion_of(model)
    animation = showmotion(model, t, q)
    scene = embedded(animation.html)
    assert set(t) <= set(scene["t"])
    assert_poses(model, animation.configuration(scene["t"]), *world_poses(scene))


@pytest.mark.parametrize("name", zoo.NAMES)
def test_motion_runs_along_the_group_at_constant_velocity(name: str) -> None:
    """q(t) = q0 (+) s (q1 (-) q0), at the ends the given configurations, beyond them at rest."""
    model = zoo.build(name)
    t, q = motion_of(model)
    animation = showmotion(model, t, q)
    s = 0.3
    dq = configurationDifference(model, q[1], q[2])
    middle = animation.configuration((1 - s) * t[1] + s * t[2])
    gone = configurationDifference(model, q[1], middle)
    np.testing.assert_allclose(gone, s * np.asarray(dq), atol=1e-9)
    for time, there in ((t[0] - 1, q[0]), (t[1], q[1]), (t[-1] + 1, q[-1])):
        shown = animation.configuration(time)
        np.testing.assert_allclose(
            forward_kinematics(model, shown).X0, forward_kinematics(model, there).X0, atol=1e-9
        )


def test_page_is_one_file_that_fetches_nothing() -> None:
    page = showmotion(gfxExample()).html
    assert not re.search(r"<(?:link|script|img|iframe)[^>]*(?:src|href)=(?![\"']data:)", page)
    assert not re.search(r"\bimport\s*\(|\bfetch\(\s*[\"']|@import|url\(\s*[\"']?http", page)
    addresses = set(re.findall(r"https?://[\w./-]+", page))
    assert addresses <= {"http://www.w3.org/1999/xhtml", "http://www.w3.org/2000/svg"}


def test_text_of_a_model_cannot_break_the_page() -> None:
    name = "</script><script>alert(1)</script>@SCENE@"
    page = show(planar(1).replace(name=name, body_names=[name])).html
    assert page.count("<script") == 3
    assert embedded(page)["bodies"][0]["name"] == name


@pytest.mark.parametrize("name", BUILT_IN)
def test_appearance_of_every_built_in_model_can_be_read(name: str) -> None:
    model = BUILT_IN[name]
    shapes = drawings_of(model.appearance or bones(model), model.NB)
    assert len(shapes) == model.NB + 1
    assert any(shapes[1:])
    for shape in (x for drawing in shapes for x in drawing):
        corners, colours = facets_of(shape)
        assert len(corners) == len(colours)
        points, box = corners.reshape(-1, 3), extent(shape)
        if len(points):
            assert (points >= box.min(axis=0) - 1e-9).all()
            assert (points <= box.max(axis=0) + 1e-9).all()


@pytest.mark.parametrize("name", zoo.NAMES)
def test_every_model_can_be_drawn_without_an_appearance(name: str) -> None:
    model = zoo.build(name)
    assert any(drawings_of(bones(model), model.NB)[1:])
    picture = show(model, overlays=OVERLAYS).image(size=(80, 60))
    assert picture.shape == (60, 80, 3)
    assert np.ptp(picture) > 50


def test_every_drawing_command_makes_its_shape() -> None:
    corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    drawing = [
        "box", [[1, 0, 0], [0, 2, 3]],
        ["colour", [0.5, 0.5, 0.5], "facets", 7, "sphere", [0, 0, 1], 0.5],
        "cyl", [[0, 0, 0], [0, 0, 1]], 0.1,
        "vertices", corners, "triangles", [[0, 2, 1]], "line", [0, 1, 3],
        "colour", [[1, 0, 0], [0, 1, 0]], "sphere", [0, 0, 0], 1.0,
        "line", [[0, 0, 0], [1, 1, 1]],
    ]  # fmt: skip
    base = ["tiles", [[-1, 1], [0, 2], [0, 0]], 0.5]
    floor, shapes = drawings_of({"base": base, "body": [drawing]}, 1)
    kinds = [Box, Sphere, Cylinder, Triangles, Line, Sphere, Line]
    assert [type(x) for x in shapes] == kinds
    box, grey, tube, _, path, ball, _ = shapes
    assert isinstance(box, Box) and isinstance(grey, Sphere) and isinstance(tube, Cylinder)
    assert isinstance(path, Line) and isinstance(ball, Sphere)
    np.testing.assert_array_equal(box.upper, [1, 2, 3])
    np.testing.assert_array_equal(box.colour, COLOURS[0])
    assert (grey.facets, tube.facets) == (8, 24)
    np.testing.assert_array_equal(tube.colour, COLOURS[0])  # the sub-list kept its own
    np.testing.assert_array_equal(path.points, [corners[0], corners[1], corners[3]])
    np.testing.assert_array_equal(ball.colour, [[1, 0, 0], [0, 1, 0]])
    assert sum(len(x.faces) for x in floor if isinstance(x, Triangles)) == 2 * 16


@pytest.mark.parametrize("end", [0.0, -1e-9])
def test_tiles_face_the_side_that_their_range_says(end: float) -> None:
    floor, _ = drawings_of({"base": ["tiles", [[0, 1], [0, 1], [0, end]], 0.5], "body": [[]]}, 1)
    for part in floor:
        a, b, c = np.moveaxis(facets_of(part)[0], 1, 0)
        np.testing.assert_array_equal(np.sign(np.cross(b - a, c - a)[:, 2]), 1 if end == 0 else -1)


def test_solids_are_closed_and_turn_outwards() -> None:
    """Volume by the divergence theorem: of what stands there, and positive."""
    grey = np.full(3, 0.5)
    for shape, volume in (
        (Box(np.array([0.0, 1, 2]), np.array([1.0, 3, 5]), grey), 6.0),
        (Cylinder(np.ones(3), np.array([1.0, 1, 3]), 0.5, 400, grey), np.pi / 2),
        (Sphere(np.ones(3), 2.0, 200, np.stack([grey, grey])), 32 / 3 * np.pi),
    ):
        a, b, c = np.moveaxis(facets_of(shape)[0], 1, 0)
        assert (a * np.cross(b, c)).sum() / 6 == pytest.approx(volume, rel=1e-3)


@pytest.mark.parametrize(
    ("drawing", "words"),
    [
        ([1.0], r"body'\]\[0\]\[0\]: want a drawing command"),
        (["cone", 1], "'cone'"),
        (["box"], "'box' wants 1 argument after it"),
        ([["cyl", [[0, 0, 0], [0, 0, 1]]]], r"\[0\]\[0\]\[0\]: 'cyl' wants 2 arguments"),
        (["box", [[0, 0, 0], [1, 1, 0]]], "a volume"),
        (["cyl", [[0, 0, 0], [0, 0, 0]], 1], "two points that differ"),
        (["sphere", [0, 0, 0], -1], "a centre and a radius"),
        (["colour", [0, 0, 2]], "0..1"),
        (["facets", 2], "from 3 on"),
        (["line", [0, 1]], "no 'vertices'"),
        (["vertices", [[0, 0, 0], [1, 0, 0]], "line", [0, 2]], "from 0 to 1"),
        (["vertices", np.eye(3), "triangles", [[0, 1, 1]]], "have an area"),
        (["tiles", [[0, 1], [0, 1], [0, 0]], 0.5], "base only"),
        (["box", [[0, 0, np.nan], [1, 1, 1]]], "finite"),
    ],
)
def test_wrong_instructions_are_named(drawing: list[Any], words: str) -> None:
    with pytest.raises(ModelError, match=words):
        show(planar(1).replace(appearance={"body": [drawing]}))


@pytest.mark.parametrize(
    ("camera", "words"),
    [
        ({"body": 3}, "'body'"),
        ({"zoom": 0}, "'zoom'"),
        ({"up": [0, 0, 1], "direction": [0, 0, 2]}, "parallel"),
        ({"direction": [1, 2]}, "'direction'"),
        ({"where": 1}, "'where'"),
    ],
)
def test_wrong_cameras_are_named(camera: dict[str, Any], words: str) -> None:
    with pytest.raises(ModelError, match=words):
        show(planar(1).replace(camera=camera))


def test_wrong_motions_are_named() -> None:
    model = planar(2)
    for arguments, error, words in (
        (([0, 1],), SpatialError, "go together"),
        (([1, 0], np.zeros((2, 2))), SpatialError, "must not decrease"),
        (([0.0], np.zeros((1, 2))), SpatialError, "two or more"),
        (([0, 1, 2], np.zeros((2, 3))), ArrayShapeError, "transpose"),
        (([0, 1, 2], np.zeros((4, 2))), ArrayShapeError, r"shape \(3, 2\)"),
        (([0, 1], [[0, 0], [0, np.nan]]), ArrayShapeError, "finite"),
        (([0, 1], lambda t: [t]), ArrayShapeError, "2 entries"),
    ):
        with pytest.raises(error, match=words):
            showmotion(model, *arguments)
    with pytest.raises(ArrayShapeError, match="f_ext"):
        showmotion(model, [0, 1], np.zeros((2, 2)), f_ext=np.zeros((3, 2, 3)))
    with pytest.raises(ArrayShapeError, match="one configuration"):
        show(model, np.zeros((3, 2)))
    with pytest.raises(SpatialError, match="'feet'"):
        show(model, overlays=["feet"])


def test_model_alone_moves_each_freedom_in_turn() -> None:
    model = zoo.build("mixed")
    animation = showmotion(model)
    for j in range(model.NV):
        gone = configurationDifference(model, neutral(model), animation.configuration(j + 0.5))
        np.testing.assert_allclose(gone, np.eye(model.NV)[j], atol=1e-9)


def test_a_function_of_time_is_a_motion() -> None:
    animation = showmotion(planar(2), [1, 3], lambda t: [np.sin(t), t])
    np.testing.assert_allclose(animation.configuration(2.0), [np.sin(2), 2], atol=1e-4)


def test_camera_follows_its_body_across_what_is_up() -> None:
    """A body that the camera follows stays where it is in the picture."""
    t, q = [0, 1], [[0, 0, 0, 0, 0, 0], [5, 0, 0, 0, 0, 0]]
    plain = {"body": [["colour", [0.8, 0.1, 0.1], "sphere", [0, 0, 0], 1.0]]}
    ball = floatbase(autoTree(1).replace(appearance=plain, camera={"body": 0}, gravity=[0, 0, 0]))
    pictures = [showmotion(ball, t, q).image(x, (120, 90)).astype(int) for x in (0, 1)]
    red = [(p[..., 0] - p[..., 1] > 60) for p in pictures]
    assert red[0].sum() > 100
    np.testing.assert_array_equal(*red)


def test_files_are_what_their_names_say(tmp_path: Path) -> None:
    animation = showmotion(rollingdisc(6), [0, 0.2], np.zeros((2, 6)))
    assert animation.save(tmp_path / "a.html").read_text(encoding="utf-8") == animation.html
    starts = {"png": b"\x89PNG", "gif": b"GIF89a"}
    for suffix, start in starts.items():
        path = animation.save(tmp_path / f"a.{suffix}", size=(64, 48))
        assert path.read_bytes().startswith(start)
    with pytest.raises(SpatialError, match=".html"):
        animation.save(tmp_path / "a.mp4")
    ax = animation.draw(size=(64, 48))
    assert len(ax.images) == 1
    assert "srcdoc" in animation._repr_html_()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A headless Chromium."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="needs the extra browser")
    program = shutil.which("chromium") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("needs a Chromium")
    with sync_api.sync_playwright() as play:
        flags = ["--enable-unsafe-swiftshader", "--no-sandbox"]
        chromium = play.chromium.launch(executable_path=program, args=flags)
        yield chromium
        chromium.close()


@pytest.fixture
def open_page(browser: Any, tmp_path: Path) -> Iterator[Any]:
    """Open an animation as a file; no error may come, and no request but for the file."""
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
    assert [url for url in requests if not url.startswith(("data:", "blob:"))] == [
        (tmp_path / "motion.html").as_uri()
    ]


@pytest.mark.browser
@pytest.mark.parametrize("name", ["branched", "helical", "mixed", "SE3", "planar_tree", "massless"])
def test_browser_shows_forward_kinematics_at_any_time(name: str, open_page: Any) -> None:
    """Also between key frames: the page moves along the group as the library does."""
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


@pytest.mark.browser
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


@pytest.mark.browser
def test_browser_shows_forces_at_any_time(open_page: Any) -> None:
    """Linear in time between instants, also where key frames are put in between."""
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


@pytest.mark.browser
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
    page.keyboard.press("Space")
    page.wait_for_function(f"showmotion.time > {rest + 2}")
    page.fill("#time", "5000")
    assert time() == pytest.approx(50)
    assert page.inner_text("#clock") == "50.000 s"
    assert not page.evaluate("showmotion.playing")


@pytest.mark.browser
def test_browser_draws_the_robot_and_everything_on_top(open_page: Any) -> None:
    """Every overlay changes the picture, and switched off leaves it as it was."""
    model = rollingdisc(8)
    q, f = np.outer([0, 1], [0.1, 0, 0.05, 0.3, 0.4, 2]), np.zeros((2, 6, 6))
    f[:, 5, 5] = 1.0
    page = open_page(showmotion(model, [0, 1], q, f_ext=f))
    page.evaluate("showmotion.overlay('forces', false)")
    page.evaluate("showmotion.seek(0.5)")
    picture = "document.querySelector('canvas').toDataURL()"

    def drawn() -> str:
        page.wait_for_timeout(300)
        return str(page.evaluate(picture))

    bare = drawn()
    for name in OVERLAYS:
        page.evaluate(f"showmotion.overlay('{name}', true)")
        assert drawn() != bare, name
        page.evaluate(f"showmotion.overlay('{name}', false)")
    assert drawn() == bare


@pytest.mark.browser
def test_browser_shows_the_animation_within_a_notebook(browser: Any, tmp_path: Path) -> None:
    """What `_repr_html_` gives, put into another page, moves there."""
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


@pytest.mark.browser
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


class TestCommand:
    """Laws of ``spatial-v2 show``."""

    def test_writes_what_the_name_says(self, tmp_path: Path) -> None:
        t, q = np.array([0.0, 0.5, 1.0]), np.linspace(0, 1, 12).reshape(3, 4)
        np.savez(tmp_path / "motion.npz", t=t, q=q)
        page = tmp_path / "a.html"
        run("show", TREE, "--motion", tmp_path / "motion.npz", "--overlay", "com", "--out", page)
        scene = embedded(page.read_text(encoding="utf-8"))
        assert scene["t"] == t.tolist()
        assert scene["overlays"] == ["com"]
        model = load_model(TREE)
        assert_poses(model, q, *world_poses(scene))
        savemat(tmp_path / "motion.mat", {"t": t[:, None], "q": q})
        picture = tmp_path / "a.png"
        run("show", TREE, "--motion", tmp_path / "motion.mat", "--out", picture)
        assert picture.read_bytes().startswith(b"\x89PNG")
        run("show", "planar:1", "--swing", "--out", tmp_path / "a.gif")
        assert (tmp_path / "a.gif").read_bytes().startswith(b"GIF89a")

    def test_opens_a_browser_where_no_file_is_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        opened: list[str] = []
        monkeypatch.setattr("webbrowser.open", opened.append)
        last = run("show", "planar:2").splitlines()[-1]
        assert opened == [Path(last).as_uri()]
        assert "showmotion" in Path(last).read_text(encoding="utf-8")
        Path(last).unlink()

    def test_refuses_in_one_line(self, tmp_path: Path) -> None:
        np.savez(tmp_path / "a.npz", t=[0, 1], q=np.zeros((2, 3)))
        np.savez(tmp_path / "b.npz", t=[1, 0], q=np.zeros((2, 4)))
        for words, text in (
            (["--motion", tmp_path / "a.npz"], r"(instants, 4)"),
            (["--motion", tmp_path / "b.npz"], "must not decrease"),
            (["--motion", tmp_path / "none.npz"], "cannot be read"),
            (["--motion", tmp_path / "a.npz", "--swing"], "without --swing"),
            (["--overlay", "feet"], "'feet'"),
            (["--out", tmp_path / "a.gif"], "--swing"),
            (["--out", tmp_path / "a.mp4"], ".html"),
        ):
            assert text in refused("show", TREE, *words)
        assert not list(tmp_path.glob("*.gif"))
