"""Residuals of identities: check, residuals and table."""

from __future__ import annotations

from html import escape
from typing import NamedTuple

import numpy as np

from tensor_sva.identities.identity import Identity
from tensor_sva.identities.measure import measured
from tensor_sva.identities.registry import IDENTITIES, named
from tensor_sva.identities.state import State, example_model

__all__ = ["Row", "check", "residuals", "table"]


def check(
    identity: str | Identity,
    rng: np.random.Generator | int = 0,
    *,
    state: State | None = None,
    batch: tuple[int, ...] = (),
) -> float:
    """Compute the largest difference of both sides of an identity for random arguments.

    Parameters
    ----------
    identity : str or Identity
        Name, ``"M1"`` to ``"M27"``, ``"K1"`` to ``"K16"``, ``"J1"`` to ``"J9"``, ``"P1"`` to
        ``"P7"``, or an identity of your own.
    rng : numpy.random.Generator or int, optional
        Generator of the random arguments, or its seed.
    state : State, optional
        For identities about joints, the state of a model. By default a random state of a branched
        tree with floating, helical, spherical, prismatic and revolute joints.
    batch : tuple of int, optional
        For all other identities, leading axes of the arguments.

    Returns
    -------
    float
        Largest absolute difference of the sides over all cases and entries, relative where the left
        side exceeds 1. About 1e-15 for a true identity.

    Raises
    ------
    SpatialError
        If there is no identity of that name.

    See Also
    --------
    table : Residuals of all identities.

    Notes
    -----
    Left sides of K and J are derivatives of the quantity itself by complex steps, for every pair of
    bodies; they are independent of the right sides.

    Examples
    --------
    >>> check("M7") < 1e-14
    True
    """
    return max(residuals(identity, rng, state=state, batch=batch).values())


def residuals(
    identity: str | Identity,
    rng: np.random.Generator | int = 0,
    *,
    state: State | None = None,
    batch: tuple[int, ...] = (),
) -> dict[str, float]:
    """Compute the residual of each case of an identity; `check` returns the largest.

    Parameters
    ----------
    identity : str or Identity
        Name, or an identity of your own.
    rng : numpy.random.Generator or int, optional
        Generator of the random arguments, or its seed.
    state : State, optional
        For identities about joints, the state of a model.
    batch : tuple of int, optional
        For all other identities, leading axes of the arguments.

    Returns
    -------
    dict of str to float
        Residuals by case; cases that no pair of bodies of the model belongs to are left out.

    Raises
    ------
    SpatialError
        If there is no identity of that name.

    Examples
    --------
    >>> list(residuals("K6"))
    ['j < i', 'j = i', 'j > i', 'unrelated']
    """
    if isinstance(identity, str):
        identity = named(identity)
    return measured(identity, rng, state, batch)


class Row(NamedTuple):
    """A row of the table of identities."""

    name: str
    """Name, ``"M7"``."""
    latex: str
    """The statement, in LaTeX."""
    source: str
    """Paper and table or appendix."""
    arguments: dict[str, str]
    """Letters of the arguments and their meanings."""
    residual: float
    """Residual, the result of `check`."""


class Table(list[Row]):
    """List of `Row`, which notebooks show as a table with typeset statements."""

    def _repr_html_(self) -> str:
        heads = "".join(f"<th>{x}</th>" for x in ("", "statement", "source", "residual"))
        rows = "".join(
            f'<tr><td>{escape(x.name)}</td><td style="text-align:left">'
            f"${escape(x.latex.strip('$'), quote=False)}$</td>"
            f'<td style="text-align:left">{escape(x.source)}</td><td>{x.residual:.1e}</td></tr>'
            for x in self
        )
        return f"<table><tr>{heads}</tr>{rows}</table>"


def table(rng: np.random.Generator | int = 0) -> Table:
    """List all identities and measure their residuals.

    Parameters
    ----------
    rng : numpy.random.Generator or int, optional
        Generator of the random arguments, or its seed.

    Returns
    -------
    list of Row
        One row for each identity, in the order M, K, J, P; notebooks show a typeset table.

    Examples
    --------
    >>> rows = table()
    >>> len(rows), max(row.residual for row in rows) < 1e-12
    (59, True)
    """
    rng = np.random.default_rng(rng)
    state = State.random(example_model(rng), rng)
    return Table(
        Row(x.name, x.latex, x.source, x.arguments, check(x, rng, state=state))
        for x in IDENTITIES.values()
    )
