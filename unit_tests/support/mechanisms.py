"""Mechanisms with closed loops, and trees coupled by functions, for the tests of couplings."""

from collections.abc import Callable
from typing import Any

import numpy as np

import spatial_v2 as sv


def links(
    parent: list[int],
    places: list[tuple[float, float]],
    bodies: list[tuple[float, float, float, float]],
    jtype: list[str] | None = None,
) -> sv.Model:
    """Return planar links: their places in the parents, (mass, centre x and y, inertia)."""
    return sv.Model(
        parent=parent,
        jtype=jtype or ["Rz"] * len(parent),
        Xtree=[sv.xlt([x, y, 0]) for x, y in places],
        I=[sv.mcI(m, [x, y, 0], np.diag([i / 2, i / 2, i])) for m, x, y, i in bodies],
        gravity=[0, -9.81, 0],
    )


def bars() -> sv.Model:
    """Return the tree of a four-bar linkage."""
    bodies = [(1.3, 0.17, 0.01, 0.021), (2.1, 0.4, -0.03, 0.19), (1.6, 0.33, 0.02, 0.09)]
    return links([-1, 0, -1], [(0, 0), (0.35, 0), (1, 0)], bodies)


STEP = 1e-30


def moved(model: Any, y: np.ndarray, j: int) -> np.ndarray:
    """Return y displaced by a complex step along its variable j."""
    step = np.zeros(model.NV, dtype=complex)
    step[j] = 1j * STEP
    return sv.configurationAddition(model, y.astype(complex), step)


def by_steps(model: Any, y: np.ndarray, f: Callable[[np.ndarray], Any]) -> np.ndarray:
    """Return the derivatives along y of a function of y, by complex steps."""
    parts = [f(moved(model, y, j)) for j in range(model.NV)]
    return np.stack([np.imag(x) / STEP for x in parts], axis=-1)


PIN = sv.PointConstraint(2, [0.7, 0, 0], 1, [0.9, 0, 0])


def four_bar() -> sv.Model:
    """Return a four-bar linkage, closed by a point."""
    return sv.couple(bars(), constraints=[PIN], independent=[0], guess=[0.7, -0.1, 1.5])


def four_bar_by_hinge() -> sv.Model:
    """Return the same linkage, closed by a hinge with five rows."""
    pin = sv.hinge_loop(2, sv.xlt([0.7, 0, 0]), 1, sv.xlt([0.9, 0, 0]))
    return sv.couple(bars(), constraints=[pin], independent=[0], guess=[0.7, -0.1, 1.5])


def four_bar_in_the_plane(hinge: bool = False) -> sv.Model:
    """Return the same linkage as a planar model, closed by a point or by rows of a frame."""
    tree = sv.Model(
        parent=[-1, 0, -1],
        jtype=["r"] * 3,
        Xtree=[sv.plnr(0, [x, 0]) for x in (0, 0.35, 1)],
        I=[
            sv.mcI(1.3, [0.17, 0.01], 0.021),
            sv.mcI(2.1, [0.4, -0.03], 0.19),
            sv.mcI(1.6, [0.33, 0.02], 0.09),
        ],
        gravity=[0, -9.81],
    )
    pin: Any = sv.PointConstraint(2, [0.7, 0], 1, [0.9, 0])
    if hinge:
        ends = sv.plnr(0, [0.7, 0]), sv.plnr(0, [0.9, 0])
        pin = sv.FrameConstraint(2, ends[0], 1, ends[1], rows=[1, 2])
    return sv.couple(tree, constraints=[pin], independent=[0], guess=[0.7, -0.1, 1.5])


def four_bar_by_formula() -> sv.Model:
    """Return the same linkage by the formula of its angles."""

    def gamma(y: Any) -> Any:
        x, z = 1 - 0.35 * np.cos(y[0]), -0.35 * np.sin(y[0])  # from the crank's end to the rocker
        square = x * x + z * z
        line = np.arctan2(z, x)
        rod = line + np.arccos((0.9**2 + square - 0.7**2) / (2 * 0.9 * np.sqrt(square)))
        rocker = np.arctan2(0.9 * np.sin(rod) - z, 0.9 * np.cos(rod) - x)
        return np.stack([y[0], rod - y[0], rocker])

    return sv.couple(bars(), function=gamma, independent=[0], guess=[0.7])


