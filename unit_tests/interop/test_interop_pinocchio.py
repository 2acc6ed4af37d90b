"""Models and states to and from Pinocchio: its `rnea` and `crba` agree with `ID` and `CRBA`."""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zoo
from parameters import chosen
from urdf_text import BALL, link, read
from urdf_text import joint as joint_text

from spatial_v2 import (
    CRBA,
    ID,
    InertiaWarning,
    Model,
    ModelError,
    neutral,
    random_configuration,
)
from spatial_v2.exceptions import ArrayShapeError, SpatialError
from spatial_v2.io import Frame, JointLimits, example_robots, load_urdf
from spatial_v2.models import autoTree, autoTree_rotor, planar

pin = pytest.importorskip("pinocchio")
from spatial_v2.interop.pinocchio import (  # noqa: E402
    from_pinocchio,
    pinocchio_states,
    to_pinocchio,
)

FILES = sorted(set(example_robots().values()))
AXIS = np.array([1.0, 2, 2]) / 3


def check(model: Model, peer: Any, atol: float = 1e-12) -> None:
    """Check that joint forces and mass matrices agree, and that states, also in batches, convert
    back to themselves.
    """
    states, rng, data = pinocchio_states(model, peer), np.random.default_rng(0), peer.createData()
    q, (qd, qdd) = random_configuration(model, rng, (3,)), rng.standard_normal((2, 3, model.NV))
    theirs = states.q_to(q), states.v_to(q, qd), states.a_to(q, qd, qdd)
    tau = states.tau_from(
        q, np.array([pin.rnea(peer, data, *x) for x in zip(*theirs, strict=True)])
    )
    scale = max(1.0, np.abs(tau).max())
    np.testing.assert_allclose(ID(model, q, qd, qdd) / scale, tau / scale, rtol=0, atol=atol)
    H = np.array([pin.crba(peer, data, x) for x in theirs[0]])
    H = states.H_from(q, np.triu(H) + np.matrix_transpose(np.triu(H, 1)))
    scale = max(1.0, np.abs(H).max())
    np.testing.assert_allclose(CRBA(model, q) / scale, H / scale, rtol=0, atol=atol)
    np.testing.assert_allclose(states.q_to(states.q_from(theirs[0])), theirs[0], atol=1e-12)
    np.testing.assert_allclose(states.v_from(q, theirs[1]), qd, atol=1e-12)
    np.testing.assert_allclose(states.a_from(q, qd, theirs[2]), qdd, atol=1e-12)
    np.testing.assert_allclose(states.tau_from(q, states.tau_to(q, qd)), qd, atol=1e-12)
    np.testing.assert_allclose(states.H_from(q, states.H_to(q, H)), H, atol=1e-12 * scale)


@pytest.mark.parametrize(
    "file", chosen([pytest.param(f, id=f.stem) for f in FILES], lambda f: f.stem in zoo.ROBOT_FILES)
)
def test_every_robot_is_as_load_urdf_reads_it(file: Path) -> None:
    """A model converted from Pinocchio equals, number by number, the one that `load_urdf` reads."""
    for root in ((), (pin.JointModelFreeFlyer(),)):
        peer = pin.buildModelFromUrdf(str(file), *root)
        if not peer.nv:
            continue
        model = from_pinocchio(peer)
        check(model, peer)
        check(model, to_pinocchio(model))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", InertiaWarning)
            ours = load_urdf(file, floating_base=bool(root), mimic=False)
        assert ours.jtype == model.jtype
        assert (ours.joint_names, ours.body_names) == (model.joint_names, model.body_names)
        np.testing.assert_array_equal(ours.parent, model.parent)
        np.testing.assert_allclose(ours.Xtree, model.Xtree, rtol=0, atol=1e-12)
        scale = np.abs(ours.I).max()
        np.testing.assert_allclose(ours.I / scale, model.I / scale, rtol=0, atol=1e-12)
        for name, (body, X) in ours.frames.items():
            assert model.frames[name].body == body
            np.testing.assert_allclose(model.frames[name].X, X, rtol=0, atol=1e-12)


def joints() -> list[Any]:
    composite = pin.JointModelComposite(pin.JointModelRX(), pin.SE3.Random())
    for part in (pin.JointModelPZ(), pin.JointModelPlanar(), pin.JointModelSpherical()):
        composite.addJoint(part, pin.SE3.Random())
    return [
        pin.JointModelRX(), pin.JointModelRUBY(), pin.JointModelHX(0.2),
        pin.JointModelHelicalUnaligned(-AXIS, 0.3), pin.JointModelPlanar(),
        pin.JointModelTranslation(), pin.JointModelSphericalZYX(),
        pin.JointModelUniversal(np.eye(3)[0], np.eye(3)[1]), pin.JointModelSpherical(),
        pin.JointModelPrismaticUnaligned(-AXIS), pin.JointModelFreeFlyer(), composite,
    ]  # fmt: skip


