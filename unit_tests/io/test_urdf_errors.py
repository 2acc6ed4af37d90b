"""Reading URDF: every mistake is an error that names file, element and attribute."""

import sys
from pathlib import Path

import pytest
from urdf_text import BALL, joint, link, read

from spatial_v2.exceptions import ModelFileError
from spatial_v2.io import load_urdf
from spatial_v2.io.xml_file import read_xml

A, B, C = map(link, "abc")
J = joint("j", "revolute", "a", "b")


def fixed(name: str, parent: str, child: str, inside: str = "") -> str:
    return joint(name, "fixed", parent, child, "", inside)


def turn(axis: str, inside: str = "") -> str:
    return A + B + joint("j", "revolute", "a", "b", axis, inside)


@pytest.mark.parametrize(
    ("elements", "message"),
    [
        ("", "an empty robot"),
        (A, "no joint moves.*floating_base=True"),
        (A + B + A + J, '<link name="a">: duplicate link \'a\''),
        (A + B + C + J + fixed("j", "b", "c"), "duplicate joint 'j'"),
        (A + J, "<child>: attribute link='b' is an unknown link"),
        (B + J, "<parent>: attribute link='a' is an unknown link"),
        (A + B + C + J, "2 root links .*: a, c"),
        (A + B + C + J + fixed("k", "c", "b"),
         "<child>: link 'b' is the child of two joints, 'j' and 'k'; a link may have one parent"),
        (A + B + C + fixed("j", "b", "c") + fixed("k", "c", "b"), "joints j, k form a cycle"),
        (A + B + J + fixed("k", "b", "a"), "joints j, k form a cycle"),
        (A + fixed("j", "a", "a"), "joints j form a cycle"),
        (A + B + joint("j", "screw", "a", "b"),
         '<joint name="j">: attribute type=\'screw\' is not a joint type; valid: revolute, '),
        (turn("0 0 0"), "<axis>: attribute xyz is the zero vector"),
        (turn("1 0"), "<axis>: attribute xyz='1 0' has 2 numbers, want three"),
        (turn("1 0 nan"), "<axis>: attribute xyz='1 0 nan' is not a finite number"),
        (turn("1 0 1e200"), "<axis>: attribute xyz='1 0 1e200' is not a finite number below 1e100"),
        (turn("1 0 1_0"), "<axis>: attribute xyz='1 0 1_0' is not a number"),
        (turn("${x} 0 0"), "is not a number; run xacro"),
        (turn("", "<axis/>"), "<axis>: attribute 'xyz' is missing"),
        (turn("", '<origin xyz=""/>'), "<origin>: attribute 'xyz' is empty"),
        (turn("", '<origin rpy="0 0 pi"/>'), "<origin>: attribute rpy='0 0 pi' is not a number"),
        (turn("", "<origin/><origin/>"), "2 elements <origin>, want at most one"),
        (turn("", '<mimic joint="k"/>'), "<mimic>: attribute joint='k' names no other joint"),
        (turn("", '<mimic joint="j"/>'), "<mimic>: attribute joint='j' names no other joint"),
        (turn("", "<mimic/>"), "<mimic>: attribute 'joint' is missing"),
        (turn("", '<mimic joint="k"/>') + C + fixed("k", "b", "c", '<mimic joint="j"/>'),
         '<joint name="j"> <mimic>: the joints j, k mimic one another in a circle'),
        (A + B + C + joint("j_1", "revolute", "a", "b") + joint("j", "planar", "b", "c"),
         "<joint name=\"j_1\">: two joint names 'j_1': .* a planar joint 'j' is made of"),
        (A + C + link("j_1") + joint("j", "planar", "a", "c") + joint("k", "revolute", "a", "j_1"),
         "<link name=\"j_1\">: two body names 'j_1'"),
        (turn("", '<limit lower="x"/>'), "<limit>: attribute lower='x' is not a number"),
        (turn("", '<limit upper="nan"/>'), "<limit>: attribute upper='nan' is not a finite number"),
        (turn("", '<limit lower="2" upper="1"/>'), "<limit>: attribute lower=2 is greater than"),
        (A + B + J.replace("<parent", "<x"), '<joint name="j">: element <parent> is missing'),
        (A + B + J.replace(" type=", " x="), "attribute 'type' is missing"),
        (A + B + J.replace(" name=", " x="), "<joint>: attribute 'name' is missing"),
        (A + B + "<link/>" + J, "<link>: attribute 'name' is missing"),
    ],
)  # fmt: skip
def test_wrong_elements_are_named(tmp_path: Path, elements: str, message: str) -> None:
    with pytest.raises(ModelFileError, match=message) as error:
        read(tmp_path, elements)
    assert str(error.value).startswith(f'{tmp_path / "robot.urdf"}: <robot name="r">')


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('value="2"', 'value="heavy"', "<mass>: attribute value='heavy' is not a number"),
        ('value="2"', 'value="nan"', "<mass>: attribute value='nan' is not a finite number"),
        ('value="2"', 'value="inf"', "<mass>: attribute value='inf' is not a finite number"),
        ('value="2"', 'value="-2"', "<mass>: attribute value=-2 is a negative mass"),
        ('value="2"', "", "<mass>: attribute 'value' is missing"),
        ('<mass value="2"/>', "", "<inertial>: element <mass> is missing"),
        ('iyy="4"', 'iyy="4,0"', "<inertia>: attribute iyy='4,0' is not a number"),
        ('iyy="4"', "", "<inertia>: attribute 'iyy' is missing"),
        ('xyz="0.1 0.2 0.3"', 'xyz="0.1"', "<origin>: attribute xyz='0.1' has 1 numbers"),
    ],
)
def test_wrong_inertias_are_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    elements = A, link("b", BALL.replace(old, new)), J
    with pytest.raises(ModelFileError, match=r'robot.urdf: .*<link name="b"> <inert') as error:
        read(tmp_path, *elements)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f'<robot name="r">{A}{B}{J}', r"not well-formed.*line 1, column \d+"),
        ("", "not well-formed"),
        ("\0\1\2", "not well-formed"),
        ('<?xml version="1.0" encoding="klingon"?><robot/>', "not well-formed.*encoding"),
        ('<sdf version="1.7"/>', "root element <sdf>, want <robot>"),
        ('<robot xmlns:xacro="http://ros.org/wiki/xacro"><xacro:include filename="x"/></robot>',
         "a xacro file; expand it first"),
    ],
)  # fmt: skip
def test_wrong_text_is_named(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "bad.urdf"
    file.write_text(text)
    with pytest.raises(ModelFileError, match=message) as error:
        load_urdf(file)
    assert str(error.value).startswith(f"{file}: ")


@pytest.mark.parametrize(
    "declaration",
    [
        '<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">',
        '<!ENTITY a SYSTEM "file:///etc/hostname">',
        '<!ENTITY % a SYSTEM "http://localhost/x.dtd"> %a;',
    ],
)
def test_entities_are_refused(tmp_path: Path, declaration: str) -> None:
    file = tmp_path / "bomb.urdf"
    file.write_text(f"<!DOCTYPE robot [{declaration}]><robot>{A}{B}{J}</robot>")
    with pytest.raises(ModelFileError, match=r"bomb.urdf: refused for safety"):
        load_urdf(file)


def test_a_joint_named_like_the_floating_base_is_refused(tmp_path: Path) -> None:
    elements = A + B + joint("root_joint", "revolute", "a", "b")
    assert read(tmp_path, elements).joint_names == ("root_joint",)
    with pytest.raises(ModelFileError, match='<joint name="root_joint">: two joint names'):
        read(tmp_path, elements, floating_base=True)


@pytest.mark.parametrize("n", [2, 3, 7])
def test_mimic_circles_are_refused_and_chains_resolved(tmp_path: Path, n: int) -> None:
    """A joint may follow a joint that follows another one, but a cycle is an error."""
    links = "".join(link(f"l{i}") for i in range(n + 2))
    follow = [f'<mimic joint="j{(i + 1) % n}"/>' for i in range(n)] + ['<mimic joint="j0"/>']
    joints = [joint(f"j{i}", "revolute", f"l{i}", f"l{i + 1}", "", x) for i, x in enumerate(follow)]
    names = ", ".join(f"j{i}" for i in range(n))
    follow[n - 1] = ""
    with pytest.raises(ModelFileError, match=f"the joints {names} mimic one another"):
        read(tmp_path, links, *joints)
    joints = [joint(f"j{i}", "revolute", f"l{i}", f"l{i + 1}", "", x) for i, x in enumerate(follow)]
    assert len(read(tmp_path, links, *joints).mimic or {}) == n
    file = tmp_path / "robot.urdf"
    assert load_urdf(file, mimic=False).mimic == {}


def test_places_count_from_the_first_line_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "bad.urdf"
    file.write_text("\n\n<?xml version='1.0'?>\n<robot>\n</robt>")
    with pytest.raises(ModelFileError, match="mismatched tag: line 5, column 2"):
        load_urdf(file)


def test_names_that_no_file_can_have_are_refused() -> None:
    with pytest.raises(ModelFileError, match="cannot be read: .*null"):
        load_urdf("a\0b.urdf")
    with pytest.raises(ModelFileError, match="cannot be read: File name too long"):
        load_urdf("a" * 300 + ".urdf")


def test_missing_files_and_folders_are_named(tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match=r"nowhere.urdf: cannot be read: No such file"):
        load_urdf(tmp_path / "nowhere.urdf")
    with pytest.raises(ModelFileError, match="cannot be read"):
        load_urdf(tmp_path)


def test_a_xacro_file_without_the_package_names_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the package xacro the error says how to expand the file."""
    monkeypatch.setitem(sys.modules, "xacro", None)
    file = tmp_path / "arm.urdf.xacro"
    file.write_text(f"<robot>{A}{B}{J}</robot>")
    with pytest.raises(ModelFileError, match=r"xacro arm.urdf.xacro > "):
        load_urdf(file)


def test_elements_are_nested_in_at_most_two_hundred(tmp_path: Path) -> None:
    """As many levels as are allowed are read, and many elements beside one another; one more level
    is refused.
    """
    file = tmp_path / "deep.xml"
    for inner in ("<b/>" * 300, "<a>" * 199 + "</a>" * 199):
        file.write_text(f"<a>{inner}</a>")
        read_xml(file)
    file.write_text("<a>" * 201 + "</a>" * 201)
    with pytest.raises(ModelFileError, match=r"<a> is nested in more than 200 elements"):
        read_xml(file)
