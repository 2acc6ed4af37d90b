"""Golden numbers of linkages, and Lagrange's equation of one coordinate with 50 digits."""

import mpmath
import numpy as np
import pytest
import sympy
from helpers import near
from mechanisms import (
    five_bar,
    four_bar,
    four_bar_by_formula,
    four_bar_by_hinge,
    polynomial,
    slider_crank,
    spatial_linkage,
    stewart,
)

from derivatives import (
    ID_derivatives,
    ID_SO_derivatives,
)
from spatial_v2 import (
    CRBA,
    ID,
)

GOLDEN = {
    "four_bar": (four_bar, [0.7], [1.3], [-0.5], [4.60823158956, -3.36005842757, 0.233394863067,
                 0.182110683513, -10.363011762, 0.179534510052, 0.803042479179, 0.179534510052]),
    "four_bar_by_hinge": (four_bar_by_hinge, [0.7], [1.3], [-0.5], [4.60823158956, -3.36005842757,
                 0.233394863067, 0.182110683513, -10.363011762, 0.179534510052, 0.803042479179,
                 0.179534510052]),
    "four_bar_by_formula": (four_bar_by_formula, [0.7], [1.3], [-0.5], [4.60823158956,
                 -3.36005842757, 0.233394863067, 0.182110683513, -10.363011762, 0.179534510052,
                 0.803042479179, 0.179534510052]),
    "slider_crank": (slider_crank, [0.9], [1.3], [-0.5], [1.52876726682, -2.78642257051,
                 0.386742604927, 0.296118598013, -2.55901424309, 0.297494311482, -0.711741846472,
                 0.297494311482]),
    "spatial_linkage": (spatial_linkage, [0.4], [1.3], [-0.5], [-0.352558501326, -1.76680381324,
                 -0.0212104265096, 0.146758820534, 0.464107593014, -0.0163157126997,
                 -0.27841593911, -0.0163157126997]),
    "polynomial": (polynomial, [0.6], [1.1], [-0.4], [6.37013433444, -6.80560239265,
                 -0.0060538978917, 0.525968141559, -7.44324607239, -0.00550354353791,
                 0.236740658644, -0.00550354353791]),
}  # fmt: skip
"""Joint force, its derivatives, H, second derivatives by y, yd and both, and dH/dy."""


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_numbers_of_one_variable(name):
    make, y, yd, ydd, wanted = GOLDEN[name]
    model = make()
    found = [ID(model, y, yd, ydd), *ID_derivatives(model, y, yd, ydd), CRBA(model, y)]
    found += ID_SO_derivatives(model, y, yd, ydd)
    near(np.concatenate([np.ravel(x) for x in found]), wanted, 2e-11)


def test_golden_numbers_of_a_five_bar():
    model, y, yd, ydd = five_bar(), [2.0, 1.1], [1.3, -0.8], [-0.5, 0.6]
    near(
        model.coupling.configuration(np.array(y)), [2, -1.209524575344, 1.1, 1.229449990938], 1e-11
    )
    near(ID(model, y, yd, ydd), [-4.13828590771, 4.42272942078], 1e-11)
    d, s = ID_derivatives(model, y, yd, ydd), ID_SO_derivatives(model, y, yd, ydd)
    near(d.dtau_dq, [[-7.07256153435, 1.08323261179], [0.84623316135, -6.8867174691]], 1e-11)
    near(d.dtau_dqd, [[0.242803244052, -0.316674518122], [-0.401480237067, 0.19075115742]], 1e-11)
    near(
        CRBA(model, y)[[0, 0, 1], [0, 1, 1]],
        [0.331861819913, 0.0269195590515, 0.322927126372],
        1e-11,
    )
    near(s.d2tau_dq[:, [0, 0, 1], [0, 1, 1]], [[2.83762320405, 0.676763725539, -1.04175392823],
         [1.74631107968, -0.813429548494, -3.34579577553]], 1e-10)  # fmt: skip
    near(s.d2tau_dqd[:, [0, 0, 1], [0, 1, 1]], [[0.139952748591, -0.0760808386057, 0.272211784918],
         [-0.267776633242, 0.0667132673149, -0.130029887388]], 1e-11)  # fmt: skip


