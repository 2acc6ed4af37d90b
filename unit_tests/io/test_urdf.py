"""Reading URDF: every supported element, and the resulting tree."""

import re
import sys
import tracemalloc
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from urdf_text import BALL, joint, link, read

import spatial_v2 as sv
from spatial_v2.exceptions import InertiaWarning, LoaderWarning, ModelError, ModelFileError
from spatial_v2.io import load_urdf, to_urdf
from spatial_v2.io.urdf_angles import roll_pitch_yaw


def pose(model: sv.Model, q: np.ndarray, name: str) -> np.ndarray:
    """Return the transform from the base to the coordinates of a link."""
    body, X = model.frames[name]
    while body >= 0:
        X = X @ sv.jcalc(model.jtype[body], q[model.qinds[body]])[0] @ model.Xtree[body]
        body = int(model.parent[body])
    return X


def ball() -> np.ndarray:
    """Compute the inertia of the element BALL in its link frame by the formula."""
    X = sv.rotx(0.4) @ sv.roty(0.5) @ sv.rotz(0.6)
    E = X[:3, :3]
    I_C = E.T @ np.array([[3, 0.1, 0.2], [0.1, 4, 0.3], [0.2, 0.3, 5]]) @ E
    return sv.mcI(2.0, [0.1, 0.2, 0.3], I_C)


def test_link_and_joint_origins_place_the_bodies(tmp_path: Path) -> None:
    origin = '<origin xyz="1 2 3" rpy="0.1 0.2 0.3"/>'
    model = read(
        tmp_path, link("a"), link("b", BALL), joint("j", "revolute", "a", "b", "0 0 1", origin)
    )
    E = (sv.rotx(0.1) @ sv.roty(0.2) @ sv.rotz(0.3))[:3, :3]
    np.testing.assert_allclose(model.Xtree[0], sv.plux(E, [1, 2, 3]), atol=1e-15)
    np.testing.assert_allclose(model.I[0], ball(), atol=1e-14)
    assert (model.joint_names, model.body_names, model.name) == (("j",), ("b",), "r")


def test_link_without_inertial_has_no_mass(tmp_path: Path) -> None:
    model = read(tmp_path, link("a"), link("b"), joint("j", "revolute", "a", "b"))
    assert not model.I.any()


@pytest.mark.parametrize("kind", ["revolute", "continuous", "prismatic"])
@pytest.mark.parametrize(
    ("axis", "code"),
    [("", "x"), ("1 0 0", "x"), ("0 1 0", "y"), ("0 0 1", "z"), ("-1 0 0", "x-"), ("0 -1 0", "y-"),
     ("0 0 -1", "z-"), ("0 0 7", "z"), ("0 -1e-200 0", "y-")],
)  # fmt: skip
def test_coordinate_axis_keeps_the_link_frame(
    tmp_path: Path, kind: str, axis: str, code: str
) -> None:
    model = read(tmp_path, link("a"), link("b"), joint("j", kind, "a", "b", axis))
    assert model.jtype == (("P" if kind == "prismatic" else "R") + code,)
    assert np.array_equal(model.frames["b"].X, np.eye(6))
    assert np.array_equal(model.Xtree[0], np.eye(6))


