"""Joints that follow a fixed joint of a file, or none, are held where that puts them."""

import warnings

import numpy as np
import pytest
from helpers import near

import spatial_v2 as sv
from spatial_v2 import LoaderWarning, ModelError, couple, load_sdf, load_urdf, lock, to_urdf

LINK = """<link name="{}"> <inertial> <mass value="1"/> <origin xyz="{} .1 .2"/>
  <inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/> </inertial> </link>"""
JOINT = """<joint name="{}" type="{}"> <parent link="{}"/> <child link="{}"/>
  <origin xyz=".3 0 .1"/> <axis xyz="0 1 0"/> <limit lower="-3" upper="3" velocity="1" effort="1"/>
  {} </joint>"""


def urdf(tmp_path, couplings="auto", arm="revolute"):
    """Return an arm whose finger follows a fixed joint, and whose thumb follows the finger."""
    links = [LINK.format(name, k / 10) for k, name in enumerate("abcde")]
    joints = [
        JOINT.format("arm", arm, "a", "b", ""),
        JOINT.format("lock", "fixed", "b", "c", ""),
        JOINT.format("finger", "revolute", "c", "d",
                     '<mimic joint="lock" multiplier="3" offset="0.4"/>'),
        JOINT.format("thumb", "revolute", "c", "e",
                     '<mimic joint="finger" multiplier="-2" offset="0.1"/>'),
    ]  # fmt: skip
    path = tmp_path / "hand.urdf"
    path.write_text(f"<robot name='hand'>{''.join([*links, *joints])}</robot>")
    with warnings.catch_warnings():
        warnings.simplefilter("error", LoaderWarning)
        return load_urdf(path, couplings=couplings)


def agrees_with_locked(held, tree, where):
    """Check the dynamics of a coupled model against those of the tree with locked joints."""
    locked, rng = lock(tree, where), np.random.default_rng(0)
    q, qd, qdd = rng.normal(size=(3, locked.NV))
    assert held.joint_names == locked.joint_names
    near(sv.ID(held, q, qd, qdd), sv.ID(locked, q, qd, qdd))
    near(sv.FDab(held, q, qd, qdd), sv.FDab(locked, q, qd, qdd))
    near(sv.ID_derivatives(held, q, qd, qdd)[0], sv.ID_derivatives(locked, q, qd, qdd)[0])


def test_a_joint_that_follows_a_fixed_joint_is_held(tmp_path):
    """The finger stays at its offset, the thumb where the finger puts it; the report says so."""
    hand = urdf(tmp_path)
    assert hand.is_linear and hand.joint_names == ("arm",)
    near(hand.coupling.configuration(np.array([0.7])), [0.7, 0.4, -0.7])
    assert "motion of joint 'finger', which follows the fixed joint 'lock'" in hand.left_out
    agrees_with_locked(hand, urdf(tmp_path, "free"), {"finger": 0.4, "thumb": -0.7})
    free = urdf(tmp_path, "free")
    assert free.NV == 3 and not any("motion of" in x for x in free.left_out)
    (tmp_path / "again.urdf").write_text(to_urdf(hand))
    again = load_urdf(tmp_path / "again.urdf")
    near(again.coupling.configuration(np.array([0.7])), [0.7, 0.4, -0.7])


def test_a_joint_of_sdf_is_held_at_the_offset_and_the_reference(tmp_path):
    parts = "".join(
        f'<link name="{x}"><inertial><mass>1</mass></inertial><pose>0 0 {k} 0 0 0</pose></link>'
        for k, x in enumerate("abcd")
    )
    axis = "<axis><xyz>0 1 0</xyz>{}</axis>"
    follows = ('<mimic joint="lock"><multiplier>3</multiplier><offset>0.4</offset>'
               "<reference>0.1</reference></mimic>")  # fmt: skip
    joints = [("arm", "revolute", "a", "b", axis.format("")), ("lock", "fixed", "b", "c", ""),
              ("finger", "revolute", "c", "d", axis.format(follows))]  # fmt: skip
    parts += "".join(
        f'<joint name="{n}" type="{t}"><parent>{p}</parent><child>{c}</child>{x}</joint>'
        for n, t, p, c, x in joints
    )
    path = tmp_path / "hand.sdf"
    path.write_text(f'<sdf version="1.11"><model name="m">{parts}</model></sdf>')
    with warnings.catch_warnings():
        warnings.simplefilter("error", LoaderWarning)
        hand = load_sdf(path)
    near(hand.coupling.configuration(np.array([0.7])), [0.7, 0.4 - 3 * 0.1])
    assert any("follows the fixed joint 'lock'" in x for x in hand.left_out)


def test_joints_are_held_by_couple():
    """Alone, beside others that follow, and beside a function."""
    tree = sv.autoTree(4, 1.3, 0.4)
    held = couple(tree, mimic={"joint1": (None, 0, 0.3), "joint3": ("joint1", 2, 0.1)})
    agrees_with_locked(held, tree, {"joint1": 0.3, "joint3": 0.7})

    def gamma(y):
        return np.stack([y[0], y[1], np.sin(y[0]), y[2]])

    bent = couple(tree, function=gamma, independent=[0, 1, 3], mimic={"joint3": (None, 0, 0.4)})
    assert bent.joint_names == ("joint0", "joint1")
    near(bent.coupling.configuration(np.array([0.2, 0.3])), [0.2, 0.3, np.sin(0.2), 0.4])


def test_a_tree_that_is_held_everywhere_does_not_move(tmp_path):
    with pytest.raises(ModelError, match="every joint follows or is held"):
        couple(sv.autoTree(1), mimic={0: (None, 0, 0.3)})
    with pytest.raises(LoaderWarning, match="none moves"):
        urdf(tmp_path, arm="fixed")