def slider_crank() -> sv.Model:
    """Return a slider-crank."""
    bodies = [(1.2, 0.12, 0.02, 0.02), (0.8, 0.4, 0.0, 0.06), (2.5, 0.0, 0.0, 0.01)]
    tree = links([-1, 0, -1], [(0, 0), (0.3, 0), (0, 0.05)], bodies, ["Rz", "Rz", "Px"])
    pin = sv.PointConstraint(2, [0, 0, 0], 1, [0.8, 0, 0])
    return sv.couple(tree, constraints=[pin], independent=[0], guess=[0.9, -1.1, 1.0])


def five_bar() -> sv.Model:
    """Return a five-bar linkage with two independent joints."""
    bodies = [(1.0, 0.2, 0.01, 0.03), (0.9, 0.3, 0.0, 0.04), (1.1, 0.25, 0.0, 0.02)]
    bodies.append((0.7, 0.3, -0.02, 0.025))
    tree = links([-1, 0, -1, 2], [(0, 0), (0.5, 0), (0.4, 0), (0.5, 0)], bodies)
    pin = sv.PointConstraint(3, [0.6, 0, 0], 1, [0.6, 0, 0])
    return sv.couple(tree, constraints=[pin], independent=[0, 2], guess=[2.0, -1.2, 1.1, 1.2])


def geared_five_bar() -> sv.Model:
    """Return the five-bar linkage with a gear between its cranks."""
    free = five_bar()
    gear = {2: (0, -0.7, 2.5)}
    return sv.couple(
        free.tree, constraints=[*free.coupling.constraints.constraints], independent=[0, 2],
        guess=free.coupling.guess, mimic=gear,
    )  # fmt: skip


def curved_five_bar() -> sv.Model:
    """Return the five-bar linkage whose second crank follows the first by a polynomial."""
    free = five_bar()
    return sv.couple(
        free.tree, constraints=[*free.coupling.constraints.constraints], independent=[0, 2],
        guess=free.coupling.guess, mimic={2: (0, [2.5, -0.9, 0.05, 0.01])},
    )  # fmt: skip


def geared_walker() -> sv.Model:
    """Return a floating robot, one of whose two legs follows the other."""
    free = walker()
    first, second = [name for name in free.joint_names if name != "joint0"][:2]
    return sv.couple(
        free.tree, constraints=[*free.coupling.constraints.constraints],
        independent=free.joint_names, guess=free.coupling.guess, mimic={second: (first, 0.9, 0)},
    )  # fmt: skip


def geared_functions() -> sv.Model:
    """Return the floating chain by functions, whose first joint turns the second."""
    free = functions_of_two()
    own = free.coupling
    return sv.couple(
        free.tree, function=own.function, independent=[0, 1, 2], mimic={2: (1, 0.5, 0.1)}
    )


def six_bar() -> sv.Model:
    """Return a six-bar linkage: two loops that share joints."""
    tree = bars()
    link = (0.8, 0.25, 0.01, 0.03)
    bodies = [
        (1.3, 0.17, 0.01, 0.021),
        (2.1, 0.4, -0.03, 0.19),
        (1.6, 0.33, 0.02, 0.09),
        link,
        link,
    ]
    tree = links([-1, 0, -1, 2, -1], [(0, 0), (0.35, 0), (1, 0), (0.7, 0), (2, 0)], bodies)
    other = sv.PointConstraint(4, [0.7, 0, 0], 3, [0.9, 0, 0])
    guess = [0.7, -0.1, 1.5, -1.5, 1.6]
    return sv.couple(tree, constraints=[PIN, other], independent=[0], guess=guess)


