"""Published identities of tensor spatial vector algebra, with both sides as code.

`IDENTITIES` maps names to identities: M1 to M27 (matrices), K1 to K16 and J1 to J9 (derivatives
along the degrees of freedom of joints), P1 to P7 (vectors). `check` measures the residual of one
identity, `table` of all. `prove` proves each of them: M and P by expansion, K and J by derivations
from `LEMMAS`.
"""

from tensor_sva.identities.check import Row, check, residuals, table
from tensor_sva.identities.derivation.lemmas import LEMMAS
from tensor_sva.identities.draw import draw
from tensor_sva.identities.identity import Identity
from tensor_sva.identities.prove import Derived, Proof, prove
from tensor_sva.identities.registry import IDENTITIES
from tensor_sva.identities.state import State, by_q, by_qd, example_model

__all__ = [
    "IDENTITIES",
    "LEMMAS",
    "Derived",
    "Identity",
    "Proof",
    "Row",
    "State",
    "by_q",
    "by_qd",
    "check",
    "draw",
    "example_model",
    "prove",
    "residuals",
    "table",
]
