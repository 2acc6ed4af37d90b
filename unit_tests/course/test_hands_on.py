"""The algorithms of the hands-on figures agree with the library."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import zoo
from hands_on_pages import SCRIPTS, near

import spatial_v2 as sv
from spatial_v2.course.hands_on_model import PLANE, model_as_data
from spatial_v2.show.mass import body_masses

pytestmark = pytest.mark.optional


@pytest.fixture(scope="module")
def tab(browser: Any) -> Iterator[Any]:
    """Open a page that has loaded only the scripts of algorithms."""
    tab = browser.new_page()
    for name in ("algebra", "dynamics", "systems"):
        tab.add_script_tag(path=SCRIPTS / f"{name}.js")
    yield tab
    tab.close()


def evaluate(tab: Any, expression: str, model: sv.Model, *args: Any) -> Any:
    """Evaluate a JavaScript expression with a model m and a list x of arguments."""
    given = [model_as_data(model), [None if x is None else x.tolist() for x in args]]
    return tab.evaluate(f"([m, x]) => {expression}", given)


def forces(model: sv.Model, f_ext: np.ndarray) -> np.ndarray:
    """Return external forces as spatial vectors, converting those of planar models."""
    if f_ext.shape[-1] == 6:
        return f_ext
    out = np.zeros((*f_ext.shape[:-1], 6))
    out[..., PLANE] = f_ext
    return out


@pytest.mark.parametrize("name", zoo.MODELS)
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
            sv.ID(model, q, qd, qdd, f_ext),
        )
        near(evaluate(tab, "dynamics.ID(m, ...x)", model, q, qd, qdd), sv.ID(model, q, qd, qdd))
        near(evaluate(tab, "dynamics.CRBA(m, ...x)", model, q), sv.HandC(model, q, qd)[0])
        near(
            evaluate(tab, "dynamics.FDab(m, ...x)", model, q, qd, tau, f),
            sv.FDab(model, q, qd, tau, f_ext),
        )


@pytest.mark.parametrize("name", zoo.over([*zoo.SPATIAL, "rotors"]))
def test_kinematics_in_the_page_are_those_of_the_library(tab: Any, name: str) -> None:
    """Placements of bodies, and columns of their Jacobians in base coordinates, agree for every
    body.
    """
    model, rng = zoo.build(name), np.random.default_rng(8)
    q, qd = zoo.states(model, rng)[:2]
    Xup = sv.ID(model, q, qd, qd, return_info=True)[1].Xup
    placements: list[np.ndarray] = []
    for body, p in enumerate(model.parent):
        placements.append(np.asarray(Xup[body] if p < 0 else Xup[body] @ placements[p]))
        J, X = np.asarray(sv.BodyJacobian(model, q, body)), placements[body]
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
        wanted = sv.configurationAddition(model, q, dt * qd)
        near(evaluate(tab, f"dynamics.moved(m, x[0], x[1], {dt})", model, q, qd), wanted)


@pytest.mark.parametrize("name", ["branched", "floating", "planar_tree", "rotors"])
def test_energies_in_the_page_are_those_of_the_library(tab: Any, name: str) -> None:
    """Kinetic energies agree, and potential ones up to a constant, with rotors, too."""
    model, rng = zoo.build(name), np.random.default_rng(3)
    found, wanted = [], []
    for _ in range(3):
        q, qd = zoo.states(model, rng)[:2]
        energy = sv.EnerMo(model, q, qd)
        found.append(
            evaluate(
                tab,
                "[dynamics.kineticEnergy(m, ...x), dynamics.potentialEnergy(m, x[0])]",
                model, q, qd,
            )
        )  # fmt: skip
        wanted.append([energy.KE, energy.PE])
    change = np.subtract(found, wanted)
    near(change[:, 0], 0 * change[:, 0], 1e-12 * max(1, np.abs(wanted).max()))
    near(change[:, 1], change[[0, 0, 0], 1], 1e-12 * max(1, np.abs(wanted).max()))


@pytest.mark.parametrize("name", ["floating", "two_floating", "branched", "spherical"])
def test_momentum_in_the_page_is_that_of_the_library(tab: Any, name: str) -> None:
    """The centroidal momentum matrix and the centre of mass agree."""
    model, rng = zoo.build(name), np.random.default_rng(4)
    q, qd = zoo.states(model, rng)[:2]
    near(evaluate(tab, "dynamics.CMM(m, x[0])", model, q), sv.CMM(model, q))
    near(evaluate(tab, "dynamics.centreOfMass(m, x[0]).c", model, q), sv.EnerMo(model, q, qd).cm)


def test_ellipsoids_in_the_page_are_those_of_animations(tab: Any) -> None:
    """Centre, semi-axes and directions of the uniform ellipsoid with a given inertia agree."""
    model = zoo.build("branched")
    for i, mass in enumerate(body_masses(model)):
        found = tab.evaluate("(I) => algebra.ellipsoid(I)", np.asarray(model.I[i]).tolist())
        near(found["centre"], mass.c)
        axes, squares = np.array(found["axes"]), np.square(found["radii"])
        near(axes.T @ np.diag(squares) @ axes, mass.axes @ np.diag(mass.radii**2) @ mass.axes.T)


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
