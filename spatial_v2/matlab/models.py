"""Functions of MATLAB's folders ``models`` with other arguments or results."""

from __future__ import annotations

import os
from typing import Any

import spatial_v2
from spatial_v2.exceptions import SpatialError
from spatial_v2.model import Model

__all__ = ["URDF_to_spatialv2_model", "build_quadruped_model", "postProcessModel"]


def URDF_to_spatialv2_model(
    file: str | os.PathLike[str], addRandomInertia: bool = False, *, nargout: int = 1
) -> Model:
    """``model = URDF_to_spatialv2_model(file)``: see `spatial_v2.load_urdf`; all joints free."""
    if addRandomInertia or nargout > 1:
        raise SpatialError(
            "URDF_to_spatialv2_model: addRandomInertia and a second output are not supported: "
            "bodies without mass stay so; use load_urdf, then model.I = {i: randomInertia(rng)}"
        )
    return spatial_v2.load_urdf(file, couplings="free")


def build_quadruped_model(kind: str = "2D") -> tuple[Model, Any]:
    """``[robot,params] = build_quadruped_model('2D')``: see `spatial_v2.build_quadruped_model`."""
    return spatial_v2.build_quadruped_model(kind), spatial_v2.get_miniCheetah_params()


def postProcessModel(model: Model) -> Model:
    """``model = postProcessModel(model)``: the model; its derived fields are always valid."""
    return model
