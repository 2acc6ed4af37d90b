"""FDfb, IDfb, fbkin and fbanim agree with MATLAB, and with a tree on one floating joint."""

from typing import Any

import golden_io
import numpy as np
import pytest
import zoo
from helpers import refusals
from numpy.testing import assert_allclose

import spatial_v2 as sv

DATA = golden_io.load("d_floatbase")
TREES = golden_io.cases("d_floatbase", "FDfb_xdfb")
FREE = ["one_Fb", "floating", "mixed", "floating_rotors"]
trees = pytest.mark.parametrize("case", TREES)
free = pytest.mark.parametrize("name", FREE)


def given(case: str, what: str) -> np.ndarray:
    """Return the samples of a variable; without columns if the case, a single body, does not have
    it.
    """
    known = golden_io.has(DATA, case, what)
    return golden_io.get(DATA, case, what) if known else np.zeros((3, 0))


def forces(case: str) -> np.ndarray:
    return golden_io.get(DATA, case, "in_f_ext").swapaxes(1, 2)


@trees
@pytest.mark.parametrize("pushed", ["", "_fext"])
def test_dynamics_agrees_with_matlab(case: str, pushed: str) -> None:
    """FDfb and IDfb agree, with external forces and without, and so does FDab of the chain of six
    joints.
    """
    model, x = golden_io.model_of(DATA, case), given(case, "fbkin_x")
    f_ext = forces(case) if pushed else None
    q, qd, qdd, tau = (given(case, f"in_{name}") for name in ("q", "qd", "qdd", "tau"))
    found = sv.FDfb(model, x, q, qd, tau, f_ext)
    assert_allclose(found.xdfb, given(case, f"FDfb{pushed}_xdfb"), rtol=1e-9, atol=1e-9)
    assert_allclose(found.qdd, given(case, f"FDfb{pushed}_qdd"), rtol=1e-9, atol=1e-9)
    if golden_io.has(DATA, case, "IDfb_tau"):
        found = sv.IDfb(model, x, q, qd, qdd, f_ext)
        assert_allclose(found.xdfb, given(case, f"IDfb{pushed}_xdfb"), rtol=1e-9, atol=1e-9)
        assert_allclose(found.tau, given(case, f"IDfb{pushed}_tau"), rtol=1e-9, atol=1e-9)


@trees
def test_kinematics_agree_with_matlab(case: str) -> None:
    q, qd, qdd = (given(case, f"in_{name}f") for name in ("q", "qd", "qdd"))
    state = sv.floating_base_state(q, qd, qdd)
    parts = (sv.floating_base_state(q), *state)
    for x, name in zip(parts, ("p", "x", "xd"), strict=True):
        assert_allclose(x, given(case, f"fbkin_{name}"), atol=1e-12)
    assert_allclose(sv.floating_base_state(q, qd), state.x, rtol=0)
    joints = sv.floating_base_joints(*state)
    for name in ("q", "qd", "qdd"):
        assert_allclose(getattr(joints, name), given(case, f"fbkin_inv_{name}"), atol=1e-9)


def test_angles_at_their_limits_agree_with_matlab() -> None:
    """Angles agree at half turns and right angles; where two joint axes coincide, the sum of their
    angles does.
    """
    p, q = (given("fbkin_edge", f"fbkin_{name}") for name in ("p", "inv_q"))
    assert_allclose(
        sv.rq(sv.fbkin(given("fbkin_edge", "in_qf"))[:, :4]), sv.rq(p[:, :4]), atol=1e-15
    )
    found, upright = sv.fbkin(p), np.abs(q[:, 4]) > 1.57
    assert upright.tolist().count(True) == 2
    assert_allclose(found[~upright], q[~upright], atol=1e-9)
    both = found[upright] - q[upright]
    turn = both[:, 3] + np.sign(q[upright, 4]) * both[:, 5]
    assert_allclose([turn, both[:, 4]], np.zeros((2, 2)), atol=1e-9)


def test_animation_agrees_with_matlab() -> None:
    X, Qr = given("fbanim", "in_X"), given("fbanim", "in_Qr")
    assert_allclose(sv.fbanim(X), given("fbanim", "Q"), atol=1e-12)
    assert_allclose(sv.fbanim(X, Qr), given("fbanim", "Q_with_Qr"), atol=1e-12)


