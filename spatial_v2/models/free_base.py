"""A floating base as one joint with six degrees of freedom."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from spatial_v2.exceptions import ModelError
from spatial_v2.model import Model
from spatial_v2.model.frame import Frame
from spatial_v2.model.joint_terms import with_base
from spatial_v2.model.state import check_model
from spatial_v2.models.carried import carried
from spatial_v2.models.floatbase import without_joints

__all__ = ["free_base"]

_JOINTS = ["Px", "Py", "Pz", "Rx", "Ry", "Rz"]


def free_base(model: Model) -> Model:
    """Replace the six joints that `floatbase` makes by one joint ``Fb``, without singularity.

    Parameters
    ----------
    model : Model
        A model whose first six joints are those that `floatbase` makes, or whose first joint is
        already ``Fb``.

    Returns
    -------
    Model
        The tree without the five massless bodies. The pose of the floating base is in base
        coordinates: the ``Xtree`` of its joints are dropped. Drawings, camera, contact points,
        names and rotors are renumbered; frames of the massless bodies are dropped, as are limits
        of the six joints and joints that mimic them.

    Raises
    ------
    ModelError
        A model without such a base, or with joint terms in its six joints.
        The five bodies are checked to be massless only in NumPy arrays.

    Examples
    --------
    >>> from spatial_v2.models import scissor
    >>> free_base(scissor()).jtype
    ('Fb', 'Ry')
    """
    check_model(model)
    n = 0 if model.layout.joints[0].code == "Fb" else 5
    right = model.parent[: n + 1].tolist() == list(range(-1, n))
    right &= bool((model.parent[n + 1 :] >= n).all())
    if n:
        heavy = isinstance(model.I, np.ndarray) and model.I[:5].any()
        right &= list(model.jtype[:6]) == _JOINTS and not heavy
    if model.is_planar or not right or model.has_rotor[: n + 1].any():
        raise ModelError(
            "want a floating base, as `floatbase` makes it, or a joint 'Fb', which carries all "
            f"other bodies; got the first joints {list(model.jtype[:6])}"
        )
    fields = copy.deepcopy(model.fields()) | (with_base("free_base", model, 6) if n else {})
    _check_massless(fields, n)
    base = Frame(-1, np.eye(6))
    places = [None] * n + [Frame(i, np.eye(6)) for i in range(model.NB - n)]
    by_body = ("I", "has_rotor", "jtype_rotor", "Xrotor", "I_rotor", "gr")
    fields |= {field: fields[field][n:] for field in (*by_body, "joint_names", "body_names")}
    fields |= {
        "parent": [-1, *(model.parent[n + 1 :] - n)],
        "jtype": ["Fb", *model.jtype[n + 1 :]],
        "Xtree": [np.eye(6), *(model.Xtree[i] for i in range(n + 1, model.NB))],
        **carried(fields, base, places, model.NB - n),
        **(without_joints(fields, model.joint_names[:6]) if n else {}),
    }
    return Model(**fields)


def _check_massless(fields: dict[str, Any], n: int) -> None:
    """Check that camera and contact points are on none of the first n bodies."""
    for field in ("camera", "gc"):
        old = np.asarray((fields[field] or {}).get("body", -1))
        if np.any((old >= 0) & (old < n)):
            raise ModelError(
                f"{field}: want bodies from {n} on, got {old.tolist()}; the first {n} bodies, "
                "which carry the floating base, are removed"
            )
