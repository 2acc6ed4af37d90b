"""The dynamics in inertial, mixed and body velocities of the base agree with their definitions."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import zoo
from helpers import all_near, near, parts
from test_moving_base import CHARTS, MOVING, draw, velocity_of

import derivatives as dv
import spatial_v2 as sv

moving = pytest.mark.parametrize("name", zoo.over(MOVING))
charts = pytest.mark.parametrize("velocity", CHARTS)


def represented(name: str, velocity: Any, shape: tuple[int, ...] = (3,)) -> Any:
    """Return a representation, and a state with velocities, their rates and forces in it."""
    model, s = draw(name, shape)
    return dv.VelocityRepresentation(model, velocity), s.q, s.qd, s.qdd, s.tau


@charts
@moving
def test_velocities_are_those_of_the_pose(name: str, velocity: Any) -> None:
    """Velocities agree with the rate of the pose; conversion back is exact."""
    model, s = draw(name)
    rep = dv.VelocityRepresentation(model, velocity)
    nu = rep.velocity(s.q, s.qd)
    near(nu, velocity_of(model, s.q, s.qd, velocity), 1e-14)
    near(rep.body_velocity(s.q, nu), s.qd, 1e-14)
    near((rep.matrix(s.q) @ nu[..., None])[..., 0], s.qd, 1e-14)


@charts
@moving
def test_accelerations_are_rates_of_velocities(name: str, velocity: Any) -> None:
    """Accelerations agree with a complex step along the motion; conversion back is exact."""
    model, s = draw(name)
    rep = dv.VelocityRepresentation(model, velocity)
    q = sv.configurationAddition(model, s.q, 1e-20j * s.qd)
    rate = rep.velocity(q, s.qd + 1e-20j * s.qdd).imag / 1e-20
    nud = rep.acceleration(s.q, s.qd, s.qdd)
    near(nud, rate, 1e-14)
    nu = rep.velocity(s.q, s.qd)
    near(rep.body_acceleration(s.q, nu, nud), s.qdd, 1e-14)
    A_dot = rep.matrix(q).imag / 1e-20
    near(rep.matrix_rate(s.q, nu), A_dot, 1e-14)


@charts
@moving
def test_forces_do_the_same_work(name: str, velocity: Any) -> None:
    rep, q, nu, _, force = represented(name, velocity)
    tau = rep.body_force(q, force)
    near((tau * rep.body_velocity(q, nu)).sum(-1), (force * nu).sum(-1), 1e-14)
    near(rep.force(q, tau), force, 1e-14)


@charts
@moving
def test_every_representation_has_its_equation_of_motion(name: str, velocity: Any) -> None:
    """``ID = H dnu/dt + C`` holds in every representation; FDab inverts ID, also with external
    forces.
    """
    rep, q, nu, nud, _ = represented(name, velocity)
    model = rep.model
    f_ext = zoo.states(model, np.random.default_rng(1), (3,)).f_ext
    tau = sv.ID(model, q, rep.body_velocity(q, nu), rep.body_acceleration(q, nu, nud), f_ext)
    force = rep.ID(q, nu, nud, f_ext)
    near(force, rep.force(q, tau), 1e-14)
    H, C = rep.HandC(q, nu, f_ext)
    near((H @ nud[..., None])[..., 0] + C, force, 1e-13)
    near(rep.FDab(q, nu, force, f_ext), nud, 1e-11)


@charts
@moving
@pytest.mark.parametrize("number", [1, 2, 3])
def test_coriolis_matrix_is_passive_in_every_representation(
    name: str, velocity: Any, number: Any
) -> None:
    """``Hdot - 2 C`` is skew-symmetric in every representation, and C nu are the velocity terms."""
    rep, q, nu, _, _ = represented(name, velocity)
    C, Hdot, H = rep.CoriolisMatrix(q, nu, number)
    near(Hdot - 2 * C, -np.swapaxes(Hdot - 2 * C, -1, -2), 1e-13)
    still = dv.VelocityRepresentation(rep.model.replace(gravity=[0, 0, 0]), velocity)
    near((C @ nu[..., None])[..., 0], still.ID(q, nu, 0 * nu), 1e-13)
    near(H, rep.HandC(q, nu).H, 1e-13)
    step = sv.configurationAddition(rep.model, q, 1e-20j * rep.body_velocity(q, nu))
    near(Hdot, rep.HandC(step, nu).H.imag / 1e-20, 1e-13)


@moving
def test_terms_transform_by_the_matrix_of_the_representation(name: str) -> None:
    """`transform_coordinates` with the representation's matrix A and its rate gives the same H, C
    and forces.
    """
    rep, q, nu, _, force = represented(name, "mixed")
    qd = rep.body_velocity(q, nu)
    terms = dv.CoriolisMatrix(rep.model, q, qd)
    new = dv.transform_coordinates(
        rep.matrix(q), rep.matrix_rate(q, nu), M=terms.H, C=terms.C, tau=rep.body_force(q, force)
    )
    wanted = rep.CoriolisMatrix(q, nu)
    all_near([new.M, new.C, new.tau], [wanted.H, wanted.C, force], 1e-13)


@pytest.mark.parametrize("name", [n for n in MOVING if "rotors" not in n])
def test_rows_of_the_base_are_momenta(name: str) -> None:
    """The base's rows of H nu are the momentum: inertial ones all of it, mixed ones the linear
    momentum.

    The linear block of the mixed H is the total mass times the identity.
    """
    model, s = draw(name)
    h = sv.EnerMo(model, s.q, s.qd).htot
    for velocity in ("inertial", "mixed"):
        rep = dv.VelocityRepresentation(model, velocity)
        nu = rep.velocity(s.q, s.qd)
        found = (rep.HandC(s.q, nu).H @ nu[..., None])[..., :6, 0]
        near(found[..., 3:], h[..., 3:], 1e-13)
        if velocity == "inertial":
            near(found, h, 1e-13)
        else:
            near(rep.HandC(s.q, nu).H[..., 3:6, 3:6], model.I[:, 5, 5].sum() * one(s.q), 1e-13)


def one(q: np.ndarray) -> np.ndarray:
    return np.broadcast_to(np.eye(3), (*q.shape[:-1], 3, 3))


@charts
@moving
def test_linearization_is_the_rate_of_errors(name: str, velocity: Any) -> None:
    """A and B agree with central differences of the rates at which neighbouring motions deviate."""
    rep, q, nu, _, force = represented(name, velocity, ())
    model, n = rep.model, rep.model.NV
    A, B = rep.linearize(q, nu, force)
    h, d, units = 1e-4, 1e-4, np.eye(3 * n)

    def rates(eps: np.ndarray) -> np.ndarray:
        """Return the rates of the deviations of a neighbouring motion, which begins with the
        deviations eps.
        """
        start = sv.configurationAddition(model, q, eps[..., :n]), nu + eps[..., n : 2 * n]

        def after(t: float) -> np.ndarray:
            ours = sv.configurationAddition(model, q, t * rep.body_velocity(q, nu))
            theirs = sv.configurationAddition(model, start[0], t * rep.body_velocity(*start))
            return sv.configurationDifference(model, ours, theirs)

        moved = (after(h) - after(-h)) / (2 * h)
        return np.concatenate([moved, rep.FDab(*start, force + eps[..., 2 * n :])], -1)

    found = ((rates(d * units) - rates(-d * units)) / (2 * d)).T
    near(np.concatenate([A, B], -1), found, 1e-5)
    if velocity == "inertial":
        assert not A[:6, :6].any()


def test_linearization_in_body_velocities_is_that_of_the_library() -> None:
    rep, q, qd, _, tau = represented("mixed", "body")
    S = np.eye(rep.model.NV)[:, 6:]
    all_near(rep.linearize(q, qd, tau, S), dv.linearize(rep.model, q, qd, tau, S), 1e-12)


METHODS: dict[str, Callable[[Any, Any], Any]] = {
    "velocity": lambda r, x: r.velocity(x[0], x[1]),
    "body_velocity": lambda r, x: r.body_velocity(x[0], x[1]),
    "acceleration": lambda r, x: r.acceleration(x[0], x[1], x[2]),
    "body_acceleration": lambda r, x: r.body_acceleration(x[0], x[1], x[2]),
    "force": lambda r, x: r.force(x[0], x[3]),
    "body_force": lambda r, x: r.body_force(x[0], x[3]),
    "matrix": lambda r, x: r.matrix(x[0]),
    "matrix_rate": lambda r, x: r.matrix_rate(x[0], x[1]),
    "ID": lambda r, x: r.ID(x[0], x[1], x[2]),
    "FDab": lambda r, x: r.FDab(x[0], x[1], x[3]),
    "HandC": lambda r, x: r.HandC(x[0], x[1]),
    "CoriolisMatrix": lambda r, x: r.CoriolisMatrix(x[0], x[1]),
    "ID_derivatives": lambda r, x: r.ID_derivatives(x[0], x[1], x[2]),
    "FD_derivatives": lambda r, x: r.FD_derivatives(x[0], x[1], x[3]),
    "linearize": lambda r, x: r.linearize(x[0], x[1], x[3]),
    "ID_SO_derivatives": lambda r, x: r.ID_SO_derivatives(x[0], x[1], x[2]),
    "FD_SO_derivatives": lambda r, x: r.FD_SO_derivatives(x[0], x[1], x[3]),
}
methods = pytest.mark.parametrize("method", METHODS)


def test_every_method_is_tried() -> None:
    names = {n for n, f in vars(dv.VelocityRepresentation).items() if callable(f) and n[0] != "_"}
    assert names == METHODS.keys()


@charts
@methods
def test_leading_axes_broadcast(method: str, velocity: Any) -> None:
    """A batch of six states is not taken for a matrix, an empty batch is empty, and leading axes
    broadcast.
    """
    rep, *x = represented("floating", velocity, (2, 6))
    run = METHODS[method]
    many = parts(run(rep, x))
    row = parts(run(rep, [y[1] for y in x]))
    for a, b in zip(many, row, strict=True):
        near(a[1], b, 1e-12)
        for k in (0, 5):
            near(b[k], parts(run(rep, [y[1, k] for y in x]))[find(row, b)], 1e-11)
    none = parts(run(rep, [y[:, :0] for y in x]))
    assert [y.shape for y in none] == [(2, 0, *y.shape[2:]) for y in many]
    if method != "matrix":
        wide = parts(run(rep, [x[0][:1], *x[1:]]))
        alone = parts(run(rep, [np.broadcast_to(x[0][:1], x[0].shape), *x[1:]]))
        all_near(wide, alone, 1e-12)


@pytest.mark.parametrize("edit", [{"jtype": ["Rz", "Rz"]}, {"parent": [-1, -1]}])
@methods
def test_models_that_have_lost_their_moving_base_are_refused(method: str, edit: Any) -> None:
    """The model is not copied; an edit of it counts at the next call of any method."""
    model = sv.autoTree(2).replace(jtype=["Fb", "Rz"])
    rep = dv.VelocityRepresentation(model, "mixed")
    for field, value in edit.items():
        setattr(model, field, value)
    x = sv.neutral(model), *np.ones((4, model.NV))
    with pytest.raises(sv.ModelError, match="VelocityRepresentation: want a moving base"):
        METHODS[method](rep, x)


def find(parts: Any, x: Any) -> int:
    """Return the index of the array x among the parts of a result."""
    return next(k for k, y in enumerate(parts) if y is x)


class TestDoors:
    """Wrong arguments raise an error that names them."""

    model: sv.Model = sv.autoTree(2).replace(jtype=["Fb", "Rz"])

    @pytest.mark.parametrize("word", ["Mixed", "world", None, 0, ["mixed"]])
    def test_unknown_representations_are_refused(self, word: Any) -> None:
        with pytest.raises(sv.SpatialError, match="velocity: want 'inertial', 'body' or 'mixed'"):
            dv.VelocityRepresentation(self.model, word)

    @pytest.mark.parametrize("name", ["chain", "planar_tree", "two_floating"])
    def test_unsuitable_models_are_refused(self, name: str) -> None:
        with pytest.raises(sv.ModelError, match="VelocityRepresentation: want a moving base"):
            dv.VelocityRepresentation(zoo.build(name), "mixed")

    @methods
    def test_wrong_shapes_are_refused(self, method: str) -> None:
        rep = dv.VelocityRepresentation(self.model, "mixed")
        right = [np.array([1.0, 0, 0, 0, 0, 0, 0, 0.5]), *np.ones((3, 7))]
        METHODS[method](rep, right)
        with pytest.raises(sv.ArrayShapeError, match="q: want shape"):
            METHODS[method](rep, [right[0][:-1], *right[1:]])
        if method != "matrix":
            wrong = [right[0], *(np.ones(8) for _ in range(3))]
            with pytest.raises(sv.ArrayShapeError, match=r"(qd|qdd|nu|nud|tau|force): want shape"):
                METHODS[method](rep, wrong)

    def test_edits_of_the_model_are_seen(self) -> None:
        model = self.model.replace(name="edited")
        rep = dv.VelocityRepresentation(model, "mixed")
        q, nu = np.array([1.0, 0, 0, 0, 0, 0, 0, 0.5]), np.zeros(7)
        before = rep.ID(q, nu, nu)
        model.gravity = 2 * model.gravity
        near(rep.ID(q, nu, nu), 2 * before, 1e-14)
        assert repr(rep) == "<mixed velocities of Model 'edited', NV = 7>"


@pytest.mark.parametrize("name", ["one_Fb", "floating", "moving robot"])
def test_representations_are_frames_of_pinocchio(name: str) -> None:
    """Inertial quantities are those of Pinocchio's WORLD, mixed ones of LOCAL_WORLD_ALIGNED, body
    ones of LOCAL.

    These are the velocity of body 0, and its spatial acceleration (for mixed the classical one).
    """
    pin = pytest.importorskip("pinocchio")
    from pinocchio_map import LINEAR_FIRST, pinocchio_model, position, velocity_order

    model, s = draw(name, ())
    peer = pinocchio_model(model)
    data, order = peer.createData(), velocity_order(model, peer)
    pin.forwardKinematics(peer, data, position(model, peer, s.q), s.qd[order], s.qdd[order])
    frames = {
        "inertial": (pin.WORLD, pin.getAcceleration),
        "mixed": (pin.LOCAL_WORLD_ALIGNED, pin.getClassicalAcceleration),
        "body": (pin.LOCAL, pin.getAcceleration),
    }
    for velocity, (frame, acceleration) in frames.items():
        rep = dv.VelocityRepresentation(model, velocity)  # type: ignore[arg-type]
        nu, nud = rep.velocity(s.q, s.qd), rep.acceleration(s.q, s.qd, s.qdd)
        near(nu[:6], pin.getVelocity(peer, data, 1, frame).vector[LINEAR_FIRST], 1e-13)
        near(nud[:6], acceleration(peer, data, 1, frame).vector[LINEAR_FIRST], 1e-13)
