"""Couplings of joints in files of robots: read, imposed, written, compared with Pinocchio."""

import pickle
import warnings

import numpy as np
import pytest
from helpers import near

from derivatives import ID_derivatives
from spatial_v2 import (
    CRBA,
    ID,
    FDab,
    LoaderWarning,
    Model,
    ModelError,
    ModelFileError,
    SpatialError,
    couple,
    forward_kinematics,
    load_mjcf,
    load_model,
    load_sdf,
    load_urdf,
    neutral,
    simulate,
    to_urdf,
)
from spatial_v2.io.example_robots import example_robots

LINK = """<link name="{}"> <inertial> <origin xyz="0.01 {} 0.02"/> <mass value="{}"/>
  <inertia ixx="0.01" iyy="0.012" izz="0.008" ixy="0.001" ixz="0" iyz="0"/> </inertial> </link>"""
JOINT = """<joint name="{}" type="{}"> <parent link="{}"/> <child link="{}"/> {}
  <origin xyz="{}" rpy="0 0 0.1"/> <axis xyz="0 {} 1"/>
  <limit lower="{}" upper="{}" effort="9" velocity="3"/> </joint>"""


def mimic(leader, multiplier=None, offset=None):
    """Return a mimic element."""
    given = {"multiplier": multiplier, "offset": offset}
    rest = " ".join(f'{name}="{x}"' for name, x in given.items() if x is not None)
    return f'<mimic joint="{leader}" {rest}/>'


FOLLOW, CHAIN = mimic("knuckle"), mimic("tip", -1.5, 0.2)


def gripper(*, turn=FOLLOW, chain=CHAIN):
    """Return a hand like Robotiq's: one knuckle moves five other joints, some by a chain."""
    names = ["hand", "wrist", "outer", "inner", "tip", "left", "pad"]
    links = [LINK.format(n, 0.03 * k, 0.3 + 0.1 * k) for k, n in enumerate(names)]
    joints = [
        ("turn", "continuous", "hand", "wrist", "", "0 0 0.1", 0, -3, 3),
        ("knuckle", "revolute", "wrist", "outer", "", "0 0.05 0.1", 1, -1, 0.9),
        ("follow", "revolute", "outer", "inner", turn, "0 0.1 0", 0, -9, 9),
        ("tip", "revolute", "inner", "tip", mimic("knuckle", -0.7, 0.1), "0 0 .1", 0, -9, 9),
        ("left", "revolute", "wrist", "left", chain, "0 -0.05 0.1", 0, -9, 9),
        ("pad", "prismatic", "left", "pad", mimic("left", 0.05), "0 0 0.05", 0, -9, 9),
    ]
    return f'<robot name="hand">{"".join(links)}{"".join(JOINT.format(*j) for j in joints)}</robot>'


def written(folder, text, name="robot.urdf"):
    """Write a file and return its path."""
    path = folder / name
    path.write_text(text)
    return path


def test_a_chain_of_mimic_joints_is_imposed(tmp_path):
    path = written(tmp_path, gripper())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        free = load_urdf(path, couplings="free")
        model = load_urdf(path)
        assert load_model(path, couplings="imposed").NV == load_model(path).NV == 2
    assert free.left_out[0] == "mimic (data in model.mimic) (4)"
    assert free.NV == 6 and model.NV == 2
    assert not any("mimic" in part for part in model.left_out)
    assert set(model.joint_names) == {"turn", "knuckle"}
    # -9 <= -0.7 y + 0.1 and the others leave the knuckle's own limits
    assert model.limits["knuckle"][:2] == (-1, 0.9)
    y = neutral(model, {"knuckle": 0.4, "turn": 0.3})
    q, tip = model.coupling.configuration(y), -0.7 * 0.4 + 0.1
    wanted = {"knuckle": 0.4, "follow": 0.4, "tip": tip, "left": -1.5 * tip + 0.2, "turn": 0.3}
    wanted["pad"] = 0.05 * wanted["left"]
    for joint, x in wanted.items():
        near(q[free.q_of(joint)][0], x)
    near(forward_kinematics(model, y, frame="pad").p, forward_kinematics(free, q, frame="pad").p)


def test_a_coupled_model_is_written_with_its_mimic_elements(tmp_path):
    model = load_urdf(written(tmp_path, gripper()))
    again = load_urdf(written(tmp_path, to_urdf(model), "again.urdf"))
    assert again.joint_names == model.joint_names
    near(again.coupling.matrix, model.coupling.matrix)
    near(again.coupling.offset, model.coupling.offset)
    x = np.random.default_rng(0).normal(size=(3, 2))
    near(ID(again, *x), ID(model, *x))
    differential = couple(model.tree, matrix=np.vstack([np.eye(5), np.ones(5)]))
    with pytest.raises(ModelError, match="follows 5 variables"):
        to_urdf(differential)


