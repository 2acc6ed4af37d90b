"""Regressors times the inertial parameters are the dynamics, and regressors agree with MATLAB."""

from collections.abc import Callable, Sequence
from typing import Any

import golden_io
import numpy as np
import pytest
import zoo
from derivative_checks import draw, golden
from helpers import FORMS, all_near, in_form, near

import spatial_v2 as sv
from spatial_v2.regressors.body_columns import body_columns

pytestmark = pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")
whole_zoo = pytest.mark.parametrize("name", zoo.MODELS)
both_forms = pytest.mark.parametrize("form", FORMS)
FEW = ["chain", "mixed", "planar_tree", "floating_rotors"]
DYNAMICS: dict[Any, tuple[tuple[str, ...], Callable[..., Any]]] = {
    sv.RegressorClassical: (("q", "qd", "qdd"), lambda *x: [sv.ID(*x)]),
    sv.RegressorSL: (("q", "qd", "tau", "qdd"), lambda *x: [sv.ID_SlotineLi(*x)]),
    sv.RegressorHandG: (("q",), lambda model, q: sv.HandC(model, q, 0 * q[..., : model.NV])),
    sv.Regressor_HqdandCTqd: (("q", "qd"), sv.Hqd_and_CTqd),
    sv.RegressorMomentum: (("q", "qd"), lambda *x: [sv.EnerMo(*x).htot]),
    sv.RegressorEnergy: (("q", "qd"), lambda *x: sv.EnerMo(*x)[:2]),
}
"""Arguments of each regressor, where qd_r is the state's tau, and what it is for the parameters."""
over_all = pytest.mark.parametrize("function", DYNAMICS, ids=lambda f: f.__name__)


def given(function: Any, state: zoo.State) -> list[np.ndarray]:
    return [getattr(state, name) for name in DYNAMICS[function][0]]


