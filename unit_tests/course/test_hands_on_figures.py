"""Hands-on figures follow the mouse, and their numbers agree with the library."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hands_on_pages import Figure, data_of, model_of, near

import spatial_v2 as sv
from spatial_v2.show.mass import body_masses

pytestmark = pytest.mark.optional


def test_the_screw_follows_the_mouse(browser: Any, tmp_path: Path) -> None:
    """The screw has its axis through the two balls, and its six numbers are those of the velocity
    about it.
    """
    page = Figure(browser, tmp_path, "screw")
    before = page.get("state()")
    page.drag("handles[1]", 60, 30)
    page.drag("handles[0]", -40, 20)
    state = page.get("state()")
    assert state["tip"] != before["tip"] and state["point"] != before["point"]
    point, tip = np.array(state["point"]), np.array(state["tip"])
    w = state["rate"] * (tip - point) / np.linalg.norm(tip - point)
    wanted = np.concatenate([w, np.cross(point, w) + state["pitch"] * w])
    near(page.get("velocity()"), wanted)
    np.testing.assert_allclose(page.shown().ravel(), wanted, atol=6e-4)
    page.close()


def test_a_frame_changes_numbers_but_no_power(browser: Any, tmp_path: Path) -> None:
    """The transform X agrees with `plux`; motions are transformed by X, forces by its inverse
    transpose, so power is kept.
    """
    page = Figure(browser, tmp_path, "transform")
    page.drag("handles[0]", 50, -60)
    page.drag("handles[1]", -30, 40)
    a, b, c = (page.slide(f"turn about {x}", y) for x, y in (("x", 0.7), ("y", -0.4), ("z", 1.9)))
    r, point = (np.array(page.get(f"handles[{k}].position.toArray()")) for k in (0, 1))
    X = sv.plux(sv.rz(c) @ sv.ry(b) @ sv.rx(a), r)
    near(page.get("X()"), X)
    v, f = page.get("vA"), page.get("fA()")
    near(f, sv.Fpt(f[3:], point))
    shown = page.shown()
    wanted = np.stack([v, X @ v, f, np.linalg.solve(X.T, f)], axis=-1)
    np.testing.assert_allclose(shown, wanted, atol=6e-3)
    assert page.tab.get_by_text(f"{f @ v:.4f} W in A, {f @ v:.4f} W in B").count() == 1
    page.close()


def test_particles_add_up_to_an_inertia(browser: Any, tmp_path: Path) -> None:
    """The matrix is the sum of the particles' inertias, and the ellipsoid has the same inertia."""
    page = Figure(browser, tmp_path, "inertia")
    page.drag("handles[0]", 40, -30)
    mass = page.slide("mass 2", 1.5)
    m, p = page.get("masses"), page.get("points")
    assert m[2] == mass
    I = sv.mcI(m, p, np.zeros((4, 3, 3))).sum(axis=0)
    near(page.get("inertia()"), I)
    np.testing.assert_allclose(page.matrix("I"), I, atol=6e-3)
    (body,) = body_masses(sv.Model(parent=[-1], jtype=["Fb"], Xtree=[np.eye(6)], I=[I]))
    near(np.sort(page.get("ellipsoid()")["radii"]), np.sort(body.radii))
    page.close()


@pytest.mark.parametrize("kind", range(4))
def test_a_joint_lets_its_motor_feel_a_part_of_the_force(
    browser: Any, tmp_path: Path, kind: int
) -> None:
    """Transform and motion subspace agree with `jcalc`, and the motor feels tau = S^T f."""
    page = Figure(browser, tmp_path, "joint")
    page.tab.locator("select").select_option(index=kind)
    page.drag("handle", 40, -50)
    q = [page.slide("position 0", 0.45)]
    jtype: Any = ["Rz", "Pz", "H", "S"][kind]
    if jtype == "H":
        jtype = {"code": "H", "pars": {"pitch": page.slide("pitch", -0.2)}}
    if jtype == "S":
        rotation = [*q, page.slide("position 1", -0.6), page.slide("position 2", 0.9)]
        ball = sv.Model(parent=[-1], jtype=["S"], Xtree=[np.eye(6)], I=[np.eye(6)])
        q = sv.configurationAddition(ball, [1, 0, 0, 0], rotation)
    X, S = sv.jcalc(jtype, q if len(q) > 1 else q[0])
    near(page.get("X().XJ"), X)
    near(np.transpose(page.get("X().S")), S)
    E, r = sv.plux(X)
    at = r + E.T @ [0.25, 0.17, 0.11]
    f = np.linalg.solve(np.transpose(X), sv.Fpt(page.get("push()"), at))
    near(page.get("f()"), f)
    near(page.get("tau()"), S.T @ f)
    np.testing.assert_allclose(page.shown(), np.column_stack([S, f]), atol=6e-4)
    page.close()


