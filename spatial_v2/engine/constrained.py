"""The arrays of constraints and of equations of motion under them, as kernels read them."""

from typing import NamedTuple

from spatial_v2.engine.tree import Floats, Ints, Tree

KERNELS = (
    "constraint_rows", "constraint_derivatives", "constraint_SO_derivatives", "KKT",
    "KKT_equations", "KKT_FD", "KKT_FO_derivatives", "KKT_FD_directional_derivative",
    "KKT_SO_derivatives",
)  # fmt: skip
"""The kernels that the functions of constrained dynamics run."""
ALONE = ("KKT_SO_derivatives",)
"""Those of them that compute the states of a batch one by one."""
LINE = -2
"""In `ConstraintArrays.ends`: the row is along the line between the two points."""
MEET = 16 * 2.0**-52
"""Points coincide if their distance is at most this fraction of their coordinates: rounding
errors.
"""


class ConstraintArrays(NamedTuple):
    """The constraints of a tree in plain arrays."""

    tree: Tree  # that of the links
    ends: Ints
    """For each constraint (nc, 5): body 1; body 2; the end (0 or 1) along whose axes the rows of a
    frame constraint are, -1 for rows along the base's axes, or LINE; the first row; the number of
    rows."""
    E: Floats  # axes (nc, 2, 3, 3) of the frame at each end, in coordinates of its body
    r: Floats  # origins (nc, 2, 3) of the frames, or points
    T: Floats
    """Directions of the rows (m, 6). For a frame constraint, in its own axes; along the base's
    axes, first the direction of the velocity of the point, then that of the rotation. For a row
    along a line, the distance of the points comes first, the rest is zero."""
    Kp: Floats  # gains of position errors (m,)
    Kd: Floats  # gains of velocity errors (m,)
    length: float  # the robot's own


class Equations(NamedTuple):
    """The data of the KKT equations that are the same in all states."""

    above: Ints
    """For each velocity variable, the variable before it on the path from the base, or -1. A row
    of H is zero but for the columns of these variables (Featherstone 2008, Sec. 6.3)."""
    distances: Floats  # the distance that a unit of each velocity variable stands for
    damping: float  # number that is added to the diagonal of ``G H^-1 G^T``


class Constrained(NamedTuple):
    """A tree with its constraints, and data of its KKT equations."""

    constraints: ConstraintArrays
    equations: Equations
