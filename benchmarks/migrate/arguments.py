"""Arguments for MATLAB functions of which only the names of the parameters are known.

For each parameter a few values are tried that its name suggests. The first combination with which
the function runs in GNU Octave is used. All values are drawn with one seed and written as literals.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

import spatial_v2 as sv

__all__ = ["MODEL", "MODELS", "combinations", "values"]

MODEL = "autoTree(4, 1.5, 0.7)"
"""A tree with four joints, which every version of the library can build."""
MODELS = ("model", "robot", "rob", "mdl", "tree")
"""Names of parameters and results that are models."""
JOINTS = 4
MOST = 60
"""Largest number of combinations that are tried."""

NAMED = {
    "model robot rob mdl tree tree_model robot_model": "model",
    "q q0 qj qd qdd tau v_joint tau_in qd_r qdd_r qdr qddr qd_des dq ddq qdot qn q_ant": "joints",
    "X0 x0 state in1": "state",
    "f_ext fext": "none",
    "g grav gravity": "scalar downwards",
    "leg": "one",
    "xfb": "floating",
    "fd": "flags",
    "free_base": "zero",
    "quat quat1 quat2 q1 q2": "quaternion",
    "X Xup X1 X2 Xj AdX Xend Xend_dot": "X T R",
    "I Ic inertia": "inertia vector10",
    "J P P1 P2 Q Pinertia": "pseudo R inertia matrix6",
    "R E rot Rot R1 R2": "R quaternion",
    "T": "T tensor matrix4 matrix",
    "H": "matrix4 T",
    "r c com pos w omega axis": "three scalar",
    "p pd": "three matrix scalar",
    "theta th angle m mass eps tol t x y z": "scalar three joints",
    "bf": "two one",
    "skew taper": "scalar",
    "samples": "two",
    "tens_in hess_in": "tensor",
    "i j k b body frame index body_num": "two one",
    "n nb": "two three",
    "pi_vec params pi a a1 a2 Theta phi": "vector10 six three",
    "v f m1 m2 vJ s xi": "six three",
    "jtyp jtype code pitch": "joint",
    "lambda parent": "parents",
    "nf": "counts",
    "seq": "sequence",
    "L": "lower matrix",
    "A B M C": "matrix6 matrix matrix4",
    "fun func F handle": "function six",
    "NB": "four",
    "K": "stiffness",
    "D": "damping matrix6",
    "mu": "half",
    "u": "slips six",
}
"""Names of parameters, and the values that are tried for them first."""
OTHERS = "three six scalar joints R X quaternion matrix vector10 two model state pseudo inertia"


def values(seed: int) -> dict[str, str]:
    """Return values as MATLAB literals, different for each seed, by names such as
    ``quaternion``.
    """
    rng = np.random.default_rng([23, seed])
    R = sv.randomRotation(rng)
    X = sv.randomAdSE3(rng)
    vector10 = sv.randomInertialParams(rng)
    A = rng.normal(size=(4, 4))
    found: dict[str, np.ndarray] = {
        "scalar": rng.uniform(0.3, 1.3, (1, 1)),
        "joints": rng.normal(size=(JOINTS, 1)),
        "state": rng.normal(size=(2 * JOINTS, 1)),
        "three": rng.normal(size=(3, 1)),
        "six": rng.normal(size=(6, 1)),
        "quaternion": sv.rotToQuat(R)[:, None],
        "vector10": vector10[:, None],
        "R": R,
        "X": X,
        "T": sv.AdjointToSE3(X),
        "inertia": sv.inertiaVecToMat(vector10),
        "pseudo": sv.inertiaVecToPinertia(vector10),
        "matrix": rng.normal(size=(3, 4)),
        "matrix4": A @ A.T + np.eye(4),
        "matrix6": rng.normal(size=(6, 6)),
        "lower": np.tril(A),
        "parents": np.array([[0.0, 1, 1, 2]]),
        "flags": np.array([[0.0, 1, 0, 1]]),
        "counts": np.array([[1.0, 2, 1, 3]]),
        "sequence": np.array([[3.0, 2, 1]]),
        "slips": 1e-3 * rng.normal(size=(2, 4)),
        "floating": np.r_[sv.rotToQuat(R), rng.normal(size=9)][:, None],
    }
    text = {name: literal(x) for name, x in found.items()}
    tensor = literal(rng.normal(size=(1, 24)))
    return text | {
        "tensor": f"reshape({tensor}, 3, 4, 2)",
        "downwards": "[0; 0; -9.81]",
        "zero": "0",
        "one": "1",
        "half": "0.5",
        "damping": "100",
        "stiffness": "10000",
        "two": "2",
        "four": "4",
        "none": "{}",
        "joint": "'Rx'",
        "function": "@(x) [x(1)*x(2); sin(x(1))]",
        "model": MODEL,
    }


def literal(x: np.ndarray) -> str:
    """Write an array as MATLAB does."""
    rows = [" ".join(f"{y:.17g}" for y in row) for row in np.atleast_2d(x)]
    return f"[{'; '.join(rows)}]" if x.size > 1 else rows[0]


def combinations(
    parameters: tuple[str, ...], made: dict[str, list[str]] | None = None
) -> Iterator[tuple[str, ...]]:
    """Yield combinations of values for the parameters, the likeliest first.

    First come values that other functions of the repository make, by parameter `made`; then all
    parameters whose names suggest nothing get values of the same kind; later ones leave out
    arguments at the end.
    """
    suggested = {n: kinds for names, kinds in NAMED.items() for n in names.split()}
    made = made or {}
    given = [made.get(p, []) or suggested.get(p, "").split()[:1] for p in parameters]
    for one in OTHERS.split():
        yield from itertools.islice(itertools.product(*(g or [one] for g in given)), 9)
    given = [suggested.get(p, "").split()[:1] for p in parameters]
    for one in OTHERS.split():
        yield from itertools.product(*(g or [one] for g in given))
    model = any(suggested.get(p) == "model" for p in parameters)
    options = []
    for p in parameters:
        first = suggested.get(p, "").split()
        if model and p in ("v", "x", "a", "y", "z", "qd0", "w", "p", "u", "mu", "lambda"):
            first = ["joints"]
        if not model and suggested.get(p) == "joints":
            first = ["quaternion", *first]
        options.append(list(dict.fromkeys([*first, *OTHERS.split()])))
    for count in range(len(parameters), -1, -1):
        by_rank = sorted(
            itertools.islice(itertools.product(*(range(len(o)) for o in options[:count])), 4000),
            key=lambda ranks: (sum(ranks), ranks),
        )
        for ranks in by_rank[: MOST if count == len(parameters) else 6]:
            yield tuple(o[r] for o, r in zip(options, ranks, strict=False))
