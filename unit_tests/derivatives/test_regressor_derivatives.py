"""Derivatives of regressors agree with complex steps; times parameters they are derivatives of the
dynamics.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import zoo
from derivative_checks import draw
from helpers import FORMS, all_near, in_form, near

from derivatives import (
    H_derivatives,
    ID_derivatives,
    Regressor_HqdandCTqd_derivatives,
    RegressorClassical_derivatives,
    RegressorEnergy_derivatives,
    RegressorHandG_derivatives,
    RegressorMomentum_derivatives,
    RegressorSL_derivatives,
)
from derivatives.reference import complex_step, complex_step_q
from spatial_v2 import (
    CMM,
    Model,
    Regressor_HqdandCTqd,
    RegressorClassical,
    RegressorEnergy,
    RegressorHandG,
    RegressorMomentum,
    RegressorSL,
    getModelInertialParams,
)

pytestmark = pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")
whole_zoo = pytest.mark.parametrize("name", zoo.MODELS)
both_forms = pytest.mark.parametrize("form", FORMS)
FEW = ["chain", "mixed", "planar_tree", "floating_rotors"]
MANY = 21
"""Number of states of a batch, which is no multiple of the SIMD width."""
REGRESSOR = {
    RegressorClassical_derivatives: RegressorClassical,
    RegressorSL_derivatives: RegressorSL,
    RegressorHandG_derivatives: RegressorHandG,
    Regressor_HqdandCTqd_derivatives: Regressor_HqdandCTqd,
    RegressorMomentum_derivatives: RegressorMomentum,
    RegressorEnergy_derivatives: RegressorEnergy,
}
ARGUMENTS = {
    RegressorClassical: ("q", "qd", "qdd"),
    RegressorSL: ("q", "qd", "qd_r", "qdd"),
    RegressorHandG: ("q",),
    Regressor_HqdandCTqd: ("q", "qd"),
    RegressorMomentum: ("q", "qd"),
    RegressorEnergy: ("q", "qd"),
}
over_all = pytest.mark.parametrize("function", REGRESSOR, ids=lambda f: f.__name__)


def given(function: Any, state: zoo.State) -> dict[str, np.ndarray]:
    """Return the arguments of a function that differentiates a regressor; qd_r is the
    state's tau.
    """
    values = {"q": state.q, "qd": state.qd, "qd_r": state.tau, "qdd": state.qdd}
    return {name: values[name] for name in ARGUMENTS[REGRESSOR[function]]}


def stepped(model: Model, function: Any, field: str, args: dict[str, np.ndarray]) -> np.ndarray:
    """Compute by complex steps the derivative that a field ``dX_dy`` of a function's result
    contains.

    X is a field of the regressor, y one of its arguments.
    """
    name, by = field[1:].split("_d", 1)
    regressor = REGRESSOR[function].reference

    def of(y: Any) -> Any:
        return getattr(regressor(model, **{**args, by: y}), name)

    return complex_step_q(model, of, args["q"]) if by == "q" else complex_step(of, args[by])


@both_forms
@whole_zoo
@over_all
def test_derivatives_of_regressors_are_complex_steps(function: Any, name: str, form: str) -> None:
    """Every field agrees with complex steps, for links and rotors."""
    model, s = draw(name, (2,))
    args = given(function, s)
    result = in_form(form, function)(model, **args)
    for field, x in result._asdict().items():
        near(x, stepped(model, function, field, args), 1e-13)


@whole_zoo
def test_times_the_parameters_they_are_derivatives_of_inverse_dynamics(name: str) -> None:
    model, s = draw(name, (3,))
    links, rotors = getModelInertialParams(model)
    d, wanted = (
        f(model, s.q, s.qd, s.qdd) for f in (RegressorClassical_derivatives, ID_derivatives)
    )
    for Y, Y_rot, tau in zip(d[:2], d[2:], wanted[:2], strict=True):
        near(np.einsum("...kpl,p", Y, links) + np.einsum("...kpl,p", Y_rot, rotors), tau, 1e-13)


@whole_zoo
def test_times_the_parameters_they_are_derivatives_of_inertia(name: str) -> None:
    model, s = draw(name, (3,))
    links, rotors = getModelInertialParams(model)
    d = RegressorHandG_derivatives(model, s.q)
    H = np.einsum("...klpm,p", d.dYH_dq, links) + np.einsum("...klpm,p", d.dYH_rot_dq, rotors)
    near(H, H_derivatives(model, s.q), 1e-13)


@whole_zoo
def test_with_one_velocity_slotine_li_is_inverse_dynamics(name: str) -> None:
    """With qd_r = qd, derivatives with respect to both velocities add up to the one with respect to
    qd.

    The sum is the derivative of the regressor of inverse dynamics.
    """
    model, s = draw(name, (3,))
    d = RegressorSL_derivatives(model, s.q, s.qd, s.qd, s.qdd)
    wanted = RegressorClassical_derivatives(model, s.q, s.qd, s.qdd)
    both = (d.dY_dq, d.dY_dqd + d.dY_dqd_r, d.dY_rot_dq, d.dY_rot_dqd + d.dY_rot_dqd_r)
    all_near(both, wanted, 1e-13)


@whole_zoo
def test_momentum_and_gravity_columns_are_derivatives_of_energies(name: str) -> None:
    """Derivatives of the energies' regressors are the regressors of momenta and gravity forces.

    Momenta are derivatives of the kinetic energy with respect to velocities, gravity forces those
    of the potential energy along q.
    """
    model, s = draw(name, (3,))
    d, T = RegressorEnergy_derivatives(model, s.q, s.qd), lambda x: np.swapaxes(x, -1, -2)
    M, G = Regressor_HqdandCTqd(model, s.q, s.qd), RegressorHandG(model, s.q)
    all_near((d.dY_KE_dqd, d.dY_KE_rot_dqd), (T(M.Y_Hqd), T(M.Y_Hqd_rot)), 1e-13)
    all_near((d.dY_PE_dq, d.dY_PE_rot_dq), (T(G.Yg), T(G.Yg_rot)), 1e-13)


@pytest.mark.parametrize("name", ["floating", "mixed", "floating_rotors"])
def test_momentum_by_velocity_is_the_momentum_matrix(name: str) -> None:
    """The derivative with respect to velocity gives the linear rows of the centroidal momentum
    matrix.

    These do not depend on the point about which moments are taken.
    """
    model, s = draw(name, (3,))
    links, rotors = getModelInertialParams(model)
    d = RegressorMomentum_derivatives(model, s.q, s.qd)
    A = np.einsum("...apl,p", d.dYh_dqd, links) + np.einsum("...apl,p", d.dYh_rot_dqd, rotors)
    near(A[..., 3:, :], CMM(model, s.q)[..., 3:, :], 1e-13)


@over_all
@pytest.mark.parametrize("name", FEW)
@pytest.mark.parametrize("shape", [(), (2, 3), (MANY,)], ids=str)
def test_kernels_are_the_reference_implementation(
    function: Any, name: str, shape: tuple[int, ...]
) -> None:
    """Results agree for single states, small batches and SIMD batches."""
    model, s = draw(name, shape)
    args = given(function, s)
    all_near(function(model, **args), function.reference(model, **args), 1e-13)


@over_all
@pytest.mark.parametrize("name", FEW)
def test_kernels_are_the_reference_implementation_near_singular_configurations(
    function: Any, name: str
) -> None:
    model = zoo.build(name)
    q = zoo.near_singular(model)[::5]
    s = zoo.states(model, np.random.default_rng(4), q.shape[:-1])._replace(q=q)
    args = given(function, s)
    all_near(function(model, **args), function.reference(model, **args), 1e-13)


@over_all
@pytest.mark.parametrize("name", FEW)
def test_a_batch_is_its_states(function: Any, name: str) -> None:
    model, s = draw(name, (MANY,))
    args = given(function, s)
    whole = function(model, **args)
    for k in range(0, MANY, 4):
        one = function(model, **{name: x[k] for name, x in args.items()})
        all_near([x[k] for x in whole], one, 1e-13)
    out = tuple(np.full(x.shape, np.nan) for x in whole)
    function(model, **args, out=out)
    all_near(out, whole, 1e-15)
