"""Independent numerical methods for derivatives, to verify the analytic derivatives.

They come from Singh, Russell, Wensing (2023), Appendix A and Sections V and VII; Kudruss, Manns,
Kirches (2019), Section 2 and Algorithm 3; Singh, Russell, Wensing (2022), Table II; Echeandia,
Wensing (2021), Algorithm 2.
"""

from derivatives.reference import bicomplex_namespace as bicomplex_namespace
from derivatives.reference.bicomplex import Bicomplex
from derivatives.reference.bicomplex_step import (
    bicomplex_step,
    bicomplex_step_q,
    second_order_bicomplex,
)
from derivatives.reference.chain_rule import FirstOrder, chain_rule, second_order_chain_rule
from derivatives.reference.christoffel_loops import christoffel_loops
from derivatives.reference.complex_step import complex_step, complex_step_q
from derivatives.reference.complexStepForce import complexStepForce
from derivatives.reference.complexStepHessian import complexStepHessian
from derivatives.reference.complexStepJacobian import complexStepJacobian
from derivatives.reference.crba_derivative import CRBADerivative, crba_derivative
from derivatives.reference.finite_difference import (
    OptimalStep,
    finite_diff_1,
    finite_diff_2,
    optimal_step,
)
from derivatives.reference.finiteDiffJacobian import finiteDiff, finiteDiffJacobian
from derivatives.reference.first_order import first_order_complex, first_order_difference
from derivatives.reference.functions import SecondOrder
from derivatives.reference.idsva_so import idsva_so
from derivatives.reference.jacobian_sum import coriolis_by_jacobians
from derivatives.reference.metrics import Errors, errors, mae, mre, rmsae, rmsre
from derivatives.reference.perturbIndex import perturbIndex_q, perturbIndex_v
from derivatives.reference.verify import METHODS, Row, verify

__all__ = [
    "METHODS",
    "Bicomplex",
    "CRBADerivative",
    "Errors",
    "FirstOrder",
    "OptimalStep",
    "Row",
    "SecondOrder",
    "bicomplex_step",
    "bicomplex_step_q",
    "chain_rule",
    "christoffel_loops",
    "complexStepForce",
    "complexStepHessian",
    "complexStepJacobian",
    "complex_step",
    "complex_step_q",
    "coriolis_by_jacobians",
    "crba_derivative",
    "errors",
    "finiteDiff",
    "finiteDiffJacobian",
    "finite_diff_1",
    "finite_diff_2",
    "first_order_complex",
    "first_order_difference",
    "idsva_so",
    "mae",
    "mre",
    "optimal_step",
    "perturbIndex_q",
    "perturbIndex_v",
    "rmsae",
    "rmsre",
    "second_order_bicomplex",
    "second_order_chain_rule",
    "verify",
]