@trees
def test_fdfb_is_fdab_of_the_chain_of_six_joints(case: str) -> None:
    """FDfb gives the accelerations that FDab gives for a base on six joints, converted by the
    kinematics.
    """
    model = golden_io.model_of(DATA, case)
    q, qd, tau = (given(case, f"in_{name}") for name in ("q", "qd", "tau"))
    qf, qdf = given(case, "in_qf"), given(case, "in_qdf")
    found = sv.FDfb(model, sv.floating_base_state(qf, qdf), q, qd, tau)
    joints = sv.floating_base_joints(sv.floating_base_state(qf, qdf), found.xdfb)
    chain = np.concatenate([joints.qdd, found.qdd], axis=-1)
    assert_allclose(chain, given(case, "FDab_chain_qdd"), rtol=1e-9, atol=1e-9)


def free_state(name: str, shape: tuple[int, ...] = (3,)) -> tuple[sv.Model, zoo.State, np.ndarray]:
    """Return a tree whose first joint is Fb, at the base's origin, a state, and this state in the
    form that FDfb takes.
    """
    model = zoo.build(name)
    model.Xtree = {0: np.eye(6)}
    s = zoo.states(model, np.random.default_rng(8), shape)
    X = sv.plux(sv.rq(s.q[..., :4]), s.q[..., 4:7])
    v = np.linalg.solve(X, s.qd[..., :6, None])[..., 0]
    return model, s, np.concatenate([s.q[..., :7], v], axis=-1)


@free
def test_fdab_of_a_floating_joint_is_fdfb(name: str) -> None:
    """FDfb agrees with FDab without force on the base, for accelerations in fixed coordinates; IDfb
    inverts FDfb.
    """
    model, s, x = free_state(name)
    tau = np.concatenate([0 * s.tau[..., :6], s.tau[..., 6:]], axis=-1)
    wanted = sv.FDab(model, s.q, s.qd, tau, s.f_ext)
    above = s.q[..., 7:], s.qd[..., 6:]
    found = sv.FDfb(model, x, *above, tau[..., 6:], s.f_ext)
    a = (sv.plux(sv.rq(s.q[..., :4]), s.q[..., 4:7]) @ found.xdfb[..., 7:, None])[..., 0]
    assert_allclose(np.concatenate([a, found.qdd], axis=-1), wanted, rtol=1e-9, atol=1e-9)
    back = sv.IDfb(model, x, *above, found.qdd, s.f_ext)
    assert_allclose(back.tau, tau[..., 6:], rtol=1e-9, atol=1e-9)
    assert_allclose(back.xdfb, found.xdfb, rtol=1e-9, atol=1e-9)
    base = sv.ID(model, s.q, s.qd, np.concatenate([a, found.qdd], axis=-1), s.f_ext)[..., :6]
    assert_allclose(base, 0 * base, atol=1e-8)


def test_rates_of_orientation_and_position_are_derivatives_of_the_pose() -> None:
    _, _, x = free_state("floating")
    rate = sv.FDfb(zoo.build("one_Fb"), x, *np.zeros((3, 3, 0))).xdfb
    assert_allclose(rate[..., :4], sv.rqd(x[..., 7:10], x[..., :4]), atol=1e-15)
    assert_allclose(rate[..., 4:7], sv.Vpt(x[..., 7:], x[..., 4:7]), atol=1e-15)


def test_forces_are_numbered_as_in_the_model() -> None:
    """Forces in a dict are numbered as the bodies of a model of `floatbase`."""
    model, x = sv.floatbase(sv.autoTree(2)), [1, 0, 0, 0, *np.arange(9.0)]
    push = np.arange(6.0)
    f_ext = np.zeros((7, 6))
    f_ext[6], f_ext[2] = push, 1e3
    one = sv.FDfb(model, x, [0.1], [0.2], [0.3], {6: push})
    for a, b in zip(one, sv.FDfb(model, x, [0.1], [0.2], [0.3], f_ext), strict=True):
        assert_allclose(a, b, rtol=1e-14)


def test_edits_are_seen() -> None:
    model, args = sv.floatbase(sv.autoTree(2)), ([1] + 12 * [0], [0.1], [0.2], [0.3])
    before = sv.FDfb(model, *args).xdfb
    model.gravity = {2: 0.0}
    model.I = {6: 2 * model.I[6]}
    after = sv.FDfb(model, *args).xdfb
    assert abs(after[12] - before[12]) > 5
    again = sv.floatbase(sv.autoTree(2)).replace(I=model.I, gravity=model.gravity)
    assert_allclose(after, sv.FDfb(again, *args).xdfb, rtol=1e-14)


