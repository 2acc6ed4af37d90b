"""Residuals of an identity for random arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tensor_sva.identities.draw import draw
from tensor_sva.identities.letters import RELATIONS
from tensor_sva.identities.state import State, example_model

if TYPE_CHECKING:
    from tensor_sva.identities.identity import Identity

__all__ = ["measured"]


def measured(
    identity: Identity,
    rng: np.random.Generator | int = 0,
    state: State | None = None,
    batch: tuple[int, ...] = (),
) -> dict[str, float]:
    """Compute the residual of each case of an identity; see `residuals`."""
    rng = np.random.default_rng(rng)
    letters = identity.letters.split()
    if not identity.about_joints:
        return identity.residuals(*draw(letters, rng, batch))
    state = state or State.random(example_model(rng), rng)
    constants = [x[..., 0] for x in draw(letters[2:], rng)]
    worst: dict[str, float] = {}
    for i in state.bodies:
        for j in state.bodies:
            relation = state.relation(i, j)
            residual = identity.residuals(i, j, *constants, relation=relation)[relation]
            worst[relation] = max(worst.get(relation, 0.0), residual)
    return {relation: worst[relation] for relation in RELATIONS if relation in worst}
