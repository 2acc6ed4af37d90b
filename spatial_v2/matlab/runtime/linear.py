"""Linear algebra with MATLAB's results."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg

from spatial_v2.matlab.runtime import arithmetic
from spatial_v2.matlab.runtime.along import axis_of
from spatial_v2.matlab.runtime.functions import matlab, numeric
from spatial_v2.matlab.runtime.making import whole
from spatial_v2.matlab.runtime.value_types import Array, MatlabError, Text, copy, string

__all__: list[str] = []


def _square(x: Any, name: str) -> np.ndarray:
    if not isinstance(x, Array) or x.a.ndim != 2 or x.a.shape[0] != x.a.shape[1]:
        raise MatlabError(f"{name}: argument must be a square matrix")
    a = arithmetic.number(x.a)
    assert isinstance(a, np.ndarray)
    return a


@numeric()
def inv(x: Any) -> Any:
    a = _square(x, "inverse")
    if a.dtype == object:
        import sympy

        return Array(np.array(sympy.Matrix(a).inv(), dtype=object))
    try:
        return np.linalg.inv(a)
    except np.linalg.LinAlgError:
        return np.full(a.shape, np.inf)


@numeric()
def det(x: Any) -> Any:
    a = _square(x, "det")
    if a.dtype == object:
        import sympy

        return sympy.Matrix(a).det()
    return np.linalg.det(a) if a.size else 1.0


@numeric()
def trace(x: Any) -> Any:
    return np.trace(_square(x, "trace"))


@numeric()
def rank(x: Any, tol: Any = None) -> Any:
    return float(np.linalg.matrix_rank(x.a, None if tol is None else float(tol)))


@numeric()
def pinv(x: Any, tol: Any = None) -> Any:
    if tol is None:
        rcond = max(x.a.shape) * np.finfo(float).eps
    else:
        rcond = float(tol) / np.linalg.svd(x.a, compute_uv=False).max(initial=1e-300)
    return np.linalg.pinv(x.a, rcond)


@numeric()
def null(x: Any, *options: Any) -> Any:
    _, sizes, vh = np.linalg.svd(x.a)
    r = int(np.sum(sizes > max(x.a.shape) * np.finfo(float).eps * sizes.max(initial=0)))
    found = vh[r:].conj().T
    return np.where(np.abs(found) < np.finfo(float).eps, 0, found)


@numeric()
def orth(x: Any) -> Any:
    u, s, _ = np.linalg.svd(x.a)
    r = int(np.sum(s > max(x.a.shape) * np.finfo(float).eps * s.max(initial=0)))
    return u[:, :r].copy()


@numeric()
def expm(x: Any) -> Any:
    return scipy.linalg.expm(_square(x, "expm"))


@numeric()
def logm(x: Any) -> Any:
    return scipy.linalg.logm(_square(x, "logm"))


@numeric()
def sqrtm(x: Any) -> Any:
    return scipy.linalg.sqrtm(_square(x, "sqrtm"))


@numeric()
def kron(x: Any, y: Any) -> Any:
    return np.kron(arithmetic.number(x.a), arithmetic.number(y.a))


@numeric()
def cross(x: Any, y: Any, *_: Any) -> Any:
    a, b = x.a, y.a
    axis = next((k for k, n in enumerate(a.shape) if n == 3), 0)
    if a.size == b.size == 3:
        flat = np.cross(a.ravel(), b.ravel())
        return Array(flat.reshape(a.shape if a.shape == b.shape else (3, 1)))
    if a.shape != b.shape or 3 not in a.shape:
        raise MatlabError("cross: X and Y must have the same dimensions, one of them 3")
    return np.cross(a, b, axis=axis)


@numeric()
def dot(x: Any, y: Any, axis: Any = None) -> Any:
    a, b = arithmetic.number(x.a), arithmetic.number(y.a)
    if 1 in a.shape and 1 in b.shape and axis is None:
        if a.size != b.size:
            raise MatlabError("dot: sizes of X and Y must match")
        return (
            np.sum(np.conj(a).ravel() * b.ravel())
            if a.dtype != object
            else np.sum(a.ravel() * b.ravel())
        )
    if a.shape != b.shape:
        raise MatlabError("dot: sizes of X and Y must match")
    return np.sum(np.conj(a) * b, axis=axis_of(a, axis), keepdims=True)


@numeric()
def norm(x: Any, p: Any = None) -> Any:
    a = arithmetic.number(x.a)
    if a.dtype == object:
        import sympy

        return sympy.sqrt(sum(y**2 for y in a.ravel()))
    if a.size == 0:
        return 0.0
    kind: Any = 2 if p is None else string(p) if isinstance(p, Text) else float(p)
    kind = {"inf": np.inf, "Inf": np.inf, "-inf": -np.inf}.get(kind, kind)
    if kind == "fro":
        return float(np.sqrt(np.sum(np.abs(a) ** 2)))
    return float(np.linalg.norm(a.ravel() if 1 in a.shape else a, kind))


@numeric()
def vecnorm(x: Any, p: Any = None, axis: Any = None) -> Any:
    return np.linalg.norm(x.a, None if p is None else float(p), axis_of(x.a, axis), keepdims=True)


@numeric("normalize")
def normalize(x: Any) -> Any:
    a, k = x.a, axis_of(x.a)
    return (a - a.mean(k, keepdims=True)) / a.std(k, ddof=1, keepdims=True)


@numeric()
def cond(x: Any, *_: Any) -> Any:
    return float(np.linalg.cond(x.a))


@numeric()
def chol(x: Any, *more: Any, nargout: int = 1) -> Any:
    a = _square(x, "chol")
    lower = any(isinstance(m, Text) and string(m) == "lower" for m in more)
    try:
        found = np.linalg.cholesky((np.triu(a) + np.triu(a, 1).conj().T) if not lower else a)
    except np.linalg.LinAlgError:
        if nargout > 1:
            return Array(np.zeros((0, 0))), 1.0
        raise MatlabError("chol: input matrix must be positive definite") from None
    return (
        found
        if nargout < 2 and lower
        else found.conj().T
        if nargout < 2
        else (found if lower else found.conj().T, 0.0)
    )


@numeric()
def lu(x: Any, nargout: int = 1) -> Any:
    p, low, up = scipy.linalg.lu(x.a)
    if nargout < 3:
        return p @ low, up
    return low, up, p.T


@numeric()
def qr(x: Any, *more: Any, nargout: int = 1) -> Any:
    if nargout > 2:
        q, r, p = scipy.linalg.qr(x.a, pivoting=True, mode="economic" if more else "full")
        return q, r, (p[None, :] + 1.0) if more else np.eye(len(p))[:, p]
    q, r = scipy.linalg.qr(x.a, mode="economic" if more else "full")
    return r if nargout < 2 else (q, r)


@numeric()
def svd(x: Any, *more: Any, nargout: int = 1) -> Any:
    if nargout < 2:
        return np.linalg.svd(x.a, compute_uv=False)[:, None]
    u, s, vh = np.linalg.svd(x.a, full_matrices=not more)
    sigma = np.zeros((u.shape[1], vh.shape[0]))
    np.fill_diagonal(sigma, s)
    return u, sigma, vh.conj().T


@numeric()
def eig(x: Any, y: Any = None, *_: Any, nargout: int = 1) -> Any:
    a = _square(x, "eig")
    b = None if y is None or isinstance(y, Text) else y.a
    if np.allclose(a, a.conj().T, rtol=0, atol=0) and b is None:
        w, v = np.linalg.eigh(a)
    elif b is not None and np.array_equal(a, a.conj().T) and np.array_equal(b, b.conj().T):
        try:
            w, v = scipy.linalg.eigh(a, b)
        except np.linalg.LinAlgError:
            w, v = scipy.linalg.eig(a, b)
    else:
        w, v = scipy.linalg.eig(a, b)
        if np.isrealobj(a) and np.all(w.imag == 0):
            w, v = w.real, v.real if np.all(np.imag(v) == 0) else v
    return w[:, None] if nargout < 2 else (v, np.diag(w))


@numeric()
def schur(x: Any, nargout: int = 1) -> Any:
    t, z = scipy.linalg.schur(x.a)
    return t if nargout < 2 else (z, t)


@numeric()
def hess(x: Any, nargout: int = 1) -> Any:
    h, q = scipy.linalg.hessenberg(x.a, calc_q=True)
    return h if nargout < 2 else (q, h)


@numeric()
def rref(x: Any) -> Any:
    a = x.a.astype(float).copy()
    tol = np.finfo(float).eps * max(a.shape) * np.abs(a).sum(axis=1).max(initial=0)
    r = 0
    for c in range(a.shape[1]):
        if r == len(a):
            break
        p = r + int(np.argmax(np.abs(a[r:, c])))
        if abs(a[p, c]) <= tol:
            a[r:, c] = 0
            continue
        a[[r, p]] = a[[p, r]]
        a[r] /= a[r, c]
        for k in range(len(a)):
            if k != r:
                a[k] -= a[k, c] * a[r]
        r += 1
    return a


@numeric("care")
def care(a: Any, b: Any, q: Any, r: Any = None, *more: Any, nargout: int = 1) -> Any:
    rr = np.eye(b.a.shape[1]) if r is None else r.a
    x = scipy.linalg.solve_continuous_are(a.a, b.a, q.a, rr)
    gain = np.linalg.solve(rr, b.a.T @ x)
    return x, _poles(a.a - b.a @ gain), gain


@numeric("dare")
def dare(a: Any, b: Any, q: Any, r: Any = None, nargout: int = 1) -> Any:
    rr = np.eye(b.a.shape[1]) if r is None else r.a
    x = scipy.linalg.solve_discrete_are(a.a, b.a, q.a, rr)
    gain = np.linalg.solve(b.a.T @ x @ b.a + rr, b.a.T @ x @ a.a)
    return x, _poles(a.a - b.a @ gain), gain


def _poles(a: np.ndarray) -> np.ndarray:
    return np.linalg.eigvals(a)[:, None]


@numeric("lqr")
def lqr(a: Any, b: Any, q: Any, r: Any, nargout: int = 1) -> Any:
    x = scipy.linalg.solve_continuous_are(a.a, b.a, q.a, r.a)
    gain = np.linalg.solve(r.a, b.a.T @ x)
    return gain, x, _poles(a.a - b.a @ gain)


@numeric("dlqr")
def dlqr(a: Any, b: Any, q: Any, r: Any, nargout: int = 1) -> Any:
    x = scipy.linalg.solve_discrete_are(a.a, b.a, q.a, r.a)
    gain = np.linalg.solve(b.a.T @ x @ b.a + r.a, b.a.T @ x @ a.a)
    return gain, x, _poles(a.a - b.a @ gain)


@numeric("lyap")
def lyap(a: Any, q: Any) -> Any:
    return scipy.linalg.solve_continuous_lyapunov(a.a, -q.a)


@numeric()
def ctrb(a: Any, b: Any) -> Any:
    parts = [b.a]
    for _ in range(len(a.a) - 1):
        parts.append(a.a @ parts[-1])
    return np.hstack(parts)


@numeric()
def linsolve(a: Any, b: Any, *_: Any) -> Any:
    return arithmetic.left_divide(a.a, b.a)


@numeric()
def lsqminnorm(a: Any, b: Any) -> Any:
    return np.linalg.lstsq(a.a, b.a, rcond=None)[0]


@matlab("full")
def full(x: Any) -> Any:
    return copy(x)


@matlab()
def speye(n: Any, m: Any = None) -> Any:
    rows = np.ravel(n.a).astype(int)
    return Array(np.eye(rows[0], rows[-1] if m is None else int(float(m))))


@matlab("sparse")
def sparse(*args: Any) -> Any:
    if len(args) == 1:
        return copy(args[0])
    if len(args) == 2:
        return np.zeros((whole(args[0]), whole(args[1])))
    i, j, s = (np.atleast_1d(x.a.ravel(order="F")) for x in args[:3])
    shape = (whole(args[3]), whole(args[4])) if len(args) > 4 else (int(i.max()), int(j.max()))
    found = np.zeros(shape)
    np.add.at(found, (i.astype(int) - 1, j.astype(int) - 1), s)
    return found
