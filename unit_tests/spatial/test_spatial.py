"""Spatial and planar vector algebra: MATLAB's numbers and algebraic properties."""

from typing import Any

import golden_io
import numpy as np
import pytest
from helpers import exact
from numpy.testing import assert_array_equal
from spatial_samples import (
    E3,
    F2,
    F3,
    G3,
    G6,
    I3,
    MASS,
    P2,
    P3,
    PLANAR_INERTIA,
    R2,
    R3,
    RBI3,
    RBI6,
    T4,
    THETA,
    V3,
    V6,
    X3,
    X6,
    by_number,
    times,
    transpose,
)

from spatial_v2.spatial import (
    AdjointToSE3,
    Fpt,
    SE3toAdjoint,
    Vpt,
    Xpt,
    XtoV,
    crf,
    crm,
    crmExtract,
    factorFunctions,
    icrf,
    inertia_parts,
    mcI,
    motion_cross_matrix,
    planar_transform_parts,
    plnr,
    pluho,
    plux,
    rotx,
    roty,
    rotz,
    transform_parts,
    xlt,
)
from spatial_v2.three_d import rotation_vector_to_rotation, rx, ry, rz

DATA = golden_io.load("a_spatial")


def rows(function: Any) -> Any:
    """Wrap a function of points so that it takes and returns MATLAB's array with one point per
    column.
    """
    return lambda first, points: transpose(function(first, transpose(points)))


GOLDEN = [
    ("ang", rotx, ["in_theta"], "rotx_X"),
    ("ang", roty, ["in_theta"], "roty_X"),
    ("ang", rotz, ["in_theta"], "rotz_X"),
    ("xf", xlt, ["in_r"], "xlt_X"),
    ("xf", plux, ["in_E", "in_r"], "plux_X"),
    ("xf", lambda X: plux(X).E, ["plux_X"], "plux_E"),
    ("xf", lambda X: plux(X).r, ["plux_X"], "plux_r"),
    ("xf", pluho, ["plux_X"], "pluho_T"),
    ("xf", pluho, ["pluho_T"], "pluho_X"),
    ("xf", AdjointToSE3, ["SE3toAdjoint_X"], "AdjointToSE3_T"),
    ("xf", SE3toAdjoint, ["AdjointToSE3_T"], "SE3toAdjoint_X"),
    ("xf", XtoV, ["plux_X"], "XtoV_v"),
    ("xtov_small", XtoV, ["in_X"], "v"),
    ("pl", plnr, ["in_theta", "in_r"], "plnr_X"),
    ("pl", lambda X: plnr(X).theta, ["plnr_X"], "plnr_theta"),
    ("pl", lambda X: plnr(X).r, ["plnr_X"], "plnr_r"),
    ("pl", plux, ["plux_E", "in_r"], "plux_X"),
    ("pl", lambda X: plux(X).E, ["plnr_X"], "plux_E"),
    ("pl", lambda X: plux(X).r, ["plnr_X"], "plux_r"),
    ("pl", XtoV, ["plnr_X"], "XtoV_v"),
    ("crs", crm, ["in_v"], "crm"),
    ("crs", crf, ["in_v"], "crf"),
    ("crs", icrf, ["in_f"], "icrf"),
    ("crs", crm, ["in_v3"], "crm3"),
    ("crs", crf, ["in_v3"], "crf3"),
    ("crs", crmExtract, ["crm"], "crmExtract_v"),
    ("crs", crm, ["crm"], "crm_of_6x6"),
    ("crs", by_number(1), ["in_I", "in_v"], "factorFunctions_B1"),
    ("crs", by_number(2), ["in_I", "in_v"], "factorFunctions_B2"),
    ("crs", by_number(3), ["in_I", "in_v"], "factorFunctions_B3"),
    ("crs", factorFunctions, ["in_I", "in_v"], "factorFunctions_Bdefault"),
    ("mci", mcI, ["in_m", "in_c", "in_I"], "rbi"),
    ("mci", lambda rbi: mcI(rbi).m, ["rbi"], "m"),
    ("mci", lambda rbi: mcI(rbi).c, ["rbi"], "c"),
    ("mci", lambda rbi: mcI(rbi).I, ["rbi"], "I"),
    ("mci2", mcI, ["in_m", "in_c", "in_I"], "rbi"),
    ("mci2", lambda rbi: mcI(rbi).m, ["rbi"], "m"),
    ("mci2", lambda rbi: mcI(rbi).c, ["rbi"], "c"),
    ("mci2", lambda rbi: mcI(rbi).I, ["rbi"], "I"),
    ("pt", Vpt, ["in_v4", "in_p"], "Vpt_v4"),
    ("pt", Fpt, ["in_fp", "in_p"], "Fpt_f"),
    ("pt2", Vpt, ["in_v4", "in_p"], "Vpt_v4"),
    ("pt2", Fpt, ["in_fp", "in_p"], "Fpt_f"),
]


