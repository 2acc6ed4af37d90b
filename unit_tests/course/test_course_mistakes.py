"""Typical wrong answers to exercises get the message that explains the mistake."""

import ast
import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from helpers import for_each

from spatial_v2 import ID, EnerMo, FDab, puma560
from spatial_v2.course.exercises.chapter_13 import ARM
from spatial_v2.course.exercises.chapter_18 import matrices
from spatial_v2.course.named import exercises
from spatial_v2.course.text import cells, chapter, chapters, parts_of

EXERCISES = exercises()
FOLDER = Path(__file__).parents[2] / "spatial_v2/course/exercises"
PI = np.pi
NUMBERS: dict[str, dict[str, Any]] = {
    "1.1": {
        "The angular part": [0, 0, 0.01, 0, 0, 4 * PI], "Angles": [0, 0, 2, 0, 0, 0.01],
        "5 mm": [0, 0, 4 * PI, 0, 0, 0.005], "Metres": [0, 0, 4 * PI, 0, 0, 10],
    },
    "1.2": {"The hinge": [0, 0, 0.5, 0, 0, 0], "The sign": [0, 0, 0.5, -0.5, 1, 0]},
    "1.3": {"There": [0, -0.5, 0]},
    "1.4": {"The couple is": [-3, 0, 7.5, 0, -30, 0], "The couple comes": [0, -30, 0, 3, 0, -7.5]},
    "1.5": {"The force": 1},
    "2.1": {"The sign": [0, 0, 2, 0, -6, 0], "The axis": [0, 0, 2, 0, 0, 0]},
    "2.5": {"The second": [0.9, 0, 0.1]},
    "2.6": {"The order": [3, 0, 0, 0, -6, -1], "An axis": [-3, 0, 0, 0, 6, 0]},
    "3.1": {"The mass": np.diag([0, 0, 0, 2, 2, 2])},
    "3.2": {"Half": 0.41, "Turning": 0.505},
    "3.3": {"Each": 2 * (5 * 0.8**2 + 0.02), "The balls": 1.6, "There": 0.82},
    "3.6": {"About the longest": "x", "About the shortest": "z"},
    "4.1": {"That": [0, 0, 0, 1, 0, 0]},
    "4.2": {"The pitch": [0, 0, 1, 0, 0, 0.01], "A turn": [0, 0, 1, 0, 0, 0.02 * PI]},
    "4.3": {"The sign": [0, 0, 1, 0, 0.3, 0], "The axis": [0, 0, 1, 0, 0, 0]},
    "4.4": {"The force": 3},
    "4.6": {"A quaternion": [11, 11], "Velocities": [13, 13]},
    "5.1": {"Bodies": [0, 1, 1, 3, 1, 5], "The second": [-1, 0, 0, 2, 3, 4]},
    "5.2": {"The joint": [0, 1, 2, 4]},
    "5.4": {"That": [0, 1, 0], "The second": [0.5**0.5, 1 + 0.5**0.5, 0]},
    "6.1": {
        "These are the axes": [[-(0.5**0.5), 0], [0.5 + 0.5**0.5, 0.5]],
        "That is the point": [[0, 1], [0, 0]],
        "The tool": [[-1 - 0.5**0.5, -(0.5**0.5)], [0.5**0.5, 0.5**0.5]],
        "Rows": [[-1 - 0.125**0.5, 0.125**0.5], [-(0.125**0.5), 0.125**0.5]],
    },
    "6.2": {"J maps": [-20 - 20 * 0.125**0.5, 20 * 0.125**0.5], "The force": [-20 * 0.5**0.5, 0]},
    "7.1": {"A weight": 3 * 0.7, "The moment": 3 * 9.81},
    "7.3": {"They": 2},
    "8.1": {"Rad/s^2": 9.81, "Divide": 9.81 * 0.8},
    "8.2": {"Along": [5, 5], "Across": [2, 2]},
    "9.1": {"Square": [[1.6]]},
    "9.3": {"H is": 4},
    "10.1": {"The hinge": [13, 12], "A quaternion": [11, 11]},
    "10.2": {
        "In coord": [0, 0, 0, 0, 0, -9.81], "rx": [0, 0, 0, 0, 9.81, 0],
        "Angular": [0, -9.81, 0, 0, 0, 0],
    },
    "10.5": {"The force": [0, 0, 0, 0, 0, 39.24]},
    "11.3": {"That": [0, 24.525, 24.525], "The load": [0, 34.525, 34.525]},
    "11.6": {
        "A bounce": 5 * (2 / 9.81) ** 0.5, "That": 8 * (2 / 9.81) ** 0.5,
        "Heights": (1 + 2 * 16 / 9) * (2 / 9.81) ** 0.5,
    },
    "12.1": {"That": 1e-5, "So small": 1e-20},
    "13.3": {"That": 17, "The diagonal": 34},
    "14.1": {"That": (6, 4, 3), "R is": (4, 3, 6)},
    "14.4": {"That is the": 0.25, "That is for": 2 * PI / 3},
    "17.1": {"The order": [3, 1], "Across": [1, 2]},
    "17.5": {"Ten": 10},
}  # fmt: skip
"""Numbers of wrong answers by exercise, each with the beginning of the message that it gets."""
FACTORS: dict[str, dict[str, float]] = {
    "6.2": {"The sign": -1}, "6.3": {"The sign": -1},
    "7.5": {"The load": -1}, "9.2": {"Half": 2}, "10.5": {"The ground": -1},
    "11.1": {"The motor": -1}, "12.3": {"The sign": -1}, "13.4": {"In rad/s": 0.5 / PI},
    "13.5": {"The sign": -1}, "15.2": {"Twice": 2}, "15.4": {"The sign.": -1},
    "16.1": {"Half": 2}, "16.3": {"The sign": -1}, "17.3": {"The sign": -1},
    "17.6": {"Frequencies": 0.5 / PI, "The period": 4},
    "18.2": {"The error": -1}, "18.4": {"With u": -1},
}  # fmt: skip
"""Factors by which right answers are multiplied to make them wrong."""


