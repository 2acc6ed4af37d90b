"""The identities as a test suite for any implementation of spatial algebra.

`run` evaluates M1 to M27, K1 to K16, J1 to J9 and P1 to P7 with the operators of another
implementation, `prove` proves them for operators that accept arrays of symbols,
``pytest --pyargs tensor_sva.suite`` evaluates them as tests, and `test_vectors` returns
arguments and both sides as data for programs in other languages.
"""

from tensor_sva.suite.operators import OPERATORS, operators_of
from tensor_sva.suite.proofs import Verdict, prove
from tensor_sva.suite.run import Result, run
from tensor_sva.suite.vectors import SCHEMA, test_vectors

__all__ = [
    "OPERATORS",
    "SCHEMA",
    "Result",
    "Verdict",
    "operators_of",
    "prove",
    "run",
    "test_vectors",
]
