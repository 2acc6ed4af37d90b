"""Limits of time and memory, checked before a computation starts."""

from __future__ import annotations

from typing import NamedTuple

import typer

from spatial_v2.cli.files import AtomicFile
from spatial_v2.io.memory import gigabytes, usable_memory

__all__ = ["Need", "check_mat_file", "check_memory", "check_time", "memory_need"]

LONGEST = 3600.0
"""Longest computation that is started [s]."""
MAT_ARRAY = 2**32
"""Arrays of a .mat file are smaller [bytes]."""


class Need(NamedTuple):
    """Memory: at least, and for each state beside [bytes]."""

    fixed: float
    each: float


def memory_need(nq: int, nv: int, order: int, checked: int = 0, copies: int = 0) -> Need:
    """Memory that derivatives take, measured at 60 to 300 degrees of freedom, rounded up.

    Parameters
    ----------
    nq, nv : int
        Position and velocity variables of the robot.
    order : {1, 2}
        Highest order of derivatives.
    checked : int, optional
        Number of states that are compared with complex steps.
    copies : int, optional
        Number of copies of the results at all states that are held at once.
    """
    second = nv**3 if order == 2 else 0
    result = 8 * (2 * nv + 3 * nv**2 + 4 * second)
    complex_step = 8 * (120 * nv**2 + 17 * second) * max(1, 200 // nv)
    fixed = result * (3 + checked) + 2**25 + (complex_step if checked else 0)
    return Need(fixed, 16 * (nq + 2 * nv) + copies * result)


def check_mat_file(out: AtomicFile, nv: int, states: int, order: int) -> None:
    """Refuse results of which an array is too large for the file format.

    Raises
    ------
    typer.BadParameter
        A ``.mat`` file does not hold them.
    """
    size = 8 * states * nv ** (1 + order)
    if out.suffix == ".mat" and size >= MAT_ARRAY:
        raise out.error(f"arrays of {gigabytes(size)} do not fit into a .mat file; take .npz")


def check_memory(nv: int, need: Need, states: int, order: int, option: str) -> None:
    """Refuse work that the memory does not hold.

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
        One state is too much, which the robot and ``--order`` decide, or there are too many.
    """
    memory = usable_memory()
    limit = f"{gigabytes(memory)} of memory may be used"
    if need.fixed + need.each > memory:
        lower = ", or --order 1" if order == 2 else ""
        raise typer.BadParameter(
            f"NV = {nv}: derivatives of order {order} at one state take "
            f"{gigabytes(need.fixed + need.each)}, and {limit}; take a smaller robot{lower}",
            param_hint="ROBOT",
        )
    size = need.fixed + states * need.each
    if size > memory:
        raise typer.BadParameter(
            f"{states} states take {gigabytes(size)}, and {limit}; take at most "
            f"{int((memory - need.fixed) / need.each)}",
            param_hint=option,
        )


def check_time(states: int, seconds: float, option: str) -> None:
    """Refuse work that takes hours, given the time of one state [s].

    Raises
    ------
    typer.BadParameter
        It takes longer than `LONGEST`.
    """
    if states * seconds > LONGEST:
        raise typer.BadParameter(
            f"{states} states would take {states * seconds / 3600:.1f} hours or more, "
            f"{seconds:.2g} s each; take at most {max(1, int(LONGEST / seconds))}",
            param_hint=option,
        )