@pytest.mark.parametrize("axis", ["1 2 3", "-3 1 2", "1 1 1", "0 -0.8 0.6", "0 1e-9 -1"])
def test_an_oblique_axis_turns_the_body_frame(tmp_path: Path, axis: str) -> None:
    a = np.array(axis.split(), float)
    a /= np.linalg.norm(a)
    for kind, S in (("revolute", [*a, 0, 0, 0]), ("prismatic", [0, 0, 0, *a])):
        model = read(
            tmp_path, link("a"), link("b", BALL), joint("j", kind, "a", "b", axis), link("c"),
            joint("k", "revolute", "b", "c", "0 0 1", '<origin xyz="1 2 3"/>'),
        )  # fmt: skip
        X = model.frames["b"].X
        np.testing.assert_allclose(
            X @ sv.jcalc(model.jtype[0], np.zeros(1))[1][:, 0], S, atol=1e-15
        )
        np.testing.assert_allclose(pose(model, np.zeros(2), "b"), np.eye(6), atol=1e-15)
        np.testing.assert_allclose(pose(model, np.zeros(2), "c"), sv.xlt([1, 2, 3]), atol=1e-15)
        np.testing.assert_allclose(X.T @ ball() @ X, model.I[0], atol=1e-14)
        assert np.trace(X[:3, :3]) >= 1 + 2 / np.sqrt(3) - 1e-12, "turned by 54.8 deg at most"


def test_links_of_fixed_joints_are_merged(tmp_path: Path) -> None:
    model = read(
        tmp_path,
        link("a", BALL), link("b", BALL), link("c", BALL), link("d", BALL), link("e"),
        joint("ab", "fixed", "a", "b", "", '<origin xyz="0 0 1"/>'),
        joint("bc", "revolute", "b", "c", "0 0 1", '<origin xyz="1 0 0"/>'),
        joint("cd", "fixed", "c", "d", "0 0 0", '<origin xyz="0 2 0" rpy="0.5 0 0"/>'),
        joint("de", "prismatic", "d", "e", "0 0 1", '<origin xyz="0 0 3"/>'),
    )  # fmt: skip
    assert model.body_names == ("c", "e")
    X_d = sv.rotx(0.5) @ sv.xlt([0, 2, 0])
    np.testing.assert_allclose(model.Xtree[0], sv.xlt([1, 0, 1]), atol=1e-15)
    np.testing.assert_allclose(model.I[0], ball() + X_d.T @ ball() @ X_d, atol=1e-13)
    np.testing.assert_allclose(model.Xtree[1], sv.xlt([0, 0, 3]) @ X_d, atol=1e-15)
    assert [model.frames[name].body for name in "abcde"] == [-1, -1, 0, 0, 1]
    np.testing.assert_allclose(model.frames["d"].X, X_d, atol=1e-15)


def test_a_floating_base_is_one_more_floating_joint(tmp_path: Path) -> None:
    elements = link("a", BALL), link("b", BALL), joint("j", "floating", "a", "b", "0 0 0")
    assert read(tmp_path, *elements).jtype == ("Fb",)
    model = read(tmp_path, *elements, floating_base=True)
    assert model.jtype == ("Fb", "Fb")
    assert model.joint_names == ("root_joint", "j")
    np.testing.assert_allclose(model.I[0], ball(), atol=1e-14)
    np.testing.assert_array_equal(model.Xtree[0], np.eye(6))


@pytest.mark.parametrize(
    ("axis", "codes"),
    [("0 0 1", ["Px", "Py", "Rz"]), ("", ["Py", "Pz", "Rx"]), ("0 -1 0", ["Pz", "Px", "Ry-"]),
     ("1 2 3", ["Px", "Py", "Rz"])],
)  # fmt: skip
def test_planar_joint_moves_in_the_plane_normal_to_its_axis(
    tmp_path: Path, axis: str, codes: list[str]
) -> None:
    model = read(tmp_path, link("a"), link("b", BALL), joint("j", "planar", "a", "b", axis))
    assert list(model.jtype) == codes
    assert model.joint_names == ("j_1", "j_2", "j")
    assert not model.I[:2].any()
    a = np.array((axis or "1 0 0").split(), float)
    X = pose(model, np.array([0.3, -0.7, 0.4]), "b")
    E, r = X[:3, :3], -X[:3, :3].T @ X[3:, :3]
    np.testing.assert_allclose(E @ a, a, atol=1e-14)
    r = np.array([r[2, 1], r[0, 2], r[1, 0]])
    np.testing.assert_allclose([a @ r, r @ r], [0, 0.58], atol=1e-14)


