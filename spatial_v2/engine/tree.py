"""The arrays of a model as kernels read them; a planar model is a slice of a spatial one."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

NO_FORCE = np.empty((0, 0, 6))
NO_TERMS = np.empty(0), np.empty(0), np.empty(0), np.empty(0), np.empty(0)
_PLANE = np.array([2, 3, 4])
_PARTS = {"6": _PLANE, "3": np.array([0, 1])}


class Tree(NamedTuple):
    """A kinematic tree in plain arrays. Joint terms are all empty where there are none, and so are
    those of springs.
    """

    parent: Ints  # (NB,)
    joint: Ints
    """Kind, axis, index of the first position and of the first velocity variable, number of
    velocity variables, and the other body that the joint moves (link or rotor), or -1: (NB, 6)."""
    par: Floats  # sign and pitch (NB, 2)
    Xtree: Floats  # (NB, 6, 6)
    I: Floats  # (NB, 6, 6)
    gravity: Floats  # (3,)
    armature: Floats  # (nv,)
    damping: Floats
    friction: Floats
    stiffness: Floats  # of springs (nv,)
    rest: Floats  # positions at which they are at rest


class View(NamedTuple):
    """A frame as its kernels see it: a chain of bodies that ends in it; see `parts.frame_view`."""

    tree: Tree
    axes: int  # 0: the frame's own, 1: the base's, 2: the base's about the frame's origin
    classical: bool  # True: accelerations are those of points, not spatial ones


def lift(tree: Tree) -> Tree:
    """Convert a planar tree to a spatial tree that moves in the plane z = 0."""
    X, inertia = lift_transforms(tree.Xtree), _lift_inertias(tree.I)
    return tree._replace(Xtree=X, I=inertia, gravity=np.append(tree.gravity, 0.0))


def gear(tree: Tree, driver: Ints, ratio: Floats) -> Tree:
    """Return the tree with its last bodies marked as rotors, driven by the joints `driver`.

    `ratio` has the gear ratios; see `engine.parts.rotors`. Rows of S of rotors come after those of
    the velocity variables.
    """
    joint, par = tree.joint.copy(), tree.par.copy()
    rotor = np.arange(len(joint) - len(driver), len(joint))
    joint[rotor, 2] = joint[driver, 2]
    joint[rotor, 5], joint[driver, 5] = driver, rotor
    par[rotor, 0] *= ratio
    names = ("armature", "damping", "friction", "stiffness", "rest")
    terms = {name: getattr(tree, name)[: -len(driver)] for name in names}
    return tree._replace(joint=fixed(joint), par=fixed(par), **terms)


def fixed(x: Any) -> Any:
    """Make an array read-only, as kernels need the layout of a tree, and return it."""
    x.flags.writeable = False
    return x


def _embed(planar: Floats) -> Floats:
    """Copy planar matrices into the rows and columns [omega_z, v_x, v_y] of 6x6 matrices."""
    out = np.zeros((len(planar), 6, 6))
    out[:, _PLANE[:, None], _PLANE] = planar
    return out


def lift_transforms(planar: Floats) -> Floats:
    """Convert planar transforms (n, 3, 3) to spatial ones (n, 6, 6)."""
    X = _embed(planar)
    X[:, :2, :2] = E = planar[:, 1:, 1:]
    X[:, 5, 5] = 1.0
    X[:, 5, :2] = -(planar[:, None, 1:, 0] @ E)[:, 0]
    return X


def _lift_inertias(planar: Floats) -> Floats:
    inertia = _embed(planar)
    inertia[:, 5, 5] = planar[:, 1, 1]
    inertia[:, :2, 5] = inertia[:, 5, :2] = -planar[:, 0, 1:]
    return inertia


def lift_forces(force: Floats | None, lead: tuple[int, ...]) -> Floats:
    """Convert forces, also planar ones, to a contiguous batch (B, NB, 6); (0, 0, 6) for None."""
    if force is None:
        return NO_FORCE
    force = np.broadcast_to(force, lead + force.shape[-2:])
    if force.shape[-1] == 3:
        force = raise_vectors(force)
    return np.require(force, requirements=["C", "W"]).reshape(-1, *force.shape[-2:])


def raise_vectors(planar: Floats) -> Floats:
    """Convert planar vectors (..., 3) to spatial vectors (..., 6)."""
    x = np.zeros((*planar.shape[:-1], 6))
    x[..., _PLANE] = planar
    return x


def lower(x: Floats, dims: tuple[str, ...]) -> Floats:
    """Select the planar components of a kernel's result, along the axes marked ``6`` and ``3``."""
    for k, dim in enumerate(dims, -len(dims)):
        if dim in _PARTS:
            x = x.take(_PARTS[dim], k)
    return x
