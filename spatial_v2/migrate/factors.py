"""Functions of which several results are used: factorisations, grids, values for several names."""

from __future__ import annotations

from collections.abc import Callable

from spatial_v2.migrate.body import Body
from spatial_v2.migrate.entrywise import real_numbers
from spatial_v2.migrate.expressions import literal, value
from spatial_v2.migrate.kinds import Code, Kind, Undecided, kind
from spatial_v2.migrate.names import NOTED
from spatial_v2.migrate.parse import Args, text

__all__ = ["SEVERAL_OF"]


def _tuple(*kinds: Kind) -> Kind:
    return Kind("tuple", fields=tuple((str(n), k) for n, k in enumerate(kinds)))


def _qr(body: Body, args: Args, nargout: int) -> Code:
    code = value(body, args[0])
    if code.kind.form != "matrix" or nargout != 2 or len(args) > 2:
        raise Undecided("qr: want two results of a matrix, [Q, R] = qr(A) or [Q, R] = qr(A, 0)")
    if len(args) == 2 and literal(args[1]) != 0:
        raise Undecided(f"qr: want no option but 0, got `{text(args[1])}`")
    mode = "" if len(args) == 2 else ', mode="complete"'
    found = Kind("matrix", "z" if code.kind.numbers in "?z" else "f")
    return Code(f"np.linalg.qr({real_numbers(code).text}{mode})", _tuple(found, found))


def _svd(body: Body, args: Args, nargout: int) -> Code:
    found, code = Kind("matrix", "f"), value(body, args[0])
    if code.kind.numbers in "?z":
        found = Kind("matrix", "z")
    fits = nargout == 3 and len(args) == 1
    return _factors(body, code, fits, "svd", "[U, S, V]", "svd", (found, kind("m"), found))


def _eigenvectors(body: Body, args: Args, nargout: int) -> Code:
    found, code = Kind("matrix", "?"), value(body, args[0])
    fits = nargout == 2 and len(args) == 1
    return _factors(body, code, fits, "eig", "[V, D]", "eigenvectors", (found, found))


def _factors(
    body: Body,
    code: Code,
    fits: bool,
    name: str,
    results: str,
    helper: str,
    kinds: tuple[Kind, ...],
) -> Code:
    """Translate a factorisation of a matrix to the call of a function of `values`, with a comment
    on differences from MATLAB.
    """
    if code.kind.form == "nothing":
        return Code("...", kind("n"))
    if code.kind.form != "matrix" or not fits:
        raise Undecided(
            f"{name}: want {results} = {name}(A) of a matrix A, got {code.kind.described}"
        )
    body.need(f"from spatial_v2.migrate.values import {helper}")
    body.notes.append(f"{name}: {NOTED[name]}")
    return Code(f"{helper}({real_numbers(code).text})", _tuple(*kinds))


def _meshgrid(body: Body, args: Args, nargout: int) -> Code:
    codes = [value(body, a) for a in args]
    if nargout != 2 or len(codes) > 2 or not all(c.kind.is_vector for c in codes):
        raise Undecided("meshgrid: want [X, Y] = meshgrid(x, y) of vectors")
    inner = ", ".join(c.text for c in (codes * 2)[:2])
    both = [Kind("matrix", c.kind.numbers) for c in (codes * 2)[:2]]
    return Code(f"np.meshgrid({inner})", _tuple(*both))


def _deal(body: Body, args: Args, nargout: int) -> Code:
    codes = [value(body, a) for a in args]
    if len(codes) == 1 and codes[0].kind.form in ("scalar", "text"):
        codes = codes * nargout
    if len(codes) != nargout:
        raise Undecided(f"deal: want one value for each name, got {len(codes)} for {nargout} names")
    kinds = [c.kind.now(shared=False) for c in codes]
    if any(c.kind.form not in ("scalar", "text") for c in codes):
        raise Undecided("deal: want numbers or text; assign other values one by one")
    return Code(", ".join(c.text for c in codes), _tuple(*kinds))


SEVERAL_OF: dict[str, Callable[[Body, Args, int], Code]] = {
    "qr": _qr,
    "svd": _svd,
    "eig": _eigenvectors,
    "meshgrid": _meshgrid,
    "deal": _deal,
}
"""Functions of which several results are used."""
