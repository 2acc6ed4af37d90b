"""The position of a floating robot affects only results about the origin of the base.

A robot is placed near the base, and again displaced by d, up to 3000 km. Every public function of a
model and its configuration is called for both, with its kernel and as reference implementation. The
results agree up to rounding, except those about the base's origin, listed in `ABOUT_BASE`: these
change by the transformation that is named there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
import zoo
from public_functions import CONFIGURATIONS, STATE, Function, arguments, functions, suits

import spatial_v2 as sv
from derivatives import CoriolisMatrix
from spatial_v2 import Model

pytestmark = pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")

DISTANCES = [1e2, 1e4, 3e6]
DIRECTION = np.array([0.5, -0.75, 0.4375])

SAME = 5e-13
"""Tolerance, relative to the largest entry, of results that do not depend on the position."""
MOVED = 1e-14
"""Tolerance of results that are transformed, whose entries grow with the distance, relative to the
largest entry.
"""


class Displacement(NamedTuple):
    """A displacement d of the robot along the base's axes, and its transforms."""

    d: np.ndarray
    X: np.ndarray
    """Transform of motion vectors about the origin of the base."""
    back: np.ndarray
    """The inverse of the transform `X`."""

    @classmethod
    def by(cls, d: np.ndarray) -> Displacement:
        one = np.eye(len(d))
        return cls(d, sv.transform_from(one, -d), sv.transform_from(one, d))


Law = Callable[[Any, Displacement, Model], Any]


def same(x: Any, to: Displacement, model: Model) -> Any:
    """Return a result that does not change."""
    return x


def motion(x: Any, to: Displacement, model: Model) -> Any:
    """Transform motion vectors in columns: ``X m``."""
    return to.X @ x


def force(x: Any, to: Displacement, model: Model) -> Any:
    """Transform force vectors in columns, ``X^-T f``, with the transform X of the displacement."""
    return to.back.T @ x


def motion_tensor(x: Any, to: Displacement, model: Model) -> Any:
    """Transform an array whose first axis has the components of motion vectors."""
    return np.tensordot(to.X, x, 1)


def motions(x: Any, to: Displacement, model: Model) -> Any:
    """Transform motion vectors in rows."""
    return x @ to.X.T


def forces(x: Any, to: Displacement, model: Model) -> Any:
    """Transform force vectors in rows."""
    return x @ to.back


def force_tensor(x: Any, to: Displacement, model: Model) -> Any:
    """Transform an array whose third-last axis has the components of force vectors."""
    return np.einsum("ab,...bjk->...ajk", to.back.T, x)


def inertia(x: Any, to: Displacement, model: Model) -> Any:
    """Transform matrices that map motions to forces, ``X^-T I X^-1``, with the transform X of the
    displacement.
    """
    return to.back.T @ x @ to.back


def coriolis(x: Any, to: Displacement, model: Model) -> Any:
    """Transform Coriolis matrices B: ``X^-T B``, because their columns for linear velocities are
    zero.
    """
    return to.back.T @ x


def transform(x: Any, to: Displacement, model: Model) -> Any:
    """Convert transforms from the base: ``X0 X^-1``, with the transform X of the displacement."""
    return x @ to.back


def position(x: Any, to: Displacement, model: Model) -> Any:
    """Transform points by the displacement d: ``p + d``."""
    return x + to.d


def potential(x: Any, to: Displacement, model: Model) -> Any:
    """Transform potential energies by the displacement d: ``PE - m g . d``, with mass m and gravity
    g.
    """
    m = model.I[:, -1, -1].sum() + model.I_rotor[model.has_rotor, -1, -1].sum()
    return x - m * (model.gravity @ to.d)


def potential_columns(x: Any, to: Displacement, model: Model) -> Any:
    """Transform the regressor columns of the potential energy by the displacement d: the column of
    each body's mass changes by ``-g . d``, with gravity g.
    """
    return (x.reshape(-1, 10) - model.gravity @ to.d * np.eye(10)[0]).ravel()


class Each(NamedTuple):
    """Transformation of a result that has one entry for each body; `law` transforms one entry."""

    law: Law