@pytest.mark.parametrize(("case", "function", "inputs", "output"), GOLDEN)
def test_functions_agree_with_matlab(
    case: str, function: Any, inputs: list[str], output: str
) -> None:
    """Every sample agrees with MATLAB's numbers."""
    for *args, wanted in golden_io.samples(DATA, case, *inputs, output):
        args = [x[0] if x.shape == (1,) else x for x in args]
        exact(function(*args), wanted if wanted.shape != (1,) else wanted[0], 5e-15)


@pytest.mark.parametrize(("case", "X"), [("xf", "plux_X"), ("pl", "plux_X")])
def test_points_as_columns_agree_with_matlab(case: str, X: str) -> None:
    """MATLAB's Xpt takes and returns one point per column."""
    points = golden_io.raw(DATA, case, "in_points")
    for transform, wanted in golden_io.samples(DATA, case, X, "Xpt_p"):
        exact(rows(Xpt)(transform, points), wanted, 5e-15)


@pytest.mark.parametrize("case", ["pt", "pt2"])
def test_one_velocity_serves_all_points(case: str) -> None:
    """One velocity serves all points, as in MATLAB."""
    v, p, wanted = (golden_io.raw(DATA, case, what) for what in ("in_v1", "in_p", "Vpt_v1"))
    exact(rows(Vpt)(v[:, 0], p), wanted, 5e-15)


def test_transforms_have_the_published_numbers() -> None:
    """The vector agrees with the one printed in section 17.3 of the description of MATLAB's
    functions.
    """
    v = XtoV(plux(rotation_vector_to_rotation([0.3, -0.2, 0.5]), [1, 2, 3]))
    wanted = [0.281357751, -0.187571834, 0.468929585, 1.556540989, 2.071324026, 2.179239734]
    exact(v, wanted, 1e-9)


def test_transforms_compose() -> None:
    """plux(E, r) = rot * xlt(r), and transforms of a chain multiply from the right."""
    exact(plux(rx(0.3), [1, 2, 3]), rotx(0.3) @ xlt([1, 2, 3]))
    for rot, r in ((rotx, rx), (roty, ry), (rotz, rz)):
        exact(rot(THETA), plux(r(THETA), np.zeros(3)))
    exact(X6 @ plux(E3, P3), pluho(T4 @ pluho(plux(E3, P3))), 1e-13)
    exact(plnr(0.2, R2) @ plnr(0.3, P2), plnr(0.5, P2 + Xpt(plnr(-0.3, 0 * R2), R2)))


