"""The hands-on figure of a motion: its accelerations, its energy, and when it starts by itself."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hands_on_pages import Figure, data_of, model_of, near

from spatial_v2 import FDab, Fpt

pytestmark = pytest.mark.optional

SECOND = "() => { for (let k = 0; k < 480; k++) figure.step(); return figure.energies(); }"


@pytest.mark.parametrize("off", ["", "gravity", "velocity", "rotors"])
def test_accelerations_are_those_of_forward_dynamics(
    browser: Any, tmp_path: Path, off: str
) -> None:
    """Accelerations agree with `FDab` of the model without the term turned off, with the spring as
    external force.
    """
    model, page = model_of("motion"), Figure(browser, tmp_path, "motion")
    page.drag("handle", 60, -50)
    assert page.tab.get_by_label("spring").is_checked()
    if off:
        page.tick(off, False)
    page.tick("damping", True)
    q, qd, end = (
        np.array(page.get("state().q")),
        np.array(page.get("state().qd")),
        page.get("end()"),
    )
    pull = 60 * (page.get("target()") - end)
    assert np.linalg.norm(pull) > 1
    f_ext = np.zeros((model.NB, 6))
    f_ext[-1] = Fpt(pull, end)
    if off == "gravity":
        model = model.replace(gravity=[0, 0, 0])
    if off == "rotors":
        model = model.replace(has_rotor=[False] * model.NB)
    wanted = FDab(model, q, qd * (off != "velocity"), -0.3 * qd, f_ext)
    near(
        page.tab.evaluate("([q, v]) => figure.acceleration(q, v)", [q.tolist(), qd.tolist()]),
        wanted,
    )
    page.close()


@pytest.mark.parametrize("pulled", [False, True])
def test_energy_shows_which_terms_are_left_out(browser: Any, tmp_path: Path, pulled: bool) -> None:
    """The sum of the energies is constant, but not without the velocity terms."""
    page = Figure(browser, tmp_path, "motion")
    if pulled:
        page.drag("handle", 30, -20)
    before = sum(page.get("energies()"))
    drift = abs(sum(page.tab.evaluate(SECOND)) - before)
    assert drift < 1e-3 * abs(before)
    page.tick("velocity terms", False)
    assert abs(sum(page.tab.evaluate(SECOND)) - before) > 20 * drift
    page.close()


def test_rotor_changes_the_motion(browser: Any, tmp_path: Path) -> None:
    page = Figure(browser, tmp_path, "motion")
    q, qd = (page.get(f"state().{x}").tolist() for x in ("q", "qd"))
    code = "([q, v]) => figure.acceleration(q, v)"
    with_rotor = np.array(page.tab.evaluate(code, [q, qd]))
    page.tick("rotors", False)
    assert np.abs(page.tab.evaluate(code, [q, qd]) - with_rotor).max() > 0.1
    page.close()


@pytest.mark.parametrize("preference", ["reduce", "no-preference"])
def test_nothing_moves_by_itself_for_those_who_prefer_less_motion(
    browser: Any, tmp_path: Path, preference: str
) -> None:
    """A figure that runs when it is loaded does not run if the browser asks for reduced motion."""
    data = {**data_of("motion"), "running": True}
    page = Figure(browser, tmp_path, "motion", data, reduced_motion=preference)
    page.tab.wait_for_timeout(400)
    assert (page.get("state().time") > 0) == (preference != "reduce")
    if preference == "reduce":
        page.tab.get_by_text("Step", exact=True).click()
        assert page.get("state().time") == pytest.approx(0.05, abs=0.01)
        page.tab.get_by_text("Run", exact=True).click()
        page.tab.wait_for_function("figure.state().time > 0.1")
    page.close()
