// Momentum of a whole robot, what its end-effector can do, and closed loops.
"use strict";
Object.assign(dynamics, (() => {
  const { dot, apply, product, sum, difference, scaled, cross, solve, eigen, transpose, angular, crm, velocityAt, inverse,
    toParent, forceFrom, pointFrom, massMoment, zeros } = algebra;
  const { posture, jacobian, compositeInertias, CRBA, ID } = dynamics;

  // ---- the end-effector ------------------------------------------------------------------------
  // Velocity of a point of a body for each unit joint velocity; three rows; p in base coordinates.
  function pointJacobian(model, q, body, p) {
    return transpose(jacobian(model, q, body).map((column) => (column ? velocityAt(column, p) : [0, 0, 0])));
  }

  // Velocities of the point for all joint velocities of norm one: principal axes as rows, semi-axes.
  function manipulability(model, q, body, p) {
    const J = pointJacobian(model, q, body, p), { values, vectors } = eigen(product(J, transpose(J)));
    return { centre: p, axes: vectors, radii: values.map((x) => Math.sqrt(Math.max(x, 0))) };
  }

  // ---- momentum ------------------------------------------------------------------------------
  // Mass and centre of mass of the robot, in base coordinates.
  function centreOfMass(model, q) {
    const { X0 } = posture(model, q), all = X0.map((X, i) => massMoment(toParent(X, model.I[i])));
    const m = all.reduce((s, x) => s + x.m, 0);
    return { m, c: scaled(1 / m, all.reduce((s, x) => sum(s, x.h), [0, 0, 0])) };
  }

  // Centroidal momentum matrix: momentum about the centre of mass; base axes; a column for each velocity.
  function CMM(model, q) {
    const p = posture(model, q), IC = compositeInertias(model, p), { c } = centreOfMass(model, p);
    const columns = p.bodies.flatMap((b, i) => b.S.map((s) => {
      const h = forceFrom(p.X0[i], apply(IC[i], s)), force = h.slice(3);
      return [...difference(angular(h), cross(c, force)), ...force];
    }));
    return transpose(columns);
  }

  // Velocity of a floating base without momentum, for given velocities of the other joints.
  function baseVelocity(model, q, rates) {
    const A = CMM(model, q), own = A.map((row) => row.slice(0, 6)), others = A.map((row) => row.slice(6));
    return solve(own, scaled(-1, apply(others, rates)));
  }

  // ---- closed loops --------------------------------------------------------------------------
  // A loop {body, point, other, place, rows}: the point of the body is at the place on the other
  // body; rows are the directions in base coordinates that this concerns.
  function motionOf(model, q, qd, body, point) { // position, Jacobian, acceleration by qd alone
    const p = posture(model, q), at = pointFrom(p.X0[body], point);
    const path = [];
    for (let i = body; i >= 0; i = model.parent[i]) path.unshift(i);
    let v = [0, 0, 0, 0, 0, 0], a = v;
    path.forEach((i) => {
      const b = p.bodies[i], back = inverse(p.X0[i]);
      const vJ = b.S.reduce((s, column, k) => sum(s, scaled(qd[b.first + k], apply(back, column))), [0, 0, 0, 0, 0, 0]);
      v = sum(v, vJ);
      a = sum(a, crm(v, vJ));
    });
    return { at, J: pointJacobian(model, p, body, at), bias: sum(velocityAt(a, at), cross(angular(v), velocityAt(v, at))) };
  }
  function loopRows(model, q, qd, loop) {
    const p = posture(model, q), a = motionOf(model, p, qd, loop.body, loop.point);
    const b = motionOf(model, p, qd, loop.other, loop.place);
    const along = (x) => loop.rows.map((row) => dot(row, x));
    return { at: a.at, gap: along(difference(a.at, b.at)), gamma: along(difference(a.bias, b.bias)),
      G: product(loop.rows, difference(a.J, b.J)) };
  }

  // Accelerations and constraint forces; a spring and a damper act on the gap if given.
  function KKT(model, q, qd, tau, loop, [stiffness, damping] = [0, 0]) {
    const p = posture(model, q), { G, gamma, gap } = loopRows(model, p, qd, loop), n = tau.length;
    const H = CRBA(model, p), C = ID(model, p, qd, tau.map(() => 0));
    const target = gamma.map((x, i) => -x - stiffness * gap[i] - damping * dot(G[i], qd));
    const rows = [...H.map((row, i) => [...row, ...G.map((g) => g[i])]), ...G.map((g) => [...g, ...zeros(1, G.length)[0]])];
    const x = solve(rows, [...difference(tau, C), ...target]);
    return { qdd: x.slice(0, n), lambda: scaled(-1, x.slice(n)) };
  }

  // The configuration that closes the loop with the given joints held, by Newton's method.
  function closed(model, q, loop, held) {
    let found = q.slice();
    const zero = q.map(() => 0), free = q.map((_, i) => i).filter((i) => !held.includes(i));
    for (let k = 0; k < 30; k++) {
      const { G, gap } = loopRows(model, found, zero, loop);
      if (Math.hypot(...gap) < 1e-13) break;
      const step = solve(G.map((row) => free.map((i) => row[i])), scaled(-1, gap));
      if (!step.every(Number.isFinite)) return null;
      free.forEach((i, n) => { found[i] += step[n] * Math.min(1, 0.5 / Math.hypot(...step)); });
    }
    return Math.hypot(...loopRows(model, found, zero, loop).gap) < 1e-9 ? found : null;
  }

  return { pointJacobian, manipulability, centreOfMass, CMM, baseVelocity, loopRows, KKT, closed };
})());
