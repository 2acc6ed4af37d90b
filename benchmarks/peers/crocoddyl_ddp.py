"""The problem of ``examples/optimal_control/ddp_contacts.py`` given to Crocoddyl.

It runs in an environment of its own, which knows nothing of this library: a problem in JSON comes
by standard input, what the solvers did goes to standard output.
"""

from __future__ import annotations

import json
import sys
from time import perf_counter
from typing import Any

import crocoddyl
import numpy as np
import pinocchio as pin


def main(given: dict[str, Any]) -> list[dict[str, Any]]:
    model = pin.buildModelFromUrdf(given["urdf"], pin.JointModelFreeFlyer())
    joints = [model.joints[model.getJointId(name)] for name in given["joints"]]
    state, nu = crocoddyl.StateMultibody(model), model.nv - 6
    actuation = crocoddyl.ActuationModelFloatingBase(state)
    stand = np.zeros(nu)
    stand[[joint.idx_v - 6 for joint in joints]] = given["stand"]

    def at_rest(q: np.ndarray) -> np.ndarray:
        x = np.zeros(model.nq + model.nv)
        x[:7] = [*q[4:7], *q[1:4], q[0]]
        x[[joint.idx_q for joint in joints]] = q[7:]
        return x

    start, goal = (at_rest(np.array(given[key])) for key in ("start", "goal"))

    def node(trunk: float, legs: float, v: float, u: float, h: float) -> Any:
        contacts, costs = (
            crocoddyl.ContactModelMultiple(state, nu),
            crocoddyl.CostModelSum(state, nu),
        )
        for foot in given["feet"]:
            held = crocoddyl.ContactModel3D(
                state, model.getFrameId(foot), np.zeros(3), pin.LOCAL_WORLD_ALIGNED, nu,
                np.array(given["gains"]),
            )  # fmt: skip
            contacts.addContact(foot, held)
        weights = np.concatenate([np.full(6, trunk), np.full(nu, legs), np.full(model.nv, v)])
        off = crocoddyl.ResidualModelState(state, goal, nu)
        square = crocoddyl.ActivationModelWeightedQuad(weights)
        costs.addCost("state", crocoddyl.CostModelResidual(state, square, off), 1.0)
        if u:
            effort = crocoddyl.ResidualModelControl(state, stand)
            costs.addCost("effort", crocoddyl.CostModelResidual(state, effort), u)
        dynamics = crocoddyl.DifferentialActionModelContactFwdDynamics(
            state, actuation, contacts, costs, 0.0, True
        )
        return crocoddyl.IntegratedActionModelEuler(dynamics, h)

    n, h, w = given["n"], given["h"], given["weights"]
    running = node(0.0, w["legs"] / h, w["v"] / h, w["u"] / h, h)
    last = node(w["trunk"], 0.0, w["v_end"], 0.0, 0.0)
    problem = crocoddyl.ShootingProblem(start, [running] * n, last)
    rows = []
    for name in ("SolverDDP", "SolverFDDP"):
        seconds = []
        for _ in range(given["repeats"]):
            solver, log = getattr(crocoddyl, name)(problem), crocoddyl.CallbackLogger()
            solver.th_stop = given["enough"]
            solver.setCallbacks([log])
            begin = perf_counter()
            solver.solve([start] * (n + 1), [stand] * n, 200, True, 0.0)
            seconds.append(perf_counter() - begin)
        promised = [float(x) for x in log.stops]
        rows.append({"method": f"Crocoddyl {name}", "promised": promised, "cost": solver.cost,
                     "seconds": min(seconds), "version": crocoddyl.__version__})  # fmt: skip
    return rows


if __name__ == "__main__":
    json.dump(main(json.load(sys.stdin)), sys.stdout)
