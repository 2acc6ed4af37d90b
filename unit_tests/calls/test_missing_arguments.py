"""Calls without arguments that a function needs name them, whichever way the call takes."""

import inspect
import re
from typing import Any

import numpy as np
import pytest
from public_functions import EITHER, arguments, functions_of_state, suits, with_and_without_plan
from zoo import build

FUNCTIONS = {
    name: (f, required)
    for name, f, required in functions_of_state()
    if name.rpartition(".")[2] not in EITHER
}


@with_and_without_plan
@pytest.mark.parametrize("name", FUNCTIONS)
def test_missing_arguments_are_named(name: str, kind: str) -> None:
    """Without all arguments, or the last one, the first that is missing is named, before and after
    a call that prepares the next ones.
    """
    model, (function, required) = build(kind), FUNCTIONS[name]
    if not suits(function, model) or not required:
        pytest.skip("the function takes other models, or a model alone")
    given: dict[str, Any] = arguments(model, required, np.random.default_rng(1), ())
    parameters = list(inspect.signature(function).parameters.values())[1:]
    open_ = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    needed = [x.name for x in parameters if x.default is x.empty and x.kind not in open_]
    for _ in range(2):
        for n in {0, len(needed) - 1} if needed else ():
            first = [given[x] for x in needed[:n]]
            with pytest.raises(TypeError, match=re.escape(needed[n])):
                function(model, *first)
        function(model, **given)