def test_joint_angles_and_floating_base_are_inverse() -> None:
    """The conversions invert each other, and their rates agree with complex steps along
    the motion.
    """
    rng = np.random.default_rng(3)
    q, v, a = rng.uniform(-1.4, 1.4, (3, 20, 6))
    q[:, [3, 5]] *= 2.2
    s = sv.floating_base_state(q, v, a)
    j = sv.floating_base_joints(*s)
    for found, wanted in zip(j, (q, v, a), strict=True):
        assert_allclose(found, wanted, atol=1e-11)
    h = 1e-20
    moved = sv.floating_base_state(q + 1j * h * v, v + 1j * h * a)
    assert_allclose(moved.imag / h, s.xd, atol=1e-11)
    back = sv.floating_base_joints(s.x + 1j * h * s.xd)
    assert_allclose(back.q.imag / h, v, atol=1e-10)
    assert_allclose(back.qd.imag / h, a, atol=1e-9)


def test_animation_has_no_jumps_at_right_angles() -> None:
    """Angles have no jumps where the motion passes right angles, and the orientations are those
    given.
    """
    t = np.linspace(0, 9, 120)
    smooth = np.stack([t, -t, t**2, 0.3 * np.sin(t), 1.1 * t, 0.2 * np.cos(t)], axis=-1)
    X = sv.fbkin(smooth)
    found = sv.fbanim(X)
    assert np.abs(np.diff(found[:, 3:], axis=0)).max() < 1.0
    assert found[-1, 4] > 9
    assert_allclose(sv.rq(sv.fbkin(found)[:, :4]), sv.rq(X[:, :4]), atol=1e-12)


BAD: dict[str, Any] = {
    "want a floating base": lambda: sv.FDfb(sv.autoTree(7), [1] + 12 * [0], [0], [0], [0]),
    "IDfb: want a floating base": lambda: sv.IDfb(sv.planar(7), [1] + 12 * [0], [0], [0], [0]),
    r"FDfb: xfb must have shape \(..., 13\)": lambda: sv.FDfb(
        sv.floatbase(sv.autoTree(2)), [1], 0, 0, 0
    ),
    r"FDfb: tau must have shape \(..., 1\)": lambda: sv.FDfb(
        sv.floatbase(sv.autoTree(2)), [1] + 12 * [0], [0], [0], 7 * [0]
    ),
    r"fbkin: first must have shape": lambda: sv.fbkin([1, 2, 3]),
    "qdd is given without qd": lambda: sv.fbkin(np.zeros(6), None, np.zeros(6)),
    "got three for x": lambda: sv.fbkin(np.zeros(13), np.zeros(13), np.zeros(6)),
    "fbkin: x must have shape": lambda: sv.fbkin(np.ones(7), np.zeros(13)),
    "instants are rows here": lambda: sv.fbanim(np.ones((7, 30))),
    "Qr must have one row": lambda: sv.fbanim(np.ones((5, 7)), np.ones((2, 5))),
    "real numbers": lambda: sv.fbanim(np.ones((5, 7)) + 0j),
}
test_bad_input_is_refused = refusals(sv.SpatialError, BAD)


def test_mass_on_the_way_to_the_base_is_refused() -> None:
    model = sv.floatbase(sv.autoTree(2))
    model.I = {2: sv.autoTree(1).I[0]}
    with pytest.raises(sv.ModelError, match="want a floating base"):
        sv.FDfb(model, [1] + 12 * [0], [0], [0], [0])


@pytest.mark.optional
def test_derivatives_with_respect_to_inertias_are_those_of_jax() -> None:
    """JAX's derivatives of the accelerations with respect to the size of a link's inertia agree
    with differences.
    """
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    model, x = sv.floatbase(sv.autoTree(3)), np.array([0.6, 0, 0.8, *np.arange(10.0)])
    args = [0.1, 0.2], [0.3, 0.4], [0.5, 0.6]

    def qdd(m: Any) -> Any:
        I = jax.numpy.asarray(model.I) * jax.numpy.ones(8).at[6].set(m)[:, None, None]
        return sv.FDfb(model.replace(I=I), x, *args).qdd

    def floats(m: float) -> np.ndarray:
        I = model.I.copy()
        I[6] *= m
        return np.asarray(sv.FDfb(model.replace(I=I), x, *args).qdd)

    assert_allclose(qdd(1.5), floats(1.5), rtol=1e-12)
    slope = jax.jit(jax.jacfwd(qdd))(1.5)
    assert_allclose(slope, (floats(1.5 + 1e-5) - floats(1.5 - 1e-5)) / 2e-5, rtol=1e-6)
