"""Centre-of-mass coordinates that make the inertia and Coriolis matrices block-diagonal.

Remark 6 of Echeandia, Wensing, "Numerical Methods to Compute the Coriolis Matrix and Christoffel
Symbols" (2021). A floating-base tree has velocities ``qd = [omega; v; joint velocities]``. Use the
velocities ``nu = [velocity of the centre of mass; omega; joint velocities]`` instead. Because

    velocity of the centre of mass = (linear rows of the centroidal momentum matrix / mass) qd,

they are ``nu = T qd``, and ``qd = A nu`` with ``A = T^-1`` and ``dA/dt = -A dT/dt A``. In these
velocities the mass of the tree is a separate block of the inertia matrix, and no Coriolis force
couples it to the rest.
"""

from __future__ import annotations

import numpy as np

from spatial_v2 import (
    CMM,
    CMMTimeDerivative,
    CoriolisMatrix,
    EnerMo,
    autoTree,
    random_configuration,
    transform_coordinates,
)

rng = np.random.default_rng(6)
model = autoTree(6, 1.5, 0.7, 0.9)
model.jtype = {0: "Fb"}
q, qd = random_configuration(model, rng), rng.normal(size=model.NV)

mass = float(EnerMo(model, q, qd).mass)
rest = np.eye(model.NV)[[0, 1, 2, *range(6, model.NV)]]
T = np.concatenate([CMM(model, q)[3:] / mass, rest])
T_dot = np.concatenate([CMMTimeDerivative(model, q, qd)[3:] / mass, 0 * rest])
A = np.linalg.inv(T)
A_dot = -A @ T_dot @ A

terms = CoriolisMatrix(model, q, qd)
M, C, *_ = transform_coordinates(A, A_dot, M=terms.H, C=terms.C)

if __name__ == "__main__":
    np.set_printoptions(precision=3, suppress=True, linewidth=150)
    print(f"mass {mass:.3f} kg\n\nM =\n{M}\n\nC =\n{C}")
