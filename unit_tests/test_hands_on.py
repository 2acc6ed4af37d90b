"""The dynamics of the hands-on figures are those of the library; the figures follow the mouse."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zoo

from spatial_v2 import (
    ID,
    BodyJacobian,
    FDab,
    HandC,
    Model,
    autoTree,
    configurationAddition,
    load_model,
)

ROOT = Path(__file__).parents[1]
SCRIPTS = ROOT / "docs" / "_static" / "hands_on"
sys.path.append(str(ROOT / "docs" / "_ext"))
hands_on = pytest.importorskip("hands_on", reason="needs the extra docs")

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def tab(browser: Any) -> Iterator[Any]:
    """Open a page that has loaded ``dynamics.js`` alone."""
    tab = browser.new_page()
    tab.add_script_tag(path=SCRIPTS / "dynamics.js")
    yield tab
    tab.close()


def evaluate(tab: Any, expression: str, model: Model, *args: Any) -> Any:
    """Evaluate JavaScript with a model m and a list x of arguments."""
    given = [hands_on.model_as_data(model), [None if x is None else x.tolist() for x in args]]
    return tab.evaluate(f"([m, x]) => {expression}", given)


def near(found: Any, wanted: Any) -> None:
    wanted = np.asarray(wanted)
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-12 * max(1, np.abs(wanted).max()))


def forces(model: Model, f_ext: np.ndarray) -> np.ndarray:
    """Return external forces as spatial vectors, also those of planar models."""
    if f_ext.shape[-1] == 6:
        return f_ext
    out = np.zeros((*f_ext.shape[:-1], 6))
    out[..., hands_on.PLANE] = f_ext
    return out


@pytest.mark.parametrize("name", zoo.NAMES)
def test_dynamics_in_the_page_are_those_of_the_library(tab: Any, name: str) -> None:
    """Inverse and forward dynamics and the mass matrix agree to 1e-12, with rotors and external
    forces.
    """
    model, rng = zoo.build(name), np.random.default_rng(7)
    for _ in range(3):
        q, qd, qdd, tau, f_ext = zoo.states(model, rng)
        f = forces(model, f_ext)
        near(
            evaluate(tab, "dynamics.ID(m, ...x)", model, q, qd, qdd, f),
            ID(model, q, qd, qdd, f_ext),
        )
        near(evaluate(tab, "dynamics.ID(m, ...x)", model, q, qd, qdd), ID(model, q, qd, qdd))
        near(evaluate(tab, "dynamics.CRBA(m, ...x)", model, q), HandC(model, q, qd)[0])
        near(
            evaluate(tab, "dynamics.FDab(m, ...x)", model, q, qd, tau, f),
            FDab(model, q, qd, tau, f_ext),
        )


@pytest.mark.parametrize("name", [*zoo.SPATIAL, "rotors"])
def test_kinematics_in_the_page_are_those_of_the_library(tab: Any, name: str) -> None:
    """Placements of bodies, and columns of their Jacobians in base coordinates, agree for every
    body.
    """
    model, rng = zoo.build(name), np.random.default_rng(8)
    q, qd = zoo.states(model, rng)[:2]
    Xup = ID(model, q, qd, qd, return_info=True)[1].Xup
    placements: list[np.ndarray] = []
    for body, p in enumerate(model.parent):
        placements.append(np.asarray(Xup[body] if p < 0 else Xup[body] @ placements[p]))
        J, X = np.asarray(BodyJacobian(model, q, body)), placements[body]
        found = evaluate(tab, f"dynamics.jacobian(m, x[0], {body})", model, q)
        moved = [c for c, column in enumerate(found) if column is not None]
        assert moved == [c for c in range(model.NV) if np.abs(J[:, c]).max() > 0]
        near(evaluate(tab, "dynamics.placements(m, x[0])", model, q)[body], X)
        near(np.array([found[c] for c in moved]).T, np.linalg.solve(X, J)[:, moved])


@pytest.mark.parametrize("name", ["floating", "spherical", "helical", "prismatic"])
def test_steps_in_the_page_are_those_of_the_library(tab: Any, name: str) -> None:
    model, rng = zoo.build(name), np.random.default_rng(9)
    q, qd = zoo.states(model, rng)[:2]
    for dt in (0.3, 1e-6):
        wanted = configurationAddition(model, q, dt * qd)
        near(evaluate(tab, f"dynamics.moved(m, x[0], x[1], {dt})", model, q, qd), wanted)


def test_energy_is_kept_by_steps_in_the_page(tab: Any) -> None:
    """Without joint forces, the energy of a floating robot changes only by the errors of the time
    steps.
    """
    model = zoo.build("floating")
    q, qd = zoo.states(model, np.random.default_rng(1))[:2]
    code = """(() => {
        let [q, v] = x;
        const energy = () => dynamics.kineticEnergy(m, q, v) + dynamics.potentialEnergy(m, q);
        const before = energy(), none = v.map(() => 0), dt = 1e-4;
        for (let k = 0; k < 1000; k++) {
            const half = dynamics.sum(v, dynamics.scaled(dt / 2, dynamics.FDab(m, q, v, none)));
            const middle = dynamics.moved(m, q, v, dt / 2);
            v = dynamics.sum(v, dynamics.scaled(dt, dynamics.FDab(m, middle, half, none)));
            q = dynamics.moved(m, q, half, dt);
        }
        return [before, energy()];
    })()"""
    before, after = evaluate(tab, code, model, q, qd)
    assert abs(after - before) < 1e-5 * max(1, abs(before))


def figure(browser: Any, folder: Path, name: str, data: dict[str, Any]) -> tuple[Any, list[str]]:
    """Open a figure as the site has it, without network; return the page and the list of its
    errors.
    """
    for path in SCRIPTS.iterdir():
        folder.joinpath(path.name).write_bytes(path.read_bytes())
    hands_on.write(folder, f"{name}.html", hands_on.page_of(name, data))
    context = browser.new_context(viewport={"width": 900, "height": 440}, offline=True)
    tab, errors = context.new_page(), []
    tab.on("pageerror", lambda error: errors.append(str(error)))
    tab.goto((folder / f"{name}.html").as_uri())
    tab.wait_for_function("window.figure")
    return tab, errors


def drag(tab: Any, handle: str, dx: float, dy: float) -> None:
    """Move a handle by pixels with the mouse."""
    x, y, _ = tab.evaluate(f"stage.onScreen({handle}.position)")
    tab.mouse.move(x, y)
    tab.mouse.down()
    tab.mouse.move(x + dx, y + dy, steps=4)
    tab.mouse.up()


def printed(tab: Any) -> list[list[str]]:
    """Return the texts of the cells of the table of numbers."""
    return [
        row.split("\t")
        for row in tab.evaluate("""() => [...document.querySelectorAll("#numbers tr")].map(
            (row) => [...row.children].map((cell) => cell.textContent).join("\\t"))""")
    ]


def test_the_screw_follows_the_mouse(browser: Any, tmp_path: Path) -> None:
    """The six numbers of the twist that is shown are those of a screw about the axis through the
    balls.
    """
    tab, errors = figure(browser, tmp_path, "screw", {})
    before = tab.evaluate("figure.state()")
    drag(tab, "figure.handles[1]", 60, 30)
    drag(tab, "figure.handles[0]", -40, 20)
    state = tab.evaluate("figure.state()")
    assert state["tip"] != before["tip"] and state["point"] != before["point"]
    point, tip = np.array(state["point"]), np.array(state["tip"])
    w = state["rate"] * (tip - point) / np.linalg.norm(tip - point)
    wanted = np.concatenate([w, np.cross(point, w) + state["pitch"] * w])
    near(tab.evaluate("figure.velocity()"), wanted)
    shown = [float(x) for row in printed(tab) for x in row[1:]]
    np.testing.assert_allclose(shown, wanted, atol=6e-4)
    assert errors == []


def test_the_robot_holds_what_pushes_it(browser: Any, tmp_path: Path) -> None:
    """The joint forces shown are those of `ID` with the push as external force."""
    model = load_model("puma560")
    tab, errors = figure(browser, tmp_path, "robot", {"model": hands_on.model_as_data(model)})
    drag(tab, "figure.handle", 50, -40)
    q, end, push = (
        np.array(tab.evaluate(x)) for x in ("figure.q", "figure.end()", "figure.push()")
    )
    assert np.linalg.norm(push) > 1
    f_ext = np.zeros((model.NB, 6))
    f_ext[-1] = [*np.cross(end, push), *push]
    zero = np.zeros(model.NV)
    wanted = ID(model, q, zero, zero), ID(model, q, zero, zero, f_ext)
    found = tab.evaluate("figure.holding()")
    near(found["weight"], wanted[0])
    near(found["all"], wanted[1])
    tab.locator("input[type=range]").first.fill("0.5")
    assert tab.evaluate("figure.q[0]") == pytest.approx(0.5, abs=0.01)
    assert errors == []


def test_energy_shows_which_terms_are_left_out(browser: Any, tmp_path: Path) -> None:
    """The sum of the energies stays constant; without the velocity terms of the dynamics it does
    not.
    """
    model = autoTree(3).replace(gravity=[0, -9.81, 0])
    data = {"model": hands_on.model_as_data(model), "q": [1.2, 0.5, -0.4], "qd": [0, 1, 2]}
    tab, errors = figure(browser, tmp_path, "motion", data)
    code = "() => { for (let k = 0; k < 480; k++) figure.step(); return figure.energies(); }"
    before = sum(tab.evaluate("figure.energies()"))
    drift = abs(sum(tab.evaluate(code)) - before)
    assert drift < 1e-4 * before
    tab.get_by_label("velocity terms").uncheck()
    assert abs(sum(tab.evaluate(code)) - before) > 20 * drift
    tab.get_by_text("Run", exact=True).click()
    time = tab.evaluate("figure.state().time")
    tab.wait_for_function(f"figure.state().time > {time}")
    assert errors == []