def test_limits_and_mimic_are_kept(tmp_path: Path) -> None:
    model = read(
        tmp_path, link("a"), link("b"), link("c"), link("d"),
        joint("j", "revolute", "a", "b", "",
              '<limit lower="-1" upper="2" velocity="3" effort="4"/>'),
        joint("k", "prismatic", "b", "c", "",
              '<limit effort="inf"/><mimic joint="j" multiplier="-2" offset="0.5"/>'),
        joint("l", "continuous", "b", "d", "", '<limit velocity="3"/>'),
    )  # fmt: skip
    inf = np.inf
    assert model.limits["j"] == (-1, 2, 3, 4)
    assert model.limits["k"] == (0, 0, inf, inf), "the defaults of the URDF specification"
    assert model.limits["l"] == (-inf, inf, 3, inf)
    assert model.mimic == {"k": ("j", -2, 0.5)}
    assert model.NV == 3, "a mimic joint is a joint"


def test_mimic_has_defaults(tmp_path: Path) -> None:
    """By default a mimic joint has the angle of the joint that it follows."""
    model = read(
        tmp_path, link("a"), link("b"), link("c"), joint("j", "revolute", "a", "b"),
        joint("k", "revolute", "b", "c", "", '<mimic joint="j"/>'),
    )  # fmt: skip
    assert model.mimic == {"k": ("j", 1, 0)}


def test_bodies_are_numbered_depth_first_in_alphabetical_order(tmp_path: Path) -> None:
    model = read(
        tmp_path, *map(link, "abcdef"),
        joint("z", "revolute", "a", "b"), joint("B", "revolute", "a", "c"),
        joint("a", "fixed", "a", "d"), joint("y", "revolute", "d", "e"),
        joint("c", "revolute", "c", "f"),
    )  # fmt: skip
    assert model.joint_names == ("B", "c", "y", "z")
    assert model.parent.tolist() == [-1, 0, -1, -1]


def test_a_long_chain_is_read(tmp_path: Path) -> None:
    n = 2000
    model = read(
        tmp_path, *(link(f"l{i}") for i in range(n + 1)),
        *(joint(f"j{i}", "fixed" if i else "revolute", f"l{i}", f"l{i + 1}") for i in range(n)),
    )  # fmt: skip
    assert model.NB == 1


def test_impossible_inertias_are_listed_once_and_kept(tmp_path: Path) -> None:
    bad = BALL.replace('ixx="3"', 'ixx="30"')
    tree = joint("j", "revolute", "a", "b"), joint("k", "fixed", "b", "c")
    with pytest.warns(InertiaWarning, match=r"robot.urdf: .*kept as given: b, c$") as caught:
        model = read(tmp_path, link("a", BALL), link("b", bad), link("c", bad), *tree)
    assert len(caught) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        good = read(tmp_path, link("a"), link("b", BALL), link("c", BALL), *tree)
    assert model.I[0, 0, 0] > good.I[0, 0, 0] + 20


ARM = link("a") + link("b", BALL) + joint("j", "revolute", "a", "b")


@pytest.mark.parametrize(
    "text",
    [
        f'\n \n<?xml version="1.0"?>\n<robot name="r">{ARM}</robot>',
        f'\ufeff\n<?xml version="1.0" encoding="utf-8"?><robot name="r">{ARM}</robot>',
        f'<robot name="r">{ARM}<sensor:camera sensor:name="c"><x:y/></sensor:camera></robot>',
        f'<robot name="r" xmlns="http://www.ros.org">{ARM}</robot>',
    ],
    ids=["blank lines first", "byte order mark", "undeclared prefix", "default namespace"],
)
def test_files_that_are_not_strict_xml_are_read(tmp_path: Path, text: str) -> None:
    file = tmp_path / "r.urdf"
    file.write_text(text, encoding="utf-8")
    np.testing.assert_array_equal(load_urdf(file).I, read(tmp_path, ARM).I)


