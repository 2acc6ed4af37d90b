"""Solutions of the problems of ``benchmarks/control.py`` by Crocoddyl.

This program runs in an environment of its own, without this library. It reads a problem as JSON
from standard input, and writes the results of the solvers to standard output.
"""

from __future__ import annotations

import json
import sys
from time import process_time
from typing import Any

import crocoddyl
import numpy as np
import pinocchio as pin


def contact_problem(given: dict[str, Any]) -> tuple[Any, np.ndarray, np.ndarray]:
    """Return problem, initial state and initial controls of a robot on its feet."""
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

    def node(trunk: float, legs: float, v: float, u: float, h: float, pose: float = 0.0) -> Any:
        contacts, costs = (
            crocoddyl.ContactModelMultiple(state, nu),
            crocoddyl.CostModelSum(state, nu),
        )
        for foot in given["feet"]:
            where, gains = model.getFrameId(foot), np.array(given["gains"])
            if "sole" in foot:
                held = crocoddyl.ContactModel6D(
                    state, where, pin.SE3.Identity(), pin.LOCAL, nu, gains
                )
            else:
                held = crocoddyl.ContactModel3D(
                    state, where, np.zeros(3), pin.LOCAL_WORLD_ALIGNED, nu, gains
                )
            contacts.addContact(foot, held)
        weights = np.concatenate([np.full(6, trunk), np.full(nu, legs), np.full(model.nv, v)])
        off = crocoddyl.ResidualModelState(state, goal, nu)
        square = crocoddyl.ActivationModelWeightedQuad(weights)
        costs.addCost("state", crocoddyl.CostModelResidual(state, square, off), 1.0)
        if u:
            effort = crocoddyl.ResidualModelControl(state, stand)
            costs.addCost("effort", crocoddyl.CostModelResidual(state, effort), u)
        if pose:
            target = pin.SE3(np.array(given["R"]), np.array(given["p"]))
            hand = crocoddyl.ResidualModelFramePlacement(
                state, model.getFrameId(given["frame"]), target, nu
            )
            costs.addCost("pose", crocoddyl.CostModelResidual(state, hand), pose)
        dynamics = crocoddyl.DifferentialActionModelContactFwdDynamics(
            state, actuation, contacts, costs, 0.0, True
        )
        return crocoddyl.IntegratedActionModelEuler(dynamics, h)

    w = given["weights"]
    running = node(w.get("base", 0.0), w["legs"], w["v"], w["u"], given["h"])
    last = node(w["trunk"], 0.0, w["v_end"], 0.0, 0.0, w.get("pose", 0.0))
    return crocoddyl.ShootingProblem(start, [running] * given["n"], last), start, stand


def reach_problem(given: dict[str, Any]) -> tuple[Any, np.ndarray, np.ndarray]:
    """Return problem, initial state and initial controls of an arm that reaches for a pose."""
    model = pin.buildModelFromUrdf(given["urdf"])
    state, nu = crocoddyl.StateMultibody(model), model.nv
    actuation, w = crocoddyl.ActuationModelFull(state), given["weights"]
    start = np.concatenate([given["start"], np.zeros(model.nv)])

    def costs(q: float, v: float) -> Any:
        total = crocoddyl.CostModelSum(state, nu)
        square = crocoddyl.ActivationModelWeightedQuad(np.repeat([q, v], model.nv))
        off = crocoddyl.ResidualModelState(state, start, nu)
        total.addCost("state", crocoddyl.CostModelResidual(state, square, off), 1.0)
        return total

    def node(total: Any, h: float) -> Any:
        dynamics = crocoddyl.DifferentialActionModelFreeFwdDynamics(state, actuation, total)
        return crocoddyl.IntegratedActionModelEuler(dynamics, h)

    within, end = costs(w["q"], w["v"]), costs(0.0, w["v_end"])
    effort = crocoddyl.CostModelResidual(state, crocoddyl.ResidualModelControl(state, nu))
    within.addCost("effort", effort, w["u"])
    target = pin.SE3(np.array(given["R"]), np.array(given["p"]))
    frame = model.getFrameId(given["frame"])
    pose = crocoddyl.ResidualModelFramePlacement(state, frame, target, nu)
    end.addCost("pose", crocoddyl.CostModelResidual(state, pose), w["pose"])
    running = [node(within, given["h"])] * given["n"]
    return crocoddyl.ShootingProblem(start, running, node(end, 0.0)), start, np.array(given["u"])


def calls(given: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the time of an iteration of FDDP that starts from the motion of the one before."""
    problem, start, u = contact_problem(given)
    solver, rng = crocoddyl.SolverFDDP(problem), np.random.default_rng(0)
    solver.th_stop = 1e-30
    solver.solve([start] * (given["n"] + 1), [u] * given["n"], 50, False, 0.0)
    seconds = []
    for _ in range(given["calls"]):
        x = start.copy()
        x[-problem.runningModels[0].state.nv :] = given["push"] * rng.normal(
            size=problem.runningModels[0].state.nv
        )
        xs, us = [x, *solver.xs[1:]], list(solver.us)
        begin = process_time()
        problem.x0 = x
        solver.solve(xs, us, 1, False, 0.0)
        seconds.append(process_time() - begin)
    row = {"method": "Crocoddyl SolverFDDP", "iterations": 1, "cost": solver.cost}
    return [row | {"seconds": min(seconds), "promised": [], "version": crocoddyl.__version__}]


def main(given: dict[str, Any]) -> list[dict[str, Any]]:
    if "calls" in given:
        return calls(given)
    make = contact_problem if "feet" in given else reach_problem
    problem, start, u = make(given)
    rows = []
    for name in ("SolverDDP", "SolverFDDP"):
        seconds = []
        for _ in range(given["repeats"]):
            solver, log = getattr(crocoddyl, name)(problem), crocoddyl.CallbackLogger()
            solver.th_stop = given["enough"]
            solver.setCallbacks([log])
            begin = process_time()
            solver.solve([start] * (given["n"] + 1), [u] * given["n"], 200, False, 0.0)
            seconds.append(process_time() - begin)
        promised = [float(x) for x in log.stops]
        rows.append({"method": f"Crocoddyl {name}", "iterations": len(promised),
                     "cost": solver.cost, "seconds": min(seconds), "promised": promised,
                     "version": crocoddyl.__version__})  # fmt: skip
    return rows


if __name__ == "__main__":
    json.dump(main(json.load(sys.stdin)), sys.stdout)
