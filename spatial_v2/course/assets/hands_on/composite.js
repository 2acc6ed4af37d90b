// The mass matrix: the bodies beyond one joint move as one body, and its inertia fills a column of H.
"use strict";
(() => {
  const { sum, scaled, apply, position, rotation, transpose, massMoment, forceFrom, pointFrom } = algebra;
  const { COLOURS } = stage, model = side.data.model, n = model.parent.length;
  const q = side.data.q, { joints } = model;
  let chosen = side.data.joint || 0, all = false;

  const drawn = shapes.robot(model, { thick: 0.018 }), shape = model.parent.map(() => shapes.ellipsoid(COLOURS.turn, 0.3));
  const axis = shapes.arrow(COLOURS.turn, 0.014), force = shapes.arrow(COLOURS.force, 0.014);
  shapes.floor(2);
  side.choose("joint moved", joints.map((_, i) => `joint ${i}`), chosen, (x) => { chosen = x; update(); });
  const sliders = joints.map((_, i) => side.slider(`joint ${i}`, -3.14, 3.14, q[i], (x) => { q[i] = x; update(); }));
  const turns = levers(model, q, (i) => { sliders[i].set(q[i]); update(); }, { leaves: true });
  side.check("composite inertia of every joint", all, (x) => { all = x; update(); });
  const matrix = side.matrix("H", "Mass matrix H; the joint's column is marked");
  const numbers = side.table("numbers", "Composite body");
  side.text("Drag the blue balls. All joints but one are locked: the orange bodies move as one body "
    + "with the inertia of the ellipsoid. "
    + "The red arrow is the force that accelerates it at unit rate. Other arms stay at rest: their entries of H are zero.");

  const beyond = (i, j) => j >= 0 && (j === i || beyond(i, model.parent[j]));
  function update() {
    const p = dynamics.posture(model, q), IC = dynamics.compositeInertias(model, p), H = dynamics.CRBA(model, p);
    drawn(p.X0);
    turns.show(p.X0);
    model.parent.forEach((_, i) => {
      drawn.tint(i, beyond(chosen, i) ? COLOURS.turn : COLOURS.body);
      shape[i](algebra.ellipsoidFrom(p.X0[i], algebra.ellipsoid(IC[i])), 1, all || i === chosen);
    });
    const X = p.X0[chosen], s = p.bodies[chosen].S[0], F = forceFrom(X, apply(IC[chosen], s));
    const { m, h } = massMoment(IC[chosen]);
    const o = position(X), w = apply(transpose(rotation(X)), s.slice(0, 3)), c = pointFrom(X, scaled(1 / m, h));
    axis(o, sum(o, scaled(0.35, w)));
    force(c, sum(c, scaled(0.2, F.slice(3))));
    matrix(H, { marked: (i, j) => j === chosen });
    numbers([["", "x", "y", "z"], ["mass [kg]", m], ["centre [m]", ...c], ["force [N]", ...F.slice(3)],
      ["H_ii [kg m²]", H[chosen][chosen]]]);
  }
  window.figure = { q, H: () => dynamics.CRBA(model, q), IC: () => dynamics.compositeInertias(model, q), turns };
  update();
  stage.look([1.6, -2.0, 1.7], [0.15, 0, 0.6]);
})();