def test_the_robot_holds_what_pushes_it(browser: Any, tmp_path: Path) -> None:
    """The joint forces agree with `ID`, the ellipsoid with the Jacobian."""
    model, page = model_of("robot"), Figure(browser, tmp_path, "robot")
    page.drag("handle", 50, -40)
    page.slide("joint 1", 0.5)
    q, end, push = page.get("q"), page.get("end()"), page.get("push()")
    assert np.linalg.norm(push) > 1
    f_ext = np.zeros((model.NB, 6))
    f_ext[-1] = sv.Fpt(push, end)
    zero = np.zeros(model.NV)
    found = page.get("holding()")
    wanted = sv.ID(model, q, zero, zero), sv.ID(model, q, zero, zero, f_ext)
    near(found["weight"], wanted[0])
    near(found["all"], wanted[1])
    np.testing.assert_allclose(page.shown(), np.transpose(wanted), atol=6e-3)
    at = sv.forward_kinematics(model, q)
    J = np.linalg.solve(at.X0[-1], sv.BodyJacobian(model, q, model.NB - 1))
    velocities = J[3:] + np.cross(J[:3].T, end).T
    wanted = np.linalg.svd(velocities, compute_uv=False)
    near(np.sort(page.get("manipulability()")["radii"])[::-1], wanted)
    page.tick("inertia ellipsoids", True)
    page.close()


def test_the_arm_follows_its_target_by_damped_steps(browser: Any, tmp_path: Path) -> None:
    """A step is J^T (J J^T + mu^2 1)^-1 e; the tip reaches the target, also after a joint was
    moved.
    """
    model, page = model_of("reach"), Figure(browser, tmp_path, "reach")
    tip = sv.Frame(model.NB - 1, sv.xlt([0.3, 0, 0]))
    page.drag("handle", -40, -50)
    near(page.get("end()"), page.get("target()"), 1e-9)
    before = page.get("q")
    page.drag("turns.meshes[1]", 20, 30)
    assert np.abs(page.get("q") - before).max() > 0.02
    near(page.get("end()"), page.get("target()"), 1e-9)
    page.tick("follow the target", False)
    page.drag("handle", 30, -40)
    mu = page.slide("damping", 0.2)
    q, e = page.get("q"), page.get("target()") - page.get("end()")
    J = np.asarray(sv.FrameJacobian(model, q, tip, "mixed"))[3:]
    wanted = J.T @ np.linalg.solve(J @ J.T + mu**2 * np.eye(3), e)
    near(page.get("change().dq"), wanted)
    near(page.get("end()"), sv.forward_kinematics(model, q, frame=tip).p)
    sizes = np.linalg.svd(J, compute_uv=False)
    near(page.get("values().sizes"), sizes)
    shown = np.stack([sizes, 1 / sizes, sizes / (sizes**2 + mu**2)])
    np.testing.assert_allclose(page.shown(), shown, atol=6e-4)
    page.tab.get_by_role("button", name="One step").click()
    near(page.get("q"), q + wanted * min(1, 0.5 / np.linalg.norm(wanted)))
    page.close()


