"""Derivatives of constrained dynamics for a whole horizon are those of the reference
implementation.
"""

from typing import Any

import numpy as np
import pytest

from derivatives import KKT_FO_derivatives, modKKT_second_derivatives
from spatial_v2 import FrameConstraint, Model, PointConstraint, mcI, random_configuration
from spatial_v2.control.accelerations import Accelerations
from spatial_v2.models import autoTree
from unit_tests.support.helpers import near

STATES = 5


def models() -> dict[str, Model]:
    """Return a tree with many joint types, and one with rotors."""
    tree = autoTree(6, 2).replace(jtype=["Fb", "S", "Rx", "Py", "Ry", "Rz"])
    rotor = mcI(0.05, [0.0, 0.0, 0.0], 1e-3 * np.eye(3))
    geared = autoTree(6).replace(
        jtype=["Rx", "Ry", "Rz", "Px", "Ry", "Rz"],
        has_rotor=[0, 1, 1, 0, 1, 1], gr=[0.0, 6.0, 4.0, 0.0, 5.0, 3.0], I_rotor=[rotor] * 6,
        Xrotor=[np.eye(6)] * 6, jtype_rotor=["Rz"] * 6,
    )  # fmt: skip
    return {"tree": tree, "geared": geared}


CASES: dict[str, dict[str, Any]] = {
    "point": {"constraints": [PointConstraint(5, [0.1, 0.2, 0.3])]},
    "loop": {"constraints": [PointConstraint(4, [0.1, 0.0, 0.2], 5, [0.0, 0.3, 0.1])]},
    "frame": {"constraints": [FrameConstraint(5, rows=[0, 2, 3, 5])]},
    "gains": {
        "constraints": [PointConstraint(4, [0.1, 0.2, 0.3], directions=[[0, 0, 1]]),
                        PointConstraint(5, [0.3, 0.1, 0.2], directions=[[0, 1, 0]])],
        "baumgarte": (0.0, 20.0),
    },
    "damped": {"constraints": [PointConstraint(5, [0.1, 0.2, 0.3])] * 2, "damping": 1e-2},
}  # fmt: skip


@pytest.mark.parametrize("name", ["tree", "geared"])
@pytest.mark.parametrize("case", CASES)
def test_derivatives_are_those_of_the_reference_implementation(name: str, case: str) -> None:
    model, rng = models()[name], np.random.default_rng(0)
    q = np.array([random_configuration(model, rng) for _ in range(STATES)])
    qd, tau, mu = rng.normal(size=(3, STATES, model.NV))
    a = Accelerations(model, **CASES[case])
    a.options["rank"] = "nan"
    states = a.at(q, qd, tau)
    states.values()
    found = [*states.blocks(), *states.second(mu)]
    assert states.shared is not None
    how = {x: y for x, y in CASES[case].items() if x != "constraints"}
    first = KKT_FO_derivatives.reference(model, q, qd, tau, a.held, **how)
    nu = np.zeros((STATES, a.held.m))
    second = modKKT_second_derivatives.reference(model, q, qd, tau, mu, nu, a.held, **how)
    wanted = [*first[:3], second.H_qq, second.H_qdqd, second.H_qdq, second.H_tauq]
    for x, y in zip(found, wanted, strict=True):
        near(x, y, 1e-10)
