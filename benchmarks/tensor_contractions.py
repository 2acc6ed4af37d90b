"""Tensor products: the library's contraction paths against plain einsum and matmul.

Run: OMP_NUM_THREADS=1 python -m benchmarks.tensor_contractions

``contract`` obtains the order of pairs from opt_einsum, once for each set of shapes, and multiplies
pairs as matrices; products of at most `SMALL` multiplications are passed to numpy.einsum. Columns
are times per call in microseconds, and the ratio to the fastest of the other forms. The few
microseconds by which ``contract`` is slower than plain einsum on the smallest sizes are checks of
shapes and kinds of arrays.
"""

from __future__ import annotations

import numpy as np
import opt_einsum

from benchmarks.timing import interleaved
from tensor_sva import contract

PRODUCTS = {
    "Tm    A B      (18)": "ilk,lj->ijk",
    "mT    B A      (20)": "il,ljk->ijk",
    "mTm   B A C": "il,lmk,mj->ijk",
    "S'(B S)^R      (32)": "lj,lmi,mk->jik",
    "V' I (U x~) W  (M26)": "lj,la,abk,bc->jck",
}


def operands(subscripts: str, n: int, batch: tuple[int, ...]) -> list[np.ndarray]:
    """Return random operands; axes l, a, b, m have length six, all others length n."""
    rng = np.random.default_rng(0)
    terms = subscripts.split("->")[0].split(",")
    return [rng.normal(size=(*batch, *(6 if i in "labm" else n for i in t))) for t in terms]


def plain_matmul(subscripts: str, xs: list[np.ndarray]) -> np.ndarray | None:
    """Return the product by matmul, one slice ``[:, :, k]`` after another as MATLAB's loops do;
    None for other products.
    """

    def pages(x: np.ndarray) -> np.ndarray:
        return np.moveaxis(x, -1, -3)

    match subscripts, xs:
        case "ilk,lj->ijk", [A, B]:
            out = pages(A) @ B[..., None, :, :]
        case "il,ljk->ijk", [B, A]:
            out = B[..., None, :, :] @ pages(A)
        case "il,lmk,mj->ijk", [B, A, C]:
            out = B[..., None, :, :] @ pages(A) @ C[..., None, :, :]
        case _:
            return None
    return np.moveaxis(out, -3, -1)


def measure(subscripts: str, n: int, batch: tuple[int, ...]) -> dict[str, float]:
    """Return the microseconds per call of every form, after a check that all agree."""
    xs = operands(subscripts, n, batch)
    dotted = "->".join(
        ",".join(f"...{t}" for t in side.split(",")) for side in subscripts.split("->")
    )
    forms = {
        "contract": lambda: contract(subscripts, *xs),
        "einsum": lambda: np.einsum(dotted, *xs),
        "opt_einsum": lambda: opt_einsum.contract(dotted, *xs),
    }
    if plain_matmul(subscripts, xs) is not None:
        forms["matmul"] = lambda: plain_matmul(subscripts, xs)
    wanted = forms["einsum"]()
    for form in forms.values():
        np.testing.assert_allclose(form(), wanted, rtol=1e-9, atol=1e-9)
    return interleaved(forms)


def main() -> None:
    heads = ["contract", "einsum", "opt_einsum", "matmul"]
    print(f"{'product':22}{'batch':>6}{'n':>4}" + "".join(f"{h:>12}" for h in heads) + "   ratio")
    for name, subscripts in PRODUCTS.items():
        for batch in ((), (100,)):
            for n in (1, 3, 6, 12):
                t = measure(subscripts, n, batch)
                ratio = t["contract"] / min(v for k, v in t.items() if k != "contract")
                cells = "".join(f"{t[h]:12.1f}" if h in t else f"{'-':>12}" for h in heads)
                print(f"{name:22}{batch[0] if batch else 1:6}{n:4}{cells}{ratio:8.2f}")


if __name__ == "__main__":
    main()
