"""Helpers of the tests of derivatives: random states, numbers of MATLAB, brackets within joints."""

import golden_io
import numpy as np
import zoo

from spatial_v2 import Model, crm, jcalc, random_configuration


def draw(name: str, shape: tuple[int, ...] = ()) -> tuple[Model, zoo.State]:
    """Return a model of the zoo, and random states."""
    model = zoo.build(name)
    return model, zoo.states(model, np.random.default_rng([*name.encode(), *shape]), shape)


def golden(file: str, case: str, *whats: str) -> tuple[np.ndarray, ...]:
    """Return the variables of a golden case, with samples along the first axis."""
    return tuple(golden_io.get(golden_io.load(file), case, what) for what in whats)


def related(model: Model) -> np.ndarray:
    """Return a mask (NV, NV): True if the bodies of velocity variables i and j are equal, or one is
    an ancestor of the other.
    """
    body = model.body_of_v
    rows = [[i in model.ancestors[j] or j in model.ancestors[i] for j in body] for i in body]
    return np.array(rows)


def brackets(model: Model) -> np.ndarray:
    """Compute the Lie brackets within each joint from the definition: [l, j, k] is component l of
    ``s_j x s_k``, with s_j the column of velocity variable j of the joint's motion subspace.
    """
    c = np.zeros((model.NV, model.NV, model.NV))
    q = random_configuration(model, np.random.default_rng(0))
    for jtype, qs, vs in zip(model.jtype, model.qinds, model.vinds, strict=True):
        S = jcalc(jtype, q[qs])[1]
        for k in range(S.shape[1]):
            c[vs, vs, vs.start + k] = np.linalg.pinv(S) @ -crm(S[:, k]) @ S
    return c
