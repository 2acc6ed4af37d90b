"""Properties of quantities in ground and in body coordinates, which MATLAB returns in structs."""

import numpy as np
import pytest
import zoo
from derivative_checks import draw
from helpers import near

import spatial_v2 as sv

NAMES = [n for n in zoo.NAMES if not zoo.build(n).has_rotors]


@pytest.mark.parametrize("name", zoo.over(NAMES))
def test_fields_of_the_second_repository_obey_their_definitions(name: str) -> None:
    """The quantities of MATLAB's second repository satisfy their definitions by other quantities
    and by `ID`.
    """
    model, s = draw(name)
    d = len(model.gravity) * 3 - 3
    rng = np.random.default_rng(3)
    m6, f6 = rng.normal(size=(2, d))
    g, info = sv.GlobalDynamics(model, s.q, s.qd, s.qdd, m6=m6, f6=f6, return_info=True)
    _, out = sv.ID(model, s.q, s.qd, s.qdd, return_info=True)
    for i, p in enumerate(model.parent):
        X, cols = g.X0[i], model.vinds[i]
        near(info.OXi[i] @ X, np.eye(d))
        near(X @ g.v[i], out.v[i])
        near(X @ g.a[i], out.a[i])
        near(info.vlam[i], g.v[p] if p >= 0 else np.zeros(d))
        near(info.vJxS[:, cols], g.Sd[:, cols] - g.psid[:, cols])
        near(g.a[i], info.gamma[i] + info.xi[i] - sv.get_gravity(model))
        near(info.Ia[i] + sv.crf(g.v[i]) @ info.Iv[i], g.f[i])
        near(info.Im[i], g.I[i] @ m6)
        near(info.If[i], g.I[i] @ f6)
        near(info.vxsf[i], -sv.crm(g.v[i]).T @ f6)
        near(info.STf[cols], g.S[:, cols].T @ f6)
    path = np.flatnonzero([k in model.ancestors[-1] for k in range(model.NB)])
    reached = sum(g.S[:, model.vinds[k]] @ s.qdd[model.vinds[k]] for k in path)
    near(info.gamma[-1], reached)


@pytest.mark.parametrize("name", zoo.over(NAMES))
def test_quantities_in_body_coordinates_are_those_of_id_and_handc(name: str) -> None:
    """Quantities in body coordinates agree with those of `ID` and `HandC`."""
    model, s = draw(name)
    b = sv.bodyFrame_dyn(model, s.q, s.qd, s.qdd)
    tau, out = sv.ID(model, s.q, s.qd, s.qdd, return_info=True)
    (H, _), info = sv.HandC(model, s.q, s.qd, return_info=True)
    for theirs, ours in zip((out.v, out.a, out.f, info.IC), (b.v, b.a, b.fC, b.IC), strict=True):
        near(ours, theirs)
    near(b.I, model.I)
    for i in range(model.NB):
        S = b.S[:, model.vinds[i]]
        near(b.vJ[i], S @ s.qd[model.vinds[i]])
        near(S.T @ b.fC[i], tau[model.vinds[i]])
        near(S.T @ b.IC[i] @ S, H[model.vinds[i], model.vinds[i]])
        near(b.B[i] @ b.v[i], sv.crf(b.v[i]) @ b.I[i] @ b.v[i])
        near(b.f[i], b.I[i] @ b.a[i] + sv.crf(b.v[i]) @ b.I[i] @ b.v[i])
    leaves = [i for i in range(model.NB) if i not in model.parent]
    near(b.BC[leaves], b.B[leaves])


def test_wrong_vectors_are_refused() -> None:
    model, q = sv.autoTree(2), np.zeros(2)
    with pytest.raises(sv.ArrayShapeError, match=r"m6: want shape \(\.\.\., 6\), got \(3,\)"):
        sv.GlobalDynamics(model, q, q, q, m6=np.zeros(3), return_info=True)
    with pytest.raises(sv.ArrayShapeError, match="f6"):
        sv.GlobalDynamics(model, q, q, q, f6=np.zeros(()), return_info=True)
