"""Independent coordinates: joints that follow others.

The bodies of a tree move by ``q = gamma(y)``, with fewer variables y than the tree has. For linear
couplings, ``q = G y + c``, the matrix G is constant:

``qd = G yd``, ``qdd = G ydd``, and by virtual work ``tau_y = G^T tau``.

Whatever the library computes for the tree is pulled back to y. Positions, velocities and
accelerations of y are multiplied by G before the function of the tree is called; each axis of its
results that belongs to velocity variables is multiplied by G afterwards. Since G is constant, this
holds for derivatives of any order: ``H_y = G^T H G``, ``dtau_y/dy = G^T dtau/dq G``, and a tensor
is contracted axis by axis. Geared rotors are the simplest case: the rotor moves by ``gr * q``.
Functions that solve for accelerations do so in y, with the pulled-back coefficients.

`couple.couple` makes a `CoupledModel`, and `Linear` holds the data of its coupling. Couplings whose
matrix G depends on y are in `spatial_v2.mechanisms`.
"""

from spatial_v2.couplings.coupled_model import CoupledModel

__all__ = ["CoupledModel"]
