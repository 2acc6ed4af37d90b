"""Light, solids, velocities and texts in pictures."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import zoo

import spatial_v2 as sv
from spatial_v2.show import raster
from spatial_v2.show.bones import _largest, bones
from spatial_v2.show.camera import View
from spatial_v2.show.instructions import drawings_of
from spatial_v2.show.labels import overlap
from spatial_v2.show.meshes import facets_of
from spatial_v2.show.pictures import _ground
from spatial_v2.show.raster import Canvas
from spatial_v2.show.rates import world_velocities
from spatial_v2.show.screws import draw_axes
from spatial_v2.show.shapes import Triangles

URDF = """<robot name="r"><link name="a"><visual><origin rpy="{rpy}" xyz="1 2 3"/>
<geometry><box size="2 3 5"/></geometry></visual></link></robot>"""


def test_light_comes_from_everywhere_from_the_sun_and_from_the_eye() -> None:
    """A colour is multiplied by half ambient light, 0.45 times the cosine to the sun, and 0.2 times
    that to the eye.
    """
    eye = np.array([0.0, 0, 10])
    view, shaded = View(eye, np.zeros(3), np.array([0.0, 1, 0]), -1, np.zeros(3)), 0
    for turn in np.linspace(0, 2 * np.pi, 20):
        n = np.array([0.8 * np.cos(turn), 0.8 * np.sin(turn), 0.6])
        u = np.cross(n, [0.3, 0.5, 0.7])
        corners = np.array([0 * n, u, np.cross(n, u)])[None]
        canvas = Canvas(view, (40, 40), np.zeros(3))
        canvas.triangles(corners, np.full((1, 3), 0.5))
        light = 0.5 + 0.45 * max(n @ canvas.sun, 0) + 0.2 * n[2]
        assert canvas.colour.max() / 255 == pytest.approx(0.5 * light, abs=1 / 255)
        shaded += bool(n @ canvas.sun < 0)
    assert 0 < shaded < 20


def volume(shape: Triangles) -> float:
    """Compute the volume by the divergence theorem; it is right if the mesh is closed and faces
    outwards.
    """
    a, b, c = np.moveaxis(facets_of(shape)[0], 1, 0)
    area = np.cross(b - a, c - a).sum(axis=0)
    np.testing.assert_allclose(area, 0, atol=1e-12)
    return float((a * np.cross(b, c)).sum() / 6)


@pytest.mark.parametrize("rpy", ["0 0 0", "0.1 0.2 0.3"])
def test_a_box_that_is_turned_is_closed(rpy: str, tmp_path: Path) -> None:
    (tmp_path / "r.urdf").write_text(URDF.format(rpy=rpy))
    model = sv.load_urdf(tmp_path / "r.urdf", floating_base=True)
    shapes = [x for drawing in drawings_of(model.appearance, model.NB) for x in drawing]
    assert len(shapes) == 1
    if isinstance(shapes[0], Triangles):
        assert volume(shapes[0]) == pytest.approx(30)


def test_bones_are_closed() -> None:
    model = sv.autoTree(3, 2)
    shapes = [x for drawing in drawings_of(bones(model), 3) for x in drawing]
    solid = [x for x in shapes if isinstance(x, Triangles)]
    assert all(volume(x) > 0 for x in solid)


@pytest.mark.parametrize("name", ["planar_tree", "mixed"])
def test_velocities_of_origins_are_derivatives_of_places(name: str) -> None:
    """Angular velocities and velocities of origins agree with differences of the poses."""
    model = zoo.build(name)
    rng = np.random.default_rng(2)
    q, qd = sv.neutral(model), rng.normal(size=model.NV)
    w, v, p = world_velocities(model, q, qd)
    assert w.shape == v.shape == p.shape == (model.NB, 3)
    h = 1e-6
    ends = [
        sv.forward_kinematics(model, sv.configurationAddition(model, q, s * h * qd))
        for s in (1, -1)
    ]
    k = ends[0].p.shape[-1]
    np.testing.assert_allclose(v[:, :k], (ends[0].p - ends[1].p) / (2 * h), atol=1e-6)
    turned = (ends[0].R - ends[1].R) / (2 * h) @ np.swapaxes(ends[0].R, -1, -2)
    np.testing.assert_allclose(w[:, 2], turned[:, 1, 0], atol=1e-5)
    if k == 2:
        assert not w[:, :2].any() and not v[:, 2].any() and not p[:, 2].any()


def test_boxes_overlap_where_they_share_a_point() -> None:
    rng = np.random.default_rng(3)
    grid = np.stack(np.meshgrid(*[np.arange(8) + 0.5] * 2), axis=-1).reshape(-1, 2)
    found = set()
    for _ in range(200):
        low = rng.integers(0, 6, size=(2, 2))
        a, b = (np.concatenate([x, x + rng.integers(1, 3, size=2)]) for x in low)
        inside = [((grid > x[:2]) & (grid < x[2:])).all(axis=1) for x in (a, b)]
        assert overlap(tuple(a), tuple(b)) == (inside[0] & inside[1]).any()
        found.add(overlap(tuple(a), tuple(b)))
    assert found == {True, False}


def test_bones_of_a_robot_without_mass_have_the_unit_of_length() -> None:
    """A robot without any mass has bones of unit length."""
    assert _largest([]) == 1.0


@pytest.mark.parametrize("times", [[[0.0, 1.0]], [[0.0, 1.0], [2.0, 3.0]], [0.0], 1.0])
def test_times_are_a_list_of_two_or_more(times: object) -> None:
    model = sv.autoTree(2)
    with pytest.raises(sv.SpatialError, match="two or more times"):
        sv.showmotion(model, times, np.zeros((2, 2)))


@pytest.mark.parametrize("size", [0.5, 3.0])
def test_arrows_along_joint_axes_have_a_share_of_the_size_of_the_robot(size: float) -> None:
    """Arrows along joint axes have a length in proportion to the robot's size, with the joint in
    their middle.

    They point in the direction of positive rotation or displacement.
    """
    model = zoo.build("negative")
    arrows: list[tuple[np.ndarray, np.ndarray]] = []
    canvas: Any = SimpleNamespace(
        arrows=lambda start, along, *_: arrows.append((start[0], along[0])),
        lines=lambda *_: None,
    )
    scene: Any = SimpleNamespace(model=model, size=size)
    R, p = np.broadcast_to(np.eye(3), (model.NB, 3, 3)), np.zeros((model.NB, 3))
    draw_axes(canvas, scene, R, p)
    straight = [x for x in model.layout.joints if x.has_axis]
    for (start, along), joint in zip(arrows, straight, strict=True):
        np.testing.assert_allclose(start, -along / 2)
        np.testing.assert_allclose(along, 0.22 * size * joint.sign * np.eye(3)[joint.axis])


@pytest.mark.parametrize(("height", "count"), [(0.0, 2), (-0.5, 2), (0.1, 1), (2.0, 0)])
def test_what_stands_on_the_ground_has_a_shadow(
    height: float, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Triangles above the ground, or with corners on it, have shadows; these are flat. The kernel
    draws them in the same pixels as the reference implementation.
    """
    scene = sv.showmotion(sv.autoTree(1)).scene
    assert scene.grid is not None
    grid = replace(scene.grid, height=height)
    fast, plain = (Canvas(scene.view, (80, 60), np.zeros(3)) for _ in range(2))
    solid = np.array([[[0.0, 0, 0], [1, 0, 0], [0, 1, 1]], [[0, 0, 0.5], [1, 0, 0.5], [0, 1, 1]]])
    _ground(fast, grid, solid)
    monkeypatch.setattr(raster, "has_compiler", lambda: False)
    _ground(plain, grid, solid)
    assert (fast.near != plain.near).mean() < 5e-3
    shadows: list[np.ndarray] = []
    monkeypatch.setattr(Canvas, "triangles_reference", lambda _, x, *__, **___: shadows.append(x))
    plain.shadows(solid, height, np.full(3, 0.5))
    assert shadows[0].shape == (count, 3, 3)
    np.testing.assert_allclose(shadows[0][..., 2], height, atol=1e-15)
