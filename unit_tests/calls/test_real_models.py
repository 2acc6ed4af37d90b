"""Formats and libraries with real numbers alone refuse models with others, by the field's name."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from spatial_v2 import Model, ModelError
from spatial_v2.exceptions import SpatialError
from spatial_v2.export import export_library, export_matlab, model_bytes
from spatial_v2.io import to_urdf
from spatial_v2.models import autoTree

TREE = autoTree(2)
FIELDS = {
    "I": TREE.I + 1j,
    "Xtree": TREE.Xtree.astype(object),
    "gravity": [0, 0, 1j],
    "damping": [1j, 0],
}


def _pinocchio(model: Model) -> Any:
    pytest.importorskip("pinocchio")
    from spatial_v2.interop.pinocchio import to_pinocchio

    return to_pinocchio(model)


@pytest.mark.parametrize("write", [to_urdf, model_bytes, _pinocchio])
def test_numbers_that_are_not_real_are_refused(write: Callable[[Model], Any]) -> None:
    write(TREE)
    for field, x in FIELDS.items():
        with pytest.raises(
            ModelError, match=rf"^{field}: want real numbers, which alone .* can rep"
        ):
            write(TREE.replace(**{field: x}))


def test_functions_to_export_are_a_list() -> None:
    from spatial_v2 import ID

    for export in (export_library, export_matlab):
        for wrong in (ID, "ID", None):
            with pytest.raises(SpatialError, match=r"^functions: want a list of functions"):
                export("never", wrong)  # type: ignore[operator]
        with pytest.raises(TypeError, match=r"^folder: want a string or a pathlib.Path, got int"):
            export(3, [ID])  # type: ignore[operator]


def test_functions_for_casadi_are_named_and_options_without_meaning_refused() -> None:
    pytest.importorskip("casadi")
    from spatial_v2 import ID
    from spatial_v2.interop.casadi import to_casadi

    for options, said in (
        ({"packed": True}, "packed"),
        ({"workers": 2}, "workers"),
        ({"out": (np.zeros(2),)}, "out"),
    ):
        with pytest.raises(SpatialError, match=f"^{said}: functions of CasADi do not have"):
            to_casadi(TREE, "ID_derivatives", **options)
    with pytest.raises(SpatialError, match=r"^name: want the name of a function, such as 'ID'"):
        to_casadi(TREE, ID)  # type: ignore[arg-type]
    with pytest.raises(SpatialError, match=r"^states: want 1, or more with kernel=True, got 1.5"):
        to_casadi(TREE, "ID", kernel=True, states=1.5)  # type: ignore[arg-type]
