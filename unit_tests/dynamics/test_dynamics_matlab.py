"""ID, HandC and FDab agree with the results of the original MATLAB library."""

from functools import partial
from typing import Any

import golden_io
import numpy as np
import pytest
from helpers import near
from numpy.testing import assert_allclose

import spatial_v2 as sv

pytestmark = pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")

FORMS: list[Any] = ["kernel", "reference"]


def run(form: str, function: Any, *args: Any, **kw: Any) -> Any:
    return (function if form == "kernel" else function.reference)(*args, **kw)


close = partial(near, tolerance=1e-11, least=1e-4)


class Golden:
    """One case of a file: the model, its states, and a function that reads its results."""

    def __init__(self, file: str, case: str) -> None:
        self.data, self.case = golden_io.load(file), case
        self.model = golden_io.model_of(self.data, case)
        self.q, self.qd, self.qdd, self.tau = map(self, ("in_q", "in_qd", "in_qdd", "in_tau"))

    def __call__(self, what: str) -> np.ndarray:
        value = golden_io.get(self.data, self.case, what)
        return value[:, None] if value.ndim == 1 else value

    def per_body(self, what: str) -> np.ndarray:
        """Return one of MATLAB's arrays (d, NB) or (d, d, NB) for each sample, with the axis of
        bodies second.
        """
        return np.moveaxis(golden_io.get(self.data, self.case, what), -1, 1)


@pytest.mark.parametrize("case", golden_io.cases("d_dynamics_core"))
def test_quantities_of_the_sweeps_agree_with_matlab(case: str) -> None:
    g = Golden("d_dynamics_core", case)
    _, info = sv.ID(g.model, g.q, g.qd, g.qdd, return_info=True)
    for field in ("v", "h", "a", "f", "Xup"):
        close(getattr(info, field), g.per_body(f"ID_out_{field}"))
    close(info.f0, g("ID_out_f0"))
    _, info = sv.ID(g.model, g.q, g.qd, g.qdd, g.per_body("in_f_ext"), return_info=True)
    close(info.f0, g("ID_fext_out_f0"))
    _, info = sv.HandC(g.model, g.q, g.qd, return_info=True)
    close(info.IC, g.per_body("HandC_info_IC"))
    kin = sv.forward_kinematics(g.model, g.q, g.qd)
    close(kin.v, g.per_body("ID_out_v"))
    close(sv.HandC(g.model, g.q, 0 * g.qd).C, g("HandC_gravity_C"))


@pytest.mark.parametrize("case", golden_io.cases("d_rotor"))
def test_the_base_feels_the_rotors(case: str) -> None:
    """f0 is the force on the base from links and rotors together."""
    g = Golden("d_rotor", case)
    _, info = sv.ID(g.model, g.q, g.qd, g.qdd, return_info=True)
    close(info.f0, g("ID_out_f0"))


def numbers(text: str) -> np.ndarray:
    return np.array([float(word) for word in text.split()])


def model_a() -> sv.Model:
    return sv.autoTree(5, 1.5, np.pi / 3, 0.95)


def state_a(n: int = 5) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    i = np.arange(1, n + 1)
    return 0.1 * i, 0.2 * i - 0.5, 0.3 - 0.1 * i


def test_a_tree_has_the_published_numbers() -> None:
    """For model A of the reference document, all results agree in ten published digits."""
    model, (q, qd, qdd) = model_a(), state_a()
    lam = 0.2 * np.arange(1, 6) - 0.4
    H, C = sv.HandC(model, q, qd)
    wanted = {
        "3.753045526 29.97504413 7.332041526 1.892854228 -0.6360689963": sv.ID(model, q, qd, qdd),
        "14.80239411 4.160222771 -1.543489752 -0.3259754351 -0.6185804138": H[0],
        "14.80239411 5.353054591 1.088463697 0.1550095241 0.1199434149": np.diag(H),
        "0.2202308008 28.57809414 7.574735236 1.953979307 -0.4637787601": C,
        "3.785271625 -10.1376948 7.733693799 10.73463393 -1.875034514": sv.FDab(model, q, qd, lam),
    }
    f_ext = {2: [1, 2, 3, 4, 5, 6], 4: [-1, 0, 1, 0, 2, 0]}
    wanted |= {
        "-0.2469544736 38.17744207 14.19960655 1.892854228 -4.721103504": sv.ID(
            model, q, qd, qdd, f_ext
        ),
        "0.7699306393 0.2751931946 -22.35548673 -8.753389775 74.88236975": sv.FDab(
            model, q, qd, lam, f_ext
        ),
    }
    for text, ours in wanted.items():
        assert_allclose(ours, numbers(text), rtol=2e-9)


