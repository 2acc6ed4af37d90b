"""Configurations: addition, difference and rates on the configuration space.

The configurations of a model form a Lie group, a line for each joint with one degree of freedom and
a rotation or pose group for the others (`spatial_v2.joints.groups`). ``q (+) dq`` is
`configurationAddition`.
"""

from spatial_v2.configuration.configurationAddition import configurationAddition
from spatial_v2.configuration.configurationDifference import configurationDifference
from spatial_v2.configuration.configurationRates import configurationRates
from spatial_v2.configuration.confVecToCell import confVecToCell
from spatial_v2.configuration.neutral import neutral
from spatial_v2.configuration.normalizeConfVec import normalizeConfVec
from spatial_v2.configuration.random_configuration import random_configuration

__all__ = [
    "confVecToCell",
    "configurationAddition",
    "configurationDifference",
    "configurationRates",
    "neutral",
    "normalizeConfVec",
    "random_configuration",
]
