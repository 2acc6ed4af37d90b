"""Steps in the configuration spaces of joints.

`spaces` (k, 4) has a row for each joint with a quaternion and each sequence of other joints: 1 for
a quaternion or 0, the indices of the first position and velocity variable, and the number of
velocity variables.
"""

from typing import Annotated, NamedTuple

from spatial_v2.engine.compile.decorators import jit, part
from spatial_v2.engine.numbers.workspaces import allocator
from spatial_v2.engine.parts.rotation_maps import family, matrix, turn
from spatial_v2.engine.tree import Floats, Ints


@part
def add_turn(q: Floats, x: Floats, f: Floats, d: Floats, M: Floats, out: Floats) -> None:
    """Compute q (+) x of a spherical joint, with 4 and 3 entries, or a floating one, with 7 and 6.

    f (9,), d (2, 3) and M (3, 3) are workspaces.
    """
    w = x[:3]
    s = w[0] * w[0] + w[1] * w[1] + w[2] * w[2]
    family(s / 4, f)
    a, b, c, e = f[0], f[1] / 2 * w[0], f[1] / 2 * w[1], f[1] / 2 * w[2]
    r, u, v, z = q[0], q[1], q[2], q[3]
    if x.size == 6:
        family(s, f)
        M[:] = 0.0
        matrix(f[2], f[3], w, M)
        for j in range(3):
            d[0, j] = x[3 + j]
            for k in range(3):
                d[0, j] += M[j, k] * x[3 + k]
        turn(q, 1.0, d[0], d[1])
        for j in range(3):
            out[4 + j] = q[4 + j] + d[1, j]
    out[0] = r * a - u * b - v * c - z * e
    out[1] = r * b + u * a + v * e - z * c
    out[2] = r * c - u * e + v * a + z * b
    out[3] = r * e + u * c - v * b + z * a


class Turns(NamedTuple):
    """Workspaces of `add_turn`."""

    f: Annotated[Floats, "9"]
    d: Annotated[Floats, "2, 3"]
    M: Annotated[Floats, "3, 3"]


new_turns = allocator(Turns, "q")


@part
def displace(spaces: Ints, q: Floats, x: Floats, w: Turns, out: Floats) -> None:
    """Compute the configuration q (+) x (NQ,); out may be q."""
    for r in range(len(spaces)):
        turns, a, b, n = spaces[r, 0], spaces[r, 1], spaces[r, 2], spaces[r, 3]
        if turns:
            add_turn(q[a : a + n + 1], x[b : b + n], w.f, w.d, w.M, out[a : a + n + 1])
        else:
            for k in range(n):
                out[a + k] = q[a + k] + x[b + k]


@jit
def configurationAddition(spaces: Ints, q: Floats, x: Floats, out: Floats) -> None:
    """Compute the configurations out (B, NQ): q (+) x. q and x repeat if they have fewer rows."""
    w = new_turns(q)
    for i in range(len(out)):
        displace(spaces, q[i % len(q)], x[i % len(x)], w, out[i])
