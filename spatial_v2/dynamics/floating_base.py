"""Conversion of trees on a floating base of six joints to trees on one joint ``Fb``."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

from spatial_v2.arrays import Array, alike, column, namespace, uncolumn
from spatial_v2.arrays.checks import as_numbers, as_vector
from spatial_v2.couplings.coupled_model import CoupledModelError
from spatial_v2.dynamics.robot_frame import motion_inverse
from spatial_v2.exceptions import ArrayShapeError, InertiaWarning, ModelError
from spatial_v2.model import Model
from spatial_v2.model.state import check_forces, common_lead
from spatial_v2.models import free_base
from spatial_v2.spatial import Vpt, transform_from
from spatial_v2.three_d import quaternion_rate_reference, rq

__all__ = ["FloatingState", "floating_state", "floating_tree"]

_DRAWN = ("appearance", "camera", "gc", "frames", "limits", "mimic")


class FloatingState(NamedTuple):
    """A state of a floating-base tree in the variables of one joint ``Fb``."""

    tree: Model
    """The tree, whose joint 0 is the joint ``Fb``."""
    X: Array
    """Transform from fixed to base coordinates, shape (..., 6, 6)."""
    xfb: Array
    """Orientation, position and velocity of the base, shape (..., 13)."""
    q: Array
    """Position variables of `tree`, shape (..., NQ)."""
    qd: Array
    """Velocities of `tree`, shape (..., NV)."""
    above: tuple[Array, ...]
    """Other vectors given for the joints above the base, such as forces."""
    f_ext: Array | None
    """External forces on the bodies of `tree`."""

    def rate(self, a: Array) -> Array:
        """Compute the rate of `xfb` from the acceleration ``a`` of the base in body coordinates."""
        fixed = uncolumn(motion_inverse(self.X) @ column(a))
        orientation, r, v = self.xfb[..., :4], self.xfb[..., 4:7], self.xfb[..., 7:]
        turn = quaternion_rate_reference(v[..., :3], orientation)
        return namespace(fixed).concat([turn, Vpt(v, r), fixed], axis=-1)

    def full(self, above: Array) -> Array:
        """Prepend six zeros for the base to a vector of the joints above the base."""
        return namespace(above).concat([0 * self.xfb[..., 7:], above], axis=-1)


def floating_tree(model: Model, caller: str) -> Model:
    """Return the tree of `free_base`, computed again only if the model has changed.

    Examples
    --------
    >>> from spatial_v2.models import autoTree, floatbase
    >>> floating_tree(floatbase(autoTree(2)), "FDfb").jtype
    ('Fb', 'R')
    """
    try:
        return model.checked().keep("floating_tree", lambda: free_base(_bare(model)))
    except CoupledModelError:
        raise
    except ModelError as e:
        raise ModelError(f"{caller}: {e}") from None


def _bare(model: Model) -> Model:
    """Copy a model without the fields that dynamics functions do not read, such as appearance."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InertiaWarning)
        return model.replace(**dict.fromkeys(_DRAWN))


def floating_state(model: Model, xfb: Any, f_ext: Any, caller: str, **above: Any) -> FloatingState:
    """Return the state of `floating_tree`; `above` has vectors of the joints above the base: q, qd,
    ...

    Examples
    --------
    >>> from spatial_v2.models import autoTree, floatbase
    >>> model = floatbase(autoTree(2))
    >>> floating_state(model, [1] + 12 * [0], None, "FDfb", q=[0], qd=[0]).q.shape
    (8,)
    """
    tree = floating_tree(model, caller)
    vectors = [as_vector(xfb, f"{caller}: xfb", 13)]
    for name, x in above.items():
        wanted = tree.NQ - 7 if name == "q" else tree.NV - 6
        vectors.append(as_numbers(x, f"{caller}: {name}"))
        if vectors[-1].ndim == 0 or vectors[-1].shape[-1] != wanted:
            raise ArrayShapeError(
                f"{caller}: {name} must have shape (..., {wanted}), the joints above the floating "
                f"base, got {tuple(vectors[-1].shape)}"
            )
    vectors = list(alike(*vectors, *(() if tree.checked().foreign is None else (tree.Xtree,))))
    names = ("xfb", *above)
    lead = common_lead({name: tuple(x.shape[:-1]) for name, x in zip(names, vectors, strict=False)})
    xp = namespace(*vectors)
    x, q, qd, *others = (xp.broadcast_to(y, (*lead, y.shape[-1])) for y in vectors[: len(names)])
    X = transform_from(rq(x[..., :4]), x[..., 4:7])
    force = None if f_ext is None else check_forces(model, f_ext)[..., model.NB - tree.NB :, :]
    velocity = uncolumn(X @ column(x[..., 7:]))
    return FloatingState(
        tree, X, x, xp.concat([x[..., :7], q], axis=-1), xp.concat([velocity, qd], axis=-1),
        tuple(others), force,
    )  # fmt: skip
