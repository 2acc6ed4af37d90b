"""A batch of no states gives results for no states, with its leading axes."""

from typing import Any

import numpy as np
import pytest
import zoo
from public_functions import STATE, Function, arguments, functions, suits

pytestmark = pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")

MODELS = ["floating", "mixed", "planar_tree", "floating_rotors"]
BATCHES = [(0,), (2, 0)]

WITHOUT_BATCH = {"StructureConstants": {1}}
"""Numbers of the results of a function that have no batch axes, because they do not depend on the
state.
"""


def arrays(parts: list[Any]) -> list[np.ndarray]:
    """Return all arrays of a result, including those in lists and in the `info` of
    ``return_info``.
    """
    found = []
    for x in parts:
        found += arrays(list(x)) if isinstance(x, list | tuple) else [np.asarray(x)]
    return found


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("function", functions(), ids=str)
def test_a_batch_of_no_states_has_results_of_its_shape(function: Function, name: str) -> None:
    """Kernels and reference implementations return the shape of one state after the batch's leading
    axes.
    """
    model, rng = zoo.build(name), np.random.default_rng(3)
    if not suits(function.function, model):
        pytest.skip("the function supports only floating-base models")
    names = (*STATE, "f_ext")
    one = arguments(model, names, rng)
    for reference in {False, function.has_page}:
        shapes = [x.shape for x in arrays(function(model, one, reference=reference))]
        for lead in BATCHES:
            none = arguments(model, names, rng, lead)
            found = [x.shape for x in arrays(function(model, none, reference=reference))]
            fixed = WITHOUT_BATCH.get(function.name, set())
            wanted = [s if k in fixed else (*lead, *s) for k, s in enumerate(shapes)]
            assert found == wanted, (reference, lead)
