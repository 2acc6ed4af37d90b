"""Joint types: MATLAB's numbers, and properties that hold for every row of the joint table."""

from typing import Any

import golden_io
import numpy as np
import pytest
import zoo
from helpers import near
from numpy.testing import assert_allclose, assert_array_equal
from scipy.linalg import expm

import spatial_v2 as sv
from spatial_v2.joints import JOINT_TYPES, joint_type
from spatial_v2.model.checks import check_transforms

DATA = golden_io.load("b_joints")
EPS = 1e-30


def typed(code: str) -> Any:
    """Return the joint type of a code, with a pitch if it needs one."""
    return {"code": code, "pars": {"pitch": 0.37}} if code.startswith("H") else code


def one_body(code: str) -> sv.Model:
    planar = JOINT_TYPES[code].planar
    inertia = sv.mcI(1.0, [0.1, 0.2], 1.0) if planar else sv.mcI(1.0, [0.1, 0.2, 0.3], np.eye(3))
    return sv.Model(
        parent=[-1], jtype=[typed(code)], Xtree=[np.eye(3 if planar else 6)], I=[inertia]
    )


def positions(model: sv.Model) -> np.ndarray:
    """Return random and near-singular positions of a model with one joint."""
    random = zoo.states(model, np.random.default_rng(3), (5,)).q
    return np.concatenate([random, zoo.near_singular(model)])


codes = pytest.mark.parametrize("code", JOINT_TYPES)


@pytest.mark.parametrize("case", golden_io.cases("b_joints"))
def test_values_agree_with_matlab(case: str) -> None:
    code = str(DATA[f"{case}__code"][0])
    pitch = DATA.get(f"{case}__pitch")
    jtype = code if pitch is None else {"code": code, "pars": {"pitch": pitch.item()}}
    X, S = sv.jcalc(jtype, golden_io.get(DATA, case, "in_q").reshape(6, -1))
    assert_allclose(X, golden_io.get(DATA, case, "Xj"), atol=1e-15, rtol=1e-14)
    assert_array_equal(S, DATA[f"{case}__S"])
    assert sv.jinfo(jtype) == (DATA[f"{case}__nq"].item(), DATA[f"{case}__nv"].item())


def test_every_code_of_matlab_is_in_the_table() -> None:
    golden = {str(DATA[f"{case}__code"][0]) for case in golden_io.cases("b_joints")}
    assert golden | {"R-", "P-", "H-"} == JOINT_TYPES.keys()


@codes
def test_sizes_are_those_of_the_group(code: str) -> None:
    """nq and nv are the dimensions of the joint's group, and S has full column rank."""
    row, model = joint_type(typed(code)), one_body(code)
    assert len(row.group.neutral) == row.nq == model.NQ
    assert row.S.shape == (3 if row.planar else 6, row.nv)
    assert np.linalg.matrix_rank(row.S) == row.nv


@codes
def test_joint_transforms_are_pluecker_transforms(code: str) -> None:
    """X_J is [E 0; -E rx E] with a rotation E, also next to half turns."""
    X, _ = sv.jcalc(typed(code), positions(one_body(code)))
    check_transforms("X_J", np.asarray(X))


@codes
def test_subspace_is_the_derivative(code: str) -> None:
    """The derivative of X_J along velocity variable k is -(S_k x) X_J, by complex steps."""
    model = one_body(code)
    q = positions(model)
    X, S = sv.jcalc(typed(code), q)
    for k in range(model.NV):
        step = sv.configurationAddition(model, q, 1j * EPS * np.eye(model.NV)[k])
        dX = sv.jcalc(typed(code), step)[0].imag / EPS
        assert_allclose(dX, -sv.crm(S[:, k]) @ X, atol=1e-14)


