"""Small bodies far from one another keep the digits of their inertia.

About a distant point, the mass times the square of the distance dominates a composite inertia.
About the body's own origin, the inertia keeps its digits.
"""

from typing import Any

import numpy as np
import pytest
import zoo

from spatial_v2 import CRBA, HandC, Model, mcI, random_configuration, xlt


def booms() -> Model:
    """Make two booms of 100 m, each with a gripper of one gram."""
    boom = mcI(1000.0, [50, 0, 0], np.diag([10.0, 8e5, 8e5]))
    gripper = mcI(1e-3, [0.01, 0, 0], 1e-7 * np.eye(3))
    return Model(
        parent=[-1, 0, 1, 0, 3],
        jtype=["Rz", "Rz", "Rx", "Rz", "Ry"],
        Xtree=[xlt([x, 0, 0]) for x in (0, 0, 100, 0, -100)],
        I=[boom, boom, gripper, boom, gripper],
    )


@pytest.mark.parametrize("name", ["booms", "mixed", "spherical", "helical"])
@pytest.mark.parametrize("function", [CRBA, HandC], ids=lambda f: f.__name__)
def test_every_entry_of_the_inertia_matrix_has_its_digits(function: Any, name: str) -> None:
    """The error of an entry is at the level of rounding relative to the diagonal entries of its row
    and column.

    This holds for single states and for batches.
    """
    model, rng = booms() if name == "booms" else zoo.build(name), np.random.default_rng(0)
    q, qd = random_configuration(model, rng, (9,)), rng.normal(size=(9, model.NV))
    H = CRBA.reference(model, q.astype(np.longdouble))
    scale = np.sqrt(np.einsum("...ii,...jj->...ij", H, H))
    given = (q,) if function is CRBA else (q, qd)
    found = function(model, *given), [function(model, *(x[k] for x in given)) for k in range(9)]
    batch, states = found[0], found[1]
    if function is HandC:
        batch, states = batch[0], [x[0] for x in states]
    for x in (batch, np.stack(states)):
        assert (np.abs(x - H) / scale).max() < 2e-14
