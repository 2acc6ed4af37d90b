"""The errors of the library: one small hierarchy, every member also a `ValueError`."""

from __future__ import annotations

__all__ = [
    "ArrayShapeError",
    "ConvergenceWarning",
    "ExcitationWarning",
    "InertiaWarning",
    "JointTypeError",
    "LoaderWarning",
    "ModelError",
    "ModelFileError",
    "RankWarning",
    "SpatialError",
]


class SpatialError(ValueError):
    """Base of every error raised for bad input; the message names the argument and the remedy."""


class ArrayShapeError(SpatialError):
    """An array argument has the wrong shape or kind."""


class JointTypeError(SpatialError):
    """A joint code that the joint table does not have."""


class ModelError(SpatialError):
    """A model whose fields contradict each other or the mechanics."""


class ModelFileError(SpatialError):
    """A model file that cannot be read; the message names file, element and attribute."""


class ConvergenceWarning(UserWarning):
    """An iteration that did not reach its tolerance; the result has the states and residuals."""


class ExcitationWarning(UserWarning):
    """A motion that does not determine all parameters; the message names them."""


class InertiaWarning(UserWarning):
    """An inertia that no distribution of positive mass can have; it is kept as given."""


class LoaderWarning(UserWarning):
    """Parts of a robot's file that act on its motion, and that the model does not hold."""


class RankWarning(UserWarning):
    """Constraint rows that are dependent, or nearly so, in some states; the message says which."""
