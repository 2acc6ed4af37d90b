"""A planar arm with a double elbow: two joints with equal angles."""

from __future__ import annotations

import numpy as np

from spatial_v2.arrays import Array, alike, column, constant, uncolumn
from spatial_v2.model import Model
from spatial_v2.spatial import mcI, plnr

__all__ = ["doubleElbow"]

_T = 0.1
_G = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])


def doubleElbow() -> Model:
    """Make a planar arm of two links, connected by a short piece with a joint at either end.

    MATLAB: ``model = doubleElbow``. The two elbow joints have equal angles, by the constraint
    function `gamma_q` of the model; `FDgq` computes its motion.

    Returns
    -------
    Model
        Planar, three joints, no gravity. The piece in the middle, 0.25 m long, is massless.

    Notes
    -----
    ``gamma_q`` returns q with the first two joint angles of q0 and the third equal to the second,
    ``qd`` accordingly, ``G = [1 0; 0 1; 0 1]``, and the stabilisation
    ``g = 2/T (qd - qd0) + 1/T^2 (q - q0)`` with T = 0.1 s; see `FDgq`.

    Examples
    --------
    >>> model = doubleElbow()
    >>> q, qd, G, g = model.gamma_q(model, np.array([1, 2, 2.1]), np.array([0.1, 0.2, 0.3]))
    >>> q, g.round(12)
    (array([1., 2., 2.]), array([  0.,   0., -12.]))
    """
    pin, boss = [[0.0, 0.0, -0.07], [0.0, 0.0, 0.07]], [[0.0, 0.0, -0.05], [0.0, 0.0, 0.05]]
    box = [[0.0, -0.07, -0.04], [1.0, 0.07, 0.04]]
    end = [[1.0, 0.0, -0.05], [1.0, 0.0, 0.05]]
    piece = [
        "box", [[0.0, -0.06, 0.05], [0.25, 0.06, 0.08]],
        "box", [[0.0, -0.06, -0.05], [0.25, 0.06, -0.08]],
        "cyl", [[0.0, 0.0, -0.08], [0.0, 0.0, 0.08]], 0.06,
        "cyl", [[0.25, 0.0, -0.08], [0.25, 0.0, 0.08]], 0.06,
    ]  # fmt: skip
    rod = mcI(1.0, [0.5, 0.0], 1 / 12)
    return Model(
        name="doubleElbow",
        parent=[-1, 0, 1],
        jtype=["r", "r", "r"],
        Xtree=[plnr(0.0, [x, 0.0]) for x in (0.0, 1.0, 0.25)],
        I=[rod, np.zeros((3, 3)), rod],
        gamma_q=_elbows,
        appearance={
            "base": ["box", [[-0.2, -0.3, -0.2], [0.2, 0.3, -0.07]]],
            "body": [
                ["box", box, "cyl", pin, 0.1, "cyl", end, 0.125],
                piece,
                ["box", box, "cyl", boss, 0.125],
            ],
        },
    )


def _elbows(model: Model, q0: Array, qd0: Array) -> tuple[Array, Array, Array, Array]:
    """Return the results q, qd, G, g of the constraint function: the third joint follows the
    second.
    """
    q0, qd0 = alike(q0, qd0)
    G = constant(_G, q0)
    q = uncolumn(G @ column(q0[..., :2]))
    qd = uncolumn(G @ column(qd0[..., :2]))
    return q, qd, G, 2 / _T * (qd - qd0) + (q - q0) / _T**2
