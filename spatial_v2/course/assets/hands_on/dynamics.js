// Rigid-body dynamics by spatial vectors, for one state: the algorithms of the book in a web page.
//
// A model has `parent` (-1 is the base), `joints` ({kind, axis, sign, pitch, nq, nv}), `Xtree`, `I`,
// `gravity` and, for each body, `rotors` (null or {joint, X, I, gear}). Numbers are compared with
// those of the library by unit_tests/course/test_hands_on.py.
"use strict";
const dynamics = (() => {
  const { zeros, identity, transpose, dot, apply, product, sum, scaled, cross, solve, crm, crf, plux,
    inverse, toParent, forceFrom, forceTo, about, massMoment } = algebra;

  // ---- joints --------------------------------------------------------------------------------
  const [REVOLUTE, PRISMATIC, SPHERICAL, ROTATION, FLOATING, TRANSFORM] = [0, 1, 2, 3, 4, 5];

  function rq(q) { // coordinate rotation of a quaternion [w, x, y, z]
    const [w, x, y, z] = scaled(1 / Math.hypot(...q), q);
    return [
      [w * w + x * x - y * y - z * z, 2 * (x * y + w * z), 2 * (x * z - w * y)],
      [2 * (x * y - w * z), w * w - x * x + y * y - z * z, 2 * (y * z + w * x)],
      [2 * (x * z + w * y), 2 * (y * z - w * x), w * w - x * x - y * y + z * z]];
  }

  function jcalc(joint, q) { // transform of the joint, and its motion subspace as columns
    const { kind, axis, sign, pitch, nv } = joint, e = identity(3)[axis];
    if (kind === SPHERICAL) return { XJ: plux(rq(q), [0, 0, 0]), S: identity(6).slice(0, nv) };
    if (kind === FLOATING) return { XJ: plux(rq(q.slice(0, 4)), q.slice(4)), S: identity(6) };
    if (kind === ROTATION) {
      const E = [0, 1, 2].map((i) => [q[i], q[i + 3], q[i + 6]]);
      return { XJ: plux(E, [0, 0, 0]), S: identity(6).slice(0, nv) };
    }
    if (kind === TRANSFORM) {
      const E = [0, 1, 2].map((i) => [q[i], q[i + 4], q[i + 8]]);
      return { XJ: plux(E, scaled(-1, apply(transpose(E), q.slice(12, 15)))), S: identity(6) };
    }
    const step = sign * q[0], S = [0, 0, 0, 0, 0, 0];
    if (kind === PRISMATIC) {
      S[axis + 3] = sign;
      return { XJ: plux(identity(3), scaled(step, e)), S: [S] };
    }
    S[axis] = sign;
    S[axis + 3] = sign * pitch;
    return { XJ: plux(about(axis, step), scaled(step * pitch, e)), S: [S] };
  }

  function slices(model) { // first index of each joint in q and in qd
    let nq = 0, nv = 0;
    const at = model.joints.map((joint) => {
      const first = [nq, nv];
      nq += joint.nq;
      nv += joint.nv;
      return first;
    });
    return { at, nq, nv };
  }

  const inDirection = (S, x) => S.reduce((v, s, k) => sum(v, scaled(x[k], s)), [0, 0, 0, 0, 0, 0]);

  // What depends on q alone: Xup and X0 (from the base), S and the rotor of each body. All functions
  // take a posture in place of q, so that it is computed once for several of them.
  function posture(model, q) {
    if (q.bodies) return q;
    const { at, nv } = slices(model), X0 = [];
    const bodies = model.joints.map((joint, i) => {
      const own = q.slice(at[i][0], at[i][0] + joint.nq), { XJ, S } = jcalc(joint, own);
      const body = { p: model.parent[i], first: at[i][1], n: joint.nv, Xup: product(XJ, model.Xtree[i]), S, I: model.I[i] };
      const rotor = model.rotors && model.rotors[i];
      body.parts = [body];
      if (rotor) {
        const turn = jcalc(rotor.joint, [rotor.gear * own[0]]);
        body.parts.push({ Xup: product(turn.XJ, rotor.X), S: [scaled(rotor.gear, turn.S[0])], I: rotor.I });
      }
      X0[i] = body.p < 0 ? body.Xup : product(body.Xup, X0[body.p]);
      return body;
    });
    return { bodies, nv, X0, q };
  }

  const part = (x, body) => x.slice(body.first, body.first + body.n);
  const still = [0, 0, 0, 0, 0, 0];

  // ---- kinematics ----------------------------------------------------------------------------
  const placements = (model, q) => posture(model, q).X0; // transforms from the base to each body

  // Columns of the Jacobian of a body in base coordinates; null where a joint does not move it.
  function jacobian(model, q, body) {
    const { bodies, nv, X0 } = posture(model, q), J = new Array(nv).fill(null);
    for (let i = body; i >= 0; i = model.parent[i]) {
      const back = inverse(X0[i]);
      bodies[i].S.forEach((s, k) => { J[bodies[i].first + k] = apply(back, s); });
    }
    return J;
  }

  // ---- inverse dynamics: the recursive Newton-Euler algorithm ----------------------------------
  // External forces are in base coordinates, one for each body, or null.
  function ID(model, q, qd, qdd, fExt = null) {
    const { bodies, nv, X0 } = posture(model, q), tau = new Array(nv).fill(0);
    const v = [], a = [], f = [], base = [0, 0, 0, ...scaled(-1, model.gravity)];
    bodies.forEach((b, i) => {
      b.parts.forEach((x) => {
        const vJ = inDirection(x.S, part(qd, b));
        x.v = sum(apply(x.Xup, b.p < 0 ? still : v[b.p]), vJ);
        x.a = sum(sum(apply(x.Xup, b.p < 0 ? base : a[b.p]), inDirection(x.S, part(qdd, b))), crm(x.v, vJ));
        x.f = sum(apply(x.I, x.a), crf(x.v, apply(x.I, x.v)));
      });
      [v[i], a[i], f[i]] = [b.v, b.a, b.f];
      if (fExt) f[i] = sum(f[i], scaled(-1, forceTo(X0[i], fExt[i])));
    });
    for (let i = bodies.length - 1; i >= 0; i--) {
      const b = bodies[i];
      b.f = f[i];
      b.parts.forEach((x) => {
        x.S.forEach((s, k) => { tau[b.first + k] += dot(s, x.f); });
        if (b.p >= 0) f[b.p] = sum(f[b.p], forceFrom(x.Xup, x.f));
      });
    }
    return tau;
  }

  // ---- mass matrix: the composite-rigid-body algorithm -----------------------------------------
  // Inertia of each subtree with its joints locked, in coordinates of its first body.
  function compositeInertias(model, q) {
    const { bodies } = posture(model, q), IC = bodies.map((b) => b.I);
    for (let i = bodies.length - 1; i >= 0; i--)
      if (bodies[i].p >= 0)
        bodies[i].parts.forEach((x) => {
          IC[bodies[i].p] = sum(IC[bodies[i].p], toParent(x.Xup, x === bodies[i] ? IC[i] : x.I));
        });
    return IC;
  }

  function CRBA(model, q) {
    const { bodies, nv } = posture(model, q), H = zeros(nv, nv), IC = compositeInertias(model, q);
    bodies.forEach((b, i) => b.parts.forEach((x) => x.S.forEach((s, k) => {
      const column = b.first + k;
      let f = apply(x === b ? IC[i] : x.I, s), j = b.p, X = x.Xup;
      x.S.forEach((other, l) => { H[b.first + l][column] += dot(other, f); });
      while (j >= 0) {
        f = forceFrom(X, f);
        bodies[j].S.forEach((other, l) => {
          const row = bodies[j].first + l;
          H[row][column] += dot(other, f);
          H[column][row] = H[row][column];
        });
        X = bodies[j].Xup;
        j = bodies[j].p;
      }
    })));
    return H;
  }

  // ---- forward dynamics: the articulated-body algorithm ----------------------------------------
  function FDab(model, q, qd, tau, fExt = null) {
    const { bodies, nv, X0 } = posture(model, q), qdd = new Array(nv).fill(0);
    const v = [], IA = [], pA = [], a = [], base = [0, 0, 0, ...scaled(-1, model.gravity)];
    bodies.forEach((b, i) => {
      b.parts.forEach((x) => {
        const vJ = inDirection(x.S, part(qd, b));
        x.v = sum(apply(x.Xup, b.p < 0 ? still : v[b.p]), vJ);
        x.c = crm(x.v, vJ);
        x.IA = x.I;
        x.pA = crf(x.v, apply(x.I, x.v));
      });
      if (fExt) b.pA = sum(b.pA, scaled(-1, forceTo(X0[i], fExt[i])));
      [v[i], IA[i], pA[i]] = [b.v, b.IA, b.pA];
    });
    for (let i = bodies.length - 1; i >= 0; i--) {
      const b = bodies[i];
      [b.IA, b.pA] = [IA[i], pA[i]];
      b.D = zeros(b.n, b.n);
      b.u = part(tau, b);
      const F = zeros(b.n, 6); // rows: U of link and rotor, in coordinates of the parent
      let Ip = zeros(6, 6), pp = still, late = b.u.map(() => 0);
      b.parts.forEach((x) => {
        const back = transpose(x.Xup);
        x.U = x.S.map((s) => apply(x.IA, s));
        x.U.forEach((U, k) => {
          x.S.forEach((s, l) => { b.D[l][k] += dot(s, U); });
          b.u[k] -= dot(x.S[k], x.pA);
          F[k] = sum(F[k], apply(back, U));
          late[k] += dot(U, x.c);
        });
        Ip = sum(Ip, toParent(x.Xup, x.IA));
        pp = sum(pp, apply(back, sum(x.pA, apply(x.IA, x.c))));
      });
      if (b.p < 0) continue;
      const first = solve(b.D, sum(b.u, scaled(-1, late)));
      F.forEach((row, k) => { pp = sum(pp, scaled(first[k], row)); });
      const columns = transpose(F).map((column) => solve(b.D, column)); // (6, n): F^T D^-1
      IA[b.p] = sum(IA[b.p], sum(Ip, scaled(-1, product(columns, F))));
      pA[b.p] = sum(pA[b.p], pp);
    }
    bodies.forEach((b, i) => {
      const rest = b.u.slice();
      b.parts.forEach((x) => {
        x.a = sum(apply(x.Xup, b.p < 0 ? base : a[b.p]), x.c);
        x.U.forEach((U, k) => { rest[k] -= dot(U, x.a); });
      });
      const own = solve(b.D, rest);
      own.forEach((x, k) => { qdd[b.first + k] = x; });
      a[i] = sum(b.a, inDirection(b.S, own));
    });
    return qdd;
  }

  function kineticEnergy(model, q, qd) {
    return 0.5 * dot(qd, apply(CRBA(model, q), qd));
  }

  function potentialEnergy(model, q) { // of bodies and rotors; zero for masses at the height of the base's origin
    const { bodies, X0 } = posture(model, q);
    return -bodies.flatMap((b, i) => b.parts.map((x) => {
      const X = x === b ? X0[i] : b.p < 0 ? x.Xup : product(x.Xup, X0[b.p]);
      return dot(model.gravity, massMoment(toParent(X, x.I)).h);
    })).reduce((s, x) => s + x, 0);
  }

  // ---- motion --------------------------------------------------------------------------------
  const times = ([a, b, c, d], [w, x, y, z]) => [
    a * w - b * x - c * y - d * z, a * x + b * w + c * z - d * y,
    a * y - b * z + c * w + d * x, a * z + b * y - c * x + d * w];

  // The configuration reached from q by the velocity qd within time dt, rotations exactly.
  function moved(model, q, qd, dt) {
    const { at } = slices(model), next = q.slice();
    model.joints.forEach((joint, i) => {
      const [first, start] = at[i];
      if (joint.nq === 1) next[first] += dt * qd[start];
      else if (joint.kind === SPHERICAL || joint.kind === FLOATING) {
        const w = scaled(dt, qd.slice(start, start + 3)), angle = Math.hypot(...w);
        const s = angle > 1e-9 ? Math.sin(angle / 2) / angle : 0.5;
        const now = q.slice(first, first + 4), E = rq(now);
        const turned = times(now, [Math.cos(angle / 2), ...scaled(s, w)]);
        scaled(1 / Math.hypot(...turned), turned).forEach((x, k) => { next[first + k] = x; });
        if (joint.kind === FLOATING) {
          const v = scaled(dt, qd.slice(start + 3, start + 6)), wv = cross(w, v);
          const [b, c] = angle > 1e-4 ? [(1 - Math.cos(angle)) / angle ** 2, (angle - Math.sin(angle)) / angle ** 3]
            : [1 / 2, 1 / 6];
          const shift = apply(transpose(E), sum(v, sum(scaled(b, wv), scaled(c, cross(w, wv)))));
          shift.forEach((x, k) => { next[first + 4 + k] += x; });
        }
      } else throw new Error("moved: want joints whose rotations are quaternions");
    });
    return next;
  }

  return { ...algebra, rq, times, jcalc, slices, posture, placements, jacobian, ID, compositeInertias, CRBA, FDab, kineticEnergy,
    potentialEnergy, moved };
})();
