"""Spatial vector algebra and rigid-body dynamics: the functions of MATLAB's spatial_v2.

Every public function is here by its MATLAB name; `RNEA` and `ABA` are the textbook names of `ID`
and `FDab`. The rooms that they stand in are opened when they are first asked for.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from spatial_v2.rooms import ALIASES, HOMES, ROOMS

__version__ = "0.1.0"

if TYPE_CHECKING:
    from spatial_v2 import (
        configuration,
        constraints,
        contact,
        dynamics,
        exceptions,
        frames,
        identification,
        inertia,
        io,
        joints,
        models,
        orientation,
        regressors,
        simulation,
        sparsity,
        spatial,
        three_d,
        utility,
    )
    from spatial_v2.calls.options import Options, get_workers, set_workers
    from spatial_v2.configuration import *  # noqa: F403
    from spatial_v2.constraints import *  # noqa: F403
    from spatial_v2.contact import *  # noqa: F403
    from spatial_v2.dynamics import *  # noqa: F403
    from spatial_v2.dynamics import ID as RNEA
    from spatial_v2.dynamics import FDab as ABA
    from spatial_v2.exceptions import *  # noqa: F403
    from spatial_v2.frames import *  # noqa: F403
    from spatial_v2.identification import *  # noqa: F403
    from spatial_v2.inertia import *  # noqa: F403
    from spatial_v2.io import *  # noqa: F403
    from spatial_v2.joints import *  # noqa: F403
    from spatial_v2.model import Model
    from spatial_v2.models import *  # noqa: F403
    from spatial_v2.orientation import *  # noqa: F403
    from spatial_v2.packed import PackedTensor, TensorPattern, keep_memory
    from spatial_v2.regressors import *  # noqa: F403
    from spatial_v2.show import Animation, show, showmotion
    from spatial_v2.simulation import *  # noqa: F403
    from spatial_v2.sparsity import *  # noqa: F403
    from spatial_v2.spatial import *  # noqa: F403
    from spatial_v2.three_d import *  # noqa: F403
    from spatial_v2.utility import *  # noqa: F403

    __all__ = ["ABA", "RNEA", "Animation", "Model", "Options", "PackedTensor", "TensorPattern"]
    __all__ += ["get_workers", "keep_memory", "set_workers", "show", "showmotion"]
    __all__ += configuration.__all__
    __all__ += constraints.__all__
    __all__ += contact.__all__
    __all__ += dynamics.__all__
    __all__ += exceptions.__all__
    __all__ += frames.__all__
    __all__ += identification.__all__
    __all__ += inertia.__all__
    __all__ += io.__all__
    __all__ += joints.__all__
    __all__ += models.__all__
    __all__ += orientation.__all__
    __all__ += sparsity.__all__
    __all__ += regressors.__all__
    __all__ += simulation.__all__
    __all__ += spatial.__all__
    __all__ += three_d.__all__
    __all__ += utility.__all__
else:
    __all__ = [*ALIASES, *HOMES]

    def __getattr__(name: str) -> Any:
        """A public name, or a room, at the first time that it is asked for."""
        true = ALIASES.get(name, name)
        if true in HOMES:
            found = getattr(import_module(f"spatial_v2.{HOMES[true]}"), true)
        elif name in ROOMS:
            found = import_module(f"spatial_v2.{name}")
        else:
            raise AttributeError(f"module 'spatial_v2' has no attribute {name!r}")
        globals()[name] = found
        return found

    def __dir__() -> list[str]:
        """All public names, opened or not, and what else is here."""
        return sorted({*globals(), *ALIASES, *HOMES, *ROOMS} - {"calls.options"})

    class _Package(ModuleType):
        """A package in which no room hides a function of its name: `show` is the function."""

        def __setattr__(self, name: str, value: object) -> None:
            if not (name in HOMES and isinstance(value, ModuleType)):
                super().__setattr__(name, value)

    sys.modules[__name__].__class__ = _Package
