"""`spatial_v2.matlab` returns MATLAB's numbers for the functions of the extended library."""

from functools import partial
from inspect import signature
from typing import Any

import golden_io
import numpy as np
import pytest
from helpers import near
from numpy.testing import assert_allclose, assert_array_equal

import spatial_v2 as sv
from spatial_v2 import SpatialError
from spatial_v2 import matlab as m

KKT = golden_io.load("e_kkt_impact")


near = partial(near, tolerance=1e-9)


@pytest.mark.filterwarnings("ignore:.*no distribution of positive mass")
@pytest.mark.parametrize("foot", [1, 2])
def test_calls_with_a_foot_of_the_quadruped_agree_with_matlab(foot: int) -> None:
    """The argument `foot` replaces MATLAB's field quad_foot, and impacts are plastic (e = 0)."""
    robot, params = m.build_quadruped_model("2D")
    S, case = KKT["quad__in_S"], f"foot{foot}"
    assert params.knee_link_length == KKT["quad__kneelinkLength"].item()
    for k in range(2):

        def gold(what: str, k: int = k) -> np.ndarray:
            return golden_io.get(KKT, case, what)[k]

        q, qd, tau = (gold(f"in_{x}") for x in ("q", "qd", "tau"))
        near(m.KKT_FD(robot, q[:, None], qd, tau, S, foot=foot), gold("KKT_FD_Xf"))
        found = m.KKT_FO_derivatives(robot, q, qd, tau, S, foot=foot)
        for x, name in zip(found, ("dq", "dv", "dtau"), strict=True):
            near(x, gold(f"KKT_FO_{name}"))
        second = m.KKT_SO_derivatives(robot, q, qd, tau, S, foot=foot)
        for name, x in vars(second).items():
            near(x, gold(f"KKT_SO_{name}"))
        near(m.Impact_dyn(robot, q, qd, 0, foot=foot), gold("Impact_dyn_e0"))
        for x, name in zip(
            m.Impact_FO_derivatives(robot, q, qd, foot=foot), ("dq", "dv"), strict=True
        ):
            near(x, gold(f"Impact_FO_{name}"))
        for name, x in vars(m.Impact_SO_derivatives(robot, q, qd, foot=foot)).items():
            near(x, gold(f"Impact_SO_{name}"))


def test_calls_with_a_foot_of_another_robot_are_refused() -> None:
    with pytest.raises(SpatialError, match="robot of build_quadruped_model"):
        m.KKT_FD(sv.autoTree(3), *np.zeros((3, 3)), np.eye(3))


@pytest.mark.parametrize("case", ["chain", "fb"])
def test_second_derivatives_agree_with_matlab(case: str) -> None:
    data = golden_io.load("e_fd_so")
    model = golden_io.model_of(data, case)
    q, qd, qdd = (golden_io.get(data, case, f"in_{x}")[0] for x in ("q", "qd", "qdd"))
    for name in ("FD_SO_derivatives", "ID_SO_derivatives"):
        found = vars(getattr(m, name)(model, q, qd, qdd))
        told = [x for x in golden_io.load("e_fd_so") if x.startswith(f"{case}__{name}_")]
        assert told
        for x in told:
            field = x.removeprefix(f"{case}__{name}_")
            near(found[field], golden_io.get(data, case, f"{name}_{field}")[0])


def test_forces_of_bodies_are_selected_by_pairs() -> None:
    """Forces are selected by a pair of body numbers from 1, and returned in MATLAB's order."""
    data, case = golden_io.load("e_spatial_force"), "chain"
    model = golden_io.model_of(data, case)
    q, qd, qdd = (golden_io.get(data, case, f"in_{x}")[0] for x in ("q", "qd", "qdd"))
    names = [
        "df_dq",
        "dfc_dq",
        "df_dv",
        "dfc_dv",
        "df_da",
        "dfc_da",
        "dfc_dq_body",
        "dfc_dv_body",
        "dfc_da_body",
    ]
    for i in range(1, 6):
        for j in range(1, 6):
            found = m.spatial_force_derivatives(model, q, qd, qdd, i, j)
            assert len(found) == 9
            for x, name in zip(found, names, strict=True):
                near(x[:, 0], data[f"{case}__spatial_force_derivatives_{name}"][:, j - 1, i - 1])
    zero = m.spatial_force_SO_derivs(model, q, qd, qdd)
    assert not zero.d2fc_dav.any() and zero.d2fc_dva_b.shape == zero.d2fc_dq.shape


@pytest.mark.parametrize(
    ("name", "needs", "most"),
    [("ID", 3, 2), ("HandC", 2, 3), ("CMM", 2, 2), ("Christoffel", 1, 2), ("GlobalDynamics", 3, 2)],
)
def test_nargout_is_the_number_of_results(name: str, needs: int, most: int) -> None:
    """``nargout=1`` gives the first result alone, ``nargout=k`` the first k of all."""
    model, x = sv.autoTree(3), np.linspace(0.1, 0.9, 9).reshape(3, 3)
    every = getattr(m, name)(model, *x[:needs], nargout=most)
    assert len(every) == most
    for k in range(1, most):
        found = getattr(m, name)(model, *x[:needs], nargout=k)
        some = (found,) if k == 1 else found
        assert len(some) == k
        for one, same in zip(some, every, strict=False):
            assert type(one) is type(same)
            if isinstance(one, np.ndarray):
                near(one, same)


