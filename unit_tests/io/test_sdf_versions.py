"""SDF files of each version: axes, limits, gravity, and elements that are read on request."""

import re
from pathlib import Path

import numpy as np
import pytest
from test_sdf import LINKS, MASS, NESTED, WORLD, J, pose, read

from spatial_v2 import ID, Model, mcI
from spatial_v2.exceptions import LoaderWarning, ModelFileError
from spatial_v2.io import load_sdf


def test_dynamics_of_axes_are_read_where_asked_for(tmp_path: Path) -> None:
    """On request, damping and friction of each axis are read for the velocity variable that it
    moves.
    """
    given = "<dynamics><damping>{}</damping><friction>{}</friction></dynamics>"
    text = NESTED.replace("JOINTS", WORLD)
    text = text.replace("<xyz>0 1 0</xyz></axis2>", f"<xyz>0 1 0</xyz>{given.format(2, 3)}</axis2>")
    text = text.replace("<xyz>1 0 0</xyz></axis>", f"<xyz>1 0 0</xyz>{given.format(5, 0)}</axis>")
    assert not read(tmp_path, text).has_joint_terms
    model = load_sdf(tmp_path / "robot.sdf", dynamics=True)
    v = {name: model.vinds[i] for i, name in enumerate(model.joint_names)}
    damping, friction = np.zeros(model.NV), np.zeros(model.NV)
    damping[v["cross"]], friction[v["cross"]] = 2, 3
    damping[v["cross_1"]] = damping[v["screw"]] = 5
    assert np.array_equal(model.damping, damping)
    assert np.array_equal(model.friction, friction)
    with pytest.raises(ModelFileError, match="damping: want no negative number, got -2"):
        read(tmp_path, text.replace("<damping>2", "<damping>-2"))


def same(a: Model, b: Model) -> bool:
    return all(
        np.allclose(getattr(a, x), getattr(b, x), atol=1e-14) for x in ("Xtree", "I", "gravity")
    )


def test_axes_depend_on_the_version(tmp_path: Path) -> None:
    """Up to version 1.4 an axis is by default in coordinates of its model, later of
    its joint.
    """
    text = """<model name="m"><link name="a"><pose>0 0 0 0.3 0.2 0.1</pose></link><link name="b">
        <pose>1 0 0 0.4 0.5 0.6</pose></link><joint name="j" type="revolute"><parent>a</parent>
        <child>b</child><pose>0 0 0 0.7 0.8 0.9</pose><axis>{}</axis></joint></model>"""
    own, old = "<xyz>1 2 3</xyz>", "<use_parent_model_frame>{}</use_parent_model_frame>"
    in_model = read(tmp_path, text.format('<xyz expressed_in="__model__">1 2 3</xyz>'))
    in_joint = read(tmp_path, text.format(own))
    assert not same(in_model, in_joint)
    for version in ("1.3", "1.4"):
        assert same(read(tmp_path, text.format(own), version=version), in_model)
    for version in ("1.5", "1.6"):
        assert same(read(tmp_path, text.format(own), version=version), in_joint)
        assert same(
            read(tmp_path, text.format(own + old.format("true")), version=version), in_model
        )
        assert same(read(tmp_path, text.format(own + old.format("0")), version=version), in_joint)
        placed = text.format(own).replace("<pose>1 0", '<pose {}="a">1 0')
        found = read(tmp_path, placed.format("frame"), version=version)
        assert same(found, read(tmp_path, placed.format("relative_to")))
        assert not same(found, in_joint)
    assert same(read(tmp_path, text.format(own).replace("<pose>", '<pose frame="">')), in_joint)


def test_missing_limits_are_infinite(tmp_path: Path) -> None:
    for none in ("1e16", "inf", "1.79769e+308"):
        given = f"<limit><lower>-{none}</lower><upper>{none}</upper><effort>-1</effort></limit>"
        text = LINKS + J.replace("AXIS", given)
        model = read(tmp_path, f'<model name="m">{text}</model>')
        assert model.limits["j"] == (-np.inf, np.inf, np.inf, np.inf)


