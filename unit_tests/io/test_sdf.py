"""Reading SDF: poses, frames, axes and nested models mean what the specification says."""

from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from urdf_text import BALL, joint, link

from spatial_v2 import Model, forward_kinematics, mcI, random_configuration
from spatial_v2.exceptions import InertiaWarning, ModelFileError
from spatial_v2.io import Mimic, load_model, load_sdf, load_urdf

MASS = """<inertial><pose>0.1 0.2 0.3 0.4 0.5 0.6</pose><mass>2</mass><inertia><ixx>3</ixx>
<ixy>0.1</ixy><ixz>0.2</ixz><iyy>4</iyy><iyz>0.3</iyz><izz>5</izz></inertia></inertial>"""

NESTED = f"""<model name="m"><pose>1 2 3 0.1 0.2 0.3</pose>
<link name="base"><pose>0.1 0 0 0 0 0.3</pose></link>
<link name="arm"><pose relative_to="j">0.1 0.2 0.3 0.4 0.5 0.6</pose>{MASS}</link>
<frame name="F" attached_to="arm"><pose>0 0 1 0 0 0.1</pose></frame>
<joint name="j" type="revolute"><pose relative_to="base">0 0 .5 0.1 0 0</pose>
  <parent>base</parent><child>arm</child>
  <axis><xyz expressed_in="__model__">0 0.1 1</xyz>
    <limit><lower>-1</lower><upper>2</upper><effort>-1</effort></limit></axis></joint>
<model name="n"><pose relative_to="F">0 0 0.2 0 0 0</pose>
  <link name="a"/><link name="b"><pose degrees="true">1 0 0 0 0 90</pose></link>
  <joint name="ball" type="ball"><parent>a</parent><child>b</child></joint></model>
<joint name="fix" type="fixed"><parent>F</parent><child>n::a</child></joint>
<link name="u"><pose relative_to="n::b" rotation_format="quat_xyzw">0 0 1  0 0 1 0</pose></link>
<joint name="cross" type="universal"><parent>n::b</parent><child>u</child>
  <axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2></joint>
<link name="s"/><joint name="screw" type="screw"><parent>u</parent><child>s</child>
  <axis><xyz>1 0 0</xyz></axis><screw_thread_pitch>0.1</screw_thread_pitch></joint>
JOINTS</model>"""
WORLD = '<joint name="w" type="fixed"><parent>world</parent><child>base</child></joint>'


def read(folder: Path, model: str, floating_base: bool = False, version: str = "1.10") -> Model:
    file = folder / "robot.sdf"
    file.write_text(f'<?xml version="1.0"?><sdf version="{version}">{model}</sdf>')
    return load_sdf(file, floating_base, couplings="free")


def where(model: Model, q: np.ndarray, frame: str) -> np.ndarray:
    """Return the homogeneous matrix of a frame of a model."""
    motion, T = forward_kinematics(model, q, frame=frame), np.eye(4)
    T[:3, :3], T[:3, 3] = motion.R, motion.p
    return T


def pose(x: float, y: float, z: float, *rpy: float) -> np.ndarray:
    """Return the homogeneous matrix of a pose, computed independently of the library."""
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = Rotation.from_euler("xyz", rpy).as_matrix(), (x, y, z)
    return T