def test_golden_numbers_of_a_stewart_platform():
    rotation = np.r_[np.cos(0.1), np.sin(0.1) * np.array([0.6, 0, 0.8])]
    pose = np.r_[rotation, 0.03, -0.05, 0.9]
    yd = np.array([0.1, -0.2, 0.3, 0.4, -0.5, 0.6])
    ydd = np.array([0.3, 0.2, 0.1, 0, -0.1, -0.2])
    model = stewart()
    q = model.coupling.configuration(pose)
    near(q[9], 1.12611607826, 1e-11)
    wanted = [-0.861626019655, -0.918977774734, 0.189184360048, 1.11164501404, 9.84752120244]
    near(ID(model, pose, yd, ydd), [*wanted, 87.3195071655], 1e-10)
    sums = [-12.4797850884, 0.35531699817, 29.277817932, 19.1716912302, -0.842857391873]
    check_sums(model, pose, yd, ydd, [*sums, 2.04605283408], 176.915097858)
    legs = stewart(legs=True)
    wanted = [14.3864129617, 18.3585199956, 11.7738774919, 18.1019881021, 11.0410451727]
    y = q[9::3]
    near(ID(legs, y, yd, ydd), [*wanted, 21.3183850268], 1e-10)
    near(ID(legs, q, yd, ydd), [*wanted, 21.3183850268], 1e-10)
    sums = [-45.5934329702, -0.0910421019604, 12.2258390421, 147.271159786, 2.45947819443]
    check_sums(legs, y, yd, ydd, [*sums, -8.44556656101], 656.466442527)


def check_sums(model, y, yd, ydd, sums, norm):
    """Compare sums of all entries of derivatives."""
    d, s = ID_derivatives(model, y, yd, ydd), ID_SO_derivatives(model, y, yd, ydd)
    parts = [*d, CRBA(model, y), s.d2tau_dq, s.d2tau_cross, s.dM_dq]
    near([np.sum(x) for x in parts], sums, 1e-9)
    near(np.linalg.norm(s.d2tau_dq), norm, 1e-9)


def test_a_four_bar_obeys_lagranges_equation_of_one_coordinate():
    """``L = J(a) a'^2 / 2 - V(a)``, of closed-form positions, with derivatives of 50 digits."""
    a = sympy.Symbol("a")
    x, z = 1 - 0.35 * sympy.cos(a), -0.35 * sympy.sin(a)
    square = x * x + z * z
    rod = sympy.atan2(z, x) + sympy.acos((0.81 + square - 0.49) / (1.8 * sympy.sqrt(square)))
    rocker = sympy.atan2(0.9 * sympy.sin(rod) - z, 0.9 * sympy.cos(rod) - x)
    places = [(0, 0), (0.35 * sympy.cos(a), 0.35 * sympy.sin(a)), (1, 0)]
    bodies = [(1.3, 0.17, 0.01, 0.021), (2.1, 0.4, -0.03, 0.19), (1.6, 0.33, 0.02, 0.09)]
    inertia = weight = sympy.Integer(0)
    for angle, (px, py), (m, cx, cy, about) in zip((a, rod, rocker), places, bodies, strict=True):
        c, s = sympy.cos(angle), sympy.sin(angle)
        centre = px + c * cx - s * cy, py + s * cx + c * cy
        inertia += (
            m * sum(sympy.diff(p, a) ** 2 for p in centre) + about * sympy.diff(angle, a) ** 2
        )
        weight += m * 9.81 * centre[1]
    with mpmath.workdps(50):
        J, V = (sympy.lambdify(a, f, "mpmath") for f in (inertia, weight))
        J, V = ([float(mpmath.diff(f, 0.7, k)) for k in range(4)] for f in (J, V))
    y, yd, ydd = [0.7], [1.3], [-0.5]
    tau, by_y, by_yy = (J[k] * ydd[0] + J[k + 1] * yd[0] ** 2 / 2 + V[k + 1] for k in range(3))
    model = four_bar()
    near(ID(model, y, yd, ydd), [tau], 1e-11)
    near(np.ravel(ID_derivatives(model, y, yd, ydd)), [by_y, J[1] * yd[0]], 1e-11)
    wanted = [by_yy, J[1], J[2] * yd[0], J[1]]
    near(np.ravel(ID_SO_derivatives(model, y, yd, ydd)), wanted, 1e-10)
