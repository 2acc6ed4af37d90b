"""Drawings of built-in robots are valid in the drawing language, and look like the robots."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import spatial_v2 as sv

DRAWN = [
    sv.doubleElbow,
    sv.singlebody,
    sv.scissor,
    sv.vee,
    lambda: sv.vee(2),
    lambda: sv.rollingdisc(8),
    sv.gfxExample,
]
WORDS = {
    "box": [(2, 3)], "cyl": [(2, 3), ()], "sphere": [(3,), ()], "line": [(-1, 3)],
    "vertices": [(-1, 3)], "triangles": [(-1, 3)], "colour": [(-1,)], "facets": [()],
    "tiles": [(3, 2), ()],
}  # fmt: skip


def spell(drawing: list[Any], vertices: int = 0) -> None:
    """Check every word of a drawing, and the shapes of its arguments, including sub-lists."""
    words = iter(drawing)
    for word in words:
        if isinstance(word, list):
            spell(word, vertices)
            continue
        for want in WORDS[word]:
            x = np.asarray(next(words), float)
            assert len(x.shape) == len(want) or word == "colour"
            assert all(n in (-1, k) for n, k in zip(want, x.shape, strict=False))
            if word == "vertices":
                vertices = len(x)
            if word == "triangles":
                assert x.min() >= 0 and x.max() < vertices


@pytest.mark.parametrize("make", DRAWN)
def test_drawings_are_spelled_right(make: Callable[[], sv.Model]) -> None:
    model = make()
    assert model.appearance is not None
    assert len(model.appearance["body"]) == model.NB
    for drawing in (model.appearance.get("base", []), *model.appearance["body"]):
        spell(drawing)


def parts(drawing: list[Any]) -> list[tuple[str, np.ndarray]]:
    """Return the words for shapes with the numbers after them, including sub-lists."""
    found: list[tuple[str, np.ndarray]] = []
    for k, word in enumerate(drawing):
        if isinstance(word, list) and word and isinstance(word[0], str | list):
            found += parts(word) if any(isinstance(x, str) for x in word) else []
        elif isinstance(word, str) and word in ("box", "cyl", "line"):
            found.append((word, np.asarray(drawing[k + 1], float)))
    return found


@pytest.mark.parametrize("make", [*DRAWN, lambda: sv.autoTree(7, 2), lambda: sv.planar(3)])
def test_drawn_parts_are_solid(make: Callable[[], sv.Model]) -> None:
    """Boxes have three sides, and the ends of cylinders and of each piece of a line differ."""
    model = make()
    assert model.appearance is not None
    drawings = (model.appearance.get("base", []), *model.appearance["body"])
    found = [part for drawing in drawings for part in parts(drawing)]
    assert found
    for word, points in found:
        steps = np.abs(np.diff(points, axis=0))
        assert (steps > 0).all() if word == "box" else (steps.max(axis=-1) > 0).all()


def test_double_elbow_is_symmetric() -> None:
    """Each body is symmetric about the plane through its axis and its line, and the whole is about
    z = 0.
    """
    model = sv.doubleElbow()
    assert model.appearance is not None
    for drawing in model.appearance["body"]:
        solids = [np.sort(x, axis=0) for word, x in parts(drawing)]
        assert all(lower[1] == -upper[1] for lower, upper in solids)
        heights = sorted((lower[2], upper[2]) for lower, upper in solids)
        assert heights == sorted((-upper, -lower) for lower, upper in heights)


def test_longer_second_rod_moves_its_end_of_the_base_line() -> None:
    """The base's line passes through the middles of both rods and is a tenth longer on
    either side.
    """
    for L2 in (1.0, 1.7):
        appearance = sv.vee(L2).appearance
        assert appearance is not None
        lines = [x for word, x in parts(appearance["base"]) if word == "line"]
        middle = np.array([[0.5, 0.0, 0.0], [0.0, 0.5 * L2, 0.0]])
        beyond = 0.1 * (middle[0] - middle[1])
        assert_allclose(lines[-1], [middle[0] + beyond, middle[1] - beyond], atol=1e-15)


def test_drawings_have_one_list_per_body() -> None:
    """Each body has one drawing; that of a parent's first child includes the joint."""
    model = sv.autoTree(7, 2)
    assert model.appearance is not None
    assert [drawing.count("cyl") for drawing in model.appearance["body"]] == [2, 2, 1, 2, 1, 2, 1]
    assert sv.planar(3).appearance is not None and sv.autoTree_rotor(2).appearance is not None
