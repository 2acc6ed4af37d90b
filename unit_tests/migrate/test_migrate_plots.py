"""Translated charts: options and positions have their names in matplotlib, and the
chart is drawn.
"""

from pathlib import Path

import numpy as np
import pytest
from numpy_level import translate
from test_migrate_laws import values_of
from test_migrate_text import python_of

plt = pytest.importorskip("matplotlib.pyplot")
pytest.importorskip("tree_sitter_matlab", reason="the extra migrate is not installed")


@pytest.mark.parametrize(
    ("matlab", "python"),
    [
        ("plot(t, t, 'r--', 'LineWidth', 2);", 'plt.plot(t, t, "r--", linewidth=2)'),
        ("plot(t, Q);", "plt.plot(t, Q if len(Q) == len(t) else Q.T)"),
        ("plot(t, t, 'b', t, 2*t, 'k:');", 'plt.plot(t, t, "b", t, 2 * t, "k:")'),
        ("legend('a', 'b', 'Location', 'NorthWest');", 'plt.legend(["a", "b"], loc="upper left")'),
        ("xlabel('t', 'FontSize', 12, 'Interpreter', 'latex');", 'plt.xlabel("t", fontsize=12)'),
        ("plot3(t, t, t);", 'plt.subplot(projection="3d").plot(t, t, t)'),
        ("stairs(t, t);", 'plt.step(t, t, where="post")'),
        ("subplot(2, 1, 2);", "plt.subplot(2, 1, 2)"),
        ("h = figure(3); xlim([0 1]);", "plt.xlim(np.array([0.0, 1]))"),
        ("showmotion(autoTree(2), t, Q);", "showmotion(autoTree(2), t, Q).open()"),
    ],
)
def test_drawings_are_those_of_matplotlib(matlab: str, python: str, tmp_path: Path) -> None:
    assert python in python_of(f"t = [0 1 2]; Q = ones(2, 3);\n{matlab}\n", tmp_path)


def test_the_lines_that_are_drawn_are_the_rows_that_have_the_length_of_x(tmp_path: Path) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    values_of("t = [0 1 2]; Q = [1 2 3; 4 5 6]; figure; plot(t, Q, 'LineWidth', 3);\n", tmp_path)
    lines = plt.gca().get_lines()
    plt.close("all")
    assert [line.get_linewidth() for line in lines] == [3, 3]
    np.testing.assert_array_equal([line.get_ydata() for line in lines], [[1, 2, 3], [4, 5, 6]])


@pytest.mark.parametrize(
    "matlab",
    [
        "surf(Q);",
        "plot(t, Q, 'Clipping', 'off');",
        "plot(t, Q + 1);",
        "legend(h);",
        "plot(t, 'wxyz9');",
        "showmotion(t);",
        "title({'a', 'b'});",
    ],
)
def test_other_drawings_are_left_to_a_person(matlab: str, tmp_path: Path) -> None:
    (tmp_path / "a.m").write_text(f"t = [0 1 2]; Q = ones(2, 3); h = figure;\n{matlab}\n")
    assert [t.line for t in translate(tmp_path / "a.m")[0].todos] == [2]


@pytest.mark.parametrize(
    "words", ["grid", "grid on", "grid off", "axis equal", "axis tight", "figure", "close all"]
)
def test_commands_and_calls_are_the_same(words: str, tmp_path: Path) -> None:
    """``grid on`` and ``grid('on')`` are translated into the same line."""
    name, *more = words.split()
    given = ", ".join(f"'{x}'" for x in more)
    head = "plot([1 2 3]); "
    assert python_of(f"{head}{words}\n", tmp_path) == python_of(
        f"{head}{name}({given});\n", tmp_path
    )
