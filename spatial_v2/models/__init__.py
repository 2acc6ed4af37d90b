"""Models: generated test trees and named robots."""

from spatial_v2.models.autoTree import autoTree
from spatial_v2.models.floatbase import floatbase
from spatial_v2.models.planar import planar

__all__ = ["autoTree", "floatbase", "planar"]
