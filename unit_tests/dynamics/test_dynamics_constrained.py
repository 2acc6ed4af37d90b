"""HD, FDcrb and FDgq: agreement with MATLAB's numbers, and with ID and FDab."""

from functools import partial
from typing import Any

import golden_io
import numpy as np
import pytest
import zoo
from helpers import near, refusals
from numpy.testing import assert_allclose

import spatial_v2 as sv

pytestmark = pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")
whole_zoo = pytest.mark.parametrize("name", zoo.MODELS)


close = partial(near, tolerance=1e-9, least=1e-4)


def given(data: Any, case: str, *names: str) -> list[np.ndarray]:
    return [golden_io.get(data, case, f"in_{name}") for name in names]


def pushed(data: Any, case: str) -> np.ndarray:
    return np.moveaxis(golden_io.get(data, case, "in_f_ext"), -1, 1)


def test_constraint_function_agrees_with_matlab() -> None:
    data, case = golden_io.load("d_planar"), "doubleElbow"
    model = sv.doubleElbow()
    args = given(data, case, "q", "qd", "tau")
    close(sv.FDgq(model, *args), golden_io.get(data, case, "FDgq_qdd"))
    close(sv.FDgq(model, *args, pushed(data, case)), golden_io.get(data, case, "FDgq_fext_qdd"))
    model.gravity = golden_io.raw(data, case, "in_grav").ravel()
    close(sv.FDgq(model, *args), golden_io.get(data, case, "FDgq_grav_qdd"))


def sample(name: str, shape: tuple[int, ...] = (3,)) -> tuple[sv.Model, zoo.State]:
    model = zoo.build(name)
    return model, zoo.states(model, np.random.default_rng(6), shape)


@whole_zoo
def test_composite_and_articulated_bodies_agree(name: str) -> None:
    model, s = sample(name)
    close(sv.FDcrb(model, s.q, s.qd, s.tau, s.f_ext), sv.FDab(model, s.q, s.qd, s.tau, s.f_ext))


@whole_zoo
@pytest.mark.parametrize("share", [0.0, 0.4, 1.0])
def test_hybrid_is_consistent(name: str, share: float) -> None:
    """Given accelerations and forces are kept, the others are not read, and the result is a motion
    that satisfies ID.
    """
    model, s = sample(name)
    fd = np.random.default_rng(1).permutation(np.arange(model.NB) < round(share * model.NB))
    free = np.repeat(fd, model.nv)
    qdd, tau = np.where(free, np.nan, s.qdd), np.where(free, s.tau, np.nan)
    found = sv.HD(model, fd, s.q, s.qd, qdd, tau, s.f_ext)
    close(found.qdd[:, ~free], s.qdd[:, ~free], tolerance=0)
    close(found.tau[:, free], s.tau[:, free], tolerance=0)
    close(sv.ID(model, s.q, s.qd, found.qdd, s.f_ext), found.tau)


def slider(model: sv.Model, q0: Any, qd0: Any) -> tuple[Any, ...]:
    """Constraint function q = gamma(y) of a tree with NV = 4: joint 2 follows the sine of joint 0,
    the others are independent.
    """
    y, yd = q0[..., [0, 1, 3]], qd0[..., [0, 1, 3]]
    s, c = np.sin(y[..., 0]), np.cos(y[..., 0])
    q = np.stack([y[..., 0], y[..., 1], s, y[..., 2]], axis=-1)
    G = np.zeros((*y.shape[:-1], 4, 3), dtype=q.dtype)
    G[..., [0, 1, 3], [0, 1, 2]] = 1
    G[..., 2, 0] = c
    qd = (G @ yd[..., None])[..., 0]
    g = np.zeros_like(qd)
    g[..., 2] = -s * yd[..., 0] ** 2
    return q, qd, G, g


@pytest.mark.parametrize("name", ["chain", "rotors"])
def test_constrained_motion_obeys_mechanics(name: str) -> None:
    """The constraint forces do no work along G, and the acceleration satisfies qdd = G ydd + g."""
    model, s = sample(name)
    model.gamma_q = slider
    q, qd, G, g = slider(model, s.q, s.qd)
    qdd = sv.FDgq(model, s.q, s.qd, s.tau, s.f_ext)
    force = sv.ID(model, q, qd, qdd, s.f_ext) - s.tau
    assert np.abs(force).max() > 1
    assert_allclose((G.swapaxes(-1, -2) @ force[..., None])[..., 0], np.zeros((3, 3)), atol=1e-12)
    ydd = (qdd - g)[..., [0, 1, 3]]
    close((G @ ydd[..., None])[..., 0] + g, qdd, tolerance=1e-12)


def test_energy_of_a_constrained_motion_changes_by_the_joint_forces_alone() -> None:
    """The energy changes by the work of the joint forces alone, by a complex step along
    the motion.
    """
    model, s = sample("chain")
    model.gamma_q = slider
    q, qd, _, _ = slider(model, s.q, s.qd)
    qdd, h = sv.FDgq(model, q, qd, s.tau), 1e-20
    e = sv.EnerMo(model, q + 1j * h * qd, qd + 1j * h * qdd)
    close((e.KE + e.PE).imag / h, (s.tau * qd).sum(axis=-1), tolerance=1e-11)


BAD: dict[str, Any] = {
    "no constraint function": lambda: sv.FDgq(sv.autoTree(2), [0, 0], [0, 0], [0, 0]),
    "want four arrays": lambda: sv.FDgq(
        sv.autoTree(1).replace(gamma_q=lambda *a: 0), [0], [0], [0]
    ),
    r"its G must have shape \(..., 1, ": lambda: sv.FDgq(
        sv.autoTree(1).replace(gamma_q=lambda m, q, qd: (q, qd, q, q)), [0], [0], [0]
    ),
    r"fd must have shape \(..., 2\)": lambda: sv.HD(sv.autoTree(2), [1], *np.zeros((4, 2))),
    "fd must have": lambda: sv.HD(sv.autoTree(2), ["a", "b"], *np.zeros((4, 2))),
    "fd: want True, False, 1 or 0 .* q": lambda: sv.HD(sv.autoTree(2), [0.3, 0], *np.zeros((4, 2))),
    "qdd: want shape": lambda: sv.HD(sv.autoTree(2), [0, 1], [0, 0], [0, 0], [0], [0, 0]),
}  # fmt: skip
test_bad_input_is_refused = refusals(sv.SpatialError, BAD)


def test_an_unsuitable_model_is_a_model_error() -> None:
    with pytest.raises(sv.ModelError):
        sv.FDgq(sv.autoTree(2), [0, 0], [0, 0], [0, 0])