def test_planar_transforms_are_slices() -> None:
    """Planar forms are the rows and columns (2, 3, 4) of the spatial ones."""
    plane, E = np.ix_([2, 3, 4], [2, 3, 4]), rz(THETA)
    r, c, p = (np.concatenate([x, np.zeros((2, 3, 1))], axis=-1) for x in (R2, P2, F2))
    at = (slice(None), slice(None), *plane)
    v, f = np.zeros((2, 2, 3, 6))
    v[..., 2:5], f[..., 2:5] = V3, G3
    I = np.zeros((2, 3, 3, 3))
    I[..., 2, 2] = PLANAR_INERTIA
    exact(X3, plux(E, r)[at])
    exact(plux(E[..., :2, :2], R2), plux(E, r)[at])
    exact(motion_cross_matrix(V3[..., None]), crm(v[..., None])[at])
    exact(crf(V3), crf(v)[at])
    exact(icrf(G3), icrf(f)[at])
    exact(RBI3, mcI(MASS, c, I)[at])
    exact(Xpt(X3, P2), Xpt(plux(E, r), c)[..., :2])
    exact(Vpt(V3, P2), Vpt(v, c)[..., :2])
    exact(Fpt(F2, P2), Fpt(p, c)[..., 2:5])


def test_functions_of_two_directions_are_inverse() -> None:
    """For every function with two directions, one inverts the other."""
    exact(plux(*plux(X6)), X6)
    exact(plux(*plux(X3)), X3)
    exact(plnr(*plnr(X3)), X3)
    exact(planar_transform_parts(X3).r, R2)
    exact(pluho(pluho(X6)), X6)
    exact(pluho(pluho(T4)), T4)
    exact(SE3toAdjoint(AdjointToSE3(X6)), X6)
    exact(mcI(*mcI(RBI6)), RBI6)
    exact(mcI(*mcI(RBI3)), RBI3)
    for part, wanted in zip(inertia_parts(RBI6), (MASS, P3, I3), strict=True):
        exact(part, wanted, 1e-12)
    assert_array_equal(crm(crm(V6[..., None])), V6)


@pytest.mark.parametrize("rbi", [np.zeros((6, 6)), np.diag([1.0, 2, 3, 0, 0, 0]), np.zeros((3, 3))])
def test_massless_bodies_have_parts(rbi: np.ndarray) -> None:
    """A body without mass has finite parts, where MATLAB has NaN, and its inertia is restored from
    them.
    """
    m, c, I = mcI(rbi)
    assert m == 0
    assert not np.any(c)
    assert_array_equal(mcI(m, c, I), rbi)
    assert_array_equal(mcI(np.stack([rbi, rbi + 1e-3])).m, [0, 1e-3])


@pytest.mark.parametrize(("X", "v", "f"), [(X6, V6, G6), (X3, V3, G3)])
def test_cross_products_move_with_the_frame(X: np.ndarray, v: np.ndarray, f: np.ndarray) -> None:
    """crm(X v) = X crm(v) X^-1, crf(X v) = X^-T crf(v) X^T, and crf = -crm^T."""
    inverse = np.linalg.inv(X)
    exact(motion_cross_matrix(times(X, v)), X @ motion_cross_matrix(v) @ inverse, 1e-12)
    exact(crf(times(X, v)), transpose(inverse) @ crf(v) @ transpose(X), 1e-12)
    exact(crf(v), -transpose(motion_cross_matrix(v)))
    exact(times(crf(v), f), times(icrf(f), v))
    exact(icrf(f), -transpose(icrf(f)))


@pytest.mark.parametrize(("u", "v"), [(V6, G6), (V3, G3)])
def test_cross_product_of_motions_is_a_lie_bracket(u: np.ndarray, v: np.ndarray) -> None:
    """u x v = -v x u, and crm(u x v) = crm(u) crm(v) - crm(v) crm(u)."""
    U, V = motion_cross_matrix(u), motion_cross_matrix(v)
    exact(times(U, v), -times(V, u))
    exact(motion_cross_matrix(times(U, v)), U @ V - V @ U)