@pytest.mark.parametrize(("name", "joints"), [("robot", [0, 1, 2]), ("composite", [0, 1, 2, 3, 4])])
def test_links_turn_about_their_joints(
    browser: Any, tmp_path: Path, name: str, joints: list[int]
) -> None:
    """A handle on a joint changes this joint only, and follows the mouse as far as the joint
    allows.
    """
    page = Figure(browser, tmp_path, name)
    assert page.get("turns.joints").tolist() == joints
    for k, i in enumerate(joints):
        q = page.get("q")
        x, y, _ = page.tab.evaluate(f"stage.onScreen(figure.turns.meshes[{k}].position)")
        page.drag(f"turns.meshes[{k}]", 25, 20)
        change = page.get("q") - q
        assert np.flatnonzero(change).tolist() == [i] and 0.005 < abs(change[i]) < 1.5
        label = page.tab.locator("label", has_text=f"joint {i}").locator("output")
        assert float(label.inner_text()) == pytest.approx(page.get("q")[i], abs=0.02)
        after = page.tab.evaluate(f"stage.onScreen(figure.turns.meshes[{k}].position)")
        assert np.dot(np.subtract(after[:2], [x, y]), [25, 20]) > 0
    page.close()


@pytest.mark.parametrize("off", ["", "gravity", "velocity", "acceleration", "rotors"])
def test_terms_add_up_to_inverse_dynamics(browser: Any, tmp_path: Path, off: str) -> None:
    """The sum of the terms agrees with `ID` of the model, state and push without the term that is
    turned off.
    """
    model, page = model_of("torques"), Figure(browser, tmp_path, "torques")
    page.drag("handle", 40, 30)
    page.slide("q̇1", 3.3)
    if off:
        page.tick(off, False)
    q, qd, qdd = (page.get(x) for x in ("q", "qd", "qdd"))
    f_ext = np.zeros((model.NB, 6))
    f_ext[-1] = sv.Fpt(page.get("push()"), page.get("end()"))
    if off == "gravity":
        model = model.replace(gravity=[0, 0, 0])
    if off == "rotors":
        model = model.replace(has_rotor=[False, False])
    wanted = sv.ID(model, q, qd * (off != "velocity"), qdd * (off != "acceleration"), f_ext)
    terms = page.get("terms()")
    near(np.sum(list(terms.values()), axis=0), wanted)
    none = {"acceleration": {"acceleration", "rotors"}}.get(off, {off})
    assert {name for name, x in terms.items() if np.abs(x).max() < 1e-3} == none - {""}
    shown = page.shown()
    np.testing.assert_allclose(shown[:-1], list(terms.values()), atol=6e-3)
    np.testing.assert_allclose(shown[-1], wanted, atol=6e-3)
    page.close()


def test_a_column_of_the_mass_matrix_comes_from_a_composite_body(
    browser: Any, tmp_path: Path
) -> None:
    """H agrees with `CRBA`; its diagonal entries are S^T IC S."""
    model, page = model_of("composite"), Figure(browser, tmp_path, "composite")
    for i in range(model.NB):
        page.slide(f"joint {i}", 0.5 - 0.4 * i)
    page.tab.locator("select").select_option(index=3)
    q = page.get("q")
    H, IC = sv.CRBA(model, q), np.array(page.get("IC()"))
    near(page.get("H()"), H)
    S = [sv.jcalc(model.jtype[i], q[i])[1] for i in range(model.NB)]
    near([S[i][:, 0] @ IC[i] @ S[i][:, 0] for i in range(model.NB)], np.diag(H))
    np.testing.assert_allclose(page.matrix("H"), H, atol=6e-3)
    assert float(page.table()[-1][1]) == pytest.approx(H[3, 3], abs=6e-4)
    marked = page.tab.locator("#H td.marked").all_text_contents()
    assert [float(x) for x in marked] == pytest.approx(H[:, 3], abs=6e-3)
    page.close()