@pytest.mark.parametrize("declared", ["", ' xmlns:xacro="http://ros.org/wiki/xacro"'])
def test_elements_left_by_xacro_are_named(tmp_path: Path, declared: str) -> None:
    file = tmp_path / "r.urdf"
    arm = ARM.replace("</joint>", '<xacro:limits low="1"/></joint>')
    leg = '<xacro:leg rx="0" name="FL"><link name="z"/></xacro:leg>'
    file.write_text(f'<robot name="r"{declared}>{arm}{leg}<xacro:x/></robot>')
    with pytest.warns(UserWarning, match="elements of xacro are left out") as caught:
        model = load_urdf(file)
    assert (
        '<robot name="r"> <xacro:leg name="FL">, <robot name="r"> <xacro:x>, '
        '<robot name="r"> <joint name="j"> <xacro:limits low="1">; '
        "expand it first: xacro r.urdf > robot.urdf" in str(caught[0].message)
    )
    assert list(model.frames) == ["a", "b"]


@pytest.mark.parametrize("place", ["<robot ", '<link name="b"', "<inertial", '<joint name="j"'])
def test_every_element_that_is_not_read_is_named(tmp_path: Path, place: str) -> None:
    """Every element within an element that is read is read, too, or named; a plain robot gives no
    warning.
    """
    text = f'<robot name="r">{ARM}</robot>'
    file = tmp_path / "r.urdf"
    file.write_text(text)
    assert load_urdf(file).left_out == ()
    at = text.index(">", text.index(place)) + 1
    file.write_text(
        text[:at] + "<gazebo/><transmission><mimic/></transmission><gazebo/>" + text[at:]
    )
    assert load_urdf(file).left_out == ("gazebo (2)", "transmission")


def test_elements_that_are_kept_as_data_or_not_asked_for_are_named(tmp_path: Path) -> None:
    file = tmp_path / "r.urdf"
    inside = '<mimic joint="i"/><dynamics damping="{}" friction="{}"/>'
    for damping, friction, terms in ((0, 0, ()), (1, 0, ("damping",)), (0, 1, ("friction",))):
        followed = joint("i", "continuous", "a", "c")
        follows = joint("j", "continuous", "a", "b", "", inside.format(damping, friction))
        links = "".join(map(link, "abc"))
        file.write_text(f'<robot name="r">{links}{followed}{follows}</robot>')
        assert load_urdf(file).left_out == terms
        free = load_urdf(file, couplings="free")
        assert free.left_out == ("mimic (data in model.mimic)", *terms)
        assert load_urdf(file, mimic=False, dynamics=True).left_out == ("mimic",)


ACTING = [
    ("<robot ", '<loop_joint name="l" type="revolute"/>', "loop_joint"),
    ("<robot ", '<constraint type="point"/><constraint/>', r"constraint \(2\)"),
    ("<robot ", "<drake:ball_constraint/>", "drake:ball_constraint"),
    ("<robot ", '<gazebo><joint name="k" type="fixed"/></gazebo>', "joints in gazebo"),
    ("<robot ", '<gazebo reference="j"><springStiffness>1e2</springStiffness></gazebo>', "springs"),
    ("<robot ", '<gazebo reference="b"><turnGravityOff>true</turnGravityOff></gazebo>',
     "links without gravity in gazebo"),
    ('<joint name="j"', '<dynamics damping="0" spring_stiffness="2"/>', "springs of joints"),
    ('<joint name="j"', '<origin xzy="1 2 3"/>', r"attribute 'xzy' of origin \(did you mean 'xyz'"),
    ('<joint name="j"', '<origin xyz="1 2 3" RPY="0 0 1"/>', r"'RPY' of origin .* 'rpy'"),
    ('<joint name="j"', '<dynamics dampning="3"/>', r"'dampning' of dynamics .* 'damping'"),
]  # fmt: skip
NOT_ACTING = [
    ("<robot ", '<gazebo reference="j"><springStiffness>0.0</springStiffness></gazebo>', "gazebo"),
    ("<robot ", '<gazebo reference="a"><turnGravityOff>true</turnGravityOff></gazebo>', "gazebo"),
    ("<robot ", '<gazebo><plugin><joint type="x">j</joint></plugin></gazebo>', "gazebo"),
    ('<joint name="j"', '<dynamics spring_stiffness="0"/>',
     "attribute 'spring_stiffness' of dynamics"),
    ('<joint name="j"', '<limit lower="-1" upper="1" current="3"/>',
     "attribute 'current' of limit"),
]  # fmt: skip


