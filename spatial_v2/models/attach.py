"""Payloads, tools and other robots that are fixed to a body."""

from __future__ import annotations

import copy
import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from spatial_v2.arrays import alike, constant, namespace
from spatial_v2.couplings import CoupledModel
from spatial_v2.couplings.free import free_tree
from spatial_v2.exceptions import InertiaWarning, ModelError
from spatial_v2.model import Model
from spatial_v2.model.checks import check_inertias, stack_of_matrices
from spatial_v2.model.frame import Frame, check_frame, find_frame
from spatial_v2.model.state import check_model
from spatial_v2.models.carried import carried
from spatial_v2.models.coupled_edits import coupled_as_before
from spatial_v2.models.kept_bodies import moved_inertia

__all__ = ["attach"]


def attach(
    model: Model,
    frame: Frame | int | str,
    part: Model | ArrayLike,
    X: ArrayLike | None = None,
    *,
    prefix: str = "",
) -> Model:
    """Return the model with a payload, a tool or another robot fixed to it.

    Parameters
    ----------
    model : Model
        The rigid-body tree, or one whose joints follow others linearly.
    frame : Frame, int or str
        The frame, the number of a body, or a name; see `FrameJacobian`.
    part : Model or array_like, shape (6, 6), planar models (3, 3)
        The part: a model, whose base is fixed to the place, or an inertia, as `mcI` makes it.
    X : array_like, shape (6, 6), planar models (3, 3), optional
        Transform from the place to the base of the part, or to the coordinates of the inertia; the
        identity by default.
    prefix : str, optional
        Text in front of the names of the part's joints, bodies and frames: ``"left_"``.

    Returns
    -------
    Model
        The tree with the part, coupled as before. The bodies of a model follow those of `model`,
        with their rotors, drawings, contact points, frames, limits, couplings and joint terms;
        gravity is that of `model`. What the part has on its base moves with the place.

    Raises
    ------
    ModelError
        A place that does not exist, an inertia on the base, names that both models have, or a part
        of another kind: planar, with a constraint function, or with loops.

    Examples
    --------
    >>> from spatial_v2 import autoTree, mcI, xlt
    >>> arm, load = autoTree(2), mcI(3.0, [0, 0, 0], 0.1 * np.eye(3))
    >>> attach(arm, "body1", load, xlt([1.0, 0, 0])).I[1, 5, 5]
    np.float64(4.0)
    >>> attach(arm, 1, arm, xlt([1.0, 0, 0]), prefix="second_")
    Model 'autoTree(2, 1, 0, 1)': 4 bodies, NQ = 4, NV = 4, gravity [0, 0, -9.81]
    base
    `- 0  R  body0
       `- 1  R  body1
          `- 2  R  second_body0
             `- 3  R  second_body1
    """
    check_model(model)
    if isinstance(model, CoupledModel) or isinstance(part, CoupledModel):
        more = part if isinstance(part, Model) else None
        free = part if more is None else free_tree(more)
        tree = attach(free_tree(model), frame, free, X, prefix=prefix)
        return coupled_as_before(model, more, tree)
    d = model.Xtree.shape[-1]
    place = find_frame(model, frame)
    if X is not None:
        own, there = alike(check_frame(X, "attach: X", d), place.X)
        place = Frame(place.body, own @ there)
    if isinstance(part, Model):
        return _with_model(model, place, part, prefix)
    if np.shape(part) != (d, d):
        raise ModelError(
            f"attach: part: want a Model, or an inertia ({d}, {d}) such as mcI(m, c, I); got "
            f"{part!r}"
        )
    inertia = stack_of_matrices("part", [part], 1, d)
    check_inertias("part", inertia)
    if place.body < 0:
        raise ModelError("attach: an inertia on the base has no effect; want a place on a body")
    I, new, X_place = alike(model.I, inertia[0], place.X)
    moved = moved_inertia(new, X_place)
    rows = [I[i] + moved if i == place.body else I[i] for i in range(model.NB)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InertiaWarning)
        return model.replace(I=namespace(I).stack(rows))


