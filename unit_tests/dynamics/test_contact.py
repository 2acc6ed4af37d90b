"""Ground contact: MATLAB's numbers, positions and velocities of points, and friction."""

from typing import Any

import golden_io
import numpy as np
import pytest
import zoo
from helpers import refusals
from numpy.testing import assert_allclose, assert_array_equal

import spatial_v2 as sv

DATA = golden_io.load("d_floatbase")
EPS = 1e-20


def given(case: str, what: str) -> np.ndarray:
    """Return a variable with the axes sample, point, coordinate."""
    x = golden_io.get(DATA, case, what)
    return x.swapaxes(-1, -2) if x.ndim == 3 else x


def golden_model(case: str) -> sv.Model:
    gc = {
        "point": golden_io.raw(DATA, case, "gc_point").T,
        "body": golden_io.raw(DATA, case, "gc_body").ravel() - 1,
    }
    return golden_io.model_of(DATA, case).replace(gc=gc)


def above(case: str, what: str) -> np.ndarray:
    return given(case, what) if golden_io.has(DATA, case, what) else np.zeros((3, 0))


@pytest.mark.parametrize("case", ["disc", "gcfbt"])
def test_points_on_a_floating_base_agree_with_matlab(case: str) -> None:
    model, x = golden_model(case), given(case, "in_x")
    motion = sv.gcPosVel(model, x, above(case, "in_q"), above(case, "in_qd"))
    wanted = given(case, "gcPosVel_fb")
    assert_allclose(np.concatenate(motion, axis=-1), wanted, rtol=1e-9, atol=1e-12)
    chain = [np.hstack([given(case, f"in_{x}f"), above(case, f"in_{x}")]) for x in ("q", "qd")]
    motion = sv.gcPosVel(model, *chain)
    wanted = given(case, "gcPosVel_chain")
    assert_allclose(np.concatenate(motion, axis=-1), wanted, rtol=1e-9, atol=1e-12)


def test_points_in_the_plane_agree_with_matlab() -> None:
    motion = sv.gcPosVel(
        golden_model("gcplanar"), *(given("gcplanar", f"in_{x}") for x in ("q", "qd"))
    )
    wanted = given("gcplanar", "gcPosVel_chain")
    assert_allclose(np.concatenate(motion, axis=-1), wanted, rtol=1e-9, atol=1e-12)


def test_contact_agrees_with_matlab() -> None:
    K, D = (golden_io.raw(DATA, "disc", f"in_{x}").item() for x in "KD")
    p, pd = np.split(given("disc", "gcPosVel_fb"), 2, axis=-1)
    mu, u = given("disc", "in_mu"), given("disc", "in_u")
    found = sv.gcontact(K, D, mu, p, pd, u)
    for x, what in zip(found, ("f", "ud", "fcone"), strict=True):
        assert_allclose(x, given("disc", f"gcontact_{what}"), rtol=1e-9, atol=1e-12)
    one = np.concatenate([found.f, found.ud, found.fcone[..., None]], axis=-1)
    assert_allclose(one, given("disc", "gcontact_single"), rtol=1e-9, atol=1e-12)
    smooth = sv.gcontact(K, D, 0, p, pd, u)
    assert_allclose(smooth.f[..., 2], given("disc", "gcontact_frictionless_f"), rtol=1e-9)
    assert not smooth.f[..., :2].any()


def test_contact_in_the_plane_agrees_with_matlab() -> None:
    K, D, mu = (golden_io.raw(DATA, "gc2d", f"in_{x}").item() for x in ("K", "D", "mu"))
    found = sv.gcontact(
        K, D, mu, *(golden_io.raw(DATA, "gc2d", f"in_{x}").T for x in ("p", "pd", "u"))
    )
    for x, what in zip(found, ("f", "ud", "fcone"), strict=True):
        wanted = golden_io.raw(DATA, "gc2d", f"gcontact_{what}").T
        assert_allclose(x, wanted if x.ndim > 1 else wanted[:, 0], rtol=1e-9, atol=1e-12)