def energy_by_velocities() -> float:
    """Compute the kinetic energy of chapter 9 from the velocities of the bodies."""
    q, qd = [0.2, 0.6, -0.9, 0.3, 0.5, -0.1], [0.5, -0.3, 0.8, 0.1, -0.6, 0.4]
    return float(EnerMo(puma560(), np.array(q), np.array(qd)).KE)


def bend() -> float:
    """Compute the second derivative of ``exp(x) / sqrt(s)`` with ``s = sin(x)^3 + cos(x)^3`` at x =
    1.5.
    """
    a, b = np.sin(1.5), np.cos(1.5)
    s, ds, dds = a**3 + b**3, 3 * a * b * (a - b), 3 * (a + b) * (2 * a * b - a * a - b * b + a * b)
    slope = 1 - ds / (2 * s)
    return float(np.exp(1.5) / np.sqrt(s) * (slope**2 - dds / (2 * s) + ds**2 / (2 * s**2)))


def double_pendulum() -> np.ndarray:
    """Compute the frequencies of two hanging rods of 1 m and 1 kg, by their absolute angles."""
    M, K = np.array([[4 / 3, 1 / 2], [1 / 2, 1 / 3]]), 9.81 * np.diag([3 / 2, 1 / 2])
    return np.sort(np.sqrt(np.linalg.eigvals(np.linalg.solve(M, K)).real))


def shortest(J: np.ndarray, e: np.ndarray, mu: float) -> np.ndarray:
    """Compute a damped step as the least-squares solution of J x = e together with mu x = 0."""
    rows = np.vstack([J, mu * np.eye(J.shape[1])])
    return np.linalg.lstsq(rows, np.concatenate([e, np.zeros(J.shape[1])]))[0]


def in_null_space(J: np.ndarray, z: np.ndarray) -> np.ndarray:
    """Project a joint velocity onto the null space by its orthonormal basis."""
    basis = np.linalg.svd(J)[2][len(J) :]
    return basis.T @ basis @ z


def bouncing() -> float:
    """Add up the times between the impacts of a ball that is dropped from 1 m."""
    time, speed = (2 / 9.81) ** 0.5, (2 * 9.81) ** 0.5
    while speed > 1e-12:
        speed *= 0.8
        time += 2 * speed / 9.81
    return time


def slope_of_sines(x: np.ndarray, T: float, k: int) -> np.ndarray:
    """Differentiate, at the samples x, the least-squares fit by sines and cosines of up to k
    periods in time T.
    """
    t, w = T * np.arange(len(x)) / len(x), 2 * PI / T * np.arange(k + 1)
    wt = w * t[:, None]
    found = np.linalg.lstsq(np.hstack([np.cos(wt), np.sin(wt)]), x)[0]
    return np.hstack([-w * np.sin(wt), w * np.cos(wt)]) @ found


