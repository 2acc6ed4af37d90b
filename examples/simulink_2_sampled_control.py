"""MATLAB's Simulink example 2: the same arm with a controller that samples and holds.

For short sampling periods its torques converge to those of example 1: the difference is of first
order.

    python examples/simulink_2_sampled_control.py [--quick]
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from spatial_v2 import planar, simulate

sys.path.insert(0, str(Path(__file__).parent))
from simulink_1_follow_commands import GAIN, LEAD, command, control


def sampled(period: float, seconds: float) -> np.ndarray:
    """States [q, qd] at the sampling times; torques are held constant in between."""
    model, x, before = planar(2), np.zeros(4), None
    states = [x]
    for k in range(round(seconds / period)):
        now = GAIN * (command(k * period)[0] - x[:2])
        before = now if before is None else before
        tau = now + LEAD / period * (now - before)
        motion = simulate(model, x, [k * period, (k + 1) * period], tau, method="RK45", rtol=1e-6)
        x, before = np.concatenate([motion.q[-1], motion.qd[-1]]), now
        states.append(x)
    return np.array(states)


def main(quick: bool = False) -> dict[str, float]:
    seconds, longest = (1.0, 0.004) if quick else (4.0, 0.004)
    differences = {}
    for period in (longest, longest / 2, longest / 4):
        states = sampled(period, seconds)
        times = period * np.arange(len(states))
        exact = simulate(planar(2), np.zeros(4), times, control, max_step=0.2, rtol=1e-6)
        differences[period] = float(np.abs(states[:, :2] - exact.q).max())
        print(f"sampled every {1e3 * period:.0f} ms: {len(states)} samples,")
        print(f"    at most {differences[period]:.1e} rad from continuous control")
    first, second, third = differences.values()
    report = {"first ratio": first / second, "second ratio": second / third}
    print("half the period has", " and ".join(f"1/{r:.2f}" for r in report.values()), "of it")
    return report


if __name__ == "__main__":
    main("--quick" in sys.argv)