def test_dynamics_with_contact_agrees_with_matlab() -> None:
    model, x = golden_model("disc"), given("disc", "in_x")
    f_gc = given("disc", "in_f_gc").reshape(3, 16, 6)
    found = sv.gcFD(model, sv.FDfb, x, *np.zeros((3, 3, 0)), f_gc).xdfb
    assert_allclose(found, given("disc", "gcFD_FDfb_y"), rtol=1e-9)
    found = sv.FDfb(model, x, *np.zeros((3, 3, 0))).xdfb
    assert_allclose(found, given("disc", "gcFD_FDfb_nocontact_y"), rtol=1e-9)
    q, qd = given("disc", "in_qf"), given("disc", "in_qdf")
    found = sv.gcFD(model, sv.FDab, q, qd, 0 * qd, f_gc)
    assert_allclose(found, given("disc", "gcFD_FDab_y"), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", ["chain", "mixed", "planar_tree", "two_floating", "rotors"])
def test_points_move_with_their_bodies(name: str) -> None:
    """The velocity is the time derivative of the position for all joints, by a complex step along
    the motion.
    """
    model = zoo.build(name)
    rng = np.random.default_rng(2)
    body = rng.integers(model.NB, size=7)
    point = rng.normal(size=(7, 2 if model.is_planar else 3))
    model.gc = {"point": point, "body": body}
    s = zoo.states(model, rng, (4,))
    p, pd = sv.gcPosVel(model, s.q, s.qd)
    kin = sv.forward_kinematics(model, s.q)
    for k, b in enumerate(body):
        wanted = kin.p[:, b] + kin.R[:, b] @ point[k]
        assert_allclose(p[:, k], wanted, atol=1e-13)
    moved = sv.gcPosVel(model, sv.configurationAddition(model, s.q, 1j * EPS * s.qd), s.qd).p
    assert_allclose(moved.imag / EPS, pd, atol=1e-12)


@pytest.mark.parametrize("name", ["chain", "mixed", "planar_tree", "two_floating", "rotors"])
def test_forces_on_points_are_external_forces_of_their_bodies(name: str) -> None:
    """Forces on points, in base coordinates, act as the external forces that are their sums over
    the points of each body; forces of another size are refused.
    """
    model, rng = zoo.build(name), np.random.default_rng(4)
    body, d = rng.integers(model.NB, size=7), 3 if model.is_planar else 6
    model.gc = {"point": rng.normal(size=(7, 2 if model.is_planar else 3)), "body": body}
    s, f_gc = zoo.states(model, rng, (4,)), rng.normal(size=(4, 7, d))
    f_ext = np.zeros((4, model.NB, d))
    for k, b in enumerate(body):
        f_ext[:, b] += f_gc[:, k]
    found = sv.gcFD(model, sv.FDab, s.q, s.qd, s.tau, f_gc)
    assert_allclose(found, sv.FDab(model, s.q, s.qd, s.tau, f_ext), rtol=1e-9, atol=1e-9)
    for wrong in (f_gc[..., 1:], np.concatenate([f_gc, f_gc], axis=-1), f_gc[:, 1:]):
        with pytest.raises(sv.ArrayShapeError, match="f_gc must have shape"):
            sv.gcFD(model, sv.FDab, s.q, s.qd, s.tau, wrong)


def random_points(rng: np.random.Generator, d: int = 3) -> tuple[np.ndarray, ...]:
    p, pd, u = rng.normal(size=(3, 500, d))
    p[:, -1] -= 0.5
    return p, pd, 0.1 * u[:, : d - 1]


@pytest.mark.parametrize("d", [2, 3])
def test_the_ground_pushes_and_friction_stays_in_its_cone(d: int) -> None:
    """The ground never pulls, friction stays in its cone, and where a point sticks the ground moves
    with it.
    """
    K, D, mu = 50.0, 10.0, 0.7
    p, pd, u = random_points(np.random.default_rng(4), d)
    f, ud, fcone = sv.gcontact(K, D, mu, p, pd, u)
    z, fn, ft = p[:, -1], f[:, -1], np.linalg.norm(f[:, :-1], axis=-1)
    touches = fn > 0
    assert (fn >= 0).all() and 0.2 < touches.mean() < 0.8
    assert not (touches & (z >= 0)).any()
    assert not f[~touches].any()
    assert_allclose(ud[~touches], -K / D * u[~touches])
    assert (ft <= mu * fn * (1 + 1e-12)).all()
    sticks, slips = touches & (fcone < 1), touches & (fcone > 1)
    assert sticks.sum() > 10 and slips.sum() > 10
    assert_allclose(ud[sticks], pd[sticks, :-1], atol=1e-12)
    assert_allclose(ft[slips], mu * fn[slips])
    root = np.sqrt(np.maximum(-z, 0))[:, None]
    balance = f[:, :-1] + root * (K * u + D * ud)
    assert_allclose(balance[touches], 0 * balance[touches], atol=1e-12)


def test_at_rest_the_ground_is_a_hertzian_spring() -> None:
    z = -np.linspace(1e-3, 0.1, 9)
    p = np.stack([0 * z, 0 * z, z], axis=-1)
    f = sv.gcontact(1e5, 10, 0.5, p, 0 * p, 0 * p[:, :2]).f
    assert_allclose(f[:, 2], 1e5 * (-z) ** 1.5)


def test_a_point_without_friction_slips_freely() -> None:
    """Without friction, a point slips and the ground recovers; MATLAB's function fails for it."""
    _, ud, fcone = sv.gcontact(1e4, 100, 0, [[0, 0, -0.1]], [[1, 2, 0]], [[0.1, 0.2]])
    assert_allclose(ud, [[-10, -20]])
    assert_allclose(fcone, [2.0])


def test_derivatives_between_kinks_are_complex_steps() -> None:
    """Complex steps agree with differences where the force is smooth."""
    p, pd, u = random_points(np.random.default_rng(5))
    rng = np.random.default_rng(6)
    steps = [rng.normal(size=x.shape) for x in (p, pd, u)]
    args = 50.0, 10.0, 0.7

    def at(h: Any) -> Any:
        return sv.gcontact(*args, *(x + h * dx for x, dx in zip((p, pd, u), steps, strict=True)))

    h = 1e-7
    far, near = at(h), at(-h)
    same = (far.fcone < 1) == (near.fcone < 1)
    same &= ((far.f[:, 2] > 0) == (near.f[:, 2] > 0)) & (p[:, 2] < -1e-4)
    for a, b, c in zip(far, near, at(1j * EPS), strict=True):
        exact, wanted = c.imag[same] / EPS, (a - b)[same] / (2 * h)
        assert_allclose(exact, wanted, rtol=1e-5, atol=1e-5 * np.abs(wanted).max())


def test_no_points_and_no_states_give_empty_results() -> None:
    model = sv.rollingdisc(4)
    motion = sv.gcPosVel(model, np.zeros((0, 6)), np.zeros((0, 6)))
    assert motion.p.shape == (0, 8, 3)
    f = sv.gcontact(1, 1, 1, *motion, np.zeros((0, 8, 2)))
    assert f.f.shape == (0, 8, 3) and f.fcone.shape == (0, 8)
    model.gc = {"point": np.zeros((0, 3)), "body": np.zeros(0, int)}
    assert sv.gcPosVel(model, np.zeros(6), np.zeros(6)).p.shape == (0, 3)


def test_forces_are_summed_on_their_bodies() -> None:
    model = sv.floatbase(sv.autoTree(3))
    model.gc = {"point": np.zeros((4, 3)), "body": [5, 7, 7, 6]}
    rng = np.random.default_rng(0)
    f, q, qd = rng.normal(size=(4, 6)), *rng.normal(size=(2, 8))
    f_ext = {5: f[0], 6: f[3], 7: f[1] + f[2]}
    assert_allclose(sv.gcFD(model, sv.FDab, q, qd, 0 * qd, f), sv.FDab(model, q, qd, 0 * qd, f_ext))
    x = sv.floating_base_state(q[:6], qd[:6])
    found = sv.gcFD(model, sv.FDfb, x, q[6:], qd[6:], [0, 0], f)
    assert_allclose(found.qdd, sv.FDab(model, q, qd, 0 * qd, f_ext)[6:], rtol=1e-9)


DISC = sv.rollingdisc(4)
POINTS = np.zeros((8, 3))
BAD: dict[str, Any] = {
    "no contact points": lambda: sv.gcPosVel(sv.autoTree(2), [0, 0], [0, 0]),
    r"gc wants point of shape \(n, 3\)": lambda: sv.gcPosVel(
        sv.autoTree(2).replace(gc={"point": np.zeros((4, 5)), "body": [0] * 5}), [0, 0], [0, 0]
    ),
    "wants numbers of bodies, 0 .. 1": lambda: sv.gcPosVel(
        sv.autoTree(2).replace(gc={"point": np.zeros((1, 3)), "body": [2]}), [0, 0], [0, 0]
    ),
    "'point'. must be real numbers": lambda: sv.gcPosVel(
        sv.autoTree(2).replace(gc={"point": [[1j, 0, 0]], "body": [1]}), [0, 0], [0, 0]
    ),
    "'point'. must be one array": lambda: sv.gcPosVel(
        sv.autoTree(2).replace(gc={"point": [[1, 0, 0], [1]], "body": [1, 1]}), [0, 0], [0, 0]
    ),
    "'point'. wants finite numbers": lambda: sv.gcPosVel(
        sv.autoTree(2).replace(gc={"point": [[np.nan, 0, 0]], "body": [1]}), [0, 0], [0, 0]
    ),
    r"xfb must have shape \(..., 13\), got \(3,\)$": lambda: sv.gcPosVel(DISC, [1, 2, 3]),
    r"do not broadcast: p \(8,\).* K \(3,\)": lambda: sv.gcontact(
        [1, 1, 1], 1, 1, POINTS, POINTS, POINTS[:, :2]
    ),
    "massless bodies between the ground and the floating base": lambda: sv.gcPosVel(
        DISC.replace(gc={"point": np.zeros((1, 3)), "body": [2]}), [1] + 12 * [0]
    ),
    "gcontact: u must have shape": lambda: sv.gcontact(1, 1, 1, POINTS, POINTS, POINTS),
    "gcontact: pd must have shape": lambda: sv.gcontact(1, 1, 1, POINTS, POINTS[:2], POINTS[:, :2]),
    "gcontact: p must have shape": lambda: sv.gcontact(1, 1, 1, [0, 0, 0], POINTS, POINTS),
    "K must be positive": lambda: sv.gcontact(0, 1, 1, POINTS, POINTS, POINTS[:, :2]),
    "D must be positive": lambda: sv.gcontact(1, float("nan"), 1, POINTS, POINTS, POINTS[:, :2]),
    "mu must be 0 or positive": lambda: sv.gcontact(1, 1, -1, POINTS, POINTS, POINTS[:, :2]),
    "f_gc must have shape": lambda: sv.gcFD(DISC, sv.FDab, *np.zeros((3, 6)), np.zeros((8, 3))),
}
test_bad_input_is_refused = refusals(sv.SpatialError, BAD)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_dynamics_of_any_number_of_arguments_is_called(n: int) -> None:
    """The function gets all arguments but the last, and the sums of the contact forces."""
    f = np.ones((len(POINTS), 6))
    *state, f_ext = sv.gcFD(DISC, lambda _, *given: given, *np.eye(n), f)
    assert_array_equal(state, np.eye(n))
    assert_array_equal(f_ext[5], np.full(6, len(POINTS)))


def test_a_wrong_number_of_arguments_is_refused() -> None:
    with pytest.raises(TypeError, match="want q, qd, or xfb"):
        sv.gcPosVel(DISC)
    with pytest.raises(TypeError, match="then f_gc"):
        sv.gcFD(DISC, sv.FDab, POINTS)
