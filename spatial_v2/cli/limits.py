"""Limits of time and memory, checked before a computation starts."""

from __future__ import annotations

from typing import NamedTuple

import typer

from spatial_v2.cli.files import AtomicFile
from spatial_v2.io.memory import gigabytes, usable_memory

__all__ = ["Need", "check_mat_file", "check_memory", "check_time", "memory_need"]

LONGEST = 3600.0
"""A computation with a longer estimated time is not started [s]."""
MAT_ARRAY = 2**32
"""Limit of the size of an array in a .mat file [bytes]."""


class Need(NamedTuple):
    """Memory that a computation needs [bytes]: a fixed part, and a part for each state."""

    fixed: float
    each: float


def memory_need(nq: int, nv: int, order: int, checked: int = 0, copies: int = 0) -> Need:
    """Estimate the memory that derivatives need, from measurements with 60 to 300 variables.

    Parameters
    ----------
    nq, nv : int
        Position and velocity variables of the robot.
    order : {1, 2}
        Highest order of derivatives.
    checked : int, optional
        Number of states that are compared with complex steps.
    copies : int, optional
        Number of copies of the results at all states in memory at the same time.
    """
    second = nv**3 if order == 2 else 0
    result = 8 * (2 * nv + 3 * nv**2 + 4 * second)
    complex_step = 8 * (120 * nv**2 + 17 * second) * max(1, 200 // nv)
    fixed = result * (3 + checked) + 2**25 + (complex_step if checked else 0)
    return Need(fixed, 16 * (nq + 2 * nv) + copies * result)


def check_mat_file(out: AtomicFile, nv: int, states: int, order: int) -> None:
    """Raise an error if an array of the results is too large for a ``.mat`` file.

    Raises
    ------
    typer.BadParameter
        If an array is too large.
    """
    size = 8 * states * nv ** (1 + order)
    if out.suffix == ".mat" and size >= MAT_ARRAY:
        raise out.error(f"arrays of {gigabytes(size)} do not fit into a .mat file; take .npz")


def check_memory(nv: int, need: Need, states: int, order: int, option: str) -> None:
    """Raise an error if a computation needs more memory than may be used.

    Parameters
    ----------
    nv : int
        Velocity variables of the robot.
    need : Need
        Result of `memory_need`.
    states : int
        Number of states.
    order : {1, 2}
        Highest order of derivatives.
    option : str
        The option that gave the number of states, for messages.

    Raises
    ------
    typer.BadParameter
        If even one state needs too much memory, or there are too many states.
    """
    memory = usable_memory()
    limit = f"but only {gigabytes(memory)} may be used"
    if need.fixed + need.each > memory:
        lower = ", or --order 1" if order == 2 else ""
        raise typer.BadParameter(
            f"NV = {nv}: derivatives of order {order} at one state need "
            f"{gigabytes(need.fixed + need.each)} of memory, {limit}; choose a smaller robot"
            f"{lower}",
            param_hint="ROBOT",
        )
    size = need.fixed + states * need.each
    if size > memory:
        raise typer.BadParameter(
            f"{states} states need {gigabytes(size)} of memory, {limit}; choose at most "
            f"{int((memory - need.fixed) / need.each)}",
            param_hint=option,
        )


def check_time(states: int, seconds: float, option: str) -> None:
    """Raise an error if a computation would take hours, given the time per state [s].

    Raises
    ------
    typer.BadParameter
        If it would take longer than `LONGEST`.
    """
    if states * seconds > LONGEST:
        raise typer.BadParameter(
            f"{states} states would take {states * seconds / 3600:.1f} hours or more, "
            f"{seconds:.2g} s each; take at most {max(1, int(LONGEST / seconds))}",
            param_hint=option,
        )
