"""Arguments for functions of which only the names of the parameters are known.

Each parameter has a few values that its name suggests; the first combination with which the
function runs in GNU Octave is taken. All values are drawn from one seed and written as literals.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

import spatial_v2 as sv

__all__ = ["MODELS", "combinations", "values"]

MODELS = ("autoTree(4, 1.5, 0.7)", "floatbase(autoTree(3, 1, 0.3))", "planar(4)")
"""Models of four joints, of nine, and a planar one."""
JOINTS = 4
MOST = 60
"""Combinations that are tried."""

NAMED = {
    "model robot rob mdl": "model",
    "q q0 qj qd qdd tau v_joint u tau_in qd_r qdd_r qdr qddr qd_des dq ddq mu lambda qdot": "joints",
    "f_ext fext": "none",
    "X Xup X1 X2 Xj AdX": "X T R",
    "I Ic inertia": "inertia vector10",
    "J P P1 P2 Q": "pseudo R inertia matrix6",
    "R E rot Rot R1 R2": "R quaternion",
    "T H": "T tensor matrix4 matrix",
    "r p c com pos w omega axis n": "three scalar",
    "theta th angle m mass eps tol t x y z": "scalar three",
    "i j k b body frame index": "two one",
    "pi_vec params pi a Theta phi": "vector10 six three",
    "v a f m1 m2 vJ s xi": "six three",
    "jtyp jtype code pitch": "joint",
    "parent lambda_ p_": "parents",
    "L": "lower matrix",
    "A B M C D": "matrix6 matrix matrix4",
    "fun func F handle": "function six",
    "f": "six function",
    "nb NB n_": "four",
}
"""Names of parameters, and the values that are tried for them first."""
OTHERS = "three six scalar joints R X quaternion matrix vector10 two model"


def values() -> dict[str, str]:
    """MATLAB literals by kind of value."""
    rng = np.random.default_rng(23)
    R = sv.randomRotation(rng)
    X = sv.randomAdSE3(rng)
    vector10 = sv.randomInertialParams(rng)
    A = rng.normal(size=(4, 4))
    found: dict[str, np.ndarray] = {
        "scalar": rng.normal(size=(1, 1)),
        "joints": rng.normal(size=(JOINTS, 1)),
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
    }
    text = {name: literal(x) for name, x in found.items()}
    tensor = literal(rng.normal(size=(1, 24)))
    return text | {
        "tensor": f"reshape({tensor}, 3, 4, 2)",
        "one": "1",
        "two": "2",
        "four": "4",
        "none": "{}",
        "joint": "'Rx'",
        "function": "@(x) [x(1)*x(2); sin(x(1))]",
        "model": MODELS[0],
    }


def literal(x: np.ndarray) -> str:
    """An array as MATLAB writes it."""
    rows = ["[" * 0 + " ".join(f"{y:.17g}" for y in row) for row in np.atleast_2d(x)]
    return f"[{'; '.join(rows)}]" if x.size > 1 else rows[0]


def combinations(parameters: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Kinds of values for some parameters, the likeliest first; fewer arguments at the end."""
    suggested = {n: kinds for names, kinds in NAMED.items() for n in names.split()}
    model = any(suggested.get(p) == "model" for p in parameters)
    options = []
    for p in parameters:
        first = suggested.get(p, "").split()
        if model and p in ("v", "x", "a", "y", "z", "qd0", "w"):
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