class Columns(NamedTuple):
    """Transformation of a result that has ten columns for each body along an axis; `law` transforms
    the columns of one body.
    """

    law: Law
    axis: int = -1


ABOUT_BASE: dict[str, list[Law | Each | Columns]] = {
    # twists whose linear part is the velocity of the point at the base's origin
    "ground_kinematics": [motion, motion, Each(transform), Each(motions)],
    "GlobalDynamics": [motion] * 4
    + [Each(transform)]
    + [Each(motions)] * 3
    + [Each(inertia)] * 2
    + [Each(coriolis)] * 2
    + [Each(forces)] * 2,
    "GlobalDynamics-return_info=True": [motion] * 4
    + [Each(transform)]
    + [Each(motions)] * 3
    + [Each(inertia)] * 2
    + [Each(coriolis)] * 2
    + [Each(forces)] * 2
    + [Each(motion), Each(motions), motion]
    + [Each(motions)] * 2
    + [Each(forces)] * 5
    + [same],
    "bodyFrame_dyn": [same] + [Each(same)] * 9,
    "body_motion_derivatives": [Each(motion)] * 5 + [Each(same)] * 5,
    "frame_velocity-axes=base": [motion],
    "frame_acceleration-axes=base": [motion],
    "FrameJacobian-axes=base": [motion],
    "FrameJacobianTimeDerivative-axes=base": [motion],
    "frame_derivatives-axes=base": [motion, motion_tensor],
    "frame_SO_derivatives-axes=base": [motion, motion_tensor, motion_tensor],
    # results with moments about the base's origin
    "spatial_force_derivatives": [Each(force)] * 6 + [Each(same)] * 6,
    "spatial_force_SO_derivatives": [Each(force_tensor)] * 5 + [Each(same)] * 5,
    "EnerMo": [same, potential, forces, inertia, same, position, same],
    "RegressorMomentum": [Columns(force)] * 2,
    "RegressorMomentum_derivatives": [Columns(force_tensor, -2)] * 4,
    "RegressorEnergy": [same, Columns(potential_columns), same, Columns(potential_columns)],
    # results that contain poses; `ID` with return_info=True also returns the force f0
    "forward_kinematics": [Each(transform), Each(same), Each(position), Each(same)],
    "forward_kinematics-frame": [transform, same, position, same],
    "ID-return_info=True": [same, *[Each(same)] * 4, forces],
    "HandC-return_info=True": [same, same, *[Each(same)] * 4],
}
"""Transformations of the results of each function under the displacement, one for each result."""
TWIST_ABOUT_BASE = {"EIDAmb", "EIDAmb_derivatives"}
"""Functions whose argument is, by default, the twist of the base about the base's origin."""
PLACES_ON_BASE = {"position_error", "project_configuration"}
"""Functions that depend on the coordinates of a point on the base."""
FUNCTIONS = [
    f
    for f in functions()
    if (f.name not in TWIST_ABOUT_BASE or f.options) and f.name not in PLACES_ON_BASE
]
FIXED = ("body", "frame", "Xend", "Xend_dot", "constraints", "S")
"""Arguments without a batch axis."""
OF_CONFIGURATIONS = {"confVecToCell", "configurationAddition", "normalizeConfVec", "time_step"}
"""Functions that return configurations; their results are expected to be displaced like q."""


class Robot(NamedTuple):
    """A model, the function that displaces it, and the first body that is displaced as a whole."""

    model: Model
    displaced: Callable[[np.ndarray, np.ndarray], np.ndarray]
    """Function that displaces a configuration q by d along the axes of the first joint."""
    first: int = 0


def floating(q: np.ndarray, d: np.ndarray) -> np.ndarray:
    """Displace a joint ``Fb``, whose position is q[4:7]."""
    return np.concatenate([q[:4], q[4:7] + d, q[7:]])


def homogeneous(q: np.ndarray, d: np.ndarray) -> np.ndarray:
    """Displace a joint ``SE3``, whose q has ``[E, -E r; 0, 1]`` in columns."""
    T = q[:16].reshape(4, 4, order="F").copy()
    T[:3, 3] -= T[:3, :3] @ d
    return np.concatenate([T.ravel(order="F"), q[16:]])


