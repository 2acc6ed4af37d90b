"""Functions of a robot at rest have finite results, from the kernel and the reference
implementation.
"""

import numpy as np
import pytest
import zoo
from helpers import near
from public_functions import arguments, functions_of_state, suits

FUNCTIONS = {
    name: (function, required)
    for name, function, required in functions_of_state()
    if hasattr(function, "reference")
}


@pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning", "error::RuntimeWarning")
@pytest.mark.parametrize("third", range(3))
def test_results_at_rest_are_finite(third: int) -> None:
    """Velocities that are zero divide nothing, and give no warning."""
    for name in list(FUNCTIONS)[third::3]:
        function, required = FUNCTIONS[name]
        model = zoo.build("floating_rotors" if "rotor" in name else "mixed")
        if not suits(function, model):
            model = zoo.build("floating")
        args = arguments(model, required, np.random.default_rng(0))
        args |= {n: 0 * args[n] for n in args.keys() & {"qd", "qd0", "qd1", "v"}}
        found, wanted = (f(model, *args.values()) for f in (function, function.reference))
        pairs = [x if isinstance(x, tuple) else (x,) for x in (found, wanted)]
        for x, y in zip(*pairs, strict=True):
            assert np.isfinite(np.asarray(y, float)).all(), name
            near(np.asarray(x), np.asarray(y), 1e-9)