def spatial_linkage() -> sv.Model:
    """Return a spatial linkage with a dependent spherical joint."""
    tree = sv.Model(
        parent=[-1, 0, -1],
        jtype=["Rz", "S", "Rx"],
        Xtree=[sv.xlt([0, 0, 0]), sv.xlt([0.3, 0, 0.05]), sv.xlt([0.2, 0.9, 0])],
        I=[
            sv.mcI(1, [0.1, 0.02, 0.01], np.diag([0.01, 0.02, 0.02])),
            sv.mcI(0.8, [0, 0.4, 0.02], np.diag([0.03, 0.02, 0.04])),
            sv.mcI(1.1, [0.02, 0.05, 0.3], np.diag([0.05, 0.04, 0.02])),
        ],
    )
    rows = [
        sv.PointConstraint(2, [0, 0, 0.5], 1, [0, 0.9, 0]),
        sv.DistanceConstraint(2, [1, 0, 0.5], 1, [0, 0.9, 1], distance=np.sqrt(2)),
    ]
    q = np.array([1, 0.1, 0.05, 0.3])
    guess = [0.4, *q / np.linalg.norm(q), 0.0]
    return sv.couple(tree, constraints=rows, independent=[0], guess=guess)


def stewart(legs: bool = False) -> sv.Model:
    """Return a Stewart platform; its legs or its platform are independent."""
    parent, jtype, X, I = (
        [-1],
        ["Fb"],
        [np.eye(6)],
        [sv.mcI(6, [0.02, -0.01, 0.05], np.diag([0.4, 0.5, 0.7]))],
    )
    rows, guess = [], [1.0, 0, 0, 0, 0, 0, 1.1]
    for k in range(6):
        a, s = k * np.pi / 3, (-1) ** k
        foot = np.array([np.cos(a - 0.25 * s), np.sin(a - 0.25 * s), 0])
        head = np.array([0.6 * np.cos(a + 0.3 * s), 0.6 * np.sin(a + 0.3 * s), 0.02])
        n = len(parent)
        parent += [-1, n, n + 1]
        jtype += ["Rx", "Ry", "Pz"]
        X += [sv.xlt(foot), np.eye(6), np.eye(6)]
        I += [
            sv.mcI(0.1, [0, 0, 0], 0.001 * np.eye(3)),
            sv.mcI(0.8, [0, 0.01, 0.2], np.diag([0.02, 0.02, 0.003])),
            sv.mcI(0.5, [0, 0, -0.2], np.diag([0.01, 0.01, 0.002])),
        ]
        rows.append(sv.PointConstraint(n + 2, [0, 0, 0], 0, head))
        guess += [0.0, 0.0, 1.0]
    tree = sv.Model(parent=parent, jtype=jtype, Xtree=X, I=I)
    independent = range(3, 19, 3) if legs else [0]
    return sv.couple(tree, constraints=rows, independent=independent, guess=guess)


def walker(legs: int = 2, rotors: bool = False) -> sv.Model:
    """Return a floating body with legs, each driven by a rod: four-bar linkages."""
    parent, jtype, X = [-1], ["Fb"], [np.eye(6)]
    I = [sv.mcI(5, [0.02, 0.01, 0.03], np.diag([0.2, 0.3, 0.25]))]
    rows, guess = [], [1.0, 0, 0, 0, 0, 0, 0]
    for k in range(legs):
        side = sv.xlt([0.3 * (-1) ** k, 0.2, -0.1])
        n = len(parent)
        parent += [0, n, 0]
        jtype += ["Ry", "Ry", "Ry"]
        X += [side, sv.xlt([0.35, 0, 0]), sv.xlt([1, 0, 0]) @ side]
        I += [sv.mcI(m, [x, 0.02, y], np.diag([i / 2, i, i / 2]))
              for m, x, y, i in [(1.3, 0.17, 0.01, 0.021), (2.1, 0.4, -0.03, 0.19),
                                 (1.6, 0.33, 0.02, 0.09)]]  # fmt: skip
        rows.append(sv.PointConstraint(n + 2, [0.7, 0, 0], n + 1, [0.9, 0, 0]))
        guess += [-0.7, 0.1, -1.5]
    gears = {}
    if rotors:
        NB = len(parent)
        gears = {
            "gr": [0.0] + [6.0] * (NB - 1),
            "I_rotor": [sv.mcI(0.1, [0, 0, 0], 0.001 * np.eye(3))] * NB,
        }
    tree = sv.Model(parent=parent, jtype=jtype, Xtree=X, I=I, **gears)
    return sv.couple(tree, constraints=rows, independent=range(1, 3 * legs, 3), guess=guess)


