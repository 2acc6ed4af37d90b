"""Functions of `spatial_v2.matlab`, called as in MATLAB, give the results that a file has.

`test_octave_library` compares these and more calls with the original library, if there is one.
After an intended change, or another call,
``python unit_tests/matlab/test_matlab_recorded.py`` records the results again, with
``PYTHONPATH=unit_tests/support``.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from helpers import for_each
from octave_calls import CALLS
from octave_library import Call
from test_octave_library import argument

import spatial_v2.matlab as m

FILE = Path(__file__).parents[1] / "support" / "matlab_recorded.json"
CHOSEN = {(c.name, len(c.args), c.nargout): k for k, c in enumerate(CALLS) if not c.judge}
"""The last call of each function with each number of arguments and results, by its place."""


def numbers(x: Any) -> list[np.ndarray]:
    """Return the arrays in a result, with those of lists and structs."""
    if hasattr(x, "_asdict") or (hasattr(x, "__dict__") and not isinstance(x, np.ndarray)):
        fields = x._asdict() if hasattr(x, "_asdict") else vars(x)
        return [y for name in sorted(fields) for y in numbers(fields[name])]
    if isinstance(x, list | tuple):
        return [z for y in x for z in numbers(y)]
    return [] if x is None or isinstance(x, str) else [np.asarray(x, dtype=complex)]


def described(call: Call) -> list[list[float]]:
    """Return, for each array in the results of a call, its shape and three numbers.

    They are the greatest magnitude, and real and imaginary parts of a weighted sum of all entries.
    """
    found = getattr(m, call.name)(*map(argument, call.args), nargout=call.nargout)
    rows = []
    for x in numbers(found):
        total = np.cos(np.arange(x.size)) @ x.ravel()
        size = np.abs(x).max(initial=0.0)
        rows.append(
            [*map(float, x.shape), *(float(f"{y:.12g}") for y in (size, total.real, total.imag))]
        )
    return rows


@cache
def recorded_results() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FILE.read_text())
    return found


@for_each(list(CHOSEN.values()))
def test_results_are_those_that_were_recorded(place: int) -> None:
    call, recorded = CALLS[place], recorded_results()[str(place)]
    assert call.name == recorded["name"]
    for found, wanted in zip(described(call), recorded["results"], strict=True):
        assert found[:-3] == wanted[:-3]
        few = 1e-9 * max(1.0, wanted[-3]) * max(1.0, np.prod(wanted[:-3]))
        np.testing.assert_allclose(found[-3:], wanted[-3:], rtol=0, atol=few)


def record() -> None:
    """Record the results in the file."""
    rows = {k: {"name": CALLS[k].name, "results": described(CALLS[k])} for k in CHOSEN.values()}
    lines = [f'"{k}": {json.dumps(row)}' for k, row in rows.items()]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    record()
