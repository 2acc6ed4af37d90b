"""A disc that rolls on the ground."""

from __future__ import annotations

import numpy as np

from spatial_v2.exceptions import ModelError
from spatial_v2.model import Model
from spatial_v2.models.floatbase import floatbase
from spatial_v2.models.links import check_numbers
from spatial_v2.spatial import mcI

__all__ = ["rollingdisc"]

_RADIUS, _THICKNESS, _DENSITY = 0.05, 0.01, 3000.0


def rollingdisc(npt: int = 16) -> Model:
    """Make a floating disc with contact points around its two rims.

    MATLAB: ``model = rollingdisc(npt)``.

    Parameters
    ----------
    npt : int, optional
        Number of points on each rim.

    Returns
    -------
    Model
        The six joints of `floatbase`; a disc of radius 0.05 m, 0.01 m thick along y, 3000 kg/m^3,
        with default gravity; ``gc`` has 2 npt points of body 5, first those at y < 0.

    Raises
    ------
    ModelError
        npt below 1.

    Examples
    --------
    >>> disc = rollingdisc(16)
    >>> disc.gc["point"].shape, disc.gc["body"][0]
    ((32, 3), np.int64(5))
    """
    check_numbers("rollingdisc", npt=npt)
    if npt < 1 or npt != int(npt):
        raise ModelError(f"rollingdisc: want npt >= 1 points on each rim, got npt = {npt}")
    npt = int(npt)
    R, T = _RADIUS, _THICKNESS
    m = np.pi * R**2 * T * _DENSITY
    wide, thin = m * R**2 / 2, m * (3 * R**2 + T**2) / 12
    turn = 2 * np.pi * np.arange(npt) / npt
    rim = np.stack([R * np.sin(turn), 0 * turn, R * np.cos(turn)], axis=-1)
    shift = np.array([0.0, T / 2, 0.0])
    disc = Model(
        name=f"rollingdisc({npt})",
        parent=[-1],
        jtype=["R"],
        Xtree=np.eye(6)[None],
        I=[mcI(m, [0.0, 0.0, 0.0], np.diag([thin, wide, thin]))],
        appearance={
            "base": ["tiles", [[-0.1, 1.0], [-0.3, 0.3], [0.0, 0.0]], 0.1],
            "body": [["facets", float(npt), "cyl", [[0.0, -T / 2, 0.0], [0.0, T / 2, 0.0]], R]],
        },
        camera={"body": 0, "direction": [1.0, 0.0, 0.1], "locus": [0.0, 0.5]},
        gc={"point": np.concatenate([rim - shift, rim + shift]), "body": np.zeros(2 * npt, int)},
    )
    return floatbase(disc)
