"""Spatial vector algebra and rigid-body dynamics: the functions of MATLAB's spatial_v2.

Every public function is here by its MATLAB name, those of the package `derivatives` too; `RNEA` and
`ABA` are the textbook names of `ID` and `FDab`. The packages that define them are imported when one
of their names is first used; what type checkers and editors know is in ``__init__.pyi``.
"""

import sys

from spatial_v2.public_names import Package

sys.modules[__name__].__class__ = Package
