"""Arguments that no function accepts are errors that say what is wanted; lines of MATLAB that are
not translated are left to a person with the reason.
"""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers import for_each

import spatial_v2 as sv
import tensor_sva as sva
from spatial_v2.migrate import translate
from spatial_v2.show.pictures import picture

MODEL, X = sv.autoTree(3), np.zeros(3)
POINTS = {key: np.zeros((4, 3)) for key in ("q", "qd", "qdd", "tau")}
SDF = '<sdf version="1.9"><model name="m">{}</model></sdf>'
LINK = '<link name="{}"/>'


def frame(**given: Any) -> Any:
    held = sv.FrameConstraint(2, np.eye(6), -1, np.eye(6), **given)
    return sv.ConstraintSet(MODEL, [held])


def loaded(text: str, name: str) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_text(text)
        return sv.load_model(path)


def sdf(text: str) -> Any:
    return loaded(SDF.format(text), "m.sdf")


def urdf(text: str) -> Any:
    return loaded(f'<robot name="r">{text}</robot>', "r.urdf")


REFUSED: dict[str, Callable[[], Any]] = {
    "want 'sine' or 'log6', got 'cosine'": lambda: frame(error="cosine"),
    "no body of the model has mass": lambda: (
        sv.EnerMo(MODEL.replace(I=np.zeros((3, 6, 6))), X, X).cm
    ),
    "want 'pose' or 'log6', got 'twist'": lambda: sv.inverse_kinematics(
        MODEL, 2, np.eye(6), X, error="twist"
    ),
    "want lower bounds up to the upper ones, got 2.0 and 1.0": lambda: sv.inverse_kinematics(
        MODEL, 2, np.eye(6), X, limits=(np.full(3, 2.0), np.ones(3))
    ),
    "want 'qr' or 'normal', got 'svd'": lambda: sv.identify(MODEL, **POINTS, method="svd"),
    "is not a body; links are 0 .. 2": lambda: sv.IsIdentifiable(MODEL, sv.RPNA(MODEL).N, 7, 0),
    "6 rows, or 12": lambda: sv.OutputMatrix(np.eye(3), np.eye(3)),
    "the model has no links": lambda: sdf(""),
    "duplicate link 'a'": lambda: urdf(2 * LINK.format("a")),
    "elements <inertial>, want at most one": lambda: urdf(
        '<link name="a"><inertial/><inertial/></link>'
    ),
    "attribute 'name' is empty": lambda: urdf(LINK.format("")),
    "want a width and a height in pixels": lambda: picture(sv.show(MODEL).scene, 0.0, (0, 10)),
    "index j has sizes 3 and 2": lambda: sva.contract("ij,jk->ik", np.eye(3), np.eye(2)),
}
"""Message of an error -> the call that it is about."""


@for_each(REFUSED.items())
def test_wrong_arguments_are_refused(message: str, call: Callable[[], Any]) -> None:
    with pytest.raises(sv.SpatialError) as found:
        call()
    assert message in str(found.value)


LEFT = {
    "switch {1}, case 1, y = 1; end": "switch: want a number or text, got a cell",
    "y = f(1, 2, 3); function z = f(x), z = x; end": "want at most 1 arguments, got 3",
    "y = strcat('a ', 'b');": "MATLAB removes blanks at the ends of the texts",
    "[Q, R] = qr(eye(2), 'vector');": "qr: want no option but 0",
    "f = @(x) x; y = f(end);": "want it in the subscript of an array or a cell",
    "y = {1, 2; 3};": "want rows of the same length",
    "c = {1, 2}; y = [c; c];": "rows of cells below one another",
    "y = round(1 + 2i);": "round: want real numbers",
    "y = bar(eye(2));": "bar: want a vector, got a matrix; groups of bars",
}
"""Lines of MATLAB -> a part of the reason why one of them is left to a person."""


@for_each(LEFT.items())
def test_lines_are_left_to_a_person_with_the_reason(matlab: str, why: str) -> None:
    pytest.importorskip("tree_sitter_matlab", reason="the extra migrate is not installed")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "script.m"
        path.write_text(matlab.replace("; function", ";\nfunction") + "\n")
        reasons = [x.why for x in translate(path, level="numpy")[0].todos]
    assert any(why in x for x in reasons), reasons
