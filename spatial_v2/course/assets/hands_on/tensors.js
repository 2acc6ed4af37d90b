// Operators of tensor spatial vector algebra, and the bodies of a model that identities are about.
//
// Every quantity is a pair {x, d}: a number, vector, matrix or tensor as nested arrays, and its
// derivative along one velocity variable (null where it does not depend on it). Operators are linear
// in each argument, so that the product rule gives the derivatives of all of them.
"use strict";
const tensors = (() => {
  const { sum, scaled, apply, product, skew, zeros, transpose, block, about, rotation, identity } = algebra;

  // ---- pairs of a value and its derivative -------------------------------------------------------
  const constant = (x) => ({ x, d: null });
  const plus = (a, b) => (a === null ? b : b === null ? a : typeof a === "number" ? a + b : sum(a, b));
  const linear = (f) => (a) => ({ x: f(a.x), d: a.d === null ? null : f(a.d) });
  const bilinear = (f) => (a, b) => ({ x: f(a.x, b.x),
    d: plus(a.d === null ? null : f(a.d, b.x), b.d === null ? null : f(a.x, b.d)) });
  const add = (a, b) => ({ x: plus(a.x, b.x), d: plus(a.d, b.d) });
  const times = (s, a) => (typeof a === "number" ? s * a : scaled(s, a));

  // ---- operators, of plain arrays ------------------------------------------------------------
  const rank = (a) => (Array.isArray(a) ? 1 + rank(a[0]) : 0);
  const vector = (a) => (rank(a) === 2 ? a.map((row) => row[0]) : a);
  const crm = (v) => { const [w, o] = halves(v); return block(skew(w), zeros(3, 3), skew(o), skew(w)); };
  const crf = (v) => scaled(-1, transpose(crm(v)));
  const icrf = (f) => { const [n, o] = halves(f); return scaled(-1, block(skew(n), skew(o), skew(o), zeros(3, 3))); };
  const halves = (a) => [vector(a).slice(0, 3), vector(a).slice(3)];
  const matmul = (a, b) => (rank(b) === 1 ? apply(a, b) : product(a, b));
  const pages = (list) => list[0].map((row, i) => // vectors or matrices side by side, along a new last axis
    (Array.isArray(row) ? row.map((_, j) => list.map((M) => M[i][j])) : list.map((v) => v[i])));
  const page = (A, k) => A.map((row) => row.map((x) => x[k]));
  const eachPage = (A, f) => pages(A[0][0].map((_, k) => f(page(A, k))));
  const eachColumn = (U, f) => pages(transpose(U).map(f));
  const rearranged = (A, pick) => { // entry [i][j][k] of the result is that of pick(i, j, k)
    const size = [A.length, A[0].length, A[0][0].length], [n, m, l] = pick.order.map((k) => size[k]);
    const list = (length, entry) => Array.from({ length }, (_, k) => entry(k));
    return list(n, (i) => list(m, (j) => list(l, (k) => pick(A, i, j, k))));
  };
  const permuted = (order, pick) => linear((A) => rearranged(A, Object.assign(pick, { order })));

  const neg = linear((a) => times(-1, a)), factor = (s, a) => bilinear(times)(s, a);
  const minus = (a, b) => add(a, neg(b));
  const mul = bilinear(matmul), Tm = bilinear((A, B) => eachPage(A, (M) => product(M, B)));
  const mT = bilinear((B, A) => eachPage(A, (M) => product(B, M)));
  const [crm_, crf_, icrf_] = [crm, crf, icrf].map(linear);
  const [crm_t, crf_t, icrf_t] = [crm, crf, icrf].map((f) => linear((U) => eachColumn(U, f)));
  const half = linear((a) => scaled(0.5, a));
  const B = (I, v) => half(add(mul(crf_(v), I), minus(icrf_(mul(I, v)), mul(I, crm_(v)))));
  const B_t = (I, V) => half(add(Tm(crf_t(V), I), minus(icrf_t(mul(I, V)), mT(I, crm_t(V)))));
  const T = linear(transpose);
  const functions = { matmul: mul, add, sub: minus, mul: factor, neg, T, crm: crm_, crf: crf_, icrf: icrf_,
    crm_t, crf_t, icrf_t, Tm, mT, mTm: (P, A, C) => Tm(mT(P, A), C), B, B_t,
    rotT: permuted([1, 0, 2], (A, i, j, k) => A[j][i][k]), rotR: permuted([0, 2, 1], (A, i, j, k) => A[i][k][j]),
    rotRT: permuted([2, 0, 1], (A, i, j, k) => A[j][k][i]), page: linear((M) => M.map((row) => row.map((x) => [x]))),
    unpage: linear((A) => page(A, 0)), column: linear((v) => v.map((x) => [x])) };

  // ---- bodies of a model, in ground coordinates, for a step along one velocity variable --------------
  const inverse = linear((X) => { // blocks [E 0; L E]
    const E = transpose(rotation(X)), L = transpose(X.slice(3).map((row) => row.slice(0, 3)));
    return block(E, zeros(3, 3), L, E);
  });
  function slope(joint, q, k) { // of X_J along velocity variable k, from sines, cosines and quaternions themselves
    const { kind, axis, sign, pitch } = joint, e = identity(3)[axis];
    const moving = (E, dE, r, dr) => block(dE, zeros(3, 3), scaled(-1, sum(product(dE, skew(r)), product(E, skew(dr)))), dE);
    if (kind === 1) return moving(identity(3), zeros(3, 3), scaled(sign * q[0], e), scaled(sign, e));
    if (kind === 0) {
      const dE = about(axis, sign * q[0] + Math.PI / 2);
      dE[axis][axis] = 0;
      return moving(about(axis, sign * q[0]), scaled(sign, dE), scaled(sign * pitch * q[0], e), scaled(sign * pitch, e));
    }
    if (kind !== 2 && kind !== 4) throw new Error("slope: want joints whose rotations are quaternions");
    const now = q.slice(0, 4), E = dynamics.rq(now), r = kind === 4 ? q.slice(4) : [0, 0, 0];
    if (k > 2) return moving(E, zeros(3, 3), r, E[k - 3]);
    const turn = scaled(0.5, dynamics.times(now, [0, ...identity(3)[k]]));
    const square = (p) => scaled(p.reduce((s, x) => s + x * x, 0), dynamics.rq(p)); // quadratic in the quaternion
    const dE = scaled(0.5, sum(square(sum(now, turn)), scaled(-1, square(sum(now, scaled(-1, turn))))));
    return moving(E, dE, r, [0, 0, 0]);
  }

  // The symbols of identities for each body; `along` is null or {variable: "q" or "qd", k}.
  function bodies(model, q, qd, qdd, along = null) {
    const { at } = dynamics.slices(model), zero = constant([0, 0, 0, 0, 0, 0]);
    const base = { v: zero, xi: zero, gamma: zero, a: constant([0, 0, 0, ...scaled(-1, model.gravity)]), X0: null };
    const made = [];
    model.joints.forEach((joint, i) => {
      const own = q.slice(at[i][0], at[i][0] + joint.nq), first = at[i][1], modes = identity(joint.nv).map((_, k) => first + k);
      const { XJ, S: columns } = dynamics.jcalc(joint, own), parent = model.parent[i] < 0 ? base : made[model.parent[i]];
      const mine = along && modes.includes(along.k), rates = constant(modes.map((k) => qd[k]));
      const XJd = { x: XJ, d: mine && along.variable === "q" ? slope(joint, own, along.k - first) : null };
      if (mine && along.variable === "qd") rates.d = modes.map((k) => (k === along.k ? 1 : 0));
      const Xup = mul(XJd, constant(model.Xtree[i])), X0 = parent.X0 ? mul(Xup, parent.X0) : Xup;
      const S = mul(inverse(X0), constant(transpose(columns))), vJ = mul(S, rates), v = add(parent.v, vJ);
      const gained = mul(S, constant(modes.map((k) => qdd[k]))), swirl = mul(crm_(v), vJ);
      const psid = mul(crm_(parent.v), S);
      const I = mul(mul(T(X0), constant(model.I[i])), X0), a = add(parent.a, add(gained, swirl)), Bi = B(I, v);
      const f = add(mul(I, a), mul(crf_(v), mul(I, v)));
      made.push({ index: i, modes, parent, X0, S, vJ, v, a, Sd: mul(crm_(v), S), psid, I, IC: I, B: Bi, BC: Bi, f, fC: f,
        psidd: add(mul(crm_(parent.a), S), mul(crm_(parent.v), psid)), xi: add(parent.xi, swirl),
        gamma: add(parent.gamma, gained) });
    });
    for (let i = made.length - 1; i >= 0; i--)
      if (model.parent[i] >= 0)
        for (const name of ["IC", "BC", "fC"]) made[i].parent[name] = add(made[i].parent[name], made[i][name]);
    return made;
  }

  // ---- expressions, as trees ------------------------------------------------------------------
  // A number, a name, [function, arguments], [".", body, field], ["each", name, matrix, expression] (a
  // page for each column) or ["along", "q" or "qd", expression]: its derivative along joint j.
  function evaluate(tree, names) {
    if (typeof tree === "number") return constant(tree);
    if (typeof tree === "string") return names[tree];
    const [head, ...rest] = tree;
    if (head === ".") return evaluate(rest[0], names)[rest[1]];
    if (head === "each") {
      const columns = transpose(evaluate(rest[1], names).x);
      return constant(pages(columns.map((column) => evaluate(rest[2], { ...names, [rest[0]]: constant(column) }).x)));
    }
    if (head === "along")
      return constant(pages(names.j.modes.map((k) => {
        const i = names.stepped(rest[0], k)[names.i.index], { x, d } = evaluate(rest[1], { ...names, i });
        return d === null ? times(0, x) : d;
      })));
    return functions[head](...rest.map((part) => evaluate(part, names)));
  }

  return { constant, bodies, evaluate, rank };
})();