def balanced(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """Compute the feedback of the linear quadratic regulator with unit weights by the recursion of
    the square root of the cost to go, where each gain is a least-squares solution.
    """
    P, K = np.eye(len(A)), np.zeros(B.T.shape)
    for _ in range(400):
        K = np.linalg.lstsq(np.vstack([P @ B, np.eye(B.shape[1])]), -np.vstack([P @ A, 0 * K]))[0]
        closed = A + B @ K
        P = np.linalg.cholesky(np.eye(len(A)) + K.T @ K + closed.T @ P.T @ P @ closed).T
    return K


RIGHT: dict[str, Callable[[], Any]] = {
    "1.3": lambda: np.cross([0, 0, 2], [1, 0, 0]) / 2**2,
    "2.6": lambda: [-3, 0, 0, 0, 6, 1],
    "5.4": lambda: [0.125**0.5, 1 + 0.125**0.5, 0],
    "6.1": lambda: [[-1 - 0.125**0.5, -(0.125**0.5)], [0.125**0.5, 0.125**0.5]],
    "6.2": lambda: [-20 * (1 + 0.125**0.5), -20 * 0.125**0.5],
    "6.3": lambda: shortest,
    "6.5": lambda: in_null_space,
    "9.2": energy_by_velocities,
    "11.4": lambda: 1 / (1 + 12 * (0.5 * np.cos(0.5)) ** 2),
    "11.5": lambda: lambda W, b: ((abs(b) - b) / (2 * W), (abs(b) + b) / 2),
    "11.6": bouncing,
    "12.5": bend,
    "13.4": double_pendulum,
    "17.6": lambda: slope_of_sines,
    "18.4": lambda: balanced(*matrices(PI / 2)),
}
"""Right answers, derived in another way than the exercises do."""


@for_each(RIGHT)
def test_answers_that_are_derived_in_another_way_are_right(key: str) -> None:
    assert EXERCISES[key].verdict(RIGHT[key]()).state == "right"


@for_each(NUMBERS)
def test_numbers_of_a_mistake_are_known(key: str) -> None:
    for told, answer in NUMBERS[key].items():
        verdict = EXERCISES[key].verdict(answer)
        assert verdict.state == "wrong" and verdict.message.startswith(told)


@for_each(FACTORS)
def test_lost_signs_and_factors_are_known(key: str) -> None:
    right = EXERCISES[key].solution()
    for told, factor in FACTORS[key].items():
        answer = multiplied(right, factor) if callable(right) else factor * np.asarray(right)
        verdict = EXERCISES[key].verdict(answer)
        assert verdict.state == "wrong" and verdict.message.startswith(told)


def test_energy_of_each_joint_alone_is_known() -> None:
    """The sum of kinetic energies, each with one joint in motion, is a known mistake."""
    q, qd = [0.2, 0.6, -0.9, 0.3, 0.5, -0.1], [0.5, -0.3, 0.8, 0.1, -0.6, 0.4]
    alone = sum(float(EnerMo(puma560(), np.array(q), x).KE) for x in np.diag(qd))
    assert "coupled: not the diagonal" in EXERCISES["9.2"].verdict(alone).message


def multiplied(f: Callable[..., Any], factor: float) -> Callable[..., Any]:
    return lambda *args: factor * f(*args)


def test_rates_of_chapter_13_are_complex_steps() -> None:
    """The rates of joint forces along a motion, and of accelerations along q, are complex steps."""
    rng, h = np.random.default_rng(0), 1e-30
    q, qd, qdd, jerk = rng.normal(size=(4, 5))
    rate = EXERCISES["13.2"].solution()(ARM, q, qd, qdd, jerk)
    along = ID(ARM, q + 1j * h * qd, qd + 1j * h * qdd, qdd + 1j * h * jerk)
    np.testing.assert_allclose(rate, along.imag / h, rtol=1e-12)
    slopes = EXERCISES["13.5"].solution()(ARM, q, qd, qdd)
    steps = [FDab(ARM, q + 1j * h * e, qd, qdd).imag / h for e in np.eye(5)]
    np.testing.assert_allclose(slopes, np.stack(steps, axis=-1), rtol=1e-10, atol=1e-12)


def test_mistakes_of_exercise_16_4_are_what_their_texts_say() -> None:
    """C multiplies the velocity instead of its reference; the sign of K is wrong."""
    rng, exercise = np.random.default_rng(1), EXERCISES["16.4"]
    H, C, K = rng.normal(size=(3, 5, 5))
    g, qd, qd_r, qdd_r = rng.normal(size=(4, 5))
    given = H, C, g, K, qd, qd_r, qdd_r
    right, *wrong = (f()(*given) for f in (exercise.solution, *exercise.mistakes.values()))
    wanted = C @ (qd - qd_r), 2 * K @ (qd - qd_r)
    np.testing.assert_allclose([x - right for x in wrong], wanted, rtol=1e-12, atol=1e-12)


def lists(tree: ast.AST) -> Iterator[tuple[float, ...]]:
    """Yield all lists of numbers that are written in a program, those of lists in one row."""
    for node in ast.walk(tree):
        if isinstance(node, ast.List | ast.Tuple):
            try:
                yield tuple(np.ravel(np.array(ast.literal_eval(node), dtype=float)).tolist())
            except ValueError:
                continue


@for_each(chapters())
def test_answers_are_computed_from_the_numbers_of_the_text(name: str) -> None:
    """Lists of three or more numbers from which an answer is computed are in the chapter's code."""
    path = FOLDER / f"chapter_{name[:2]}.py"
    program = ast.parse(path.read_text(encoding="utf-8"))
    code = [c.text for x in parts_of(int(name[:2])) for c in cells(chapter(x)) if c.kind == "code"]
    told = {x for text in code for x in lists(ast.parse(text))}
    given = {
        x.id: node.value
        for node in program.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        for x in ast.walk(target)
        if isinstance(x, ast.Name)
    }
    for call in ast.walk(program):
        if not isinstance(call, ast.Call) or ast.unparse(call.func) != "Exercise":
            continue
        if any(x.arg == "view" for x in call.keywords):
            continue
        for used in {
            x.id for x in ast.walk(call.args[1]) if isinstance(x, ast.Name)
        } & given.keys():
            for x in itertools.islice(lists(given[used]), 1):
                assert x in told or len(x) < 3, f"{ast.unparse(call.args[0])}: {used}"
