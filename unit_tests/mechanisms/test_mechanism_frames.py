"""Loops that frames close, by kernels, and loops of many joints."""

import warnings

import numpy as np
import pytest
from helpers import near
from mechanisms import ZOO, state, stewart

from spatial_v2 import (
    ID,
    KKT_FD,
    FDab,
    FrameConstraint,
    Model,
    PointConstraint,
    SingularWarning,
    SpatialError,
    couple,
    mcI,
    xlt,
)
from spatial_v2.mechanisms import closed, closing


def welded():
    """Return a free body that is welded to a turning one."""
    I = [mcI(1.0, [0.1, 0, 0.2], np.diag([0.1, 0.2, 0.3]))] * 2
    tree = Model(parent=[-1, -1], jtype=["Rz", "Fb"], Xtree=[np.eye(6)] * 2, I=I)
    weld = FrameConstraint(1, frame1=xlt([0.3, 0, 0]), body1=0)
    guess = [0.3, np.cos(0.15), 0, 0, np.sin(0.15), 0.3 * np.cos(0.3), 0.3 * np.sin(0.3), 0]
    return couple(tree, constraints=[weld], independent=[0], guess=guess)


def test_frames_half_a_turn_apart_are_open():
    """There the sines of their angles, which kernels compute, vanish too."""
    model = welded()
    y = np.array([0.5])
    q = model.coupling.configuration(y)
    near(ID(model, q, y, y), ID(model, y, y, y), 1e-12)
    w, x, yq, z = q[1:5]
    over = q.copy()
    over[1:5] = -x, w, z, -yq  # turned by pi about the body's x axis
    with pytest.raises(SpatialError, match="is open by"):
        ID(model, over, y, y)
    with pytest.warns(SingularWarning, match="is open by"):
        tau = ID(model, np.stack([q, over]), y, y)
    assert np.isfinite(tau[0]).all() and np.isnan(tau[1]).all()


@pytest.mark.parametrize("name", ["four_bar_by_hinge", "four_bar_in_the_plane_by_frames", "weld"])
def test_kernels_close_loops_of_frames_as_the_reference_does(name, monkeypatch):
    model = welded() if name == "weld" else ZOO[name]()
    y = model.start + np.linspace(-0.4, 0.4, 9)[:, None]
    found = model.coupling.configuration(y)
    monkeypatch.setattr(closing, "has_motion", lambda *arrays: False)
    monkeypatch.setattr(closed, "closed_by_kernel", lambda *arrays: None)
    near(found, model.coupling.configuration(y), 1e-11)


def test_quality_by_the_inverse_of_the_jacobian(monkeypatch):
    models = stewart(), ZOO["four_bar_by_hinge"](), ZOO["six_bar"]()
    found = []
    for _ in range(2):
        found.append(
            [closing.quality(b, b.guess[None]) for m in models for b in m.coupling.branches]
        )
        monkeypatch.setattr(closing, "has_motion", lambda *arrays: False)
    near(np.concatenate(found[0]), np.concatenate(found[1]), 1e-10)


def test_a_ring_of_many_bars_chooses_its_joints():
    """All choices of 22 of 24 joints would be four million."""
    n, turn = 24, 2 * np.pi / 25
    bar = mcI(1.0, [0.5, 0, 0], np.diag([0.01, 0.1, 0.1]))
    tree = Model(
        parent=np.arange(n) - 1, jtype=["Rz"] * n, I=[bar] * n,
        Xtree=[np.eye(6), *[xlt([1, 0, 0])] * (n - 1)], gravity=[0, -9.81, 0],
    )  # fmt: skip
    guess = np.full(n, turn)
    ends = np.cumsum(np.exp(1j * np.cumsum(guess)))[-1]
    pin = PointConstraint(n - 1, [1, 0, 0], -1, [ends.real, ends.imag, 0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = couple(tree, constraints=[pin], guess=guess)
    assert n - 2 == model.NV
    rng = np.random.default_rng(0)
    y, yd, tau = state(model, rng)
    q, qd = model.coupling.configuration(y), model.motion(y, yd)
    forces = np.zeros(n)
    forces[model.coupling.v_of_y] = tau
    wanted = KKT_FD(tree, q, qd, forces, [pin], rank="minimum_norm").qdd
    near(FDab(model, y, yd, tau), wanted[model.coupling.v_of_y], 1e-9)
