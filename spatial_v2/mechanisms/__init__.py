"""Mechanisms: trees whose joints follow independent variables y by closed loops or a function.

``q = gamma(y)``, ``qd = G(y) yd`` and ``qdd = G ydd + dG/dt yd``. `pull_back` has the chain rule of
first and second order along such a motion, and `rules` applies it to the functions of the library.
All that they need of a coupling is its `Jet`. For loops (`loop`, `choice`, `closing`, `loop_jet`,
`closed`) it follows from the accelerations of constraint rows, for functions (`formula`, `taylor`)
from their derivatives up to the fourth.

`couple` makes a `Mechanism`, or the linear coupling of `spatial_v2.couplings`.
"""

import spatial_v2.beside  # noqa: F401 - an error if a user's file hides derivatives
from spatial_v2.mechanisms.couple import couple
from spatial_v2.mechanisms.mechanism import Mechanism

__all__ = ["Mechanism", "couple"]
