"""check and table: the residuals of identities."""

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
    """Largest difference of both sides of an identity for random arguments.

    Parameters
    ----------
    identity : str or Identity
        Name, ``"M1"`` to ``"M27"``, ``"K1"`` to ``"K16"``, ``"J1"`` to ``"J9"``, ``"P1"`` to
        ``"P7"``, or an identity of your own.
    rng : numpy.random.Generator or int, optional
        Source of the arguments, or its seed.
    state : State, optional
        For identities about joints: the state, by default a random one of a tree with floating,
        helical, spherical, sliding and turning joints and branches.
    batch : tuple of int, optional
        For all others: leading axes of the arguments.

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
    table : All of them.

    Notes
    -----
    Left sides of K and J are derivatives by complex step of the quantity itself, for every pair of
    bodies; they know nothing of the right sides.

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
    """The residuals that `check` takes the largest of: one for each case of the identity.

    Parameters
    ----------
    identity : str or Identity
        Name, or an identity of your own.
    rng : numpy.random.Generator or int, optional
        Source of the arguments, or its seed.
    state : State, optional
        For identities about joints: the state.
    batch : tuple of int, optional
        For all others: leading axes of the arguments.

    Returns
    -------
    dict of str to float
        Cases that no pair of bodies of the model falls under are missing.

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
    """The statement."""
    source: str
    """Paper and place."""
    arguments: dict[str, str]
    """Letters and what they stand for."""
    residual: float
    """The result of `check`."""


class Table(list[Row]):
    """Rows that notebooks show as a table with typeset statements."""

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
    """Every identity with the residual measured now.

    Parameters
    ----------
    rng : numpy.random.Generator or int, optional
        Source of the arguments, or its seed.

    Returns
    -------
    list of Row
        In the order M, K, J, P; notebooks show it typeset.

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
