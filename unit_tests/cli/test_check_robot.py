"""``spatial-v2 check``: each fault of a robot is named, and decides about the exit code."""

from pathlib import Path

import numpy as np
import pytest
import zoo
from command_line import run
from urdf_text import BALL, joint, link

from spatial_v2.cli.findings import findings

LIMIT = '<limit lower="{}" upper="{}" effort="{}" velocity="{}"/>'
GOOD = LIMIT.format(-1, 1, 10, 2)
FAR = BALL.replace('xyz="0.1 0.2 0.3"', 'xyz="100 0 0"')
MESH = '<visual><geometry><mesh filename="no_such.stl"/></geometry></visual>'
HEAVY = BALL.replace('ixx="3"', 'ixx="30"')


def robot(folder: Path, *, inside: str = BALL, limit: str = GOOD, more: str = "") -> Path:
    """Write a robot with two joints; the options change its last link and joint."""
    arm = joint("elbow", "revolute", "upper", "lower", inside=limit)
    at = '<origin xyz="0 0 0.5"/>'
    file = folder / "arm.urdf"
    file.write_text(
        f'<robot name="arm">{link("base")}{link("upper", BALL)}{link("lower", inside)}'
        f"{joint('shoulder', 'revolute', 'base', 'upper', inside=GOOD)}"
        f"{arm.replace('</joint>', at + '</joint>')}{more}</robot>"
    )
    return file


def test_a_good_robot_has_no_faults(tmp_path: Path) -> None:
    text = run("check", robot(tmp_path))
    assert "arm: 2 bodies" in text and "No faults found." in text and "warning" not in text


WELD = link("tool") + joint("weld", "fixed", "lower", "tool")
FOLLOWS = GOOD + '<mimic joint="shoulder"/>'
FAULTS = {
    "massless": ({"inside": ""}, "error   joint elbow moves no mass"),
    "units": ({"inside": FAR}, "warning body lower: centre of mass 100 m, in a robot of 0.5 m"),
    "inertia": ({"inside": HEAVY}, "belongs to no distribution"),
    "effort": ({"limit": LIMIT.format(-1, 1, 0, 2)}, "joints with an effort limit of zero: elbow"),
    "velocity": ({"limit": LIMIT.format(-1, 1, 1, 0)}, "a velocity limit of zero: elbow"),
    "empty": (
        {"limit": LIMIT.format(1, 1, 1, 1)},
        "a lower limit that is not below the upper: elbow",
    ),
    "mesh": ({"inside": BALL + MESH}, "meshes that are not found:"),
}


def test_joints_that_follow_others_are_named(tmp_path: Path) -> None:
    text = run("check", robot(tmp_path, limit=FOLLOWS))
    assert "note    joints that follow others: elbow" in text and "NV = 1" in text
    text = run("check", robot(tmp_path, limit=GOOD + '<mimic joint="weld"/>', more=WELD))
    assert "motion of joint 'elbow', which follows the fixed joint 'weld'" in text


@pytest.mark.parametrize("name", FAULTS)
def test_faults_are_named(name: str, tmp_path: Path) -> None:
    options, message = FAULTS[name]
    text = run("check", robot(tmp_path, **options), code=1)
    assert message in text and ("1 fault found." in text or "faults found." in text)


NOTES = {
    "zero": ({"limit": LIMIT.format(1, 2, 1, 1)}, "limits leave out zero: elbow"),
    "gazebo": ({"more": "<gazebo/>"}, "not in the model: gazebo"),
}


@pytest.mark.parametrize("name", NOTES)
def test_notes_are_no_faults(name: str, tmp_path: Path) -> None:
    options, message = NOTES[name]
    assert message in run("check", robot(tmp_path, **options), code=0)


def test_a_file_that_cannot_be_read_is_another_exit_code(tmp_path: Path) -> None:
    file = tmp_path / "broken.urdf"
    file.write_text("<robot>")
    run("check", file, code=2)


@pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")
@pytest.mark.parametrize("name", zoo.MODELS)
def test_robots_of_every_kind_are_checked(name: str) -> None:
    """Errors are those of forward dynamics: none has a joint that moves no mass."""
    model = zoo.build(name)
    assert "error" not in {x.level for x in findings(model)}
    weightless = model.replace(I=0 * model.I, armature=None)
    if not model.has_rotor.any():
        assert next(findings(weightless)).level == "error"
    assert np.isfinite(model.I).all()
