"""`to_urdf`: files are read back as the same model, here and by Pinocchio; other models
are errors.
"""

import warnings
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zoo
from parameters import chosen

from spatial_v2 import ID, InertiaWarning, Model, ModelError, plux, random_configuration, rq
from spatial_v2.io import Frame, JointLimits, Mimic, example_robots, load_urdf, to_urdf
from spatial_v2.models import autoTree, autoTree_rotor, planar

FILES = sorted(set(example_robots().values()))
UNMOVED = ("iris_simple", "quadrotor_base")


def same(ours: Model, file: Path, floating_base: bool) -> Model:
    """Check that a file is read back as the same model, up to the numbers of its
    bodies; return it.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InertiaWarning)
        back = load_urdf(file, floating_base=floating_base, couplings="free")
    order = [back.joint_names.index(name) for name in ours.joint_names]
    assert [back.jtype[k] for k in order] == list(ours.jtype)
    assert [back.body_names[k] for k in order] == list(ours.body_names)
    np.testing.assert_allclose(back.Xtree[order], ours.Xtree, rtol=0, atol=1e-12)
    scale = np.abs(ours.I).max()
    np.testing.assert_allclose(back.I[order] / scale, ours.I / scale, rtol=0, atol=1e-13)
    return back


@pytest.mark.parametrize(
    "file", chosen([pytest.param(f, id=f.stem) for f in FILES], lambda f: f.stem in zoo.ROBOT_FILES)
)
def test_every_robot_survives_writing_and_reading(file: Path, tmp_path: Path) -> None:
    pin = pytest.importorskip("pinocchio")
    from spatial_v2.interop.pinocchio import pinocchio_states

    for floating in (False, True)[file.stem in UNMOVED :]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", InertiaWarning)
            ours = load_urdf(
                file, floating_base=floating, mimic=file.stem != "alex_psyonic_hands",
                couplings="free",
            )  # fmt: skip
        to_urdf(ours, tmp_path / "robot.urdf")
        back = same(ours, tmp_path / "robot.urdf", floating)
        assert back.mimic == ours.mimic
        assert back.frames.keys() == ours.frames.keys()
        for name, (_, X) in ours.frames.items():
            np.testing.assert_allclose(back.frames[name].X, X, rtol=0, atol=1e-12)
        root = (pin.JointModelFreeFlyer(),) if floating else ()
        peer = pin.buildModelFromUrdf(str(tmp_path / "robot.urdf"), *root)
        states, rng = pinocchio_states(ours, peer), np.random.default_rng(0)
        q, (qd, qdd) = random_configuration(ours, rng), rng.standard_normal((2, ours.NV))
        theirs = states.q_to(q), states.v_to(q, qd), states.a_to(q, qd, qdd)
        tau = states.tau_from(q, pin.rnea(peer, peer.createData(), *theirs))
        scale = np.abs(tau).max()
        np.testing.assert_allclose(ID(ours, q, qd, qdd) / scale, tau / scale, rtol=0, atol=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_any_placement_survives(seed: int, tmp_path: Path) -> None:
    """Any placement is read back: random rotations, and those by pi/2 about y, where two of the
    three angles coincide.
    """
    rng = np.random.default_rng(seed)
    turn = plux(rq([1, 0, 1 - 1e-9 * seed, 0]), rng.standard_normal(3))
    X = [plux(rq(rng.standard_normal(4)), rng.standard_normal(3)), turn, turn @ turn, turn.copy()]
    ours = autoTree(4, 2).replace(Xtree=X, jtype=["Rx-", "Py", "Fb", "Pz-"])
    to_urdf(ours, tmp_path / "tree.urdf")
    same(ours, tmp_path / "tree.urdf", False)


def test_limits_mimic_and_frames_are_written(tmp_path: Path) -> None:
    X = plux(rq([1, 2, 3, 4]), [1, 2, 3])
    ours = autoTree(3).replace(
        jtype=["Rz", "Pz", "Rx"],
        limits={"joint0": JointLimits(-1, 2, 3, 4), "joint2": JointLimits(velocity=5, effort=6)},
        mimic={"joint2": Mimic("joint0", 2.0, 0.5)},
        frames={"tool": Frame(2, X), "ground": Frame(-1, np.eye(6)), "wall": Frame(-1, X)},
    )
    to_urdf(ours, tmp_path / "tree.urdf")
    back = same(ours, tmp_path / "tree.urdf", False)
    assert back.limits["joint0"] == ours.limits["joint0"]
    assert back.limits["joint2"] == ours.limits["joint2"]
    assert back.mimic == ours.mimic
    for name, (body, place) in ours.frames.items():
        assert back.frames[name].body == body
        np.testing.assert_allclose(back.frames[name].X, place, atol=1e-13)


@pytest.mark.parametrize("kind", ["Rz", "Rx-", "Pz"])
def test_every_limit_survives(kind: str, tmp_path: Path) -> None:
    """Each of the four may be missing, alone or with others."""
    given = JointLimits(-1, 2, 3, 4)
    for kept in product((True, False), repeat=4):
        parts = (x if keep else y for keep, x, y in zip(kept, given, JointLimits(), strict=True))
        limits = {"joint0": JointLimits(*parts)}
        to_urdf(autoTree(1).replace(jtype=[kind], limits=limits), tmp_path / "one.urdf")
        assert load_urdf(tmp_path / "one.urdf").limits == limits, kept


def test_a_frame_with_the_name_of_a_body_is_one_more_link(tmp_path: Path) -> None:
    """A frame with the name of a body is the body's link if it is at the joint; otherwise it is an
    additional link.
    """
    X = plux(np.eye(3), [1.0, 2, 3])
    ours = autoTree(1).replace(frames={"body0": Frame(0, X)})
    to_urdf(ours, tmp_path / "tree.urdf")
    back = load_urdf(tmp_path / "tree.urdf")
    np.testing.assert_allclose(back.frames["body0"].X, X, atol=1e-15)
    np.testing.assert_allclose(back.I, ours.I, atol=1e-15)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (lambda: autoTree(2).replace(jtype=["R", zoo_helix()]), r"jtype\[1\].*no joint like 'H'"),
        (lambda: autoTree(1).replace(jtype=["S"]), "no joint like 'S'.*joint0"),
        (lambda: autoTree_rotor(2), "cannot represent rotors"),
        (lambda: planar(2), "cannot represent planar models"),
        (lambda: autoTree(1).replace(gravity=[0, 0, -1]), "cannot represent .*gravity=None"),
        (lambda: autoTree(1).replace(Xtree=autoTree(1).Xtree + 0j), "Xtree: want real numbers"),
        (lambda: autoTree(1).replace(body_names=["base"]), "'base' is the name of more than one"),
    ],
)
def test_unsupported_models_are_refused(model: Any, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        to_urdf(model())


def zoo_helix() -> Any:
    return next(j for name in zoo.SPATIAL for j in zoo.build(name).jtype if not isinstance(j, str))