@pytest.mark.parametrize("kind", [*range(12), "all"])
def test_every_joint_type_is_converted(kind: int | str) -> None:
    pin.seed(1)
    peer, chosen = pin.Model(), joints() if kind == "all" else [joints()[kind]] * 2
    for k, joint in enumerate(chosen):
        j = peer.addJoint(k - k % 3, joint, pin.SE3.Random(), f"j{k}")
        peer.appendBodyToJoint(j, pin.Inertia.Random(), pin.SE3.Random())
    peer.gravity.linear = np.array([1.0, 2, -3])
    check(from_pinocchio(peer), peer)


def test_limits_frames_and_gravity_are_converted_both_ways() -> None:
    X = np.asarray(autoTree(2, 1, 0.5).Xtree[1])
    ours = autoTree(2).replace(
        name="arm",
        gravity=[1, 2, 3],
        limits={"joint0": JointLimits(-1, 2, 3, 4), "joint1": JointLimits()},
        frames={"tool": Frame(1, X)},
    )
    back = from_pinocchio(to_pinocchio(ours))
    assert back.name == "arm" and back.limits == ours.limits
    assert back.body_names == ours.body_names
    np.testing.assert_array_equal(back.gravity, ours.gravity)
    assert back.frames["tool"].body == 1
    np.testing.assert_allclose(back.frames["tool"].X, X, atol=1e-15)


def test_armature_damping_and_friction_are_converted() -> None:
    """Armature affects the dynamics of both libraries; damping and friction are stored in
    Pinocchio, in its order.
    """
    model = autoTree(4, 1, 0.3).replace(jtype=["Fb", "Rx", "S", "Pz-"])
    model.armature = np.arange(1, model.NV + 1) / 4
    peer = to_pinocchio(model)
    check(model, peer)
    again = from_pinocchio(peer)
    np.testing.assert_array_equal(again.armature, model.armature)
    model.damping, model.friction = 2 * model.armature, 3 * model.armature
    peer, states = to_pinocchio(model), pinocchio_states(model, peer)
    np.testing.assert_array_equal(states.diagonal_from("damping", peer.damping), model.damping)
    dry = states.diagonal_from("friction", peer.upperDryFrictionLimit)
    np.testing.assert_array_equal(dry, model.friction)
    planar_joint = pin.Model()
    planar_joint.addJoint(0, pin.JointModelPlanar(), pin.SE3.Identity(), "p")
    planar_joint.armature = np.array([1.0, 2, 3])
    with pytest.raises(ModelError, match="armature: want the same value for all directions"):
        from_pinocchio(planar_joint)


def test_unsupported_models_are_refused() -> None:
    for model, message in (
        (planar(2), "no planar models"),
        (autoTree_rotor(2), "rotors"),
        (autoTree(1).replace(jtype=["SO3"]), "no joint like 'SO3'"),
    ):
        with pytest.raises(ModelError, match=message):
            to_pinocchio(model)
    peer = to_pinocchio(autoTree(2))
    with pytest.raises(ModelError, match="Pinocchio has no joint 'joint2'"):
        pinocchio_states(autoTree(3), peer)
    with pytest.raises(
        ModelError, match="want a joint 'joint1' of the type that it has in Pinocchio"
    ):
        pinocchio_states(autoTree(2).replace(jtype=["R", "P"]), peer)
    ellipsoid = pin.Model()
    ellipsoid.addJoint(0, pin.JointModelEllipsoid(1, 2, 3), pin.SE3.Identity(), "e")
    with pytest.raises(ModelError, match="joint 'e' is a JointModelEllipsoid"):
        from_pinocchio(ellipsoid)


@pytest.mark.parametrize("axis", ["0 0 1", "0 0 -1", "1 0 0", "1 2 3"])
def test_planar_joints_in_any_plane_map_to_the_same_motion(axis: str, tmp_path: Path) -> None:
    """States map to the same motion, or raise an error for planes that Pinocchio, which ignores the
    axis, does not support.
    """
    at = '<origin xyz="1 2 3" rpy="0.1 0.2 0.3"/>'
    oblique = joint_text("i", "continuous", "a", "b", "1 2 0", at)
    plane = joint_text("j", "planar", "b", "c", axis, at)
    model = read(tmp_path, link("a"), link("b", BALL), link("c", BALL), oblique, plane)
    peer = pin.buildModelFromUrdf(str(tmp_path / "robot.urdf"))
    if axis == "0 0 1":
        check(model, peer)
        return
    with pytest.raises(ModelError, match="joint 'j' moves in another plane than that of Pinocchio"):
        pinocchio_states(model, peer)