def test_poses_are_chains_of_frames(tmp_path: Path) -> None:
    """At q = 0 every frame is at the product of the poses that lead to it."""
    model = read(tmp_path, NESTED.replace("JOINTS", WORLD))
    assert [j if isinstance(j, str) else j["code"] for j in model.jtype] == [
        "Rz", "S", "Rx", "Ry", "H",
    ]  # fmt: skip
    root = pose(1, 2, 3, 0.1, 0.2, 0.3)
    base = root @ pose(0.1, 0, 0, 0, 0, 0.3)
    place = {"base": base, "j": base @ pose(0, 0, 0.5, 0.1, 0, 0)}
    place["arm"] = place["j"] @ pose(0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
    place["F"] = place["arm"] @ pose(0, 0, 1, 0, 0, 0.1)
    place["n::a"] = place["F"] @ pose(0, 0, 0.2, 0, 0, 0)
    place["n::b"] = place["n::a"] @ pose(1, 0, 0, 0, 0, np.pi / 2)
    place["u"] = place["n::b"] @ pose(0, 0, 1, 0, 0, np.pi)
    place["s"] = root
    q = np.zeros(model.NQ)
    q[1] = 1
    for name, T in place.items():
        np.testing.assert_allclose(where(model, q, name), T, atol=1e-14)


def test_axes_are_in_the_frame_they_are_expressed_in(tmp_path: Path) -> None:
    """The arm rotates by q about the axis through its joint, in the frame where the axis is
    expressed.
    """
    model = read(tmp_path, NESTED.replace("JOINTS", WORLD))
    root = pose(1, 2, 3, 0.1, 0.2, 0.3)
    at = root @ pose(0.1, 0, 0, 0, 0, 0.3) @ pose(0, 0, 0.5, 0.1, 0, 0)
    axis = root[:3, :3] @ [0, 0.1, 1] / np.sqrt(1.01)
    turn = np.eye(4)
    turn[:3, :3] = Rotation.from_rotvec(0.7 * axis).as_matrix()
    turn[:3, 3] = at[:3, 3] - turn[:3, :3] @ at[:3, 3]
    q = np.zeros(model.NQ)
    q[1] = 1
    still = where(model, q, "arm")
    q[0] = 0.7
    np.testing.assert_allclose(where(model, q, "arm"), turn @ still, atol=1e-14)


def test_screw_advances_by_its_pitch(tmp_path: Path) -> None:
    for given in ("<screw_thread_pitch>0.1</screw_thread_pitch>",
                  f"<thread_pitch>{-20 * np.pi}</thread_pitch>"):  # fmt: skip
        text = NESTED.replace("<screw_thread_pitch>0.1</screw_thread_pitch>", given)
        model = read(tmp_path, text.replace("JOINTS", WORLD))
        q = np.zeros(model.NQ)
        q[1] = 1
        still = where(model, q, "s")
        q[-1] = 2 * np.pi
        moved = where(model, q, "s")
        np.testing.assert_allclose(moved[:3, 3] - still[:3, 3], 0.1 * still[:3, 0], atol=1e-14)


ARM = """<joint name="j" type="{}"><parent>world</parent><child>a</child>{}</joint>"""
FOLLOWED = """<model name="m"><link name="a"/><link name="b"/>{}<joint name="k" type="revolute">
  <parent>a</parent><child>b</child><axis>{}</axis></joint></model>"""


def test_limits_gravity_and_floating_base_are_read(tmp_path: Path) -> None:
    world = f"<world name='w'><gravity>0 1 -3</gravity>{NESTED.replace('JOINTS', '')}</world>"
    model = read(tmp_path, world, floating_base=True)
    assert (model.jtype[0], model.joint_names[0]) == ("Fb", "root_joint")
    assert model.gravity.tolist() == [0, 1, -3]
    assert model.limits["j"] == (-1, 2, np.inf, np.inf)
    still = read(tmp_path, world)
    assert still.NB == model.NB - 1
    np.testing.assert_allclose(still.I, model.I[1:], atol=1e-15)


def test_a_mimic_joint_follows_the_axis_that_it_names(tmp_path: Path) -> None:
    """A joint with two axes becomes two joints, of which the first has the first axis."""
    two = ARM.format("universal", "<axis/><axis2><xyz>0 1 0</xyz></axis2>")
    for kind in ("", ' axis="axis"', ' axis="axis2"'):
        model = read(tmp_path, FOLLOWED.format(two, f'<mimic joint="j"{kind}/>'))
        expected = Mimic("j" if "2" in kind else "j_1", 1.0, 0.0)
        assert model.mimic == {"k": expected}, kind
        names = model.joint_names
        assert model.jtype[names.index(expected.joint)] == ("Ry" if "2" in kind else "Rz")
    own = '<axis/><axis2><xyz>0 1 0</xyz><mimic joint="j"/></axis2>'
    model = read(
        tmp_path, f'<model name="m"><link name="a"/>{ARM.format("universal", own)}</model>'
    )
    assert model.mimic == {"j": Mimic("j_1", 1.0, 0.0)}, "a joint may follow its own other axis"


def test_impossible_inertias_are_named_as_in_urdf(tmp_path: Path) -> None:
    I = "<ixx>1</ixx><iyy>1</iyy><izz>3</izz>"
    heavy = f'<link name="a"><inertial><inertia>{I}</inertia></inertial></link>'
    text = f'<model name="m">{heavy}{ARM.format("revolute", "<axis/>")}</model>'
    with pytest.warns(InertiaWarning, match=r"robot.sdf: the <inertia> of these links .*: a$"):
        read(tmp_path, text)
    read(tmp_path, text.replace("<izz>3", "<izz>2"))


def test_default_inertia_is_that_of_the_specification(tmp_path: Path) -> None:
    text = '<joint name="j" type="ball"><parent>world</parent><child>a</child></joint>'
    model = read(tmp_path, f'<model name="m"><link name="a"/>{text}</model>')
    np.testing.assert_array_equal(model.I[0], mcI(1, [0, 0, 0], np.eye(3)))


def test_a_chain_is_the_same_as_in_urdf(tmp_path: Path) -> None:
    """A robot in SDF and the same robot in URDF give equal models."""
    at = '<origin xyz="1 2 3" rpy="0.3 0.2 0.1"/>'
    at += '<limit lower="-1" upper="2" velocity="3" effort="4"/>'
    (tmp_path / "r.urdf").write_text(
        f'<robot name="r">{link("a")}{link("b", BALL)}{link("c", BALL)}'
        f"{joint('i', 'revolute', 'a', 'b', '1 2 3', at)}"
        f"{joint('j', 'prismatic', 'b', 'c', '0 -1 0', at)}</robot>"
    )
    limits = (
        "<limit><lower>-1</lower><upper>2</upper><velocity>3</velocity><effort>4</effort></limit>"
    )
    sdf = read(
        tmp_path,
        f'<model name="r"><link name="a"/><link name="b"><pose relative_to="a">1 2 3 0.3 0.2 0.1'
        f'</pose>{MASS}</link><link name="c"><pose relative_to="b">1 2 3 0.3 0.2 0.1</pose>{MASS}'
        f'</link><joint name="i" type="revolute"><parent>a</parent><child>b</child><axis><xyz>1 2 3'
        f'</xyz>{limits}</axis></joint><joint name="j" type="prismatic"><parent>b</parent><child>c'
        f"</child><axis><xyz>0 -1 0</xyz>{limits}</axis></joint></model>",
    )
    urdf = load_urdf(tmp_path / "r.urdf")
    assert (sdf.jtype, sdf.limits) == (urdf.jtype, urdf.limits)
    np.testing.assert_allclose(sdf.Xtree, urdf.Xtree, atol=1e-14)
    np.testing.assert_allclose(sdf.I, urdf.I, atol=1e-14)
    q = random_configuration(sdf, np.random.default_rng(0))
    for name in "abc":
        ours, theirs = (where(m, q, name) for m in (sdf, urdf))
        np.testing.assert_allclose(ours, theirs, atol=1e-14)
    assert load_model(tmp_path / "robot.sdf").joint_names == ("i", "j")


LINKS = '<link name="a"/><link name="b"/>'
J = '<joint name="j" type="revolute"><parent>a</parent><child>b</child><axis>AXIS</axis></joint>'


@pytest.mark.parametrize(
    ("inside", "message"),
    [
        ("", "the model has no links"),
        (LINKS, "want one root of all links, got a, b"),
        ('<link name="a"/>', "no joint moves"),
        (LINKS + J.replace('name="j"', 'name="a"'), "used as a name twice"),
        (LINKS + J.replace("revolute", "gearbox"), "type='gearbox' is none of"),
        (LINKS + J.replace(">b<", ">c<"), "'c' is an unknown frame"),
        (LINKS + J.replace(">b<", ">world<"), "the world cannot be a child"),
        (LINKS + J.replace("AXIS", "<xyz>0 0 0</xyz>"), "zero vector is not an axis"),
        (LINKS + J.replace("AXIS", "<xyz>0 0</xyz>"), "'0 0' has 2 numbers, want 3"),
        (LINKS + J.replace("AXIS", "<xyz>0 0 x</xyz>"), "is not a number"),
        (LINKS + J.replace("AXIS", '<xyz expressed_in="z">0 0 1</xyz>'), "'z' is an unknown frame"),
        (LINKS + J + J.replace('"j"', '"k"').replace("revolute", "screw"),
         "two parents, and a joint of type 'screw' cannot close a loop"),
        (LINKS + J + J.replace('"j"', '"k"').replace(">a<", ">c<").replace(">b<", ">a<")
         .replace(">c<", ">b<"), "want one root of all links, got none"),
        ('<frame name="f"><pose relative_to="g"/></frame><frame name="g"><pose relative_to="f"/>'
         "</frame>" + LINKS + J, "refer to one another in a circle"),
        ("<static>true</static>" + LINKS + J, "static model"),
        ("<include><uri>model://x</uri></include>" + LINKS + J, "other files are not read"),
        ('<link name="a"><inertial auto="true"/></link><link name="b"/>' + J,
         "attribute auto: give"),
        ('<link name="a"><inertial auto="True"/></link><link name="b"/>' + J,
         "attribute auto: give"),
        ('<link name="a"><inertial auto="yes"/></link><link name="b"/>' + J,
         "attribute auto='yes' is not one of true, false, 1, 0"),
        ('<link name="a"/><link name="b"><gravity>no</gravity></link>' + J,
         "<gravity>: the content='no' is not one of true, false, 1, 0"),
        ('<link name="a"/><link name="b"><gravity>false</gravity></link><link name="c"/>' + J
         + J.replace('"j"', '"k"').replace(">b<", ">c<"), "gravity acts on some links and not on"),
        ('<link name="a"><pose frame="b">0 0 0 0 0 0</pose></link><link name="b"/>' + J,
         "attribute 'frame' does not exist since SDFormat 1.7"),
        ('<link name="a"><inertial><pose frame="b"/></inertial></link><link name="b"/>' + J,
         "an inertia is relative to its link"),
        ('<link name="a"><inertial><mass>-1</mass></inertial></link><link name="b"/>' + J,
         "negative mass"),
        (LINKS + J.replace("AXIS", '<mimic joint="k"/>'), "follows 'k', which is not a joint"),
        (LINKS + J.replace("AXIS", '<mimic joint="j"/>'), "the mimic joints j, j form a cycle"),
        (LINKS + J.replace("AXIS", '<mimic joint="j" axis="axis3"/>'),
         "'axis3': want axis or axis2"),
        (LINKS + J.replace("AXIS", '<mimic joint="j" axis="axis2"/>'),
         "axis2 of 'j', which has one"),
        (LINKS + J.replace("AXIS", "<limit><lower>2</lower><upper>1</upper></limit>"),
         "<limit>: lower=2 is greater than upper=1"),
        (LINKS + J.replace("revolute", "screw").replace("</joint>", "<thread_pitch>0</thread_pitch>"
         "</joint>"), "not a screw"),
        ('<model name="n">' * 300 + LINKS + "</model>" * 300, "in more than 200 elements"),
    ],
)  # fmt: skip
def test_mistakes_are_named_with_their_line(inside: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match=message):
        read(tmp_path, f'<model name="m">{inside}</model>'.replace("AXIS", ""))


def test_the_name_of_a_model_is_its_frame(tmp_path: Path) -> None:
    """The name of a nested model is that of a frame, to which others may be attached."""
    inner = '<model name="n" canonical_link="b"><pose>0 0 1 0 0 0</pose><link name="a"/>'
    inner += '<link name="b"><pose>0 1 0 0 0 0</pose></link>' + J.replace("AXIS", "") + "</model>"
    model = read(
        tmp_path,
        f'<model name="m">{inner}<frame name="f" attached_to="n"/><link name="c"><pose '
        'relative_to="n">1 0 0 0 0 0</pose></link><joint name="k" type="fixed"><parent>f</parent>'
        "<child>c</child></joint></model>",
    )
    T = where(model, np.array([0.0]), "c")
    np.testing.assert_allclose(T, pose(1, 0, 1, 0, 0, 0), atol=1e-14)
    T = where(model, np.array([0.5]), "c")
    np.testing.assert_allclose(
        T, pose(0, 0, 1, 0, 0, 0) @ _turned_about(pose(0, 1, 0, 0, 0, 0)), atol=1e-14
    )


def _turned_about(at: np.ndarray) -> np.ndarray:
    """Return the position of the point (1, 0, 0) after `at` rotates by half a radian about z."""
    return at @ pose(0, 0, 0, 0, 0, 0.5) @ np.linalg.inv(at) @ pose(1, 0, 0, 0, 0, 0)


@pytest.mark.slow
def test_long_chains_of_frames_are_resolved(tmp_path: Path) -> None:
    """Frames may refer to one another in a chain longer than Python's limit of recursion."""
    step = '<frame name="f{}" attached_to="f{}"><pose>0.5 0 0 0 0 0</pose></frame>'
    frames = "".join(step.format(i + 1, i) for i in range(1200))
    model = read(
        tmp_path,
        f'<model name="m">{LINKS}<frame name="f0" attached_to="b"/>{frames}'
        + J.replace("AXIS", "") + "</model>",
    )  # fmt: skip
    np.testing.assert_allclose(where(model, np.zeros(1), "f1200")[:3, 3], [600, 0, 0])


def test_mistakes_of_frames_and_joints_are_named(tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match="0 elements <model>, want one"):
        read(tmp_path, "<world name='w'/>")
    with pytest.raises(ModelFileError, match="a joint connects this model with the world"):
        read(tmp_path, NESTED.replace("JOINTS", WORLD), floating_base=True)
    for version in ("1.2", "soon"):
        with pytest.raises(ModelFileError, match=f"version='{version}': want 1.3 or later"):
            read(tmp_path, NESTED, version=version)
    (tmp_path / "x.sdf").write_text("<robot/>")
    with pytest.raises(ModelFileError, match="want <sdf>"):
        load_sdf(tmp_path / "x.sdf")
