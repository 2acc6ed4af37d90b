"""The arrays of a closed loop of joints, as kernels read them."""

from typing import NamedTuple

from spatial_v2.engine.constrained import ConstraintArrays
from spatial_v2.engine.tree import Floats, Ints, Tree

MET = 1e-13
"""Position error, in lengths of the loop, at which a loop is closed."""
FIRST = 0.1
"""Largest first correction of an accepted solution: radians, and lengths of the loop."""
CONTRACTION = 0.25
"""Largest ratio of successive corrections of an accepted solution."""
SHORTEST = 1e-6
"""Shortest part of the path in one step."""


class LoopArrays(NamedTuple):
    """A loop of n independent and r dependent velocity variables."""

    constraints: ConstraintArrays
    """The tree of the loop's joints, and the m rows that close it; all gains Kp are 1, so that the
    residual of the rows at rest is their position error."""
    rows: Ints  # independent rows (r,)
    u: Ints  # independent variables (n,)
    d: Ints  # dependent variables (r,)
    row_scale: Floats  # factors (m,) and (nv,) that make rows and columns of the Jacobian
    column_scale: Floats  # dimensionless


class BranchArrays(NamedTuple):
    """The branch of a loop's motion on which a closed configuration lies."""

    loop: LoopArrays
    spaces: Ints  # (k, 4): joints with a quaternion, and others; see `configurationAddition`
    kept: Ints  # indices of the independent joints' entries of q
    guess: Floats  # the closed configuration (NQ,)
    sign: float  # that of the determinant of the selected rows' Jacobian by the dependents there


class Followers(NamedTuple):
    """Entries of the matrix G of ``qd = G yd`` that differ from state to state."""

    own: Ints  # for each of the n variables y the row in which it alone is 1
    row: Ints  # the entries of the dependent variables
    column: Ints


class Products(NamedTuple):
    """Entries of G of a tree as sums of those of its loops, which differ where rotors are bodies
    and where independent joints follow each other.
    """

    constant: Floats  # the parts (entries,) that are the same in all states
    into: Ints  # entries of the tree
    of: Ints  # entries of loops: for each loop, dependent and independent variable
    factor: Floats  # factors of the entries of loops


class Gears(NamedTuple):
    """Rotors as bodies of a tree."""

    link: Ints  # for each rotor the position of its joint,
    rotor: Ints  # its own position
    ratio: Floats  # and the gear ratio
    of: Ints  # for each rotor of a dependent joint the place among the dependents,
    row: Ints  # its own velocity
    factor: Floats  # and the gear ratio


class Linkage(NamedTuple):
    """A tree and its L closed loops, whose trees stand after one another in one of their own."""

    tree: Tree  # with rotors as further bodies
    constraints: ConstraintArrays  # the tree of all loops' joints, and their rows, without gains
    q: Ints  # indices of its positions in those of the tree
    v: Ints  # and of its velocities
    begin: Ints  # (L + 1, 3): first dependent and independent variable and row; numbers of all
    rows: Ints  # independent rows, dependent and independent velocity variables of all loops
    d: Ints
    u: Ints
    row_scale: Floats  # those of `LoopArrays`
    column_scale: Floats
    followers: Followers  # entries of G of the tree,
    products: Products  # and how they follow from the entries of loops
    gears: Gears
    above: Ints
    """For each independent velocity variable (n,) of the tree the one before it on its path, or -1:
    where ``G^T H G = L^T D L``, row i of L is zero outside the path to i."""


class Branches(NamedTuple):
    """The branches of all loops' motions on which a closed configuration lies."""

    of: Linkage
    own: Ints
    """Indices (ny,) of the independent positions in the tree's; empty where joints of loops have
    several variables, for which there is no kernel that closes them."""
    guess: Floats  # the closed configuration (NQ,) of the tree
    inverse: Floats  # (r, most): inverses of the loops' Jacobians there, below each other