def sliding(q: np.ndarray, d: np.ndarray) -> np.ndarray:
    """Displace successive prismatic joints."""
    return np.concatenate([q[: len(d)] + d, q[len(d) :]])


def planar_robot() -> Model:
    """Make a planar tree that floats on two prismatic joints and a hinge."""
    model = zoo.build("planar_tree")
    Xtree, I = model.Xtree.copy(), model.I.copy()
    Xtree[:2], I[:2] = np.eye(3), 0
    jtype, parent = ["px", "py", "r", "r-", "px-", "r"], [-1, 0, 1, 2, 2, 4]
    return model.replace(jtype=jtype, parent=parent, Xtree=Xtree, I=I)


ROBOTS = {
    "floating": Robot(zoo.build("floating"), floating),
    "SE3": Robot(zoo.build("SE3"), homogeneous),
    "mixed": Robot(zoo.build("mixed"), floating),
    "massless": Robot(zoo.build("massless"), sliding, 2),
    "planar": Robot(planar_robot(), sliding, 1),
    "floating_rotors": Robot(zoo.build("floating_rotors"), floating),
}


def coarse(robot: Robot, q: np.ndarray) -> np.ndarray:
    """Round a position to few digits, so that the addition of the displacement causes
    no rounding.
    """
    start, q = {floating: 4, sliding: 0}.get(robot.displaced), q.copy()
    if start is not None:
        at = slice(start, start + robot.model.gravity.size)
        q[at] = np.round(q[at] * 1024) / 1024
    return q


def is_asked(function: Function, model: Model) -> bool:
    """True if the function supports the model."""
    return suits(function.function, model)


def results(parts: list[Any]) -> list[Any]:
    """Return all results, including those of ``return_info``, without the transform Xup of the
    first joint.
    """
    if not type(parts[-1]).__name__.endswith("Info"):
        return parts
    main, info = parts
    rest = [x for name, x in info._asdict().items() if name != "Xup"]
    return [*(main if isinstance(main, tuple) else (main,)), *rest]


def flat(x: Any) -> np.ndarray:
    """Join the entries of an array, or of the arrays in a list, to one vector."""
    return np.concatenate(x) if isinstance(x, list) else np.asarray(x, dtype=float)


def error(found: Any, wanted: Any) -> float:
    """Return the largest difference, relative to the largest entry or to one if all entries are
    smaller.
    """
    assert found.shape == wanted.shape
    scale = np.max(np.abs(wanted), initial=1.0)
    return float(np.max(np.abs(found - wanted), initial=0.0) / scale)


class Case(NamedTuple):
    """A robot near the base and displaced, with equal arguments apart from q."""

    robot: Robot
    near: dict[str, Any]
    far: dict[str, Any]
    d: np.ndarray
    """The displacement along the axes of the first joint."""

    @classmethod
    def of(cls, robot: Robot, distance: float) -> Case:
        near = arguments(robot.model, STATE, np.random.default_rng(5))
        near |= {name: coarse(robot, near[name]) for name in CONFIGURATIONS}
        near["C"] = CoriolisMatrix(robot.model, near["q"], near["qd"]).C
        d = (DIRECTION * distance)[: robot.model.gravity.size]
        far = near | {name: robot.displaced(near[name], d) for name in CONFIGURATIONS}
        return cls(robot, near, far, d)

    def errors(self, function: Function, *, reference: bool) -> list[tuple[float, float]]:
        """Return, for each result of the function, its error and the tolerance."""
        near, far = (
            [flat(x) for x in results(function(self.robot.model, given, reference=reference))]
            for given in (self.near, self.far)
        )
        if function.name in OF_CONFIGURATIONS:
            wanted = [self.robot.displaced(near[0], self.d), *near[1:]]
            return [(error(x, y), MOVED) for x, y in zip(far, wanted, strict=True)]
        if self.robot.displaced is homogeneous and function.name == "configurationRates":
            return [(error(far[0], homogeneous(near[0], self.d)), MOVED)]
        if self.robot.displaced is homogeneous and "onfigurationDifference" in function.name:
            tol = MOVED * np.abs(self.d).max()
            return [(error(x, y), tol) for x, y in zip(far, near, strict=True)]
        E = sv.transform_parts(self.robot.model.Xtree[0]).E
        to, first = Displacement.by(E.T @ self.d), self.robot.first
        laws, out = ABOUT_BASE.get(str(function), [same] * len(near)), []
        for law, x, y in zip(laws, far, near, strict=True):
            if isinstance(law, Each):
                law, x, y = law.law, x[first:], y[first:]
            elif isinstance(law, Columns):
                beyond = np.arange(10 * first, x.shape[law.axis])
                x, y = x.take(beyond, law.axis), y.take(beyond, law.axis)
                law = law.law
            wanted = law(y, to, self.robot.model)
            out.append((error(x, wanted), SAME if law is same else MOVED))
        return out


