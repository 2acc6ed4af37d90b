"""Coupled models of real robots against Pinocchio's mimic joints and MuJoCo's equalities."""

import warnings
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers import near

import spatial_v2 as sv
from spatial_v2.interop.coupled_states import CoupledStateMap
from spatial_v2.interop.states import Part, StateMap
from spatial_v2.io import example_robots

needs_robots = pytest.mark.skipif(not example_robots(), reason="needs example-robot-data")


def quiet(read: Any, *given: Any, **options: Any) -> sv.Model:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return read(*given, **options)


def motion(model: sv.Model, seed: int, lead: tuple[int, ...] = ()) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(seed)
    y = sv.random_configuration(model, rng, lead)
    return y, *rng.normal(size=(2, *lead, model.NV))


@needs_robots
@pytest.mark.parametrize(
    ("name", "floating"),
    [("panda", False), ("baxter", False), ("tiago_pro", False), ("pr2", True)],
)
def test_mimic_joints_of_pinocchio_move_as_here(name: str, floating: bool) -> None:
    pin = pytest.importorskip("pinocchio")
    from spatial_v2.interop.pinocchio import pinocchio_states

    file = example_robots()[name]
    model = quiet(sv.load_urdf, file, floating_base=floating)
    root = (pin.JointModelFreeFlyer(),) if floating else ()
    for mimic in (True, False):
        peer = pin.buildModelFromUrdf(str(file), *root, mimic=mimic)
        assert (peer.nv == model.NV) == mimic
        states, data = pinocchio_states(model, peer), peer.createData()
        y, yd, ydd = motion(model, 1)
        theirs = states.q_to(y), states.v_to(y, yd), states.a_to(y, yd, ydd)
        tau = sv.ID(model, y, yd, ydd)
        near(states.tau_from(y, pin.rnea(peer, data, *theirs)) / np.abs(tau).max(),
             tau / np.abs(tau).max(), 1e-12)  # fmt: skip
        H = np.triu(pin.crba(peer, data, theirs[0]))
        near(states.H_from(y, H + np.triu(H, 1).T), sv.CRBA(model, y), 1e-10)
        back = states.q_from(theirs[0]), states.v_from(y, theirs[1])
        near(np.r_[states.v_from(y, theirs[1]), states.a_from(y, yd, theirs[2])], np.r_[yd, ydd])
        near(states.q_to(back[0]), theirs[0])


def with_equalities(tree: sv.Model, file: Path) -> Path:
    """Write a tree for MuJoCo, its mimic joints as equality constraints."""
    import mujoco

    root = ET.fromstring(sv.to_urdf(tree.replace(mimic=None)))
    options = {"balanceinertia": "true", "boundmass": "1e-6", "boundinertia": "1e-9"}
    ET.SubElement(ET.SubElement(root, "mujoco"), "compiler", fusestatic="false", **options)
    spec = mujoco.MjSpec.from_string(ET.tostring(root, encoding="unicode"))
    for name, x in tree.mimic.items():
        row = spec.add_equality()
        row.type, row.name1, row.name2 = mujoco.mjtEq.mjEQ_JOINT, name, x.joint
        row.data[:5] = [x.offset, x.multiplier, 0, 0, 0]
    spec.compile()
    file.write_text(spec.to_xml())
    return file


@needs_robots
@pytest.mark.parametrize("name", ["panda", "talos", "romeo", "baxter"])
def test_equality_constraints_of_mujoco_move_as_here(name: str, tmp_path: Path) -> None:
    mujoco = pytest.importorskip("mujoco")
    from spatial_v2.interop.mujoco import mujoco_states

    file = with_equalities(quiet(sv.load_model, name, couplings="free"), tmp_path / "robot.xml")
    model, peer = quiet(sv.load_mjcf, file), mujoco.MjModel.from_xml_path(str(file))
    assert {*model.joint_names} == {*quiet(sv.load_model, name).joint_names}
    states, data = mujoco_states(model, peer), mujoco.MjData(peer)
    y, yd, ydd = motion(model, 2)
    data.qpos[:], data.qvel[:] = states.q_to(y), states.v_to(y, yd)
    mujoco.mj_forward(peer, data)
    assert data.ne == len(model.tree.mimic)
    near(data.efc_pos[: data.ne], np.zeros(data.ne), 1e-12)
    near(data.efc_vel[: data.ne], np.zeros(data.ne), 1e-12)
    data.qacc[:] = states.a_to(y, yd, ydd)
    peer.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT)
    mujoco.mj_inverse(peer, data)
    tau = sv.ID(model, y, yd, ydd)
    near(states.tau_from(y, data.qfrc_inverse) / np.abs(tau).max(), tau / np.abs(tau).max(), 1e-12)
    near(states.q_from(data.qpos), y)


