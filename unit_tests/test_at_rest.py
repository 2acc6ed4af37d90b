"""Functions of a robot at rest have finite results, from the kernel and the reference
implementation.
"""

from __future__ import annotations

import numpy as np
import pytest
import zoo
from helpers import near
from public_functions import VELOCITIES, arguments, functions_of_state, suits

FUNCTIONS = {
    name: (function, required)
    for name, function, required in functions_of_state()
    if hasattr(function, "reference")
}


@pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")
@pytest.mark.parametrize("name", FUNCTIONS)
def test_results_at_rest_are_finite(name: str) -> None:
    """Velocities that are zero, in one entry or in all, divide nothing."""
    function, required = FUNCTIONS[name]
    model = zoo.build("floating_rotors" if "rotor" in name else "mixed")
    if not suits(function, model):
        model = zoo.build("floating")
    given = arguments(model, required, np.random.default_rng(0))
    for part in (slice(None), slice(1)):
        args = {n: np.array(x) if n in VELOCITIES else x for n, x in given.items()}
        for n in args.keys() & {"qd", "qd0", "qd1", "v"}:
            args[n][..., part] = 0
        found, wanted = (f(model, *args.values()) for f in (function, function.reference))
        pairs = [x if isinstance(x, tuple) else (x,) for x in (found, wanted)]
        for x, y in zip(*pairs, strict=True):
            assert np.isfinite(np.asarray(y, float)).all()
            near(np.asarray(x), np.asarray(y), 1e-9)
