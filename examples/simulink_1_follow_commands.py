"""MATLAB's Simulink example 1: a planar arm with two links follows commands, by PD control.

The commands are piecewise linear. Run it, or a short form of it:

    python examples/simulink_1_follow_commands.py [--quick]
"""

from __future__ import annotations

import sys

import numpy as np

from spatial_v2 import planar, simulate

TIMES = [0.0, 1.0, 2.0, 3.0, 4.0]
COMMANDS = np.array([[0.0, 1.0, 1.0, 0.0, 0.0], [0.0, 2.0, 2.0, 0.0, 0.0]])
GAIN, LEAD = 800.0, 0.015


def command(t: float, commands: np.ndarray = COMMANDS) -> tuple[np.ndarray, np.ndarray]:
    """The commanded positions and their rates; they repeat after four seconds."""
    k = int(t % 4.0)
    rate = commands[:, k + 1] - commands[:, k]
    return commands[:, k] + rate * (t % 4.0 - k), rate


def control(t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
    wanted, rate = command(t)
    return np.asarray(GAIN * ((wanted - q) + LEAD * (rate - qd)))


def main(quick: bool = False) -> dict[str, float]:
    seconds = 2.0 if quick else 10.0
    times = np.linspace(0, seconds, int(20 * seconds) + 1)
    motion = simulate(planar(2), np.zeros(4), times, control, rtol=1e-6, atol=1e-8, max_step=0.2)
    error = np.array([command(t)[0] for t in times]) - motion.q
    held = (times % 2.0 > 1.8) | ((times % 2.0 == 0) & (times > 0))
    print(" time   q1     q2     error of q1, of q2 [rad]")
    for k in range(0, len(times), 10):
        print(f"{times[k]:5.1f} {motion.q[k, 0]:6.3f} {motion.q[k, 1]:6.3f}", end="")
        print(f"  {error[k, 0]:9.1e} {error[k, 1]:9.1e}")
    report = {
        "largest error": float(np.abs(error).max()),
        "error when held": float(np.abs(error[held]).max()),
        "energy less work": float(np.abs(motion.energy.drift).max()),
    }
    print("\n".join(f"{name}: {value:.1e}" for name, value in report.items()))
    return report


if __name__ == "__main__":
    main("--quick" in sys.argv)
