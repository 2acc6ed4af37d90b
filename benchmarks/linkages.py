"""Closed chains: a quadruped whose shanks are driven by rods, in independent coordinates.

Run by ``python -m benchmarks linkages``. The same mechanism with multipliers is computed by this
library (`KKT_FD`, for dependent rows) and by Pinocchio's constraint dynamics, called from Python,
with derivatives. States of independent coordinates are y, which are followed from the guess, or
closed configurations of all joints. Times are of the processor, for one state.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

import spatial_v2 as sv
from benchmarks import study
from benchmarks.peers.pinocchio_twin import twin, twin_states
from benchmarks.results_file import Row
from benchmarks.timing import interleaved

STATES = 256

Calls = dict[str, Callable[[], object]]


def quadruped() -> sv.Model:
    """Return a floating body with four legs: abduction, thigh, and a shank that a crank on the
    thigh drives by a rod.
    """
    parent, jtype, X = [-1], ["Fb"], [np.eye(6)]
    I = [sv.mcI(20, [0, 0, 0.1], np.diag([1, 1.5, 1.2]))]
    small = 0.01 * np.eye(3)
    bodies = [
        sv.mcI(1, [0, 0.02, 0], small), sv.mcI(1.5, [0.1, 0, 0], np.diag([0.01, 0.02, 0.02])),
        sv.mcI(0.3, [0.03, 0, 0], 0.1 * small),
        sv.mcI(0.2, [0.15, 0, 0], np.diag([2e-4, 2e-3, 2e-3])),
        sv.mcI(0.4, [0.1, 0, 0], np.diag([1e-3, 1e-2, 1e-2])),
    ]  # fmt: skip
    rods, independent, guess = [], [0], [1.0, 0, 0, 0, 0, 0, 0.8]
    for x in (0.4, -0.4):
        for y in (0.3, -0.3):
            n = len(parent)
            parent += [0, n, n + 1, n + 2, n + 1]
            jtype += ["Rx", "Ry", "Ry", "Ry", "Ry"]
            places = [x, y, 0], [0, 0.05, 0], [0, 0, 0], [0.1, 0, 0], [0.35, 0, 0]
            X += [sv.xlt(place) for place in places]
            I += bodies
            rods.append(sv.PointConstraint(n + 4, [0, 0, -0.1], n + 3, [0.35, 0, 0]))
            independent += [n, n + 1, n + 2]
            guess += [0.1, 0.6, np.pi / 2, -np.pi / 2, 0.0]
    tree = sv.Model(parent=parent, jtype=jtype, Xtree=X, I=I)
    return sv.couple(tree, constraints=rods, independent=independent, guess=guess)


def pinocchio_calls(model: Any, states: dict[str, np.ndarray]) -> Calls:
    """Return calls for all states: forward dynamics, also with its derivatives; empty without the
    package.
    """
    try:
        import pinocchio as pin
    except ImportError:
        return {}
    tree = model.tree
    other = twin(tree)
    data = other.createData()
    contacts, datas = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
    for x in model.coupling.constraints.constraints:
        ends = [(other.getJointId(tree.joint_names[body]), pin.SE3(np.eye(3), np.array(point)))
                for body, point in ((x.body1, x.point1), (x.body2, x.point2))]  # fmt: skip
        kind = pin.ContactType.CONTACT_3D
        contacts.append(pin.RigidConstraintModel(kind, other, *ends[0], *ends[1], pin.LOCAL))
        datas.append(contacts[len(contacts) - 1].createData())
    pin.initConstraintDynamics(other, data, contacts, datas)
    settings = pin.ProximalSettings(1e-10, 1e-10, 5)
    given = list(zip(*twin_states(tree, other, states), strict=True))

    def forward() -> Any:
        for state in given:
            found = pin.constraintDynamics(other, data, *state, contacts, datas, settings)
        return found

    def derivatives() -> None:
        for state in given:
            pin.constraintDynamics(other, data, *state, contacts, datas, settings)
            pin.computeConstraintDynamicsDerivatives(other, data, contacts, datas, settings)

    return {"FDab": forward, "FD_derivatives": derivatives}


def measure(args: argparse.Namespace) -> Iterator[Row]:
    """Yield a row for each function; Hessians are compared with Pinocchio's first derivatives."""
    model: Any = quadruped()
    c, rng = model.coupling, np.random.default_rng(0)
    start = np.broadcast_to(c.guess[c.q_of_y], (STATES, model.NQ))
    y = sv.configurationAddition(model, start, 0.2 * rng.normal(size=(STATES, model.NV)))
    yd, tau, weight = rng.normal(size=(3, STATES, model.NV))
    motion = c.jet(c.configuration(y), yd, 0 * yd)
    whole = np.zeros((STATES, model.tree.NV))
    whole[:, c.v_of_y] = tau
    others = pinocchio_calls(model, {"q": motion.q, "v": motion.qd, "x": whole})
    kkt = partial(sv.KKT_FD, model.tree, motion.q, motion.qd, whole, c.constraints)
    functions: dict[Any, tuple[np.ndarray, ...]] = {
        sv.FDab: (),
        sv.FD_derivatives: (),
        sv.modFD_second_derivatives: (weight,),
    }
    for function, more in functions.items():
        name = function.__name__
        calls: Calls = {
            "single": partial(function, model, *(x[0] for x in (y, yd, tau, *more))),
            "batch": partial(function, model, y, yd, tau, *more),
            "closed": partial(function, model, motion.q, yd, tau, *more),
        }
        if name == "FDab":
            calls["multipliers"] = partial(kkt, rank="minimum_norm")
        if others:
            calls["Pinocchio"] = others.get(name, others["FD_derivatives"])
        us = interleaved(calls, time.thread_time, **args.effort)
        row: Row = {"function": name, "states": STATES}
        row |= {"variables": model.NV, "joints": model.tree.NV, "single": us["single"]}
        for what in [x for x in us if x != "single"]:
            row[what] = us[what] / STATES
            if what in ("batch", "closed") and others:
                row[f"{what} ratio"] = us[what] / us["Pinocchio"]
        yield row


def main() -> None:
    study.table("linkages", study.options(__doc__), measure)


if __name__ == "__main__":
    main()
