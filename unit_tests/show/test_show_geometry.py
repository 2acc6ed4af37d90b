"""Geometry of pictures: level horizons, curves about joint axes, closed boxes of bodies."""

import numpy as np
import pytest
from helpers import for_each

from spatial_v2 import Model, autoTree, mcI, planar
from spatial_v2.joints import joint_type
from spatial_v2.show.bones import bones
from spatial_v2.show.camera import view_of
from spatial_v2.show.screws import _curves
from spatial_v2.show.shapes import Cylinder, extent


@pytest.mark.parametrize("upright", [False, True])
def test_the_horizon_is_level(upright: bool) -> None:
    """The upward direction of the base, z or y for planar models, is upwards in the picture from
    any view.
    """
    rng = np.random.default_rng(0)
    model = planar(2).replace(gravity=[0, -9.81]) if upright else autoTree(2)
    vertical = np.eye(3)[1 if upright else 2]
    for direction in rng.normal(size=(5, 3)):
        seen = model.replace(camera={"direction": direction})
        R = np.broadcast_to(np.eye(3), (2, 3, 3))
        view = view_of(seen, rng.normal(size=(9, 3)), R, np.zeros((2, 3)))
        np.testing.assert_array_equal(view.up, vertical)
        assert np.linalg.norm(np.cross(direction, view.eye - view.target)) < 1e-12


@for_each(np.linspace(-175, 175, 15).tolist())
def test_a_planar_robot_stands_upright_where_gravity_pulls_it_down(angle: float) -> None:
    """The y axis is upwards if gravity is within 45 degrees of its negative direction; without
    gravity, or with another one, the plane is seen from above.
    """
    down = np.radians(angle)
    gravity = 9.81 * np.array([np.sin(down), -np.cos(down)])
    for g, upright in ((gravity, abs(angle) < 45), (0 * gravity, False)):
        model = planar(2).replace(gravity=g)
        view = view_of(model, np.eye(3), np.eye(3)[None].repeat(2, 0), np.zeros((2, 3)))
        np.testing.assert_array_equal(view.up, np.eye(3)[1 if upright else 2])


@pytest.mark.parametrize("unit", [0.4, 2.0])
def test_curves_run_at_one_distance_about_the_axis(unit: float) -> None:
    """Arcs and circles are in a plane about the axis; threads rise by the pitch per radian along
    the axis.
    """
    for code in ("R", "Rx", "Ry-", {"code": "H", "pars": {"pitch": 0.02}}, "S", "P"):
        joint = joint_type(code)
        curves = _curves(joint, unit)
        axes = np.eye(3) if code == "S" else joint.sign * np.eye(3)[[joint.axis]]
        assert len(curves) == (0 if code == "P" else len(axes))
        for axis, curve in zip(axes, curves, strict=False):
            along = curve @ axis
            across = curve - along[:, None] * axis
            radius = np.linalg.norm(across, axis=1)
            assert np.ptp(radius) < 1e-12 and 0.02 * unit < radius[0] < 0.1 * unit
            turn = np.cross(across[:-1], across[1:]) @ axis / radius[0] ** 2
            assert (turn > 0).all()
            np.testing.assert_allclose(np.diff(along), joint.pitch * np.arcsin(turn), atol=1e-12)


def test_the_box_of_a_cylinder_is_the_smallest() -> None:
    rng = np.random.default_rng(1)
    angle = np.linspace(0, 2 * np.pi, 2001)[:, None]
    for axis in (*np.eye(3), *rng.normal(size=(3, 3))):
        start, radius = rng.normal(size=3), 0.3
        u = np.cross(axis, [0.3, 0.5, 0.7])
        u /= np.linalg.norm(u)
        v = np.cross(axis, u) / np.linalg.norm(axis)
        ring = radius * (np.cos(angle) * u + np.sin(angle) * v)
        points = np.concatenate([start + ring, start + axis + ring])
        box = extent(Cylinder(start, start + axis, radius, 24, np.zeros((2, 3))))
        for side in (np.min, np.max):
            np.testing.assert_allclose(side(box, axis=0), side(points, axis=0), atol=1e-5)


def test_boxes_of_bodies_are_closed_and_have_their_inertia() -> None:
    """Boxes of bodies are closed, and have the volume and sides that their inertia implies.

    Each edge belongs to two triangles, which pass through it in opposite directions.
    """
    I = mcI(3.0, [0, 0, 0], 3.0 / 12 * np.diag([0.4**2 + 0.5**2, 0.3**2 + 0.5**2, 0.3**2 + 0.4**2]))
    model = Model(parent=[-1], jtype=["Fb"], Xtree=[np.eye(6)], I=[I])
    _, points, word, faces, *_ = bones(model)["body"][0]
    assert word == "triangles" and len(faces) == 12
    edges = [(f[k], f[(k + 1) % 3]) for f in faces for k in range(3)]
    assert len(set(edges)) == 36 and {(b, a) for a, b in edges} == set(edges)
    corners = np.asarray(points)
    sides = np.ptp(corners, axis=0)
    np.testing.assert_allclose(sides / sides.max(), np.array([0.3, 0.4, 0.5]) / 0.5)
    volume = np.linalg.det(corners[np.asarray(faces)]).sum() / 6
    np.testing.assert_allclose(volume, sides.prod())