def times(model: sv.Model, regressor: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Return the products of regressors and parameters, summed over links and rotors.

    The second half of a regressor's fields belongs to rotors.
    """
    n, (links, rotors) = len(regressor) // 2, sv.getModelInertialParams(model)
    pairs = zip(regressor[:n], regressor[n:], strict=True)
    return [Y @ links + Y_rot @ rotors for Y, Y_rot in pairs]


@pytest.mark.parametrize("d", [3, 6])
def test_the_regressor_of_a_body_is_the_newton_euler_equation(d: int) -> None:
    """``Y pi = I a + v x* I v``; with v in place of a, and no velocity, it is the momentum I v."""
    rng = np.random.default_rng(d)
    a, v = rng.normal(size=(2, 7, d))
    for I in (zoo.random_inertia(rng, d) for _ in range(5)):
        one = sv.planar(1) if d == 3 else sv.autoTree(1)
        pi = sv.getModelInertialParams(one.replace(I=[I])).a
        near(
            sv.individualRegressor(a, v) @ pi, a @ I + (sv.crf(v) @ I @ v[..., None])[..., 0], 1e-14
        )
        near(sv.individualRegressor(v, 0 * v) @ pi, v @ I, 1e-14)


@pytest.mark.parametrize("d", [3, 6])
@pytest.mark.parametrize("k", range(3))
def test_motions_of_a_body_may_have_different_leading_axes(k: int, d: int) -> None:
    """One of acceleration, velocity and second velocity has a batch; the others are the same."""
    rng = np.random.default_rng(d)
    motions = [rng.normal(size=(5, d) if j == k else d) for j in range(3)]
    every = body_columns(*motions)
    for i, Y in enumerate(every):
        near(Y, body_columns(*(x[i] if j == k else x for j, x in enumerate(motions))), 1e-14)


def test_the_order_of_the_parameters_is_as_named() -> None:
    """Each column belongs to the parameter of its name: the others are zero in the inertia."""
    v = np.random.default_rng(2).normal(size=6)
    for k, name in enumerate(sv.INERTIAL_PARAMETERS):
        I = np.zeros((6, 6))
        if name == "m":
            I[3:, 3:] = np.eye(3)
        elif name[0] == "h":
            C = sv.crm(np.eye(6)["xyz".index(name[1])])[:3, :3]
            I[:3, 3:], I[3:, :3] = C, C.T
        else:
            i, j = ("xyz".index(c) for c in name[1:])
            I[i, j] = I[j, i] = 1.0
        near(sv.individualRegressor(v, 0 * v)[:, k], I @ v, 1e-15)


def test_planar_motion_feels_four_parameters() -> None:
    a, v = np.random.default_rng(2).normal(size=(2, 3))
    felt = np.any(sv.individualRegressor(a, v) != 0, axis=0)
    assert [sv.INERTIAL_PARAMETERS[k] for k in np.flatnonzero(felt)] == ["m", "hx", "hy", "Izz"]


@both_forms
@whole_zoo
@over_all
@pytest.mark.parametrize("shape", [(3,), (21,), ()], ids=str)
def test_times_the_parameters_they_are_the_dynamics(
    function: Any, name: str, form: str, shape: tuple[int, ...]
) -> None:
    """For no multiple of the SIMD width, too; `RegressorHandG` is for a robot at rest."""
    model, s = draw(name, shape)
    args = given(function, s)
    found = times(model, in_form(form, function)(model, *args))
    all_near(found, DYNAMICS[function][1](model, *args), 1e-13)


@pytest.mark.parametrize("name", FEW)
@pytest.mark.parametrize("number", [1, 2, 3])
def test_factorisations_may_be_numbers_or_functions(name: str, number: Any) -> None:
    """The factorisation may be given by its number, or as a function."""
    model, s = draw(name, (3,))
    args = model, s.q, s.qd, s.tau, s.qdd
    Y = sv.RegressorSL(*args, factorization=number)
    near(times(model, Y)[0], sv.ID_SlotineLi(*args, factorization=number), 1e-13)
    all_near(sv.RegressorSL(*args, lambda I, v: sv.factorFunctions(I, v, number)), Y, 1e-13)


def test_unknown_factorisations_are_refused() -> None:
    with pytest.raises(sv.SpatialError, match="1, 2 or 3"):
        sv.RegressorSL(sv.autoTree(1), [0], [0], [0], [0], 4)


@both_forms
@whole_zoo
def test_with_one_velocity_slotine_li_is_inverse_dynamics(name: str, form: str) -> None:
    model, s = draw(name, (3,))
    Y = in_form(form, sv.RegressorSL)(model, s.q, s.qd, s.qd, s.qdd)
    all_near(Y, in_form(form, sv.RegressorClassical)(model, s.q, s.qd, s.qdd), 1e-13)


@whole_zoo
def test_inverse_dynamics_is_linear_in_acceleration(name: str) -> None:
    """``Y(qdd) = YH qdd + Y(0)``, and Y(0) is Yg at rest."""
    model, s = draw(name, (3,))
    YH, Yg, YH_rot, Yg_rot = sv.RegressorHandG(model, s.q)
    still = sv.RegressorClassical(model, s.q, 0 * s.qd, s.qdd)
    for Y, H, g in zip(still, (YH, YH_rot), (Yg, Yg_rot), strict=True):
        near(Y, np.einsum("...klp,...l->...kp", H, s.qdd) + g, 1e-13)


@whole_zoo
def test_twice_the_kinetic_energy_is_velocity_times_momentum(name: str) -> None:
    """``2 Y_KE = qd . Y_Hqd`` holds for each column, and so for inertias that no body has."""
    model, s = draw(name, (3,))
    E, M = sv.RegressorEnergy(model, s.q, s.qd), sv.Regressor_HqdandCTqd(model, s.q, s.qd)
    for KE, Y in ((E.Y_KE, M.Y_Hqd), (E.Y_KE_rot, M.Y_Hqd_rot)):
        near(2 * KE, np.einsum("...k,...kp->...p", s.qd, Y), 1e-13)


@pytest.mark.parametrize("name", FEW)
@over_all
def test_kernels_are_the_reference_implementation_near_singular_configurations(
    function: Any, name: str
) -> None:
    model = zoo.build(name)
    q = zoo.near_singular(model)
    s = zoo.states(model, np.random.default_rng(4), q.shape[:-1])._replace(q=q)
    args = given(function, s)
    all_near(function(model, *args), function.reference(model, *args), 1e-13)


@pytest.mark.parametrize("name", FEW)
@over_all
def test_inertias_of_the_model_have_no_effect(function: Any, name: str) -> None:
    model, s = draw(name, (3,))
    args = given(function, s)
    other = model.replace(I=2 * model.I)
    all_near(function(other, *args), function(model, *args), 0.0)


@whole_zoo
def test_joints_feel_what_they_carry(name: str) -> None:
    """Columns of a body are zero in the rows of joints that do not move the body."""
    model, s = draw(name, (2,))
    Y = sv.RegressorClassical(model, s.q, s.qd, s.qdd).Y
    for i, ancestors in enumerate(model.ancestors):
        other = ~np.isin(model.body_of_v, ancestors)
        assert not Y[..., other, 10 * i : 10 * i + 10].any()


def test_gravity_is_that_of_the_model() -> None:
    model, s = draw("mixed", (2,))
    assert not sv.RegressorHandG(sv.weightless(model), s.q).Yg.any()
    assert sv.RegressorHandG(model, s.q).Yg.any()


def test_wrong_shapes_are_refused() -> None:
    with pytest.raises(sv.ArrayShapeError, match="individualRegressor: a"):
        sv.individualRegressor(np.ones(4), np.ones(6))
    with pytest.raises(sv.ArrayShapeError, match="individualRegressor: v"):
        sv.individualRegressor(np.ones(6), np.ones(3))
    with pytest.raises(sv.ArrayShapeError, match="qdd"):
        sv.RegressorClassical(sv.autoTree(2), [0, 0], [0, 0], [0])


def of_matlab(what: str) -> list[tuple[str, str]]:
    files = ("d_regressors", "d_rotor")
    return [(file, case) for file in files for case in golden_io.cases(file, what)]


MATLAB = {
    sv.RegressorClassical: (("in_q", "in_qd", "in_qdd"), ("Y", "Y_rot")),
    sv.RegressorSL: (("in_q", "in_qd", "in_qd_r", "in_qdd"), ("Y", "Y_rot")),
    sv.Regressor_HqdandCTqd: (
        ("in_q", "in_qd"),
        ("Y_Hqd", "Y_CTqd", "Y_Hqd_rot", "Y_CTqd_rot"),
    ),
}


@both_forms
@pytest.mark.parametrize("function", MATLAB, ids=lambda f: f.__name__)
def test_regressors_agree_with_matlab(function: Any, form: str) -> None:
    arguments, fields = MATLAB[function]
    found = of_matlab(f"{function.__name__}_{fields[0]}")
    assert len(found) == 13
    for file, case in found:
        data = golden_io.load(file)
        model = golden_io.model_of(data, case)
        ours = in_form(form, function)(model, *golden(file, case, *arguments))
        for field in fields:
            name = f"{function.__name__}_{field}"
            if golden_io.has(data, case, name):
                near(getattr(ours, field), golden_io.get(data, case, name), 1e-11)
            else:
                assert getattr(ours, field).shape[-1] == 0


@both_forms
def test_regressors_of_inertia_and_gravity_agree_with_matlab(form: str) -> None:
    """Regressors of H and g agree with MATLAB, which stacks the columns of H."""
    names = {"YH": "YH", "YH_rot": "YH_rotor", "Yg": "Yg", "Yg_rot": "Yg_rot"}
    compared = 0
    for file, case in of_matlab("RegressorHandG_Yg"):
        data = golden_io.load(file)
        (q,) = golden(file, case, "in_q")
        ours = in_form(form, sv.RegressorHandG)(golden_io.model_of(data, case), q)
        for field, name in names.items():
            if golden_io.has(data, case, f"RegressorHandG_{name}"):
                wanted, x = (
                    golden_io.get(data, case, f"RegressorHandG_{name}"),
                    getattr(ours, field),
                )
                near(x.reshape(wanted.shape), wanted, 1e-11)
                compared += 1
        if golden_io.has(data, case, "RegressorHandG_YH_a"):
            a = golden_io.raw(data, case, "getModelInertialParams_a").ravel()
            near(ours.YH @ a, golden_io.get(data, case, "RegressorHandG_YH_a"), 1e-11)
            compared += 1
    assert compared == 9 + 9 + 2 + 2 + 2 * 4


def test_the_regressor_of_a_body_agrees_with_matlab() -> None:
    a, v, Y = golden("d_regressors", "ind", "in_a", "in_v", "individualRegressor_Y")
    near(sv.individualRegressor(a, v), Y, 1e-12)


def test_parameters_agree_with_matlab() -> None:
    """Inertial parameters of links and rotors agree, in MATLAB's order."""
    for file, case in of_matlab("getModelInertialParams_a"):
        data = golden_io.load(file)
        links, rotors = sv.getModelInertialParams(golden_io.model_of(data, case))
        near(links, golden_io.raw(data, case, "getModelInertialParams_a").ravel(), 1e-13)
        if len(rotors):
            wanted = golden_io.raw(data, case, "getModelInertialParams_a_rotor").ravel()
            near(rotors, wanted, 1e-13)