def test_gravity_depends_on_the_version(tmp_path: Path) -> None:
    """Up to version 1.5, gravity is an element of the physics settings, later of the world."""
    text = "<world name='w'>{}" + NESTED.replace("JOINTS", WORLD) + "</world>"
    old = text.format("<physics type='ode'><gravity>0 1 -3</gravity></physics>")
    assert read(tmp_path, old, version="1.5").gravity.tolist() == [0, 1, -3]
    assert read(tmp_path, old, version="1.6").gravity.tolist() == [0, 0, -9.81]
    new = text.format("<gravity>0 2 -3</gravity>")
    assert read(tmp_path, new, version="1.5").gravity.tolist() == [0, 2, -3]


def test_a_robot_without_weight_has_no_gravity(tmp_path: Path) -> None:
    """If all links that move and have mass are without gravity, so is the model."""
    links = '<link name="a"/><link name="b"><gravity>false</gravity></link>'
    model = read(tmp_path, f'<model name="m">{links}{J.replace("AXIS", "")}</model>')
    assert model.gravity.tolist() == [0, 0, 0]
    silent = links.replace("false", "")
    model = read(tmp_path, f'<model name="m">{silent}{J.replace("AXIS", "")}</model>')
    assert model.gravity.tolist() == [0, 0, -9.81]


@pytest.mark.parametrize("mass", [0, 0.5, 2])
def test_masses_of_any_size_are_read(mass: float, tmp_path: Path) -> None:
    joint = '<joint name="j" type="ball"><parent>world</parent><child>a</child></joint>'
    link = f'<link name="a"><inertial><mass>{mass}</mass></inertial></link>'
    model = read(tmp_path, f'<model name="m">{link}{joint}</model>')
    np.testing.assert_allclose(model.I[0], mcI(mass, np.zeros(3), np.eye(3)), atol=1e-15)


