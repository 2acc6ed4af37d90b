"""MATLAB's Simulink example 6: an arm with a double elbow, whose two joints have equal angles.

The angles are coupled by an explicit constraint, `FDgq`. A controller as in example 1 acts on the
shoulder and on the total angle of the elbow.

    python examples/simulink_6_double_elbow.py [--quick]
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from spatial_v2 import FDgq, doubleElbow, simulate

sys.path.insert(0, str(Path(__file__).parent))
from simulink_1_follow_commands import COMMANDS, LEAD, command

GAIN = 1000.0
J = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 1.0]])
BENDS = COMMANDS * [[1.0], [1.25]]


def control(t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
    wanted, rate = command(t, BENDS)
    return J.T @ (GAIN * ((wanted - J @ q) + LEAD * (rate - J @ qd)))


def main(quick: bool = False) -> dict[str, float]:
    seconds = 2.0 if quick else 10.0
    times = np.linspace(0, seconds, int(20 * seconds) + 1)
    arm = doubleElbow()
    motion = simulate(arm, np.zeros(6), times, control, dynamics=FDgq, max_step=0.1, rtol=1e-7)
    y = motion.q @ J.T
    error = np.array([command(t, BENDS)[0] for t in times]) - y
    held = (times % 2.0 > 1.8) | ((times % 2.0 == 0) & (times > 0))
    print(" time  shoulder   elbow   error of both [rad]")
    for k in range(0, len(times), 10):
        print(f"{times[k]:5.1f} {y[k, 0]:8.3f} {y[k, 1]:8.3f}", end="")
        print(f"   {error[k, 0]:9.1e} {error[k, 1]:9.1e}")
    report = {
        "error when held": float(np.abs(error[held]).max()),
        "joints of the elbow apart": float(np.abs(motion.q[:, 1] - motion.q[:, 2]).max()),
        "energy less work": float(np.abs(motion.energy.drift).max()),
    }
    print("\n".join(f"{name}: {value:.1e}" for name, value in report.items()))
    return report


if __name__ == "__main__":
    main("--quick" in sys.argv)
