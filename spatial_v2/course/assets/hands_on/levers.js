// Handles that move the joints of a robot: each is at the far end of a link, and follows the mouse as
// far as its joint allows.
"use strict";
function levers(model, q, changed, { leaves = false } = {}) {
  const { difference, scaled, dot, cross, apply, identity, transpose, rotation, position, pointFrom } = algebra;
  const made = model.parent.flatMap((_, i) => {
    const child = model.parent.indexOf(i), { m, h } = algebra.massMoment(model.I[i]), { kind, axis } = model.joints[i];
    const point = child >= 0 ? position(model.Xtree[child]) : scaled(2 / m, h), e = identity(3)[axis];
    const off = Math.hypot(...cross(e, point)) > 0.05 || kind === 1; // a point on the axis of a hinge turns nothing
    return (child >= 0 || leaves) && kind < 2 && off ? [{ i, point, e }] : [];
  });
  made.forEach((one) => {
    one.mesh = stage.handle(`Joint ${one.i}`, [0, 0, 0], (p) => {
      const { i, point, e } = one, X = dynamics.placements(model, q)[i], o = position(X);
      const a = scaled(model.joints[i].sign, apply(transpose(rotation(X)), e));
      const [from, to] = [pointFrom(X, point), p].map((x) => difference(x, o));
      const [u, w] = [from, to].map((x) => difference(x, scaled(dot(a, x), a)));
      q[i] += model.joints[i].kind === 1 ? dot(a, difference(to, from)) : Math.atan2(dot(a, cross(u, w)), dot(u, w));
      changed(i);
    });
  });
  return { show: (X0) => made.forEach(({ i, point, mesh }) => mesh.position.set(...pointFrom(X0[i], point))),
    meshes: made.map(({ mesh }) => mesh), joints: made.map(({ i }) => i) };
}
