// A robot: the reader moves its joints and pushes its end; screws, ellipsoids and joint forces follow.
"use strict";
(() => {
  const { sum, difference, scaled, forceAt, position, pointFrom } = algebra, { COLOURS } = stage;
  const model = side.data.model, n = model.parent.length, { nq, nv } = dynamics.slices(model), body = n - 1;
  if (nq !== nv) throw new Error("robot: want a model whose joints have one variable each");
  const q = side.data.q || model.joints.map((_, i) => 0.4 * Math.cos(2 * i)), zero = new Array(nv).fill(0);
  const tip = side.data.end || [0.25, 0, 0], on = { screws: true, reach: true, inertias: false };
  let push = [0, 0, 0];

  const drawn = shapes.robot(model, { end: tip }), force = shapes.arrow(COLOURS.force, 0.016);
  const screws = model.parent.map(() => shapes.arrow(COLOURS.turn, 0.012));
  const reach = shapes.ellipsoid(COLOURS.shift, 0.3), inertias = model.parent.map(() => shapes.ellipsoid(COLOURS.turn, 0.3));
  shapes.floor(2);

  side.text("Drag the red ball to push the end with a force, and the blue balls to turn joints.");
  const sliders = model.joints.map((_, i) => side.slider(`joint ${i}`, -3.14, 3.14, q[i], (x) => { q[i] = x; update(); }));
  const turns = levers(model, q, (i) => { sliders[i].set(q[i]); update(); });
  side.check("columns of the Jacobian, as screws", on.screws, (x) => { on.screws = x; update(); });
  side.check("manipulability ellipsoid of the end", on.reach, (x) => { on.reach = x; update(); });
  side.check("inertia ellipsoids of the bodies", on.inertias, (x) => { on.inertias = x; update(); });
  const numbers = side.table("numbers", "Joint forces that hold it still [N m]", { bars: true });
  const axes = side.table("axes", "Semi-axes of manipulability [m/s]");
  const handle = stage.handle("Push on the end", [0, 0, 0], (p) => { push = scaled(20, difference(p, end())); update(); },
    COLOURS.force);

  const end = (p = dynamics.posture(model, q)) => pointFrom(p.X0[body], tip);
  // Joint forces that hold the robot still under gravity, and under the push at its end as well.
  function holding(p = dynamics.posture(model, q)) {
    const f = model.parent.map((_, i) => (i === body ? forceAt(push, end(p)) : [0, 0, 0, 0, 0, 0]));
    return { weight: dynamics.ID(model, p, zero, zero), all: dynamics.ID(model, p, zero, zero, f) };
  }
  const manipulability = (p = dynamics.posture(model, q)) => dynamics.manipulability(model, p, body, end(p));
  function update() {
    const p = dynamics.posture(model, q), J = dynamics.jacobian(model, p, body), at = end(p), able = manipulability(p);
    drawn(p.X0);
    turns.show(p.X0);
    model.parent.forEach((_, i) => {
      const o = position(p.X0[i]), w = J[i] ? J[i].slice(0, 3) : [0, 0, 0];
      screws[i](o, on.screws ? sum(o, scaled(0.35, w)) : o);
      inertias[i](algebra.ellipsoidFrom(p.X0[i], algebra.ellipsoid(model.I[i])), 1, on.inertias);
    });
    reach(able, 0.25, on.reach);
    force(at, sum(at, scaled(1 / 20, push)));
    handle.position.set(...sum(at, scaled(1 / 20, push)));
    const { weight, all } = holding(p);
    numbers([["", "weight", "with push"], ...weight.map((x, i) => [`τ${i}`, x, all[i]])], 2);
    axes([["", ...able.radii.slice().sort((a, b) => b - a)]], 3);
  }
  window.figure = { q, holding, manipulability, end: () => end(), push: () => push, handle, turns };
  update();
  stage.look([1.3, -1.9, 1.1], [0.1, 0, 0.25]);
})();