def test_joints_between_those_of_a_planar_joint_are_refused(tmp_path: Path) -> None:
    """A planar joint is three joints here; with another one between them, q has another order."""
    model = read(
        tmp_path, link("a"), link("b", BALL), link("c", BALL),
        joint_text("j", "planar", "a", "b", "0 0 1"), joint_text("k", "continuous", "a", "c"),
    )  # fmt: skip
    peer = pin.buildModelFromUrdf(str(tmp_path / "robot.urdf"))
    pinocchio_states(model, peer)
    other = model.joint_names.index("k")
    order = [0, other, *(i for i in range(1, model.NB) if i != other)]
    place = {-1: -1} | {i: k for k, i in enumerate(order)}
    moved = model.replace(
        parent=[place[model.parent[i]] for i in order],
        **{x: [getattr(model, x)[i] for i in order] for x in ("jtype", "Xtree", "I")},
        joint_names=[model.joint_names[i] for i in order],
        body_names=[model.body_names[i] for i in order],
    )
    with pytest.raises(ModelError, match="want a joint 'j' of the type that it has in Pinocchio"):
        pinocchio_states(moved, peer)


def test_parts_left_out_are_named() -> None:
    """The parts of a Pinocchio model that its dynamics do not use are listed in `left_out`."""
    peer = to_pinocchio(autoTree(2))
    assert from_pinocchio(peer).left_out == ()
    peer.damping, peer.rotorInertia = np.ones(2), np.ones(2)
    peer.lowerDryFrictionLimit, peer.upperDryFrictionLimit = -np.ones(2), np.ones(2)
    assert from_pinocchio(peer).left_out == ("damping", "friction", "rotors")


def test_without_pinocchio_the_extra_is_named() -> None:
    """Without Pinocchio the error says what to install, whichever name is imported."""
    code = """
import sys
sys.modules["pinocchio"] = None
for name in ("from_pinocchio", "pinocchio_states", "to_pinocchio"):
    try:
        exec(f"from spatial_v2.interop.pinocchio import {name}")
    except ImportError as error:
        print(error)
"""
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (
        said.stdout.splitlines()
        == ["spatial_v2.interop.pinocchio needs Pinocchio: pip install pin"] * 3
    )


def test_arguments_of_the_wrong_kind_are_named() -> None:
    """Models in the other order, arrays of other lengths and kinds: none is converted."""
    model = autoTree(2).replace(jtype=["Fb", "Rx"])
    peer = to_pinocchio(model)
    for wrong in (None, 3, "arm.urdf"):
        for call in (from_pinocchio, lambda x: pinocchio_states(model, x)):
            with pytest.raises(TypeError, match=r"^peer: want a pinocchio.Model, got \w+$"):
                call(wrong)
        for call in (to_pinocchio, lambda x: pinocchio_states(x, peer)):
            with pytest.raises(TypeError, match=r"^model: want a spatial_v2.Model, got \w+$"):
                call(wrong)
    with pytest.raises(TypeError, match=r"^model: want a spatial_v2.Model, got Model$"):
        pinocchio_states(peer, model)


def test_states_of_the_wrong_length_or_kind_are_named() -> None:
    model = autoTree(2).replace(jtype=["Fb", "Rx"])
    states = pinocchio_states(model, to_pinocchio(model))
    q, v, H = neutral(model), np.ones(model.NV), np.eye(model.NV)
    calls: dict[str, tuple[str, Callable[[Any], Any], np.ndarray]] = {
        "q_to": ("q", states.q_to, q),
        "q_from": ("q", states.q_from, states.q_to(q)),
        "v_to at": ("q", lambda x: states.v_to(x, v), q),
        **{
            f"{name} {letter}": (letter, partial(getattr(states, name), q), v)
            for name, letter in zip(
                ("v_to", "v_from", "tau_to", "tau_from"), ("v", "v", "tau", "tau"), strict=True
            )
        },
        "a_to v": ("v", lambda x: states.a_to(q, x, v), v),
        "a_to": ("a", partial(states.a_to, q, v), v),
        "a_from": ("a", partial(states.a_from, q, v), v),
        "H_to": ("H", partial(states.H_to, q), H),
        "H_from": ("H", partial(states.H_from, q), H),
    }
    for name, (letter, call, good) in calls.items():
        call(good)
        for bad in (good[..., :-1], np.repeat(good, 2, axis=-1), "x", None, good + 0j, 1.0):
            with pytest.raises(ArrayShapeError, match=f"^{letter}\\b") as caught:
                call(bad)
            assert letter in str(caught.value), name
    with pytest.raises(SpatialError, match="the quaternion of joint 0 .* is zero"):
        states.q_to(0 * q)