@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.parametrize("function", FUNCTIONS, ids=str)
def test_results_keep_their_digits_far_from_the_base(function: Function, name: str) -> None:
    """Results agree at every distance, for kernels and reference implementations."""
    if str(function) == "modFrame_second_derivatives-axes=base":
        pytest.skip("its weights are moments about the base, too; test_frames moves them along")
    robot = ROBOTS[name]
    if not is_asked(function, robot.model):
        with pytest.raises(sv.SpatialError):
            function(robot.model, Case.of(robot, 1.0).near)
        return
    for distance in DISTANCES:
        case = Case.of(robot, distance)
        for reference in {False, function.has_page}:
            found = case.errors(function, reference=reference)
            assert all(e <= tol for e, tol in found), (distance, reference, found)


@pytest.mark.parametrize(
    "function", [f for f in FUNCTIONS if f.has_page and not f.options], ids=str
)
def test_states_of_a_batch_keep_their_digits_far_from_the_base(function: Function) -> None:
    """Far from the base, each state of a batch has the digits that it has alone; states are
    computed side by side.
    """
    case = Case.of(ROBOTS["floating"], DISTANCES[-1])
    states = [x for x in STATE if x not in FIXED]
    many = case.far | {x: np.stack(9 * [case.far[x]]) for x in states}
    alone, batch = (function(case.robot.model, given) for given in (case.far, many))
    for one, all_ in zip(alone, batch, strict=True):
        assert all(error(x, one) <= SAME for x in all_)


@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.parametrize(
    "function", [f for f in functions() if "f_ext" in f.parameters and not f.options], ids=str
)
def test_external_forces_are_about_the_base_origin(function: Function, name: str) -> None:
    """Results with external forces about the base's origin agree up to rounding, which grows with
    the distance.
    """
    robot = ROBOTS[name]
    f_ext = arguments(robot.model, ["f_ext"], np.random.default_rng(6))["f_ext"]
    for distance in DISTANCES:
        case = Case.of(robot, distance)
        to = Displacement.by(sv.transform_parts(robot.model.Xtree[0]).E.T @ case.d)
        near = case.near | {"f_ext": f_ext}
        far = case.far | {"f_ext": forces(f_ext, to, robot.model)}
        for reference in {False, function.has_page}:
            here, there = (function(robot.model, x, reference=reference) for x in (near, far))
            for x, y in zip(there, here, strict=True):
                assert error(x, y) <= SAME + 1e-14 * distance
        without = function(robot.model, case.far)
        assert max(error(x, y) for x, y in zip(without, there, strict=True)) > 1e-3


@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.parametrize("function", [f for f in functions() if "frame" in f.options], ids=str)
def test_external_forces_in_body_coordinates_keep_all_digits(function: Function, name: str) -> None:
    """Forces about the bodies' origins give results with all digits, wherever the robot is."""
    robot = ROBOTS[name]
    f_ext = arguments(robot.model, ["f_ext"], np.random.default_rng(6))
    for distance in DISTANCES:
        case = Case.of(robot, distance)
        for reference in {False, function.has_page}:
            near, far = (
                function(robot.model, x | f_ext, reference=reference) for x in (case.near, case.far)
            )
            for x, y in zip(far, near, strict=True):
                assert error(x, y) <= SAME


def test_functions_listed_for_this_law_exist() -> None:
    """All names in the lists of this file are public functions."""
    assert set(ABOUT_BASE) <= {str(function) for function in functions()}
    assert {function.name for function in functions()} >= OF_CONFIGURATIONS