def test_a_floating_tree_has_the_published_numbers() -> None:
    """For model B, with joint 1 floating and joint 3 spherical, all results agree in ten published
    digits.
    """
    model = model_a().replace(jtype=["Fb", "R", "S", "R", "R"])
    s = np.array([1, 0.2, 0.3, -0.4])
    q = np.array([0.5, -0.5, 0.1, 0.7, 0.1, 0.2, 0.3, 0.2, *(s / np.sqrt(s @ s)), 0.4, 0.5])
    n = np.arange(1, 13)
    v, a = 0.1 * n - 0.6, 0.3 - 0.05 * n
    tau = numbers(
        "5.562401607 -31.90301211 -7.626930851 -31.63383653 -10.48865152 17.02825257"
        " 15.50571973 -0.2037108274 6.712292627 -1.602178807 2.187821786 -0.6853756813"
    )
    qdd = numbers(
        "36.5550499 5.455385299 1.407332904 8.257007719 2.357968482 -2.419925075"
        " 10.82759618 -38.83261891 -39.19954222 -17.48730139 -13.03919832 -14.15872182"
    )
    assert_allclose(sv.ID(model, q, v, a), tau, rtol=2e-9)
    assert_allclose(sv.FDab(model, q, v, a), qdd, rtol=2e-9)
    assert_allclose(np.linalg.norm(sv.HandC(model, q, v).H), 28.24637375, rtol=1e-9)


def test_rotors_have_the_published_numbers() -> None:
    """For model R, with a geared rotor at each of four joints, the published digits agree."""
    model, (q, qd, qdd) = sv.autoTree_rotor(4, 1.5, np.pi / 3, 0.95), state_a(4)
    tau = numbers("2.333207927 19.32149002 2.482847336 1.892328969")
    acc = numbers("2.186444463 -8.194149004 2.032086359 1.62421098")
    diagonal = numbers("10.20418946 3.026057383 0.204817928 0.1611867405")
    assert_allclose(sv.ID(model, q, qd, qdd), tau, rtol=2e-9)
    assert_allclose(sv.FDab(model, q, qd, qdd), acc, rtol=2e-9)
    assert_allclose(np.diag(sv.HandC(model, q, qd).H), diagonal, rtol=2e-9)


def test_a_planar_chain_has_the_published_numbers() -> None:
    """For model P, planar(3) with gravity, the published digits agree; MATLAB's own ID
    fails on it.
    """
    model = sv.planar(3).replace(gravity=[0, -9.81])
    q, qd = np.array([0.1, 0.2, 0.3]), np.array([0.4, -0.5, 0.6])
    H, C = sv.HandC(model, q, qd)
    columns = numbers(
        "8.773118785 4.530894303 1.249792859 4.530894303 2.622003156 .8110015779"
        " 1.249792859 .8110015779 .3333333333"
    )
    assert_allclose(H.ravel(), columns, rtol=2e-9)
    assert_allclose(C, numbers("42.49618881 18.15661989 4.088102835"), rtol=2e-9)
    acc = numbers("-9.612040273 1.254634879 29.72233677")
    assert_allclose(sv.FDab(model, q, qd, [1, 2, 3]), acc, rtol=2e-9)


def test_a_pure_rotor_adds_its_inertia_times_the_ratio_squared() -> None:
    """A massless link has H = 1 from a rotor of inertia 0.01 about its axis that turns ten times as
    fast.
    """
    rotor = np.zeros((6, 6))
    rotor[0, 0] = rotor[1, 1] = rotor[2, 2] = 0.01
    model = sv.autoTree(1).replace(
        I=[np.zeros((6, 6))], has_rotor=[1], jtype_rotor=["Rz"], Xrotor=[np.eye(6)],
        I_rotor=[rotor], gr=[10],
    )  # fmt: skip
    for form in FORMS:
        assert_allclose(run(form, sv.HandC, model, [0.3], [0.2]).H, [[1.0]], rtol=1e-14)
        assert_allclose(run(form, sv.FDab, model, [0.3], [0.2], [2.0]), [2.0], rtol=1e-14)
