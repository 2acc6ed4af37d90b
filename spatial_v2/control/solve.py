"""Solutions of shooting problems: Newton's method, DDP and iLQR."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from spatial_v2.calls.clock import working_time
from spatial_v2.calls.options import get_workers, set_workers
from spatial_v2.control.again import again
from spatial_v2.control.bounded_solve import one_by_one
from spatial_v2.control.checks import check_count, check_limit
from spatial_v2.control.groups import alone, groups, joint_solution
from spatial_v2.control.guess import initial_trajectory
from spatial_v2.control.shooting import Shooting, Trajectory
from spatial_v2.control.shooting_problem import ShootingProblem
from spatial_v2.control.solution import Solution
from spatial_v2.control.stopping import Stopping
from spatial_v2.control.unbounded_solve import iterate
from spatial_v2.exceptions import SpatialError

__all__ = ["SolverMethod", "solve"]

SolverMethod = Literal["newton", "ddp", "ilqr"]
"""Names of the solvers."""


def solve(
    problem: ShootingProblem,
    guess: Trajectory | Solution | None = None,
    method: SolverMethod = "newton",
    *,
    tolerance: float = 1e-8,
    max_iterations: int = 100,
    time_limit: float = np.inf,
    workers: int | None = None,
) -> Solution:
    """Find the motion of least cost of a shooting problem.

    Parameters
    ----------
    problem : ShootingProblem
        The problem, or several problems that differ in their initial states.
    guess : Trajectory or Solution, optional
        Initial guess: arrays that broadcast to those of `Trajectory`, which need not satisfy the
        dynamics. By default the state is constant and the controls are zero. From a `Solution`, the
        multipliers of bounds are used as well.
    method : {"newton", "ddp", "ilqr"}, optional
        ``"newton"``: multiple shooting, in which a step changes all states and controls at once,
        with the exact Hessian. ``"ddp"``: differential dynamic programming; second derivatives of
        the dynamics are weighted by the gradient of the cost to go, and a step simulates the motion
        under the feedback. ``"ilqr"``: as ``"ddp"``, without second derivatives of the dynamics.
    tolerance : float, optional
        Limit at convergence for numbers without dimension: the largest entry of the gradient, the
        largest defect, and, with bounds on quantities, the largest violation and the largest
        product of a multiplier and the distance from its bound, in natural units of the problem.
        The first two may also be larger if rounding keeps them from decreasing: see Notes.
    max_iterations : int, optional
        Largest number of iterations.
    time_limit : float, optional
        Time [s], without that of compilations, after which no new iteration begins, and no further
        step, correction of the Hessian or active set of the bounds is tried.
    workers : int, optional
        Number of threads that share the calls for a batch; -1 stands for all processors.

    Returns
    -------
    Solution
        Named tuple ``trajectory, cost, status, costates, gains, log, multipliers, violation``. If
        `status` is neither ``"converged"`` nor ``"infeasible"``, it has the best motion of the
        log: that of least cost, where a natural unit of the largest defect or violation counts as
        a hundred units of cost.

    Raises
    ------
    ArrayShapeError
        A guess of the wrong shape.
    SpatialError
        An unknown method; a guess that is not finite, or whose cost or simulated intervals are not;
        a guess with multipliers of other bounds; a negative tolerance, number or limit.
    TypeError
        No `ShootingProblem`; a guess that is no motion.

    Notes
    -----
    In multiple shooting, the states and controls of all instants are unknowns, and
    ``x_(k+1) = f(x_k, u_k)`` are equations whose defects vanish at the solution. One call of a
    kernel computes the dynamics of all instants, another one their Hessians, weighted by
    multipliers of the defects: those of the last quadratic problem after a full step, else the
    costates of the adjoint method. A Riccati recursion computes the step. The defect of q is the
    displacement from the next configuration to the end of the interval, and is differentiated as
    such; otherwise convergence would not be quadratic for joints with rotations. The first
    iteration uses the Gauss-Newton Hessian, unless the guess is a `Solution`. If the exact Hessian
    is indefinite, the Gauss-Newton Hessian replaces it, and is used in the next iteration at once
    if the step halved the cost or reduced the error to a tenth; after short steps, a multiple of
    the curvatures of the costs with respect to the controls is added. The merit function of the
    line search is an augmented Lagrangian of cost and defects, which count by the stiffness of the
    cost to go; where rounding errors of the costs hide a change, slopes decide.

    Convergence is tested in units that the problem has by itself. The unit of a state, a control or
    a bounded quantity is the change that costs one, the square root of its entry of the inverse
    Gauss-Newton Hessian; the unit of cost is how much the costs change in the first step or over
    the range of the motion. The tests therefore do not depend on units of
    the model, on a factor of all costs, or on constants in them. The log has the errors as they
    are.

    Gradient and defects are taken for rounding errors if a full step with the exact Hessian, which
    promises a decrease below 1e-13 of the unit of cost, did not halve the larger of them; the
    gradient also is if the step promised less than the square of the tolerance, as an error of the
    size of the tolerance would. Stiff variables have such gradients.

    A motion whose gradient vanishes may be a maximum or a saddle. Unless exact Hessians led there,
    its exact Hessian is computed; along a direction of negative curvature the motion is left, and
    the search goes on.

    Where defects lead Newton's method astray, steps get shorter and shorter. After twelve short
    steps, or if no step or no correction helps, the problem is solved by DDP from the same guess,
    with the iterations that are left: its motions have fewer and fewer defects.

    Bounds on quantities are rows of the quadratic problem of each step, which meets them exactly:
    by a primal-dual active set method, and by an interior point method where sets do not settle.
    Active rows are equations in a Riccati recursion whose multipliers are regularised, and
    iterative refinement takes the regularisation away. Equations at one instant are combined to
    ones that the costs move independently, and natural units are those under the equations.
    Multipliers are variables of the method, and bounds on controls are rows too. The merit function
    counts defects little, and more once they grow. If no step meets the rows, their violation has a
    cost in the step. If that does not reduce it, or if no step decreases the merit function, the
    motion of least violation is sought; the status is ``"infeasible"`` only if no control reduces
    its violations. After a hundred iterations the search begins again from the guess, with a
    larger weight of defects, which creeps less.

    Several problems are solved in groups, without a time limit; with bounds on quantities, one
    after the other. The result of a problem does not depend on the others, except that one alone
    may round differently.

    Hintermueller, Ito, Kunisch, "The primal-dual active set strategy as a semismooth Newton method"
    (2003); Mehrotra, "On the implementation of a primal-dual interior point method" (1992).

    Bock and Plitt, "A multiple shooting algorithm" (1984); Mayne (1966); Tassa, Mansard, Todorov,
    "Control-limited differential dynamic programming" (2014); Mastalli et al., "Crocoddyl" (2020).

    Examples
    --------
    >>> from spatial_v2 import ShootingProblem
    >>> from spatial_v2.control import ControlCost, StateCost
    >>> from spatial_v2.models import autoTree
    >>> model = autoTree(2)
    >>> goal = StateCost(model, [1.0, 0.0], 100.0, 10.0)
    >>> problem = ShootingProblem(
    ...     model, [0.0, 0.0], [0.0, 0.0], np.full(50, 0.02), [ControlCost(0.01)], [goal])
    >>> found = solve(problem)
    >>> found.status, found.iterations < 10
    ('converged', True)
    """
    begin = working_time()
    if method not in get_args(SolverMethod):
        raise SpatialError(f"method: want one of {get_args(SolverMethod)}, got {method!r}")
    check_limit(tolerance, "tolerance")
    check_limit(time_limit, "time_limit")
    check_count(max_iterations, "max_iterations", 0)
    s = Shooting(problem)

    def on_time() -> bool:
        return working_time() - begin < time_limit

    with set_workers(get_workers() if workers is None else workers):
        t, single = initial_trajectory(s, guess)
        stopping = Stopping(tolerance, max_iterations, begin, on_time)
        if problem.running_bounds or problem.terminal_bounds:
            return one_by_one(s, t, guess, stopping, method=method, single=single)

        def by_ddp(some: Trajectory, left: np.ndarray) -> Solution:
            return iterate(s, some, stopping._replace(max_iterations=left), "ddp")

        each = []
        for part in groups(s, t) if time_limit == np.inf else [t]:
            found = iterate(s, part, stopping, method, isinstance(guess, Solution))
            if method == "newton" and on_time():
                found = again(found, part, max_iterations, by_ddp)
            each.append(found)
        whole = joint_solution(each)
        return alone(whole) if single else whole
