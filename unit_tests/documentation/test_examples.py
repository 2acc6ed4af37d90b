"""The examples run, and their results confirm what their texts say."""

import re
import runpy
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers import for_each

from spatial_v2.io import example_robots

EXAMPLES = Path(__file__).parents[2] / "examples"
LONGEST = {
    "against_pinocchio.py": 70,
    "arm_control.py": 125,
    "adaptive_control.py": 70,
    "balance.py": 150,
    "chaos.py": 65,
    "contacts_against_pinocchio.py": 90,
    "derive_expression.py": 120,
    "foucault.py": 75,
    "four_bar.py": 90,
    "gripper.py": 110,
    "gyroscope.py": 65,
    "identification.py": 65,
    "landing.py": 75,
    "momentum_observer.py": 80,
    "strandbeest.py": 150,
    "tennis_racket.py": 75,
}
PRINTED = ["simulate.py", "ddp.py"]


def run(name: str, run_name: str = "example") -> dict[str, Any]:
    return runpy.run_path(str(EXAMPLES / name), run_name=run_name)


@pytest.mark.parametrize("name", PRINTED)
def test_examples_print_a_report(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    run(name, "__main__")
    assert len(capsys.readouterr().out.splitlines()) > 5


@for_each(sorted(EXAMPLES.glob("*.py")))
def test_examples_are_short(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST.get(path.name, 60)


def runs_of_scripts() -> set[str]:
    """Return the names of the example scripts that tests run; those of Simulink are found by their
    numbers.
    """
    texts = [
        path.read_text(encoding="utf-8") for path in Path(__file__).parents[1].glob("*/test_*.py")
    ]
    quoted = re.findall(
        r'(?:run\(|EXAMPLES / |"examples" / |"optimal_control" / )"(\w+\.py)"', "\n".join(texts)
    )
    numbered = [path.name for n in SIMULINK for path in EXAMPLES.glob(f"simulink_{n}_*.py")]
    return {*quoted, *PRINTED, *numbered, *(f"{name}.py" for name in CHECKED)}


def test_every_script_is_run() -> None:
    assert {path.name for path in EXAMPLES.rglob("*.py")} == runs_of_scripts()


def test_motion_keeps_energy_and_falls_freely() -> None:
    example = run("simulate.py")
    model = example["robot"]()
    times, q, qd = example["simulate"](model, np.ones(model.NV), 0.5)
    e = example["EnerMo"](model, q, qd)
    assert np.ptp(e.KE + e.PE) < 1e-8 * np.ptp(e.KE)
    momentum = e.htot[:, 3:] - e.mass[:, None] * times[:, None] * model.gravity
    assert np.ptp(momentum, axis=0).max() < 1e-8


def test_exact_hessians_make_convergence_quadratic() -> None:
    """Near the solution, each exact step squares the decrease of the cost; without second
    derivatives it falls by a factor of about 3.
    """
    example = run("ddp.py")
    ddp, ilqr = example["solve"](exact=True, iterations=7), example["solve"](exact=False)
    assert ddp[-1] < 1e-16 < 1e-5 < ddp[-3]
    assert all(2 < a / b < 5 for a, b in pairwise(ilqr[3:]))


CHECKED = {
    "arm_control": {
        "held": 1e-9, "PD": 1e-5, "computed torque": 1e-7, "spring": 1e-7, "hand": 1e-8,
    },
    "adaptive_control": {"V less lost": 1e-9, "adaptive / fixed": 0.7},
    "balance": {"centre of mass": 0.05, "friction": 0.55, "torque": 1.0, "lifted": 0.01},
    "chaos": {"energy": 1e-11, "distance from the predicted one": 1e-2},
    "foucault": {"pole": 1e-4, "Paris": 1e-3, "Nairobi": 1e-9},
    "gripper": {
        "loops open [m]": 1e-9, "jaws turn": 1e-9, "distance from the formula [m]": 1e-9,
        "force less that of virtual work": 1e-9,
    },
    "gyroscope": {
        "rate at 60": 1e-7, "tilt at 60": 1e-8, "energy at 60": 1e-8,
        "rate at 90": 1e-7, "tilt at 90": 1e-8, "energy at 90": 1e-8,
    },
    "identification": {
        "data sheet": 2.0, "identified": 0.6, "residual less noise": 0.05,
        "residual without noise": 1e-9,
    },
    "momentum_observer": {"residual less filter": 1e-6, "beyond the link": 1e-8},
    "sparsity": {"chain": 1e-12, "binary tree": 1e-12, "quadruped": 1e-12},
    "strandbeest": {
        "loops open [m]": 1e-9, "height of the trunk changes [m]": 1e-3,
        "torque less slope of energy [N m]": 1e-5,
    },
    "tennis_racket": {
        "energy, handle": 1e-9, "wobble, handle": 1e-3, "energy, middle": 1e-9,
        "time between flips": 1e-6, "energy, normal": 1e-9, "wobble, normal": 1e-3,
    },
}  # fmt: skip
"""Errors that examples report in their short form, and their upper bounds."""


LONG = {"adaptive_control", "arm_control", "balance", "foucault", "gyroscope"}
"""Examples that take two seconds and more in their short form."""
NEEDED = {"identification": ["clarabel", "cvxpy"], "balance": ["osqp"]}


def robots_are_there() -> None:
    if not example_robots():
        pytest.skip("example-robot-data is not installed")


@pytest.mark.parametrize(
    "name", [pytest.param(x, marks=[pytest.mark.slow] * (x in LONG)) for x in CHECKED]
)
def test_examples_obey_laws(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    for needed in NEEDED.get(name, ()):
        pytest.importorskip(needed)
    if name == "balance":
        robots_are_there()
    report = run(f"{name}.py")["main"](quick=True)
    assert len(capsys.readouterr().out.splitlines()) >= 3
    assert report.keys() == CHECKED[name].keys()
    for what, most in CHECKED[name].items():
        assert 0 <= report[what] < most, what


SIMULINK = {
    1: {"largest error": 0.1, "error when held": 1e-3, "energy less work": 1e-5},
    3: {
        "joint from the exact course [rad]": 1e-9,
        "momentum": 1e-9,
        "shift of the centre of mass [m]": 1e-9,
        "energy less work [J]": 1e-9,
    },
    4: {
        "angular velocity from the exact one": 1e-9,
        "kinetic energy": 1e-10,
        "centre of mass": 1e-10,
        "velocity of the centre of mass": 1e-10,
        "momentum": 1e-10,
    },
    5: {
        "energy": 1e-10,
        "momentum": 1e-10,
        "energy of the opening angle": 1e-10,
        "slabs as mirror images": 1e-9,
    },
    6: {"error when held": 1e-3, "joints of the elbow apart": 1e-9, "energy less work": 1e-6},
}
"""Errors that each of MATLAB's Simulink examples reports in its short form, with upper bounds."""


@pytest.mark.parametrize("number", SIMULINK)
@pytest.mark.slow
def test_simulink_examples_report_small_errors(
    number: int, capsys: pytest.CaptureFixture[str]
) -> None:
    (path,) = EXAMPLES.glob(f"simulink_{number}_*.py")
    report = run(path.name)["main"](quick=True)
    assert len(capsys.readouterr().out.splitlines()) > 5
    assert report.keys() == SIMULINK[number].keys()
    for name, most in SIMULINK[number].items():
        assert 0 <= report[name] < most, name


@pytest.mark.slow
def test_sampled_control_is_of_first_order(capsys: pytest.CaptureFixture[str]) -> None:
    report = run("simulink_2_sampled_control.py")["main"](quick=True)
    assert all(1.8 < ratio < 2.3 for ratio in report.values())


def test_rolling_disc_gives_its_energy_to_the_ground(capsys: pytest.CaptureFixture[str]) -> None:
    report = run("simulink_7_rolling_disc.py")["main"](quick=True)
    assert 0.05 < report["lost to the ground [J]"] < 0.27
    assert report["energy less work [J]"] < 1e-5
    assert report["friction beyond its cone [N]"] < 1e-9
    assert 1e-4 < report["deepest point [m]"] < 2e-3
    assert report["highest pull of the ground [N]"] <= 0


def test_dynamics_agrees_with_pinocchio() -> None:
    pytest.importorskip("pinocchio")
    example = run("against_pinocchio.py")
    file = str(example["example_robots"]()["solo12"])
    assert max(example["compare"](file).values()) < 1e-11


@pytest.mark.parametrize("case", range(4))
def test_contacts_agree_with_pinocchio(case: int) -> None:
    """Accelerations, forces and their six derivatives agree, for each convention of the example."""
    pytest.importorskip("pinocchio")
    example = run("contacts_against_pinocchio.py")
    ours, theirs, apart = example["compare"](list(example["CASES"])[case])
    assert np.abs(ours).max() > 1
    assert len(apart) == 8
    assert max(apart.values()) < 1e-11
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-11 * np.abs(theirs).max())


def test_feet_carry_the_weight() -> None:
    """Ground forces and weight add up to zero, and so do all torques: the robot rests."""
    robots_are_there()
    stand = run("two_feet.py")["stand"]()
    weight = np.abs(stand["weight"]).max()
    assert weight == pytest.approx(915.6, abs=0.1)
    total = stand["wrenches"][:, 3:].sum(axis=0) + stand["weight"]
    assert np.abs(total).max() < 1e-10 * weight
    assert (stand["wrenches"][:, 5] > 0.4 * weight).all()
    assert np.abs(stand["missing"]).max() < 1e-10 * weight
    assert np.abs(stand["qdd"]).max() < 1e-8


def test_loop_stays_closed_and_keeps_energy() -> None:
    """Projection and one variable close the loop to their tolerance, and with Baumgarte gains it
    opens less than without correction.
    """
    example = run("four_bar.py")
    swing = example["swing"]
    found = {m: swing(m, 0.01, 0.6) for m in ("nothing", "Baumgarte", "projection")}
    found["crank"] = example["swing_by_crank"](0.6)
    gaps = {method: gap for method, (gap, _, _) in found.items()}
    assert max(gaps["projection"], gaps["crank"]) < 1e-11
    assert 1e-9 < 3 * gaps["Baumgarte"] < gaps["nothing"]
    for _, change, kinetic in found.values():
        assert kinetic > 1
        assert change < 1e-4 * kinetic


@pytest.mark.slow
def test_landing_loses_the_energy_of_its_impact() -> None:
    """The impact loses the energy that Newton's law of restitution predicts, and feet rebound with
    e.

    The midpoint rule has order two: with half the step, the error of the energy balance of the
    stance decreases to a quarter.
    """
    example = run("landing.py")
    for e in (0.0, 0.5, 1.0):
        qd, w, lost, law = example["impact"](e)
        assert lost == pytest.approx(law, abs=1e-12)
        np.testing.assert_allclose(w, np.tile([0, 0, -e * example["FALL"][5]], 4), atol=1e-12)
        assert qd[5] < -2
    qd = example["impact"](0.0)[0]
    error = []
    for h in (1e-3, 5e-4):
        s = example["stance"](qd, h, 0.05)
        error.append(s["kinetic"] + s["potential"] + s["legs"] - s["before"])
    assert abs(error[0]) < 0.01 * s["before"]
    assert np.log2(error[0] / error[1]) == pytest.approx(2, abs=0.2)
