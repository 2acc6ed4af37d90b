"""Law: a floating robot's dynamics do not depend on where it floats, to the last digits kept."""

import numpy as np
import pytest
import zoo

import derivatives as dv
import spatial_v2 as sv

FAR = np.array([5e5, -3e6, 1e3])
FUNCTIONS = {
    "ID": lambda m, q, v, x: sv.ID(m, q, v, x),
    "H": lambda m, q, v, x: sv.HandC(m, q, v).H,
    "FDab": lambda m, q, v, x: sv.FDab(m, q, v, x),
    "Hinverse": lambda m, q, v, x: sv.Hinverse(m, q),
    "AZA": lambda m, q, v, x: dv.AZA(m, q, x),
    "ID_derivatives": lambda m, q, v, x: np.stack(dv.ID_derivatives(m, q, v, x)),
    "FD_derivatives": lambda m, q, v, x: np.stack(dv.FD_derivatives(m, q, v, x)),
    "ID_SO_derivatives": lambda m, q, v, x: np.stack(dv.ID_SO_derivatives(m, q, v, x)),
    "modID_second": lambda m, q, v, x: dv.modID_second_derivatives(m, q, v, x, v).dmod_dqq,
    "H_derivatives": lambda m, q, v, x: dv.H_derivatives(m, q),
    "Christoffel": lambda m, q, v, x: dv.Christoffel(m, q),
}
EXACT = {"FDab", "Hinverse", "AZA", "FD_derivatives"}


@pytest.mark.parametrize("function", FUNCTIONS)
def test_three_thousand_kilometres_away(function):
    """Positions keep 1e-9 m there, and results as many digits; by the ABA, all of them."""
    model = zoo.build("floating")
    rng = np.random.default_rng(7)
    q = sv.random_configuration(model, rng)
    v, x = rng.normal(size=(2, model.NV))
    far = q.copy()
    far[4:7] += FAR
    here, there = (FUNCTIONS[function](model, at, v, x) for at in (q, far))
    error = np.max(np.abs(here - there)) / np.max(np.abs(here))
    assert error <= (0 if function in EXACT else 1e-8)


def test_external_forces_are_about_the_base_origin():
    """The couple of f_ext is taken about the base, wherever the kernel takes its own moments."""
    model = zoo.build("floating")
    rng = np.random.default_rng(8)
    q = sv.random_configuration(model, rng)
    q[4:7] += [30.0, -20.0, 10.0]
    v, x = rng.normal(size=(2, model.NV))
    f_ext = rng.normal(size=(model.NB, 6))
    tau = sv.ID(model, q, v, x, f_ext)
    np.testing.assert_allclose(tau, sv.ID.textbook(model, q, v, x, f_ext), rtol=1e-11, atol=1e-10)
    np.testing.assert_allclose(sv.FDab(model, q, v, tau, f_ext), x, rtol=1e-9, atol=1e-9)