def _with_model(model: Model, place: Frame, part: Model, prefix: str) -> Model:
    if part.is_planar != model.is_planar:
        raise ModelError("attach: want both models planar, or none of them")
    if part.gamma_q is not None or model.gamma_q is not None or part.loops:
        raise ModelError("attach: want models without gamma_q, and a part without loops")
    _check_names(model, part, prefix)
    n, one = model.NB, np.eye(part.Xtree.shape[-1])
    fields, more = copy.deepcopy(model.fields()), copy.deepcopy(part.fields())
    roots = (part.parent == -1).tolist()
    Xtree, theirs, Xrotor, turned, X_place = alike(
        model.Xtree, part.Xtree, model.Xrotor, part.Xrotor, place.X
    )
    xp = namespace(Xtree)
    moved = [X @ X_place if root else X for X, root in zip(theirs, roots, strict=True)]
    rotors = [X @ X_place if a and b else X
              for X, a, b in zip(turned, roots, part.has_rotor, strict=True)]  # fmt: skip
    numbers = {"I": alike(model.I, part.I), "I_rotor": alike(model.I_rotor, part.I_rotor),
               "gr": alike(model.gr, part.gr)}  # fmt: skip
    new: dict[str, Any] = {
        "parent": [*model.parent, *[place.body if p < 0 else p + n for p in part.parent.tolist()]],
        "Xtree": xp.concat([Xtree, xp.stack(moved)]),
        "Xrotor": xp.concat([Xrotor, xp.stack(rotors)]),
        **{name: namespace(a).concat([a, b]) for name, (a, b) in numbers.items()},
        **{x: [*fields[x], *more[x]] for x in ("jtype", "has_rotor", "jtype_rotor")},
        **{x: [*fields[x], *[prefix + y for y in more[x]]] for x in ("joint_names", "body_names")},
        **_joint_terms(model, part),
        "user": {**more["user"], **fields["user"]},
    }
    for field in ("limits", "mimic"):
        theirs = {prefix + k: x for k, x in (more[field] or {}).items()}
        if field == "mimic":
            theirs = {k: x._replace(joint=prefix + x.joint) for k, x in theirs.items()}
        new[field] = {**(fields[field] or {}), **theirs} or fields[field]
    places = [Frame(n + i, one) for i in range(part.NB)]
    new |= _merged(fields, carried(more, place, places, n + part.NB), prefix)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InertiaWarning)
        return Model(**fields | new)


def _joint_terms(model: Model, part: Model) -> dict[str, Any]:
    """Return the joint terms of both models, zero where one has none."""
    terms = {}
    for name in {**model._joint_terms(), **part._joint_terms()}:
        both = [getattr(x, name) for x in (model, part)]
        a, b = alike(*[
            constant(np.zeros(x.NV), model.Xtree) if y is None else y
            for x, y in zip((model, part), both, strict=True)
        ])  # fmt: skip
        terms[name] = namespace(a).concat([a, b])
    return terms


def _merged(fields: dict[str, Any], part: dict[str, Any], prefix: str) -> dict[str, Any]:
    """Return drawings, contact points and frames of the model and of the carried part."""
    new: dict[str, Any] = {"frames": fields["frames"]}
    if "frames" in part:
        theirs = {prefix + name: frame for name, frame in part["frames"].items()}
        new["frames"] = {**theirs, **(fields["frames"] or {})}
    if "appearance" in part:
        own = fields["appearance"] or {}
        body = list(own.get("body", []))
        body = [*body, *[[]] * (len(part["appearance"]["body"]) - len(body))]
        both = zip(body, part["appearance"]["body"], strict=True)
        new["appearance"] = {
            "base": [*own.get("base", []), *part["appearance"]["base"]],
            "body": [[*a, *b] for a, b in both],
        }
    if "gc" in part:
        gc = fields["gc"] or {"point": part["gc"]["point"][:0], "body": []}
        new["gc"] = {
            "point": np.concatenate([gc["point"], part["gc"]["point"]]),
            "body": [*gc["body"], *part["gc"]["body"]],
        }
    return new


def _check_names(model: Model, part: Model, prefix: str) -> None:
    """Check that no name belongs to both models."""
    for kind in ("joint_names", "body_names", "frames"):
        own, theirs = (set(getattr(x, kind) or ()) for x in (model, part))
        twice = sorted(own & {prefix + name for name in theirs})
        if twice:
            raise ModelError(
                f"attach: both models have the {kind} {', '.join(twice[:6])}; prefix='tool_' "
                "renames those of the part"
            )