@pytest.mark.parametrize(("place", "inside", "name"), [*ACTING, *NOT_ACTING])
def test_parts_that_act_on_the_motion_are_warned_of(
    tmp_path: Path, place: str, inside: str, name: str
) -> None:
    """Parts that act on the motion are named by a warning; others are named in `left_out` only."""
    text = f'<robot name="r">{ARM}</robot>'
    at = text.index(">", text.index(place)) + 1
    file = tmp_path / "r.urdf"
    file.write_text(text[:at] + inside + text[at:])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = load_urdf(file)
    if (place, inside, name) in NOT_ACTING:
        assert (model.left_out, caught) == ((name,), [])
    else:
        (warning,) = caught
        assert issubclass(warning.category, LoaderWarning)
        assert re.search(f"parts that act on the motion: .*{name}", str(warning.message))


@pytest.mark.parametrize("place", ["<robot", "<link", "<inertia ", "<joint", "<child", "<mass"])
def test_attributes_that_are_not_read_are_named(tmp_path: Path, place: str) -> None:
    file = tmp_path / "r.urdf"
    text = f'<robot name="r">{ARM}</robot>'
    file.write_text(text.replace(place, f'{place} colour="red" ', 1))
    assert load_urdf(file).left_out == (f"attribute 'colour' of {place[1:].strip()}",)


def test_mass_that_is_fixed_to_the_base_is_named(tmp_path: Path) -> None:
    """`EnerMo` counts the bodies of the tree; `left_out` has the rest of the mass of the file."""
    elements = (
        link("a", BALL), link("b", BALL), link("c", BALL), joint("j", "fixed", "a", "b"),
        joint("k", "revolute", "b", "c"),
    )  # fmt: skip
    fixed = read(tmp_path, *elements)
    assert fixed.left_out == ("links fixed to the base (4 kg)",)
    assert sv.EnerMo(fixed, [0.0], [0.0]).mass == 2
    floating = read(tmp_path, *elements, floating_base=True)
    assert floating.left_out == ()
    assert sv.EnerMo(floating, sv.neutral(floating), np.zeros(7)).mass == 6


def test_a_mass_without_an_inertia_is_a_point(tmp_path: Path) -> None:
    """Its point is the origin of the inertial element; one warning lists all these links."""
    point = '<inertial><origin xyz="1 2 3" rpy="1 2 3"/><mass value="{}"/></inertial>'
    with pytest.warns(LoaderWarning, match=r"mass is read as that of a point .*: b, c$") as caught:
        model = read(
            tmp_path, link("a"), link("b", point.format(4)), link("c", point.format(5)),
            link("d", point.format(0)), joint("j", "revolute", "a", "b"),
            joint("k", "fixed", "b", "c"), joint("l", "revolute", "b", "d"),
        )  # fmt: skip
    assert len(caught) == 1
    np.testing.assert_allclose(model.I[0], sv.mcI(9, [1, 2, 3], np.zeros((3, 3))), atol=1e-13)
    assert not model.I[1].any()


