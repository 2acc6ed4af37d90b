"""Body Jacobians and ground kinematics: MATLAB's numbers, velocities, forces, time derivatives."""

from typing import Any

import golden_io
import numpy as np
import pytest
import zoo
from derivative_checks import draw, golden
from helpers import near

import spatial_v2 as sv
from derivatives.reference import complex_step_q
from spatial_v2.dynamics.robot_kinematics import robot_kinematics

pytestmark = pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")
whole_zoo = pytest.mark.parametrize("name", zoo.MODELS)
FILES = ("d_dynamics_matrices", "d_planar")
CASES = [(f, case) for f in FILES for case in golden_io.cases(f, "BodyJacobian_A_J")]


@pytest.mark.parametrize(("file", "case"), CASES)
def test_values_agree_with_matlab(file: str, case: str) -> None:
    data = golden_io.load(file)
    model = golden_io.model_of(data, case)
    for frame in "AB":
        if not golden_io.has(data, case, f"BodyJacobian_{frame}_J"):
            continue
        body = int(data[f"{case}__in_body{frame}"].item()) - 1
        q, J = golden(file, case, "in_q", f"BodyJacobian_{frame}_J")
        near(sv.BodyJacobian(model, q, body, data[f"{case}__in_Xend{frame}"]), J, 1e-12)


@pytest.mark.parametrize("case", golden_io.cases(FILES[0], "BodyJacobian_A_J"))
def test_rates_agree_with_matlab(case: str) -> None:
    data = golden_io.load(FILES[0])
    model = golden_io.model_of(data, case)
    q, qd = golden(FILES[0], case, "in_q", "in_qd")
    a, b = (int(data[f"{case}__in_body{frame}"].item()) - 1 for frame in "AB")
    XA, XB, XB_dot = (data[f"{case}__in_Xend{x}"] for x in ("A", "B", "B_dot"))
    for args, what in (((a, XA), "A"), ((a,), "I"), ((b, XB, XB_dot), "B")):
        wanted = golden(FILES[0], case, f"BodyJacobianTimeDerivative_{what}_Jdot")
        near(sv.BodyJacobianTimeDerivative(model, q, qd, *args), *wanted, 1e-12)


@whole_zoo
def test_kernel_of_robot_kinematics_is_the_reference_implementation(name: str) -> None:
    """Kernel and reference implementation agree; the origin of the common frame is that of the last
    body.
    """
    model, s = draw(name, (2, 3))
    found = robot_kinematics(model, s.q, s.qd)
    for a, b in zip(found, robot_kinematics.reference(model, s.q, s.qd), strict=True):
        near(a, b, 1e-13)
    near(found.o, sv.forward_kinematics(model, s.q).p[..., -1, :], 1e-13)
    page = sv.forward_kinematics(model, s.q + 0j, s.qd + 0j)
    for a, b in zip(sv.forward_kinematics(model, s.q, s.qd), page, strict=True):
        near(a, b.real, 1e-13)


@whole_zoo
def test_velocity_of_a_body_is_jacobian_times_qd(name: str) -> None:
    """``J qd`` is the velocity of the body, by default in body coordinates."""
    model, s = draw(name, (3,))
    motion = sv.forward_kinematics(model, s.q, s.qd)
    for i in range(model.NB):
        J = sv.BodyJacobian(model, s.q, i)
        near((J @ s.qd[..., None])[..., 0], motion.v[..., i, :], 1e-13)
        others = np.setdiff1d(np.arange(model.NV), model.ancestor_vinds[i])
        assert not J[..., others].any()


@whole_zoo
def test_rate_of_the_jacobian_is_a_complex_step(name: str) -> None:
    """The time derivative agrees with a complex step along qd, also with a moving end transform."""
    model, s = draw(name)
    d = len(model.I[0])
    rng = np.random.default_rng(3)
    X, X_dot = rng.normal(size=(2, 4, d))
    for i in range(model.NB):

        def J(q: Any, i: int = i) -> Any:
            return sv.BodyJacobian(model, q, i, X)

        rate = complex_step_q(model, J, s.q, [s.qd])[..., 0]
        near(sv.BodyJacobianTimeDerivative(model, s.q, s.qd, i, X), rate, 1e-13)
        moving = sv.BodyJacobianTimeDerivative(model, s.q, s.qd, i, X, X_dot)
        near(moving, rate + X_dot @ sv.BodyJacobian(model, s.q, i), 1e-13)


@whole_zoo
@pytest.mark.slow
def test_acceleration_of_a_body_is_that_of_inverse_dynamics(name: str) -> None:
    """``J qdd + dJ/dt qd`` is the acceleration that inverse dynamics finds, without gravity."""
    model = zoo.build(name).replace(has_rotor=None)
    model.gravity = 0 * model.gravity
    s = zoo.states(model, np.random.default_rng(5))
    _, info = sv.ID(model, s.q, s.qd, s.qdd, return_info=True)
    for i in range(model.NB):
        J, Jdot = sv.BodyJacobian(model, s.q, i), sv.BodyJacobianTimeDerivative(model, s.q, s.qd, i)
        near(J @ s.qdd + Jdot @ s.qd, info.a[i], 1e-12)


@pytest.mark.parametrize(
    ("args", "error", "message"),
    [
        ((5,), sv.ModelError, "body: want a number from 0 to 4, got 5; the base is -1"),
        ((-1,), sv.ModelError, "body: want a number from 0 to 4, got -1; the base is -1"),
        (("hand",), sv.ModelError, "body: want the number of a body, got 'hand'"),
        ((1, np.ones(6)), sv.ArrayShapeError, "Xend: want shape (..., k, 6), got (6,)"),
        ((1, np.eye(3)), sv.ArrayShapeError, "Xend: want shape (..., k, 6), got (3, 3)"),
    ],
)
def test_bad_input_is_refused(args: tuple[Any, ...], error: type[Exception], message: str) -> None:
    model, s = draw("floating")
    for call in (
        lambda: sv.BodyJacobian(model, s.q, *args),
        lambda: sv.BodyJacobianTimeDerivative(model, s.q, s.qd, *args),
    ):
        with pytest.raises(error) as info:
            call()
        assert message in str(info.value)


def test_wrong_rate_of_the_end_transform_is_refused() -> None:
    model, s = draw("floating")
    with pytest.raises(sv.ArrayShapeError, match=r"Xend_dot: want shape \(..., k, 6\)"):
        sv.BodyJacobianTimeDerivative(model, s.q, s.qd, 1, np.eye(6), np.eye(5))