def test_a_variable_has_the_name_and_the_effort_of_the_joint_that_leads(tmp_path):
    """Also where a joint before it in the tree follows it one to one."""
    link, joint = LINK.format("base", 0, 1), JOINT
    for name, leader, effort in (("a", mimic("b"), 9), ("b", "", 4)):
        link += LINK.format(name, 0, 1)
        text = joint.format(name, "revolute", "base", name, leader, "0 0 0", 0, -1, 1)
        link += text.replace('effort="9"', f'effort="{effort}"')
    model = load_urdf(written(tmp_path, f"<robot name='r'>{link}</robot>"))
    for given in (model, model.replace(gravity=[0, 0, 0]), pickle.loads(pickle.dumps(model))):
        assert given.joint_names == ("b",) and given.effort_limit.tolist() == [4]
    again = load_urdf(written(tmp_path, to_urdf(model), "again.urdf"))
    assert again.joint_names == ("b",)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (gripper(turn=mimic("pad"), chain=mimic("follow")), "mimic one another in a circle"),
        (gripper(turn=mimic("elbow")), "names no other joint of this robot"),
    ],
)
def test_wrong_mimic_elements_are_errors(tmp_path, text, words):
    with pytest.raises(ModelFileError, match=words):
        load_urdf(written(tmp_path, text), couplings="imposed")


def test_a_joint_that_follows_a_floating_one_is_an_error(tmp_path):
    text = gripper().replace('name="turn" type="continuous"', 'name="turn" type="floating"')
    path = written(tmp_path, text.replace(mimic("knuckle"), mimic("turn")))
    with pytest.raises(ModelFileError, match="joint 'turn' is floating; .* couplings='free"):
        load_urdf(path, couplings="imposed")
    with pytest.raises(SpatialError, match="couplings: want 'auto', 'imposed' or 'free', got 'no'"):
        load_urdf(path, couplings="no")
    with pytest.warns(LoaderWarning, match="joint 'follow' moves freely: joint 'turn' is floating"):
        model = load_urdf(path)
    assert model.NV == 8 and model.left_out[0] == "joint 'follow'"
    flat = path.read_text().replace('type="floating"', 'type="planar"')
    with pytest.warns(LoaderWarning, match="joint 'follow' moves freely: joint 'turn' is planar"):
        assert load_urdf(written(tmp_path, flat)).NV == 5
    with pytest.raises(ModelFileError, match="joint 'follow': joint 'turn' is planar"):
        load_urdf(path, couplings="imposed")
    alone = flat.replace(mimic("knuckle", -0.7, 0.1), "").replace(CHAIN, "").replace(
        mimic("left", 0.05), "")  # fmt: skip
    with pytest.warns(LoaderWarning, match="'turn' is planar"):
        assert type(load_urdf(written(tmp_path, alone))) is Model


def test_a_file_without_mimic_elements_gives_a_plain_model(tmp_path):
    path = written(tmp_path, to_urdf(load_model("autoTree:3")))
    assert type(load_urdf(path)) is Model


def test_parts_that_stay_out_still_give_the_warning(tmp_path):
    text = gripper().replace("</robot>", '<loop_joint name="x"/> <constraint/> </robot>')
    for couplings in ("free", "auto", "imposed"):
        with pytest.warns(LoaderWarning, match="loop_joint") as caught:
            model = load_urdf(written(tmp_path, text), couplings=couplings)
        assert len(caught) == 1 and "mimic" not in str(caught[0].message)
        assert {"loop_joint", "constraint"} <= {*model.left_out}


