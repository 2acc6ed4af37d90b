// Matrices, spatial vectors, Plücker transforms and inertias, as arrays of rows.
//
// Spatial vectors have their angular part first. Numbers are compared with those of the library by
// unit_tests/course/test_hands_on.py.
"use strict";
const algebra = (() => {
  // ---- matrices ------------------------------------------------------------------------------
  const zeros = (n, m) => Array.from({ length: n }, () => new Array(m).fill(0));
  const identity = (n) => zeros(n, n).map((row, i) => { row[i] = 1; return row; });
  const transpose = (A) => A[0].map((_, j) => A.map((row) => row[j]));
  function dot(a, b) {
    let sum = 0;
    for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
    return sum;
  }
  function product(A, B) { // rows of B are added up, without those that A leaves out
    return A.map((row) => {
      const out = new Array(B[0].length).fill(0);
      for (let k = 0; k < row.length; k++) {
        const x = row[k], other = B[k];
        if (x !== 0) for (let j = 0; j < out.length; j++) out[j] += x * other[j];
      }
      return out;
    });
  }
  function apply(A, x) {
    const out = new Array(A.length);
    for (let i = 0; i < A.length; i++) out[i] = dot(A[i], x);
    return out;
  }
  function sum(a, b) {
    const out = new Array(a.length), deep = Array.isArray(a[0]);
    for (let i = 0; i < a.length; i++) out[i] = deep ? sum(a[i], b[i]) : a[i] + b[i];
    return out;
  }
  function scaled(s, a) {
    const out = new Array(a.length), deep = Array.isArray(a[0]);
    for (let i = 0; i < a.length; i++) out[i] = deep ? scaled(s, a[i]) : s * a[i];
    return out;
  }
  const difference = (a, b) => sum(a, scaled(-1, b));
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const skew = ([x, y, z]) => [[0, -z, y], [z, 0, -x], [-y, x, 0]];
  const block = (A, B, C, D) => [...A.map((row, i) => [...row, ...B[i]]), ...C.map((row, i) => [...row, ...D[i]])];

  function solve(A, b) { // A x = b by elimination, with the largest pivot of each column
    const n = b.length, rows = A.map((row, i) => [...row, b[i]]), x = b.slice();
    for (let k = 0; k < n; k++) {
      let best = k;
      for (let i = k + 1; i < n; i++) if (Math.abs(rows[i][k]) > Math.abs(rows[best][k])) best = i;
      [rows[k], rows[best]] = [rows[best], rows[k]];
      for (let i = k + 1; i < n; i++) {
        const factor = rows[i][k] / rows[k][k];
        for (let j = k; j <= n; j++) rows[i][j] -= factor * rows[k][j];
      }
    }
    for (let k = n - 1; k >= 0; k--) {
      x[k] = rows[k][n];
      for (let j = k + 1; j < n; j++) x[k] -= rows[k][j] * x[j];
      x[k] /= rows[k][k];
    }
    return x;
  }

  function eigen(A) { // of a symmetric matrix, by Jacobi's rotations; row k of vectors belongs to value k
    const n = A.length, D = A.map((row) => row.slice());
    let V = identity(n);
    for (let sweep = 0; sweep < 12; sweep++)
      for (let p = 0; p < n; p++)
        for (let q = p + 1; q < n; q++) {
          const angle = 0.5 * Math.atan2(2 * D[p][q], D[q][q] - D[p][p]), c = Math.cos(angle), s = Math.sin(angle);
          for (const M of [D, V]) {
            const [a, b] = [M[p], M[q]];
            M[p] = a.map((x, k) => c * x - s * b[k]);
            M[q] = a.map((x, k) => s * x + c * b[k]);
          }
          D.forEach((row) => { [row[p], row[q]] = [c * row[p] - s * row[q], s * row[p] + c * row[q]]; });
        }
    return { values: D.map((row, i) => row[i]), vectors: V };
  }

  // ---- spatial vectors -----------------------------------------------------------------------
  const angular = (v) => v.slice(0, 3), linear = (v) => v.slice(3);
  const crm = (v, m) => [ // v x m
    ...cross(angular(v), angular(m)),
    ...sum(cross(angular(v), linear(m)), cross(linear(v), angular(m)))];
  const crf = (v, f) => [ // v x* f
    ...sum(cross(angular(v), angular(f)), cross(linear(v), linear(f))),
    ...cross(angular(v), linear(f))];
  const velocityAt = (v, p) => sum(linear(v), cross(angular(v), p)); // of the point p of the body
  const forceAt = (f, p) => [...cross(p, f), ...f]; // a force that acts at p, with its moment about O

  // ---- transforms of motions, from A to B ------------------------------------------------------
  // The axes of B are the rows of E, and its origin is at r.
  const plux = (E, r) => block(E, zeros(3, 3), scaled(-1, product(E, skew(r))), E);
  const rotation = (X) => X.slice(0, 3).map((row) => row.slice(0, 3));
  function position(X) {
    const R = product(transpose(rotation(X)), X.slice(3).map((row) => row.slice(0, 3)));
    return [R[1][2], R[2][0], R[0][1]]; // E^T (-E r x) = -r x
  }
  const inverse = (X) => { // from B to A
    const E = rotation(X);
    return plux(transpose(E), scaled(-1, apply(E, position(X))));
  };
  const toParent = (X, I) => product(product(transpose(X), I), X); // an inertia of B, in A
  const forceFrom = (X, f) => apply(transpose(X), f); // a force of B, in A
  const forceTo = (X, f) => apply(transpose(inverse(X)), f); // a force of A, in B
  const pointFrom = (X, p) => sum(position(X), apply(transpose(rotation(X)), p)); // a point of B, in A

  function about(axis, angle) { // coordinate rotation about a coordinate axis
    const c = Math.cos(angle), s = Math.sin(angle), [i, j] = [(axis + 1) % 3, (axis + 2) % 3];
    const E = identity(3);
    E[i][i] = E[j][j] = c;
    E[i][j] = s;
    E[j][i] = -s;
    return E;
  }

  // ---- inertias ------------------------------------------------------------------------------
  function mcI(m, c, I) { // of mass m with centre c and rotational inertia I about it
    const C = skew(c), low = scaled(m, transpose(C));
    return block(sum(I, scaled(m, product(C, transpose(C)))), scaled(m, C), low, scaled(m, identity(3)));
  }
  // Mass of a body, and mass times its centre; also for inertias of planar bodies.
  const massMoment = (I) => ({ m: I[3][3], h: [I[2][4], -I[2][3], I[1][3]] });

  // The uniform ellipsoid with this inertia: centre, principal axes as rows, semi-axes; without mass, a point.
  function ellipsoid(I) {
    const { m, h } = massMoment(I);
    if (!(m > 0)) return { centre: [0, 0, 0], axes: identity(3), radii: [0, 0, 0] };
    const centre = scaled(1 / m, h), C = skew(centre);
    const J = difference(rotation(I), scaled(m, product(C, transpose(C))));
    const { values, vectors } = eigen(J), half = (values[0] + values[1] + values[2]) / 2;
    return { centre, axes: vectors, radii: values.map((x) => Math.sqrt(Math.max(5 * (half - x) / m, 0))) };
  }
  function ellipsoidFrom(X, { centre, axes, radii }) { // an ellipsoid of B, in A
    const back = transpose(rotation(X));
    return { centre: pointFrom(X, centre), axes: axes.map((a) => apply(back, a)), radii };
  }

  return { zeros, identity, transpose, dot, apply, product, sum, difference, scaled, cross, skew, block, solve, eigen,
    angular, linear, crm, crf, velocityAt, forceAt, plux, rotation, position, inverse, toParent, forceFrom, forceTo,
    pointFrom, about, mcI, massMoment, ellipsoid,
    ellipsoidFrom };
})();