def test_robot_without_a_name_is_named_by_its_file(tmp_path: Path) -> None:
    file = tmp_path / "arm.urdf"
    file.write_text(f"<robot>{link('a')}{link('b')}{joint('j', 'revolute', 'a', 'b')}</robot>")
    assert load_urdf(file).name == "arm"


def work(folder: Path, n: int, parent: Callable[[int], int]) -> tuple[int, int]:
    """Return the number of calls made, and the memory taken, while a tree of n links is read."""
    file = folder / "robot.urdf"
    elements = [link(f"l{i}", BALL) for i in range(n)]
    elements += [joint(f"j{i}", "revolute", f"l{parent(i)}", f"l{i}", "1 2 3") for i in range(1, n)]
    file.write_text(f"<robot>{''.join(elements)}</robot>")
    calls = 0

    def count(*_: Any) -> None:
        nonlocal calls
        calls += 1

    tracemalloc.start()
    sys.setprofile(count)
    try:
        load_urdf(file)
    finally:
        sys.setprofile(None)
        memory = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return calls, memory


@pytest.mark.parametrize("parent", [lambda i: i - 1, lambda _: 0], ids=["chain", "star"])
@pytest.mark.slow
def test_work_grows_as_the_number_of_links(tmp_path: Path, parent: Callable[[int], int]) -> None:
    """Four times as many links take at most 4.2 times as many calls and as much memory."""
    work(tmp_path, 10, parent)
    small, large = work(tmp_path, 200, parent), work(tmp_path, 800, parent)
    for few, many in zip(small, large, strict=True):
        assert many < 4.2 * few


def test_visuals_become_drawings_in_the_frames_of_their_bodies(tmp_path: Path) -> None:
    """A box, a cylinder and a sphere on links with oblique axes are drawn in the poses of their
    links.
    """

    def visual(geometry: str, material: str = "") -> str:
        origin = '<origin xyz="0.1 0.2 0.3" rpy="0.4 0.5 0.6"/>'
        return f"<visual>{origin}<geometry>{geometry}</geometry>{material}</visual>"

    robot = read(
        tmp_path, '<material name="sky"><color rgba="0 0.5 1 1"/></material>',
        link("base", visual('<box size="1 2 3"/>')),
        link("arm", BALL + visual('<cylinder radius="0.5" length="2"/>', '<material name="sky"/>')),
        link("hand", visual('<sphere radius="0.25"/>')),
        joint("a", "revolute", "base", "arm", "1 1 0", '<limit effort="1" velocity="1"/>'),
        joint("b", "fixed", "arm", "hand", "", '<origin xyz="1 0 0" rpy="0 0 1"/>'),
    )  # fmt: skip
    assert robot.appearance is not None
    (box,), (tube, ball) = robot.appearance["base"], robot.appearance["body"][0]
    R = sv.rz(0.6).T @ sv.ry(0.5).T @ sv.rx(0.4).T
    p = np.array([0.1, 0.2, 0.3])
    np.testing.assert_allclose(box[1].mean(axis=0), p, atol=1e-12)
    np.testing.assert_allclose((box[1] - p) @ R, np.sign((box[1] - p) @ R) * [0.5, 1, 1.5])
    np.testing.assert_allclose(tube[1], [0, 0.5, 1])
    for frame, drawn, wanted in (
        ("arm", tube[3].mean(axis=0), p), ("arm", np.diff(tube[3], axis=0)[0], 2 * R[:, 2]),
        ("hand", ball[1], p),
    ):  # fmt: skip
        E, r = sv.plux(robot.frames[frame].X)
        there = E @ (drawn - r) if wanted is p else E @ drawn
        np.testing.assert_allclose(there, wanted, atol=1e-12)