def test_degrees_and_products_of_inertia_are_read(tmp_path: Path) -> None:
    """An inertia in a rotated frame, in radians or degrees, is rotated with its frame."""
    turned = MASS.replace("<pose>0.1 0.2 0.3 0.4 0.5 0.6", '<pose degrees="{}">0.1 0.2 0.3 {}')
    joint = '<joint name="j" type="ball"><parent>world</parent><child>a</child></joint>'
    text = f'<model name="m"><link name="a">{turned}</link>{joint}</model>'
    T = pose(0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
    I_C = T[:3, :3] @ np.array([[3, 0.1, 0.2], [0.1, 4, 0.3], [0.2, 0.3, 5]]) @ T[:3, :3].T
    in_degrees = " ".join(str(x) for x in np.rad2deg([0.4, 0.5, 0.6]))
    for degrees, angles in (("0", "0.4 0.5 0.6"), ("True", in_degrees), ("1", in_degrees)):
        model = read(tmp_path, text.format(degrees, angles))
        np.testing.assert_allclose(model.I[0], mcI(2, T[:3, 3], I_C), atol=1e-13)


def in_b(inside: str) -> str:
    return LINKS.replace('"b"/>', f'"b">{inside}</link>') + J


SPRING = "<dynamics><spring_stiffness>{}</spring_stiffness></dynamics>"
ACTING = {
    "springs of joints": LINKS + J.replace("AXIS", SPRING.format(2)),
    "velocity_decay": in_b("<velocity_decay><linear>1</linear></velocity_decay>"),
    "kinematic links": in_b("<kinematic>true</kinematic>"),
    "fluid_added_mass": in_b(
        "<inertial><fluid_added_mass><xx>1</xx></fluid_added_mass></inertial>"),
}  # fmt: skip
COUPLED = {
    "mimic (data in model.mimic)": LINKS
    + J.replace('"j"', '"k"').replace("<child>b", "<child>c").replace("AXIS", "")
    + J.replace("AXIS", '<mimic joint="k"/>') + '<link name="c"/>',
    "joint 'k', which closes a loop (data in model.loops, for loop_constraints)": LINKS + J
    + J.replace('"j"', '"k"'),
}  # fmt: skip


@pytest.mark.parametrize("name", ACTING)
def test_left_out_parts_that_act_on_the_motion_give_a_warning(name: str, tmp_path: Path) -> None:
    with pytest.warns(LoaderWarning, match=f"parts that act on the motion: {name}"):
        model = read(tmp_path, f'<model name="m">{ACTING[name]}</model>'.replace("AXIS", ""))
    assert re.match(name, model.left_out[0])


@pytest.mark.parametrize("name", COUPLED)
def test_couplings_that_are_not_wanted_are_named(name: str, tmp_path: Path) -> None:
    model = read(tmp_path, f'<model name="m">{COUPLED[name]}</model>'.replace("AXIS", ""))
    assert model.left_out[0] == name


def unread(model: Model) -> tuple[str, ...]:
    """Return the elements that were not read, without the mass of links fixed to the base."""
    return tuple(x for x in model.left_out if not x.startswith("links fixed to the base"))


def test_what_is_switched_off_does_not_act(tmp_path: Path) -> None:
    for value in ("false", "False", "0"):
        text = in_b(f"<kinematic>{value}</kinematic>").replace("AXIS", "")
        assert unread(read(tmp_path, f'<model name="m">{text}</model>')) == ("kinematic",)


PLACES = ("<world name='w'>", '<model name="m">', '<link name="a">', "<inertial>",
          '<joint name="j" type="revolute">', "<axis>", "<limit>", '<frame name="f">')  # fmt: skip


@pytest.mark.parametrize("place", PLACES)
def test_every_element_that_is_not_read_is_named(place: str, tmp_path: Path) -> None:
    """Every child of an element is read, or is named in ``left_out``."""
    text = f"""<world name='w'><model name="m"><link name="a"><inertial><mass>2</mass></inertial>
        </link><link name="b"/><frame name="f"><pose/></frame>{J}</model></world>"""
    text = text.replace("AXIS", "<xyz>0 0 1</xyz><limit><lower>0</lower></limit>")
    assert unread(read(tmp_path, text)) == ()
    found = read(
        tmp_path, text.replace(place, f"{place}<plugin/><sensor><model/></sensor><plugin/>", 1)
    )
    assert unread(found) == ("plugin (2)", "sensor")


def test_dynamics_that_are_not_asked_for_are_named(tmp_path: Path) -> None:
    given = "<dynamics><damping>{}</damping></dynamics>"
    for value, left_out in ((0, ()), (2, ("damping",))):
        text = LINKS + J.replace("AXIS", given.format(value))
        assert unread(read(tmp_path, f'<model name="m">{text}</model>')) == left_out
        assert unread(load_sdf(tmp_path / "robot.sdf", dynamics=True)) == ()


def test_springs_are_read(tmp_path: Path) -> None:
    """With `dynamics=True` springs are fields of the model, and the joint force is theirs."""
    inside = "<spring_stiffness>2</spring_stiffness><spring_reference>-0.5</spring_reference>"
    text = LINKS + J.replace("AXIS", f"<dynamics>{inside}</dynamics>")
    with pytest.warns(LoaderWarning, match="springs of joints"):
        read(tmp_path, f'<model name="m">{text}</model>')
    model = load_sdf(tmp_path / "robot.sdf", dynamics=True)
    assert (model.stiffness.tolist(), model.rest.tolist()) == ([2.0], [-0.5])
    assert unread(model) == ()
    assert ID(model, [0.25], [0.0], [0.0]) - ID(model, [-0.5], [0.0], [0.0]) == pytest.approx(1.5)


def test_generated_names_are_new(tmp_path: Path) -> None:
    """Joints and bodies that replace a universal joint get names that the file does not use."""
    links = '<link name="a"/><link name="b_1"/><link name="b"/>'
    joints = J.replace("revolute", "universal").replace("AXIS</axis>", "</axis><axis2/>")
    joints += J.replace('"j"', '"j_1"').replace(">b<", ">b_1<").replace("AXIS", "")
    model = read(tmp_path, f'<model name="m">{links}{joints}</model>')
    assert model.joint_names == ("j_1_", "j", "j_1")
    assert model.body_names == ("b_1_", "b", "b_1")
    assert model.limits.keys() == {"j_1_", "j", "j_1"}