@codes
def test_finite_motion_is_the_exponential(code: str) -> None:
    """Finite motions satisfy X_J(q (+) dq) = exp(-(S dq) x) X_J(q)."""
    model, rng = one_body(code), np.random.default_rng(5)
    q = positions(model)
    for size in (1e-9, 1e-3, 1.0, 3.0):
        dq = size * rng.normal(size=model.NV)
        X, S = sv.jcalc(typed(code), q)
        moved, _ = sv.jcalc(typed(code), sv.configurationAddition(model, q, dq))
        assert_allclose(moved, expm(-sv.crm(S @ dq)) @ X, atol=1e-13 * max(1, size))


@pytest.mark.parametrize("code", [c for c in JOINT_TYPES if c.endswith("-")])
def test_negative_axes_reverse_the_joint(code: str) -> None:
    """A joint about a reversed axis has the X_J of the other one at -q, and the opposite S."""
    q = np.linspace(-3, 3, 7)[:, None]
    X, S = sv.jcalc(typed(code), q)
    X_plus, S_plus = sv.jcalc(typed(code[:-1]), -q)
    near(X, X_plus, 1e-15)
    assert_array_equal(S, -S_plus)


def test_joints_with_other_coordinates_are_equal() -> None:
    """S and SO3, and Fb and SE3, are the same joints in other coordinates; R means Rz,
    P means Pz.
    """
    rng = np.random.default_rng(7)
    q = zoo.states(one_body("Fb"), rng, (6,)).q
    X = sv.jcalc("Fb", q)[0]
    E = X[:, :3, :3]
    T = np.zeros((6, 4, 4))
    T[:, :3, :3], T[:, 3, 3] = E, 1.0
    T[:, :3, 3] = -(E @ q[:, 4:, None])[..., 0]
    assert_allclose(sv.jcalc("SE3", T.transpose(0, 2, 1).reshape(6, 16))[0], X, atol=1e-14)
    turn = sv.jcalc("S", q[:, :4])[0]
    assert_allclose(sv.jcalc("SO3", E.transpose(0, 2, 1).reshape(6, 9))[0], turn, atol=1e-15)
    for short, long in (("R", "Rz"), ("P", "Pz"), ("R-", "Rz-"), ("P-", "Pz-")):
        assert_array_equal(sv.jcalc(short, 0.3)[0], sv.jcalc(long, 0.3)[0])
    assert_array_equal(
        sv.jcalc({"code": "H", "pars": {"pitch": 0}}, 0.3)[0], sv.jcalc("Rz", 0.3)[0]
    )


@pytest.mark.parametrize("code", ["S", "Fb"])
def test_norms_of_quaternions_have_no_effect(code: str) -> None:
    q = zoo.states(one_body(code), np.random.default_rng(1)).q
    scaled = np.concatenate([-2.5 * q[:4], q[4:]])
    assert_allclose(sv.jcalc(code, scaled)[0], sv.jcalc(code, q)[0], atol=1e-15)


@pytest.mark.parametrize(
    ("jtype", "message"),
    [
        ("Rw", r"unknown joint code 'Rw'; did you mean .R. or .Rz.\? Valid codes: R, Rx, Ry"),
        ("rx", "unknown joint code 'rx'"),
        ("", "unknown joint code ''"),
        ("H", "needs its pitch"),
        ({"code": "H"}, "needs its pitch"),
        ({"code": "H-", "pars": {"pitch": "big"}}, "needs its pitch"),
        ({"kode": "Rx"}, "want a joint code such as 'Rz', or a dict"),
        (3, "want a joint code such as"),
        (None, "want a joint code such as"),
    ],
)
def test_unknown_types_are_refused(jtype: Any, message: str) -> None:
    for function in (sv.jinfo, lambda j: sv.jcalc(j, 0.0)):
        with pytest.raises(sv.JointTypeError, match=message):
            function(jtype)


@pytest.mark.parametrize("code", ["Rx", "S", "SE3", "px"])
def test_a_wrong_number_of_positions_is_refused(code: str) -> None:
    n = JOINT_TYPES[code].nq
    for shape in ((n + 1,), (2, n - 1), (n, 2)):
        with pytest.raises(sv.ArrayShapeError, match=f"nq = {n} position variables"):
            sv.jcalc(code, np.zeros(shape))
