"""Every URDF file of example-robot-data gives the robot that Pinocchio reads, to 1e-10."""

import warnings
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zoo
from helpers import near
from parameters import chosen

from spatial_v2 import ID, HandC, InertiaWarning, Model, jcalc, random_configuration
from spatial_v2.io import load_urdf
from spatial_v2.io.example_robots import example_robots

pin = pytest.importorskip("pinocchio")
from pinocchio_map import inertia_matrix, position, transform, velocity_order  # noqa: E402

FILES = sorted(set(example_robots().values()))
UNMOVED = [file for file in FILES if file.stem in ("iris_simple", "quadrotor_base")]
CASES = chosen(
    [
        pytest.param(file, floating, id=f"{file.parent.parent.name}/{file.stem}" + "+Fb" * floating)
        for file in FILES
        for floating in (False, True)
        if floating or file not in UNMOVED
    ],
    lambda file: file.stem in zoo.ROBOT_FILES,
)


def both(file: Path, floating_base: bool) -> tuple[Model, Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InertiaWarning)
        model = load_urdf(
            file, floating_base=floating_base, mimic=file.stem != "alex_psyonic_hands",
            couplings="free",
        )  # fmt: skip
    root = (pin.JointModelFreeFlyer(),) if floating_base else ()
    return model, pin.buildModelFromUrdf(str(file), *root)


close = partial(near, tolerance=1e-10)


@pytest.mark.parametrize(("file", "floating_base"), CASES)
def test_robots_agree_with_pinocchio(file: Path, floating_base: bool) -> None:
    model, peer = both(file, floating_base)
    assert model.joint_names == tuple(peer.names)[1:]
    assert (peer.njoints - 1, peer.nv) == (model.NB, model.NV)
    for i, name in enumerate(model.body_names):
        X = model.frames[name].X
        close(model.I[i], X.T @ inertia_matrix(peer.inertias[i + 1]) @ X)

    rng = np.random.default_rng(0)
    q = random_configuration(model, rng)
    qd, qdd = rng.standard_normal((2, model.NV))
    p, data, pq = velocity_order(model, peer), peer.createData(), position(model, peer, q)
    pin.framesForwardKinematics(peer, data, pq)
    X = np.empty((model.NB, 6, 6))
    for i, parent in enumerate(model.parent):
        X[i] = jcalc(model.jtype[i], q[model.qinds[i]])[0] @ model.Xtree[i]
        X[i] = X[i] @ X[parent] if parent >= 0 else X[i]
    for name, (body, X_frame) in model.frames.items():
        pose = data.oMf[peer.getFrameId(name, pin.FrameType.BODY)]
        close(X_frame @ X[body] if body >= 0 else X_frame, transform(pose))

    close(ID(model, q, qd, qdd)[p], pin.rnea(peer, data, pq, qd[p], qdd[p]))
    H = pin.crba(peer, data, pq)
    close(HandC(model, q, qd)[0][np.ix_(p, p)], np.triu(H) + np.triu(H, 1).T)