def test_the_trunk_turns_as_its_momentum_says(browser: Any, tmp_path: Path) -> None:
    """The trunk moves such that the momentum stays zero; its final pose depends on the path of the
    arms.
    """
    model, page = model_of("floating"), Figure(browser, tmp_path, "floating")

    def velocity(q: np.ndarray, rates: np.ndarray) -> np.ndarray:
        A = sv.CMM(model, q)
        return np.concatenate([-np.linalg.solve(A[:, :6], A[:, 6:] @ rates), rates])

    q = page.get("state()")
    centre = page.get("centre()")
    for arm, to in ((0, 1.5), (1, -1.2), (0, 0.0), (1, 0.0)):
        rates = np.zeros(2)
        rates[arm] = page.slide(f"arm {arm}", to) - q[7 + arm]
        steps = int(np.ceil(np.abs(rates).max() / 0.01 - 1e-9))
        for _ in range(steps):
            half = sv.configurationAddition(model, q, velocity(q, rates / steps) / 2)
            q = sv.configurationAddition(model, q, velocity(half, rates / steps))
        near(page.get("state()"), q)
    near(page.get("baseVelocity([0.7, -0.2])"), velocity(q, np.array([0.7, -0.2]))[:6])
    np.testing.assert_allclose(page.get("centre()"), centre, atol=1e-4)
    np.testing.assert_allclose(q[7:], 0, atol=1e-12)
    assert abs(page.get("angle()")) > 0.01
    page.close()


def test_a_pair_of_forces_closes_the_loop(browser: Any, tmp_path: Path) -> None:
    """Accelerations and multipliers agree with `KKT_FD` in every position of the crank."""
    model, page = model_of("linkage"), Figure(browser, tmp_path, "linkage")
    loop = [sv.ball_loop(2, [0.6, 0.0], 1, [0.8, 0.0])]
    before = page.get("state()")["q"]
    page.drag("handle", 60, 70)
    torque = page.slide("torque", 2.5)
    page.tab.evaluate("figure.advance(0.2)")
    state = page.get("state()")
    q, qd = np.array(state["q"]), np.array(state["qd"])
    assert np.abs(q - before).max() > 0.1 and np.abs(qd).max() > 0.1
    rows = page.get("rows()")
    assert np.abs(rows["gap"]).max() < 1e-5
    near(rows["G"], sv.constraint_jacobian(model, q, loop))
    tau = np.array([torque, 0, 0])
    wanted = sv.KKT_FD(model, q, qd, tau, loop, baumgarte=(400.0, 40.0))
    found = page.get("solution()")
    near(found["qdd"], wanted.qdd)
    near(found["lambda"], wanted.lambda_)
    page.tick("loop closed", False)
    near(page.get("solution()")["qdd"], sv.FDab(model, q, qd, tau))
    page.close()


def test_a_complex_step_keeps_all_digits(browser: Any, tmp_path: Path) -> None:
    """The derivatives in the page agree with those of the same function in Python."""
    page = Figure(browser, tmp_path, "steps")
    page.slide("x", 1.3)
    page.slide("log", -9.2)
    state = page.get("state()")
    x, h = state["x"], state["h"]

    def f(z: Any) -> Any:
        return np.exp(z) / np.sqrt(np.sin(z) ** 3 + np.cos(z) ** 3)

    exact = np.imag(f(x + 1e-20j)) / 1e-20
    near(page.get("value(" + repr(x) + ")"), f(x))
    near(page.get("slope()"), exact)
    rows = {row[0]: float(row[1]) for row in page.table()[1:]}
    near(rows["complex step"], exact)
    assert abs(rows["one-sided"] - exact) > 1e-9
    assert abs(rows["one-sided"] - (f(x + h) - f(x)) / h) < 1e-14 / h
    kept = page.tab.locator("#numbers b").all_text_contents()
    assert len(kept[1]) < len(kept[2]) + 3 < len(kept[3])
    page.close()


def test_sliders_begin_with_their_values(browser: Any, tmp_path: Path) -> None:
    """A slider shows the number that the figure begins with, not the nearest step beside it."""
    figure = Figure(browser, tmp_path, "torques")
    given = [x for name in ("q", "qd", "qdd") for x in data_of("torques")[name]]
    sliders = figure.tab.locator("label:has(input[type=range])")
    values = [float(x) for x in sliders.locator("input").evaluate_all("x => x.map(y => y.value)")]
    shown = [float(x) for x in sliders.locator("output").all_text_contents()]
    assert values == shown == given
    figure.close()
