"""Identities M1 to M27: algebra of spatial matrices."""

from __future__ import annotations

from spatial_v2.spatial import crf, crm, icrf
from tensor_sva.B import B
from tensor_sva.B_t import B_t
from tensor_sva.crf_t import crf_t
from tensor_sva.crm_t import crm_t
from tensor_sva.icrf_t import icrf_t
from tensor_sva.identities.identity import Identity
from tensor_sva.mT import mT
from tensor_sva.mTm import mTm
from tensor_sva.page import page, unpage
from tensor_sva.permuted import T
from tensor_sva.rotR import rotR
from tensor_sva.rotRT import rotRT
from tensor_sva.rotT import rotT
from tensor_sva.Tm import Tm

__all__ = ["SPATIAL_MATRIX"]

SOURCE = "Singh, Russell, Wensing (2023), Table II"

SPATIAL_MATRIX = (
    Identity(
        "M1",
        r"U\tilde\times{}^* = -(U\tilde\times)^{\tilde\top}",
        SOURCE,
        "U",
        lambda U: crf_t(U),
        lambda U: -rotT(crm_t(U)),
    ),
    Identity(
        "M2",
        r"-V^\top (U\tilde\times{}^*) = (U\tilde\times V)^{\tilde\top}",
        SOURCE,
        "U V",
        lambda U, V: -mT(T(V), crf_t(U)),
        lambda U, V: rotT(Tm(crm_t(U), V)),
    ),
    Identity(
        "M3",
        r"-V^\top (U\tilde\times{}^*) F = (U\tilde\times V)^{\tilde\top} F",
        SOURCE,
        "U V F",
        lambda U, V, F: -mTm(T(V), crf_t(U), F),
        lambda U, V, F: Tm(rotT(Tm(crm_t(U), V)), F),
    ),
    Identity(
        "M4",
        r"(U\tilde\times v)^{\tilde R} = -v\times U",
        SOURCE,
        "U v",
        lambda U, v: rotR(Tm(crm_t(U), v)),
        lambda U, v: page(-crm(v) @ U),
    ),
    Identity(
        "M5",
        r"U\tilde\times{}^* F = (F\tilde{\bar\times}{}^* U)^{\tilde R}",
        SOURCE,
        "U F",
        lambda U, F: Tm(crf_t(U), F),
        lambda U, F: rotR(Tm(icrf_t(F), U)),
    ),
    Identity(
        "M6",
        r"F\tilde{\bar\times}{}^* U = (U\tilde\times{}^* F)^{\tilde R}",
        SOURCE,
        "U F",
        lambda U, F: Tm(icrf_t(F), U),
        lambda U, F: rotR(Tm(crf_t(U), F)),
    ),
    Identity(
        "M7",
        r"(\lambda U)\tilde\times = \lambda (U\tilde\times)",
        SOURCE,
        "lam U",
        lambda lam, U: crm_t(lam * U),
        lambda lam, U: lam * crm_t(U),
    ),
    Identity(
        "M8",
        r"U\tilde\times V = -(V\tilde\times U)^{\tilde R}",
        SOURCE,
        "U V",
        lambda U, V: Tm(crm_t(U), V),
        lambda U, V: -rotR(Tm(crm_t(V), U)),
    ),
    Identity(
        "M9",
        r"(v\times U)\tilde\times = v\times (U\tilde\times) - (U\tilde\times) v\times",
        SOURCE,
        "v U",
        lambda v, U: crm_t(crm(v) @ U),
        lambda v, U: mT(crm(v), crm_t(U)) - Tm(crm_t(U), crm(v)),
    ),
    Identity(
        "M10",
        r"(v\times U)\tilde\times{}^*"
        r" = v\times^* (U\tilde\times{}^*) - (U\tilde\times{}^*) v\times^*",
        SOURCE,
        "v U",
        lambda v, U: crf_t(crm(v) @ U),
        lambda v, U: mT(crf(v), crf_t(U)) - Tm(crf_t(U), crf(v)),
    ),
    Identity(
        "M11",
        r"\big((U\tilde\times{}^* f)^{\tilde R}\big)\tilde{\bar\times}{}^*"
        r" = U\tilde\times{}^* (f\bar\times^*) - (f\bar\times^*) U\tilde\times",
        SOURCE,
        "U f",
        lambda U, f: icrf_t(unpage(rotR(Tm(crf_t(U), f)))),
        lambda U, f: Tm(crf_t(U), icrf(f)) - mT(icrf(f), crm_t(U)),
    ),
    Identity(
        "M12",
        r"(U\tilde\times{}^* F)^{\tilde\top} = -F^\top (U\tilde\times)",
        SOURCE,
        "U F",
        lambda U, F: rotT(Tm(crf_t(U), F)),
        lambda U, F: -mT(T(F), crm_t(U)),
    ),
    Identity(
        "M13",
        r"V^\top (U\tilde\times{}^* F) = (V\tilde\times U)^{\tilde R,\tilde\top} F"
        r" = \big(F^\top (V\tilde\times U)^{\tilde R}\big)^{\tilde\top}",
        SOURCE,
        "U V F",
        lambda U, V, F: mT(T(V), Tm(crf_t(U), F)),
        lambda U, V, F: Tm(rotRT(Tm(crm_t(V), U)), F),
        {"last": lambda U, V, F: rotT(mT(T(F), rotR(Tm(crm_t(V), U))))},
    ),
    Identity(
        "M14",
        r"v\times^* F = (F\tilde{\bar\times}{}^* v)^{\tilde R}",
        SOURCE,
        "v F",
        lambda v, F: page(crf(v) @ F),
        lambda v, F: rotR(Tm(icrf_t(F), v)),
    ),
    Identity(
        "M15",
        r"f\bar\times^* U = (U\tilde\times{}^* f)^{\tilde R}",
        SOURCE,
        "f U",
        lambda f, U: page(icrf(f) @ U),
        lambda f, U: rotR(Tm(crf_t(U), f)),
    ),
    Identity(
        "M16",
        r"V^\top (U\tilde\times{}^* F)^{\tilde R}"
        r" = \big[(V\tilde\times U)^{\tilde R,\tilde\top} F\big]^{\tilde R}",
        SOURCE,
        "U V F",
        lambda U, V, F: mT(T(V), rotR(Tm(crf_t(U), F))),
        lambda U, V, F: rotR(Tm(rotRT(Tm(crm_t(V), U)), F)),
    ),
    Identity(
        "M17",
        r"V^\top (U\tilde\times{}^* F)^{\tilde R}"
        r" = -\big[U^\top (V\tilde\times{}^* F)^{\tilde R}\big]^{\tilde\top}",
        SOURCE,
        "U V F",
        lambda U, V, F: mT(T(V), rotR(Tm(crf_t(U), F))),
        lambda U, V, F: -rotT(mT(T(U), rotR(Tm(crf_t(V), F)))),
    ),
    Identity(
        "M18",
        r"I (U\tilde\times{}^* F)^{\tilde R} = [I (U\tilde\times{}^* F)]^{\tilde R}",
        SOURCE,
        "I U F",
        lambda I, U, F: mT(I, rotR(Tm(crf_t(U), F))),
        lambda I, U, F: rotR(mT(I, Tm(crf_t(U), F))),
    ),
    Identity(
        "M19",
        r"I (U\tilde\times V)^{\tilde R} = [I (U\tilde\times V)]^{\tilde R}",
        SOURCE,
        "I U V",
        lambda I, U, V: mT(I, rotR(Tm(crm_t(U), V))),
        lambda I, U, V: rotR(mT(I, Tm(crm_t(U), V))),
    ),
    Identity(
        "M20",
        r"(A \mathcal Y)^{\tilde\top} = \mathcal Y^{\tilde\top} A^\top",
        SOURCE,
        "A Y",
        lambda A, Y: rotT(mT(A, Y)),
        lambda A, Y: Tm(rotT(Y), T(A)),
    ),
    Identity(
        "M21",
        r"F^\top (U\tilde\times V)"
        r" = -\big[V^\top (F\tilde{\bar\times}{}^* U)^{\tilde R}\big]^{\tilde\top}",
        SOURCE,
        "U V F",
        lambda U, V, F: mT(T(F), Tm(crm_t(U), V)),
        lambda U, V, F: -rotT(mT(T(V), rotR(Tm(icrf_t(F), U)))),
    ),
    Identity(
        "M22",
        r"B(I, v)^\top w = -B(I, w)^\top v",
        SOURCE,
        "I v w",
        lambda I, v, w: T(B(I, v)) @ w,
        lambda I, v, w: -T(B(I, w)) @ v,
    ),
    Identity(
        "M23",
        r"B(I, v) w = B(I, w) v - I (v\times w)",
        SOURCE,
        "I v w",
        lambda I, v, w: B(I, v) @ w,
        lambda I, v, w: B(I, w) @ v - I @ crm(v) @ w,
    ),
    Identity(
        "M24",
        r"u^\top [B(I, v) w] = -v^\top [B(I, u) w]",
        SOURCE,
        "I u v w",
        lambda I, u, v, w: T(u) @ B(I, v) @ w,
        lambda I, u, v, w: -T(v) @ B(I, u) @ w,
    ),
    Identity(
        "M25",
        r"\mathcal B(I, V)^{\tilde\top} W = -[\mathcal B(I, W)^{\tilde\top} V]^{\tilde R}",
        SOURCE,
        "I V W",
        lambda I, V, W: Tm(rotT(B_t(I, V)), W),
        lambda I, V, W: -rotR(Tm(rotT(B_t(I, W)), V)),
    ),
    Identity(
        "M26",
        r"\mathcal B(I, V) W = [\mathcal B(I, W) V]^{\tilde R} - I (V\tilde\times) W",
        SOURCE,
        "I V W",
        lambda I, V, W: Tm(B_t(I, V), W),
        lambda I, V, W: rotR(Tm(B_t(I, W), V)) - mTm(I, crm_t(V), W),
    ),
    Identity(
        "M27",
        r"U^\top [\mathcal B(I, V) W]^{\tilde R}"
        r" = -\big[V^\top [\mathcal B(I, U) W]^{\tilde R}\big]^{\tilde\top}",
        SOURCE,
        "I U V W",
        lambda I, U, V, W: mT(T(U), rotR(Tm(B_t(I, V), W))),
        lambda I, U, V, W: -rotT(mT(T(V), rotR(Tm(B_t(I, U), W)))),
    ),
)
"""Table II of the paper on second-order derivatives; vectors are matrices with one column."""
