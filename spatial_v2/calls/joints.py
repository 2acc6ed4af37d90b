"""What armature, damping and friction add to the results of pages that know nothing of them."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array, constant, namespace
from spatial_v2.model import Model
from spatial_v2.model.joint_terms import joint_diagonal, joint_forces

__all__ = [
    "to_contraction",
    "to_energy",
    "to_equation",
    "to_force",
    "to_inertia",
    "to_last_inertia",
    "to_momentum",
    "to_second_contraction",
    "to_velocity_derivative",
]

State = dict[str, Array]


def to_force(model: Model, x: State, tau: Array) -> list[Array]:
    """The force of a motion."""
    return [tau + joint_forces(model, x["qd"], x["qdd"])]


def to_inertia(model: Model, x: State, H: Array) -> list[Array]:
    """The joint-space inertia matrix."""
    return [H + joint_diagonal(model, "armature", H)]


def to_last_inertia(model: Model, x: State, *results: Array) -> list[Array]:
    """The same as the last of several results."""
    return [*results[:-1], *to_inertia(model, x, results[-1])]


def to_equation(model: Model, x: State, H: Array, C: Array) -> list[Array]:
    """The equation of motion."""
    return [*to_inertia(model, x, H), C + joint_forces(model, x["qd"])]


def to_momentum(model: Model, x: State, Hqd: Array, CTqd: Array) -> list[Array]:
    """The generalised momentum."""
    return [Hqd + _by_armature(model, x["qd"]), CTqd]


def to_energy(model: Model, x: State, KE: Array, *others: Array) -> list[Array]:
    """The kinetic energy."""
    twice = namespace(KE).sum(x["qd"] * _by_armature(model, x["qd"]), axis=-1)
    return [KE + twice / 2, *others]


def to_velocity_derivative(model: Model, x: State, dq: Array, dqd: Array) -> list[Array]:
    """Derivatives of the force: dry friction is constant wherever it has a derivative."""
    return [dq, dqd + joint_diagonal(model, "damping", dqd)]


def to_contraction(model: Model, x: State, by_q: Array, by_qd: Array) -> list[Array]:
    """The same, times a vector from the left."""
    return [by_q, by_qd + _by_damping(model, x["lambda_"])]


def to_second_contraction(model: Model, x: State, *results: Any) -> list[Any]:
    """The gradients of a contraction, its second derivatives, and the derivatives of the force."""
    dq, dv, *second, tau_q, tau_v = results
    gradients = to_contraction(model, x, dq, dv)
    return [*gradients, *second, *to_velocity_derivative(model, x, tau_q, tau_v)]


def _by_armature(model: Model, qd: Array) -> Array:
    return 0 * qd if model.armature is None else constant(model.armature, qd) * qd


def _by_damping(model: Model, qd: Array) -> Array:
    return 0 * qd if model.damping is None else constant(model.damping, qd) * qd
