"""Second derivatives of forward dynamics of single states, from the arguments of the function."""

from spatial_v2.engine.algorithms.FD_derivatives import FD_derivatives
from spatial_v2.engine.algorithms.FD_SO_derivatives import FD_SO_derivatives
from spatial_v2.engine.algorithms.FDab import FDab
from spatial_v2.engine.algorithms.ID_SO_derivatives import ID_SO_derivatives
from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.compile.memory import data_address, doubles
from spatial_v2.engine.numbers.batches import all_finite
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.tensors.sums import TreeAndSums
from spatial_v2.engine.tree import Floats


@jit
def FD_SO_derivatives_whole(
    of: TreeAndSums, q: Floats, qd: Floats, tau: Floats, f_ext: Floats, f_body: Floats,
    qq: Floats, vv: Floats, qv: Floats, dM: Floats,
) -> bool:  # fmt: skip
    """Compute qq, vv, qv and dM, the four tensors (B, nv, nv, nv) of `FD_SO_derivatives`.

    Returns True if the first derivatives are finite.
    """
    tree, sums, many, past = of
    B, n = qd.shape
    P, Q, Minv, qdd = empty(q, B, n, n), empty(q, B, n, n), empty(q, B, n, n), empty(q, B, n)
    x, v = empty(q, B, many[0] + 1), empty(q, B, many[1] + 1)
    z, m = empty(q, B, many[2] + 1), empty(q, B, many[3] + 1)
    Minv[:, :, :] = 0.0
    x[:, many[0]] = 0.0
    v[:, many[1]] = 0.0
    z[:, many[2]] = 0.0
    FD_derivatives(tree, q, qd, tau, f_ext, f_body, P, Q, Minv)
    FDab(tree, q, qd, tau, f_ext, f_body, qdd)
    ID_SO_derivatives(tree, q, qd, qdd, f_ext, f_body, x, v, z, m)
    rows = (B, n, n * n)
    out = (
        doubles(data_address(qq), rows), doubles(data_address(vv), rows),
        doubles(data_address(qv), rows), doubles(data_address(dM), rows),
    )  # fmt: skip
    FD_SO_derivatives(tree, sums, past, q, (P, Q, Minv), (x, v, z), out)
    finite = True
    for y in (P, Q, Minv):
        flat = doubles(data_address(y), (y.size,))
        finite = finite and all_finite(flat, 0, flat.size)
    return finite
