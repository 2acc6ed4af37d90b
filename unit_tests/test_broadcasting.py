"""Leading axes of different arguments are broadcast by every function, as by NumPy's."""

from __future__ import annotations

import numpy as np
import pytest
import zoo
from helpers import near, parts
from joint_term_samples import with_terms
from public_functions import CONFIGURATIONS, VELOCITIES, arguments, functions_of_state, suits

from spatial_v2 import Model, autoTree

pytestmark = pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")

MODELS: dict[str, Model] = {
    "one body": with_terms(autoTree(1)),
    "floating": with_terms(zoo.build("floating")),
    "no joint terms": zoo.build("floating"),
}
FUNCTIONS = {
    name: (function, names)
    for name, function, names in functions_of_state()
    if hasattr(function, "reference")
}


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("kind", MODELS)
def test_reference_implementations_broadcast(kind: str, name: str) -> None:
    """A batch of one argument and one value of another are the batch with that value repeated."""
    (function, names), model = FUNCTIONS[name], MODELS[kind]
    terms = model.has_joint_terms and not function.joint_terms
    if terms or not suits(function, model):
        return
    given = arguments(model, names, np.random.default_rng(2))
    alone = parts(function.reference(model, **given))
    for vector in (*CONFIGURATIONS, *VELOCITIES):
        if vector in given:
            batch = {**given, vector: np.stack([given[vector]] * 2)[:, None]}
            found = parts(function.reference(model, **batch))
            for x, one in zip(found, alone, strict=True):
                near(x, np.broadcast_to(one, (2, 1, *np.shape(one))), 1e-9)
