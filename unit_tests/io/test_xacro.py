"""xacro files are expanded by the package xacro, if it is installed."""

import importlib.util
import sys
from pathlib import Path

import pytest
from command_line import run
from urdf_text import BALL

from spatial_v2.exceptions import ModelFileError
from spatial_v2.io import load_model, load_urdf

pytest.importorskip("xacro")

ARM = f"""<?xml version="1.0"?><robot xmlns:xacro="http://www.ros.org/wiki/xacro" name="x">
<xacro:property name="length" value="${{0.5 * 3}}"/>
<xacro:macro name="arm" params="n below"><link name="l${{n}}">{BALL}</link>
<joint name="j${{n}}" type="continuous"><origin xyz="${{length}} 0 0"/>
<parent link="l${{below}}"/><child link="l${{n}}"/><axis xyz="0 0 1"/></joint></xacro:macro>
<link name="l0"/><xacro:arm n="1" below="0"/><xacro:arm n="2" below="1"/></robot>"""


def test_macros_are_expanded(tmp_path: Path) -> None:
    file = tmp_path / "arm.urdf.xacro"
    file.write_text(ARM)
    model = load_model(file)
    assert (model.name, model.joint_names) == ("x", ("j1", "j2"))
    assert model.Xtree[1][5, 1] == pytest.approx(-1.5)
    assert load_model(file, floating_base=True).jtype == ("Fb", "Rz", "Rz")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<robot", "not well-formed"),
        (ARM.replace("length} 0", "nothing} 0"), "xacro cannot expand it: .*nothing"),
        ('<!DOCTYPE r [<!ENTITY a "b">]><robot>&a;</robot>', "refused for safety"),
    ],
)
def test_mistakes_are_named(text: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "arm.xacro"
    file.write_text(text)
    with pytest.raises(ModelFileError, match=message):
        load_model(file)


ARGUMENTS = ARM.replace(
    'name="x">', 'name="x"><xacro:arg name="n" default="2"/><xacro:arg name="other" default=""/>'
).replace("0.5 * 3", "$(arg n) * 3")


def test_arguments_reach_the_macros(tmp_path: Path) -> None:
    """Arguments may be given by keyword, after the file's name in `load_model` and the command, and
    by default.
    """
    file = tmp_path / "arm.urdf.xacro"
    file.write_text(ARGUMENTS)
    assert load_urdf(file).Xtree[1][5, 1] == pytest.approx(-6)
    assert load_urdf(file, xacro_args={"n": 5}).Xtree[1][5, 1] == pytest.approx(-15)
    assert load_urdf(file, xacro_args={"n": True}).Xtree[1][5, 1] == pytest.approx(-3)
    assert load_model(f"{file} other:=a:=b n:=0.5").Xtree[1][5, 1] == pytest.approx(-1.5)
    assert "2 bodies" in run("info", f"{file} n:=3")
    with pytest.raises(ModelFileError, match=r"xacro_args: want a file .* \.xacro"):
        load_urdf(tmp_path / "arm.urdf", xacro_args={"n": 1})
    for given in (["n:=5"], "n:=5"):
        with pytest.raises(ModelFileError, match="xacro_args: want values by their names, .*n:=5"):
            load_urdf(file, xacro_args=given)  # type: ignore[arg-type]


def test_arguments_that_the_file_does_not_have_are_named(tmp_path: Path) -> None:
    """A misspelt argument is an error; those that included files or other branches
    declare are not.
    """
    file, part = tmp_path / "arm.xacro", tmp_path / "part.xacro"
    for text in (ARGUMENTS, ARM):
        file.write_text(text)
        has = "n, other" if text == ARGUMENTS else "none"
        for load in (
            lambda: load_urdf(file, xacro_args={"nn": 1}),
            lambda: load_model(f"{file} nn:=1"),
        ):
            with pytest.raises(
                ModelFileError, match=rf"arm.xacro: xacro_args: .*\({has}\), got 'nn'"
            ):
                load()
    declared = '<xacro:arg name="{}" default="1"/>'
    space = 'xmlns:xacro="http://www.ros.org/wiki/xacro"'
    part.write_text(f"<robot {space}>{declared.format('m')}</robot>")
    more = (
        f'name="x"><xacro:include filename="{part}"/>'
        f'<xacro:if value="0">{declared.format("k")}</xacro:if>'
    )
    file.write_text(ARM.replace('name="x">', more).replace("0.5 * 3", "$(arg length)"))
    given = {"m": 3, "k": 2, "length": 4}
    assert load_urdf(file, xacro_args=given).Xtree[1][5, 1] == pytest.approx(-4)


SPACE = 'xmlns:xacro="http://www.ros.org/wiki/xacro"'


@pytest.mark.parametrize(
    ("part", "message"),
    [
        (
            f"<robot {SPACE}><link",
            r"part\.xacro: not well-formed XML .*line 1.*; .*arm\.xacro includes",
        ),
        (f'<robot {SPACE}><link name="${{n}}"/></robot>', r"^[^:]*part\.xacro: xacro cannot.*'n'"),
    ],
)
def test_mistakes_in_an_included_file_are_named_there(
    part: str, message: str, tmp_path: Path
) -> None:
    """A file that is included by a file that is included is named itself, and who includes it."""
    (tmp_path / "part.xacro").write_text(part)
    include = '<robot {} name="x"><xacro:include filename="{}"/></robot>'
    (tmp_path / "middle.xacro").write_text(include.format(SPACE, tmp_path / "part.xacro"))
    file = tmp_path / "arm.xacro"
    file.write_text(include.format(SPACE, tmp_path / "middle.xacro"))
    with pytest.raises(ModelFileError, match=message):
        load_urdf(file)


def test_packages_are_found_without_ros(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package is searched in the folders above the file, then in ROS_PACKAGE_PATH; if it is not
    found, the error names it.
    """
    if importlib.util.find_spec("ament_index_python") is not None:
        pytest.skip("ROS is installed")
    inside = ARM[ARM.index("<xacro:property") :]
    text = f'<robot {SPACE} name="x"><xacro:include filename="$(find parts)/arm.xacro"/></robot>'
    file = tmp_path / "robots" / "robot.xacro"
    file.parent.mkdir()
    file.write_text(text)
    with pytest.raises(
        ModelFileError, match=r"xacro cannot expand it: package 'parts' of \$\(find"
    ):
        load_urdf(file)
    for root in (tmp_path / "elsewhere", tmp_path):
        (root / "parts").mkdir(parents=True)
        (root / "parts" / "arm.xacro").write_text(f"<robot {SPACE}>{inside}")
        monkeypatch.setenv("ROS_PACKAGE_PATH", str(root) if root != tmp_path else "")
        assert load_urdf(file).joint_names == ("j1", "j2")
    assert "ament_index_python" not in sys.modules