def test_bad_visuals_leave_a_robot_without_drawings(tmp_path: Path) -> None:
    def robot(geometry: str) -> sv.Model:
        inside = f"{BALL}<visual><geometry>{geometry}</geometry></visual>"
        return read(
            tmp_path, link("base"), link("a", inside), joint("j", "continuous", "base", "a")
        )

    for geometry, words in (
        ('<sphere radius="-1"/>', "radius"),
        ('<mesh filename="a.stl" scale="1 0 1"/>', "scale"),
        ("<cone/>", "sphere"),
    ):
        with pytest.warns(UserWarning, match=f'<link name="a"> <visual> .*{words}.*left out'):
            assert robot(geometry).appearance is None


def test_a_quaternion_is_read_as_its_angles(tmp_path: Path) -> None:
    """In the origins of joints, inertias and visuals, with any norm, at any pitch."""
    rng = np.random.default_rng(0)
    turns = [sv.rq(rng.normal(size=4)).T for _ in range(5)] + [sv.ry(-np.pi / 2).T, np.eye(3)]
    for R in turns:
        w, x, y, z = 3 * sv.rotToQuat(R)
        rpy = " ".join(map(repr, roll_pitch_yaw(R).tolist()))
        models = [
            read(
                tmp_path,
                link("a"),
                link("b", BALL.replace('rpy="0.4 0.5 0.6"', how) + f"<visual><origin {how}/>{BOX}"),
                joint("j", "revolute", "a", "b", "", f'<origin xyz="1 2 3" {how}/>'),
            )
            for how in (f'rpy="{rpy}"', f'quat_xyzw="{x} {y} {z} {w}"')
        ]
        for field in ("Xtree", "I"):
            given, ours = (getattr(model, field) for model in models)
            np.testing.assert_allclose(ours, given, atol=1e-14)
        given, ours = (model.appearance["body"][0][0][1] for model in models)
        np.testing.assert_allclose(ours, given, atol=1e-14)


BOX = '<geometry><box size="1 2 3"/></geometry></visual>'


def test_wrong_quaternions_are_named(tmp_path: Path) -> None:
    for how, said in (
        ('quat_xyzw="0 0 0 0"', "quat_xyzw is zero, which is no rotation"),
        ('quat_xyzw="0 0 1"', "has 3 numbers, want four"),
        ('quat_xyzw="0 0 0 1" rpy="0 0 0"', "rpy and quat_xyzw both give the orientation"),
    ):
        with pytest.raises(ModelFileError, match=said):
            read(
                tmp_path, link("a"), link("b"),
                joint("j", "revolute", "a", "b", "", f"<origin {how}/>"),
            )  # fmt: skip


def test_a_visual_may_use_the_material_of_another_one(tmp_path: Path) -> None:
    """The first definition of a name holds, and one outside the links before it."""

    def visual(material: str) -> str:
        return f"<visual>{BOX.replace('</visual>', '')}{material}</visual>"

    red, blue = (
        f'<material name="m"><color rgba="{x}"/></material>' for x in ("1 0 0 1", "0 0 1 1")
    )
    parts = (
        link("a", visual(red)), link("b", visual('<material name="m"/>')), link("c", visual(blue)),
        joint("i", "revolute", "a", "b"), joint("j", "revolute", "b", "c"),
    )  # fmt: skip
    for outside, colour in (("", [1, 0, 0]), (blue, [0, 0, 1])):
        model = read(tmp_path, outside, *parts)
        assert model.appearance["body"][0][0][0] == "colour"
        np.testing.assert_array_equal(model.appearance["body"][0][0][1], colour)


def test_a_joint_that_follows_none_of_the_model_is_not_written(tmp_path: Path) -> None:
    """A file may have a joint that follows a fixed one; the model then does not have the latter."""
    model = read(
        tmp_path, link("a"), link("b"), link("c"),
        joint("j", "revolute", "a", "b", "", '<mimic joint="k"/>'), joint("k", "fixed", "b", "c"),
    )  # fmt: skip
    with pytest.raises(
        ModelError, match=r"^mimic\['j'\]: it follows 'k', which is no joint of the"
    ):
        to_urdf(model)
    to_urdf(model.replace(mimic=None))
