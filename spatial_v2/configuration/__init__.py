"""Configurations: addition, difference and rates on the configuration space.

The configurations of a model form a Lie group: a line for each joint with one degree of freedom,
and a group of rotations or poses for each other joint (`spatial_v2.joints.groups`). ``q (+) dq`` is
`configurationAddition`.
"""

from spatial_v2.configuration.configurationAddition import configurationAddition
from spatial_v2.configuration.configurationAddition_derivatives import (
    ConfigurationAdditionDerivatives,
    configurationAddition_derivatives,
)
from spatial_v2.configuration.configurationAddition_SO_derivatives import (
    ConfigurationAdditionSODerivatives,
    configurationAddition_SO_derivatives,
)
from spatial_v2.configuration.configurationDifference import configurationDifference
from spatial_v2.configuration.configurationDifference_derivatives import (
    ConfigurationDifferenceDerivatives,
    configurationDifference_derivatives,
)
from spatial_v2.configuration.configurationDifference_SO_derivatives import (
    ConfigurationDifferenceSODerivatives,
    configurationDifference_SO_derivatives,
)
from spatial_v2.configuration.configurationRates import configurationRates
from spatial_v2.configuration.configurationTransport import configurationTransport
from spatial_v2.configuration.confVecToCell import confVecToCell
from spatial_v2.configuration.modConfigurationAddition_second_derivatives import (
    ModConfigurationAdditionSecondDerivatives,
    modConfigurationAddition_second_derivatives,
)
from spatial_v2.configuration.modConfigurationDifference_second_derivatives import (
    ModConfigurationDifferenceSecondDerivatives,
    modConfigurationDifference_second_derivatives,
)
from spatial_v2.configuration.neutral import neutral
from spatial_v2.configuration.normalizeConfVec import normalizeConfVec
from spatial_v2.configuration.random_configuration import random_configuration

__all__ = [
    "ConfigurationAdditionDerivatives",
    "ConfigurationAdditionSODerivatives",
    "ConfigurationDifferenceDerivatives",
    "ConfigurationDifferenceSODerivatives",
    "ModConfigurationAdditionSecondDerivatives",
    "ModConfigurationDifferenceSecondDerivatives",
    "confVecToCell",
    "configurationAddition",
    "configurationAddition_SO_derivatives",
    "configurationAddition_derivatives",
    "configurationDifference",
    "configurationDifference_SO_derivatives",
    "configurationDifference_derivatives",
    "configurationRates",
    "configurationTransport",
    "modConfigurationAddition_second_derivatives",
    "modConfigurationDifference_second_derivatives",
    "neutral",
    "normalizeConfVec",
    "random_configuration",
]
