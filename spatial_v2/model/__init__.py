"""The model struct: its fields, what follows from them, and the checks at the door."""

from spatial_v2.model.model import Model

__all__ = ["Model"]