def test_power_and_energy_are_invariant() -> None:
    """Power f . v does not depend on the frame, and inertias transformed by I_A = X^T I_B X have
    the same kinetic energy.
    """
    f_B = times(np.linalg.inv(transpose(X6)), G6)
    exact((f_B * times(X6, V6)).sum(-1), (G6 * V6).sum(-1), 1e-12)
    I_A = transpose(X6) @ RBI6 @ X6
    m, c, _ = mcI(I_A)
    exact(m, MASS)
    exact(Xpt(X6, c), P3, 1e-12)


def test_inertia_of_a_point_mass_gives_its_momentum() -> None:
    """mcI(m, c, 0) v is the momentum of a particle of mass m at c: Fpt of its linear momentum."""
    momentum = times(mcI(MASS, P3, np.zeros((3, 3))), V6)
    exact(momentum, Fpt(MASS[..., None] * Vpt(V6, P3), P3), 1e-13)


@pytest.mark.parametrize(("X", "p"), [(X6, P3), (X3, P2)])
def test_points_velocities_and_forces_move_with_the_frame(X: np.ndarray, p: np.ndarray) -> None:
    """Points, their velocities and the forces at them transform consistently."""
    n = p.shape[-1]
    v, f = (V6, F3) if n == 3 else (V3, F2)
    E = transform_parts(X).E
    exact(Vpt(times(X, v), Xpt(X, p)), times(E, Vpt(v, p)), 1e-13)
    exact(times(transpose(X), Fpt(times(E, f), Xpt(X, p))), Fpt(f, p), 1e-13)
    exact((Fpt(f, p) * v).sum(-1), (f * Vpt(v, p)).sum(-1))
    T_p = Xpt(pluho(pluho(X6)), P3)
    exact(times(T4[..., :3, :3], P3) + T4[..., :3, 3], T_p)


@pytest.mark.parametrize("X", [X6, X3])
def test_small_displacements_are_exact_to_first_order(X: np.ndarray) -> None:
    """XtoV(X) is the same in both frames, has length sin(theta), and is exact to first order."""
    v = XtoV(X)
    exact(times(X, v), v, 1e-13)
    n = X.shape[-1]
    small = 1e-6 * (V6 if n == 6 else V3)
    exact(XtoV(np.eye(n) - motion_cross_matrix(small)), small, 2e-12)
    if n == 6:
        exact(XtoV(rotx(0.5))[0], np.sin(0.5))
        exact(XtoV(xlt(R3))[..., 3:], R3)


@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize(("I", "v"), [(RBI6, V6), (RBI3, V3)])
def test_factorisations_give_the_velocity_product_force(
    number: Any, I: np.ndarray, v: np.ndarray
) -> None:
    """B v = v x* I v and B + B^T = v x* I - I v x, the rate of change of the inertia."""
    B = factorFunctions(I, v, number)
    exact(times(B, v), times(crf(v) @ I, v), 1e-13)
    exact(B + transpose(B), crf(v) @ I - I @ motion_cross_matrix(v), 1e-13)


def test_third_factorisation_is_the_mean() -> None:
    """Of the factorisations of ``v x* I``, number 3 is the mean of 1 and 2; it is the default."""
    B1, B2, B3 = (factorFunctions(RBI6, V6, number) for number in (1, 2, 3))
    exact((B1 + B2) / 2, B3)
    assert_array_equal(factorFunctions(RBI6, V6), B3)


def test_complex_steps_are_the_closed_forms() -> None:
    """d rotx / d theta = -crm(e) rotx, and dX/dr is -crm of the moving frame's translation."""
    h = 1e-20
    for rot, axis in ((rotx, 0), (roty, 1), (rotz, 2)):
        step = rot(THETA + 1j * h).imag / h
        exact(step, -crm(np.eye(6)[axis]) @ rot(THETA))
    moved = plux(E3, R3 + 1j * h * P3).imag / h
    v = np.concatenate([0 * P3, times(E3, P3)], axis=-1)
    exact(moved, -motion_cross_matrix(v) @ X6)
    exact(plnr(THETA + 1j * h, R2).imag / h, -crm([1, 0, 0]) @ X3)
