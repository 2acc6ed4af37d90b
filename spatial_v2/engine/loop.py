"""The arrays of a closed loop of joints, as kernels read them."""

from __future__ import annotations

from typing import NamedTuple

from spatial_v2.engine.constrained import ConstraintArrays
from spatial_v2.engine.tree import Floats, Ints, Tree

__all__ = [
    "CONTRACTION",
    "FIRST",
    "MET",
    "SHORTEST",
    "BranchArrays",
    "Branches",
    "Followers",
    "Gears",
    "Linkage",
    "LoopArrays",
    "Products",
]

MET = 1e-13
"""Position error, in lengths of the loop, at which a loop is closed."""
FIRST = 0.1
"""Largest first correction of an accepted solution: radians, and lengths of the loop."""
CONTRACTION = 0.25
"""Largest ratio of successive corrections of an accepted solution."""
SHORTEST = 1e-6
"""Shortest part of the path in one step."""


class LoopArrays(NamedTuple):
    """A loop of n independent and r dependent velocity variables.

    Attributes
    ----------
    constraints : ConstraintArrays
        The tree of the loop's joints, and the m rows that close it; all gains Kp are 1, so that the
        residual of the rows at rest is their position error.
    rows, u, d : (r,), (n,), (r,) int64
        Independent rows, independent variables and dependent variables.
    row_scale, column_scale : (m,), (nv,)
        Factors that make rows and columns of the Jacobian dimensionless.
    """

    constraints: ConstraintArrays
    rows: Ints
    u: Ints
    d: Ints
    row_scale: Floats
    column_scale: Floats


class BranchArrays(NamedTuple):
    """The branch of a loop's motion on which a closed configuration lies.

    Attributes
    ----------
    loop : LoopArrays
    spaces : (k, 4) int64
        Joints with a quaternion, and others; see `algorithms.configurationAddition`.
    kept : int64
        Indices of the independent joints' entries of q.
    guess : (NQ,)
        The closed configuration.
    sign : float
        The sign of the determinant of the selected rows' Jacobian by the dependents there.
    """

    loop: LoopArrays
    spaces: Ints
    kept: Ints
    guess: Floats
    sign: float


class Followers(NamedTuple):
    """Entries of the matrix G of ``qd = G yd`` that differ from state to state.

    Attributes
    ----------
    own : (n,) int64
        For each of the variables y the row in which it alone is 1.
    row, column : (entries,) int64
        The entries of the dependent variables.
    """

    own: Ints
    row: Ints
    column: Ints


class Products(NamedTuple):
    """Entries of G of a tree as sums of those of its loops, which differ where rotors are bodies
    and where independent joints follow each other.

    Attributes
    ----------
    constant : (entries,)
        The parts that are the same in all states.
    into, of : (k,) int64
        Entries of the tree, and of loops: for each loop, dependent and independent variable.
    factor : (k,)
        Factors of the entries of loops.
    """

    constant: Floats
    into: Ints
    of: Ints
    factor: Floats


class Gears(NamedTuple):
    """Rotors as bodies of a tree.

    Attributes
    ----------
    link, rotor, ratio : (k,), int64 and float
        For each rotor the position of its joint, its own position, and the gear ratio.
    of, row, factor : (r,), int64 and float
        For each rotor of a dependent joint the place among the dependents, its own velocity, and
        the gear ratio.
    """

    link: Ints
    rotor: Ints
    ratio: Floats
    of: Ints
    row: Ints
    factor: Floats


class Linkage(NamedTuple):
    """A tree and its L closed loops, whose trees stand after one another in one of their own.

    Attributes
    ----------
    tree : Tree
        The tree, with rotors as further bodies.
    constraints : ConstraintArrays
        The tree of all loops' joints, and their rows, without gains.
    q, v : int64
        Indices of its positions and velocities in those of the tree.
    begin : (L + 1, 3) int64
        First dependent variable, independent variable and row of each loop, and the numbers of all.
    rows, d, u : int64
        Independent rows, dependent and independent velocity variables of all loops.
    row_scale, column_scale : (m,), (nv,)
        Those of `LoopArrays`.
    followers : Followers
        Entries of G of the tree.
    products : Products
        Sums by which they follow from the entries of loops.
    gears : Gears
    above : (n,) int64
        For each independent velocity variable of the tree the one before it on its path, or -1:
        where ``G^T H G = L^T D L``, row i of L is zero outside the path to i.
    """

    tree: Tree
    constraints: ConstraintArrays
    q: Ints
    v: Ints
    begin: Ints
    rows: Ints
    d: Ints
    u: Ints
    row_scale: Floats
    column_scale: Floats
    followers: Followers
    products: Products
    gears: Gears
    above: Ints


class Branches(NamedTuple):
    """The branches of all loops' motions on which a closed configuration lies.

    Attributes
    ----------
    of : Linkage
    own : (ny,) int64
        Indices of the independent positions in the tree's; empty where joints of loops have several
        variables, for which there is no kernel that closes them.
    guess : (NQ,)
        The closed configuration of the tree.
    inverse : (r, most)
        Inverses of the loops' Jacobians of selected rows by dependents there, below each other.
    """

    of: Linkage
    own: Ints
    guess: Floats
    inverse: Floats
