"""Drawings of the built-in models agree with a recorded file, so that no number in them changes
unnoticed.

``python unit_tests/show/test_show_recorded.py`` records the drawings again after an intended
change, with ``PYTHONPATH=unit_tests/support``.
"""

import json
from pathlib import Path

import numpy as np
import pytest
from test_show_drawings import BUILT_IN

from spatial_v2 import Model
from spatial_v2.show.bones import bones
from spatial_v2.show.instructions import drawings_of
from spatial_v2.show.meshes import facets_of
from spatial_v2.show.shapes import Line, Shape

FILE = Path(__file__).parents[1] / "support" / "drawings.json"


def described(shape: Shape) -> list[float]:
    """Return the number of corners, their extent, and weighted sums over corners and colours."""
    if isinstance(shape, Line):
        corners, colours = shape.points, np.broadcast_to(shape.colour, shape.points.shape)
    else:
        facets, colours = facets_of(shape)
        corners = facets.reshape(-1, 3)
    weighted = [np.cos(np.arange(len(x))) @ x for x in (corners, colours)]
    return [len(corners), *corners.min(axis=0), *corners.max(axis=0), *np.ravel(weighted)]


def drawings(model: Model) -> list[list[list[float]]]:
    """Return, for the base and each body, a list of numbers for each shape of the drawing."""
    every = drawings_of(model.appearance or bones(model), model.NB)
    return [[[float(x) for x in described(shape)] for shape in drawing] for drawing in every]


@pytest.mark.parametrize("name", BUILT_IN)
def test_built_in_models_look_as_recorded(name: str) -> None:
    recorded = json.loads(FILE.read_text())[name]
    found = drawings(BUILT_IN[name])
    assert [len(x) for x in found] == [len(x) for x in recorded]
    for ours, theirs in zip(found, recorded, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-9)


def record() -> None:
    """Record the drawings of all built-in models in the file."""
    lines = [f" {json.dumps(x)}: {json.dumps(drawings(m))}" for x, m in BUILT_IN.items()]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    record()