def polynomial() -> sv.Model:
    """Return a chain whose joints follow polynomials of the first one."""
    bodies = [(1.2, 0.15, 0.02, 0.03), (0.8, 0.12, -0.01, 0.015), (0.5, 0.08, 0.01, 0.006)]
    tree = links([-1, 0, 1], [(0, 0), (0.3, 0), (0.25, 0)], bodies)

    def gamma(y: Any) -> Any:
        x = y[0]
        second = 0.1 + 0.5 * x - 0.2 * x**2 + 0.15 * x**3 - 0.07 * x**4
        return np.stack([x, second, -0.4 * x + 0.25 * x**4])

    return sv.couple(tree, function=gamma, independent=[0])


def functions_of_two() -> sv.Model:
    """Return a floating chain, two of whose joints follow functions of two others."""
    tree = sv.Model(
        parent=[-1, 0, 1, 2, 3],
        jtype=["Fb", "Rx", "Py", "Rz", "Ry"],
        Xtree=[np.eye(6)] + [sv.xlt([0.3, 0.1, -0.2])] * 4,
        I=[sv.mcI(1 + k, [0.1, 0.05 * k, 0.02], np.diag([0.1, 0.2, 0.15])) for k in range(5)],
    )

    def gamma(y: Any) -> Any:
        a, b = y[7], y[8]
        return np.concatenate([y, np.stack([np.sin(a) * b + 0.3 * a * a, np.exp(0.4 * a - b)])])

    return sv.couple(tree, function=gamma, independent=[0, 1, 2])


ZOO: dict[str, Callable[[], sv.Model]] = {
    "four_bar": four_bar,
    "four_bar_by_hinge": four_bar_by_hinge,
    "four_bar_in_the_plane": four_bar_in_the_plane,
    "four_bar_in_the_plane_by_frames": lambda: four_bar_in_the_plane(hinge=True),
    "four_bar_by_formula": four_bar_by_formula,
    "slider_crank": slider_crank,
    "five_bar": five_bar,
    "geared_five_bar": geared_five_bar,
    "curved_five_bar": curved_five_bar,
    "geared_walker": geared_walker,
    "geared_functions": geared_functions,
    "six_bar": six_bar,
    "spatial_linkage": spatial_linkage,
    "stewart": stewart,
    "stewart_by_legs": lambda: stewart(legs=True),
    "walker": walker,
    "walker_with_rotors": lambda: walker(1, rotors=True),
    "polynomial": polynomial,
    "functions_of_two": functions_of_two,
}
"""Mechanisms by their names."""


def state(model: sv.Model, rng: np.random.Generator, n: int | None = None) -> tuple[Any, Any, Any]:
    """Return y, yd and ydd near the guess of a mechanism."""
    c: Any = model.coupling
    start = c.guess[c.q_of_y] if len(c.guess) > model.NQ else c.guess
    lead = () if n is None else (n,)
    dy = (0.15 if model.tree.NB < 10 else 0.05) * rng.normal(size=(*lead, model.NV))
    if model.tree.jtype[0] == "Fb" and model.tree.parent[1] == 0:
        dy[..., :6] *= 5  # a floating base turns far
    y = sv.configurationAddition(model, np.broadcast_to(start, (*lead, model.NQ)), dy)
    yd, ydd = rng.normal(size=(2, *lead, model.NV))
    return np.asarray(y), yd, ydd