def test_sdf_and_mjcf_impose_too(tmp_path):
    link = "<link name='{0}'><inertial><mass>{1}</mass></inertial></link>"
    joint = """<joint name='{0}' type='revolute'><parent>{1}</parent><child>{2}</child>
      <axis><xyz>0 0 1</xyz>{3}</axis></joint>"""
    follows = "<mimic joint='j'><multiplier>2</multiplier><offset>.5</offset></mimic>"
    sdf = f"""<sdf version='1.11'><model name='m'>{link.format("a", 1)}{link.format("b", 2)}
      {joint.format("j", "world", "a", "")}{joint.format("k", "a", "b", follows)}</model></sdf>"""
    path = written(tmp_path, sdf, "robot.sdf")
    free, model = load_sdf(path, couplings="free"), load_sdf(path)
    assert free.left_out == ("mimic (data in model.mimic)",) and model.left_out == ()
    assert model.joint_names == ("j",)
    near(model.coupling.configuration(np.array([0.2])), [0.2, 0.9])
    near(CRBA(model, [0.2]), [[1, 2]] @ CRBA(free, [0.2, 0.9]) @ [[1], [2]])
    pytest.importorskip("mujoco")
    mjcf = """<mujoco><worldbody><body> <joint name="j"/> <geom size=".1" pos=".3 0 0"/>
      <body pos=".4 0 0"> <joint name="k"/> <geom size=".1" pos=".2 0 0"/>
      </body></body></worldbody>
      <equality><joint joint1="k" joint2="j" polycoef="0.1 2 0 0 0"/></equality></mujoco>"""
    path = written(tmp_path, mjcf, "robot.xml")
    model = load_mjcf(path)
    near(model.coupling.configuration(np.array([0.2])), [0.2, 0.5])


def test_fingers_of_a_panda_move_together():
    file = example_robots()["panda"]
    free, model = load_urdf(file, couplings="free"), load_urdf(file)
    assert (free.NV, model.NV) == (9, 8)
    y, yd, tau = np.random.default_rng(0).normal(size=(3, 8))
    qdd = model.coupling.motion(FDab(model, y, yd, tau))
    near(qdd[-1], qdd[-2])
    alone = FDab(free, model.coupling.configuration(y), model.coupling.motion(yd), np.r_[tau, 0])
    assert abs(alone[-1] - alone[-2]) > 1e-3
    near(ID(model, y, yd, FDab(model, y, yd, tau)), tau, 1e-10)
    y = (model.lower + model.upper) / 2
    motion = simulate(model, (y, 0 * yd), [0, 0.01, 0.02])
    assert np.abs(motion.energy.drift).max() < 1e-7


def test_every_example_robot_with_mimic_joints_is_read():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        count = 0
        for file in example_robots().values():
            try:
                free = load_urdf(file, couplings="free")
            except ModelFileError:  # one has mimic elements that name no joint
                continue
            if not free.mimic:
                continue
            model = load_urdf(file)
            tree = model.tree
            assert tree.NV - len(tree.mimic) == model.NV
            y = neutral(model)
            tau = ID(model, y, np.zeros(model.NV), np.zeros(model.NV))
            q, rest = model.coupling.configuration(y), np.zeros(tree.NV)
            near(tau, ID(tree, q, rest, rest) @ model.coupling.matrix)
            count += 1
    assert count > 3 or not example_robots()


@pytest.mark.parametrize("robot", ["gripper", "panda"])
def test_pinocchio_computes_the_same(tmp_path, robot):
    pin = pytest.importorskip("pinocchio")
    file = example_robots()["panda"]
    if robot == "gripper":  # Pinocchio does not take chains, which are written as one step
        model = load_urdf(written(tmp_path, gripper()))
        file = written(tmp_path, to_urdf(model), "one_step.urdf")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LoaderWarning)
        model = load_urdf(file)
    peer = pin.buildModelFromUrdf(str(file), mimic=True)
    data, rng = peer.createData(), np.random.default_rng(1)
    assert peer.nv == model.NV
    y, yd, ydd = rng.normal(size=(3, model.NV))
    q = np.zeros(peer.nq)
    for name, x in zip(model.joint_names, y, strict=True):
        joint = peer.joints[peer.getJointId(name)]
        q[joint.idx_q : joint.idx_q + joint.nq] = x if joint.nq == 1 else [np.cos(x), np.sin(x)]
    order = [peer.joints[peer.getJointId(name)].idx_v for name in model.joint_names]
    v, a = np.zeros(peer.nv), np.zeros(peer.nv)
    v[order], a[order] = yd, ydd
    near(ID(model, y, yd, ydd), pin.rnea(peer, data, q, v, a)[order], 1e-10)
    H = np.array(pin.crba(peer, data, q))
    H = np.triu(H) + np.triu(H, 1).T
    near(CRBA(model, y), H[np.ix_(order, order)], 1e-10)
    # derivatives, which it does not have for mimic joints, by differences of its rnea
    d, h = ID_derivatives(model, y, yd, ydd).dtau_dqd, 1e-6
    for k, column in enumerate(order):
        step = np.zeros(peer.nv)
        step[column] = h
        up, down = (pin.rnea(peer, data, q, v + s * step, a)[order] for s in (1, -1))
        near(d[:, k], (up - down) / (2 * h), 1e-6)