def peer_of(tree: sv.Model) -> StateMap:
    """Return the states of a peer with the joints of a tree in the opposite order."""
    last = tree.NV - 1
    return StateMap(tree, [Part("line", i, i, last - i, last - i) for i in range(tree.NB)], tree.NQ)


@pytest.mark.parametrize("kind", ["linear", "function"])
@pytest.mark.parametrize("lead", [(), (4,), (0,), (2, 3)])
def test_states_of_batches_come_back(kind: str, lead: tuple[int, ...]) -> None:
    tree = sv.autoTree(3, 1, 0.4)
    bent = {"function": lambda y: np.stack([y[0], y[1], y[0] ** 2 - y[1]]), "independent": [0, 1]}
    model = sv.couple(tree, **({"mimic": {2: (1, -2.0, 0.3)}} if kind == "linear" else bent))
    states = CoupledStateMap(model, peer_of(tree))
    y, yd, ydd = motion(model, 3, lead)
    q, v, a = states.q_to(y), states.v_to(y, yd), states.a_to(y, yd, ydd)
    assert q.shape == v.shape == a.shape == (*lead, 3)
    near(states.q_from(q), y)
    near(states.v_from(y, v), yd)
    near(states.a_from(y, yd, a), ydd)
    near(v, (states.B(y) @ yd[..., None])[..., 0])
    force = np.flip(sv.ID(tree, np.flip(q, -1), np.flip(v, -1), np.flip(a, -1)), -1)
    near(states.tau_from(y, force), sv.ID(model, y, yd, ydd), 1e-11)
    near(states.tau_from(y, states.tau_to(y, ydd)), ydd)
    near(
        states.H_from(y, np.flip(sv.CRBA(tree, np.flip(q, -1)), (-2, -1))), sv.CRBA(model, y), 1e-11
    )
    # q of the other library changes as its velocities say
    if not lead:
        d = [states.q_to(y + s * 1e-6 * yd) for s in (1, -1)]
        near((d[0] - d[1]) / 2e-6, v, 1e-8)


def test_what_the_variables_do_not_determine_is_refused() -> None:
    tree = sv.autoTree(3)
    states = CoupledStateMap(sv.couple(tree, mimic={2: (0, 1.0, 0.0)}), peer_of(tree))
    for call in (lambda: states.H_to([0, 0], np.eye(2)), lambda: states.diagonal_to("x", [1, 1]),
                 lambda: states.diagonal_from("x", [1, 1, 1])):  # fmt: skip
        with pytest.raises(sv.ModelError, match="takes no coupled model"):
            call()
    with pytest.raises(sv.ModelError, match="variable 'y1' is no joint's"):
        CoupledStateMap(sv.couple(tree, matrix=[[1, 0], [0, 2], [0, 3]]), peer_of(tree))


def test_a_linkage_of_mujoco_moves_as_here(tmp_path: Path) -> None:
    """The forces of joints that obey MuJoCo's constraint do the work of those of the crank."""
    mujoco = pytest.importorskip("mujoco")
    from spatial_v2.interop.mujoco import from_mujoco, mujoco_states

    peer = mujoco.MjModel.from_xml_string("""<mujoco><option><flag contact="disable"/></option>
      <worldbody> <body name="crank"> <joint name="a" axis="0 1 0" ref="20"/>
        <geom size=".1" pos=".3 0 .1"/>
        <body name="rod" pos=".3 0 0"> <joint name="b" axis="0 1 0"/> <geom size=".1" pos="1 0 0"/>
        </body> </body>
      <body name="slider" pos="1.3 0 0"> <joint name="c" type="slide" axis="1 0 0"/>
        <geom size=".1"/> </body> </worldbody>
      <equality> <connect body1="rod" body2="slider" anchor="1 0 0"/> </equality></mujoco>""")
    model = from_mujoco(peer)
    assert model.joint_names == ("a",)
    states, data = mujoco_states(model, peer), mujoco.MjData(peer)
    y, yd, tau = sv.neutral(model) + 0.4, np.array([0.7]), np.array([1.5])
    data.qpos[:], data.qvel[:] = states.q_to(y), states.v_to(y, yd)
    ydd = sv.FDab(model, y, yd, tau)
    mujoco.mj_forward(peer, data)
    near(data.efc_pos[: data.ne], np.zeros(3), 1e-12)
    near(data.efc_vel[: data.ne], np.zeros(3), 1e-12)
    data.qacc[:] = states.a_to(y, yd, ydd)
    peer.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT)
    mujoco.mj_inverse(peer, data)
    near(states.tau_from(y, data.qfrc_inverse), tau, 1e-10)
