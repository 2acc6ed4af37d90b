"""The examples run, and show what they say they show."""

from __future__ import annotations

import runpy
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"
LONGEST = {"derive_expression.py": 120}


def run(name: str, run_name: str = "example") -> dict[str, Any]:
    return runpy.run_path(str(EXAMPLES / name), run_name=run_name)


@pytest.mark.parametrize("name", ["simulate.py", "ddp.py"])
def test_prints(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    run(name, "__main__")
    assert len(capsys.readouterr().out.splitlines()) > 5


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.name)
def test_is_short(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST.get(path.name, 60)


def test_motion_keeps_energy_and_falls_freely() -> None:
    example = run("simulate.py")
    model = example["robot"]()
    times, q, qd = example["simulate"](model, np.ones(model.NV), 0.5)
    e = example["EnerMo"](model, q, qd)
    assert np.ptp(e.KE + e.PE) < 1e-8 * np.ptp(e.KE)
    momentum = e.htot[:, 3:] - e.mass[:, None] * times[:, None] * model.gravity
    assert np.ptp(momentum, axis=0).max() < 1e-8


def test_exact_hessians_make_convergence_quadratic() -> None:
    """Once near, an exact step squares the decrease; without second derivatives it shrinks by 3."""
    example = run("ddp.py")
    ddp, ilqr = example["solve"](exact=True, iterations=7), example["solve"](exact=False)
    assert ddp[-1] < 1e-16 < 1e-5 < ddp[-3]
    assert all(2 < a / b < 5 for a, b in pairwise(ilqr[3:]))


@pytest.mark.peers
@pytest.mark.robots
def test_agrees_with_pinocchio() -> None:
    pytest.importorskip("pinocchio")
    example = run("against_pinocchio.py")
    file = str(example["example_robots"]()["solo12"])
    assert max(example["compare"](file).values()) < 1e-11
