"""A second of motion by `simulate`, MuJoCo, and a loop around Pinocchio: an arm that falls, and a
robot on four legs that lands.

Run from the root of the repository, with ``OMP_NUM_THREADS=1``:
``python -m benchmarks.simulation``. The arm has no contacts, and errors are those of its positions
after a second, compared with a simulation of a much smaller tolerance. Springs in the joints of the
legs hold the box. The ground is compliant here, and MuJoCo's there, so that the motions are similar
and not the same; errors are those of its positions, compared with a motion of the same program that
is computed much more finely.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable, Iterator
from time import thread_time
from typing import Any

import numpy as np

from benchmarks import study
from spatial_v2 import Ground, Model, load_model, lock, simulate
from spatial_v2.interop.mujoco import from_mujoco, mujoco_states
from spatial_v2.interop.pinocchio import pinocchio_states, to_pinocchio

HELD = {"panda_finger_joint1": 0.0, "panda_finger_joint2": 0.0}
GROUND = Ground(K=2e5, D=2e3, mu=0.8)
STIFF, REST, TERMS = 60.0, np.array([0.6, -1.2] * 4), 'armature=".01" damping="2"'
"""Stiffness and rest of the joints of the legs [N m/rad, rad], and their joint terms."""
LEG = """<body name="hip{i}" pos="{x} {y} 0"> <joint name="hip{i}" axis="0 1 0" {terms}/>
  <geom type="capsule" size=".02" fromto="0 0 0 0 0 -.2" contype="0" conaffinity="0"/>
  <body name="knee{i}" pos="0 0 -.2"> <joint name="knee{i}" axis="0 1 0" {terms}/>
    <geom type="capsule" size=".015" fromto="0 0 0 0 0 -.2" contype="0" conaffinity="0"/>
    <geom type="sphere" size=".001" pos="0 0 -.2" friction="0.8" mass="0"/> </body> </body>"""


def timed(call: Callable[[], np.ndarray]) -> tuple[np.ndarray, float]:
    """Return a result and the least processor time of three calls [ms]."""
    call()
    spent = []
    for _ in range(3):
        begin = thread_time()
        result = call()
        spent.append(thread_time() - begin)
    return result, 1e3 * min(spent)


def falling() -> Iterator[study.Row]:
    """Yield rows of an arm that falls for a second."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = lock(load_model("panda", couplings="free"), HELD).replace(limits=None)
    n, q0 = model.NV, np.array([0.1, 0.2, -0.1, -1.0, 0.2, 1.0, 0.3])
    start = q0, np.zeros(n)
    wanted = simulate(model, start, [0, 1], rtol=1e-12, atol=1e-13).q[-1]
    calls: dict[str, Callable[[], np.ndarray]] = {
        f"spatial_v2, rtol {rtol:g}": lambda rtol=rtol: simulate(  # type: ignore[misc]
            model, start, [0, 1], rtol=rtol, atol=rtol
        ).q[-1]
        for rtol in (1e-8, 1e-4)
    }
    calls |= {f"Pinocchio, {h:g} s": lambda h=h: _pinocchio(model, q0, h) for h in (1e-3, 1e-2)}  # type: ignore[misc]
    for name, call in calls.items():
        q, ms = timed(call)
        yield {"motion": "arm", "method": name, "ms": ms, "error": float(np.abs(q - wanted).max())}


def _pinocchio(model: Model, q0: np.ndarray, h: float) -> np.ndarray:
    """Semi-implicit steps of forward dynamics in a loop."""
    import pinocchio as pin

    peer = to_pinocchio(model)
    states, data = pinocchio_states(model, peer), peer.createData()
    q, v, zero = states.q_to(q0), np.zeros(peer.nv), np.zeros(peer.nv)
    for _ in range(round(1 / h)):
        v = v + h * pin.aba(peer, data, q, v, zero)
        q = pin.integrate(peer, q, h * v)
    return np.asarray(states.q_from(q))


def landing() -> Iterator[study.Row]:
    """Yield rows of a box on four legs that lands."""
    import mujoco

    legs = "".join(LEG.format(i=i, x=x, y=y, terms=TERMS) for i, (x, y) in enumerate(_CORNERS))
    peer = mujoco.MjModel.from_xml_string(
        f"""<mujoco><option timestep="0.002"/> <worldbody> <geom type="plane" size="5 5 1"
        friction="0.8"/> <body name="trunk" pos="0 0 .4"><freejoint/> <geom type="box"
        size=".2 .1 .05" mass="8" contype="0" conaffinity="0"/> {legs}
        </body></worldbody></mujoco>"""
    )
    model = from_mujoco(peer)
    feet = [i for i, name in enumerate(model.body_names) if name.startswith("knee")]
    model.gc = {"point": [[0, 0, -0.2]] * 4, "body": feet}
    q0 = np.concatenate([[1.0, 0, 0, 0, 0, 0, 0.4], REST])
    states, start = mujoco_states(model, peer), (q0, np.zeros(model.NV))

    def tau(t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        force = np.zeros(model.NV)
        force[6:] = STIFF * (REST - q[7:])
        return force

    def there(h: float = 0.002) -> np.ndarray:
        peer.opt.timestep, data = h, mujoco.MjData(peer)
        data.qpos[:] = states.q_to(q0)
        for _ in range(round(1 / h)):
            data.qfrc_applied[6:] = STIFF * (REST - data.qpos[7:])
            mujoco.mj_step(peer, data)
        return np.asarray(states.q_from(data.qpos))

    def here(**options: Any) -> np.ndarray:
        return simulate(model, start, [0, 1], tau, contact=GROUND, progress=False, **options).q[-1]

    wanted = here(method="DOP853", rtol=1e-12, atol=1e-13)
    for name, options in OURS.items():
        q, ms = timed(lambda options=options: here(**options))  # type: ignore[misc]
        error = float(np.abs(q - wanted).max())
        yield _landed(name, ms, error, q[6])
    fine = there(FINE)
    for h in (0.002, 0.0002):
        q, ms = timed(lambda h=h: there(h))  # type: ignore[misc]
        yield _landed(f"MuJoCo, {h:g} s", ms, float(np.abs(q - fine).max()), q[6])


def _landed(method: str, ms: float, error: float, height: float) -> study.Row:
    row = {"motion": "four legs", "method": method, "ms": ms, "error": error}
    return row | {"height": float(height)}


FINE = 1e-5
"""Step of MuJoCo's motion that its errors are compared with [s]."""
OURS: dict[str, dict[str, Any]] = {
    "spatial_v2": {},
    "spatial_v2, rtol 0.0001": {"rtol": 1e-4, "atol": 1e-6},
    "spatial_v2, RK45, rtol 0.0001": {"method": "RK45", "rtol": 1e-4, "atol": 1e-6},
}
"""Options of `simulate` by the names of the rows."""
_CORNERS = [(0.2, 0.1), (0.2, -0.1), (-0.2, 0.1), (-0.2, -0.1)]


def measure(args: argparse.Namespace) -> Iterator[study.Row]:
    """Yield a row for each method: processor time of a second of motion [ms]."""
    yield from falling()
    yield from landing()


def main() -> None:
    study.table("simulation", study.options(__doc__, robots=["panda"]), measure)


if __name__ == "__main__":
    main()
