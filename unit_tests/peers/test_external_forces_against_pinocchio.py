"""Derivatives with external forces agree with Pinocchio's."""

from __future__ import annotations

import numpy as np
import pytest
import zoo
from helpers import near

from derivatives import FD_derivatives, ID_derivatives

pin = pytest.importorskip("pinocchio")

from test_against_pinocchio import Pair  # noqa: E402


@pytest.mark.parametrize(
    "name",
    zoo.over(
        ["chain", "prismatic", "negative", "helical", "spherical", "floating", "floating_puma"]
    ),
)
def test_external_forces_agree_with_pinocchio(name: str) -> None:
    """Results agree for forces in body coordinates, in which Pinocchio's external forces are given
    and constant.
    """
    pair = Pair(name)
    back = np.argsort(pair.p)
    for q, qd, qdd, tau, f_ext in pair.states():
        forces = pin.StdVec_Force()
        forces.append(pin.Force.Zero())
        for f in f_ext:
            forces.append(pin.Force(f[3:], f[:3]))
        for function, derivatives, third, tol in (
            (pin.computeRNEADerivatives, ID_derivatives, qdd, 1e-11),
            (pin.computeABADerivatives, FD_derivatives, tau, 1e-9),
        ):
            state = pair.position(q), qd[pair.p], third[pair.p]
            theirs = function(pair.peer, pair.data, *state, forces)
            ours = derivatives(pair.model, q, qd, third, f_ext, frame="body")
            for x, y in zip(ours[:2], theirs[:2], strict=True):
                near(x, np.array(y)[np.ix_(back, back)], tol)
