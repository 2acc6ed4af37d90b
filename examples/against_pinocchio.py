"""Read a robot from its URDF file, and compare numbers with Pinocchio's.

The page "For Pinocchio users" explains the two index arrays. Needs the packages pin and
example-robot-data. Run it, with the name of a robot or the path of a URDF file:

    python examples/against_pinocchio.py solo12
"""

from __future__ import annotations

import sys

import numpy as np
import pinocchio as pin

from spatial_v2 import (
    ID,
    FD_derivatives,
    FDab,
    HandC,
    Hinverse,
    ID_derivatives,
    load_urdf,
    random_configuration,
)
from spatial_v2.io import example_robots


def compare(file: str, seed: int = 0) -> dict[str, float]:
    """Largest relative difference from Pinocchio for each result, by name.

    The joints of the robot must have one degree of freedom each.
    """
    model = load_urdf(file, floating_base=True, couplings="free")
    peer = pin.buildModelFromUrdf(file, pin.JointModelFreeFlyer())
    data = peer.createData()

    nq, nv = np.empty(peer.nq, int), np.empty(peer.nv, int)
    nq[:7], nv[:6] = [4, 5, 6, 1, 2, 3, 0], [3, 4, 5, 0, 1, 2]
    for i, name in enumerate(model.joint_names[1:]):
        joint = peer.joints[peer.getJointId(name)]
        nq[joint.idx_q], nv[joint.idx_v] = 7 + i, 6 + i

    rng = np.random.default_rng(seed)
    q, (qd, x) = random_configuration(model, rng), rng.normal(size=(2, model.NV))
    state = peer, data, q[nq], qd[nv]
    square = np.ix_(nv, nv)
    pairs = {
        "ID": (ID(model, q, qd, x)[nv], pin.rnea(*state, x[nv])),
        "FDab": (FDab(model, q, qd, x)[nv], pin.aba(*state, x[nv])),
        "C": (HandC(model, q, qd).C[nv], pin.nonLinearEffects(*state)),
        "H": (np.triu(HandC(model, q, qd).H[square]), np.triu(pin.crba(*state[:3]))),
        "Hinverse": (np.triu(Hinverse(model, q)[square]), np.triu(pin.computeMinverse(*state[:3]))),
    }
    names = ("dtau_dq", "dtau_dqd", "dqdd_dq", "dqdd_dqd")
    ours = [*ID_derivatives(model, q, qd, x)[:2], *FD_derivatives(model, q, qd, x)[:2]]
    theirs = [*map(np.copy, pin.computeRNEADerivatives(*state, x[nv])[:2])]
    theirs += pin.computeABADerivatives(*state, x[nv])[:2]
    for name, a, b in zip(names, ours, theirs, strict=True):
        pairs[name] = a[square], b
    return {name: np.abs(a - b).max() / np.abs(b).max() for name, (a, b) in pairs.items()}


if __name__ == "__main__":
    robot = sys.argv[1] if len(sys.argv) > 1 else "solo12"
    for name, difference in compare(str(example_robots().get(robot, robot))).items():
        print(f"{name:10s}{difference:8.1e}")
