"""Animations agree with forward kinematics, are one file, and interpolate along the configuration
space.
"""

import re
from typing import Any

import numpy as np
import pytest
import zoo
from show_pages import assert_poses, embedded, motion_of, world_poses

import spatial_v2 as sv
from spatial_v2.show.camera import ANGLE, MARGIN, _distance, view_of
from spatial_v2.show.motion import Motion, with_contact_forces


@pytest.mark.parametrize("name", zoo.MODELS)
def test_poses_in_the_page_are_those_of_forward_kinematics(name: str) -> None:
    model = zoo.build(name)
    t, q = motion_of(model)
    animation = sv.showmotion(model, t, q)
    scene = embedded(animation.html)
    assert set(t) <= set(scene["t"])
    assert_poses(model, animation.configuration(scene["t"]), *world_poses(scene))


@pytest.mark.parametrize("name", zoo.MODELS)
def test_motion_runs_along_the_group_at_constant_velocity(name: str) -> None:
    """Between instants q(t) = q0 (+) s (q1 (-) q0) with s linear in time; before and after, the
    robot rests.
    """
    model = zoo.build(name)
    t, q = motion_of(model)
    animation = sv.showmotion(model, t, q)
    s = 0.3
    dq = sv.configurationDifference(model, q[1], q[2])
    middle = animation.configuration((1 - s) * t[1] + s * t[2])
    gone = sv.configurationDifference(model, q[1], middle)
    np.testing.assert_allclose(gone, s * np.asarray(dq), atol=1e-9)
    for time, there in ((t[0] - 1, q[0]), (t[1], q[1]), (t[-1] + 1, q[-1])):
        shown = animation.configuration(time)
        np.testing.assert_allclose(
            sv.forward_kinematics(model, shown).X0,
            sv.forward_kinematics(model, there).X0,
            atol=1e-9,
        )


def test_page_is_one_file_that_fetches_nothing() -> None:
    page = sv.showmotion(sv.gfxExample()).html
    assert not re.search(r"<(?:link|script|img|iframe)[^>]*(?:src|href)=(?![\"']data:)", page)
    assert not re.search(r"\bimport\s*\(|\bfetch\(\s*[\"']|@import|url\(\s*[\"']?http", page)
    addresses = set(re.findall(r"https?://[\w./-]+", page))
    assert addresses <= {"http://www.w3.org/1999/xhtml", "http://www.w3.org/2000/svg"}


def test_text_of_a_model_cannot_break_the_page() -> None:
    name = "</script><script>alert(1)</script>@SCENE@"
    page = sv.show(sv.planar(1).replace(name=name, body_names=[name])).html
    assert page.count("<script") == sv.show(sv.planar(1)).html.count("<script")
    assert embedded(page)["bodies"][0]["name"] == name


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
    with pytest.raises(sv.ModelError, match=words):
        sv.show(sv.planar(1).replace(camera=camera))


def test_wrong_motions_are_named() -> None:
    model = sv.planar(2)
    for arguments, error, words in (
        (([0, 1],), sv.SpatialError, r"want both times and .*show\(model, q\)"),
        ((None, np.zeros((2, 2))), sv.SpatialError, "want both times and"),
        (([1, 0], np.zeros((2, 2))), sv.SpatialError, "must not decrease"),
        (([0.0], np.zeros((1, 2))), sv.SpatialError, "two or more"),
        (([0, 1, 2], np.zeros((2, 3))), sv.ArrayShapeError, "transpose"),
        (([0, 1, 2], np.zeros((4, 2))), sv.ArrayShapeError, r"shape \(3, 2\)"),
        (([0, 1], [[0, 0], [0, np.nan]]), sv.ArrayShapeError, "finite"),
        (([0, 1], lambda t: [t]), sv.ArrayShapeError, "2 entries"),
    ):
        with pytest.raises(error, match=words):
            sv.showmotion(model, *arguments)
    for name in ("about", "save", "robot.mat", None):
        for call in (sv.showmotion, sv.show):
            with pytest.raises(TypeError, match=f"{call.__name__}: model: want a spatial_v2.Mod"):
                call(name)
    with pytest.raises(
        TypeError, match="MATLAB's commands have functions of their own here: print"
    ):
        sv.showmotion("save", "file")
    with pytest.raises(sv.ArrayShapeError, match="f_ext"):
        sv.showmotion(model, [0, 1], np.zeros((2, 2)), f_ext=np.zeros((3, 2, 3)))
    with pytest.raises(sv.ArrayShapeError, match="one configuration"):
        sv.show(model, np.zeros((3, 2)))
    with pytest.raises(sv.SpatialError, match="'feet'"):
        sv.show(model, overlays=["feet"])


def test_model_alone_moves_each_freedom_in_turn() -> None:
    model = zoo.build("mixed")
    animation = sv.showmotion(model)
    for j in range(model.NV):
        gone = sv.configurationDifference(
            model, sv.neutral(model), animation.configuration(j + 0.5)
        )
        np.testing.assert_allclose(gone, np.eye(model.NV)[j], atol=1e-9)


def test_a_function_of_time_is_a_motion() -> None:
    animation = sv.showmotion(sv.planar(2), [1, 3], lambda t: [np.sin(t), t])
    np.testing.assert_allclose(animation.configuration(2.0), [np.sin(2), 2], atol=1e-4)