def test_quantities_of_the_ground_agree_with_matlab() -> None:
    data, case = golden_io.load("e_tensor_tools"), "tree"
    model = golden_io.model_of(data, case)
    q, qd, qdd = (golden_io.raw(data, case, f"in_{x}").ravel() for x in ("q", "qd", "qdd"))
    m6, f6 = (golden_io.raw(data, case, f"in_{x}") for x in ("m6", "f6"))
    glob, bod = m.GlobalDynamics(model, q, qd, qdd, m6, f6, nargout=2)
    for name in [x for x in data if x.startswith(f"{case}__GlobalDynamics_")]:
        field = name.removeprefix(f"{case}__GlobalDynamics_")
        x = getattr(glob, field)
        theirs = np.moveaxis(data[name], -1, 0) if field != "STf" else data[name].ravel()
        near(np.concatenate([np.atleast_1d(y.T) for y in x]) if isinstance(x, list) else x, theirs)
    near(bod.f.T, data[f"{case}__bodyFrame_dyn_f"])


def test_tensors_act_on_columns_as_in_matlab() -> None:
    """A vector is treated as a column, and a tensor of one page is returned as a matrix."""
    data = golden_io.load("e_tensor_tools")

    def t(name: str) -> np.ndarray:
        return data[f"tens__{name}"]

    U, V, F, f, v, I = (t(f"in_{x}") for x in "UVFfvI")
    for name in ("crmM", "cmfM"):
        near(getattr(m, name)(U), t(f"{name}_U"))
        near(getattr(m, name)(v), t(f"{name}_v"))
    near(m.cmf_barM(F), t("cmf_barM_F"))
    near(m.cmf_barM(f), t("cmf_barM_f"))
    near(m.cmf_bar(f), t("cmf_bar_f"))
    near(m.Bmat(I, v), t("Bmat_I_v"))
    near(m.Bten(I, V), t("Bten_I_V"))
    T = t("in_T")
    near(m.Tm(T, t("in_M")), t("Tm_T_M"))
    near(m.mT(t("in_A"), t("in_Y")), t("mT_A_Y"))
    near(m.rotR(T), t("rotR_T"))
    near(m.rotT(T), t("rotT_T"))
    near(m.tens_norm(T), t("tens_norm_T").item())
    near(m.hess_to_mat(t("in_Hess1")[None]), t("hess_to_mat"))
    near(m.hess_to_mat2(t("in_Hess2")[:, None]), t("hess_to_mat2"))


def test_step_methods_take_the_first_of_several_results() -> None:
    """MATLAB's functions differentiate the first of several results of f, and so does
    `spatial_v2.matlab`.

    The functions of `derivatives` raise an error instead.
    """
    from derivatives.reference import complexStepJacobian

    def f(x: Any) -> Any:
        return x * x, x, 1

    assert_allclose(m.complexStepJacobian(f, [1.0, 2.0]), [[2, 0], [0, 4]])
    with pytest.raises(SpatialError, match="f: want a function with one result, got 3"):
        complexStepJacobian(f, [1.0, 2.0])
    H = m.complexStepHessian_FD(f, np.array([1.0, 2.0]))
    assert len(H) == 3
    model, x = sv.autoTree(3), [0.1, 0.2, 0.3]
    d = m.complexStepForce(model, lambda q: sv.BodyJacobian(model, q, 2), x, 3, 1)
    assert d.shape == (6, 3, 1)
    near(m.complexStepForce_SOv(model, lambda v: v**2, x, 1, 2), [[0], [0.4], [0]])


def test_forces_that_are_not_columns_are_refused() -> None:
    model = sv.autoTree(2)
    X, f = {0: np.eye(6), 1: np.eye(6)}, np.ones((2, 6))
    with pytest.raises(SpatialError, match=r"f_in\[0\]: want a column, shape \(..., 6, 1\), got"):
        sv.apply_external_forces(model, X, f, f)  # type: ignore[arg-type]
    left = m.apply_external_forces([0, 1], [np.eye(6)] * 2, list(f), [[], f[1]])
    assert_array_equal(left, [f[0], 0 * f[1]])


def test_unsupported_arguments_are_refused() -> None:
    with pytest.raises(SpatialError, match="bodies without mass stay so"):
        m.URDF_to_spatialv2_model("robot.urdf", 1)
    with pytest.raises(TypeError, match="load_urdf: got 1 as second argument"):
        sv.load_urdf("robot.urdf", 1)
    with pytest.raises(SpatialError, match="saved animations are not read"):
        m.showmotion("save", "file")
    for call in (lambda: m.unitVector(0, 3), lambda: m.outputSelect(2, abs, 1)):
        with pytest.raises(SpatialError, match="must be from 1 to"):
            call()
    motion = m.showmotion(sv.autoTree(2), [0, 1], np.zeros((2, 2)))
    assert "2 bodies" in repr(motion)
    assert m.randomSkew(2).shape == (2, 2)


