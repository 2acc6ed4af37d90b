"""Inverse kinematics of a Panda: one pose at a time and many, beside Pinocchio, Pink and mink.

Run from the root of the repository, with ``OMP_NUM_THREADS=1``:
``python -m benchmarks.inverse_kinematics``. Poses are those of random configurations within the
limits; all methods begin in the middle of the limits and have no restarts. A pose is found if the
frame is nearer to it than 0.1 mm and 1 mrad, and the joints are within their limits.

In a control loop, the hand goes around a circle with steps of 2 ms: for a new target, the joint
velocities within limits, for the pose alone and together with a place of the elbow and a posture.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Iterator
from time import thread_time

import numpy as np

from benchmarks import study
from benchmarks.peers.inverse_kinematics import Solver, Step, peers, steps_of_peers
from spatial_v2 import (
    Model,
    PoseTask,
    PostureTask,
    differential_inverse_kinematics,
    forward_kinematics,
    inverse_kinematics,
    load_model,
    lock,
    pose,
    pose_error,
    random_configuration,
    transform_to_pose,
)
from spatial_v2.io import example_robots

STEP, RADIUS = 0.002, 0.05
FRAME, ELBOW, HELD = (
    "panda_hand",
    "panda_link4",
    {"panda_finger_joint1": 0.0, "panda_finger_joint2": 0.0},
)


def found(model: Model, q: np.ndarray, T: np.ndarray) -> np.ndarray:
    """Return for each configuration whether it is within limits and the frame at its pose."""
    at = forward_kinematics(model, q, frame=FRAME)
    e = pose_error(transform_to_pose(at.X0), T)
    near = (np.linalg.norm(e[:, 3:], axis=1) < 1e-4) & (np.linalg.norm(e[:, :3], axis=1) < 1e-3)
    return near & ((q >= model.lower - 1e-6) & (q <= model.upper + 1e-6)).all(axis=1)


def measure(args: argparse.Namespace) -> Iterator[study.Row]:
    """Yield a row for each method: processor time of a pose [ms], and the poses found [%]."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = lock(load_model("panda", couplings="free"), HELD)
    q = random_configuration(model, np.random.default_rng(0), args.poses, limits=True)
    at = forward_kinematics(model, q, frame=FRAME)
    T, start = pose(at.R, at.p), (model.lower + model.upper) / 2

    def ours(T: np.ndarray, q: np.ndarray) -> np.ndarray:
        return np.asarray(inverse_kinematics(model, FRAME, T, q).q)

    solvers: dict[str, Solver] = {"spatial_v2": ours}
    solvers |= peers(str(example_robots()["panda"]), FRAME, HELD)
    for name, solve in solvers.items():
        solve(T[0], start.copy())
        got, spent = [], []
        for x in T:
            begin = thread_time()
            got.append(solve(x, start.copy()))
            spent.append(1e3 * (thread_time() - begin))
        yield {
            "method": name, "ms": float(np.mean(spent)), "median": float(np.median(spent)),
            "found": 100 * float(found(model, np.array(got), T).mean()),
        }  # fmt: skip
    starts = np.tile(start, (len(T), 1))
    inverse_kinematics(model, FRAME, T, starts)
    begin = thread_time()
    many = inverse_kinematics(model, FRAME, T, starts).q
    ms = 1e3 * (thread_time() - begin) / len(T)
    yield {
        "method": "spatial_v2, all at once",
        "ms": ms,
        "median": ms,
        "found": 100 * float(found(model, many, T).mean()),
    }
    yield from loops(model, 200 if args.fast else 1000)


def loops(model: Model, n: int) -> Iterator[study.Row]:
    """Yield a row for each method: processor time of a step of a control loop [ms]; found are the
    steps after which the hand is at its target.
    """
    start = np.array([0.1, -0.5, 0.3, -1.5, 0.4, 1.5, 0.2])
    places = (
        forward_kinematics(model, start, frame=FRAME),
        forward_kinematics(model, start, frame=ELBOW),
    )
    there, elbow = (pose(x.R, x.p) for x in places)
    T = np.tile(there, (n, 1, 1))
    turn = np.linspace(0, 4 * np.pi, n)
    T[:, 1, 3] += RADIUS * np.sin(turn)
    T[:, 2, 3] += RADIUS * (1 - np.cos(turn))

    def ours(more: bool) -> Step:
        hand = PoseTask(FRAME, there)
        others = [PoseTask(ELBOW, elbow, rows="position", weight=0.1), PostureTask(start)]
        tasks = [hand, *(others if more else [])]

        def velocities(T: np.ndarray, q: np.ndarray) -> np.ndarray:
            hand.target = T
            return differential_inverse_kinematics(model, tasks, q, STEP, rate=1e4)

        return velocities

    urdf = str(example_robots()["panda"])
    steps = {"spatial_v2": (ours(False), ours(True))}
    steps |= steps_of_peers(urdf, FRAME, ELBOW, HELD, start, STEP)
    for name, both in steps.items():
        for step, kind in zip(both, ("a step", "a step of three tasks"), strict=True):
            q, path, spent = start.copy(), [], []
            step(there, q)
            for x in T:
                begin = thread_time()
                qd = step(x, q)
                spent.append(1e3 * (thread_time() - begin))
                q = q + STEP * qd
                path.append(q)
            yield {
                "method": f"{name}, {kind}",
                "ms": float(np.mean(spent)),
                "median": float(np.median(spent)),
                "found": 100 * float(found(model, np.array(path), T).mean()),
            }
    hand = [PoseTask(FRAME, T)]
    many = np.tile(start, (n, 1))
    differential_inverse_kinematics(model, hand, many, STEP)
    begin = thread_time()
    differential_inverse_kinematics(model, hand, many, STEP)
    ms = 1e3 * (thread_time() - begin) / n
    yield {"method": "spatial_v2, steps all at once", "ms": ms, "median": ms, "found": None}


def main() -> None:
    args = study.options(__doc__, robots=["panda"])
    args.poses = 50 if args.fast else 200
    study.table("inverse_kinematics", args, measure)


if __name__ == "__main__":
    main()