def test_camera_follows_its_body_across_what_is_up() -> None:
    """A body that the camera follows does not move in the picture."""
    t, q = [0, 1], [[0, 0, 0, 0, 0, 0], [5, 0, 0, 0, 0, 0]]
    plain = {"body": [["colour", [0.8, 0.1, 0.1], "sphere", [0, 0, 0], 1.0]]}
    ball = sv.floatbase(
        sv.autoTree(1).replace(appearance=plain, camera={"body": 0}, gravity=[0, 0, 0])
    )
    pictures = [sv.showmotion(ball, t, q).image(x, (120, 90)).astype(int) for x in (0, 1)]
    red = [(p[..., 0] - p[..., 1] > 60) for p in pictures]
    assert red[0].sum() > 100
    np.testing.assert_array_equal(*red)


@pytest.mark.parametrize("span", [0.01, 0.5, 1.0])
def test_functions_of_time_are_evaluated_sixty_times_per_second(span: float) -> None:
    asked: list[float] = []

    def q(t: float) -> list[float]:
        asked.append(t)
        return [t]

    sv.showmotion(sv.planar(1), [2, 2 + span], q)
    times = sorted(set(asked))
    assert len(times) == max(1, round(60 * span)) + 1
    np.testing.assert_allclose(np.diff(times), span / (len(times) - 1))


@pytest.mark.parametrize("locus", [[0, 0], [0.5, -0.25], [-0.4, 0.6]])
def test_the_point_that_is_followed_is_where_the_camera_is_asked_to_have_it(
    locus: list[float],
) -> None:
    """The point that the camera follows is at the given place in the picture, whose sides are at -1
    and 1.

    Everything else is inside the picture, too.
    """
    point, q = np.array([0.6, 0.1, 0.0]), np.array([0.3, 0.4])
    model = sv.autoTree(2).replace(camera={"body": 1, "trackpoint": point, "locus": locus})
    R, p = sv.forward_kinematics(model, q).R, sv.forward_kinematics(model, q).p
    points = np.array([[0, 0, 0], [2, 1, 0.5], [-1, 1, 0]])
    view = view_of(model, points, R, p)
    back = (view.eye - view.target) / np.linalg.norm(view.eye - view.target)
    right = np.cross(view.up, back) / np.linalg.norm(np.cross(view.up, back))
    side = np.stack([right, np.cross(back, right)])
    slope = np.tan(np.radians(ANGLE / 2))

    def seen(x: np.ndarray) -> np.ndarray:
        return (x - view.eye) @ side.T / ((view.eye - x) @ back)[..., None] / slope

    np.testing.assert_allclose(seen(p[1] + R[1] @ point), locus, atol=1e-12)
    assert (np.abs(seen(points)) < 1).all()
    if locus == [0, 0]:
        assert np.abs(seen(points)).max() == pytest.approx(1 / MARGIN)


def test_robots_are_seen_from_somewhat_above() -> None:
    """The camera looks down by 30 to 45 degrees if gravity acts along z, with and
    without drawings.
    """
    for model in (sv.autoTree(2), sv.autoTree(2).replace(appearance={"body": [[], []]})):
        view = view_of(model, np.eye(3), np.eye(3)[None].repeat(2, 0), np.zeros((2, 3)))
        across, above = np.hypot(*(view.eye - view.target)[:2]), (view.eye - view.target)[2]
        assert 30 < np.degrees(np.arctan2(above, across)) < 45


def test_contact_forces_of_planar_models_are_in_their_plane() -> None:
    model, t = sv.planar(1).replace(gc={"point": np.zeros((1, 2)), "body": [0]}), np.arange(2.0)
    motion = Motion(t, np.zeros((2, 1)))
    found = with_contact_forces(model, motion, [[[1.0, 2.0]], [[3.0, 4.0]]]).f_contact
    np.testing.assert_array_equal(found, [[[1, 2, 0]], [[3, 4, 0]]])
    with pytest.raises(sv.ArrayShapeError, match=r"must have shape \(2, 1, 2\)"):
        with_contact_forces(model, motion, np.zeros((2, 1, 3)))


@pytest.mark.parametrize(("n", "said"), [(2, ", 3 .. 4 s"), (3, ", 3 .. 5 s")])
def test_an_animation_says_how_long_it_takes(n: int, said: str) -> None:
    motion = sv.showmotion(sv.autoTree(2), 3.0 + np.arange(n), np.zeros((n, 2)))
    assert repr(motion).endswith(f"2 bodies{said}")


@pytest.mark.parametrize("shift", [-0.75, -0.3, 0.0, 0.6, 0.75])
def test_all_points_are_inside_a_shifted_picture(shift: float) -> None:
    """The camera is as near as it can be, up to a shift by three quarters of half the picture."""
    rng, slope = np.random.default_rng(4), np.tan(np.radians(ANGLE / 2))
    across, towards = rng.normal(size=(30, 2)), rng.normal(size=30)
    d = _distance(across, towards, slope, np.array([shift, -shift / 2]))
    places = MARGIN * np.abs(across) / slope + np.sign(across) * np.array([shift, -shift / 2]) * d
    assert (places / (d - towards[:, None])).max() == pytest.approx(1.0)
