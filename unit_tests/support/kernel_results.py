"""Results of kernels beyond those of trees: kernel_results.py FILE [SUBJECT...].

A program, which saves its results and prints the names of the kernels of a library that ran. It
runs with the kernels of a wheel, without Numba, and with kernels that are compiled, whose results
are to be the same.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import zoo

import spatial_v2 as sv
from derivatives import FD_derivatives, FD_SO_derivatives
from spatial_v2.calls.loading import load_procedure
from spatial_v2.configuration.by_joint import spaces
from spatial_v2.control import (
    Bounds,
    ControlCost,
    FramePlacementCost,
    JointVelocities,
    ShootingProblem,
    StateCost,
    displacements,
    solve,
)
from spatial_v2.couplings.couple import couple
from spatial_v2.engine.shipped.kernel import ShippedKernel


def second_derivatives() -> Iterator[Any]:
    """Yield second derivatives of forward dynamics, of small and large trees, alone and in
    batches.
    """
    for model in (zoo.build("chain"), zoo.build("floating"), sv.autoTree(24, 2)):
        for lead in (), (9,):
            q, qd, _, tau, _ = zoo.states(model, np.random.default_rng(2), lead)
            yield from FD_SO_derivatives(model, q, qd, tau)
            yield from FD_SO_derivatives(model, q, qd, qdd=tau)


def coupled() -> Iterator[Any]:
    """Yield accelerations and derivatives of a tree whose joints follow others."""
    model = couple(sv.autoTree(3), matrix=[[1, 0], [0, 1], [0.5, -2]], offset=[0, 0, 0.3])
    for lead in (), (9,):
        y, yd, tau = np.random.default_rng(3).normal(size=(3, *lead, 2))
        yield sv.FDab(model, y, yd, tau)
        yield from FD_derivatives(model, y, yd, tau)
        yield sv.Hinverse(model, y)


def sparse_factors() -> Iterator[Any]:
    """Yield sparse factors of an inertia matrix, and products with them."""
    model = sv.autoTree(7, 2)
    parents, x = model.parent.tolist(), np.arange(7.0)
    H = sv.CRBA(model, np.linspace(0.0, 1.0, 7))
    L = sv.LTL(H, parents)
    yield L
    yield from sv.LTDL(H, parents)
    yield sv.mpyH(H, parents, x)
    for function in (sv.mpyL, sv.mpyLt, sv.mpyLi, sv.mpyLit):
        yield function(L, parents, x)


def postures() -> Iterator[Any]:
    """Yield an inverse kinematics, and simulations of a body that turns and one that falls."""
    model = sv.puma560()
    yield sv.inverse_kinematics(model, 5, sv.xlt([0.4, 0.3, 0.2]), np.full(6, 0.3)).q
    hand = sv.PoseTask(5, sv.pose(np.eye(3), [0.4, 0.3, 0.2]))
    yield sv.differential_inverse_kinematics(model, [hand], np.full((3, 6), 0.3), 0.01)
    body = zoo.build("floating")
    yield sv.simulate(body, (sv.neutral(body), np.full(body.NV, 0.1)), [0.0, 0.1]).q
    disc = sv.rollingdisc(6)
    start_of_disc = [0.0, 0.0, 0.05, 0.1, 0.0, 0.0], np.zeros(6)
    yield sv.simulate(
        disc, start_of_disc, [0.0, 0.02], contact=sv.Ground(1e4, 1e3, 0.5), rtol=1e-4
    ).q


def control() -> Iterator[Any]:
    """Yield solutions of problems with bounds on controls and on velocities, of a floating body."""
    model, n = zoo.build("floating"), zoo.build("floating").NV
    target = [FramePlacementCost(model, 0, sv.xlt([0.2, 0.1, 0.0]), 10.0)]
    start, steps = sv.neutral(model), np.full(6, 0.05)
    costs: list[Any] = [StateCost(model, start, 0.1, 0.1), ControlCost(0.01)]
    for given in (
        {"lower": -40.0, "upper": 40.0},
        {"running_bounds": [Bounds(JointVelocities(model), -1.0, 1.0)]},
    ):
        problem = ShootingProblem(model, start, np.zeros(n), steps, costs, target, **given)
        solution = solve(problem)
        yield from (solution.trajectory.q, solution.trajectory.u, solution.gains)
    yield from displacements.logarithm(*np.linspace(0.1, 1.2, 12).reshape(2, 1, 6))
    c, F, K = np.linspace(0.1, 1.2, 2 * n)[None], np.ones((1, 2 * n, 3 * n)), np.ones((1, n, 6))
    displacements.turn_rows(model, c[None], F[None])
    yield F.copy()
    first, each = np.linspace(0.0, 1.0, 3 * n * n).reshape(1, 3, n, n), np.arange(n)
    actuation = np.stack([each, each], axis=1), np.ones(n), spaces(model)
    run = load_procedure("euler_jacobian_joined")
    run(np.array([0.1]), first, *actuation, c[:, :n].copy(), F, c, K)
    yield F
    yield K[:, :6]


SUBJECTS = {x.__name__: x for x in (second_derivatives, coupled, sparse_factors, postures, control)}


def main(file: str, *names: str) -> None:
    """Save the results of subjects, by default of all."""
    ran: Counter[str] = Counter()

    def counted(method: Any) -> Any:
        def run(self: Any, *args: Any) -> Any:
            ran[self.name] += 1
            return method(self, *args)

        return run

    for name in ("run_states", "run_batch"):
        setattr(ShippedKernel, name, counted(getattr(ShippedKernel, name)))
    made = {}
    for name in names or SUBJECTS:
        made |= {f"{name} {k}": np.asarray(x) for k, x in enumerate(SUBJECTS[name]())}
    np.savez(file, **made)
    print(*sorted(ran))


if __name__ == "__main__":
    main(*sys.argv[1:])
