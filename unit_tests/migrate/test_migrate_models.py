"""Scripts that assign parts of a model's fields: Python assigns the fields as a whole."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spatial_v2 import autoTree
from spatial_v2.matlab.runtime.library import plain
from spatial_v2.migrate import translate

BEFORE = autoTree(3)
SCRIPTS: dict[str, tuple[str, str, Any, Any]] = {
    "an inertia": (
        "m.I{2} = 3*m.I{1};", "m.I = {1: 3 * m.I[0]}", lambda m: m.I[1], 3 * BEFORE.I[0]
    ),
    "an entry of it": (
        "m.Xtree{2}(4:6,1:3) = 0*m.Xtree{2}(4:6,1:3);", "m.Xtree = m_Xtree",
        lambda m: m.Xtree[1, 3:, :3], np.zeros((3, 3)),
    ),
    "a joint": ("m.jtype{1} = 'Px';", 'm.jtype = {0: "Px"}', lambda m: m.jtype[0] == "Px", True),
    "gravity": ("m.gravity(3) = 1;", "m.gravity = m_gravity", lambda m: m.gravity, [0, 0, 1]),
    "all gravity": ("m.gravity(:) = 1;", "m.gravity = m_gravity", lambda m: m.gravity, [1, 1, 1]),
    "in a loop": (
        "for i = 1:3, m.I{i} = 2*m.I{i}; end", "m.I = {i: 2 * m.I[i]}", lambda m: m.I, 2 * BEFORE.I
    ),
    "of a struct": (
        "s.arm = m; s.arm.I{1} = 2*m.I{1}; m = s.arm;", "s.arm.I = {0:",
        lambda m: m.I[0], 2 * BEFORE.I[0],
    ),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")
@pytest.mark.parametrize(("code", "line", "of", "want"), SCRIPTS.values(), ids=SCRIPTS)
def test_parts_of_fields_are_assigned(
    tmp_path: Path, code: str, line: str, of: Any, want: Any
) -> None:
    """The translation changes the model of the script, and no other model that had its values."""
    script = tmp_path / "script.m"
    script.write_text(f"m = autoTree(3);\nother = m;\n{code}\n")
    [made] = translate(script)
    assert line in made.python, made.python
    names: dict[str, Any] = {}
    exec(made.python, names)
    np.testing.assert_allclose(of(names["m"]), want)
    np.testing.assert_array_equal(names["other"].I, BEFORE.I)


@pytest.mark.parametrize("level", ["either", "runtime"])
def test_floatbase_leaves_fields_of_rotors_and_of_the_user(tmp_path: Path, level: str) -> None:
    """The first joint, which is replaced, may have any type."""
    script = tmp_path / "script.m"
    script.write_text(
        "m = struct(); m.NB = 2; m.parent = [0 1]; m.jtype = {' ', 'Rx'}; m.I = {eye(6), 3*eye(6)};"
        "m.Xtree = {eye(6), rotx(.2)}; m.e = .3; m.gr = {1, 2}; m.gc.body = [1 2];"
        "m.gc.point = [1 2;3 4;5 6]; b = floatbase(m); b.jtype{4} = 'Rz'; b.gr = [{7}, b.gr];"
        "t = b.jtype; c = b.gc.body; p = b.parent; g = b.gr; e = b.e + b.I{7}(1,1);"
    )
    [made] = translate(script, level=level)
    assert ("ml." in made.python) == (level == "runtime")
    names: dict[str, Any] = {}
    exec(made.python, names)
    if level == "runtime":
        names |= {n: plain(names[n]) for n in "tcpge"}
    assert list(names["t"]) == ["Px", "Py", "Pz", "Rz", "Ry", "Rz", "Rx"]
    np.testing.assert_array_equal(names["c"], [6, 7])
    np.testing.assert_array_equal(names["p"], range(7))
    assert list(names["g"]) == [7, 1, 2] and names["e"] == 3.3