RANDOM = [
    x for x in m.__all__ if callable(getattr(m, x)) and "rng" in signature(getattr(m, x)).parameters
]
SIZES: dict[str, tuple[Any, ...]] = {
    "ComputeSampledRegressor": (sv.autoTree(2), 3),
    "randomPositiveDefinite": (3,),
    "randomSymmetric": (3,),
}


@pytest.mark.parametrize("name", RANDOM)
def test_random_numbers_come_from_the_given_generator(name: str) -> None:
    """The same seed gives the same numbers; the next call and calls without a generator others."""
    make, given = getattr(m, name), SIZES.get(name, ())
    rng = np.random.default_rng(1)
    one, following = make(*given, rng=rng), make(*given, rng=rng)
    assert_array_equal(one, make(*given, rng=np.random.default_rng(1)))
    for other in (following, make(*given), make(*given)):
        assert np.shape(other) == np.shape(one) and not np.array_equal(other, one)


def test_equal_is_within_half_of_the_root_of_eps() -> None:
    """Two vectors are equal by default if entries differ by less than half of sqrt(eps), as in
    MATLAB.

    `isEqualModSign` also accepts -y for y.
    """
    x = np.array([0.3, -0.5, 0.8])
    for off, agree in ((7.4e-9, True), (7.5e-9, False)):
        y = x + np.array([0.0, off, 0.0])
        assert m.isEqual(x, y) is agree and m.isEqualModSign(x, y) is agree
        assert m.isEqualModSign(x, -y) is agree and not m.isEqual(x, -y)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_deflections_of_points_in_a_plane_are_a_row_or_a_vector(n: int) -> None:
    rng = np.random.default_rng(7)
    p, pd, u = rng.normal(size=(2, n)) - [[0], [1]], rng.normal(size=(2, n)), rng.normal(size=n)
    for one, other in zip(
        m.gcontact(1e3, 10.0, 0.6, p, pd, u),
        m.gcontact(1e3, 10.0, 0.6, p, pd, u[None]), strict=True,
    ):  # fmt: skip
        np.testing.assert_array_equal(one, other)
        assert one.shape[-1] == n


@pytest.mark.parametrize("name", ["LTL", "LTDL", "mpyH", "mpyL", "mpyLt", "mpyLi", "mpyLit"])
def test_parents_of_sparse_matrices_count_from_one(name: str) -> None:
    """The parents of MATLAB are those of the library plus one; numbers of sparse factors agree."""
    lambda_ = sv.expandLambda([-1, 0, 0, 2], [1, 3, 1, 2])
    assert_array_equal(m.expandLambda([0, 1, 1, 3], [1, 3, 1, 2]), lambda_ + 1)
    branch = sv.autoTree(7, 2).replace(parent=lambda_)
    H = sv.CRBA(branch, np.linspace(0.1, 1.0, 7))
    more = [np.arange(7.0)] if name.startswith("mpy") else []
    found, wanted = getattr(m, name)(H, lambda_ + 1, *more), getattr(sv, name)(H, lambda_, *more)
    near(np.asarray(found), np.asarray(wanted))


@pytest.mark.parametrize(
    "name", ["LTL", "LTDL", "mpyH", "mpyL", "mpyLt", "mpyLi", "mpyLit", "expandLambda"]
)
def test_parents_that_are_no_earlier_numbers_are_named_as_in_matlab(name: str) -> None:
    more = [np.ones(3)] if name.startswith("mpy") else []
    given = (np.ones(3, dtype=int),) if name == "expandLambda" else tuple(more)
    for wrong, said in (
        ([0, 1.5, 1], r"lambda\(2\) must be a whole number from 0 to 1, as in MATLAB; got 1.5"),
        ([0, np.nan, 1], r"lambda\(2\) must be a whole number from 0 to 1, as in MATLAB; got nan"),
        ([0, 1, 3], r"lambda\(3\) must be a whole number from 0 to 2, as in MATLAB; got 3"),
        (["a", "b", "c"], "lambda must be numbers"),
    ):
        first = () if name == "expandLambda" else (np.eye(3),)
        with pytest.raises(SpatialError, match=said):
            getattr(m, name)(*first, wrong, *given)


def test_numbers_counted_from_one_are_whole_and_finite() -> None:
    model, q = m.autoTree(3), np.ones(3)
    for wrong in (0, 4, 1.5, np.nan, np.inf, "2", None):
        with pytest.raises(SpatialError, match=r"^body_num must be from 1 to 3, as in MATLAB"):
            m.BodyJacobian(model, q, wrong, np.eye(6))
        if wrong != 4:
            with pytest.raises(
                SpatialError, match=r"^outputSelect: num must be from 1 to 2, as in"
            ):
                m.outputSelect(wrong, m.HandC, model, q, q)


def test_forces_of_different_lengths_are_named() -> None:
    with pytest.raises(SpatialError, match=r"^f_ext: want vectors of one length.*\[6, 2, 0\]"):
        m.ID(m.autoTree(3), *np.ones((3, 3)), [np.ones(6), [1, 2], []])
